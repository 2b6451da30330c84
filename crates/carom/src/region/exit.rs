//! Where a ray from inside leaves the region.

use super::scaled::{Scaled, square};
use super::{Inequality, PermissibleRegion};
use crate::contact::ContactVec;

/// Where a ray leaves the region.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Exit<const D: usize> {
    /// How far along the ray [N·s].
    pub distance: f64,
    /// The point itself, where rounding had left it outside moved inwards until it is permissible [N·s].
    pub impulse: ContactVec<D>,
    /// The inequality that ends there.
    pub inequality: Inequality,
}

impl<const D: usize> PermissibleRegion<D> {
    /// Where the ray from `from` (a permissible impulse [N·s]) along `direction` (of any length) leaves the
    /// region. Absent if it never does, which needs a singular `W`; if `from` is not permissible; or if
    /// `direction` is zero or not finite.
    pub fn exit(&self, from: &ContactVec<D>, direction: &ContactVec<D>) -> Option<Exit<D>> {
        if !self.contains(from) {
            return None;
        }
        let s = &self.scaled;
        let start = s.shrink(from);
        let d = unit(direction)?;
        let (distance, inequality) = leave(s, &start, &d)?;
        let exit = Exit {
            distance: distance * s.impulse_unit,
            impulse: s.grow(s.settle(&start, start + d * distance)),
            inequality,
        };
        (exit.distance.is_finite() && exit.impulse.is_finite()).then_some(exit)
    }
}

/// The vector at unit length; absent if it is zero or not finite.
pub(crate) fn unit<const D: usize>(v: &ContactVec<D>) -> Option<ContactVec<D>> {
    let size = v.max_abs();
    if size == 0.0 || !v.is_finite() {
        return None;
    }
    // Two steps, so that neither tiny nor huge vectors lose digits.
    let v = ContactVec::new(v.components().map(|x| x / size));
    Some(v * (1.0 / v.norm()))
}

/// How far from `a` (inside) the unit direction `d` leaves the region, and through which inequality. Absent if it
/// never does.
pub(crate) fn leave<const D: usize>(
    s: &Scaled<D>,
    a: &ContactVec<D>,
    d: &ContactVec<D>,
) -> Option<(f64, Inequality)> {
    [
        (leave_cone(s, a, d), Inequality::Cone),
        (leave_half_space(s, a, d), Inequality::Separation),
        (leave_energy(s, a, d), Inequality::Energy),
        (leave_normal(a, d), Inequality::NormalImpulse),
    ]
    .into_iter()
    .min_by(|x, y| x.0.total_cmp(&y.0))
    .filter(|(distance, _)| *distance <= s.reach)
}

/// The positive root of `½ q ρ² + l ρ + h`, with `h ≤ 0` the energy change at the start: both forms of the root
/// add numbers of one sign.
fn leave_energy<const D: usize>(s: &Scaled<D>, a: &ContactVec<D>, d: &ContactVec<D>) -> f64 {
    let h = s.energy(a).min(0.0);
    let l = d.dot(&s.after(a));
    let q = s.quadratic(d);
    let root = f64::sqrt(l * l - 2.0 * q * h);
    if l > 0.0 {
        -2.0 * h / (l + root)
    } else if q > 0.0 {
        (root - l) / q
    } else {
        f64::INFINITY
    }
}

fn leave_half_space<const D: usize>(s: &Scaled<D>, a: &ContactVec<D>, d: &ContactVec<D>) -> f64 {
    let rate = s.apply(d).normal();
    if rate < 0.0 { s.after(a).normal().max(0.0) / -rate } else { f64::INFINITY }
}

fn leave_normal<const D: usize>(a: &ContactVec<D>, d: &ContactVec<D>) -> f64 {
    if d.normal() < 0.0 { a.normal().max(0.0) / -d.normal() } else { f64::INFINITY }
}

