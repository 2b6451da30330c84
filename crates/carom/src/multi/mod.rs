//! Stage 2b: laws for any number of contacts, one per file, and [`catalog`], the one table of them.
//!
//! A law sees one island of a [`ContactProblem`] at a time: contacts that `W` does not couple never influence each
//! other, so an added unrelated impact changes no bit of an answer. Frictionless laws see it as a `NormalProblem`,
//! the normal rows alone. `solve` holds the equations behind them and knows nothing of impacts.

pub mod catalog;
mod complementarity;
mod coulomb;
mod energy;
mod fold;
mod generalized_reflections;
#[cfg(feature = "sparse")]
mod large;
mod links;
mod lzb;
mod max_dissipation;
mod moreau;
mod mosterman;
mod newton;
mod newton_coulomb;
mod newton_equality;
pub(crate) mod normal;
mod plus;
mod poisson;
mod poisson_coulomb;
mod self_stress;
mod sequential;
mod simultaneous;
pub(crate) mod solve;
mod stepping;
mod stiff_limit;
mod sum;

pub use catalog::{CATALOG, MultiClaims, MultiLaw, MultiRow};
pub use coulomb::{CoulombAnswer, CoulombWorkspace};
pub use generalized_reflections::GeneralizedReflections;
pub use lzb::{Gaps, Lzb};
pub use max_dissipation::MaxDissipation;
pub use moreau::Moreau;
pub use mosterman::Mosterman;
pub use newton::Newton;
pub use newton_coulomb::NewtonCoulomb;
pub use newton_equality::NewtonEquality;
pub use plus::exact::{Debt, PlusExact};
pub use plus::{Plus, PlusHandler};
pub use poisson::Poisson;
pub use poisson_coulomb::PoissonCoulomb;
pub use sequential::{JointImpacts, Sequential, Ties};
pub use stiff_limit::StiffLimit;

use crate::contact::ContactProblem;
use crate::law::Settings;
use crate::outcome::{
    MultiEffort, MultiStep, Note, Notes, ProblemEffort, ProblemOutcome, Progress, Watch,
};
use crate::{ImpactError, Tolerances};
use std::ops::ControlFlow;

/// A rule that turns a problem of any number of contacts into impulses. Implement it for a law of your own.
pub trait MultiImpactLaw {
    /// The outcome of the impact. The watcher sees the steps and may stop long work.
    fn resolve(
        &self,
        problem: &ContactProblem,
        tolerances: &Tolerances,
        watch: &mut dyn Watch,
    ) -> Result<ProblemOutcome, ImpactError>;
}

/// A law's answer to one island.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct IslandAnswer {
    /// One number per row [N·s].
    pub(crate) impulse: Vec<f64>,
    pub(crate) effort: ProblemEffort,
    pub(crate) notes: Notes,
}

/// What a law has at hand while it works on an island.
pub(crate) struct Desk<'a> {
    pub(crate) row: &'static MultiRow,
    pub(crate) tolerances: &'a Tolerances,
    pub(crate) watch: &'a mut dyn Watch,
}

impl Desk<'_> {
    /// Says how far the work has come, and fails if it is to stop.
    pub(crate) fn progress(
        &mut self,
        what: &'static str,
        done: u64,
        of: Option<u64>,
    ) -> Result<(), ImpactError> {
        match self.watch.progress(Progress { what, done, of }) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(Self::interrupted(what, done)),
        }
    }

    fn interrupted(what: &'static str, done: u64) -> ImpactError {
        ImpactError::Limit(format!("interrupted after {done} {what}"))
    }

    pub(crate) fn no_solution(&self, reason: impl Into<String>) -> ImpactError {
        ImpactError::NoSolution { law: self.row.id, reason: reason.into() }
    }
}

impl MultiLaw {
    /// The law with this id, its settings at their defaults.
    pub fn from_id(id: &str) -> Result<Self, ImpactError> {
        Self::with_settings(id, &Settings::new())
    }

    /// The law with this id and these settings; those not given keep their defaults.
    pub fn with_settings(id: &str, settings: &Settings) -> Result<Self, ImpactError> {
        (catalog::find(id)?.build)(settings)
    }

    /// The law's id.
    pub fn id(&self) -> &'static str {
        self.row().id
    }
}

impl MultiImpactLaw for MultiLaw {
    fn resolve(
        &self,
        problem: &ContactProblem,
        tolerances: &Tolerances,
        watch: &mut dyn Watch,
    ) -> Result<ProblemOutcome, ImpactError> {
        self.check_applicable(problem)?;
        let Some(islands) = self.separate_islands(problem) else {
            let mut desk = Desk { row: self.row(), tolerances, watch };
            let answer = self.resolve_island(problem, &mut desk)?;
            return self.outcome(problem, answer);
        };
        let mut impulse = vec![0.0; problem.rows()];
        let mut effort: Option<ProblemEffort> = None;
        let mut notes = Notes::NONE;
        for island in &islands {
            let part = problem.restricted_to(&island.contacts);
            let mut mapped = Mapped { contacts: &island.contacts, watch };
            let mut desk = Desk { row: self.row(), tolerances, watch: &mut mapped };
            let answer = self
                .resolve_island(&part, &mut desk)
                .map_err(|error| renumbered(error, &island.contacts))?;
            let rows = island.contacts.iter().flat_map(|&k| problem.row_range(k));
            rows.zip(&answer.impulse).for_each(|(row, p)| impulse[row] = *p);
            effort = Some(match effort {
                Some(before) => before.and(answer.effort),
                None => answer.effort,
            });
            notes = notes.union(answer.notes);
        }
        // A problem has a contact, so it has an island.
        let effort = effort.unwrap_or_else(|| MultiEffort::default().into());
        self.outcome(problem, IslandAnswer { impulse, effort, notes })
    }
}

