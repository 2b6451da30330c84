//! A time in which contacts close and open, and slip ends, smoothly.
//!
//! A force `d^η` is not smooth where `d` passes zero: steps shrink towards every closing and opening. But `d` grows from there,
//! or falls to there, in proportion to time, so that all is a smooth function of `√d`. The contact that closed last or opens
//! next is therefore followed by `z`, `d = z²`. Slip `r` that ends, or hardly does not, turns ever faster, like a power of what
//! is left of it. Time passes in proportion to both, those nearest to zero:
//!
//! `ds/dτ = (z/c) (r/ρ)`, `dz/dτ = (d′/2 z) ds/dτ`, `F = k z^{2η}`.
//!
//! Products have no poles, not even at complex times, which would be as much in the way as real ones. What closed at the same
//! instant as the one followed, or stops at the same, is smooth in the same time.
//!
//! Beyond zero `z` and time turn back: a step that ends there is cut where `z` passes zero. Slip never gets there.

use super::super::dynamics::{Dynamics, Measured, SlipRates};
use super::super::model::Power;
use super::super::rows::length;
use super::super::tolerances as tol;

/// Which contacts slow the time, and how fast it passes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Clock {
    /// The contact that is followed by `z`, and its `c`.
    pub(super) root: Option<usize>,
    pub(super) near: f64,
    /// The contact whose slip ends first, if it does soon, and its `ρ`.
    pub(super) slip: Option<(usize, f64)>,
    /// The fastest that a pressed contact has moved \[1\], and how deep it would be pressed by that, in its own depths.
    fastest: f64,
    deepest: f64,
}

impl Clock {
    /// Decides which contacts the clock follows, where the dynamics were last evaluated. Whether that has changed.
    pub(crate) fn choose(
        &mut self,
        dynamics: &mut Dynamics,
        measured: &Measured,
        indentations: &[f64],
    ) -> bool {
        let root = self.nearest(dynamics, indentations);
        let mut changed = std::mem::replace(&mut self.root, root) != root;
        dynamics.by_root.fill(false);
        if let Some(k) = root {
            dynamics.by_root[k] = true;
            let near = f64::sqrt(dynamics.model.springs[k].depth * self.deepest);
            changed |= std::mem::replace(&mut self.near, near) != near;
        }
        let slip = self.soonest(dynamics, measured);
        if slip.map(|(g, _)| g) != self.slip.map(|(g, _)| g) {
            self.slip = slip;
            changed = true;
        }
        changed
    }

    /// The contact whose slip could end or turn round first, if it could soon.
    fn soonest(&self, dynamics: &Dynamics, measured: &Measured) -> Option<(usize, f64)> {
        let mut first = None;
        let mut soonest = f64::INFINITY;
        for g in 0..dynamics.model.frictional.len() {
            let turns = dynamics.model.frictional[g].tangents == 2
                && dynamics.slides(g)
                && !dynamics.straight[g]
                && dynamics.smoothing <= 0.0;
            if !turns {
                continue;
            }
            let now = self.slip.is_some_and(|(now, _)| now == g);
            let SlipRates { speed, change, .. } = dynamics.slip_rates(g, measured);
            let left = speed / change;
            let time = if now { tol::CLOCK_HYSTERESIS } else { 1.0 } * left;
            if change > 0.0 && left < tol::SLIP_HORIZON[usize::from(now)] && time < soonest {
                (first, soonest) = (Some((g, tol::SLIP_CLOCK * change)), time);
            }
        }
        first
    }

    /// The contact that is nearest in time to its closing or opening, of those that move.
    fn nearest(&mut self, dynamics: &Dynamics, indentations: &[f64]) -> Option<usize> {
        let model = &dynamics.model;
        if model.power == Power::Linear {
            return None;
        }
        let pressed = |k: &usize| dynamics.normal_mode[*k].closed() && !dynamics.clipped[*k];
        let speeds = (0..model.len()).filter(pressed).map(|k| dynamics.normal_velocity[k].abs());
        let fastest = speeds.fold(self.fastest, f64::max);
        if fastest != self.fastest {
            self.fastest = fastest;
            self.deepest = libm::pow(fastest, 2.0 / (model.power.exponent() + 1.0));
        }
        let (mut root, mut soonest) = (None, f64::INFINITY);
        for k in (0..model.len()).filter(pressed) {
            let now = self.root == Some(k);
            let speed = dynamics.normal_velocity[k].abs();
            let time = if now { tol::CLOCK_HYSTERESIS } else { 1.0 } * indentations[k]
                / (speed * dynamics.pace(k));
            let moves = speed > tol::ROOT_SPEED[usize::from(now)] * self.fastest;
            if moves && indentations[k] >= 0.0 && time < soonest {
                (root, soonest) = (Some(k), time);
            }
        }
        root
    }

