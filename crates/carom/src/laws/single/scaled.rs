//! A contact as the laws compute with it: scaled to unit size and turned into the principal axes of friction.
//!
//! `W` splits into the normal entry `k`, the coupling `c` and the tangential block `T`:
//!
//! ```text
//! W = [ k  cᵀ ]      b = T⁺c      κ = k − c·b
//!     [ c  T  ]
//! ```
//!
//! Scaling is by powers of two, so it changes no bit of a result, and no product of problem data can overflow.
//! The tangents are turned so that `T` is diagonal. A planar contact gets a second tangent in which nothing
//! happens, a contact of one row gets two: one code serves all dimensions.

use crate::Tolerances;
use crate::contact::{Contact, ContactVec, power_of_two_near};
use crate::numerics::double::Double;
use crate::outcome::{ContactEffort, FinalMode, Notes, PathTotals, TracePoint};

/// Two tangential components.
pub(crate) type Tangent = nalgebra::Vector2<f64>;

/// `|s⊥|` of the plane: a quarter turn to the left.
pub(crate) fn quarter_turn(s: Tangent) -> Tangent {
    Tangent::new(-s.y, s.x)
}

/// A contact, scaled and turned.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scaled {
    /// `W_nn`.
    pub k: f64,
    /// Coupling of normal and tangents.
    pub c: Tangent,
    /// The eigenvalues of the tangential block.
    pub t: Tangent,
    /// Normal velocity before the impact, at most zero.
    pub un: f64,
    /// Tangential velocity before the impact.
    pub ut: Tangent,
    /// The friction cone `alpha |p_t| ≤ beta p_n`; `(1, μ)` or `(1/μ, 1)`, so that μ = ∞ is `(0, 1)`.
    pub alpha: f64,
    /// See `alpha`.
    pub beta: f64,
    /// Normal restitution.
    pub e: f64,
    /// Tangential restitution.
    pub e_t: f64,
    /// Entries of `T` below this cannot yield.
    pub rank: f64,
    /// Velocities this close to the range of `W` lie in it.
    in_range: f64,
    /// What rounding leaves of velocities that ought to vanish.
    noise: f64,
    /// The tangential block in the caller's axes (xx, xy, yy) and the coupling there, unspoilt by the turn.
    given_t: [f64; 3],
    given_c: [f64; 2],
    given_ut: [f64; 2],
    axes: Tangent,
    impulse_unit: f64,
    velocity_unit: f64,
}

/// An impulse in the axes of a [`Scaled`] contact, with the law's effort and notes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Answer {
    pub pn: f64,
    pub pt: Tangent,
    pub effort: ContactEffort,
    pub notes: Notes,
}

impl Answer {
    pub(crate) fn new(pn: f64, pt: Tangent, final_mode: FinalMode) -> Self {
        let effort = ContactEffort { steps: 0, compressions: 1, final_mode, solutions: 1 };
        Self { pn, pt, effort, notes: Notes::NONE }
    }
}

