//! Contacts without restitution: where they stop approaching, their indentation jumps.

use super::super::dynamics::Dynamics;
use super::super::model::Power;
use super::super::tolerances as tol;
use crate::numerics::dot;
use carom_ode::{Dop853, StepControl, Verdict};

/// How deep contacts without restitution are pressed after they have stopped approaching, all at the state at which the
/// dynamics was looked at last; `jumps` lists them and takes their depths.
///
/// As `e → 0` the expansion takes no time, the others' forces are frozen, and `u_n′ = r0 + R F` with the forces of those that
/// jump.
pub(crate) fn depths_after(dynamics: &mut Dynamics, state: &mut [f64], jumps: &mut [(usize, f64)]) {
    let m = jumps.len();
    let before: Vec<f64> = jumps.iter().map(|(k, _)| state[*k]).collect();
    let mut rates = |state: &[f64]| -> Vec<f64> {
        dynamics.evaluate(state);
        let rate = |k: usize| dot(dynamics.model.normal(k), &dynamics.acceleration);
        jumps.iter().map(|(k, _)| rate(*k)).collect()
    };
    jumps.iter().for_each(|(k, _)| state[*k] = 0.0);
    let alone = rates(state);
    let mut response = vec![0.0; m * m];
    for (j, (k, _)) in jumps.iter().enumerate() {
        state[*k] = before[j];
        let pressed = rates(state);
        state[*k] = 0.0;
        for i in 0..m {
            response[i * m + j] = pressed[i] - alone[i];
        }
    }
    jumps.iter().zip(&before).for_each(|((k, _), depth)| state[*k] = *depth);
    dynamics.evaluate(state);
    let spring = |k: usize| dynamics.model.springs[k].stiffness;
    for (j, (k, depth)) in before.iter().enumerate().map(|(j, depth)| (j, (jumps[j].0, *depth))) {
        let force = spring(k) * dynamics.model.power.raise(depth);
        let part = if force > 0.0 { 1.0 / force } else { 0.0 };
        (0..m).for_each(|i| response[i * m + j] *= part);
    }
    if let [(k, after)] = jumps {
        *after = alone_after(dynamics.model.power, spring(*k), before[0], [alone[0], response[0]]);
        return;
    }
    let stiffness: Vec<f64> = jumps.iter().map(|(k, _)| spring(*k)).collect();
    let fast = Fast { power: dynamics.model.power, stiffness, alone, response };
    for ((_, after), depth) in jumps.iter_mut().zip(fast.depths(&before)) {
        *after = depth;
    }
}

/// One contact by itself: the fast motion conserves `∫ (F − F_req) dd` with `F_req = −r0/r1`, the force that the neighbours
/// demand.
fn alone_after(power: Power, stiffness: f64, depth: f64, [alone, own]: [f64; 2]) -> f64 {
    if own <= 0.0 || alone >= 0.0 {
        return 0.0;
    }
    remaining(power, stiffness, depth, -alone / own)
}

/// The fast motion of several contacts that stop approaching together: `d′ = −max(w, 0)`, `w′ = r0 + R F(d)` from `w = 0`. A
/// contact that approaches is pressed so much more slowly that it rests meanwhile.
struct Fast {
    power: Power,
    stiffness: Vec<f64>,
    /// `r0`.
    alone: Vec<f64>,
    /// `R`, row by row.
    response: Vec<f64>,
}

impl Fast {
    /// Slopes of depths, then of velocities.
    fn slope(&self, y: &[f64], slope: &mut [f64]) {
        let m = self.alone.len();
        let (depths, speeds) = y.split_at(m);
        let (sinks, turns) = slope.split_at_mut(m);
        sinks.iter_mut().zip(speeds).for_each(|(slope, w)| *slope = -w.max(0.0));
        turns.copy_from_slice(&self.alone);
        for (j, depth) in depths.iter().enumerate().filter(|(_, depth)| **depth > 0.0) {
            let force = self.stiffness[j] * self.power.raise(*depth);
            turns
                .iter_mut()
                .enumerate()
                .for_each(|(i, to)| *to += self.response[i * m + j] * force);
        }
    }

