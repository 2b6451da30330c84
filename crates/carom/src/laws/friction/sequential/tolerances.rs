//! Tolerances and limits of sequences of collisions.

/// A projection on the limit ends a sequence if it is this near, relative to the speed before, both in the kinetic
/// metric \[1\]. Further away a sequence may still end by itself: fifty equal balls at `e = 0.9` do after 2161 collisions,
/// and after 1176 they have not yet come together.
pub(super) const NEAR: f64 = 1e-11;
/// A limit this near is not refined any further \[1\].
pub(super) const CERTAIN: f64 = 1e-12;
/// A contact that separates by this many times what counts as zero does not come to rest at this limit \[1\].
pub(super) const APART: f64 = 1e3;
/// Projections are tried less and less often once speeds are below this part of the first \[1\].
pub(super) const SLOW: f64 = 1e-9;
/// A sequence whose last collision was this many times faster than what counts as zero is over: an endless one passes
/// through all speeds \[1\].
pub(super) const SUDDEN: f64 = 1e3;
/// What is left of an endless sequence followed until its speeds were below `x`: at most this many times `x`, in all 676
/// endless sequences with friction that were followed further \[1\].
pub(super) const REMAINDER: f64 = 12.0;
/// The distance to the velocities without approach falls at a steady rate if over twice as many collisions it falls by a
/// factor whose logarithm is twice as large, give or take this part \[1\].
pub(super) const STEADY: f64 = 0.2;

/// Collisions between reports of progress. Velocities are then computed anew from the impulses, which bounds the growth
/// of rounding errors.
pub(super) const REPORT: u64 = 1 << 16;
/// Collisions before the first forecast; each later one comes after twice as many.
pub(super) const FIRST_FORECAST: u64 = 1 << 18;
/// The bound on the distance to a limit is computed at most this many times while it is refined.
pub(super) const REFINEMENTS: u64 = 32;
/// More rows than this are projected only where they form a band.
pub(super) const DENSE_ROWS: usize = 300;
/// A band with more entries than this is not factored.
pub(super) const BAND_ENTRIES: usize = 1 << 20;
/// More contacts than this are not searched for opposed ones.
pub(super) const MAX_OPPOSED: usize = 200;

/// A collider without a collision in this many collisions is taken to be out of the sequence.
pub(super) fn window(colliders: usize) -> u64 {
    (8 * colliders as u64).max(60)
}

/// Collisions after which opposed contacts are searched for.
pub(super) fn search_after(colliders: usize) -> u64 {
    (1 << 14) + 64 * colliders as u64
}
