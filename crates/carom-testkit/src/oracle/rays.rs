//! Sliding in polar form, and the rays: the directions in which it keeps its direction.

use super::Split;
use std::f64::consts::{PI, TAU};

/// A direction of constant sliding.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    /// Its angle from the first tangent, in `[0, 2π)` \[rad\].
    pub angle: f64,
    /// `g = dr/dp_n`: positive if the contact speeds up along it [1/kg].
    pub growth: f64,
    /// `f' = d(r dθ/dp_n)/dθ`: negative if neighbouring directions turn towards it [1/kg].
    pub turning: f64,
}

impl Ray {
    /// `ρ = g/f'`, the power with which `r` follows the distance to the ray \[1\].
    pub fn exponent(&self) -> f64 {
        self.growth / self.turning
    }
}

/// The rays of a contact, sorted by angle: two, or four if `|c1|^⅔ + |c2|^⅔ < (μ (t2 − t1))^⅔` in the principal axes.
pub fn rays(split: &Split) -> Vec<Ray> {
    let polar = Polar::new(split);
    let mut rays: Vec<Ray> = polar
        .angles()
        .into_iter()
        .map(|theta| {
            let (sin, cos) = theta.sin_cos();
            let [x, y] = [0, 1].map(|i| polar.axes[i][0] * cos + polar.axes[i][1] * sin);
            let stiffness = polar.mu * (polar.t[1] - polar.t[0]) * (2.0 * theta).cos();
            Ray {
                angle: y.atan2(x).rem_euclid(TAU),
                growth: polar.g([cos, sin]),
                turning: -polar.c[1] * sin - polar.c[0] * cos - stiffness,
            }
        })
        .collect();
    rays.sort_by(|a, b| a.angle.total_cmp(&b.angle));
    rays
}

/// Whether the astroid condition for four rays holds.
pub fn has_four_rays(split: &Split) -> bool {
    let polar = Polar::new(split);
    let [x, y] = polar.c.map(|c| (c * c).cbrt());
    let width = polar.mu * (polar.t[1] - polar.t[0]);
    x + y < (width * width).cbrt()
}

/// The contact in the principal axes of `T`, mirrored so that `c ≥ 0`.
pub(super) struct Polar {
    pub k: f64,
    pub c: [f64; 2],
    pub t: [f64; 2],
    pub mu: f64,
    /// Direction of sliding before the impact.
    pub start: f64,
    /// Columns: the principal axes in the contact's own, mirrors included.
    pub axes: [[f64; 2]; 2],
}

impl Polar {
    pub fn new(split: &Split) -> Self {
        let [xx, xy, yy] = split.t;
        let turn = 0.5 * (2.0 * xy).atan2(xx - yy);
        // The first axis is the one of the smaller eigenvalue.
        let (sin, cos) = (turn + 0.5 * PI).sin_cos();
        let mut axes = [[cos, -sin], [sin, cos]];
        for j in 0..2 {
            if axes[0][j] * split.c[0] + axes[1][j] * split.c[1] < 0.0 {
                axes[0][j] = -axes[0][j];
                axes[1][j] = -axes[1][j];
            }
        }
        let into = |v: [f64; 2]| [0, 1].map(|j| axes[0][j] * v[0] + axes[1][j] * v[1]);
        let quadratic = |j: usize| {
            let (x, y) = (axes[0][j], axes[1][j]);
            xx * x * x + 2.0 * xy * x * y + yy * y * y
        };
        let u = into(split.ut);
        Self {
            k: split.k,
            c: into(split.c),
            t: [quadratic(0), quadratic(1)],
            mu: split.mu,
            start: u[1].atan2(u[0]).rem_euclid(TAU),
            axes,
        }
    }

    pub fn f(&self, theta: f64) -> f64 {
        let (sin, cos) = theta.sin_cos();
        self.c[1] * cos - self.c[0] * sin - self.mu * (self.t[1] - self.t[0]) * sin * cos
    }

    pub fn g(&self, [x, y]: [f64; 2]) -> f64 {
        self.c[0] * x + self.c[1] * y - self.mu * (self.t[0] * x * x + self.t[1] * y * y)
    }

    pub fn q(&self, [x, y]: [f64; 2]) -> f64 {
        self.k - self.mu * (self.c[0] * x + self.c[1] * y)
    }

    /// `f(θ_i + δ)` about a ray, without cancellation.
    pub fn f_about(&self, ray: f64, delta: f64) -> f64 {
        let (sin, cos) = ray.sin_cos();
        let first = self.c[1] * cos - self.c[0] * sin;
        let second = -self.c[1] * sin - self.c[0] * cos;
        let double = -0.5 * self.mu * (self.t[1] - self.t[0]) * (2.0 * ray).cos();
        2.0 * first * (1.5 * delta).sin() * (0.5 * delta).sin()
            + delta.sin() * (second + 2.0 * double * delta.cos())
    }

    /// The rays, in `[0, 2π]`: with `c ≥ 0` one in the first quadrant, one in the third, and a pair in the second
    /// if the astroid condition holds.
    pub fn angles(&self) -> Vec<f64> {
        let root = |low: f64, high: f64, rising: bool| {
            bisect(low, high, |theta| if rising { self.f(theta) } else { -self.f(theta) })
        };
        let mut rays = vec![root(0.0, 0.5 * PI, false), root(PI, 1.5 * PI, true)];
        let crest = PI - (self.c[1] / self.c[0]).cbrt().atan();
        if self.f(crest) > 0.0 {
            rays.push(root(0.5 * PI, crest, true));
            rays.push(root(crest, PI, false));
        }
        rays.sort_by(f64::total_cmp);
        rays
    }
}

/// Where `f`, below zero at `low` and not below at `high`, changes sign, to the last bit.
pub(super) fn bisect(mut low: f64, mut high: f64, f: impl Fn(f64) -> f64) -> f64 {
    loop {
        let middle = 0.5 * (low + high);
        if middle <= low.min(high) || middle >= low.max(high) {
            return high;
        }
        if f(middle) < 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
}
