//! Routh's law by quadrature over the direction of sliding, from ray to ray.
//!
//! In polar form, with `s = (cos θ, sin θ)` in the principal axes of `T`,
//! `dr/dp_n = g = c·s − μ s·Ts`, `r dθ/dp_n = f = c·s⊥ − μ s⊥·Ts`, `du_n/dp_n = q = k − μ c·s`.
//! The zeros of `f` are the rays. Between the ray behind, `θ_u`, and the ray ahead, `θ_s`, the variable `v` with
//! `θ = (θ_u + θ_s eᵛ)/(1 + eᵛ)` makes `φ = (dθ/dv)/f` smooth and bounded on the whole arc, and
//! `ln r = ∫ g φ`, `p_n = ∫ r φ`, `u_n = ∫ q r φ`, `w = ∫ u_n r φ` are four nested integrals over `v`.
//!
//! `u_n` turns where `q = 0`, at angles known beforehand; panels end there, so that `u_n` is monotone on each.

use super::rays::{Polar, bisect};
use super::{Path, Split, Stop};
use gauss_quad::GaussLegendre;
use std::f64::consts::TAU;

const NODES: usize = 16;

/// A panel is accepted when its halves give the same to this relative accuracy.
const PANEL_TOLERANCE: f64 = 2e-14;

/// From this `v` on the contact is on the ray to the last digit.
const ON_RAY: f64 = 38.0;

/// Below this share of the speed before the impact the contact does not slide.
const STANDSTILL: f64 = 1e-18;

const MOST_PANELS: u64 = 100_000;

/// The law's answer for a contact with finite friction and a positive definite matrix.
pub fn routh(split: &Split, stop: Stop) -> Path {
    let polar = Polar::new(split);
    let mut phases = Phases::new(split, stop);
    let mut state =
        State { ln_r: split.ut[0].hypot(split.ut[1]).ln(), un: split.un, ..State::default() };
    if split.un > 0.0 {
        return phases.path(&polar, &state);
    }
    let speed = split.ut[0].hypot(split.ut[1]).max(split.un.abs());
    let mut at_rest = split.ut == [0.0; 2];
    if !at_rest {
        match polar.arc() {
            None => {
                // Starts on a ray, or every direction is one.
                let direction = [polar.start.cos(), polar.start.sin()];
                match phases.along(&polar, &mut state, direction) {
                    Leg::Ended => return phases.path(&polar, &state),
                    Leg::Stopped => at_rest = true,
                }
            }
            Some(arc) => {
                let rule = Rule::new();
                match slide(&rule, &polar, &arc, &mut phases, &mut state, STANDSTILL * speed) {
                    Leg::Ended => return phases.path(&polar, &state),
                    Leg::Stopped => at_rest = true,
                }
            }
        }
    }
    debug_assert!(at_rest);
    phases.from_rest(&polar, &mut state);
    phases.path(&polar, &state)
}

/// How a leg of the path ends.
enum Leg {
    /// The bodies part.
    Ended,
    /// Sliding stops.
    Stopped,
}

/// The path so far.
#[derive(Clone, Copy, Debug, Default)]
struct State {
    ln_r: f64,
    un: f64,
    pn: f64,
    /// In principal axes.
    pt: [f64; 2],
    work: f64,
}

impl Polar {
    /// The arc between rays in which the contact starts; none if it starts on a ray.
    fn arc(&self) -> Option<Arc> {
        let size = self.c[0].abs() + self.c[1].abs() + self.mu * (self.t[0] + self.t[1]);
        let speed = self.f(self.start);
        if speed.abs() <= 4.0 * f64::EPSILON * size {
            return None;
        }
        let rays = self.angles();
        let ahead = rays.iter().map(|ray| (ray - self.start).rem_euclid(TAU)).fold(TAU, f64::min);
        let behind = rays.iter().map(|ray| (self.start - ray).rem_euclid(TAU)).fold(TAU, f64::min);
        // Directions measured from the start, positive the way θ moves.
        Some(if speed > 0.0 {
            Arc { from: self.start - behind, width: ahead + behind, v: (behind / ahead).ln() }
        } else {
            Arc { from: self.start + ahead, width: -(ahead + behind), v: (ahead / behind).ln() }
        })
    }
}