impl Scaled {
    pub(crate) fn new<const D: usize>(contact: &Contact<D>, tolerances: &Tolerances) -> Self {
        let w = contact.delassus();
        let at = |i: usize, j: usize| w.at(i, j);
        let size = (0..D).map(|i| at(i, i)).fold(0.0, f64::max);
        let mass_unit = power_of_two_near(size);
        let velocity_unit = power_of_two_near(contact.velocity().max_abs());
        // An absent tangent copies the present one: T stays as well conditioned as it is.
        let k = at(0, 0) / mass_unit;
        let (c, txx, txy, tyy) = match D {
            1 => (Tangent::zeros(), k, 0.0, k),
            2 => (
                Tangent::new(at(0, 1), 0.0) / mass_unit,
                at(1, 1) / mass_unit,
                0.0,
                at(1, 1) / mass_unit,
            ),
            _ => (
                Tangent::new(at(0, 1), at(0, 2)) / mass_unit,
                at(1, 1) / mass_unit,
                at(1, 2) / mass_unit,
                at(2, 2) / mass_unit,
            ),
        };
        let (axes, t) = diagonalise(txx, txy, tyy);
        let mu = contact.material().mu;
        let (alpha, beta) = if mu <= 1.0 { (1.0, mu) } else { (1.0 / mu, 1.0) };
        let mut scaled = Self {
            k,
            c,
            t,
            un: contact.velocity().normal() / velocity_unit,
            ut: Tangent::from(contact.velocity().tangent()) / velocity_unit,
            alpha,
            beta,
            e: contact.e(),
            e_t: contact.material().e_t,
            rank: tolerances.rank * t.x.max(t.y).max(k),
            in_range: tolerances.definiteness,
            noise: tolerances.residual,
            given_t: [txx, txy, tyy],
            given_c: [c.x, c.y],
            given_ut: contact.velocity().tangent().map(|u| u / velocity_unit),
            axes,
            impulse_unit: velocity_unit / mass_unit,
            velocity_unit,
        };
        scaled.c = scaled.in_principal_axes(scaled.c);
        scaled.ut = scaled.in_principal_axes(scaled.ut);
        scaled
    }

    pub(crate) fn in_principal_axes(&self, v: Tangent) -> Tangent {
        let (cos, sin) = (self.axes.x, self.axes.y);
        Tangent::new(cos * v.x + sin * v.y, cos * v.y - sin * v.x)
    }

    fn in_given_axes(&self, v: Tangent) -> Tangent {
        let (cos, sin) = (self.axes.x, self.axes.y);
        Tangent::new(cos * v.x - sin * v.y, sin * v.x + cos * v.y)
    }

    /// `T v`.
    pub(crate) fn apply_t(&self, v: Tangent) -> Tangent {
        self.t.component_mul(&v)
    }

    /// `T⁺ v`: directions that cannot yield take no impulse.
    pub(crate) fn solve_t(&self, v: Tangent) -> Tangent {
        v.zip_map(&self.t, |v, t| if t > self.rank { v / t } else { 0.0 })
    }

    /// `b = T⁺ c`, the impulse ratio of sticking with opposite sign.
    pub(crate) fn b(&self) -> Tangent {
        self.solve_t(self.c)
    }

    /// `κ = k − c·b`, the normal velocity per normal impulse of a sticking contact; zero if it cannot yield.
    ///
    /// Impulses of a sticking contact are as wrong as κ is, so it is computed from the given numbers in twice the
    /// precision: `κ = k − (c₁² t₂₂ − 2c₁c₂ t₁₂ + c₂² t₁₁)/det T`. Where `T` has rank one, `c` lies along its only axis,
    /// and the larger component of both gives the same; where `T` vanishes, so does `c`.
    pub(crate) fn kappa(&self) -> f64 {
        let [xx, xy, yy] = self.given_t.map(Double::from);
        let [c1, c2] = self.given_c.map(Double::from);
        let k = Double::from(self.k);
        let kappa = match (self.t.x > self.rank, self.t.y > self.rank) {
            (true, true) => {
                // κ = k det S/det T exceeds rounding sooner than S does where T is badly conditioned.
                let s = self.schur();
                if !self.yields(&s, s[0] * s[2] - s[1] * s[1]) {
                    return 0.0;
                }
                let twice = c1 * c2 * xy;
                let coupled = c1 * c1 * yy + c2 * c2 * xx - (twice + twice);
                k - coupled / (xx * yy - xy * xy)
            }
            (false, false) => k,
            _ if self.given_t[0] >= self.given_t[2] => k - c1 * c1 / xx,
            _ => k - c2 * c2 / yy,
        };
        let kappa = kappa.round();
        if kappa > self.rank { kappa } else { 0.0 }
    }

