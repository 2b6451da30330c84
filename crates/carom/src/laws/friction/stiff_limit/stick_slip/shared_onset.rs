//! Where contacts that stick redundantly begin to slide: no single one of them decides.

use super::super::dynamics::Dynamics;
use super::super::events::{LocatedStep, beyond_bounds};
use super::super::integration::Integrator;
use super::super::tolerances as tol;
use super::disc_program::Query;
use super::{StickSlip, Trigger, Undecided, strength, within_bounds};
use crate::numerics::coulomb::Failure;
use carom_ode::locate;

impl StickSlip {
    /// Whether they begin to slide within a step, which then ends there.
    pub(crate) fn shared_onset(
        &mut self,
        located: &LocatedStep,
        tolerance: f64,
        integrator: &mut Integrator,
        dynamics: &mut Dynamics,
    ) -> Result<Option<Undecided>, Failure> {
        if !beyond_bounds(dynamics, &integrator.required) {
            return Ok(None);
        }
        self.resting.clone_from(&dynamics.sticking.contacts);
        let [least, most] = tol::SHARED_ONSET;
        let mut fast = self.onset_speed(dynamics, false)?;
        if fast <= least {
            return Ok(None);
        }
        let mut step = integrator.interpolant(dynamics);
        let (mut low, mut high) = (0.0, located.part);
        // Whether the solver knows the motion at `high`.
        let mut solved = true;
        for _ in 0..tol::SHARED_ONSET_ROUNDS {
            if fast <= most || high - low <= f64::EPSILON {
                break;
            }
            // Motion begins where forces can just feed it. That of the end differs a little from that which begins, which
            // moves the place by the square of this.
            let mut middle = 0.5 * (low + high);
            if solved {
                let mut power =
                    |place: f64| self.solver.power(step.evaluate_forces(place), &self.resting);
                let after = power(high);
                let aim = tol::SHARED_ONSET_AIM * most / fast * after;
                let before = power(low) - aim;
                if before < 0.0 && after > aim {
                    let at = |place: f64| power(place) - aim;
                    middle = locate([(low, before), (high, after - aim)], 0.5 * aim, at);
                }
            }
            step.evaluate_forces(middle);
            let found = match step.least_reserve() < 0.0 {
                true => self.onset_speed(step.dynamics, true)?,
                false => 0.0,
            };
            solved = found > least;
            if solved {
                (high, fast) = (middle, found);
            } else {
                low = middle;
            }
        }
        step.cut(high, tolerance);
        let infinite = |g: &usize| dynamics.model.frictional[*g].mu == f64::INFINITY;
        if self.resting.iter().any(infinite) {
            self.resting.retain(|g| !infinite(g));
            solved = false;
        }
        Ok(Some(Undecided(if solved { Trigger::Solved } else { Trigger::Rest })))
    }

    /// How fast sticking contacts that share their load begin to move, relative to free motion; zero if they hold, or if that is
    /// certainly too slow to count. `as_before` if they are thought to move as they did when last solved for.
    fn onset_speed(&mut self, dynamics: &Dynamics, as_before: bool) -> Result<f64, Failure> {
        // Shared by what they can bear now.
        let Dynamics { model, force, sticking, .. } = dynamics;
        self.tangents.set(model, &sticking.contacts, |g| strength(model, force, g));
        if within_bounds(dynamics, &self.tangents) {
            return Ok(0.0);
        }
        let query =
            Query { least: tol::CERTAINLY_BELOW * tol::SHARED_ONSET[0], as_before, holds: false };
        self.solver.solve(dynamics, &self.resting, query)
    }
}