/// The arc from the ray behind to the ray ahead.
struct Arc {
    from: f64,
    width: f64,
    /// Where the contact starts.
    v: f64,
}

impl Arc {
    /// The direction and `φ` at `v`.
    fn at(&self, polar: &Polar, v: f64) -> ([f64; 2], f64) {
        let share = 1.0 / (1.0 + (-v).exp());
        let left = 1.0 / (1.0 + v.exp());
        let f = if v < 0.0 {
            polar.f_about(self.from, self.width * share)
        } else {
            polar.f_about(self.from + self.width, -self.width * left)
        };
        let theta = self.from + self.width * share;
        ([theta.cos(), theta.sin()], self.width * share * left / f)
    }

    /// Where `q` changes sign on the way, in order.
    fn turns(&self, polar: &Polar) -> Vec<f64> {
        let coupling = polar.mu * polar.c[0].hypot(polar.c[1]);
        if coupling <= polar.k {
            return Vec::new();
        }
        let (middle, half) = (polar.c[1].atan2(polar.c[0]), (polar.k / coupling).acos());
        let mut turns: Vec<f64> = [middle - half, middle + half]
            .into_iter()
            .filter_map(|theta| {
                let along = (theta - self.from) * self.width.signum();
                let share = along.rem_euclid(TAU) / self.width.abs();
                (share > 0.0 && share < 1.0).then(|| (share / (1.0 - share)).ln())
            })
            .filter(|v| *v > self.v)
            .collect();
        turns.sort_by(f64::total_cmp);
        turns
    }
}

/// Gauss nodes on `[0, 1]` and the integrals of their Lagrange polynomials up to each node and to the end.
struct Rule {
    nodes: [f64; NODES],
    up_to: [[f64; NODES]; NODES + 1],
}

impl Rule {
    fn new() -> Self {
        let gauss = GaussLegendre::new(NODES.try_into().unwrap_or_else(|_| unreachable!("16 > 0")));
        let mut pairs: Vec<(f64, f64)> =
            gauss.iter().map(|(node, weight)| (0.5 * (1.0 + *node), 0.5 * *weight)).collect();
        pairs.sort_by(|a, b| a.0.total_cmp(&b.0));
        let nodes: [f64; NODES] = std::array::from_fn(|i| pairs[i].0);
        let lagrange = |j: usize, x: f64| -> f64 {
            (0..NODES).filter(|m| *m != j).map(|m| (x - nodes[m]) / (nodes[j] - nodes[m])).product()
        };
        // The polynomials have degree 15, which the same rule, scaled to [0, x], integrates exactly.
        let up_to = std::array::from_fn(|i| {
            let x = if i < NODES { nodes[i] } else { 1.0 };
            std::array::from_fn(|j| {
                pairs.iter().map(|(node, weight)| x * weight * lagrange(j, x * node)).sum()
            })
        });
        Self { nodes, up_to }
    }

    fn integral(&self, i: usize, width: f64, values: &[f64; NODES]) -> f64 {
        width * self.up_to[i].iter().zip(values).map(|(w, x)| w * x).sum::<f64>()
    }

    /// The state after `width` more of `v`.
    fn advance(&self, polar: &Polar, arc: &Arc, from: &State, v: f64, width: f64) -> State {
        let (mut s, mut phi) = ([[0.0; 2]; NODES], [0.0; NODES]);
        for i in 0..NODES {
            (s[i], phi[i]) = arc.at(polar, v + width * self.nodes[i]);
        }
        let growth: [f64; NODES] = std::array::from_fn(|i| polar.g(s[i]) * phi[i]);
        let weight: [f64; NODES] =
            std::array::from_fn(|i| (from.ln_r + self.integral(i, width, &growth)).exp() * phi[i]);
        let lift: [f64; NODES] = std::array::from_fn(|i| polar.q(s[i]) * weight[i]);
        let power: [f64; NODES] =
            std::array::from_fn(|i| (from.un + self.integral(i, width, &lift)) * weight[i]);
        let friction = [0, 1].map(|j| std::array::from_fn(|i| -polar.mu * s[i][j] * weight[i]));
        State {
            ln_r: from.ln_r + self.integral(NODES, width, &growth),
            un: from.un + self.integral(NODES, width, &lift),
            pn: from.pn + self.integral(NODES, width, &weight),
            pt: [0, 1].map(|j| from.pt[j] + self.integral(NODES, width, &friction[j])),
            work: from.work + self.integral(NODES, width, &power),
        }
    }

