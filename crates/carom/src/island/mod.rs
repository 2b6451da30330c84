//! Contacts that influence each other, as laws for several contacts see them: bilateral rows folded in, normal rows alone,
//! contacts that separate left out until the others close them, and the way back to the problem.

pub(crate) mod complementarity;
pub(crate) mod energy;
pub(crate) mod feasibility;
mod fold;
pub(crate) mod links;
pub(crate) mod normal;
pub(crate) mod participation;
pub(crate) mod row_factor;
pub(crate) mod self_stress;
pub(crate) mod simultaneous;
pub(crate) mod stepping;
pub(crate) mod unilateral;

use crate::outcome::{Effort, Notes, Observer, Progress, Step};
use crate::{ImpactError, Tolerances};
use std::ops::ControlFlow;

/// A law's answer to one island.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct IslandAnswer {
    /// One number per row [N·s].
    pub(crate) impulse: Vec<f64>,
    pub(crate) effort: Effort,
    pub(crate) notes: Notes,
}

/// What a law is given along with an island.
pub(crate) struct Context<'a> {
    /// The law's id, for errors.
    pub(crate) law: &'static str,
    pub(crate) tolerances: &'a Tolerances,
    pub(crate) observer: &'a mut dyn Observer,
}

impl Context<'_> {
    /// Says how far the work has come, and fails if it is to stop.
    pub(crate) fn progress(
        &mut self,
        what: &'static str,
        done: u64,
        of: Option<u64>,
    ) -> Result<(), ImpactError> {
        match self.observer.progress(Progress { what, done, of }) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(Self::interrupted(what, done)),
        }
    }

    fn interrupted(what: &'static str, done: u64) -> ImpactError {
        ImpactError::Limit(format!("interrupted after {done} {what}"))
    }

    pub(crate) fn no_solution(&self, reason: impl Into<String>) -> ImpactError {
        ImpactError::NoSolution { law: self.law, reason: reason.into() }
    }
}

/// Steps of an island's law, its contacts renumbered to those of the problem.
pub(crate) struct Mapped<'a> {
    pub(crate) contacts: &'a [usize],
    pub(crate) observer: &'a mut dyn Observer,
}

impl Observer for Mapped<'_> {
    fn wants_steps(&self) -> bool {
        self.observer.wants_steps()
    }
    fn step(&mut self, step: Step<'_>) {
        let map = |list: &[usize]| list.iter().map(|&k| self.contacts[k]).collect::<Vec<_>>();
        match step {
            Step::Collision { contact, impulse } => {
                self.observer.step(Step::Collision { contact: self.contacts[contact], impulse });
            }
            Step::Round { fresh, unfinished, ahead } => self.observer.step(Step::Round {
                fresh: &map(fresh),
                unfinished: &map(unfinished),
                ahead: &map(ahead),
            }),
            Step::Reflection { contacts } => {
                self.observer.step(Step::Reflection { contacts: &map(contacts) });
            }
            Step::Phases { compressing, expanding } => self
                .observer
                .step(Step::Phases { compressing: &map(compressing), expanding: &map(expanding) }),
            Step::Interval { contacts, modes, step, limit, impulse, velocity } => {
                let contacts = &map(contacts);
                self.observer.step(Step::Interval {
                    contacts,
                    modes,
                    step,
                    limit,
                    impulse,
                    velocity,
                });
            }
            other => self.observer.step(other),
        }
    }
    fn progress(&mut self, progress: Progress) -> ControlFlow<()> {
        self.observer.progress(progress)
    }
}