    /// Depths where nobody moves any more, nor begins to.
    fn depths(&self, before: &[f64]) -> Vec<f64> {
        let m = before.len();
        let mut method = Dop853::default();
        method.resize(2 * m);
        method.start[..m].copy_from_slice(before);
        let deepest = before.iter().fold(f64::MIN_POSITIVE, |m: f64, d| m.max(*d));
        let mut slope = vec![0.0; 2 * m];
        self.slope(&method.start, &mut slope);
        let fastest = slope[m..].iter().fold(f64::MIN_POSITIVE, |m: f64, r| m.max(r.abs()));
        // Depths are left behind in about this time, at about this speed.
        let time = f64::sqrt(deepest / fastest);
        let mut scale = vec![tol::JUMP_ERROR * deepest; 2 * m];
        scale[m..].fill(tol::JUMP_ERROR * deepest / time);
        let mut control = StepControl::dop853(f64::EPSILON * time, f64::INFINITY);
        let mut h = tol::FIRST_JUMP_STEP * time;
        method.begin(|y, out| self.slope(y, out));
        for _ in 0..tol::JUMP_STEPS {
            method.step(h, |y, out| self.slope(y, out));
            match control.judge(h, method.error(&scale)) {
                Verdict::Accept(next) => {
                    method.accept();
                    h = next;
                }
                Verdict::Reject(shorter) => {
                    h = shorter;
                    continue;
                }
                Verdict::Stuck => break,
            }
            self.slope(&method.start, &mut slope);
            let over = |i: usize| {
                let (depth, speed) = (method.start[i], method.start[m + i]);
                depth <= 0.0 || speed <= 0.0 && slope[m + i] <= 0.0
            };
            if (0..m).all(over) {
                break;
            }
        }
        method.start[..m].iter().map(|depth| depth.max(0.0)).collect()
    }
}

/// The `d1 < d_req` with `∫_{d1}^{d0} (K x^η − F_req) dx = 0`, or 0 if there is none.
fn remaining(power: Power, stiffness: f64, depth: f64, demanded: f64) -> f64 {
    match power {
        Power::Linear => (2.0 * demanded / stiffness - depth).max(0.0),
        _ => {
            let exponent = power.exponent();
            let work = |d: f64| d * (stiffness * power.raise(d) / (exponent + 1.0) - demanded);
            let aim = work(depth);
            if aim >= 0.0 {
                return 0.0;
            }
            // Below the depth that the neighbours demand the work falls from 0 and is convex.
            let mut low = 0.0;
            let mut high = libm::pow(demanded / stiffness, 1.0 / exponent);
            for _ in 0..tol::JUMP_HALVINGS {
                let middle = 0.5 * (low + high);
                if work(middle) > aim {
                    low = middle;
                } else {
                    high = middle;
                }
            }
            0.5 * (low + high)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The work done against the neighbours on the way is that which the spring gives.
    #[test]
    fn the_fast_motion_conserves_work() {
        for (power, exponent) in [(Power::Linear, 1.0), (Power::Hertz, 1.5)] {
            let (stiffness, depth, demanded) = (1.3, 0.8, 0.7);
            let after = remaining(power, stiffness, depth, demanded);
            let work =
                |d: f64| stiffness * libm::pow(d, exponent + 1.0) / (exponent + 1.0) - demanded * d;
            assert!(after > 0.0 && after < depth);
            assert!((work(after) - work(depth)).abs() < 1e-14, "{after}");
            // It opens where the neighbours demand no more than F/(η + 1).
            let force = stiffness * libm::pow(depth, exponent);
            assert_eq!(remaining(power, stiffness, depth, 0.99 * force / (exponent + 1.0)), 0.0);
        }
    }

    /// Two contacts that push each other away as much as themselves move as one of twice the stiffness, and two that do not
    /// mind each other as one each.
    #[test]
    fn several_jump_as_one() {
        let (power, depth) = (Power::Hertz, 0.7);
        for (cross, factor) in [(1.0, 2.0), (0.0, 1.0)] {
            let fast = Fast {
                power,
                stiffness: vec![1.3; 2],
                alone: vec![-0.7; 2],
                response: vec![1.0, cross, cross, 1.0],
            };
            let one = alone_after(power, factor * 1.3, depth, [-0.7, 1.0]);
            for d in fast.depths(&[depth; 2]) {
                assert!(one > 0.0 && (d - one).abs() < 1e-11, "{d} {one}");
            }
        }
    }
}