    /// Whether this slip has no part in a direction that cannot yield, where nothing stops it.
    pub(crate) fn can_stop(&self, slip: Tangent) -> bool {
        let left = slip.zip_map(&self.t, |u, t| if t > self.rank { 0.0 } else { u });
        left.norm() <= self.noise * self.ut.norm()
    }

    /// How far a normal velocity that ought to change by `change` may be off where the mechanism locks.
    pub(crate) fn slack(&self, change: f64) -> f64 {
        self.noise * (change + self.b().norm() * self.ut.norm())
    }

    /// How far velocities that a mechanism ties together may be off where `W` is singular only up to rounding: some
    /// tens of times what one entry of `W` may be off by, since `T` may be badly conditioned.
    pub(crate) fn locked_slack(&self, change: f64) -> f64 {
        64.0 * self.in_range * (change + self.b().norm() * self.ut.norm())
    }

    /// Whether the tangential impulse lies inside the cone.
    pub(crate) fn in_cone(&self, pn: f64, pt: Tangent) -> bool {
        pn >= 0.0 && self.alpha * pt.norm() <= self.beta * pn
    }

    /// The Schur complement `S = T − ccᵀ/k` (xx, xy, yy), in the caller's axes.
    fn schur(&self) -> [Double; 3] {
        let [xx, xy, yy] = self.given_t.map(Double::from);
        let [c1, c2] = self.given_c.map(Double::from);
        let k = Double::from(self.k);
        [xx - c1 * c1 / k, xy - c1 * c2 / k, yy - c2 * c2 / k]
    }

    /// Whether `S`, and with it `W`, yields in every direction.
    fn yields(&self, s: &[Double; 3], det: Double) -> bool {
        let size = s[0].round().max(s[2].round());
        size > self.rank && det.round() > self.rank * size
    }

    /// The slip `u_t − c u_n/k` that the frictionless plastic impulse leaves, in the caller's axes.
    fn slip_after_plastic(&self) -> [Double; 2] {
        let (k, un) = (Double::from(self.k), Double::from(self.un));
        [0, 1].map(|i| Double::from(self.given_ut[i]) - Double::from(self.given_c[i]) * un / k)
    }

    /// The impulse `(p_n, p_t)` with `W p = (change_n, change_t)`, in twice the precision; `change_t` in the caller's
    /// axes. None where `W` is singular.
    ///
    /// `p_t = S⁻¹(change_t − c change_n/k)` with the Schur complement `S = T − ccᵀ/k`, a small difference where `W` is
    /// badly conditioned.
    fn solve_w(&self, change_n: Double, change_t: [Double; 2]) -> Option<(f64, Tangent)> {
        let [c1, c2] = self.given_c.map(Double::from);
        let k = Double::from(self.k);
        let s = self.schur();
        let d = [change_t[0] - c1 * change_n / k, change_t[1] - c2 * change_n / k];
        let det = s[0] * s[2] - s[1] * s[1];
        self.yields(&s, det).then(|| {
            let p1 = (s[2] * d[0] - s[1] * d[1]) / det;
            let p2 = (s[0] * d[1] - s[1] * d[0]) / det;
            let pn = (change_n - (c1 * p1 + c2 * p2)) / k;
            (pn.round(), self.in_principal_axes(Tangent::new(p1.round(), p2.round())))
        })
    }

    /// The impulse after which the normal velocity has changed by `change` and the slip is `−reversal` times what it
    /// was. None where `W` is singular.
    pub(crate) fn impulse_to(&self, change: f64, reversal: f64) -> Option<(f64, Tangent)> {
        let factor = -(Double::from(1.0) + Double::from(reversal));
        self.solve_w(change.into(), self.given_ut.map(|u| Double::from(u) * factor))
    }

    /// The impulse after which the normal velocity has changed by `change` and the slip is `slip`. None where `W` is
    /// singular.
    pub(crate) fn impulse_to_slip(&self, change: f64, slip: Tangent) -> Option<(f64, Tangent)> {
        let slip = self.in_given_axes(slip);
        let by = |i: usize| Double::from(slip[i]) - Double::from(self.given_ut[i]);
        self.solve_w(change.into(), [by(0), by(1)])
    }

