//! Whether a sequence will end within its limit of collisions.

use super::projection::Projection;
use super::tolerances::{FIRST_FORECAST, STEADY};

/// The rate at which a sequence comes nearer to its end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Forecast {
    next: u64,
    /// The last two distances [√J].
    before: [f64; 2],
}

impl Forecast {
    pub(crate) fn new() -> Self {
        Self { next: FIRST_FORECAST, before: [0.0; 2] }
    }

    pub(crate) fn is_due(&self, collisions: u64) -> bool {
        collisions == self.next
    }

    /// Whether the sequence at its present rate exceeds its limit of collisions before it comes near its end, as where a
    /// light body stops a much heavier one.
    pub(crate) fn exceeds_limit(&mut self, projection: &Projection, limit: u64) -> bool {
        let half = self.next / 2;
        let [older, old] = self.before;
        let now = projection.distance;
        self.before = [old, now];
        self.next *= 2;
        if !(older > old && old > now && now > projection.goal()) {
            return false;
        }
        let (first, second) = (libm::log(older / old), libm::log(old / now));
        let steady = (second - 2.0 * first).abs() <= STEADY * second;
        let left = half as f64 * libm::log(now / projection.goal()) / second;
        steady && 2.0 * half as f64 + left > limit as f64
    }
}
