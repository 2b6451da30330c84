//! One step with Coulomb friction at its end: the impulse that a contact takes when its final slip decides the
//! direction of friction. Whittaker's law is one such step, Anitescu and Potra's are two.

use super::scaled::{Scaled, Tangent, quarter_turn};
use crate::numerics::roots::{bracketed_root, stationary_angles, unit_resolvent};

/// A contact that has not parted at this multiple of the load that stops it never will.
const FAR: f64 = 1e100;
/// [`FAR`] for a contact that locks: under much larger loads it seems to part by rounding.
const FAR_LOCKED: f64 = 1e6;
/// How many roundings can add up where `T` is badly conditioned.
const BLURRED: f64 = 64.0;

/// A normal impulse and the largest friction impulse that goes with it: `μ pn`, but where μ = ∞ it may be anything while
/// `pn` is still zero.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NormalLoad {
    pub pn: f64,
    pub pt_max: f64,
}

impl NormalLoad {
    /// The load whose friction reaches as far as `pt_max`.
    fn with_pt_max(scaled: &Scaled, pt_max: f64) -> Self {
        Self { pn: scaled.alpha / scaled.beta * pt_max, pt_max }
    }

    /// The load that stops the slip `ut` and leaves the normal velocity as it is, where μ = ∞ allows it.
    pub fn sticking(scaled: &Scaled, ut: Tangent) -> Option<Self> {
        let kappa = scaled.kappa();
        (scaled.alpha == 0.0 && kappa > 0.0).then(|| {
            let pn = (scaled.b().dot(&ut) / kappa).max(0.0);
            Self { pn, pt_max: f64::INFINITY }
        })
    }

    /// The same load, `factor` times as hard.
    pub fn times(self, factor: f64) -> Self {
        let pt_max = if factor > 0.0 { factor * self.pt_max } else { 0.0 };
        Self { pn: factor * self.pn, pt_max }
    }
}

/// The friction impulse of a step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Friction {
    pub pt: Tangent,
    pub sticks: bool,
}

/// The friction that goes with a load from the tangential velocity `ut`: sticking if the cone allows it, else
/// `p_t = −pt_max s` with `s` the direction of the slip that remains. Always exactly one solution: it is the resolvent
/// of a monotone operator.
pub(crate) fn step(scaled: &Scaled, ut: Tangent, load: NormalLoad) -> Friction {
    let a = ut + scaled.c * load.pn;
    let stick = -scaled.solve_t(a);
    let stops = scaled.can_stop(a) || load.pt_max.is_infinite();
    if stops && stick.norm() <= load.pt_max {
        return Friction { pt: stick, sticks: true };
    }
    if load.pt_max == 0.0 {
        return Friction { pt: Tangent::zeros(), sticks: false };
    }
    let (_, s) = unit_resolvent(a, scaled.t * load.pt_max);
    Friction { pt: s * -load.pt_max, sticks: false }
}

/// Normal velocity after a [`step`].
pub(crate) fn normal_velocity(
    scaled: &Scaled,
    un: f64,
    load: NormalLoad,
    friction: Friction,
) -> f64 {
    un + scaled.k * load.pn + scaled.c.dot(&friction.pt)
}

/// One way to leave with a prescribed normal velocity.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Solution {
    pub load: NormalLoad,
    pub friction: Friction,
}

impl Solution {
    /// No impulse at all.
    pub const ZERO: Self = Self {
        load: NormalLoad { pn: 0.0, pt_max: 0.0 },
        friction: Friction { pt: Tangent::new(0.0, 0.0), sticks: false },
    };
}

/// All solutions of one step that changes the normal velocity by `change ≥ 0`, sorted by their load: one that sticks and
/// up to four that slide.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Solutions {
    found: [Option<Solution>; 5],
    pub count: usize,
}

impl Solutions {
    pub fn smallest(&self) -> Option<Solution> {
        self.found[0]
    }

    fn insert(&mut self, solution: Solution) {
        let mut at = self.count;
        while at > 0 && self.found[at - 1].is_some_and(|s| s.load.pt_max > solution.load.pt_max) {
            self.found[at] = self.found[at - 1];
            at -= 1;
        }
        self.found[at] = Some(solution);
        self.count += 1;
    }
}