/// The first root of `α²|a_t + ρ d_t|² = β²(a_n + ρ d_n)²` on the upper nappe.
fn leave_cone<const D: usize>(s: &Scaled<D>, a: &ContactVec<D>, d: &ContactVec<D>) -> f64 {
    if D == 1 {
        return f64::INFINITY;
    }
    let (alpha, beta) = (s.alpha, s.beta);
    let (an, dn) = (a.normal(), d.normal());
    let ([ax, ay], [dx, dy]) = (a.tangent(), d.tangent());
    let (at, dt) = (a.tangent_norm(), d.tangent_norm());
    if beta == 0.0 {
        return if dt == 0.0 { f64::INFINITY } else { 0.0 };
    }
    // A ρ² + 2 B ρ + C = 0, with C ≤ 0 inside.
    let quadratic = (alpha * dt - beta * dn.abs()) * (alpha * dt + beta * dn.abs());
    let linear = alpha * alpha * (ax * dx + ay * dy) - beta * beta * an * dn;
    let constant = ((alpha * at - beta * an) * (alpha * at + beta * an)).min(0.0);
    if quadratic <= 0.0 && dn >= 0.0 {
        return f64::INFINITY;
    }
    // B² − AC by Lagrange's identity: exact where the ray passes through the apex, as B² − AC itself is not.
    let across = square(an * dx - dn * ax) + square(an * dy - dn * ay);
    let turn = square(ax * dy - ay * dx);
    let discriminant = square(alpha) * (square(beta) * across - square(alpha) * turn).max(0.0);
    let root = f64::sqrt(discriminant);
    if linear > 0.0 {
        -constant / (linear + root)
    } else if quadratic > 0.0 {
        (root - linear) / quadratic
    } else {
        0.0
    }
}

/// A direction of the cone that `W` does not yield to and along which no energy is gained.
pub(crate) fn unbounded_direction<const D: usize>(s: &Scaled<D>) -> Option<ContactVec<D>> {
    if s.k() == 0.0 {
        return None;
    }
    let locked: [bool; D] = std::array::from_fn(|i| s.values[i] == 0.0);
    let allowed = |d: &ContactVec<D>| {
        let gain = d.dot(&s.u);
        s.in_cone(d) && gain <= f64::EPSILON * 8.0 * s.u.norm()
    };
    // Along one locked axis there are two candidates; in a locked plane, the direction nearest to the normal and
    // the edges of the sector that the cone cuts from the plane: energy is linear along locked directions.
    let steepest = (0..D)
        .filter(|&i| locked[i])
        .fold(ContactVec::ZERO, |d, i| d + s.axes[i] * s.axes[i].normal());
    let mut candidates = [None; 5];
    candidates[0] = unit(&steepest);
    let mut axes = (0..D).filter(|&i| locked[i]).map(|i| s.axes[i]);
    match (axes.next(), axes.next(), candidates[0]) {
        (Some(v), None, _) => {
            candidates[1] = Some(v);
            candidates[2] = Some(-v);
        }
        (Some(v), Some(w), Some(top)) => {
            let level = unit(&(v * w.normal() - w * v.normal()))?;
            let slope = f64::sqrt((1.0 - square(top.normal())).max(0.0));
            // Along top + τ level: α √(slope² + τ²) = β top_n.
            let reach = square(s.beta * top.normal()) - square(s.alpha * slope);
            if s.alpha > 0.0 && reach > 0.0 {
                // A hair inside the cone, so that rounding does not decide.
                let tau = f64::sqrt(reach) / s.alpha * (1.0 - 8.0 * f64::EPSILON);
                candidates[1] = Some(top + level * tau);
                candidates[2] = Some(top + level * -tau);
            } else if s.alpha == 0.0 {
                candidates[1] = Some(level);
                candidates[2] = Some(-level);
            }
        }
        _ => {}
    }
    candidates.into_iter().flatten().find(allowed)
}
