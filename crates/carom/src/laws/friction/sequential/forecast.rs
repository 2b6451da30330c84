//! Whether a sequence will end within its limit of collisions.

use super::projection::Projection;

/// The first look, after so many collisions; every other one after twice as many as the last.
const FIRST_LOOK: u64 = 1 << 18;

/// The distance to the velocities without approach falls at a steady rate if over twice as many collisions it falls by a
/// factor whose logarithm is twice as large, give or take this part \[1\].
const STEADY: f64 = 0.2;

/// What has been seen of a sequence.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Forecast {
    next: u64,
    /// Distances at the last two looks [√J].
    before: [f64; 2],
}

impl Forecast {
    pub(crate) fn new() -> Self {
        Self { next: FIRST_LOOK, before: [0.0; 2] }
    }

    /// Whether it is time for a look.
    pub(crate) fn is_due(&self, collisions: u64) -> bool {
        collisions == self.next
    }

    /// Whether the sequence, if it goes on as it did, passes its limit before it comes near its end: then following it
    /// on is in vain. A heavy body that is stopped by a light one, for instance, is stopped by as many collisions as it
    /// is heavier.
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
