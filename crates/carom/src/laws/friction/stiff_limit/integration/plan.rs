//! How fast the motion may be followed from here, by which method, and whether some slip ends.

use super::super::dynamics::SlipRates;
use super::super::events::Event;
use super::super::impact::Impact;
use super::super::integration::Method;
use super::super::rows::length;
use super::super::tolerances as tol;
use crate::numerics::dot;

/// What the next step has to mind.
pub(crate) struct StepPlan {
    pub(crate) method: Method,
    /// The error allowed \[1\].
    pub(crate) tolerance: f64,
    /// No step is longer.
    pub(crate) longest: f64,
    /// A contact whose slip ends, and when.
    pub(crate) stops: Option<(usize, f64)>,
}

impl Impact {
    /// Slip that has just begun and has found its direction is slip as any other, whatever happens at the end of the same
    /// step.
    pub(crate) fn find_directions(&mut self) {
        let Self { dynamics, leaving, .. } = self;
        for (leaving, v) in leaving.iter_mut().zip(&dynamics.slip) {
            if length(*v) >= tol::STOPPED_SLIP {
                *leaving = 0.0;
            }
        }
    }

    /// Slip that ends and does not turn any more goes one way until it stops. Slips must have been measured. Answers a
    /// contact that ends soon and still turns, if all others go straight.
    pub(crate) fn fix_directions(&mut self) -> Option<usize> {
        if self.dynamics.smoothing > 0.0 {
            return None;
        }
        let mut soonest = f64::INFINITY;
        // Who still turns and ends first, and when the next such ends.
        let (mut turns, mut turning, mut second) = (None, f64::INFINITY, f64::INFINITY);
        for g in 0..self.dynamics.model.frictional.len() {
            if self.dynamics.model.frictional[g].tangents < 2 || !self.dynamics.slides(g) {
                continue;
            }
            let SlipRates { speed, rate: change, turn, .. } = self.dynamics.slip_rates[g];
            if change >= 0.0 {
                if self.dynamics.straight[g] {
                    self.release_direction(g);
                }
                continue;
            }
            let left = -speed / change;
            soonest = soonest.min(left);
            let straight = self.leaving[g] == 0.0
                && speed < tol::SLIP_SHARE * self.strayed[g]
                && speed * turn < tol::SLIP_SHARE * self.tolerance;
            if !straight && !self.dynamics.straight[g] {
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
        for g in 0..self.dynamics.model.frictional.len() {
            if self.dynamics.straight[g] || !self.dynamics.slides(g) {
                continue;
            }
            let SlipRates { speed, rate: change, .. } = self.dynamics.slip_rates[g];
            if change < 0.0 && -speed / change < turning.min(tol::STRAIGHT_HORIZON) {
                self.dynamics.straight[g] = true;
                self.dynamics.direction[g] = self.dynamics.slip[g].map(|v| v / speed);
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
    fn release_direction(&mut self, g: usize) {
        self.dynamics.straight[g] = false;
        self.strayed[g] = length(self.dynamics.slip[g]);
        self.events.retain(|event| *event != Event::Stop(g));
    }

    /// Whether slip that was thought to go one way did not on the last step; it then turns as it likes from where that
    /// began.
    pub(crate) fn strays(&mut self) -> bool {
        let mut strays = false;
        for g in 0..self.dynamics.model.frictional.len() {
            let ([a, b], [x, y]) = (self.dynamics.slip[g], self.dynamics.direction[g]);
            let goes = self.dynamics.slides(g)
                && self.dynamics.straight[g]
                && self.dynamics.smoothing == 0.0;
            if goes && (a * y - b * x).abs() > self.tolerance {
                self.dynamics.evaluate(&self.state);
                self.release_direction(g);
                strays = true;
            }
        }
        strays
    }

    /// What the next step has to mind, from where slips were last measured.
    pub(crate) fn measure(&self) -> StepPlan {
        let dynamics = &self.dynamics;
        let mut motion = StepPlan {
            method: Method::Explicit,
            tolerance: self.tolerance,
            longest: f64::INFINITY,
            stops: None,
        };
        if dynamics.smoothing > 0.0 {
            motion.method = Method::Stiff;
            motion.tolerance = motion.tolerance.min(tol::SLIP_SHARE * dynamics.smoothing);
            return motion;
        }
        let stiff = tol::STIFF_RATIO[usize::from(self.integrator.method == Method::Stiff)];
        for (g, contact) in dynamics.model.frictional.iter().enumerate() {
            let force = dynamics.force[contact.index];
            if contact.tangents < 2 || !dynamics.slides(g) || force <= 0.0 || dynamics.straight[g] {
                continue;
            }
            let SlipRates { speed, rate: change, turn, .. } = dynamics.slip_rates[g];
            let strength = contact.mu * force * contact.response;
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

    /// Whether a contact is at rest after some short time, or has hardly begun to move: it then decides together with the
    /// one that stops.
    pub(crate) fn stops_with(&self, g: usize, left: f64) -> bool {
        let dynamics = &self.dynamics;
        if !dynamics.slides(g) {
            return false;
        }
        let v = dynamics.slip[g];
        let after =
            [0, 1].map(|c| v[c] + left * dot(dynamics.model.tangent(g, c), &dynamics.acceleration));
        let SlipRates { speed, rate: change, .. } = dynamics.slip_rates[g];
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
