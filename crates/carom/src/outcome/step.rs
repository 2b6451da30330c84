//! The steps of a law for several contacts.

use super::rounds::{ContactMode, StepLimit};

/// One step on the way of a law for several contacts. Contacts are numbered as in the problem.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Step<'a> {
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

/// A [`Step`] to keep.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs, reason = "the fields are those of Step")]
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

impl From<Step<'_>> for StepRecord {
    fn from(step: Step<'_>) -> Self {
        match step {
            Step::Collision { contact, impulse } => {
                Self::Collision { contact, impulse: impulse.to_vec() }
            }
            Step::Joint { joint } => Self::Joint { joint },
            Step::Round { fresh, unfinished, ahead } => Self::Round {
                fresh: fresh.to_vec(),
                unfinished: unfinished.to_vec(),
                ahead: ahead.to_vec(),
            },
            Step::Reflection { contacts } => Self::Reflection { contacts: contacts.to_vec() },
            Step::Phases { compressing, expanding } => {
                Self::Phases { compressing: compressing.to_vec(), expanding: expanding.to_vec() }
            }
            Step::Interval { contacts, modes, step, limit, impulse, velocity } => Self::Interval {
                contacts: contacts.to_vec(),
                modes: modes.to_vec(),
                step,
                limit,
                impulse: impulse.to_vec(),
                velocity: velocity.to_vec(),
            },
            Step::Point { impulse, velocity } => {
                Self::Point { impulse: impulse.to_vec(), velocity: velocity.to_vec() }
            }
        }
    }
}
