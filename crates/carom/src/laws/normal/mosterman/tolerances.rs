//! Tolerances and limits of the sequence.

/// Rounds of steps shrink clearly below this part: then all slow changes of their shape have shown \[1\].
pub(super) const SHRUNK: f64 = 0.9;
/// Velocities decay uniformly if what they lose differs by less than this factor \[1\].
pub(super) const UNIFORM: f64 = 2.0;
/// An approach at the end faster than this part of the start is not rounding of impulses \[1\].
pub(super) const UNPARTED: f64 = 1e-3;
/// Steps that are always allowed, and how many more per contact \[1\].
pub(super) const MAX_STEPS: [u64; 2] = [100_000, 100];
/// Contacts without an impulse in this many steps, or so many per contact, are taken to be out of the sequence \[1\].
pub(super) const WINDOW: [u64; 2] = [60, 8];
/// The longest round that is searched for, in steps \[1\].
pub(super) const MAX_PERIOD: usize = 32;
/// How many times a round must have occurred \[1\].
pub(super) const REPETITIONS: usize = 3;
/// Rounds are doubled at most this often \[1\].
pub(super) const MAX_DOUBLINGS: u32 = 40;
/// How often a sequence goes on with what rounding left of an approach \[1\].
pub(super) const MAX_REFRESHES: u32 = 4;
/// Work between reports of progress: rows read, and the cube of those that are solved together \[1\].
pub(super) const REPORT: u64 = 1 << 20;
