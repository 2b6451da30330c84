//! Impact after impact in the same memory.

use super::phase::Solved;
use super::resolve::{FrictionalLaw, Scratch, resolve};
use crate::contact::ContactProblem;
use crate::island::Context;
use crate::laws::info::LawInfo;
use crate::outcome::{Notes, SolverEffort, Unobserved};
use crate::{ImpactError, Tolerances};

/// Memory that impacts one after the other can share, so that nothing is allocated once it has grown. It never
/// influences a result.
#[derive(Default)]
pub struct CoulombWorkspace(Scratch);

/// An answer in the memory of a workspace.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CoulombAnswer<'a> {
    /// `p`, contact by contact, normal first [N·s].
    pub impulse: &'a [f64],
    /// The work done.
    pub effort: SolverEffort,
    /// What the reader should know besides.
    pub notes: Notes,
}

impl CoulombWorkspace {
    /// The answer to a problem as one island.
    pub(crate) fn resolve(
        &mut self,
        problem: &ContactProblem,
        law: &impl FrictionalLaw,
        row: &'static LawInfo,
        tolerances: &Tolerances,
    ) -> Result<CoulombAnswer<'_>, ImpactError> {
        let context = Context { law: row.id, tolerances, observer: &mut Unobserved };
        let Solved { effort, notes } = resolve(problem, law, &mut self.0, &context)?;
        Ok(CoulombAnswer { impulse: &self.0.impulse, effort, notes })
    }
}