/// Finds every solution of one step from the contact's own velocity.
///
/// A sliding solution with final direction `s` needs normal impulse `π` (in units of the cone) with
/// `π q(s) = change` and `π f(s) = −s⊥·u_t`, where `q = αk − βc·s` and `f = s⊥·(αc − βTs)`. Eliminating `π` leaves
/// `F(θ) = (s⊥·u_t) q + change·f = 0`, a trigonometric polynomial of degree 2. Between neighbouring extrema of `F`
/// there is at most one root.
pub(crate) fn solve(scaled: &Scaled, change: f64) -> Solutions {
    let mut solutions = Solutions::default();
    if let Some(stick) = sticking(scaled, change) {
        solutions.insert(stick);
    }
    let equation = SlipEquation { scaled, change };
    if change == 0.0 {
        equation.grazing_directions().into_iter().flatten().for_each(|theta| {
            equation.sliding(theta).into_iter().for_each(|slide| solutions.insert(slide));
        });
        return solutions;
    }
    if scaled.ut == Tangent::zeros() && scaled.c == Tangent::zeros() {
        return solutions;
    }
    let (angles, count) = equation.extrema();
    for i in 0..count {
        let (from, mut to) = (angles[i], angles[(i + 1) % count]);
        if to <= from {
            to += std::f64::consts::TAU;
        }
        let (first, last) = (equation.at(from).0, equation.at(to).0);
        let theta = if first == 0.0 {
            from
        } else if first * last < 0.0 {
            bracketed_root([(from, first), (to, last)], |theta| equation.at(theta))
        } else {
            continue;
        };
        if let Some(slide) = equation.sliding(theta) {
            solutions.insert(slide);
        }
    }
    solutions
}

/// The solution with the smallest load that changes the normal velocity enough. There always is one unless the mechanism
/// locks: it serves where rounding hides it from [`solve`].
pub(crate) fn solve_by_bisection(scaled: &Scaled, change: f64) -> Option<Solution> {
    // A contact that locks comes to rest, but rounding may leave it a little short of it.
    let slack = if scaled.kappa() > 0.0 { 0.0 } else { scaled.slack(change) };
    load_until(scaled, |load, friction| {
        normal_velocity(scaled, slack - change, load, friction) >= 0.0
    })
}

/// Brings a contact that locks to rest, where `T` is too badly conditioned for [`solve_by_bisection`].
pub(crate) fn rest_locked(scaled: &Scaled) -> Option<Solution> {
    let slack = scaled.slack(scaled.un.abs());
    let solution = load_until(scaled, |load, friction| {
        let pressed = scaled.k * load.pn + scaled.c.norm() * friction.pt.norm();
        let blur = BLURRED * (slack + f64::EPSILON * pressed);
        normal_velocity(scaled, scaled.un + blur, load, friction) >= 0.0
    });
    // That no slip is left gives the tangential impulse exactly.
    solution.filter(|_| scaled.kappa() == 0.0).map(|solution| {
        let within = solution.load.pt_max * (1.0 + BLURRED * f64::EPSILON);
        let stopping = scaled.stopping_impulse(solution.load.pn).filter(|pt| pt.norm() <= within);
        let friction = stopping.map_or(solution.friction, |pt| Friction { pt, sticks: true });
        Solution { friction, ..solution }
    })
}

/// The solution with the smallest load that is enough.
fn load_until(scaled: &Scaled, enough: impl Fn(NormalLoad, Friction) -> bool) -> Option<Solution> {
    let load = smallest_load(scaled, scaled.ut, enough)?;
    Some(Solution { load, friction: step(scaled, scaled.ut, load) })
}

/// The smallest load that is enough, by doubling and bisection; `ut` is the slip that it acts on.
pub(crate) fn smallest_load(
    scaled: &Scaled,
    ut: Tangent,
    enough: impl Fn(NormalLoad, Friction) -> bool,
) -> Option<NormalLoad> {
    let is_enough = |pt_max: f64| {
        let load = NormalLoad::with_pt_max(scaled, pt_max);
        enough(load, step(scaled, ut, load))
    };
    let first = (scaled.un.abs() + scaled.ut.norm()) / scaled.k * scaled.beta;
    if !(first > 0.0 && first.is_finite()) {
        return None;
    }
    let far = if scaled.kappa() == 0.0 { FAR_LOCKED } else { FAR };
    let (mut low, mut high) = (0.0, first);
    while !is_enough(high) {
        (low, high) = (high, 2.0 * high);
        if high > far * first || !high.is_finite() {
            return None;
        }
    }
    let mut middle = 0.5 * (low + high);
    while middle > low && middle < high {
        if is_enough(middle) {
            high = middle;
        } else {
            low = middle;
        }
        middle = 0.5 * (low + high);
    }
    Some(NormalLoad::with_pt_max(scaled, high))
}

