//! One step with Coulomb friction at its end: the impulse that a contact takes when its final slip decides the
//! direction of friction. Whittaker's law is one such step, Anitescu and Potra's are two.

use super::split::{Split, Tangent, quarter_turn};
use crate::numerics::roots::{bracketed_root, stationary_angles, unit_resolvent};

/// What a step presses with: a normal impulse, and the largest friction impulse that goes with it. The latter is
/// `μ pn`, but where μ = ∞ it may be anything while `pn` is still zero.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Press {
    pub pn: f64,
    pub reach: f64,
}

impl Press {
    /// The press whose friction reaches as far as `reach`.
    fn reaching(split: &Split, reach: f64) -> Self {
        Self { pn: split.alpha / split.beta * reach, reach }
    }

    /// The press that stops the slip `ut` and leaves the normal velocity as it is, where μ = ∞ allows it.
    pub fn sticking(split: &Split, ut: Tangent) -> Option<Self> {
        let kappa = split.kappa();
        (split.alpha == 0.0 && kappa > 0.0).then(|| {
            let pn = (split.b().dot(&ut) / kappa).max(0.0);
            Self { pn, reach: f64::INFINITY }
        })
    }

    /// The same press, `factor` times as hard.
    pub fn times(self, factor: f64) -> Self {
        let reach = if factor > 0.0 { factor * self.reach } else { 0.0 };
        Self { pn: factor * self.pn, reach }
    }
}

/// A tangential impulse and how it came about.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Friction {
    pub pt: Tangent,
    pub sticks: bool,
}

/// The friction that goes with a press from the tangential velocity `ut`: sticking if the cone allows it, else
/// `p_t = −reach s` with `s` the direction of the slip that remains. Always exactly one solution: it is the resolvent
/// of a monotone operator.
pub(crate) fn step(split: &Split, ut: Tangent, press: Press) -> Friction {
    let a = ut + split.c * press.pn;
    let stick = -split.solve_t(a);
    let stops = split.can_stop(a) || press.reach.is_infinite();
    if stops && stick.norm() <= press.reach {
        return Friction { pt: stick, sticks: true };
    }
    if press.reach == 0.0 {
        return Friction { pt: Tangent::zeros(), sticks: false };
    }
    let (_, s) = unit_resolvent(a, split.t * press.reach);
    Friction { pt: s * -press.reach, sticks: false }
}

/// Normal velocity after a [`step`].
pub(crate) fn normal_velocity(split: &Split, un: f64, press: Press, friction: Friction) -> f64 {
    un + split.k * press.pn + split.c.dot(&friction.pt)
}

/// One way to leave with a prescribed normal velocity.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Solution {
    pub press: Press,
    pub friction: Friction,
}

impl Solution {
    /// No impulse at all.
    pub const NOTHING: Self = Self {
        press: Press { pn: 0.0, reach: 0.0 },
        friction: Friction { pt: Tangent::new(0.0, 0.0), sticks: false },
    };
}