    /// The tangential impulse with which a normal impulse leaves no slip, in twice the precision. None where `T` is
    /// singular.
    pub(crate) fn stopping_impulse(&self, pn: f64) -> Option<Tangent> {
        let [xx, xy, yy] = self.given_t.map(Double::from);
        let slip = [0, 1].map(|i| {
            Double::from(self.given_ut[i]) + Double::from(self.given_c[i]) * Double::from(pn)
        });
        (self.t.x > self.rank && self.t.y > self.rank).then(|| {
            let det = xx * yy - xy * xy;
            let p1 = (xy * slip[1] - yy * slip[0]) / det;
            let p2 = (xy * slip[0] - xx * slip[1]) / det;
            self.in_principal_axes(Tangent::new(p1.round(), p2.round()))
        })
    }

    /// `P_II − P_I`, normal part first: from the frictionless plastic impulse to the sticking plastic one.
    ///
    /// It leaves the normal velocity alone and stops the slip `u_t − c u_n/k` that `P_I` leaves. Where `W` is singular,
    /// directions that cannot yield take no impulse, and if `u⁻` lies in the range of `W`, `P_II` is the sticking
    /// impulse of least norm.
    pub(crate) fn sticking_from_plastic(&self) -> (f64, Tangent) {
        self.solve_w(0.0.into(), self.slip_after_plastic().map(|u| -u))
            .unwrap_or_else(|| self.sticking_from_plastic_singular())
    }

    /// [`Scaled::sticking_from_plastic`] where some directions cannot yield.
    fn sticking_from_plastic_singular(&self) -> (f64, Tangent) {
        let [xx, xy, yy] = self.schur().map(Double::round);
        let slip = Tangent::from(self.slip_after_plastic().map(Double::round));
        let (c, ut) = (Tangent::from(self.given_c), Tangent::from(self.given_ut));
        let (axes, eigenvalues) = diagonalise(xx, xy, yy);
        let directions = [axes, quarter_turn(axes)];
        let mut d = Tangent::zeros();
        for (direction, eigenvalue) in directions.iter().zip(eigenvalues.iter()) {
            if *eigenvalue > self.rank {
                d -= direction * (direction.dot(&slip) / eigenvalue);
            }
        }
        let mut dn = -c.dot(&d) / self.k;
        // Null vectors of W: no velocity changes along them, so the impulse there is free.
        let start = nalgebra::Vector3::new(self.un, ut.x, ut.y);
        let plastic = -self.un / self.k;
        let mut free: [Option<nalgebra::Vector3<f64>>; 2] = [None, None];
        for (i, (direction, eigenvalue)) in directions.iter().zip(eigenvalues.iter()).enumerate() {
            if *eigenvalue > self.rank {
                continue;
            }
            let mut null =
                nalgebra::Vector3::new(-c.dot(direction) / self.k, direction.x, direction.y);
            if let Some(first) = free[0] {
                null -= first * first.dot(&null);
            }
            null /= null.norm();
            if null.dot(&start).abs() <= self.in_range * start.norm() {
                let excess = null.x * (plastic + dn) + null.y * d.x + null.z * d.y;
                dn -= excess * null.x;
                d -= Tangent::new(null.y, null.z) * excess;
                free[i] = Some(null);
            }
        }
        (dn, self.in_principal_axes(d))
    }

    /// Whether sliding as it does drives the contact into compression, however slowly it approaches: `αk < βc·s`.
    pub(crate) fn jams(&self) -> bool {
        self.alpha * self.k * self.ut.norm() < self.beta * self.c.dot(&self.ut)
    }