    /// A panel as wide as accuracy allows, at most `width`, and the state at its end.
    fn panel(
        &self,
        polar: &Polar,
        arc: &Arc,
        from: &State,
        v: f64,
        mut width: f64,
    ) -> (f64, State) {
        loop {
            let whole = self.advance(polar, arc, from, v, width);
            let half = self.advance(polar, arc, from, v, 0.5 * width);
            let halves = self.advance(polar, arc, &half, v + 0.5 * width, 0.5 * width);
            // Beyond the rounding of φ, which grows where two rays nearly meet.
            let noise = PANEL_TOLERANCE.max(8.0 * f64::EPSILON * width.abs());
            let close = |a: f64, b: f64, start: f64| {
                (a - b).abs() <= noise * (a - start).abs().max(b.abs())
            };
            let fine = (whole.ln_r - halves.ln_r).abs() <= noise * 4.0
                && close(whole.pn, halves.pn, from.pn)
                && close(whole.un, halves.un, from.un)
                && close(whole.work, halves.work, from.work);
            if fine || width < 1e-12 {
                return (width, halves);
            }
            width *= 0.5;
        }
    }
}

/// Follows the arc until the bodies part or sliding stops.
fn slide(
    rule: &Rule,
    polar: &Polar,
    arc: &Arc,
    phases: &mut Phases,
    state: &mut State,
    standstill: f64,
) -> Leg {
    let mut turns = arc.turns(polar);
    turns.push(f64::INFINITY);
    let mut v = arc.v;
    // `left` is kept beside `v`, so that a panel that ends at a turn ends there exactly.
    for turn in turns {
        let mut left = turn - v;
        while left > 0.0 {
            phases.panels += 1;
            assert!(phases.panels < MOST_PANELS, "no end after {MOST_PANELS} panels");
            let wanted = left.min(1.0);
            let (width, end) = rule.panel(polar, arc, state, v, wanted);
            let at = |w: f64| rule.advance(polar, arc, state, v, w);
            if let Some(stopped) = phases.monotone(*state, end, width, at) {
                *state = stopped;
                return Leg::Ended;
            }
            *state = end;
            v += width;
            left = if width == left { 0.0 } else { left - width };
            if state.ln_r < standstill.ln() {
                return Leg::Stopped;
            }
            if v > ON_RAY && turn.is_infinite() {
                return phases.along(polar, state, arc.at(polar, v).0);
            }
        }
        v = turn;
    }
    Leg::Stopped
}

/// The account of compression and restitution.
struct Phases {
    stop: Stop,
    e: f64,
    un0: f64,
    compression_impulse: f64,
    compression_work: f64,
    restitution_impulse: f64,
    restitution_work: f64,
    compressions: u32,
    compressing: bool,
    panels: u64,
}

impl Phases {
    fn new(split: &Split, stop: Stop) -> Self {
        Self {
            stop,
            e: split.e,
            un0: split.un,
            compression_impulse: 0.0,
            compression_work: 0.0,
            restitution_impulse: 0.0,
            restitution_work: 0.0,
            compressions: 0,
            compressing: false,
            panels: 0,
        }
    }

    /// By how much the stop condition is exceeded at `state`, expanding since `since`.
    fn excess(&self, since: &State, state: &State) -> f64 {
        match self.stop {
            Stop::Poisson => {
                self.restitution_impulse + (state.pn - since.pn) - self.e * self.compression_impulse
            }
            Stop::Stronge => {
                self.restitution_work
                    + (state.work - since.work)
                    + self.e * self.e * self.compression_work
            }
            Stop::Newton => state.un + self.e * self.un0,
        }
    }

    fn compress(&mut self, from: &State, to: &State) {
        if !self.compressing {
            self.compressions += 1;
        }
        self.compressing = true;
        self.compression_impulse += to.pn - from.pn;
        self.compression_work += to.work - from.work;
    }

