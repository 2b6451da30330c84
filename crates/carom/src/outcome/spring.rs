//! What a law that follows springs through an impact reports besides its answer.

use super::both;

/// The work of a law that follows springs from event to event.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct SpringEffort {
    /// Steps of the integration \[1\].
    pub steps: u64,
    /// Those of them made by the implicit method \[1\].
    pub stiff_steps: u64,
    /// Steps that were tried and not kept \[1\].
    pub rejected: u64,
    /// Events: contacts that close, turn, open, stop or begin to slide \[1\].
    pub events: u64,
    /// Stretches in which events followed each other too fast: friction was smoothed, small jumps were made larger, or, as
    /// the notes then say, what was left was stopped \[1\].
    pub smoothed: u64,
    /// Contacts that closed again after none had pressed for longer than the impact had lasted \[1\].
    pub late: u64,
    /// Whether another impulse gives the same velocities.
    pub impulse_unique: Option<bool>,
}

impl SpringEffort {
    /// The work on two islands together.
    pub(crate) fn and(self, other: Self) -> Self {
        Self {
            steps: self.steps + other.steps,
            stiff_steps: self.stiff_steps + other.stiff_steps,
            rejected: self.rejected + other.rejected,
            events: self.events + other.events,
            smoothed: self.smoothed + other.smoothed,
            late: self.late + other.late,
            impulse_unique: both(self.impulse_unique, other.impulse_unique),
        }
    }
}
