//! # Smith's law (1991)
//!
//! Newton's restitution, with friction against a mean of the slips before and after.
//!
//! ## Model
//! 1. `w = (u_t⁻|u_t⁻| + u_t⁺|u_t⁺|) / (|u_t⁻|² + |u_t⁺|²)`, so `|w| ≤ 1`
//! 2. `p_t = −μ p_n w`
//! 3. `u_n⁺ = −e u_n⁻`
//!
//! ## Reads e as
//! Kinematic: `u_n⁺ = −e u_n⁻` exactly. `mu` is the ratio of the whole impulses where the slip keeps its direction.
//!
//! ## Notation
//! paper `V_t` → `u_t`; its averaged direction → `w`.
//!
//! ## Deviations from the paper
//! - For each normal impulse, 1 and 2 fix the slip. That curve is followed from `p = 0`, by arc length, and every point
//!   where 3 holds is found, up to the largest normal impulse that energy allows. The smallest is returned, the count
//!   reported. Solutions off the curve, should there be any, are not seen.
//! - With `u_t⁻ = 0` the mean is the final direction: the law is Whittaker's.
//! - `μ = ∞` is the limit `w = 0`: the slip is reversed.
//!
//! ## Limits
//! - No solution for a mechanism that locks (`W` singular) before it rebounds.
//! - At grazing incidence with locking there is no rebound.
//!
//! ## Energy
//! Never grows, proven: `(a|a| + b|b|)·(a + b) ≥ (|a| + |b|)(|a| − |b|)² ≥ 0` for the slips `a`, `b`.
//!
//! ## References
//! `Smith1991`; `ChatterjeeRuina1998` section 4.

mod curve;

use super::scaled::{Answer, Scaled, Tangent};
use super::{common, whittaker};
use crate::contact::Contact;
use crate::laws::info::{LawInfo, ReadsE, without_settings};
use crate::laws::single::ContactLaw;
use crate::outcome::{FinalMode, Observer, Outcome};
use crate::{ImpactError, Tolerances};

/// Friction against a mean of the slips before and after.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Smith;

/// Its row in the catalogue.
pub(crate) static INFO: LawInfo = LawInfo {
    id: "smith",
    name: "Smith",
    year: 1991,
    summary: "Newton's restitution, friction against a mean of the slips before and after",
    references: &["Smith1991", "ChatterjeeRuina1998"],
    reads_e: ReadsE::Kinematic,
    ..LawInfo::ONE_CONTACT
};

without_settings!(Smith);

impl<const D: usize> ContactLaw<D> for Smith {
    fn resolve(
        &self,
        contact: &Contact<D>,
        tolerances: &Tolerances,
        trace: &mut dyn Observer,
    ) -> Result<Outcome<D>, ImpactError> {
        common::resolve(&INFO, contact, tolerances, trace, |s, _| solve(s, tolerances))
    }
}

fn solve(s: &Scaled, tolerances: &Tolerances) -> Result<Answer, ImpactError> {
    let speed = s.ut.norm();
    if speed == 0.0 {
        return whittaker::solve(s);
    }
    if s.un == 0.0 && !s.jams() {
        return Ok(Answer::new(0.0, Tangent::zeros(), FinalMode::Untouched));
    }
    let change = -(1.0 + s.e) * s.un;
    if let Some(answer) = reversed(s, change)? {
        return Ok(answer);
    }
    curve::Curve::new(s, change, tolerances).first_crossing()
}

/// The solution for `μ = ∞` that reverses the slip: `w = 0`, so `u_t⁺ = −u_t⁻` in every direction that yields. None if
/// the rebound is reached before the slip is reversed, at no normal impulse.
fn reversed(s: &Scaled, change: f64) -> Result<Option<Answer>, ImpactError> {
    let missing = change + 2.0 * s.b().dot(&s.ut);
    let slack = if s.kappa() == 0.0 { s.locked_slack(change) } else { s.slack(change) };
    if s.alpha > 0.0 || missing < -slack {
        return Ok(None);
    }
    let (pn, pt) = match (s.impulse_to(change, 1.0), s.kappa()) {
        (Some(impulse), _) => impulse,
        (None, 0.0) if missing > slack => return Err(locks()),
        (None, 0.0) => (0.0, along_surface(s, change, -s.solve_t(s.ut * 2.0))),
        (None, kappa) => {
            let pn = missing / kappa;
            (pn, -s.solve_t(s.ut * 2.0 + s.c * pn))
        }
    };
    Ok(Some(Answer::new(pn.max(0.0), pt, FinalMode::Slip)))
}

/// Without normal part nothing but `p_t` makes the rebound: what rounding left of it goes where the slip feels it least.
fn along_surface(s: &Scaled, change: f64, pt: Tangent) -> Tangent {
    let b = s.b();
    match s.c.dot(&b) {
        0.0 => pt,
        yields => pt + b * ((change - s.c.dot(&pt)) / yields),
    }
}

fn locks() -> ImpactError {
    ImpactError::NoSolution { law: INFO.id, reason: "the contact locks before it rebounds".into() }
}

#[cfg(test)]
mod tests {
    use super::Smith;
    use crate::laws::single::test_contacts::{assert_impulse, disk};

    /// The slip 1.5 keeps its direction, so w = 1: p_t = −¼·1.5.
    #[test]
    fn disk_slides() {
        assert_impulse(Smith, &disk(1.5, 0.25, 0.0), [1.5, -0.375]);
    }

    /// From slip 1 to −½: w = (1 − ¼)/(1 + ¼) = 0.6, and 1 − 3·μ·1.5·0.6 = −½ for μ = 5/9. p_t = −μ·1.5·0.6 = −½.
    #[test]
    fn disk_reverses() {
        assert_impulse(Smith, &disk(1.0, 5.0 / 9.0, 0.0), [1.5, -0.5]);
    }
}