    /// Accounts for a piece on which `u_n` is monotone, `at(x)` being its state after `x` of `width`; the state at
    /// which the bodies part, if they do.
    fn monotone(
        &mut self,
        start: State,
        end: State,
        width: f64,
        at: impl Fn(f64) -> State,
    ) -> Option<State> {
        if start.un < 0.0 && end.un < 0.0 {
            self.compress(&start, &end);
            return None;
        }
        if start.un < 0.0 {
            let x = bisect(0.0, width, |x| at(x).un);
            let zero = at(x);
            self.compress(&start, &zero);
            return self.expand(zero, end, x, width, &at);
        }
        if end.un < 0.0 {
            let x = bisect(0.0, width, |x| -at(x).un);
            let zero = at(x);
            let stopped =
                if self.compressions == 0 { None } else { self.expand(start, zero, 0.0, x, &at) };
            if stopped.is_none() {
                self.compress(&zero, &end);
            }
            return stopped;
        }
        self.expand(start, end, 0.0, width, &at)
    }

    fn expand(
        &mut self,
        start: State,
        end: State,
        from: f64,
        to: f64,
        at: &impl Fn(f64) -> State,
    ) -> Option<State> {
        let stopped = if self.excess(&start, &start) >= 0.0 {
            Some(start)
        } else if self.excess(&start, &end) >= 0.0 {
            Some(at(bisect(from, to, |x| self.excess(&start, &at(x)))))
        } else {
            None
        };
        let until = stopped.unwrap_or(end);
        self.compressing &= until.pn == start.pn;
        self.restitution_impulse += until.pn - start.pn;
        self.restitution_work += until.work - start.work;
        stopped
    }

    /// Along a ray: everything is linear in the normal impulse until sliding stops, if it does.
    fn along(&mut self, polar: &Polar, state: &mut State, s: [f64; 2]) -> Leg {
        let (g, q, r) = (polar.g(s), polar.q(s), state.ln_r.exp());
        let friction = s.map(|x| -polar.mu * x);
        let length = if g < 0.0 { -r / g } else { f64::INFINITY };
        self.linear(state, q, friction, length)
    }

    fn from_rest(&mut self, polar: &Polar, state: &mut State) {
        // |(λ + μT)⁻¹c| falls with λ; friction holds the contact if it is at most one for λ = 0.
        let direction = |lambda: f64| [0, 1].map(|i| polar.c[i] / (lambda + polar.mu * polar.t[i]));
        let excess = |lambda: f64| {
            let s = direction(lambda);
            1.0 - s[0].hypot(s[1])
        };
        let lambda = if excess(0.0) >= 0.0 {
            0.0
        } else {
            bisect(0.0, polar.c[0].hypot(polar.c[1]), excess)
        };
        let s = direction(lambda);
        let friction = s.map(|x| -polar.mu * x);
        self.linear(state, polar.q(s), friction, f64::INFINITY);
    }

    /// `u_n` changes by `q` per unit of normal impulse, for at most `length` of it.
    fn linear(&mut self, state: &mut State, q: f64, friction: [f64; 2], length: f64) -> Leg {
        let start = *state;
        let at = |p: f64| State {
            ln_r: start.ln_r,
            un: start.un + q * p,
            pn: start.pn + p,
            pt: [0, 1].map(|j| start.pt[j] + friction[j] * p),
            work: start.work + (start.un + 0.5 * q * p) * p,
        };
        // Long enough for any stop: to u_n = 0 and as much again, e ≤ 1.
        let ample = if q > 0.0 {
            let spring =
                (2.0 * (self.compression_work.abs() + start.un * start.un / (2.0 * q)) / q).sqrt();
            4.0 * (start.un.abs() / q + self.compression_impulse + spring + self.un0.abs() / q)
        } else {
            f64::INFINITY
        };
        let reach = length.min(ample);
        assert!(reach.is_finite(), "a contact that never parts: q = {q}");
        match self.monotone(start, at(reach), reach, at) {
            Some(stopped) => {
                *state = stopped;
                Leg::Ended
            }
            None => {
                *state = at(reach);
                Leg::Stopped
            }
        }
    }

    fn path(&self, polar: &Polar, state: &State) -> Path {
        let [x, y] =
            [0, 1].map(|i| polar.axes[i][0] * state.pt[0] + polar.axes[i][1] * state.pt[1]);
        Path {
            impulse: [state.pn, x, y],
            compressions: self.compressions,
            compression_work: self.compression_work,
            restitution_work: self.restitution_work,
            cost: self.panels,
        }
    }
}
