//! Algebraic laws by sampling, multistart and bisection: slow, but with nothing to get wrong.

use super::Split;
use crate::Rng;
use nalgebra::{Matrix2, Matrix3, Vector2, Vector3};
use std::f64::consts::TAU;

/// Directions in which a sliding solution is looked for.
const DIRECTIONS: usize = 20_000;

fn tangential(split: &Split) -> (Matrix2<f64>, Vector2<f64>) {
    let [xx, xy, yy] = split.t;
    (Matrix2::new(xx, xy, xy, yy), Vector2::from(split.c))
}

/// Where `f` changes sign between `low` and `high`, to the last bit.
fn bisect(mut low: f64, mut high: f64, f: impl Fn(f64) -> f64) -> f64 {
    let negative_first = f(low) < 0.0;
    loop {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            return middle;
        }
        if (f(middle) < 0.0) == negative_first {
            low = middle;
        } else {
            high = middle;
        }
    }
}

/// The friction impulse that goes with the normal impulse `pn` if the direction of the final slip decides: sticking
/// if the cone allows it, else `(r + μ pn T) s = u_t + pn c` with `|s| = 1`, by bisection for `r`.
pub fn proximal_step(split: &Split, pn: f64) -> [f64; 2] {
    let (t, c) = tangential(split);
    let a = Vector2::from(split.ut) + c * pn;
    let reach = split.mu * pn;
    let direction = |r: f64| {
        (Matrix2::identity() * r + t * reach)
            .try_inverse()
            .map_or(Vector2::repeat(f64::INFINITY), |m| m * a)
    };
    if reach == 0.0 {
        return [0.0; 2];
    }
    if direction(0.0).norm() <= 1.0 {
        return (direction(0.0) * -reach).into();
    }
    let r = bisect(0.0, a.norm(), |r| direction(r).norm() - 1.0);
    (direction(r) * -reach).into()
}

/// Every solution of Whittaker's equations, sorted by normal impulse: sticking by elimination, sliding by sampling
/// the direction of the final slip. Two solutions closer than the sampling are missed together.
pub fn whittaker(split: &Split) -> Vec<[f64; 3]> {
    let (t, c) = tangential(split);
    let (ut, change) = (Vector2::from(split.ut), -(1.0 + split.e) * split.un);
    let mut found = Vec::new();
    let w = Matrix3::new(split.k, c.x, c.y, c.x, t[(0, 0)], t[(0, 1)], c.y, t[(1, 0)], t[(1, 1)]);
    if let Some(p) = w.lu().solve(&Vector3::new(change, -ut.x, -ut.y)) {
        if p.x > 0.0 && p.yz().norm() <= split.mu * p.x {
            found.push([p.x, p.y, p.z]);
        }
    }
    // At the final direction s: p_n = change/q and the slip that remains, u_t + p_n (c − μTs), points along s.
    let terms = |theta: f64| {
        let s = Vector2::new(theta.cos(), theta.sin());
        let q = split.k - split.mu * c.dot(&s);
        (s, q, ut * q + (c - t * s * split.mu) * change)
    };
    let across = |theta: f64| {
        let (s, _, slip) = terms(theta);
        s.x * slip.y - s.y * slip.x
    };
    for i in 0..DIRECTIONS {
        // An odd offset: no direction of a problem posed in round numbers is hit exactly.
        let [low, high] = [i, i + 1].map(|i| (i as f64 + 0.123_456) * TAU / DIRECTIONS as f64);
        if (across(low) < 0.0) == (across(high) < 0.0) {
            continue;
        }
        let (s, q, slip) = terms(bisect(low, high, across));
        if q > 0.0 && slip.dot(&s) > 0.0 {
            let (pn, pt) = (change / q, s * (-split.mu * change / q));
            found.push([pn, pt.x, pt.y]);
        }
    }
    found.sort_by(|a, b| a[0].total_cmp(&b[0]));
    found
}

