//! # Chatterjee and Ruina's law (1998)
//!
//! Two coefficients of restitution, one normal and one tangential, and a clip where friction cannot follow.
//!
//! ## Model
//! 1. `P_I = −(u_n⁻/W_nn) n`, the frictionless plastic impulse; `P_II = −W⁻¹u⁻`, the sticking plastic one.
//! 2. `p̂ = (1 + e) P_I + (1 + e_t) (P_II − P_I)`
//! 3. If `|p̂_t| ≤ μ p̂_n`, `p = p̂`. Otherwise `p = (1 + e) P_I + κ (P_II − P_I)` with the κ that puts `p` on the
//!    cone: `κ = μ (1 + e) P_I,n / (|P_II,t| − μ (P_II − P_I)_n)`.
//!
//! ## Reads e as
//! Kinematic: `u_n⁺ = −e u_n⁻` exactly, clipped or not. `mu` bounds the ratio of the whole impulses.
//!
//! ## Notation
//! paper `M` → `W⁻¹`; paper `V` → `u`; paper `P` → `p`; the rest alike.
//!
//! ## Deviations from the paper
//! `P_II − P_I` is computed from the Schur complement `S = T − ccᵀ/k` of `W`, which needs no inverse of `W`: its
//! tangential part is `−S⁻¹(u_t − c u_n/k)`. Where `W` is singular and `u⁻` lies in its range, `P_II` is the
//! sticking impulse of least norm, the limit that the paper's Fig. 8 describes.
//! For `μ = ∞` the cone is the half-space `p_n ≥ 0`.
//!
//! ## Limits
//! At grazing incidence with locking it predicts no rebound, where the incremental laws do.
//!
//! ## Energy
//! Never grows, proven in the paper: `P_I, 2P_I, 2P_II − P_I, 2P_II` lose energy, energy is convex, and the clip
//! moves towards `(1 + e) P_I`.
//!
//! ## References
//! `ChatterjeeRuina1998` Eqs. (20)–(23), section 5.

use super::common::{self, check_applicable, outcome_of};
use super::scaled::{Answer, Scaled, Tangent};
use crate::contact::{Contact, ContactVec};
use crate::laws::info::{LawInfo, ReadsE, without_settings};
use crate::laws::single::ContactLaw;
use crate::outcome::{FinalMode, Observer, Outcome};
use crate::{ImpactError, Tolerances};

/// Normal and tangential restitution, clipped to the cone.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ChatterjeeRuina;

/// Its row in the catalogue.
pub(crate) static INFO: LawInfo = LawInfo {
    id: "chatterjee-ruina",
    name: "Chatterjee–Ruina",
    year: 1998,
    summary: "normal and tangential restitution, clipped to the friction cone; algebraic and never gains energy",
    references: &["ChatterjeeRuina1998"],
    reads_e: ReadsE::Kinematic,
    max_e: MAX_E,
    ..LawInfo::ONE_CONTACT
};

without_settings!(ChatterjeeRuina);

impl<const D: usize> ContactLaw<D> for ChatterjeeRuina {
    fn resolve(
        &self,
        contact: &Contact<D>,
        tolerances: &Tolerances,
        trace: &mut dyn Observer,
    ) -> Result<Outcome<D>, ImpactError> {
        check_applicable(&INFO, D, contact.e())?;
        if let Some(outcome) = resolve_definite(contact) {
            return Ok(outcome);
        }
        common::resolve(&INFO, contact, tolerances, trace, |s, _| Ok(solve(s)))
    }
}

/// The outcome if `W` is safely positive definite and nothing else needs care.
fn resolve_definite<const D: usize>(contact: &Contact<D>) -> Option<Outcome<D>> {
    let w = contact.delassus();
    // A planar contact gets a second tangent in which nothing happens.
    let (c, t) = match D {
        2 => ([w.at(0, 1), 0.0], [w.at(1, 1), 0.0, w.at(1, 1)]),
        3 => ([w.at(0, 1), w.at(0, 2)], [w.at(1, 1), w.at(1, 2), w.at(2, 2)]),
        _ => return None,
    };
    let material = contact.material();
    let clipped = kernel(Row {
        k: w.at(0, 0),
        c,
        t,
        un: contact.velocity().normal(),
        ut: contact.velocity().tangent(),
        e: contact.e(),
        e_t: material.e_t,
        mu: material.mu,
    });
    if !clipped.fits || contact.velocity().max_abs() == 0.0 {
        return None;
    }
    let [pn, p1, p2] = clipped.impulse;
    let mut outcome = outcome_of(&INFO, contact, ContactVec::from_parts(pn, [p1, p2])).ok()?;
    outcome.effort.compressions = 1;
    outcome.effort.final_mode = clipped.mode(material.e_t);
    Some(outcome)
}