/// The solution that sticks: `W p = (change, −u_t)`.
fn sticking(scaled: &Scaled, change: f64) -> Option<Solution> {
    if !scaled.can_stop(scaled.ut) && scaled.alpha > 0.0 {
        return None;
    }
    let (pn, pt) = match scaled.impulse_to(change, 0.0) {
        Some(impulse) => impulse,
        None => sticking_where_locked(scaled, change)?,
    };
    // A sticking impulse on the rim of the cone is a sliding one with no slip left: rounding must not lose both.
    let rim = 4.0 * f64::EPSILON * (scaled.beta * pn.abs() + scaled.alpha * pt.norm());
    let inside = pn >= 0.0 && scaled.alpha * pt.norm() <= scaled.beta * pn + rim;
    let pt_max = if scaled.alpha > 0.0 { scaled.beta / scaled.alpha * pn } else { f64::INFINITY };
    inside.then_some(Solution {
        load: NormalLoad { pn, pt_max },
        friction: Friction { pt, sticks: true },
    })
}

/// [`sticking`] where `W` is singular.
fn sticking_where_locked(scaled: &Scaled, change: f64) -> Option<(f64, Tangent)> {
    let wanted = change + scaled.b().dot(&scaled.ut);
    let kappa = scaled.kappa();
    if kappa > 0.0 {
        let pn = wanted / kappa;
        return Some((pn, -scaled.solve_t(scaled.ut + scaled.c * pn)));
    }
    // The mechanism locks: if the velocity is one that it allows, the shortest stopping impulse is taken.
    (wanted.abs() <= scaled.slack(change)).then(|| {
        let (dn, dt) = scaled.sticking_from_plastic();
        (dn - scaled.un / scaled.k, dt)
    })
}

struct SlipEquation<'a> {
    scaled: &'a Scaled,
    change: f64,
}