/// Solutions of Smith's equations found by Newton's method from many starts, sorted by normal impulse. It can miss
/// solutions; it cannot invent any.
pub fn smith(split: &Split, rng: &mut Rng, starts: usize) -> Vec<[f64; 3]> {
    let (t, c) = tangential(split);
    let ut0 = Vector2::from(split.ut);
    let change = -(1.0 + split.e) * split.un;
    let ratio = |ut: Vector2<f64>| {
        let weight = ut0.norm_squared() + ut.norm_squared();
        (ut0 * ut0.norm() + ut * ut.norm()) / weight
    };
    let normal = |ut: Vector2<f64>| change / (split.k - split.mu * c.dot(&ratio(ut)));
    let residual = |ut: Vector2<f64>| ut - ut0 - (c - t * ratio(ut) * split.mu) * normal(ut);
    let mut found: Vec<[f64; 3]> = Vec::new();
    for start in 0..starts {
        let spread = ut0.norm() * rng.log_uniform(1e-2, 10.0);
        let mut ut =
            if start == 0 { ut0 } else { Vector2::new(rng.normal(), rng.normal()) * spread };
        for _ in 0..60 {
            let h = 1e-7 * (ut.norm() + 1e-3 * ut0.norm());
            let slope = |d: Vector2<f64>| (residual(ut + d * h) - residual(ut - d * h)) / (2.0 * h);
            let jacobian = Matrix2::from_columns(&[slope(Vector2::x()), slope(Vector2::y())]);
            let Some(step) = jacobian.lu().solve(&residual(ut)) else {
                break;
            };
            // Damped: a step never moves farther than the speeds at hand.
            let limit = 2.0 * (ut.norm() + ut0.norm());
            ut -= step * (limit / step.norm().max(limit));
        }
        let (pn, w) = (normal(ut), ratio(ut));
        let size = ut0.norm() + (c * pn).norm() + (t * w * (split.mu * pn)).norm();
        if !(pn > 0.0 && residual(ut).norm() <= 1e-12 * size) {
            continue;
        }
        let p = [pn, -split.mu * pn * w.x, -split.mu * pn * w.y];
        let known =
            found.iter().any(|q| crate::assert::distance(q, &p) <= 1e-8 * crate::assert::norm(&p));
        if !known {
            found.push(p);
        }
    }
    found.sort_by(|a, b| a[0].total_cmp(&b[0]));
    found
}

/// The largest `−u_n⁺/u_n⁻` of any permissible impulse, by zooming into a grid over the ratios `m = p_t/p_n`, `|m| ≤ μ`:
/// for each the energy bounds `p_n` by `−2 (u_n + m·u_t)/(k + 2 c·m + m·Tm)`.
pub fn largest_restitution(split: &Split) -> f64 {
    let (t, c) = tangential(split);
    let ut = Vector2::from(split.ut);
    let value = |m: Vector2<f64>| {
        let pn = -2.0 * (split.un + m.dot(&ut)) / (split.k + 2.0 * c.dot(&m) + m.dot(&(t * m)));
        let after = split.un + pn.max(0.0) * (split.k + c.dot(&m));
        -after / split.un
    };
    let inside = |m: Vector2<f64>| m * (split.mu / m.norm().max(split.mu)).min(1.0);
    let (mut centre, mut width) = (Vector2::zeros(), split.mu);
    let mut best = value(centre);
    for _ in 0..40 {
        let around = centre;
        for i in -20..=20 {
            for j in -20..=20 {
                let offset = Vector2::new(f64::from(i), f64::from(j)) * (width / 20.0);
                let m = inside(around + offset);
                if value(m) > best {
                    (best, centre) = (value(m), m);
                }
            }
        }
        width *= 0.5;
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::generic_set;

    #[test]
    fn a_whittaker_solution_is_a_fixed_point_of_the_proximal_step() {
        for contact in generic_set(21, 50) {
            let split = Split::from(&contact);
            let solutions = whittaker(&split);
            assert!(!solutions.is_empty(), "{contact:?}");
            for p in solutions {
                let pt = proximal_step(&split, p[0]);
                crate::assert_close!(pt, [p[1], p[2]], tol = 1e-9, scale = crate::assert::norm(&p));
            }
        }
    }

    #[test]
    fn the_largest_restitution_of_the_spinning_disk_is_17() {
        // k = 1, T = 3, μ = ½, |u_t|/|u_n| = 29.5: e_max = 2 (1 + μ 29.5)/(1 + 3 μ²) − 1 = 17.
        let split = Split {
            k: 1.0,
            c: [0.0; 2],
            t: [3.0, 0.0, 3.0],
            un: -1.0,
            ut: [-29.5, 0.0],
            mu: 0.5,
            e: 0.7,
        };
        crate::assert_close!(largest_restitution(&split), 17.0, tol = 1e-12);
    }
}