/// One contact of three rows, as plain numbers.
#[derive(Clone, Copy)]
pub(crate) struct Row {
    pub k: f64,
    pub c: [f64; 2],
    /// `T` as xx, xy, yy.
    pub t: [f64; 3],
    pub un: f64,
    pub ut: [f64; 2],
    pub e: f64,
    pub e_t: f64,
    pub mu: f64,
}

#[derive(Clone, Copy)]
pub(crate) struct Clipped {
    pub impulse: [f64; 3],
    slides: bool,
    /// Whether the row is valid, approaches, and has a safely positive definite `W`; if not, the impulse means nothing.
    pub fits: bool,
}

impl Clipped {
    /// A contact that is not clipped follows `e_t`: it stops if that is zero.
    fn mode(&self, e_t: f64) -> FinalMode {
        if self.slides || e_t != 0.0 { FinalMode::Slip } else { FinalMode::Stick }
    }
}

/// The largest restitution that never gains energy.
const MAX_E: f64 = 1.0;

/// Squares below this may have lost digits: such rows are scaled first.
const TINY: f64 = 1e-280;
/// Squares above this may lead to velocities that are no numbers: such rows are scaled first, too.
const BIG: f64 = 1e200;

/// How much of `T` must be left in its Schur complement for working precision to do: what an elastic impact gains by
/// rounding stays below 1e-12 of its energy. Rows below this are computed in twice the precision.
const DEFINITE: f64 = 1e-3;

/// A normal impulse that keeps less than this part of its terms has lost digits: such rows are not for the kernel.
const FIRM: f64 = 1.0 / 64.0;

/// The law for definite `W`, without a branch, so that batches of rows vectorise. Divisions are what it spends its time
/// on, so there are two: `S' = kS` keeps `1/k` out of the Schur complement, and one reciprocal serves `k` and `det S'`.
#[inline(always)]
pub(crate) fn kernel(row: Row) -> Clipped {
    let Row { k, c, t, un, ut, e, e_t, mu } = row;
    let s = [k * t[0] - c[0] * c[0], k * t[1] - c[0] * c[1], k * t[2] - c[1] * c[1]];
    let det = s[0] * s[2] - s[1] * s[1];
    let slip = [k * ut[0] - c[0] * un, k * ut[1] - c[1] * un];
    let inverse = 1.0 / (k * det);
    let (inverse_k, inverse_det) = (det * inverse, k * inverse);
    let dt = [
        (s[1] * slip[1] - s[2] * slip[0]) * inverse_det,
        (s[1] * slip[0] - s[0] * slip[1]) * inverse_det,
    ];
    let dn = -(c[0] * dt[0] + c[1] * dt[1]) * inverse_k;
    let normal = (1.0 + e) * ((0.0 - un) * inverse_k);
    let clipped = clip(normal, dn, dt, 1.0 + e_t, [1.0, mu]);
    let size = k * max(t[0], t[2]);
    let definite = (k > 0.0) & (det > DEFINITE * size * size) & (s[0] > 0.0);
    let valid = (un <= 0.0) & (mu >= 0.0) & (0.0..=MAX_E).contains(&e) & (e_t.abs() <= 1.0);
    let [pn, p1, p2] = clipped.impulse;
    // Squares that neither overflow nor vanish: nothing before them did either, nor does what follows from impulses. Slip
    // without friction leaves no trace in them.
    let squares = pn * pn + p1 * p1 + p2 * p2;
    let slow = max(ut[0].abs(), ut[1].abs()) < BIG;
    let in_range = slow & (squares < BIG) & (squares > TINY) & (det > TINY) & (k * det < f64::MAX);
    let firm = !clipped.slides | (pn > FIRM * normal);
    Clipped { fits: definite & valid & in_range & firm, ..clipped }
}

