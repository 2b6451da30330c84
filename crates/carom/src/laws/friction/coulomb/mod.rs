//! What Newton's and Poisson's laws with Coulomb's friction have in common: an island as they see it ([`contacts`]), its
//! answer ([`mod@resolve`]), how the equations of a phase are solved ([`phase`]), and why there may be no solution
//! ([`self_stress`]).

mod contacts;
mod fallback;
mod phase;
mod resolve;
mod rough;
mod self_stress;
mod workspace;

use crate::ImpactError;
use crate::contact::ContactProblem;
use crate::island::{Context, IslandAnswer};
pub(crate) use contacts::{ActiveContacts, Surface};
pub(crate) use phase::{Phase, Solved};
pub(crate) use resolve::FrictionalLaw;
use resolve::{Scratch, resolve};
pub use workspace::{CoulombAnswer, CoulombWorkspace};

/// What the laws do alike around their equations; without friction they are the law along normals that is named.
macro_rules! frictional_law {
    ($law:ident, $without_friction:ident) => {
        $crate::laws::info::with_settings!($law);

        impl $law {
            /// The answer in lent memory: nothing is allocated once it has grown. All contacts are solved together,
            /// coupled or not.
            pub fn resolve_in<'a>(
                &self,
                problem: &$crate::ContactProblem,
                tolerances: &$crate::Tolerances,
                workspace: &'a mut $crate::laws::friction::CoulombWorkspace,
            ) -> Result<$crate::laws::friction::CoulombAnswer<'a>, $crate::ImpactError> {
                workspace.resolve(problem, self, &INFO, tolerances)
            }
        }

        impl $crate::laws::info::IslandLaw for $law {
            fn resolve_island(
                &self,
                problem: &$crate::ContactProblem,
                context: &mut $crate::island::Context,
            ) -> Result<$crate::island::IslandAnswer, $crate::ImpactError> {
                match problem.summary().friction {
                    true => $crate::laws::friction::coulomb::resolve_island(problem, self, context),
                    false => $crate::laws::info::IslandLaw::resolve_island(
                        &$without_friction,
                        problem,
                        context,
                    ),
                }
            }
        }
    };
}
pub(crate) use frictional_law;

/// The answer to an island.
pub(crate) fn resolve_island(
    problem: &ContactProblem,
    law: &impl FrictionalLaw,
    context: &Context,
) -> Result<IslandAnswer, ImpactError> {
    let mut scratch = Scratch::default();
    let Solved { effort, notes } = resolve(problem, law, &mut scratch, context)?;
    Ok(IslandAnswer { impulse: scratch.impulse, effort: effort.into(), notes })
}
