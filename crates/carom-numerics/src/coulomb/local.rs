//! One block alone: `ξ = v + K p` with a matrix of its own, solved exactly.

use super::problem::{Block, Kind, Triple};
use super::response::disc;
use super::tolerances::{FAR, SINGULAR};
use crate::roots::{bracketed_root, stationary_angles, unit_resolvent};
use nalgebra::Vector2;

/// `K` and `v` of one block. Rows and columns that it does not own are zero.
#[derive(Clone, Copy, Debug)]
pub struct Local {
    pub matrix: [Triple; 3],
    pub free: Triple,
    pub rows: usize,
}

/// The impulse that solves the block, the one with the smallest normal part if there are several. `None` if there is
/// none, or rounding hides it.
pub fn solve(block: &Block, local: &Local) -> Option<Triple> {
    let v = local.free;
    let k = local.matrix[0][0];
    match block.kind {
        Kind::Cone { mu, lower } if local.rows == 1 || mu == 0.0 => {
            Some([press(v[0], k, lower)?, 0.0, 0.0])
        }
        Kind::Cone { mu, lower } => local.cone(mu, lower),
        Kind::Disc { normal, mu } => {
            let [a, b] = local.friction(normal, disc(mu, normal));
            Some([normal, a, b])
        }
        Kind::Ray { tangent } => {
            let rise = k + local.matrix[0][1] * tangent[0] + local.matrix[0][2] * tangent[1];
            let normal = press(v[0], rise, 0.0)?;
            Some([normal, normal * tangent[0], normal * tangent[1]])
        }
        // One block of a relaxed problem is no easier than all of them.
        Kind::Relaxed { .. } => None,
        Kind::Push { impulse } => Some(impulse),
    }
}

/// The smallest `λ ≥ least` with `v + k λ ≥ 0`.
fn press(v: f64, k: f64, least: f64) -> Option<f64> {
    if v + k * least >= 0.0 {
        return Some(least);
    }
    (k > 0.0).then(|| -v / k)
}

impl Local {
    fn coupling(&self) -> Vector2<f64> {
        Vector2::new(self.matrix[1][0], self.matrix[2][0])
    }

    fn slip(&self) -> Vector2<f64> {
        Vector2::new(self.free[1], self.free[2])
    }

    fn turn(&self, x: Vector2<f64>) -> Vector2<f64> {
        let [_, [_, a, b], [_, _, d]] = self.matrix;
        Vector2::new(a * x.x + b * x.y, b * x.x + d * x.y)
    }

    /// Axes of the tangential block: `(cos, sin)` of the first one, and both eigenvalues.
    fn axes(&self) -> (Vector2<f64>, Vector2<f64>) {
        let [_, [_, a, b], [_, _, d]] = self.matrix;
        let half = 0.5 * (a - d);
        let radius = libm::hypot(half, b);
        let mean = 0.5 * (a + d);
        let angle = 0.5 * libm::atan2(b, half);
        let (sin, cos) = libm::sincos(angle);
        (Vector2::new(cos, sin), Vector2::new(mean + radius, (mean - radius).max(0.0)))
    }

    /// The friction of at most `radius` that goes with the normal impulse `normal`: always exactly one.
    fn friction(&self, normal: f64, radius: f64) -> [f64; 2] {
        let a = self.slip() + self.coupling() * normal;
        if radius == 0.0 || self.rows == 1 || a == Vector2::zeros() {
            return [0.0; 2];
        }
        if self.rows == 2 {
            let stop = -a.x / self.matrix[1][1];
            // NaN does not occur: a is not zero.
            return [stop.clamp(-radius, radius), 0.0];
        }
        let (axis, values) = self.axes();
        let turned = Vector2::new(axis.dot(&a), axis.perp(&a));
        let back = |x: Vector2<f64>| [axis.x * x.x - axis.y * x.y, axis.y * x.x + axis.x * x.y];
        let stop = turned.zip_map(&values, |a, d| if a == 0.0 { 0.0 } else { -a / d });
        if stop.norm() <= radius {
            return back(stop);
        }
        let (_, s) = unit_resolvent(turned, values * radius);
        back(s * -radius)
    }

    /// `K p = −v`.
    fn stop(&self) -> Option<Triple> {
        let mut m = self.matrix;
        let mut x = self.free.map(|v| -v);
        for i in 0..self.rows {
            if m[i][i] <= SINGULAR * self.matrix[i][i] || m[i][i].is_nan() {
                return None;
            }
            for j in i + 1..self.rows {
                let factor = m[j][i] / m[i][i];
                let pivot = m[i];
                for (x, p) in m[j].iter_mut().zip(pivot).skip(i) {
                    *x -= factor * p;
                }
                x[j] -= factor * x[i];
            }
        }
        for i in (0..self.rows).rev() {
            for j in i + 1..self.rows {
                x[i] -= m[i][j] * x[j];
            }
            x[i] /= m[i][i];
        }
        Some(x)
    }

    fn normal_velocity(&self, p: Triple) -> f64 {
        let row = self.matrix[0];
        self.free[0] + row[0] * p[0] + row[1] * p[1] + row[2] * p[2]
    }