/// The law for any `W`, from `P_II − P_I` of the scaled contact.
fn solve(s: &Scaled) -> Answer {
    let (dn, dt) = s.sticking_from_plastic();
    let normal = (1.0 + s.e) * (-s.un / s.k);
    let mut clipped = clip(normal, dn, [dt.x, dt.y], 1.0 + s.e_t, [s.alpha, s.beta]);
    let pt = Tangent::new(clipped.impulse[1], clipped.impulse[2]);
    // On the rim of the cone the tangential impulse gives the normal one without cancellation.
    if clipped.slides {
        clipped.impulse[0] = s.alpha / s.beta * pt.norm();
    }
    Answer::new(clipped.impulse[0], pt, clipped.mode(s.e_t))
}

/// `ChatterjeeRuina1998` Eqs. (20)–(23): `(1 + e) P_I + (1 + e_t) D`, shortened along `D` until it is in the cone
/// `alpha |p_t| ≤ beta p_n`.
#[inline(always)]
fn clip(normal: f64, dn: f64, dt: [f64; 2], wanted: f64, [alpha, beta]: [f64; 2]) -> Clipped {
    let length = (dt[0] * dt[0] + dt[1] * dt[1]).sqrt();
    let slides = alpha * (wanted * length) > beta * (normal + wanted * dn);
    // Positive wherever the impulse slides: alpha·length·κ − beta·(normal + κ·dn) is affine in κ, ≤ 0 at κ = 0.
    let excess = alpha * length - beta * dn;
    let kappa = if slides { beta * normal / excess } else { wanted };
    Clipped { impulse: [normal + kappa * dn, kappa * dt[0], kappa * dt[1]], slides, fits: true }
}

/// `f64::max` without its care for NaN, which keeps loops from vectorising.
#[inline(always)]
fn max(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Delassus, Material, Unobserved};

    fn resolve(mu: f64, e_t: f64) -> [f64; 2] {
        let material = Material::new(mu, 0.5).and_then(|m| m.with_e_t(e_t)).unwrap();
        let w = Delassus::new([[1.0, 0.0], [0.0, 3.0]]).unwrap();
        let contact = Contact::new(w, ContactVec::new([-1.0, 1.5]), material).unwrap();
        let outcome = ChatterjeeRuina.resolve(&contact, &Tolerances::default(), &mut Unobserved);
        outcome.unwrap().impulse.components()
    }

    /// A disk: P_I = (1, 0), P_II = (1, −½). With e = ½ and e_t = 1, p̂ = (1.5, −1), inside the cone from μ = 2/3 on.
    #[test]
    fn disk_sticks_and_reverses() {
        assert_eq!(resolve(0.7, 0.0), [1.5, -0.5]);
        assert_eq!(resolve(0.7, 1.0), [1.5, -1.0]);
    }

    /// The same disk with μ = ¼: the impulse ends on the cone, |p_t| = 1.5/4.
    #[test]
    fn disk_slides() {
        assert_eq!(resolve(0.25, 1.0), [1.5, -0.375]);
    }

    /// A pendulum's W = g gᵀ cannot yield across g. With g = (1, 1) and u⁻ = −g: P_I = (1, 0), and of all sticking
    /// impulses P_II = (½, ½) is the shortest, p_t/p_n = 1. μ = 2 admits it: p = 1.5 P_I + (P_II − P_I).
    #[test]
    fn locked_mechanism_takes_the_shortest_impulse() {
        let w = Delassus::new([[1.0, 1.0], [1.0, 1.0]]).unwrap();
        let material = Material::new(2.0, 0.5).unwrap();
        let contact = Contact::new(w, ContactVec::new([-1.0, -1.0]), material).unwrap();
        let outcome =
            ChatterjeeRuina.resolve(&contact, &Tolerances::default(), &mut Unobserved).unwrap();
        let [pn, pt] = outcome.impulse.components();
        assert!((pn - 1.0).abs() < 4.0 * f64::EPSILON && (pt - 0.5).abs() < 4.0 * f64::EPSILON);
        assert!((outcome.velocity.normal() - 0.5).abs() < 4.0 * f64::EPSILON);
    }
}
