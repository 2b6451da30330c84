//! The rest of an impact whose budget is spent, by coarse steps.
//!
//! Over a step the normal impulses `h F(d)` are known from its middle, so that the discs of friction are, and friction is the impulse
//! within them that takes most energy: a few sweeps over contacts come near to it, each of which takes some. Impulses are in
//! their cones whatever the sweeps leave, and friction never gives energy; what the normal forces gain is of second order.

use super::super::dynamics::FrictionMode;
use super::super::model::{Model, Spring};
use super::super::rows::length;
use super::super::tolerances as tol;
use super::Impact;
use crate::laws::normal::lzb::Gaps;
use crate::numerics::dot;

/// What a step works with.
struct Coarse {
    /// `|W_nn|`, row by row \[1\].
    response: Vec<f64>,
    /// The largest eigenvalue of `W_tt` of each contact with friction \[1\].
    tangential: Vec<f64>,
    velocity: Vec<f64>,
    steepness: Vec<f64>,
    /// Normal impulses of the step \[1\].
    normal: Vec<f64>,
    /// Friction impulses of the step, and of the last one as a part of their bounds \[1\].
    friction: Vec<[f64; 2]>,
    last: Vec<[f64; 2]>,
    before: Vec<f64>,
    restitution: Restitution,
}

/// What contacts give back.
#[derive(Clone, Copy, PartialEq)]
enum Restitution {
    Own,
    /// Nothing.
    None,
}

impl Restitution {
    fn at(self, model: &Model, k: usize) -> f64 {
        match (self, model.damping) {
            (Self::None, _) => 0.0,
            (Self::Own, Some(_)) => 1.0,
            (Self::Own, None) => model.springs[k].e,
        }
    }
}

impl Coarse {
    fn new(model: &Model) -> Self {
        let (n, frictional) = (model.len(), model.frictional.len());
        let pairs = (0..n).flat_map(|k| (0..n).map(move |l| (k, l)));
        let tangential = (0..frictional).map(|g| {
            let [a, b] = [0, 1].map(|c| model.tangent(g, c));
            let (half, across) = (0.5 * (dot(a, a) - dot(b, b)), dot(a, b));
            0.5 * (dot(a, a) + dot(b, b)) + length([half, across])
        });
        Self {
            response: pairs.map(|(k, l)| dot(model.normal(k), model.normal(l)).abs()).collect(),
            tangential: tangential.collect(),
            velocity: vec![0.0; n],
            steepness: vec![0.0; n],
            normal: vec![0.0; n],
            friction: vec![[0.0; 2]; frictional],
            last: vec![[0.0; 2]; frictional],
            before: vec![0.0; model.rank],
            restitution: Restitution::Own,
        }
    }

    fn find_velocities(&mut self, model: &Model, x: &[f64]) {
        for (k, u) in self.velocity.iter_mut().enumerate() {
            *u = model.normal_start[k] + dot(model.normal(k), x);
        }
    }

    /// The length of a step: a part of the shortest time in which something changes, or until the first gap closes.
    fn step_length(&mut self, model: &Model, indentations: &[f64]) -> f64 {
        for (k, out) in self.steepness.iter_mut().enumerate() {
            *out = model.springs[k].stiffness * model.power.steepness(indentations[k]);
            if self.velocity[k] > 0.0 {
                // It is released faster, by the inverse square of its coefficient.
                let e = self.restitution.at(model, k).max(tol::COARSE_RESTITUTION);
                *out /= e * e;
            }
        }
        let n = model.len();
        let rates = self.response.chunks_exact(n.max(1)).map(|row| dot(row, &self.steepness));
        let fastest = f64::sqrt(rates.fold(0.0, f64::max));
        let mut shortest = if fastest > 0.0 { tol::COARSE_STEP / fastest } else { f64::INFINITY };
        let exponent = model.power.exponent();
        let mut closing = f64::INFINITY;
        for (k, (&u, &d)) in self.velocity.iter().zip(indentations).enumerate() {
            if u < -tol::COARSE_TAIL {
                let time = libm::pow(-u, (1.0 - exponent) / (1.0 + exponent));
                let own = tol::COARSE_STEP * model.springs[k].depth * time;
                if d >= 0.0 {
                    shortest = shortest.min(own);
                } else {
                    closing = closing.min(d / u + 0.5 * own);
                }
            }
        }
        shortest.min(closing)
    }

    /// Moves indentations for some time at the velocities.
    fn drift(&self, model: &Model, time: f64, indentations: &mut [f64]) {
        for (k, (d, &u)) in indentations.iter_mut().zip(&self.velocity).enumerate() {
            let e = self.restitution.at(model, k);
            // A pressed contact that leaves is released by the inverse square of its coefficient, then opens a gap.
            let released = if *d > 0.0 && u > 0.0 { (*d * e * e / u).min(time) } else { 0.0 };
            if released > 0.0 {
                *d -= u * released / (e * e);
            } else if *d > 0.0 && u > 0.0 {
                *d = 0.0;
            }
            *d -= u * (time - released);
            if model.gaps == Gaps::Forget {
                *d = d.max(0.0);
            }
        }
    }