    fn at(&self, mu: f64, normal: f64) -> Triple {
        let [a, b] = self.friction(normal, disc(mu, normal));
        [normal, a, b]
    }

    fn cone(&self, mu: f64, lower: f64) -> Option<Triple> {
        let least = self.at(mu, lower);
        if self.normal_velocity(least) >= 0.0 {
            return Some(least);
        }
        let mut best: Option<Triple> = None;
        let mut offer = |p: Triple| {
            if p[0] > lower && p[0].is_finite() && best.is_none_or(|best| p[0] < best[0]) {
                best = Some(p);
            }
        };
        if let Some(p) = self.stop() {
            let within = mu.is_infinite()
                || libm::hypot(p[1], p[2]) <= mu * p[0] * (1.0 + 4.0 * f64::EPSILON);
            if within {
                offer(p);
            }
        }
        if mu.is_finite() {
            match self.rows {
                2 => [1.0, -1.0]
                    .into_iter()
                    .filter_map(|s| self.sliding(mu, Vector2::new(s, 0.0)))
                    .for_each(&mut offer),
                _ => self.directions(mu, |s| {
                    if let Some(p) = self.sliding(mu, s) {
                        offer(p);
                    }
                }),
            }
        }
        best.or_else(|| self.by_bisection(mu, lower))
    }

    /// The impulse that leaves the block sliding in direction `s` with `ξ_n = 0`, if its slip is along `s`.
    fn sliding(&self, mu: f64, s: Vector2<f64>) -> Option<Triple> {
        let rise = self.matrix[0][0] - mu * self.coupling().dot(&s);
        let normal = -self.free[0] / rise;
        let left = self.slip() + (self.coupling() - self.turn(s) * mu) * normal;
        (normal > 0.0 && left.dot(&s) > 0.0)
            .then(|| [normal, -mu * normal * s.x, -mu * normal * s.y])
    }

    /// Directions of slip in which `ξ_n = 0` and friction can hold together: the roots of the trigonometric polynomial
    /// `s⊥·[v_t (k − μ c·s) − v_n (c − μ T s)]` of degree 2. Between its extrema there is at most one.
    fn directions(&self, mu: f64, mut found: impl FnMut(Vector2<f64>)) {
        let (k, c, v, vn) = (self.matrix[0][0], self.coupling(), self.slip(), self.free[0]);
        let [_, [_, t11, t12], [_, _, t22]] = self.matrix;
        let a0 = -0.5 * mu * (v.y * c.x - v.x * c.y);
        let (a1, b1) = (k * v.y - vn * c.y, vn * c.x - k * v.x);
        let a2 = mu * (vn * t12 - 0.5 * (v.y * c.x + v.x * c.y));
        let b2 = 0.5 * mu * (vn * (t22 - t11) - (v.y * c.y - v.x * c.x));
        let at = |theta: f64| {
            let (sin, cos) = libm::sincos(theta);
            let (sin2, cos2) = (2.0 * sin * cos, cos * cos - sin * sin);
            let value = a0 + a1 * cos + b1 * sin + a2 * cos2 + b2 * sin2;
            (value, b1 * cos - a1 * sin + 2.0 * (b2 * cos2 - a2 * sin2))
        };
        let (angles, count) = stationary_angles([-a1, b1], [-2.0 * a2, 2.0 * b2]);
        for i in 0..count {
            let (from, mut to) = (angles[i], angles[(i + 1) % count]);
            if to <= from {
                to += std::f64::consts::TAU;
            }
            let (first, last) = (at(from).0, at(to).0);
            if first == 0.0 || first * last < 0.0 {
                let theta = bracketed_root([(from, first), (to, last)], at);
                let (sin, cos) = libm::sincos(theta);
                found(Vector2::new(cos, sin));
            }
        }
    }

    /// The smallest impulse that parts the bodies, where rounding hides it from the roots.
    fn by_bisection(&self, mu: f64, lower: f64) -> Option<Triple> {
        // Where friction is infinite a block may slide without pressing: then its friction grows, not its normal part.
        let at = |reach: f64| match mu.is_infinite() {
            true => {
                let [a, b] = self.friction(lower, reach);
                [lower, a, b]
            }
            false => self.at(mu, reach),
        };
        let parts = |reach: f64| self.normal_velocity(at(reach)) >= 0.0;
        let speed = self.free.iter().fold(0.0, |m: f64, v| m.max(v.abs()));
        let first = speed / self.matrix[0][0];
        if !(first > 0.0 && first.is_finite()) {
            return None;
        }
        // Counted by itself: beside a large lower bound it is lost.
        let mut reach = first;
        let mut low = lower;
        while !parts(lower + reach) {
            low = lower + reach;
            reach *= 2.0;
            // Where sweeps have diverged the bound itself may be beyond all numbers.
            if reach > FAR * first || reach.is_infinite() {
                return None;
            }
        }
        let mut high = lower + reach;
        let mut middle = 0.5 * (low + high);
        while middle > low && middle < high {
            if parts(middle) {
                high = middle
            } else {
                low = middle
            }
            middle = 0.5 * (low + high);
        }
        Some(at(high))
    }
}
