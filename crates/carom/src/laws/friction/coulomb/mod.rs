//! What Newton's and Poisson's laws with Coulomb's friction have in common: an island as they see it ([`scene`]), which
//! contacts take part ([`course`]), how their equations are solved ([`phase`]), and why there may be no solution
//! ([`stress`]).

mod course;
mod phase;
mod scene;
mod stress;
mod workspace;

use crate::ImpactError;
use crate::contact::ContactProblem;
use crate::island::{Context, IslandAnswer};
pub(crate) use course::FrictionalLaw;
use course::{Found, Memory, resolve};
pub(crate) use phase::{Phase, Share, Solved};
pub(crate) use scene::{Part, Surface};
pub use workspace::{CoulombAnswer, CoulombWorkspace};

/// The answer to an island.
pub(crate) fn resolve_island(
    problem: &ContactProblem,
    law: &impl FrictionalLaw,
    context: &Context,
) -> Result<IslandAnswer, ImpactError> {
    let mut memory = Memory::default();
    let Found { effort, notes } = resolve(problem, law, &mut memory, context)?;
    Ok(IslandAnswer { impulse: memory.impulse, effort: effort.into(), notes })
}
