//! By which method a step is made, how exact it is and how long it may be; and whether slip ends before it.

use super::super::dynamics::{Dynamics, Measured, SlipRates};
use super::super::stick_slip::SlipDirections;
use super::super::tolerances as tol;
use super::Method;

/// What a step has to respect.
pub(crate) struct StepPlan {
    pub(crate) method: Method,
    /// The error allowed \[1\].
    pub(crate) tolerance: f64,
    /// No step is longer.
    pub(crate) longest: f64,
    /// Whether slip creeps: its direction follows the forces much faster than anything moves.
    pub(crate) creeps: bool,
    /// A contact whose slip ends so soon that everything goes straight until then, and when.
    pub(crate) stops: Option<(usize, f64)>,
}

impl StepPlan {
    /// For the step from where the dynamics were last evaluated, `method` being that of the last step.
    pub(crate) fn new(
        dynamics: &Dynamics,
        measured: &Measured,
        directions: &SlipDirections,
        tolerance: f64,
        method: Method,
        haste: u64,
    ) -> Self {
        let mut plan = Self {
            method: Method::Explicit,
            tolerance,
            longest: f64::INFINITY,
            creeps: false,
            stops: None,
        };
        if dynamics.smoothing > 0.0 {
            plan.method = Method::Implicit;
            plan.tolerance = plan.tolerance.min(tol::SLIP_SHARE * dynamics.smoothing);
            return plan;
        }
        let mut stiff = tol::STIFF_RATIO[usize::from(method == Method::Implicit)];
        let mut allowed = 1.0;
        for _ in 0..haste {
            stiff = stiff.map(|ratio| tol::HASTE_RATIO * ratio);
            allowed *= tol::HASTE_TOLERANCE;
        }
        let mut slowest = f64::INFINITY;
        let least = dynamics.least_force();
        for (g, contact) in dynamics.model.frictional.iter().enumerate() {
            let force = dynamics.force[contact.index];
            let turns = contact.tangents == 2 && dynamics.slides(g) && !dynamics.straight[g];
            let strength = contact.mu * force * contact.response;
            if !turns || force <= least {
                continue;
            }
            let SlipRates { speed, growth, turn, .. } = dynamics.slip_rates(g, measured);
            if strength > stiff[0] * speed && strength > stiff[1] * growth.abs() {
                plan.method = Method::Implicit;
            }
            plan.creeps |= strength > tol::CREEP_RATIO * speed;
            slowest = slowest.min(speed);
            let onset = directions.onset(g);
            if speed < tol::LOST_SLIP * if onset > 0.0 { onset } else { tol::ONSET_SLIP } {
                plan.stops = Some((g, 0.0));
            } else if growth < 0.0 {
                let left = -speed / growth;
                if speed < tol::SLOW_SLIP[0] {
                    plan.longest = plan.longest.min(tol::SLOW_SLIP[1] * left);
                }
                // Slip that has just begun finds its direction first.
                let found = onset == 0.0;
                let stopped = if found { tol::STOPPED_SLIP } else { tol::SLIP_SHARE * onset };
                let straight = turn <= tol::STRAIGHT_SLIP && found;
                let ends = speed < stopped
                    || (straight && speed < tol::STRAIGHT_SLIP && left < tol::STRAIGHT_SLIP);
                // What would take long to stop is too slow to matter.
                let left = if left < tol::LONGEST_STOP { left } else { 0.0 };
                if ends && plan.stops.is_none_or(|(_, first)| left < first) {
                    plan.stops = Some((g, left));
                }
            }
        }
        if plan.creeps {
            plan.tolerance *= allowed;
        }
        plan.tolerance = plan.tolerance.min(tol::SLIP_SHARE * slowest);
        match plan.method {
            // Its clock slows where slip ends.
            Method::Explicit => plan.longest = f64::INFINITY,
            Method::Implicit => plan.tolerance *= tol::IMPLICIT_SHARE,
        }
        plan.tolerance = plan.tolerance.max(tol::LEAST_TOLERANCE);
        plan
    }
}
