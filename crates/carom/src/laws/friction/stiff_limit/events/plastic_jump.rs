//! Contacts without restitution: where they stop approaching, their indentation jumps.

use super::super::dynamics::{Dynamics, NormalMode};
use super::super::integration::Integrator;
use super::super::model::Power;
use super::super::state::State;
use super::super::tolerances as tol;
use super::{Event, LocatedEvents};
use crate::numerics::dot;
use carom_ode::{Dop853, StepControl, Verdict};

/// Which contacts jump, and how often each has.
pub(crate) struct PlasticJumps {
    /// Those that jump now, and to which indentation.
    jumps: Vec<(usize, f64)>,
    /// How often each contact has jumped, and by how much it does at least \[1\].
    drops: Vec<(u32, f64)>,
}

/// Whether a contact that stops approaching gives back nothing.
pub(crate) fn jumps(dynamics: &Dynamics, k: usize) -> bool {
    let model = &dynamics.model;
    dynamics.normal_mode[k] == NormalMode::Loading && model.turns(k) && model.springs[k].e == 0.0
}

impl PlasticJumps {
    pub(crate) fn new(contacts: usize) -> Self {
        Self { jumps: Vec::new(), drops: vec![(0, 0.0); contacts] }
    }

    /// Whether nothing jumps now.
    pub(crate) fn is_empty(&self) -> bool {
        self.jumps.is_empty()
    }

    /// Finds which contacts jump at these events, and to where.
    pub(crate) fn foresee(
        &mut self,
        events: &LocatedEvents,
        dynamics: &mut Dynamics,
        state: &mut State,
        smoothed: &mut u64,
    ) {
        self.jumps.clear();
        for event in events.iter() {
            let Event::Turn(k) = event else { continue };
            // It has met the event, whatever rounding says.
            if dynamics.normal_velocity[k].abs() <= tol::TURN_SPEED {
                dynamics.model.normal_start[k] -= dynamics.normal_velocity[k];
            }
            if jumps(dynamics, k) {
                self.jumps.push((k, 0.0));
            }
        }
        if self.jumps.is_empty() {
            return;
        }
        // Those that rounding alone keeps from stopping at the same instant.
        for k in 0..dynamics.model.len() {
            let listed = self.jumps.iter().any(|(other, _)| *other == k);
            let stops = dynamics.normal_velocity[k].abs() <= tol::JUMP_TOGETHER;
            if !listed && jumps(dynamics, k) && stops {
                self.jumps.push((k, 0.0));
            }
        }
        find_depths(dynamics, state, &mut self.jumps);
        // Without friction there is another way.
        if !dynamics.model.frictional.is_empty() {
            self.follow_demand(state.indentations(), smoothed);
        }
    }

    /// A contact without restitution whose neighbours demand ever less follows that by jumps which may become too small to
    /// be told apart: after many of them they are made no smaller than a part of its indentation there. It is pressed too
    /// much before such a jump and too little after it by the same; velocities are off by some thousandths of that part.
    fn follow_demand(&mut self, indentations: &[f64], smoothed: &mut u64) {
        for (k, after) in &mut self.jumps {
            let depth = indentations[*k];
            let (count, drop) = &mut self.drops[*k];
            *count += 1;
            if count.is_multiple_of(tol::MANY_JUMPS) {
                *smoothed += u64::from(*drop == 0.0);
                *drop = if *drop > 0.0 { 2.0 * *drop } else { tol::LEAST_DROP * depth };
            }
            if *drop > 0.0 {
                *after = after.min(depth - *drop).max(0.0);
            }
        }
    }

    /// Lets them jump. Whether one of them opens.
    pub(crate) fn apply(
        &self,
        dynamics: &mut Dynamics,
        state: &mut State,
        integrator: &mut Integrator,
    ) -> bool {
        if self.jumps.is_empty() {
            return false;
        }
        for &(k, depth) in &self.jumps {
            state.indentations_mut()[k] = depth;
        }
        dynamics.evaluate(state);
        let mut opens = false;
        for &(k, depth) in &self.jumps {
            let leaves = dot(dynamics.model.normal(k), &dynamics.acceleration) >= 0.0;
            if depth == 0.0 && leaves {
                dynamics.normal_mode[k] = NormalMode::Open;
                opens = true;
            } else {
                integrator.expect_closing(dynamics, k);
            }
        }
        opens
    }
}

