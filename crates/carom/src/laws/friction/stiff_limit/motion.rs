//! How fast the motion may be followed from here, by which method, and whether some slip ends.

use super::events::Event;
use super::field::Sliding;
use super::rows::length;
use super::run::Run;
use super::step::Method;
use super::tolerances as tol;
use crate::numerics::dot;

/// What the next step has to mind.
pub(crate) struct Motion {
    pub(crate) method: Method,
    /// The error allowed \[1\].
    pub(crate) tolerance: f64,
    /// No step is longer.
    pub(crate) longest: f64,
    /// A grip whose slip ends, and when.
    pub(crate) stops: Option<(usize, f64)>,
}

impl Run {
    /// Slip that has just begun and has found its direction is slip as any other, whatever happens at the end of the same
    /// step.
    pub(crate) fn find_directions(&mut self) {
        let Self { field, leaving, .. } = self;
        for (leaving, v) in leaving.iter_mut().zip(&field.v) {
            if length(*v) >= tol::STOPPED_SLIP {
                *leaving = 0.0;
            }
        }
    }

    /// Slip that ends and does not turn any more goes one way until it stops. Slips must have been measured. Answers a
    /// grip that ends soon and still turns, if all others go straight.
    pub(crate) fn head(&mut self) -> Option<usize> {
        if self.field.smoothing > 0.0 {
            return None;
        }
        let mut soonest = f64::INFINITY;
        // Who still turns and ends first, and when the next such ends.
        let (mut turns, mut turning, mut second) = (None, f64::INFINITY, f64::INFINITY);
        for g in 0..self.field.model.grips.len() {
            if self.field.model.grips[g].tangents < 2 || !self.field.slides(g) {
                continue;
            }
            let Sliding { speed, rate: change, turn, .. } = self.field.sliding[g];
            if change >= 0.0 {
                if self.field.heads[g] {
                    self.turn_free(g);
                }
                continue;
            }
            let left = -speed / change;
            soonest = soonest.min(left);
            let straight = self.leaving[g] == 0.0
                && speed < tol::SLIP_SHARE * self.strayed[g]
                && speed * turn < tol::SLIP_SHARE * self.tolerance;
            if !straight && !self.field.heads[g] {
                second = second.min(left.max(turning));
                if left < turning {
                    (turns, turning) = (Some(g).filter(|&g| self.leaving[g] == 0.0), left);
                }
            }
        }
        // Those of one body stop together, and one that still turns would hold the others up.
        if tol::GROUP_STOP * soonest >= turning {
            let soon = soonest == turning && turning < self.ending();
            return turns.filter(|_| soon && tol::GROUP_STOP * turning < second);
        }
        for g in 0..self.field.model.grips.len() {
            if self.field.heads[g] || !self.field.slides(g) {
                continue;
            }
            let Sliding { speed, rate: change, .. } = self.field.sliding[g];
            if change < 0.0 && -speed / change < turning.min(tol::STRAIGHT_HORIZON) {
                self.field.heads[g] = true;
                self.field.heading[g] = self.field.v[g].map(|v| v / speed);
                self.events.push(Event::Stop(g));
            }
        }
        None
    }

    /// In this time what a step of second order neglects is less than a step may be off.
    pub(crate) fn ending(&self) -> f64 {
        libm::cbrt(self.tolerance)
    }

    /// Slip that was thought to go one way turns as it likes.
    fn turn_free(&mut self, g: usize) {
        self.field.heads[g] = false;
        self.strayed[g] = length(self.field.v[g]);
        self.events.retain(|event| *event != Event::Stop(g));
    }

    /// Whether slip that was thought to go one way did not on the last step; it then turns as it likes from where that
    /// began.
    pub(crate) fn strays(&mut self) -> bool {
        let mut strays = false;
        for g in 0..self.field.model.grips.len() {
            let ([a, b], [x, y]) = (self.field.v[g], self.field.heading[g]);
            let goes = self.field.slides(g) && self.field.heads[g] && self.field.smoothing == 0.0;
            if goes && (a * y - b * x).abs() > self.tolerance {
                self.field.look(&self.state);
                self.turn_free(g);
                strays = true;
            }
        }
        strays
    }

    /// What the next step has to mind, from where slips were last measured.
    pub(crate) fn measure(&self) -> Motion {
        let field = &self.field;
        let mut motion = Motion {
            method: Method::Explicit,
            tolerance: self.tolerance,
            longest: f64::INFINITY,
            stops: None,
        };
        if field.smoothing > 0.0 {
            motion.method = Method::Stiff;
            motion.tolerance = motion.tolerance.min(tol::SLIP_SHARE * field.smoothing);
            return motion;
        }
        let stiff = tol::STIFF_RATIO[usize::from(self.stepper.method == Method::Stiff)];
        for (g, grip) in field.model.grips.iter().enumerate() {
            let force = field.force[grip.contact];
            if grip.tangents < 2 || !field.slides(g) || force <= 0.0 || field.heads[g] {
                continue;
            }
            let Sliding { speed, rate: change, turn, .. } = field.sliding[g];
            let strength = grip.mu * force * grip.response;
            if strength > stiff[0] * speed && strength > stiff[1] * change.abs() {
                motion.method = Method::Stiff;
            }
            motion.tolerance = motion.tolerance.min(tol::SLIP_SHARE * speed);
            let least = if self.leaving[g] > 0.0 {
                tol::LOST_SLIP * self.leaving[g]
            } else {
                tol::LOST_SLIP * tol::ONSET_SLIP
            };
            if speed < least {
                motion.stops = Some((g, 0.0));
            } else if change < 0.0 {
                let left = -speed / change;
                if speed < tol::SLOW_SLIP {
                    motion.longest = motion.longest.min(tol::BEFORE_STOP * left);
                }
                // Slip that has just begun finds its direction first.
                let begun = self.leaving[g] == 0.0;
                let stopped =
                    if begun { tol::STOPPED_SLIP } else { tol::SLIP_SHARE * self.leaving[g] };
                let straight = turn <= tol::STRAIGHT_SLIP && begun;
                let ends = speed < stopped
                    || (straight && speed < tol::STRAIGHT_SLIP && left < tol::STRAIGHT_SLIP);
                // What would take long to stop is too slow to matter.
                let left = if left < tol::LONGEST_STOP { left } else { 0.0 };
                if ends && motion.stops.is_none_or(|(_, first)| left < first) {
                    motion.stops = Some((g, left));
                }
            }
        }
        match motion.method {
            // Its clock minds slip that ends.
            Method::Explicit => motion.longest = f64::INFINITY,
            Method::Stiff => motion.tolerance *= tol::IMPLICIT_SHARE,
        }
        motion.tolerance = motion.tolerance.max(tol::LEAST_TOLERANCE);
        motion
    }

    /// Whether a grip is at rest after some short time, or has hardly begun to move: it then decides together with the
    /// one that stops.
    pub(crate) fn stops_too(&self, g: usize, left: f64) -> bool {
        let field = &self.field;
        if !field.slides(g) {
            return false;
        }
        let v = field.v[g];
        let after =
            [0, 1].map(|c| v[c] + left * dot(field.model.tangent(g, c), &field.acceleration));
        let Sliding { speed, rate: change, .. } = field.sliding[g];
        let rest = length(after);
        if self.leaving[g] > 0.0
            || rest
                < tol::STOPPED_SLIP.max(tol::STOP_REMAINDER[0].min(tol::STOP_REMAINDER[1] * speed))
        {
            return true;
        }
        speed < tol::STOP_TOGETHER && speed <= -change * tol::STOP_TOGETHER
    }
}