    /// Normal impulses of a step, and the motion they make. One that gives nothing back only stops its contact.
    fn press(&mut self, model: &Model, time: f64, indentations: &[f64], x: &mut [f64]) {
        for (k, &d) in indentations.iter().enumerate() {
            let Spring { stiffness, response, .. } = model.springs[k];
            let damped = model.damping.map_or(1.0, |c| (1.0 - c * self.velocity[k]).max(0.0));
            let mut p = time * stiffness * model.power.raise(d.max(0.0)) * damped;
            if p > 0.0 && response > 0.0 && self.restitution.at(model, k) < tol::COARSE_RESTITUTION
            {
                let u = model.normal_start[k] + dot(model.normal(k), x);
                p = p.min((-u / response).max(0.0));
            }
            self.normal[k] = p;
            x.iter_mut().zip(model.normal(k)).for_each(|(x, b)| *x += p * b);
        }
    }

    /// Friction impulses of a step: first from those of the last one; if these give energy, from none.
    fn rub(&mut self, model: &Model, x: &mut [f64]) {
        self.before.copy_from_slice(x);
        for warm in [true, false] {
            x.copy_from_slice(&self.before);
            for g in 0..self.friction.len() {
                let bound = self.bound(model, g);
                let part = if warm && bound.is_finite() { bound } else { 0.0 };
                self.friction[g] = self.last[g].map(|last| part * last);
                self.push(model, g, self.friction[g], x);
            }
            for _ in 0..tol::COARSE_SWEEPS {
                for g in 0..self.friction.len() {
                    self.sweep(model, g, x);
                }
            }
            let work: f64 = (0..self.friction.len())
                .map(|g| {
                    let (from, to) = (model.slip(g, &self.before), model.slip(g, x));
                    let f = self.friction[g];
                    f[0] * (from[0] + to[0]) + f[1] * (from[1] + to[1])
                })
                .sum();
            if work <= 0.0 {
                break;
            }
        }
        for g in 0..self.friction.len() {
            let bound = self.bound(model, g);
            let part = if bound > 0.0 && bound.is_finite() { 1.0 / bound } else { 0.0 };
            self.last[g] = self.friction[g].map(|f| part * f);
        }
    }

    fn bound(&self, model: &Model, g: usize) -> f64 {
        let contact = &model.frictional[g];
        match self.normal[contact.index] {
            normal if normal > 0.0 => contact.mu * normal,
            _ => 0.0,
        }
    }

    fn push(&self, model: &Model, g: usize, friction: [f64; 2], x: &mut [f64]) {
        for (c, f) in friction.into_iter().enumerate() {
            x.iter_mut().zip(model.tangent(g, c)).for_each(|(x, b)| *x += f * b);
        }
    }

    /// Friction of one contact, as far against its slip as its disc allows.
    fn sweep(&mut self, model: &Model, g: usize, x: &mut [f64]) {
        let bound = self.bound(model, g);
        if bound == 0.0 || self.tangential[g] == 0.0 {
            return;
        }
        let [slip, old] = [model.slip(g, x), self.friction[g]];
        let mut new = [0, 1].map(|c| old[c] - slip[c] / self.tangential[g]);
        let size = length(new);
        if size > bound {
            new = new.map(|f| f * (bound / size));
        }
        self.friction[g] = new;
        self.push(model, g, [new[0] - old[0], new[1] - old[1]], x);
    }
}

impl Impact {
    /// Follows what is left by coarse steps. False if it does not end.
    pub(super) fn finish_coarsely(&mut self) -> bool {
        self.coarse = true;
        let Self { dynamics, state, stick_slip, .. } = self;
        dynamics.friction_mode.fill(FrictionMode::Slides);
        stick_slip.update_sticking(dynamics, state);
        let model = &dynamics.model;
        let mut coarse = Coarse::new(model);
        let mut indentations = state.indentations().to_vec();
        let mut x = state.coordinates().to_vec();
        let mut ended = false;
        for step in 0..2 * tol::COARSE_STEPS {
            // What rings for longer is damped.
            if step == tol::COARSE_STEPS {
                coarse.restitution = Restitution::None;
            }
            coarse.find_velocities(model, &x);
            ended = (0..model.len()).all(|k| {
                let stored = match coarse.restitution.at(model, k) < tol::COARSE_RESTITUTION {
                    true => 0.0,
                    false => model.stored(k, indentations[k]),
                };
                let gives = 2.0 * stored * model.springs[k].response;
                coarse.velocity[k] >= -tol::COARSE_TAIL
                    && gives < tol::COARSE_TAIL * tol::COARSE_TAIL
            });
            if ended {
                break;
            }
            let time = coarse.step_length(model, &indentations);
            if !time.is_finite() {
                break;
            }
            coarse.drift(model, 0.5 * time, &mut indentations);
            coarse.press(model, time, &indentations, &mut x);
            coarse.rub(model, &mut x);
            coarse.find_velocities(model, &x);
            coarse.drift(model, 0.5 * time, &mut indentations);
            self.time += time;
            self.effort.steps += 1;
            let impulses = state.impulses_mut();
            impulses.normal.iter_mut().zip(&coarse.normal).for_each(|(p, more)| *p += more);
            for (p, more) in impulses.friction.iter_mut().zip(&coarse.friction) {
                *p = [p[0] + more[0], p[1] + more[1]];
            }
        }
        state.indentations_mut().copy_from_slice(&indentations);
        state.coordinates_mut().copy_from_slice(&x);
        ended
    }
}
