//! Stage 3: what a law answers.

mod notes;
mod observer;
mod rounds;
mod solver;
mod spring;
mod step;
mod trace;

pub use notes::{Note, Notes};
pub use observer::{Observer, Progress, Recorder, Unobserved};
pub use rounds::{ContactMode, Remedies, RoundsEffort, StepLimit};
pub use solver::{Ending, SolverEffort};
pub use spring::SpringEffort;
pub use step::{Step, StepRecord};
pub use trace::{PathTotals, TraceEvent, TracePoint};

use crate::ImpactError;
use crate::contact::{Contact, ContactProblem, ContactVec};

/// How the contact ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FinalMode {
    /// The contact was not loaded.
    #[default]
    Untouched,
    /// No friction acted.
    Frictionless,
    /// It slid, its direction still turning.
    Slip,
    /// It slid along a direction of constant sliding.
    Ray,
    /// It stuck.
    Stick,
    /// It had stopped, could not stick, and left along the diverging ray.
    Diverge,
}

impl FinalMode {
    /// The mode's name in answers.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Untouched => "untouched",
            Self::Frictionless => "frictionless",
            Self::Slip => "slip",
            Self::Ray => "ray",
            Self::Stick => "stick",
            Self::Diverge => "diverge",
        }
    }
}

/// The work a law did and the branch it took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ContactEffort {
    /// Steps of the integration or iterations of the solver \[1\].
    pub steps: u32,
    /// How many times the contact compressed \[1\].
    pub compressions: u32,
    /// How the contact ended.
    pub final_mode: FinalMode,
    /// How many solutions the law's equations have; the smallest normal impulse is the one returned \[1\].
    pub solutions: u32,
}

/// The answer of a single-contact law.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outcome<const D: usize> {
    /// `p`, the impulse on body B [N·s].
    pub impulse: ContactVec<D>,
    /// `u⁺`, the velocity after the impact [m/s].
    pub velocity: ContactVec<D>,
    /// The work done and the branch taken.
    pub effort: ContactEffort,
    /// What the reader should know besides.
    pub notes: Notes,
}

impl<const D: usize> Outcome<D> {
    /// The outcome of an impulse: `u⁺ = u⁻ + W p`, so that momentum balances by construction.
    pub fn from_impulse(contact: &Contact<D>, impulse: ContactVec<D>) -> Self {
        Self {
            impulse,
            velocity: contact.velocity_after(&impulse),
            effort: ContactEffort { solutions: 1, ..ContactEffort::default() },
            notes: Notes::NONE,
        }
    }

    /// The outcome of a contact that is not loaded.
    pub fn untouched(contact: &Contact<D>) -> Self {
        let mut outcome = Self::from_impulse(contact, ContactVec::ZERO);
        if contact.velocity().normal() > 0.0 {
            outcome.notes.insert(Note::Separating);
        }
        outcome
    }
}

/// The answer to a [`ContactProblem`]: contact by contact, normal first.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ProblemOutcome {
    /// `p` [N·s].
    pub impulse: Vec<f64>,
    /// `u⁺` [m/s].
    pub velocity: Vec<f64>,
    /// The work done and the branch taken.
    pub effort: Effort,
    /// What the reader should know besides.
    pub notes: Notes,
}

impl ProblemOutcome {
    /// The outcome of an impulse (R numbers, contact by contact, normal first [N·s]): `u⁺ = u⁻ + W p`, so that momentum
    /// balances by construction.
    pub fn from_impulse(problem: &ContactProblem, impulse: Vec<f64>) -> Result<Self, ImpactError> {
        if impulse.len() != problem.rows() {
            let (got, wanted) = (impulse.len(), problem.rows());
            let reason = format!("must be {wanted} numbers: one per row of the problem");
            return Err(ImpactError::bad_problem("impulse", format!("{got} numbers"), reason));
        }
        let velocity = problem.velocity_after(&impulse);
        let effort = Effort::Solver(SolverEffort::default());
        Ok(Self { impulse, velocity, effort, notes: Notes::NONE })
    }
}

/// The work that a law did on a problem, in the terms of its method.
#[derive(Clone, Debug, PartialEq)]
pub enum Effort {
    /// One contact.
    Contact(ContactEffort),
    /// Equations, or a sequence of collisions.
    Solver(SolverEffort),
    /// Rounds of intervals.
    Rounds(RoundsEffort),
    /// Springs, from event to event.
    Springs(SpringEffort),
}

impl From<SolverEffort> for Effort {
    fn from(effort: SolverEffort) -> Self {
        Self::Solver(effort)
    }
}

impl Effort {
    /// The work on two islands together, done by one law.
    pub(crate) fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Solver(a), Self::Solver(b)) => Self::Solver(a.and(b)),
            (Self::Rounds(a), Self::Rounds(b)) => Self::Rounds(a.and(b)),
            (Self::Springs(a), Self::Springs(b)) => Self::Springs(a.and(b)),
            (first, _) => first,
        }
    }
}

impl<const D: usize> From<Outcome<D>> for ProblemOutcome {
    fn from(outcome: Outcome<D>) -> Self {
        Self {
            impulse: outcome.impulse.as_slice().to_vec(),
            velocity: outcome.velocity.as_slice().to_vec(),
            effort: Effort::Contact(outcome.effort),
            notes: outcome.notes,
        }
    }
}

/// Whether something holds of two islands together, where it is known.
fn both(one: Option<bool>, other: Option<bool>) -> Option<bool> {
    match (one, other) {
        (Some(a), Some(b)) => Some(a && b),
        (Some(false), None) | (None, Some(false)) => Some(false),
        _ => None,
    }
}
