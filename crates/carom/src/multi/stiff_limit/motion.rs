//! How fast the motion may be followed from here, by which method, and whether some slip ends.

use super::friction::LEAVING;
use super::rows::length;
use super::run::Run;
use super::step::Method;
use crate::multi::solve::dot;

/// Slip below this that ends is ended: what is left of it goes straight to zero \[1\].
const STOPPED: f64 = 1e-9;
/// The same where it already goes straight: up to this slip and time, its direction being off by no more \[1\].
const STRAIGHT: f64 = 1e-6;
/// Slip below this part of that with which it began, or with which any begins, is rounding: others hold it \[1\].
const LOST: f64 = 1e-4;
/// Contacts of a body that pivots stop together: those slower than this that stop within this time are stopped with the
/// first \[1\].
const TOGETHER: f64 = 1e-7;
/// Where points of a body are given with few digits their slips end not quite together: up to this is left of them, but
/// no more than the second part of what they were \[1\].
const LEFT_OVER: [f64; 2] = [3e-8, 0.05];
/// No stop takes longer: the rest of the motion is not straight any more \[1\].
const LONGEST_STOP: f64 = 1e-5;
/// Slower than this, a step ends before the second part of the time that slip has left \[1\].
const SLOW: f64 = 0.01;
const BEFORE_STOP: f64 = 0.9;
/// Errors are no larger than this part of the smallest slip, whose direction would else be lost; but that counts for no
/// less than the second \[1\].
const OF_SLIP: f64 = 0.1;
const LEAST_TOLERANCE: f64 = 1e-18;
/// Slip is stiff if its direction follows this many times faster than time passes, and than its size changes; and is no
/// more below the second \[1\].
const STIFF: [[f64; 2]; 2] = [[300.0, 30.0], [60.0, 8.0]];

/// What the next step has to mind.
pub(super) struct Motion {
    pub(super) method: Method,
    /// The error allowed \[1\].
    pub(super) tolerance: f64,
    /// No step is longer.
    pub(super) longest: f64,
    /// A grip whose slip ends, and when.
    pub(super) stops: Option<(usize, f64)>,
}

impl Run {
    /// Slip that has just begun and has found its direction is slip as any other, whatever happens at the end of the same
    /// step.
    pub(super) fn find_directions(&mut self) {
        let Self { field, leaving, .. } = self;
        for (leaving, v) in leaving.iter_mut().zip(&field.v) {
            if length(*v) >= STOPPED {
                *leaving = 0.0;
            }
        }
    }

    /// What the next step has to mind, from where the field was last looked at.
    pub(super) fn measure(&self) -> Motion {
        let field = &self.field;
        let mut motion = Motion {
            method: Method::Explicit,
            tolerance: self.tolerance,
            longest: f64::INFINITY,
            stops: None,
        };
        if field.smoothing > 0.0 {
            motion.method = Method::Stiff;
            motion.tolerance = motion.tolerance.min(OF_SLIP * field.smoothing);
            return motion;
        }
        let stiff = STIFF[usize::from(self.stepper.method == Method::Stiff)];
        for (g, grip) in field.model.grips.iter().enumerate() {
            let force = field.force[grip.contact];
            if grip.tangents < 2 || !field.slides(g) || force <= 0.0 {
                continue;
            }
            let (speed, change, straight) = self.slip_and_change(g);
            let strength = grip.mu * force * grip.response;
            if strength > stiff[0] * speed && strength > stiff[1] * change.abs() {
                motion.method = Method::Stiff;
            }
            motion.tolerance = motion.tolerance.min(OF_SLIP * speed);
            let least = if self.leaving[g] > 0.0 { LOST * self.leaving[g] } else { LOST * LEAVING };
            if speed < least {
                motion.stops = Some((g, 0.0));
            } else if change < 0.0 {
                let left = -speed / change;
                if speed < SLOW {
                    motion.longest = motion.longest.min(BEFORE_STOP * left);
                }
                // Slip that has just begun finds its direction first.
                let begun = self.leaving[g] == 0.0;
                let stopped = if begun { STOPPED } else { OF_SLIP * self.leaving[g] };
                let straight = straight && begun;
                let ends = speed < stopped || (straight && speed < STRAIGHT && left < STRAIGHT);
                // What would take long to stop is too slow to matter.
                let left = if left < LONGEST_STOP { left } else { 0.0 };
                if ends && motion.stops.is_none_or(|(_, first)| left < first) {
                    motion.stops = Some((g, left));
                }
            }
        }
        motion.tolerance = motion.tolerance.max(LEAST_TOLERANCE);
        motion
    }

    /// The size of a slip, its rate, and whether its direction stays the same.
    fn slip_and_change(&self, g: usize) -> (f64, f64, bool) {
        let field = &self.field;
        let v = field.v[g];
        let a = [0, 1].map(|c| dot(field.model.tangent(g, c), &field.acceleration));
        let speed = length(v);
        let across = v[0] * a[1] - v[1] * a[0];
        let straight = across.abs() <= STRAIGHT * speed * length(a);
        (speed, if speed > 0.0 { dot(&v, &a) / speed } else { 0.0 }, straight)
    }

    /// Whether a grip is at rest after some short time, or has hardly begun to move: it then decides together with the
    /// one that stops.
    pub(super) fn stops_too(&self, g: usize, left: f64) -> bool {
        let field = &self.field;
        if !field.slides(g) {
            return false;
        }
        let v = field.v[g];
        let after =
            [0, 1].map(|c| v[c] + left * dot(field.model.tangent(g, c), &field.acceleration));
        let (speed, change, _) = self.slip_and_change(g);
        let rest = length(after);
        if self.leaving[g] > 0.0 || rest < STOPPED.max(LEFT_OVER[0].min(LEFT_OVER[1] * speed)) {
            return true;
        }
        speed < TOGETHER && speed <= -change * TOGETHER
    }
}
