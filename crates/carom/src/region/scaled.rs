//! The region's data in units in which they are near one, and its inequalities without rounding.

use crate::contact::{Contact, ContactVec, power_of_two_near};
use crate::numerics::double::Double;
use crate::numerics::eigen::principal_axes;
use crate::{ImpactError, Tolerances};

/// A contact in its own units. They are powers of two, so no bit of a result depends on them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Scaled<const D: usize> {
    pub w: [[f64; D]; D],
    pub u: ContactVec<D>,
    /// The cone `alpha |p_t| ≤ beta p_n`: `(1, μ)` or `(1/μ, 1)`, so that μ = ∞ is `(0, 1)`.
    pub alpha: f64,
    pub beta: f64,
    /// Eigenvalues of `W`; zero where it cannot yield.
    pub values: [f64; D],
    pub axes: [ContactVec<D>; D],
    /// Eigenvalues up to this count as zero.
    cut: f64,
    /// Impulses longer than this count as infinite: `W` yields so little there that it counts as not yielding.
    pub reach: f64,
    pub velocity_unit: f64,
    pub impulse_unit: f64,
    /// How much of a vector may lie outside the range of a matrix, relative.
    pub class: f64,
    /// Eigenvalues below this, relative, count as zero.
    pub rank: f64,
}

/// Each gains the digits that the condition of `W` leaves, at least three.
const REFINEMENTS: usize = 3;

/// Impulses are shrunk to this size in their units, so that no product of them overflows.
const LARGEST: f64 = 1e120;

impl<const D: usize> Scaled<D> {
    pub(crate) fn new(contact: &Contact<D>, tolerances: &Tolerances) -> Result<Self, ImpactError> {
        let rows = contact.delassus().rows();
        let size = (0..D).map(|i| rows[i][i]).fold(0.0, f64::max);
        let mass_unit = power_of_two_near(size);
        let velocity_unit = power_of_two_near(contact.velocity().max_abs());
        let impulse_unit = velocity_unit / mass_unit;
        let energy_unit = velocity_unit * impulse_unit;
        if ![impulse_unit, energy_unit].iter().all(|x| x.is_normal()) {
            return Err(ImpactError::Limit(
                "the impulses of this contact are too large or too small for a number".into(),
            ));
        }
        let w = rows.map(|row| row.map(|x| x / mass_unit));
        let (values, axes) = principal_axes(w);
        let largest = values.iter().fold(0.0, |m: f64, x| m.max(*x));
        let cut = tolerances.rank * largest;
        let u = *contact.velocity() * (1.0 / velocity_unit);
        let mu = contact.material().mu;
        let (alpha, beta) = if mu <= 1.0 { (1.0, mu) } else { (1.0 / mu, 1.0) };
        Ok(Self {
            w,
            u,
            alpha,
            beta,
            values: values.map(|x| if x > cut { x } else { 0.0 }),
            axes: axes.map(ContactVec::new),
            cut,
            reach: if cut > 0.0 { 4.0 * u.norm() / cut } else { f64::INFINITY },
            velocity_unit,
            impulse_unit,
            class: tolerances.class,
            rank: tolerances.rank,
        })
    }

    /// An impulse in these units. One beyond all sizes that matter is shrunk to one that can be computed with.
    pub(crate) fn shrink(&self, impulse: &ContactVec<D>) -> ContactVec<D> {
        let largest = impulse.max_abs() / self.impulse_unit;
        if largest <= LARGEST {
            *impulse * (1.0 / self.impulse_unit)
        } else {
            *impulse * (1.0 / impulse.max_abs()) * LARGEST
        }
    }

    /// An impulse of these units in the caller's.
    pub(crate) fn grow(&self, p: ContactVec<D>) -> ContactVec<D> {
        p * self.impulse_unit
    }

    pub(crate) fn k(&self) -> f64 {
        self.w[0][0]
    }

    /// The approach speed, negative if the bodies separate.
    pub(crate) fn approach(&self) -> f64 {
        -self.u.normal()
    }

    pub(crate) fn apply(&self, p: &ContactVec<D>) -> ContactVec<D> {
        ContactVec::new(self.w.map(|row| ContactVec::new(row).dot(p)))
    }

    /// `u⁺`, summed in twice the working precision.
    pub(crate) fn after(&self, p: &ContactVec<D>) -> ContactVec<D> {
        let exact = p.components().map(Double::from);
        ContactVec::new(std::array::from_fn(|i| {
            exact_dot(self.u[i].into(), &self.w[i].map(Double::from), &exact).round()
        }))
    }

    /// `½ p·(u⁻ + u⁺)`, summed in twice the working precision.
    pub(crate) fn energy(&self, p: &ContactVec<D>) -> f64 {
        let [u, exact] = [self.u.components(), p.components()].map(|v| v.map(Double::from));
        let linear = exact_dot(Double::from(0.0), &u, &exact);
        (linear + self.exact_quadratic(p) * Double::from(0.5)).round()
    }

