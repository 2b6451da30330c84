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
use crate::island::normal::NormalProblem;
use crate::island::{Context, IslandAnswer, complementarity, simultaneous};
use crate::numerics::largest;
use crate::outcome::Note;
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

/// The answer to an island. Where none is found, not even with a simpler friction, normal impulses without restitution are one
/// that is permissible; a law that may have no solution says so instead.
pub(crate) fn resolve_island(
    problem: &ContactProblem,
    law: &impl FrictionalLaw,
    context: &mut Context,
) -> Result<IslandAnswer, ImpactError> {
    let mut scratch = Scratch::default();
    match resolve(problem, law, &mut scratch, context) {
        Ok(Solved { effort, notes }) => {
            let mut impulse = scratch.impulse;
            separate(problem, &mut impulse, context)?;
            Ok(IslandAnswer { impulse, effort: effort.into(), notes })
        }
        Err(error) => {
            let unsolved = match &error {
                ImpactError::NotConverged { .. } => true,
                ImpactError::NoSolution { .. } => law.remedy().is_none(),
                _ => false,
            };
            let plastic = unsolved.then(|| simultaneous::plastic(problem, context));
            let Some(Ok(mut answer)) = plastic else { return Err(error) };
            answer.notes.insert(Note::PlasticInstead);
            Ok(answer)
        }
    }
}

/// How often what is left of an approach is stopped.
const SEPARATIONS: usize = 2;

/// The equations know `W` by factors, without directions that hardly yield, and the limit of a continuum is extrapolated. What
/// the last digits then leave of an approach is stopped along the normals, without rebound.
fn separate(
    problem: &ContactProblem,
    impulse: &mut [f64],
    context: &mut Context,
) -> Result<(), ImpactError> {
    let zero = context.tolerances.approach * largest(problem.velocity());
    for _ in 0..SEPARATIONS {
        let after = problem.velocity_after(impulse);
        let pushing = (0..problem.len()).filter(|&k| problem.contacts()[k].pushes());
        let left: Vec<f64> = pushing.map(|k| after[problem.row_range(k).start]).collect();
        if left.iter().all(|u| *u >= -zero) {
            break;
        }
        let normals = NormalProblem::new(problem, context.tolerances)?;
        match complementarity::solve(&normals, &left, context) {
            // Rounding alone may ask for what no motion has.
            Err(ImpactError::NoSolution { .. } | ImpactError::NotConverged { .. }) => break,
            solved => {
                let more = normals.impulse(solved?.p);
                impulse.iter_mut().zip(&more).for_each(|(p, more)| *p += more);
            }
        }
    }
    Ok(())
}
