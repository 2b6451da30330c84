//! Tolerances and limits of the integration; lengths, speeds and times in the units of the model.

/// The error that one step may make in velocities, relative to the largest, and in indentations, relative to what each
/// contact reaches at that speed. Steps are some tens, and what they leave adds up to about a hundred times this \[1\].
pub(super) const STEP_ERROR: f64 = 1e-13;
/// An event is met when its distance is below this, relative as above \[1\].
pub(super) const EVENT_MET: f64 = 1e-13;
/// A step in which a contact goes this far beyond an event and comes back is halved: two events would be missed. Less
/// changes the outcome by less than the steps' own errors \[1\].
pub(super) const OVERSHOOT: f64 = 1e-7;
/// Resting contacts are followed without their own neighbours until they push by this much \[1\].
pub(super) const PRESSED: f64 = 1e-13;
/// The part of an impulse that counts for as much as unit speed: steps cannot be more exact than to a dozen roundings of
/// the forces in them \[1\].
pub(super) const ROUNDING: f64 = 12.0 * f64::EPSILON / STEP_ERROR;
/// A coefficient below this is raised to it: its expansion would be too fast to follow \[1\].
pub(super) const MIN_E: f64 = 1e-8;
/// A step below this fails: something is not smooth where it should be \[1\].
pub(super) const MIN_STEP: f64 = 1e-18;
/// An impact is over when its end cannot be further away than this, in the norm of kinetic energy, relative to that of one
/// contact at the largest speed: about what steps leave; later, what contacts may keep that press against each other \[1\].
pub(super) const NEGLIGIBLE: [f64; 2] = [1e-11, 1e-9];
/// Steps before the first check for that, repeated each time they have doubled; and before the second bound holds \[1\].
pub(super) const CHECKS: [u64; 2] = [1 << 10, 1 << 14];
/// Steps allowed for each contact, besides those for all \[1\].
pub(super) const STEPS_PER_CONTACT: u64 = 1_000;
/// Work allowed for each step: steps tried, times the contacts that move \[1\].
pub(super) const WORK_PER_STEP: u64 = 300;
/// Work between reports of progress \[1\].
pub(super) const REPORT: u64 = 1 << 14;
/// A reference state is replaced after its contact has closed this many times \[1\].
pub(super) const MAX_CLOSURES: u32 = 16;
