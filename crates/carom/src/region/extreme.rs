//! The farthest points of the region.

use super::PermissibleRegion;
use super::exit::unbounded_direction;
use super::scaled::{Scaled, square};
use crate::contact::ContactVec;
use core::f64::consts::TAU;

/// Directions that should gain nothing may seem to gain this much of the speed.
const RELATIVE_NOISE: f64 = 64.0 * f64::EPSILON;

/// Points of the uniform grid.
const GRID: u32 = 64;

/// Peaks are no narrower than the square root of the smallest eigenvalue that counts, relative: about 3e-7.
const NARROWEST: f64 = 1e-7;

/// The fastest rebound that the inequalities allow.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LargestRestitution<const D: usize> {
    /// `−u_n⁺/u_n⁻` \[1\].
    pub e: f64,
    /// The impulse that attains it, on the boundary to within rounding [N·s].
    pub impulse: ContactVec<D>,
}

impl<const D: usize> PermissibleRegion<D> {
    /// The largest kinematic restitution of any permissible impulse; with friction it can exceed 1 by far. Absent
    /// unless the bodies approach and `W_nn > 0`, and where a singular `W` leaves it without bound.
    pub fn largest_restitution(&self) -> Option<LargestRestitution<D>> {
        let s = &self.scaled;
        if !(self.is_constructible() && s.approach() > 0.0) {
            return None;
        }
        // u_n⁺ = u_n⁻ + g·p with g the normal row of W.
        let best = s.settle(&s.centre(), farthest(s, &ContactVec::new(s.w[0]))?);
        let e = s.after(&best).normal() / s.approach();
        let impulse = s.grow(best);
        (e.is_finite() && impulse.is_finite()).then_some(LargestRestitution { e, impulse })
    }
}

/// The impulse on the energy ellipsoid and in the cone that is farthest along `g`, where that is positive. Absent
/// if there is no farthest one.
pub(crate) fn farthest<const D: usize>(s: &Scaled<D>, g: &ContactVec<D>) -> Option<ContactVec<D>> {
    // Along a locked direction that takes energy out, every rebound can be paid for.
    if unbounded_direction(s).is_some_and(|d| d.dot(&s.u) < -RELATIVE_NOISE * s.u.norm()) {
        return None;
    }
    // The ellipsoid alone: its normal u⁺ is parallel to g.
    if let Some(p) = farthest_on_ellipsoid(s, g).filter(|p| s.in_cone(p)) {
        return Some(p);
    }
    // Otherwise cone and ellipsoid both end there: a problem in the angle about the normal.
    match D {
        1 => along(s, &ray(s, [0.0; 2])),
        2 => [[1.0, 0.0], [-1.0, 0.0]]
            .into_iter()
            .filter_map(|side| along(s, &ray(s, side)))
            .max_by(|p, q| p.dot(g).total_cmp(&q.dot(g))),
        _ => farthest_on_cone(s, g),
    }
}

fn farthest_on_ellipsoid<const D: usize>(
    s: &Scaled<D>,
    g: &ContactVec<D>,
) -> Option<ContactVec<D>> {
    let (centre, available) = (s.sticking()?, s.energy_available()?);
    let locked = (0..D)
        .filter(|&i| s.values[i] == 0.0)
        .any(|i| s.axes[i].dot(g).abs() > RELATIVE_NOISE * g.norm());
    if locked {
        return None;
    }
    let direction = s.solve(g);
    let q = direction.dot(g);
    (q > 0.0).then(|| centre + direction * f64::sqrt(2.0 * available / q))
}

/// The cone's generator over a tangential direction.
fn ray<const D: usize>(s: &Scaled<D>, side: [f64; 2]) -> ContactVec<D> {
    match D {
        1 => ContactVec::from_parts(1.0, [0.0; 2]),
        _ => ContactVec::from_parts(s.alpha, side.map(|x| x * s.beta)),
    }
}

/// The impulse along `r` that keeps all energy: where the ray from the origin leaves the ellipsoid.
pub(crate) fn along<const D: usize>(s: &Scaled<D>, r: &ContactVec<D>) -> Option<ContactVec<D>> {
    let (work, q) = (r.dot(&s.u), s.quadratic(r));
    if work >= 0.0 || q <= 0.0 {
        return None;
    }
    Some(*r * (-2.0 * work / q)).filter(|p| p.norm() <= s.reach)
}