    /// The point of the path with this impulse, in the caller's units and axes.
    pub(crate) fn trace_point(
        &self,
        pn: f64,
        pt: Tangent,
        un: f64,
        ut: Tangent,
        work: f64,
    ) -> TracePoint {
        let (pt, ut) = (self.in_given_axes(pt), self.in_given_axes(ut));
        TracePoint {
            impulse: [pn, pt.x, pt.y].map(|p| p * self.impulse_unit),
            velocity: [un, ut.x, ut.y].map(|u| u * self.velocity_unit),
            normal_work: work * self.impulse_unit * self.velocity_unit,
        }
    }

    /// The totals of the path in the caller's units.
    pub(crate) fn path_totals(&self, totals: PathTotals) -> PathTotals {
        let energy_unit = self.impulse_unit * self.velocity_unit;
        PathTotals {
            compression_impulse: totals.compression_impulse * self.impulse_unit,
            restitution_impulse: totals.restitution_impulse * self.impulse_unit,
            compression_work: totals.compression_work * energy_unit,
            restitution_work: totals.restitution_work * energy_unit,
        }
    }

    pub(crate) fn into_contact_vec<const D: usize>(self, pn: f64, pt: Tangent) -> ContactVec<D> {
        let pt = self.in_given_axes(pt);
        ContactVec::from_parts(pn, [pt.x, pt.y]) * self.impulse_unit
    }
}

/// The axes (cosine, sine of the first) in which the symmetric matrix is diagonal, by one Jacobi rotation of at
/// most 45°, and its eigenvalues, none below zero. The smaller one is what the larger leaves of the determinant.
fn diagonalise(xx: f64, xy: f64, yy: f64) -> (Tangent, Tangent) {
    if xy == 0.0 {
        return (Tangent::new(1.0, 0.0), Tangent::new(xx.max(0.0), yy.max(0.0)));
    }
    let theta = (yy - xx) / (2.0 * xy);
    let tan = 1.0f64.copysign(theta) / (theta.abs() + f64::sqrt(1.0 + theta * theta));
    let cos = 1.0 / f64::sqrt(1.0 + tan * tan);
    let axes = Tangent::new(cos, -tan * cos);
    let (first, second) = (xx - tan * xy, yy + tan * xy);
    let [a, b, c] = [xx, xy, yy].map(Double::from);
    let det = (a * c - b * b).round();
    let eigenvalues = if first > second {
        Tangent::new(first, det / first)
    } else {
        Tangent::new(det / second, second)
    };
    (axes, eigenvalues.map(|t| t.max(0.0)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::laws::single::test_contacts::sticks_in_compression;

    /// k = T = 1, c = ½: κ = ¾. P_I = (1, 0) leaves the slip 0.8; S = ¾, so P_II − P_I = (8/15, −16/15).
    #[test]
    fn from_the_frictionless_to_the_sticking_impulse() {
        let scaled = Scaled::new(&sticks_in_compression(0.0), &Tolerances::NOMINAL);
        // W is scaled by a power of two: only the ratio is as given.
        assert_eq!(scaled.kappa() / scaled.k, 0.75);
        let (dn, dt) = scaled.sticking_from_plastic();
        let step = scaled.into_contact_vec::<2>(dn, dt).components();
        assert!((step[0] - 8.0 / 15.0).abs() <= 2.0 * f64::EPSILON, "{step:?}");
        assert!((step[1] + 16.0 / 15.0).abs() <= 2.0 * f64::EPSILON, "{step:?}");
    }

    /// [2 1; 1 2] has the eigenvalues 1 and 3, along the diagonals.
    #[test]
    fn axes_of_a_symmetric_matrix() {
        let (axes, eigenvalues) = diagonalise(2.0, 1.0, 2.0);
        assert!((axes.x.abs() - axes.y.abs()).abs() <= f64::EPSILON, "{axes:?}");
        assert!((eigenvalues.min() - 1.0).abs() <= 2.0 * f64::EPSILON, "{eigenvalues:?}");
        assert!((eigenvalues.max() - 3.0).abs() <= 2.0 * f64::EPSILON, "{eigenvalues:?}");
    }
}
