//! # The bilinear law (collinear impacts)
//!
//! Normal and tangential restitution each on its own, where the contact does not couple them.
//!
//! ## Model
//! Needs `c = 0` and `T u_t = τ u_t`.
//! 1. `p_n = −(1 + e) u_n⁻ / k`
//! 2. `p_t = −(u_t/|u_t|) min(μ p_n, (1 + e_t)|u_t|/τ)`
//!
//! ## Reads e as
//! Kinematic: `u_n⁺ = −e u_n⁻`. `e_t` reverses the slip likewise; `mu` bounds the ratio of the impulses.
//!
//! ## Notation
//! Walton's `β` → `e_t`.
//!
//! ## Deviations from the paper
//! none
//!
//! ## Limits
//! Only for contacts that do not couple (spheres, disks, central impacts): others are refused, with the coupling named.
//!
//! ## Energy
//! Never grows: it is Chatterjee and Ruina's law on its class.
//!
//! ## References
//! `ChatterjeeRuina1998` section 4; `Walton1993`.

use super::common;
use super::scaled::{Answer, Scaled, Tangent};
use crate::contact::Contact;
use crate::laws::info::{LawInfo, ReadsE, without_settings};
use crate::laws::single::ContactLaw;
use crate::outcome::{FinalMode, Observer, Outcome};
use crate::{ImpactError, Tolerances};

/// Restitution of uncoupled directions.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Bilinear;

/// Its row in the catalogue.
pub(crate) static INFO: LawInfo = LawInfo {
    id: "bilinear",
    name: "Bilinear",
    year: 1993,
    summary: "separate normal and tangential restitution, for contacts that do not couple them",
    references: &["Walton1993", "ChatterjeeRuina1998"],
    reads_e: ReadsE::Kinematic,
    ..LawInfo::ONE_CONTACT
};

without_settings!(Bilinear);

impl<const D: usize> ContactLaw<D> for Bilinear {
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
    let refuse = |reason: String| Err(ImpactError::NotApplicable { law: INFO.id, reason });
    // Each tangent against its own entries: W may be stiff along one of them and soft along the other.
    let coupling = |c: f64, t: f64| if c == 0.0 { 0.0 } else { c.abs() / f64::sqrt(s.k * t) };
    let coupled = coupling(s.c.x, s.t.x).max(coupling(s.c.y, s.t.y));
    if coupled > tolerances.class {
        return refuse(format!("W couples normal and tangent (|c| is {coupled:.3e} of √(k t))"));
    }
    let speed = s.ut.norm();
    let pn = (1.0 + s.e) * -s.un / s.k;
    if speed == 0.0 {
        return Ok(Answer::new(pn, Tangent::zeros(), FinalMode::Stick));
    }
    let direction = s.ut / speed;
    let response = s.apply_t(direction);
    let tau = direction.dot(&response);
    if (response - direction * tau).norm() > tolerances.class * tau {
        return refuse(
            "the slip is not along a principal axis of the tangential block of W".into(),
        );
    }
    // Compared as α(1 + e_t)|u_t| against β p_n τ, so that neither τ = 0 nor μ = ∞ divides by zero.
    let slides = s.alpha * (1.0 + s.e_t) * speed > s.beta * pn * tau;
    let pt = match (slides, tau > s.rank) {
        (true, _) => direction * -(s.beta / s.alpha * pn),
        (false, true) => direction * -((1.0 + s.e_t) * speed / tau),
        (false, false) => Tangent::zeros(),
    };
    Ok(Answer::new(pn, pt, if slides { FinalMode::Slip } else { FinalMode::Stick }))
}

#[cfg(test)]
mod tests {
    use super::Bilinear;
    use crate::laws::single::test_contacts::{assert_impulse, disk, sticks_in_compression};
    use crate::laws::single::{ContactLaw, SingleLaw};
    use crate::{ImpactError, Tolerances, Unobserved};

    /// p_n = 1.5; a full reversal of the slip 1.5 takes −2·1.5/3 = −1, and μ = ¼ allows −0.375.
    #[test]
    fn disk_reverses_or_slides() {
        assert_impulse(Bilinear, &disk(1.5, 0.7, 1.0), [1.5, -1.0]);
        assert_impulse(Bilinear, &disk(1.5, 0.25, 1.0), [1.5, -0.375]);
    }

    #[test]
    fn coupled_contact_is_refused() {
        let contact = sticks_in_compression(0.0);
        let refused =
            SingleLaw::from(Bilinear).resolve(&contact, &Tolerances::default(), &mut Unobserved);
        assert!(matches!(refused, Err(ImpactError::NotApplicable { .. })), "{refused:?}");
    }
}
