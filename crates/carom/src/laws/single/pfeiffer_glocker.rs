//! # Pfeiffer and Glocker's law (1996)
//!
//! Anitescu and Potra's two steps in the plane, with part of the tangential impulse of compression given back.
//!
//! ## Model
//! 1. compression: as in `anitescu-potra`, giving `p_nC`, `p_tC` and the slip `u_tC`
//! 2. expansion: `p_nE = e p_nC`; released `p_R = ν e e_t p_tC`
//! 3. `p_tE` is the sticking value `−(u_tC + c p_nE)/T` moved into `[p_R, μ p_nE]` if `p_tC > 0`, into `[−μ p_nE, p_R]` if
//!    `p_tC < 0`, into `[−μ p_nE, μ p_nE]` if `p_tC = 0`
//!
//! ## Reads e as
//! Kinetic: `p_nE = e p_nC`. `e_t` from 0 to 1 is the tangential coefficient; only `ν e_t` matters. `mu` bounds the ratio of
//! the impulses of each step.
//!
//! ## Notation
//! paper `ε_N` → `e`, `ε_T` → `e_t`, `ν` alike.
//!
//! ## Deviations from the paper
//! The book's text was read through Chatterjee and Ruina's and Glocker's later accounts: the interval of step 3 is a
//! reading consistent with both, not a quotation.
//!
//! ## Limits
//! - Planar contacts and `e_t ≥ 0` only.
//! - With `e_t = 0` it is not `anitescu-potra`: the expansion may then not push the slip beyond what compression did.
//!
//! ## Energy
//! Not proven; never seen to grow (`crates/carom/tests/claims/one_contact.rs`).
//!
//! ## References
//! `PfeifferGlocker1996`; `Glocker2013`; `ChatterjeeRuina1998` section 4.

use super::anitescu_potra::compress;
use super::common;
use super::coulomb_step::Solution;
use super::scaled::{Answer, Scaled, Tangent};
use crate::contact::Contact;
use crate::laws::info::{Claims, LawInfo, ReadsE, with_settings};
use crate::laws::single::ContactLaw;
use crate::outcome::{FinalMode, Observer, Outcome};
use crate::settings::law_settings;
use crate::{ImpactError, Tolerances};

law_settings! {
    /// Two steps with tangential release.
    pub struct PfeifferGlocker {
        /// How much of the tangential impulse of compression can be released \[1\].
        nu: f64 = 1.0, "how much of the tangential impulse of compression can be released", in [0.0, 1.0];
    }
}

/// Its row in the catalogue.
pub(crate) static INFO: LawInfo = LawInfo {
    id: "pfeiffer-glocker",
    name: "Pfeiffer–Glocker",
    year: 1996,
    summary: "compression and expansion with release of tangential impulse; planar",
    references: &["PfeifferGlocker1996", "Glocker2013", "ChatterjeeRuina1998"],
    reads_e: ReadsE::Kinetic,
    settings: PfeifferGlocker::declared,
    dimensions: &[1, 2],
    claims: Claims { restitution: false, ..Claims::ALL },
    ..LawInfo::ONE_CONTACT
};

with_settings!(PfeifferGlocker);

impl PfeifferGlocker {
    fn solve(&self, s: &Scaled) -> Result<Answer, ImpactError> {
        let (Solution { load, friction }, _) = compress(INFO.id, s)?;
        let expansion = load.times(s.e);
        let pressed = friction.pt.x;
        let released = self.nu * s.e * s.e_t * pressed;
        let limit = expansion.pt_max;
        let [low, high] = if pressed > 0.0 {
            [released, limit]
        } else if pressed < 0.0 {
            [-limit, released]
        } else {
            [-limit, limit]
        };
        let slip = s.ut.x + s.c.x * (load.pn + expansion.pn) + s.t.x * pressed;
        let stopping = if s.t.x > s.rank { -slip / s.t.x } else { 0.0 };
        let pt = stopping.max(low).min(high);
        let mode = if pt == stopping { FinalMode::Stick } else { FinalMode::Slip };
        Ok(Answer::new(load.pn + expansion.pn, Tangent::new(pressed + pt, 0.0), mode))
    }
}

impl<const D: usize> ContactLaw<D> for PfeifferGlocker {
    fn resolve(
        &self,
        contact: &Contact<D>,
        tolerances: &Tolerances,
        trace: &mut dyn Observer,
    ) -> Result<Outcome<D>, ImpactError> {
        let e_t = contact.material().e_t;
        if e_t < 0.0 {
            let reason =
                format!("it takes tangential restitution between 0 and 1, and e_t = {e_t}");
            return Err(ImpactError::NotApplicable { law: INFO.id, reason });
        }
        common::resolve(&INFO, contact, tolerances, trace, |s, _| self.solve(s))
    }
}

#[cfg(test)]
mod tests {
    use super::PfeifferGlocker;
    use crate::laws::single::test_contacts::{assert_impulse, sticks_in_compression};

    /// Compression as in `anitescu-potra`: p_tC = −16/15. Expansion would stick with −23/60, inside [−23/30, 0].
    #[test]
    fn nothing_to_release() {
        let law = PfeifferGlocker::default();
        assert_impulse(law, &sticks_in_compression(0.0), [2.3, -1.45]);
    }

    /// With e_t = 1 at least ½·(−16/15) = −8/15 is released, more than sticking takes: p_t = −16/15 − 8/15.
    #[test]
    fn releases_what_was_stored() {
        let law = PfeifferGlocker::default();
        assert_impulse(law, &sticks_in_compression(1.0), [2.3, -1.6]);
    }
}