impl MultiLaw {
    /// An outcome from an impulse: `u⁺ = u⁻ + W p`, so that momentum balances by construction.
    fn outcome(
        &self,
        problem: &ContactProblem,
        answer: IslandAnswer,
    ) -> Result<ProblemOutcome, ImpactError> {
        let velocity = problem.velocity_after(&answer.impulse);
        if !answer.impulse.iter().chain(&velocity).all(|x| x.is_finite()) {
            let reason = "impulse or velocity is larger than any number".into();
            return Err(ImpactError::NoSolution { law: self.id(), reason });
        }
        let mut notes = answer.notes;
        let normals = (0..problem.len()).map(|k| problem.velocity()[problem.row_range(k).start]);
        if answer.impulse.iter().all(|p| *p == 0.0) && normals.clone().all(|u| u > 0.0) {
            notes.insert(Note::Separating);
        }
        if !self.row().friction && problem.summary().friction {
            notes.insert(Note::FrictionIgnored);
        }
        if let ProblemEffort::Several(effort) = answer.effort
            && !effort.impulse_smallest
        {
            notes.remove(Note::ImpulseNotUnique);
            notes.insert(Note::ImpulseNotSmallest);
        }
        Ok(ProblemOutcome { impulse: answer.impulse, velocity, effort: answer.effort, notes })
    }

    fn check_applicable(&self, problem: &ContactProblem) -> Result<(), ImpactError> {
        let row = self.row();
        if problem.summary().largest_e <= row.max_e {
            return Ok(());
        }
        for (k, contact) in problem.contacts().iter().enumerate() {
            let approach = (-problem.velocity()[problem.row_range(k).start]).max(0.0);
            let e = contact.material.restitution.at(approach);
            if e > row.max_e {
                let reason =
                    format!("law `{}` takes restitution between 0 and {}", row.id, row.max_e);
                return Err(ImpactError::bad_problem(format!("contacts[{k}].e"), e, reason));
            }
        }
        Ok(())
    }
}

/// Steps of an island's law, its contacts renumbered to those of the problem.
struct Mapped<'a> {
    contacts: &'a [usize],
    watch: &'a mut dyn Watch,
}

impl Watch for Mapped<'_> {
    fn traces(&self) -> bool {
        self.watch.traces()
    }
    fn step(&mut self, step: MultiStep<'_>) {
        let map = |list: &[usize]| list.iter().map(|&k| self.contacts[k]).collect::<Vec<_>>();
        match step {
            MultiStep::Collision { contact, impulse } => {
                let contact = self.contacts[contact];
                self.watch.step(MultiStep::Collision { contact, impulse });
            }
            MultiStep::Round { fresh, unfinished, ahead } => {
                let (fresh, unfinished, ahead) = (map(fresh), map(unfinished), map(ahead));
                self.watch.step(MultiStep::Round {
                    fresh: &fresh,
                    unfinished: &unfinished,
                    ahead: &ahead,
                });
            }
            MultiStep::Reflection { contacts } => {
                let contacts = map(contacts);
                self.watch.step(MultiStep::Reflection { contacts: &contacts });
            }
            MultiStep::Phases { compressing, expanding } => {
                let (compressing, expanding) = (map(compressing), map(expanding));
                self.watch
                    .step(MultiStep::Phases { compressing: &compressing, expanding: &expanding });
            }
            MultiStep::Interval { contacts, modes, step, limit, impulse, velocity } => {
                let contacts = &map(contacts);
                self.watch.step(MultiStep::Interval {
                    contacts,
                    modes,
                    step,
                    limit,
                    impulse,
                    velocity,
                });
            }
            other => self.watch.step(other),
        }
    }
    fn progress(&mut self, progress: Progress) -> ControlFlow<()> {
        self.watch.progress(progress)
    }
}

/// The error of an island, its contacts numbered as in the problem.
fn renumbered(error: ImpactError, contacts: &[usize]) -> ImpactError {
    let ImpactError::BadProblem { field, value, reason } = error else {
        return error;
    };
    let index = field
        .strip_prefix("contacts[")
        .and_then(|rest| rest.split_once(']'))
        .and_then(|(k, rest)| Some((contacts.get(k.parse::<usize>().ok()?)?, rest.to_owned())));
    let field = match index {
        Some((k, rest)) => format!("contacts[{k}]{rest}"),
        None => field,
    };
    ImpactError::BadProblem { field, value, reason }
}
