//! What a law for several contacts reports besides its answer.

use super::rounds::{ContactMode, StepLimit};
use std::ops::ControlFlow;

/// How a law for several contacts came to its end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ending {
    /// Its equations were solved.
    #[default]
    Direct,
    /// A sequence of events ended by itself.
    Finite,
    /// An endless sequence was ended by projecting on its limit.
    Projected,
    /// A sequence was followed until what is left is below the tolerance.
    Tolerance,
    /// A sequence was cut off at its limit of events.
    Truncated,
}

impl Ending {
    /// The ending's name in answers.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Direct => "direct",
            Self::Finite => "finite",
            Self::Projected => "projected",
            Self::Tolerance => "tolerance",
            Self::Truncated => "truncated",
        }
    }
}

/// The work that a law for several contacts did.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MultiEffort {
    /// Iterations of the solver, or steps of the law \[1\].
    pub iterations: u64,
    /// Collisions of a sequence \[1\].
    pub collisions: u64,
    /// How many times contacts tied for the next collision \[1\].
    pub ties: u64,
    /// How far the end of an endless sequence may be from what is given: a proven bound for a projection, an observed
    /// one for a tolerance; zero for all that end by themselves [m/s, in the kinetic-energy norm √J for a projection].
    pub truncation: f64,
    /// How it came to its end.
    pub ending: Ending,
    /// Whether another impulse gives the same velocities; absent where nobody looked.
    pub impulse_unique: Option<bool>,
    /// Whether the law's equations leave one velocity only; absent where nobody knows.
    pub velocity_unique: Option<bool>,
    /// Whether the impulse is the smallest of those that give the same velocities; false where rounding kept that one
    /// from being found, and another that is as valid stands in for it.
    pub impulse_smallest: bool,
    /// How well the law's own equations are fulfilled, relative to the largest approach speed \[1\].
    pub residual: f64,
}

impl Default for MultiEffort {
    fn default() -> Self {
        Self {
            iterations: 0,
            collisions: 0,
            ties: 0,
            truncation: 0.0,
            ending: Ending::Direct,
            impulse_unique: None,
            velocity_unique: None,
            impulse_smallest: true,
            residual: 0.0,
        }
    }
}

impl MultiEffort {
    /// The work on two islands together.
    pub fn and(self, other: Self) -> Self {
        let both = |one: Option<bool>, other: Option<bool>| match (one, other) {
            (Some(a), Some(b)) => Some(a && b),
            (Some(false), None) | (None, Some(false)) => Some(false),
            _ => None,
        };
        Self {
            iterations: self.iterations + other.iterations,
            collisions: self.collisions + other.collisions,
            ties: self.ties + other.ties,
            truncation: self.truncation.max(other.truncation),
            ending: if other.ending as u8 > self.ending as u8 { other.ending } else { self.ending },
            impulse_unique: both(self.impulse_unique, other.impulse_unique),
            velocity_unique: both(self.velocity_unique, other.velocity_unique),
            impulse_smallest: self.impulse_smallest && other.impulse_smallest,
            residual: self.residual.max(other.residual),
        }
    }
}

/// One step on the way of a law for several contacts. Contacts are numbered as in the problem.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MultiStep<'a> {
    /// One contact collides.
    Collision {
        /// Which.
        contact: usize,
        /// With which impulse, normal first [N·s].
        impulse: &'a [f64],
    },
    /// One joint takes an impulse, being treated as an impact.
    Joint {
        /// Which.
        joint: usize,
    },
    /// Several contacts collide at once, some of them in anticipation.
    Round {
        /// Contacts that collide anew.
        fresh: &'a [usize],
        /// Contacts that finish a collision begun in anticipation.
        unfinished: &'a [usize],
        /// Contacts that collide in anticipation.
        ahead: &'a [usize],
    },
    /// Several contacts reflect at once.
    Reflection {
        /// Which.
        contacts: &'a [usize],
    },
    /// A round begins in which some contacts are compressed while others expand.
    Phases {
        /// Contacts that are compressed.
        compressing: &'a [usize],
        /// Contacts that give back what they took.
        expanding: &'a [usize],
    },
    /// A part of such a round, over which friction keeps its direction.
    Interval {
        /// The contacts that took part.
        contacts: &'a [usize],
        /// What each of them did.
        modes: &'a [ContactMode],
        /// Which part of what was left of the round it covered \[1\].
        step: f64,
        /// What limited it.
        limit: StepLimit,
        /// Its impulse, three numbers per contact, normal first, absent tangents zero [N·s].
        impulse: &'a [f64],
        /// The velocities after it, in the same order [m/s].
        velocity: &'a [f64],
    },
    /// A point on a continuous path.
    Point {
        /// Impulses so far, one per contact of the island [N·s].
        impulse: &'a [f64],
        /// Normal velocities, one per contact of the island [m/s].
        velocity: &'a [f64],
    },
}