    /// Whether a contact that begins to press will be followed by `z`.
    pub(crate) fn will_follow(&self, dynamics: &Dynamics, k: usize) -> bool {
        dynamics.model.power != Power::Linear
            && dynamics.normal_velocity[k].abs() > tol::ROOT_SPEED[0] * self.fastest
    }

    /// What explicit steps know of indentations, from the indentations.
    pub(crate) fn enter(&self, dynamics: &Dynamics, indentations: &mut [f64]) {
        if let Some(k) = self.root {
            indentations[k] = root_of(dynamics, k, indentations[k]);
        }
    }

    /// Indentations, from what explicit steps know of them.
    pub(crate) fn leave(&self, indentations: &mut [f64]) {
        if let Some(k) = self.root {
            indentations[k] *= indentations[k].abs();
        }
    }

    /// Slopes in the time of the clock; the last of them is that of time itself.
    pub(crate) fn slope(&self, dynamics: &mut Dynamics, unknowns: &[f64], slope: &mut [f64]) {
        let Some((time, slope)) = slope.split_last_mut() else { return };
        dynamics.slope_in(unknowns, true, slope);
        let z = self.root.map_or(1.0, |k| unknowns[k]);
        *time = 1.0 / self.slowed(dynamics, z);
        slope.iter_mut().for_each(|slope| *slope *= *time);
        if let Some(k) = self.root {
            slope[k] *= 0.5 / z;
        }
    }

    /// `(c/z) (ρ/r)` where the dynamics were last evaluated.
    fn slowed(&self, dynamics: &Dynamics, z: f64) -> f64 {
        let slip = self.slip.map_or(1.0, |(g, slowed)| slowed / length(dynamics.slip[g]));
        slip * if self.root.is_some() { self.near / z } else { 1.0 }
    }

    /// How much time passes in that of the clock, where the dynamics were last evaluated.
    pub(crate) fn pace(&self, dynamics: &Dynamics, indentations: &[f64]) -> f64 {
        1.0 / self
            .slowed(dynamics, self.root.map_or(1.0, |k| root_of(dynamics, k, indentations[k])))
    }

    /// The length of a step in the time of the clock that takes no more than this time, with these indentations.
    pub(crate) fn length(&self, dynamics: &Dynamics, indentations: &[f64], time: f64) -> f64 {
        if time == f64::INFINITY {
            return time;
        }
        // s = g τ + ½ g′ τ² with g = (z/c) … and z z′ = ½ d′ g.
        let pace = self.pace(dynamics, indentations);
        let quickens = self.root.map_or(0.0, |k| {
            let z = root_of(dynamics, k, indentations[k]);
            let rate = -dynamics.pace(k) * dynamics.normal_velocity[k];
            (0.5 * self.near * rate * pace * pace * pace / (z * z * z)).max(0.0)
        });
        2.0 * time / (pace + f64::sqrt(pace * pace + 2.0 * quickens * time))
    }
}

/// The root of an indentation, some in any case.
fn root_of(dynamics: &Dynamics, k: usize, depth: f64) -> f64 {
    f64::sqrt(
        depth.max(tol::FIRST_ROOT_TIME * dynamics.pace(k) * dynamics.normal_velocity[k].abs()),
    )
}

#[cfg(test)]
mod tests {
    use super::super::super::tests::pressed_block;
    use super::*;

    /// At unit speed `z = √(d + s)` and `ds/dτ = z/c`: after `τ` the time is `(z₀ τ + τ²/4 c)/c`. The contact that closed last is
    /// followed, its `c` being one for a depth and a speed of one.
    #[test]
    fn time_passes_with_the_root() {
        let (mut dynamics, state) = pressed_block();
        let measured = dynamics.measure_slip_rates();
        let mut clock = Clock::default();
        assert!(clock.choose(&mut dynamics, &measured, state.indentations()));
        assert_eq!((clock.root, clock.near, clock.slip), (Some(1), 1.0, None));
        assert!((clock.pace(&dynamics, state.indentations()) - 0.2).abs() < 1e-16);
        let (root, tau) = (0.2, 0.3);
        let time = root * tau + 0.25 * tau * tau;
        let length = clock.length(&dynamics, state.indentations(), time);
        assert!((length - tau).abs() < 1e-15, "{length}");
        // To the root and back.
        let mut indentations = state.indentations().to_vec();
        clock.enter(&dynamics, &mut indentations);
        assert!((indentations[1] - root).abs() < 1e-16 && indentations[0] == 0.25);
        clock.leave(&mut indentations);
        assert!((indentations[1] - 0.04).abs() < 1e-16);
    }
}