    /// `dᵀWd`, summed in twice the working precision. Where `W` hardly yields along `d` that is the rounding of its
    /// entries; a sum of squares over the axes that yield then vanishes to second order.
    pub(crate) fn quadratic(&self, d: &ContactVec<D>) -> f64 {
        let exact = self.exact_quadratic(d).round();
        if exact > self.cut * d.dot(d) {
            return exact;
        }
        (0..D).map(|i| self.values[i] * square(self.axes[i].dot(d))).sum()
    }

    fn exact_quadratic(&self, d: &ContactVec<D>) -> Double {
        let d = d.components().map(Double::from);
        let row = |i: usize| exact_dot(Double::from(0.0), &self.w[i].map(Double::from), &d);
        exact_dot(Double::from(0.0), &std::array::from_fn(row), &d)
    }

    /// `½ u⁻ᵀ W⁺ u⁻`; absent if `u⁻` moves where `W` cannot yield.
    pub(crate) fn energy_available(&self) -> Option<f64> {
        self.sticking().map(|p| (-0.5 * p.dot(&self.u)).max(0.0))
    }

    /// `−W⁺u⁻`, the shortest impulse that stops the contact; absent if none does.
    pub(crate) fn sticking(&self) -> Option<ContactVec<D>> {
        self.moves_within_range().then(|| self.solve(&-self.u))
    }

    /// `W⁺v`. The remainder is computed in twice the working precision and solved for again, so that an
    /// ill-conditioned `W` does not cost its condition in digits.
    pub(crate) fn solve(&self, v: &ContactVec<D>) -> ContactVec<D> {
        let once = |v: &ContactVec<D>| {
            (0..D).filter(|&i| self.values[i] > 0.0).fold(ContactVec::ZERO, |p, i| {
                p + self.axes[i] * (self.axes[i].dot(v) / self.values[i])
            })
        };
        (0..REFINEMENTS).fold(once(v), |p, _| {
            let remainder = ContactVec::new(std::array::from_fn(|i| {
                let row = self.w[i].map(|w| Double::from(-w));
                exact_dot(v[i].into(), &row, &p.components().map(Double::from)).round()
            }));
            p + once(&remainder)
        })
    }

    /// `W^½ v` or `W^−½ v`, directions that cannot yield left out.
    pub(crate) fn rooted(&self, v: &ContactVec<D>, exponent: f64) -> ContactVec<D> {
        (0..D).filter(|&i| self.values[i] > 0.0).fold(ContactVec::ZERO, |p, i| {
            p + self.axes[i] * (self.axes[i].dot(v) * libm::pow(self.values[i], exponent))
        })
    }

    fn moves_within_range(&self) -> bool {
        let lost: f64 = (0..D)
            .filter(|&i| self.values[i] == 0.0)
            .map(|i| square(self.axes[i].dot(&self.u)))
            .sum();
        f64::sqrt(lost) <= self.class * self.u.norm()
    }

    /// `3/2 P_I`.
    pub(crate) fn centre(&self) -> ContactVec<D> {
        ContactVec::from_parts(1.5 * self.approach() / self.k(), [0.0; 2])
    }

    /// Whether the impulse lies in Coulomb's cone.
    pub(crate) fn in_cone(&self, p: &ContactVec<D>) -> bool {
        p.normal() >= 0.0 && self.alpha * p.tangent_norm() <= self.beta * p.normal()
    }

    /// Whether all inequalities hold for this very impulse.
    pub(crate) fn holds(&self, p: &ContactVec<D>) -> bool {
        if !self.in_cone(p) {
            return false;
        }
        self.after(p).normal() >= 0.0 && self.energy(p) <= 0.0
    }

    /// The last point between `inside` and `p` for which the inequalities hold, to within rounding: `p` itself, or
    /// mostly a few units of its last place further in; more in a corner so flat that they are lost in it.
    pub(crate) fn settle(&self, inside: &ContactVec<D>, p: ContactVec<D>) -> ContactVec<D> {
        if self.holds(&p) {
            return p;
        }
        let mut step = f64::EPSILON;
        while step < 1.0 {
            let candidate = p + (*inside - p) * step;
            if self.holds(&candidate) {
                return candidate;
            }
            step *= 2.0;
        }
        *inside
    }
}

pub(crate) fn square(x: f64) -> f64 {
    x * x
}

/// `start + a·b` in twice the working precision.
fn exact_dot<const D: usize>(start: Double, a: &[Double; D], b: &[Double; D]) -> Double {
    a.iter().zip(b).fold(start, |sum, (x, y)| sum + *x * *y)
}
