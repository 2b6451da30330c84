//! Every constant of the search, of events and of impacts. Lengths are relative to the extent of the group's bodies, speeds
//! to the fastest seen, times to the one over the other \[1\].

/// Distances beyond the way of a step that count as none: more than putting bodies back together moves them.
pub(crate) const CLEAR: f64 = 1e-6;
/// A gap that counts as closed.
pub(crate) const CLOSED: f64 = 1e-10;
/// How far below zero a gap counts as closed.
pub(crate) const SUNK: f64 = 1e-8;
/// Gaps whose minima are nearer to zero are not told apart.
pub(crate) const GRAZING: f64 = 1e-13;
/// Approaches, slips and motions slower than this are none.
pub(crate) const STILL: f64 = 1e-9;
/// How far outside its region a feature may touch.
pub(crate) const MARGIN: f64 = 1e-9;
/// Accelerations below this part of gravity are none.
pub(crate) const FLOATING: f64 = 1e-9;
/// How far ahead, along the pattern that an event ended, the next one is chosen.
pub(crate) const AHEAD: f64 = 1e-6;
/// Slip this fast has begun: its direction is its own, and its end is looked for.
pub(crate) const BEGUN: f64 = 3e-6;
/// Slip this slow ends in one straight step.
pub(crate) const ENDING: f64 = 3e-9;
/// The longest straight step.
pub(crate) const STRAIGHT: f64 = 1e-5;
/// How much of the time to the end of slip one step may take.
pub(crate) const SHARE_OF_SLIP: f64 = 0.8;
/// Impacts at one time, and decisions at nearly one time, before something gives way.
pub(crate) const IMPACTS_AT_ONCE: usize = 100;
pub(crate) const DECISIONS_AT_ONCE: u32 = 12;
/// How many times [`AHEAD`] may be passed over, where decisions at nearly one time begin again and again.
pub(crate) const LONGEST_DEAF: f64 = 64.0;
/// Impacts that lose less than this part of what normal impulses turn round, or of the speed, lose nothing.
pub(crate) const LOSSLESS: f64 = 1e-3;
/// The part of the promised accuracy that replacing the rest of an accumulation may take.
pub(crate) const CAPTURE: f64 = 0.1;