/// How far long work has come.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// What is being done.
    pub what: &'static str,
    /// How much of it is done \[1\].
    pub done: u64,
    /// How much there is, if that is known \[1\].
    pub of: Option<u64>,
}

/// Somebody who looks on while a law works.
pub trait Watch {
    /// Whether steps are wanted. A law may skip what nobody wants.
    fn traces(&self) -> bool {
        false
    }
    /// A step was made.
    fn step(&mut self, _step: MultiStep<'_>) {}
    /// Asked every few milliseconds of long work; `Break` ends it with an error.
    fn progress(&mut self, _progress: Progress) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// Nobody looks on.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoWatch;

impl Watch for NoWatch {}

/// A [`MultiStep`] to keep.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs, reason = "the fields are those of MultiStep")]
pub enum StepRecord {
    Collision {
        contact: usize,
        impulse: Vec<f64>,
    },
    Joint {
        joint: usize,
    },
    Round {
        fresh: Vec<usize>,
        unfinished: Vec<usize>,
        ahead: Vec<usize>,
    },
    Reflection {
        contacts: Vec<usize>,
    },
    Phases {
        compressing: Vec<usize>,
        expanding: Vec<usize>,
    },
    Interval {
        contacts: Vec<usize>,
        modes: Vec<ContactMode>,
        step: f64,
        limit: StepLimit,
        impulse: Vec<f64>,
        velocity: Vec<f64>,
    },
    Point {
        impulse: Vec<f64>,
        velocity: Vec<f64>,
    },
}

impl From<MultiStep<'_>> for StepRecord {
    fn from(step: MultiStep<'_>) -> Self {
        match step {
            MultiStep::Collision { contact, impulse } => {
                Self::Collision { contact, impulse: impulse.to_vec() }
            }
            MultiStep::Joint { joint } => Self::Joint { joint },
            MultiStep::Round { fresh, unfinished, ahead } => Self::Round {
                fresh: fresh.to_vec(),
                unfinished: unfinished.to_vec(),
                ahead: ahead.to_vec(),
            },
            MultiStep::Reflection { contacts } => Self::Reflection { contacts: contacts.to_vec() },
            MultiStep::Phases { compressing, expanding } => {
                Self::Phases { compressing: compressing.to_vec(), expanding: expanding.to_vec() }
            }
            MultiStep::Interval { contacts, modes, step, limit, impulse, velocity } => {
                Self::Interval {
                    contacts: contacts.to_vec(),
                    modes: modes.to_vec(),
                    step,
                    limit,
                    impulse: impulse.to_vec(),
                    velocity: velocity.to_vec(),
                }
            }
            MultiStep::Point { impulse, velocity } => {
                Self::Point { impulse: impulse.to_vec(), velocity: velocity.to_vec() }
            }
        }
    }
}

/// Keeps the first steps of a law, up to a limit.
#[derive(Clone, Debug, PartialEq)]
pub struct StepRecorder {
    /// The steps, in order.
    pub steps: Vec<StepRecord>,
    /// How many steps there were, kept or not \[1\].
    pub seen: u64,
    limit: usize,
}

impl StepRecorder {
    /// A recorder that keeps at most `limit` steps.
    pub fn new(limit: usize) -> Self {
        Self { steps: Vec::new(), seen: 0, limit }
    }
}

impl Watch for StepRecorder {
    fn traces(&self) -> bool {
        true
    }
    fn step(&mut self, step: MultiStep<'_>) {
        self.seen += 1;
        if self.steps.len() < self.limit {
            self.steps.push(step.into());
        }
    }
}
