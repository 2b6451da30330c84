//! # Newton's frictionless law (1687)
//!
//! The bodies rebound along the normal with `e` times their approach speed; nothing acts along the surface.
//!
//! ## Model
//! 1. `p_n = −(1 + e) u_n⁻ / W_nn`
//! 2. `p_t = 0`
//!
//! ## Reads e as
//! Kinematic: `u_n⁺ = −e u_n⁻`. Without friction the kinetic and energetic readings give the same impulse. `mu` is
//! ignored, and the outcome's notes say so.
//!
//! ## Notation
//! Chatterjee and Ruina write `P_I = −(u_n⁻/W_nn) n` for the plastic frictionless impulse; here `p = (1 + e) P_I`.
//!
//! ## Deviations from the paper
//! none
//!
//! ## Limits
//! Refused where `W_nn = 0`: a mechanism that cannot yield along the normal.
//!
//! ## Energy
//! Never grows for `e ≤ 1`, proven: `ΔE = −(1 − e²) u_n⁻² / (2 W_nn)`.
//!
//! ## References
//! `ChatterjeeRuina1998` section 3.2.

use super::common::{self, rebound_along_normal};
use crate::contact::Contact;
use crate::laws::info::{LawInfo, ReadsE, without_settings};
use crate::laws::single::ContactLaw;
use crate::outcome::{Note, Observer, Outcome};
use crate::{ImpactError, Tolerances};

/// Newton's rebound along the normal.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Frictionless;

/// Its row in the catalogue.
pub(crate) static INFO: LawInfo = LawInfo {
    id: "frictionless",
    name: "Newton, frictionless",
    year: 1687,
    summary: "rebounds along the normal with e times the approach speed; no friction",
    references: &["ChatterjeeRuina1998"],
    reads_e: ReadsE::Kinematic,
    ..LawInfo::ONE_CONTACT
};

without_settings!(Frictionless);

impl<const D: usize> ContactLaw<D> for Frictionless {
    fn resolve(
        &self,
        contact: &Contact<D>,
        tolerances: &Tolerances,
        trace: &mut dyn Observer,
    ) -> Result<Outcome<D>, ImpactError> {
        common::resolve(&INFO, contact, tolerances, trace, |scaled, trace| {
            let mut answer = rebound_along_normal(scaled, trace);
            answer.notes.insert(Note::FrictionIgnored);
            Ok(answer)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Frictionless;
    use crate::laws::single::test_contacts::{assert_impulse, disk};

    /// p_n = (1 + ½)·1/1, whatever the friction.
    #[test]
    fn disk_rebounds_along_the_normal() {
        assert_impulse(Frictionless, &disk(2.0, 0.25, 0.0), [1.5, 0.0]);
    }
}