/// All solutions of one step that changes the normal velocity by `change ≥ 0`, sorted by how hard they press: one that
/// sticks and up to four that slide.
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
        while at > 0 && self.found[at - 1].is_some_and(|s| s.press.reach > solution.press.reach) {
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
pub(crate) fn solve(split: &Split, change: f64) -> Solutions {
    let mut solutions = Solutions::default();
    if let Some(stick) = sticking(split, change) {
        solutions.insert(stick);
    }
    let equation = SlipEquation { split, change };
    if change == 0.0 {
        equation.grazing_directions().into_iter().flatten().for_each(|theta| {
            equation.sliding(theta).into_iter().for_each(|slide| solutions.insert(slide));
        });
        return solutions;
    }
    if split.ut == Tangent::zeros() && split.c == Tangent::zeros() {
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

/// A contact that has not parted at this multiple of what stops it never will.
const FAR: f64 = 1e100;
/// How many roundings can add up where `T` is badly conditioned.
const BLURRED: f64 = 64.0;
/// The same for a contact that locks: it comes to rest soon, and pressed much harder it seems to part by rounding.
const FAR_LOCKED: f64 = 1e6;

/// A solution found by pressing harder until the contact's velocity has changed enough. There always is one unless the
/// mechanism locks: [`solve`] finds it too, this finds it when rounding hides it there.
pub(crate) fn solve_by_bisection(split: &Split, change: f64) -> Option<Solution> {
    // A contact that locks comes to rest, but rounding may leave it a little short of it.
    let slack = if split.kappa() > 0.0 { 0.0 } else { split.slack(change) };
    press_until(split, |press, friction| {
        normal_velocity(split, slack - change, press, friction) >= 0.0
    })
}

/// Brings a contact that locks to rest, where `T` is so badly conditioned that even [`solve_by_bisection`] cannot tell.
pub(crate) fn rest_locked(split: &Split) -> Option<Solution> {
    let slack = split.slack(split.un.abs());
    let solution = press_until(split, |press, friction| {
        let pressed = split.k * press.pn + split.c.norm() * friction.pt.norm();
        let blur = BLURRED * (slack + f64::EPSILON * pressed);
        normal_velocity(split, split.un + blur, press, friction) >= 0.0
    });
    // The slip that is not left tells the tangential impulse exactly.
    solution.filter(|_| split.kappa() == 0.0).map(|solution| {
        let within = solution.press.reach * (1.0 + BLURRED * f64::EPSILON);
        let stopping = split.stopping(solution.press.pn).filter(|pt| pt.norm() <= within);
        let friction = stopping.map_or(solution.friction, |pt| Friction { pt, sticks: true });
        Solution { friction, ..solution }
    })
}

/// The solution with the smallest press that is enough.
fn press_until(split: &Split, enough: impl Fn(Press, Friction) -> bool) -> Option<Solution> {
    let press = smallest_press(split, split.ut, enough)?;
    Some(Solution { press, friction: step(split, split.ut, press) })
}

/// The smallest press that is enough, by doubling and bisection; `ut` is the slip that it acts on.
pub(crate) fn smallest_press(
    split: &Split,
    ut: Tangent,
    enough: impl Fn(Press, Friction) -> bool,
) -> Option<Press> {
    let is_enough = |reach: f64| {
        let press = Press::reaching(split, reach);
        enough(press, step(split, ut, press))
    };
    let first = (split.un.abs() + split.ut.norm()) / split.k * split.beta;
    if !(first > 0.0 && first.is_finite()) {
        return None;
    }
    let far = if split.kappa() == 0.0 { FAR_LOCKED } else { FAR };
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
    Some(Press::reaching(split, high))
}

/// The solution that sticks: `W p = (change, −u_t)`.
fn sticking(split: &Split, change: f64) -> Option<Solution> {
    if !split.can_stop(split.ut) && split.alpha > 0.0 {
        return None;
    }
    let (pn, pt) = match split.impulse_to(change, 0.0) {
        Some(impulse) => impulse,
        None => sticking_where_locked(split, change)?,
    };
    // A sticking impulse on the rim of the cone is a sliding one with no slip left: rounding must not lose both.
    let rim = 4.0 * f64::EPSILON * (split.beta * pn.abs() + split.alpha * pt.norm());
    let inside = pn >= 0.0 && split.alpha * pt.norm() <= split.beta * pn + rim;
    let reach = if split.alpha > 0.0 { split.beta / split.alpha * pn } else { f64::INFINITY };
    inside
        .then_some(Solution { press: Press { pn, reach }, friction: Friction { pt, sticks: true } })
}

/// [`sticking`] where `W` is singular.
fn sticking_where_locked(split: &Split, change: f64) -> Option<(f64, Tangent)> {
    let wanted = change + split.b().dot(&split.ut);
    let kappa = split.kappa();
    if kappa > 0.0 {
        let pn = wanted / kappa;
        return Some((pn, -split.solve_t(split.ut + split.c * pn)));
    }
    // The mechanism locks. If it asks for nothing, the shortest of the impulses that stop it will do.
    (wanted.abs() <= split.slack(change)).then(|| {
        let (dn, dt) = split.sticking_from_plastic();
        (dn - split.un / split.k, dt)
    })
}

struct SlipEquation<'a> {
    split: &'a Split,
    change: f64,
}

impl SlipEquation<'_> {
    /// With `change = 0` the equation factors: besides the start direction, which needs no impulse, only directions
    /// with `q = 0` remain.
    fn grazing_directions(&self) -> [Option<f64>; 2] {
        let split = self.split;
        let (lift, load) = (split.alpha * split.k, split.beta * split.c.norm());
        if load <= lift {
            return [None, None];
        }
        let middle = libm::atan2(split.c.y, split.c.x);
        let aside = libm::acos(lift / load);
        [Some(middle - aside), Some(middle + aside)]
    }

    /// `F` and its slope at an angle.
    fn at(&self, theta: f64) -> (f64, f64) {
        let split = self.split;
        let (sin, cos) = libm::sincos(theta);
        let s = Tangent::new(cos, sin);
        let across = quarter_turn(s);
        let (u_across, u_along) = (across.dot(&split.ut), s.dot(&split.ut));
        let rise = split.alpha * split.k - split.beta * split.c.dot(&s);
        let rise_slope = -split.beta * split.c.dot(&across);
        let (t1, t2) = (split.t.x, split.t.y);
        let turning = split.alpha * split.c.dot(&across) - split.beta * (t2 - t1) * sin * cos;
        let turning_slope =
            -split.alpha * split.c.dot(&s) - split.beta * (t2 - t1) * (cos * cos - sin * sin);
        (
            u_across * rise + self.change * turning,
            -u_along * rise + u_across * rise_slope + self.change * turning_slope,
        )
    }

    /// The angles of the extrema of `F`, ascending within one turn.
    fn extrema(&self) -> ([f64; 4], usize) {
        let Split { k, c, t, ut, alpha, beta, .. } = *self.split;
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
        let split = self.split;
        let (sin, cos) = libm::sincos(theta);
        let s = Tangent::new(cos, sin);
        let across = quarter_turn(s);
        let rise = split.alpha * split.k - split.beta * split.c.dot(&s);
        let pull = split.c * split.alpha - split.apply_t(s) * split.beta;
        let turning = across.dot(&pull);
        // π q = change and π f = −s⊥·u_t hold together: the one that loses fewer digits gives π.
        let (lift, load) = (split.alpha * split.k, split.beta * split.c.norm());
        let rate = split.alpha * split.c.norm() + split.beta * split.t.norm();
        let (along, sideways) = (s.dot(&split.ut), across.dot(&split.ut));
        let loss_of_rise = (lift + load) / rise.abs();
        let loss_of_turning = split.ut.norm() / sideways.abs() + rate / turning.abs();
        let pi =
            if loss_of_rise <= loss_of_turning { self.change / rise } else { -sideways / turning };
        let slip = along + pi * s.dot(&pull);
        let noise = 8.0 * f64::EPSILON * (lift + load);
        let valid = pi.is_finite() && pi > 0.0 && slip > 0.0 && rise > -noise;
        valid.then(|| Solution {
            press: Press { pn: split.alpha * pi, reach: split.beta * pi },
            friction: Friction { pt: s * (-split.beta * pi), sticks: false },
        })
    }
}
