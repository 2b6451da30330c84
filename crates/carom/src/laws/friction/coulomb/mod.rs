//! What Newton's and Poisson's laws with Coulomb's friction have in common: an island as they see it ([`contacts`]), its
//! answer ([`mod@resolve`]), how the equations of a phase are solved ([`phase`]), and why there may be no solution
//! ([`self_stress`]).

mod contacts;
mod phase;
mod resolve;
mod self_stress;
mod workspace;

use crate::ImpactError;
use crate::contact::ContactProblem;
use crate::island::{Context, IslandAnswer};
pub(crate) use contacts::{ActiveContacts, Surface};
pub(crate) use phase::{Phase, Pick, Solved};
pub(crate) use resolve::FrictionalLaw;
use resolve::{Scratch, resolve};
pub use workspace::{CoulombAnswer, CoulombWorkspace};

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
