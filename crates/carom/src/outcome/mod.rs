//! Stage 3: what a law answers.

mod compliant;
mod notes;
mod rounds;
mod several;
mod trace;

pub use compliant::CompliantEffort;
pub use notes::{Note, Notes};
pub use rounds::{ContactMode, Remedies, RoundsEffort, StepLimit};
pub use several::{
    Ending, MultiEffort, MultiStep, NoWatch, Progress, StepRecord, StepRecorder, Watch,
};
pub use trace::{NoTrace, PathTotals, Recorder, TraceEvent, TracePoint, TraceSink};

use crate::contact::{Contact, ContactVec};

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
pub struct Effort {
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
    pub effort: Effort,
    /// What the reader should know besides.
    pub notes: Notes,
}

impl<const D: usize> Outcome<D> {
    /// The outcome of an impulse: `u⁺ = u⁻ + W p`, so that momentum balances by construction.
    pub fn from_impulse(contact: &Contact<D>, impulse: ContactVec<D>) -> Self {
        Self {
            impulse,
            velocity: contact.velocity_after(&impulse),
            effort: Effort { solutions: 1, ..Effort::default() },
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

/// The answer to a [`crate::ContactProblem`]: contact by contact, normal first.
#[derive(Clone, Debug, PartialEq)]
pub struct ProblemOutcome {
    /// `p` [N·s].
    pub impulse: Vec<f64>,
    /// `u⁺` [m/s].
    pub velocity: Vec<f64>,
    /// The work done and the branch taken.
    pub effort: ProblemEffort,
    /// What the reader should know besides.
    pub notes: Notes,
}

/// The work that a law did on a problem.
#[derive(Clone, Debug, PartialEq)]
pub enum ProblemEffort {
    /// Of a single-contact law.
    Single(Effort),
    /// Of a law for several contacts.
    Several(MultiEffort),
    /// Of a law for several contacts that goes by rounds.
    Rounds(RoundsEffort),
    /// Of a law for several contacts that follows springs.
    Compliant(CompliantEffort),
}

impl From<MultiEffort> for ProblemEffort {
    fn from(effort: MultiEffort) -> Self {
        Self::Several(effort)
    }
}

impl ProblemEffort {
    /// The work on two islands together, done by one law.
    pub(crate) fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Several(a), Self::Several(b)) => Self::Several(a.and(b)),
            (Self::Rounds(a), Self::Rounds(b)) => Self::Rounds(a.and(b)),
            (Self::Compliant(a), Self::Compliant(b)) => Self::Compliant(a.and(b)),
            (first, _) => first,
        }
    }
}

impl<const D: usize> From<Outcome<D>> for ProblemOutcome {
    fn from(outcome: Outcome<D>) -> Self {
        Self {
            impulse: outcome.impulse.as_slice().to_vec(),
            velocity: outcome.velocity.as_slice().to_vec(),
            effort: ProblemEffort::Single(outcome.effort),
            notes: outcome.notes,
        }
    }
}