impl SlipEquation<'_> {
    /// With `change = 0` the equation factors: besides the start direction, which needs no impulse, only directions
    /// with `q = 0` remain.
    fn grazing_directions(&self) -> [Option<f64>; 2] {
        let scaled = self.scaled;
        let (lift, load) = (scaled.alpha * scaled.k, scaled.beta * scaled.c.norm());
        if load <= lift {
            return [None, None];
        }
        let middle = libm::atan2(scaled.c.y, scaled.c.x);
        let aside = libm::acos(lift / load);
        [Some(middle - aside), Some(middle + aside)]
    }

    /// `F` and its slope at an angle.
    fn at(&self, theta: f64) -> (f64, f64) {
        let scaled = self.scaled;
        let (sin, cos) = libm::sincos(theta);
        let s = Tangent::new(cos, sin);
        let across = quarter_turn(s);
        let (u_across, u_along) = (across.dot(&scaled.ut), s.dot(&scaled.ut));
        let rise = scaled.alpha * scaled.k - scaled.beta * scaled.c.dot(&s);
        let rise_slope = -scaled.beta * scaled.c.dot(&across);
        let (t1, t2) = (scaled.t.x, scaled.t.y);
        let turning = scaled.alpha * scaled.c.dot(&across) - scaled.beta * (t2 - t1) * sin * cos;
        let turning_slope =
            -scaled.alpha * scaled.c.dot(&s) - scaled.beta * (t2 - t1) * (cos * cos - sin * sin);
        (
            u_across * rise + self.change * turning,
            -u_along * rise + u_across * rise_slope + self.change * turning_slope,
        )
    }

    /// The angles of the extrema of `F`, ascending within one turn.
    fn extrema(&self) -> ([f64; 4], usize) {
        let Scaled { k, c, t, ut, alpha, beta, .. } = *self.scaled;
        // F = a₀ + a₁ cos θ + b₁ sin θ + a₂ cos 2θ + b₂ sin 2θ
        let d = self.change;
        let a1 = alpha * (k * ut.y + d * c.y);
        let b1 = -alpha * (k * ut.x + d * c.x);
        // −β (s⊥·u)(c·s) = −β [½(u_y c_x − u_x c_y) + ½(u_y c_x + u_x c_y) cos 2θ + ½(u_y c_y − u_x c_x) sin 2θ]
        let a2 = -0.5 * beta * (ut.y * c.x + ut.x * c.y);
        let b2 = -0.5 * beta * (ut.y * c.y - ut.x * c.x) - 0.5 * beta * d * (t.y - t.x);
        // F' = −a₁ sin θ + b₁ cos θ − 2a₂ sin 2θ + 2b₂ cos 2θ
        stationary_angles([-a1, b1], [-2.0 * a2, 2.0 * b2])
    }

    /// The solution with final direction `θ`, if its slip and its impulse point the right way.
    fn sliding(&self, theta: f64) -> Option<Solution> {
        let scaled = self.scaled;
        let (sin, cos) = libm::sincos(theta);
        let s = Tangent::new(cos, sin);
        let across = quarter_turn(s);
        let rise = scaled.alpha * scaled.k - scaled.beta * scaled.c.dot(&s);
        let pull = scaled.c * scaled.alpha - scaled.apply_t(s) * scaled.beta;
        let turning = across.dot(&pull);
        // π q = change and π f = −s⊥·u_t hold together: the one that loses fewer digits gives π.
        let (lift, load) = (scaled.alpha * scaled.k, scaled.beta * scaled.c.norm());
        let rate = scaled.alpha * scaled.c.norm() + scaled.beta * scaled.t.norm();
        let (along, sideways) = (s.dot(&scaled.ut), across.dot(&scaled.ut));
        let loss_of_rise = (lift + load) / rise.abs();
        let loss_of_turning = scaled.ut.norm() / sideways.abs() + rate / turning.abs();
        let pi =
            if loss_of_rise <= loss_of_turning { self.change / rise } else { -sideways / turning };
        let slip = along + pi * s.dot(&pull);
        let noise = 8.0 * f64::EPSILON * (lift + load);
        let valid = pi.is_finite() && pi > 0.0 && slip > 0.0 && rise > -noise;
        valid.then(|| Solution {
            load: NormalLoad { pn: scaled.alpha * pi, pt_max: scaled.beta * pi },
            friction: Friction { pt: s * (-scaled.beta * pi), sticks: false },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Tolerances;
    use crate::laws::single::test_contacts::{disk, sticks_in_compression};

    /// W p = (1.5, −0.3) has the solution (2.2, −1.4), inside the cone of μ = 1; it is the only one, and bisection
    /// finds it too.
    #[test]
    fn the_coupled_contact_sticks() {
        let scaled = Scaled::new(&sticks_in_compression(0.0), &Tolerances::NOMINAL);
        let change = -1.5 * scaled.un;
        let solutions = solve(&scaled, change);
        assert_eq!(solutions.count, 1);
        for found in [solutions.smallest(), solve_by_bisection(&scaled, change)] {
            let Solution { load, friction } = found.unwrap();
            let p = scaled.into_contact_vec::<2>(load.pn, friction.pt).components();
            assert!(friction.sticks);
            assert!((p[0] - 2.2).abs() < 1e-15 && (p[1] + 1.4).abs() < 1e-15, "{p:?}");
        }
    }

    /// A disk with μ = ¼: p_n = 1.5 changes u_n by 1.5, and of the slip 2 there is 2 − 3·¼·1.5 left.
    #[test]
    fn the_disk_slides() {
        let scaled = Scaled::new(&disk(2.0, 0.25, 0.0), &Tolerances::NOMINAL);
        let Solution { load, friction } = solve(&scaled, -1.5 * scaled.un).smallest().unwrap();
        let p = scaled.into_contact_vec::<2>(load.pn, friction.pt).components();
        assert!(!friction.sticks);
        assert!((p[0] - 1.5).abs() < 1e-15 && (p[1] + 0.375).abs() < 1e-15, "{p:?}");
    }
}
