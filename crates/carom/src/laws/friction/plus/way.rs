//! The ways in which rounds can be carried to their ends.

use super::exact::flow::Flow;
use super::interval::{Aids, Intervals};
use super::journal::{Journal, Trouble};
use super::part::Part;
use super::rounds::Advance;

/// A way from the beginning of a round to its end.
pub(crate) enum Way {
    /// By intervals of finite length.
    Steps(Box<Intervals>),
    /// By the limit that ever shorter intervals have.
    Limit(Box<Flow>),
}

impl Way {
    /// Sets out on it with these remedies.
    pub(crate) fn set_out(&mut self, aids: Aids) {
        match self {
            Self::Steps(intervals) => intervals.set_out(aids),
            Self::Limit(flow) => flow.set_out(aids),
        }
    }
}

impl Advance for Way {
    fn round(&mut self, parts: &mut [Part], journal: &mut Journal) -> Result<u32, Trouble> {
        match self {
            Self::Steps(intervals) => intervals.round(parts, journal),
            Self::Limit(flow) => flow.round(parts, journal),
        }
    }

    fn owes(&self, e: f64, impulse: f64, work: f64) -> f64 {
        match self {
            Self::Steps(intervals) => intervals.owes(e, impulse, work),
            Self::Limit(flow) => flow.owes(e, impulse, work),
        }
    }
}
