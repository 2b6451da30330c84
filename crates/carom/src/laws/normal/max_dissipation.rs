//! # Maximum dissipation (2004)
//!
//! Of all velocities that pushing impulses reach and that do not penetrate, the one with the least kinetic energy.
//!
//! ## Model
//! 1. `0 ≤ p_i ⟂ u_i⁺ ≥ 0` for every contact
//! 2. equivalently `v⁺` is the point nearest to `v⁻`, in the kinetic metric, of the cone of velocities that separate
//!
//! ## Reads e as
//! Not at all: it is every law's `e = 0`. `mu` is ignored, and the outcome's notes say so.
//!
//! ## Notation
//! Glocker's `u_I = prox_K(u⁻)`.
//!
//! ## Deviations from the paper
//! Where `W` is singular the impulse of least `Σ W_ii p_i²` is given. Contacts that separate take part only once the
//! others close them; for this law that changes nothing in the velocities.
//!
//! ## Limits
//! none
//!
//! ## Energy
//! Never grows, proven: `ΔE = −½ pᵀ W p`, for contacts that separate before as well.
//!
//! ## References
//! `Glocker2004` section 6.

use crate::ImpactError;
use crate::contact::ContactProblem;
use crate::island::{Context, IslandAnswer, simultaneous};
use crate::laws::info::{Claims, IslandLaw, LawInfo, ReadsE, without_settings};

/// The plastic impact of all contacts at once.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MaxDissipation;

/// Its row in the catalogue.
pub(crate) static INFO: LawInfo = LawInfo {
    id: "max-dissipation",
    name: "Maximum dissipation",
    year: 2004,
    summary: "keeps the least kinetic energy that pushing without penetration allows",
    references: &["Glocker2004"],
    reads_e: ReadsE::Ignored,
    max_e: f64::INFINITY,
    friction: false,
    claims: Claims { cradle: false, ..Claims::ALL },
    ..LawInfo::SEVERAL_CONTACTS
};

without_settings!(MaxDissipation);

impl IslandLaw for MaxDissipation {
    fn resolve_island(
        &self,
        problem: &ContactProblem,
        context: &mut Context,
    ) -> Result<IslandAnswer, ImpactError> {
        simultaneous::plastic(problem, context)
    }
}

#[cfg(test)]
mod tests {
    use super::MaxDissipation;
    use crate::laws::normal::test_chains::{assert_velocities, three};

    /// W p = (1, 0) with p = (2/3, 1/3): all three go on together.
    #[test]
    fn three_masses_stay_together() {
        assert_velocities(MaxDissipation, &three([1.0, 1.0]), &[1.0 / 3.0; 3], 8.0);
    }
}
