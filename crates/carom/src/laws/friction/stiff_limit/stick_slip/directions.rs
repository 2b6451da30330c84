//! Which slips have found a direction that they keep until they stop.

use super::super::dynamics::{Dynamics, FrictionMode, Measured, SlipRates};
use super::super::events::Detector;
use super::super::rows::length;
use super::super::tolerances as tol;
use crate::numerics::dot;

/// The past of each slip, as far as its direction depends on it.
pub(crate) struct SlipDirections {
    /// The slip with which a contact has just begun to move, else zero \[1\].
    onset: Vec<f64>,
    /// The slip at which a contact was wrongly taken to be straight, else infinite \[1\].
    strayed: Vec<f64>,
    /// The error that a step may make \[1\].
    tolerance: f64,
}

impl SlipDirections {
    pub(crate) fn new(frictional: usize, tolerance: f64) -> Self {
        Self { onset: vec![0.0; frictional], strayed: vec![f64::INFINITY; frictional], tolerance }
    }

    /// The slip with which a contact has just begun to move, else zero \[1\].
    pub(crate) fn onset(&self, g: usize) -> f64 {
        self.onset[g]
    }

    /// Contacts were decided. The dynamics must have been evaluated since.
    pub(crate) fn restart(&mut self, resting: &[usize], dynamics: &mut Dynamics) {
        for (g, contact) in dynamics.model.frictional.iter().enumerate() {
            dynamics.straight[g] = contact.tangents == 1;
            if dynamics.straight[g]
                && dynamics.friction_mode[g] == FrictionMode::Slides
                && dynamics.slip[g][0] != 0.0
            {
                dynamics.direction[g] = [dynamics.slip[g][0].signum(), 0.0];
            }
        }
        for &g in resting {
            self.strayed[g] = f64::INFINITY;
            self.onset[g] = if dynamics.slides(g) { length(dynamics.slip[g]) } else { 0.0 };
        }
    }

    /// Slip that has just begun and has found its direction is slip as any other, whatever happens at the end of the same
    /// step.
    pub(crate) fn end_onsets(&mut self, dynamics: &Dynamics) {
        for (onset, slip) in self.onset.iter_mut().zip(&dynamics.slip) {
            if length(*slip) >= tol::STOPPED_SLIP {
                *onset = 0.0;
            }
        }
    }

    /// Slip that ends and does not turn any more goes one way until it stops. Answers a contact whose slip ends soon and still
    /// turns, if all others go straight.
    pub(crate) fn fix(
        &mut self,
        dynamics: &mut Dynamics,
        measured: &Measured,
        detector: &mut Detector,
    ) -> Option<usize> {
        if dynamics.smoothing > 0.0 {
            return None;
        }
        let mut soonest = f64::INFINITY;
        // The one that turns and ends first, and when the next such ends.
        let (mut turns, mut turning, mut second) = (None, f64::INFINITY, f64::INFINITY);
        for g in 0..dynamics.model.frictional.len() {
            if dynamics.model.frictional[g].tangents < 2 || !dynamics.slides(g) {
                continue;
            }
            let SlipRates { speed, growth, turn, .. } = dynamics.slip_rates(g, measured);
            if growth >= 0.0 {
                if dynamics.straight[g] {
                    self.release(g, dynamics, detector);
                }
                continue;
            }
            let left = -speed / growth;
            soonest = soonest.min(left);
            let straight = self.onset[g] == 0.0
                && speed < tol::SLIP_SHARE * self.strayed[g]
                && speed * turn < tol::SLIP_SHARE * self.tolerance;
            if !straight && !dynamics.straight[g] {
                second = second.min(left.max(turning));
                if left < turning {
                    (turns, turning) = (Some(g).filter(|&g| self.onset[g] == 0.0), left);
                }
            }
        }
        // Those of one body stop together, and one that still turns would hold the others up.
        if tol::GROUP_STOP * soonest >= turning {
            let soon = soonest == turning && turning < self.longest_end();
            return turns.filter(|_| soon && tol::GROUP_STOP * turning < second);
        }
        for g in 0..dynamics.model.frictional.len() {
            if dynamics.straight[g] || !dynamics.slides(g) {
                continue;
            }
            let SlipRates { speed, growth, .. } = dynamics.slip_rates(g, measured);
            if growth < 0.0 && -speed / growth < turning.min(tol::STRAIGHT_HORIZON) {
                dynamics.straight[g] = true;
                dynamics.direction[g] = dynamics.slip[g].map(|v| v / speed);
                detector.watch_stop(g);
            }
        }
        None
    }

    /// In this time what a step of second order neglects is less than a step may be off.
    pub(crate) fn longest_end(&self) -> f64 {
        libm::cbrt(self.tolerance)
    }

    /// Slip that was taken to be straight turns as it likes.
    fn release(&mut self, g: usize, dynamics: &mut Dynamics, detector: &mut Detector) {
        dynamics.straight[g] = false;
        self.strayed[g] = length(dynamics.slip[g]);
        detector.ignore_stop(g);
    }

    /// Whether slip that was taken to be straight was not on the last step; it then turns as it likes from `state`, where that
    /// began.
    pub(crate) fn strays(
        &mut self,
        dynamics: &mut Dynamics,
        state: &[f64],
        detector: &mut Detector,
    ) -> bool {
        let mut strays = false;
        for g in 0..dynamics.model.frictional.len() {
            let ([a, b], [x, y]) = (dynamics.slip[g], dynamics.direction[g]);
            let straight = dynamics.slides(g) && dynamics.straight[g] && dynamics.smoothing == 0.0;
            if straight && (a * y - b * x).abs() > self.tolerance {
                dynamics.evaluate(state);
                self.release(g, dynamics, detector);
                strays = true;
            }
        }
        strays
    }

    /// Whether a contact is at rest after some short time, or has hardly begun to move: it then stops with the one that does.
    pub(crate) fn stops_with(
        &self,
        dynamics: &Dynamics,
        measured: &Measured,
        g: usize,
        left: f64,
    ) -> bool {
        if !dynamics.slides(g) {
            return false;
        }
        let (v, model) = (dynamics.slip[g], &dynamics.model);
        let after = [0, 1].map(|c| v[c] + left * dot(model.tangent(g, c), &dynamics.acceleration));
        let SlipRates { speed, growth, .. } = dynamics.slip_rates(g, measured);
        let [most, share] = tol::STOP_REMAINDER;
        if self.onset[g] > 0.0 || length(after) < tol::STOPPED_SLIP.max(most.min(share * speed)) {
            return true;
        }
        speed <= dynamics.sticking.drift()
            || speed < tol::STOP_TOGETHER && speed <= -growth * tol::STOP_TOGETHER
    }
}