/// How deep contacts without restitution are pressed after they have stopped approaching; `jumps` lists them and takes their
/// depths.
///
/// As `e → 0` the expansion takes no time, the others' forces are frozen, and `u_n′ = r0 + R F` with the forces of those that
/// jump.
fn find_depths(dynamics: &mut Dynamics, state: &mut State, jumps: &mut [(usize, f64)]) {
    let m = jumps.len();
    let before: Vec<f64> = jumps.iter().map(|(k, _)| state.indentations()[*k]).collect();
    let mut rates = |state: &State| -> Vec<f64> {
        dynamics.evaluate(state);
        let rate = |k: usize| dot(dynamics.model.normal(k), &dynamics.acceleration);
        jumps.iter().map(|(k, _)| rate(*k)).collect()
    };
    jumps.iter().for_each(|(k, _)| state.indentations_mut()[*k] = 0.0);
    let alone = rates(state);
    let mut response = vec![0.0; m * m];
    for (j, (k, _)) in jumps.iter().enumerate() {
        state.indentations_mut()[*k] = before[j];
        let pressed = rates(state);
        state.indentations_mut()[*k] = 0.0;
        for i in 0..m {
            response[i * m + j] = pressed[i] - alone[i];
        }
    }
    let pairs = jumps.iter().zip(&before);
    pairs.for_each(|((k, _), depth)| state.indentations_mut()[*k] = *depth);
    dynamics.evaluate(state);
    let spring = |k: usize| dynamics.model.springs[k].stiffness;
    for (j, (&(k, _), &depth)) in jumps.iter().zip(&before).enumerate() {
        let force = spring(k) * dynamics.model.power.raise(depth);
        let part = if force > 0.0 { 1.0 / force } else { 0.0 };
        (0..m).for_each(|i| response[i * m + j] *= part);
    }
    if let [(k, after)] = jumps {
        *after = depth_alone(dynamics.model.power, spring(*k), before[0], [alone[0], response[0]]);
        return;
    }
    let stiffness: Vec<f64> = jumps.iter().map(|(k, _)| spring(*k)).collect();
    let fast = FastMotion { power: dynamics.model.power, stiffness, alone, response };
    for ((_, after), depth) in jumps.iter_mut().zip(fast.depths(&before)) {
        *after = depth;
    }
}

/// One contact by itself: the fast motion conserves `∫ (F − F_req) dd` with `F_req = −r0/r1`, the force that the neighbours
/// demand.
fn depth_alone(power: Power, stiffness: f64, depth: f64, [alone, own]: [f64; 2]) -> f64 {
    if own <= 0.0 || alone >= 0.0 {
        return 0.0;
    }
    depth_after(power, stiffness, depth, -alone / own)
}

/// The fast motion of several contacts that stop approaching together: `d′ = −max(w, 0)`, `w′ = r0 + R F(d)` from `w = 0`. A
/// contact that approaches is pressed so much more slowly that it rests meanwhile.
struct FastMotion {
    power: Power,
    stiffness: Vec<f64>,
    /// `r0`.
    alone: Vec<f64>,
    /// `R`, row by row.
    response: Vec<f64>,
}

impl FastMotion {
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

    /// Depths where nothing moves any more, nor begins to.
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
fn depth_after(power: Power, stiffness: f64, depth: f64, demanded: f64) -> f64 {
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
            let after = depth_after(power, stiffness, depth, demanded);
            let work =
                |d: f64| stiffness * libm::pow(d, exponent + 1.0) / (exponent + 1.0) - demanded * d;
            assert!(after > 0.0 && after < depth);
            assert!((work(after) - work(depth)).abs() < 1e-14, "{after}");
            // It opens where the neighbours demand no more than F/(η + 1).
            let force = stiffness * libm::pow(depth, exponent);
            assert_eq!(depth_after(power, stiffness, depth, 0.99 * force / (exponent + 1.0)), 0.0);
        }
    }

    /// Two contacts that push each other away as much as themselves move as one of twice the stiffness, and two that do not
    /// push each other as one each.
    #[test]
    fn several_jump_as_one() {
        let (power, depth) = (Power::Hertz, 0.7);
        for (cross, factor) in [(1.0, 2.0), (0.0, 1.0)] {
            let fast = FastMotion {
                power,
                stiffness: vec![1.3; 2],
                alone: vec![-0.7; 2],
                response: vec![1.0, cross, cross, 1.0],
            };
            let one = depth_alone(power, factor * 1.3, depth, [-0.7, 1.0]);
            for d in fast.depths(&[depth; 2]) {
                assert!(one > 0.0 && (d - one).abs() < 1e-11, "{d} {one}");
            }
        }
    }
}