/// The maximum over the curve in which the cone cuts the ellipsoid. `p = −2 (r·u)/(rᵀWr) r` on generator `r(θ)`,
/// so `g·p` is a quotient of trigonometric polynomials whose peaks are as narrow as the minima of `rᵀWr` are deep:
/// a grid that condenses there brackets each of them, and the slope's sign then locates it.
fn farthest_on_cone<const D: usize>(s: &Scaled<D>, g: &ContactVec<D>) -> Option<ContactVec<D>> {
    let at = |theta: f64| ray(s, [libm::cos(theta), libm::sin(theta)]);
    let turned = |theta: f64| {
        ContactVec::<D>::from_parts(0.0, [-s.beta * libm::sin(theta), s.beta * libm::cos(theta)])
    };
    let value = |theta: f64| along(s, &at(theta)).map_or(f64::NEG_INFINITY, |p| p.dot(g));
    let slope = |theta: f64| {
        let (r, dr) = (at(theta), turned(theta));
        let (work, gain) = (r.dot(&s.u), r.dot(g));
        let product = dr.dot(&s.u) * gain + work * dr.dot(g);
        2.0 * work * gain * dr.dot(&s.apply(&r)) - product * s.quadratic(&r)
    };
    let resistance_slope = |theta: f64| turned(theta).dot(&s.apply(&at(theta)));

    let step = TAU / f64::from(GRID);
    let mut angles: Vec<f64> = (0..GRID).map(|i| f64::from(i) * step).collect();
    for i in 0..GRID {
        let (low, high) = (f64::from(i) * step, f64::from(i + 1) * step);
        if resistance_slope(low) <= 0.0 && resistance_slope(high) >= 0.0 {
            let minimum = bisect(|theta| -resistance_slope(theta), low, high);
            angles.push(minimum);
            let mut offset = step;
            while offset > NARROWEST {
                angles.extend([minimum - offset, minimum + offset]);
                offset *= 0.5;
            }
        }
    }
    angles.iter_mut().for_each(|a| *a -= TAU * libm::floor(*a / TAU));
    angles.sort_by(f64::total_cmp);
    let values: Vec<f64> = angles.iter().map(|a| value(*a)).collect();
    let n = angles.len();
    let mut best: Option<(f64, f64)> = None;
    for i in 0..n {
        let (before, after) = ((i + n - 1) % n, (i + 1) % n);
        if values[i] < values[before] || values[i] < values[after] || values[i].is_infinite() {
            continue;
        }
        let low = angles[before] - if i == 0 { TAU } else { 0.0 };
        let high = angles[after] + if i == n - 1 { TAU } else { 0.0 };
        let peak = if slope(low) > 0.0 && slope(high) < 0.0 {
            bisect(slope, low, high)
        } else {
            angles[i]
        };
        for angle in [peak, angles[i]] {
            let candidate = value(angle);
            if best.is_none_or(|(_, most)| candidate > most) {
                best = Some((angle, candidate));
            }
        }
    }
    best.and_then(|(angle, _)| along(s, &at(angle)))
}

/// A zero of a function that falls from positive at `low` to negative at `high`.
fn bisect(f: impl Fn(f64) -> f64, mut low: f64, mut high: f64) -> f64 {
    loop {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            return middle;
        }
        if f(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
}

/// `max g·p` over the ellipsoid and the cone, and with them the region. The origin belongs to both.
pub(crate) fn support<const D: usize>(s: &Scaled<D>, g: &ContactVec<D>) -> f64 {
    farthest(s, g).map_or(0.0, |p| p.dot(g).max(0.0))
}

/// A bound below `p_n` over the region: `p_n (W_nn + c·p_t/p_n) ≥ |u_n⁻|`, and `|p_t|/p_n ≤ μ`.
pub(crate) fn lowest<const D: usize>(s: &Scaled<D>) -> f64 {
    let coupling = f64::sqrt((1..D).map(|i| square(s.w[0][i])).sum());
    s.alpha * s.approach() / (s.alpha * s.k() + s.beta * coupling)
}
