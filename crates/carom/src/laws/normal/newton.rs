//! # Newton's law for several contacts (1687)
//!
//! Every contact leaves with at least `e` times its approach speed; only those that leave with exactly that much push.
//!
//! ## Model
//! 1. `0 ≤ p_i ⟂ u_i⁺ + e_i u_i⁻ ≥ 0` for every contact
//! 2. `u⁺ = u⁻ + W p`
//!
//! ## Reads e as
//! Kinematic. Contacts may have different `e`. `mu` is ignored, and the outcome's notes say so.
//!
//! ## Notation
//! Glocker's `Λ` → `p`, `γ` → `u`, `ε` → `e`.
//!
//! ## Deviations from the paper
//! Where `W` is singular the impulse of least `Σ W_ii p_i²` is given. Contacts that separate are left out; one that the
//! others close is added with `e = 0`. That alone can gain energy (`M = diag(5, 4)`, `J = [−2 −1; 1 2]`, `v = (3, −1)`,
//! `e = (1, 0)`: to 200/147 of it) or have no solution (a body between two walls); in the first case the answer is moved
//! towards maximum dissipation, in the second the contacts left out are resolved one impact later, without restitution.
//!
//! ## Limits
//! No propagation: Newton's cradle at `e = 1` gives (−3/5, 2/5, 2/5, 2/5, 2/5).
//!
//! ## Energy
//! Never grows if no contact separates before, proven for any `e_i ≤ 1`: where `p_i > 0`, `u_i⁺ = −e_i u_i⁻`, so
//! `ΔE = ½ Σ (1 − e_i) u_i⁻ p_i ≤ 0`.
//!
//! ## References
//! `Glocker2004` section 7, `Newton1687`.

use crate::ImpactError;
use crate::contact::ContactProblem;
use crate::island::normal::NormalProblem;
use crate::island::simultaneous::{self, Normals};
use crate::island::{Context, IslandAnswer, complementarity};
use crate::laws::info::{Claims, IslandLaw, LawInfo, ReadsE, without_settings};

/// Newton's law as complementarity.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Newton;

/// Its row in the catalogue.
pub(crate) static INFO: LawInfo = LawInfo {
    id: "newton",
    name: "Newton, simultaneous",
    year: 1687,
    summary: "every contact leaves with at least e times its approach speed, all at once",
    references: &["Glocker2004", "Newton1687"],
    reads_e: ReadsE::Kinematic,
    friction: false,
    claims: Claims { cradle: false, ..Claims::ALL },
    ..LawInfo::SEVERAL_CONTACTS
};

without_settings!(Newton);

impl IslandLaw for Newton {
    fn resolve_island(
        &self,
        problem: &ContactProblem,
        context: &mut Context,
    ) -> Result<IslandAnswer, ImpactError> {
        simultaneous::resolve(problem, None, context, rebound)
    }
}

/// `0 ≤ p ⟂ u + W p + e u ≥ 0`.
pub(super) fn rebound(
    problem: &NormalProblem,
    context: &mut Context,
) -> Result<Normals, ImpactError> {
    let q = problem.e.with(&problem.u, |e, u| (1.0 + e) * u);
    let solved = complementarity::solve(problem, &q, context)?;
    Ok(Normals::unique_in_velocity(solved.p, solved.effort))
}

#[cfg(test)]
mod tests {
    use super::Newton;
    use crate::laws::normal::test_chains::{assert_velocities, chain, three};

    /// W p = −(1 + e) u⁻ = (2, 0) with p = (4/3, 2/3): no propagation.
    #[test]
    fn three_elastic_masses() {
        assert_velocities(Newton, &three([1.0, 1.0]), &[-1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0], 8.0);
    }

    /// At (1, 0, −1) both contacts approach with 1: p = (1 + e)(1, 1), and the middle mass stays.
    #[test]
    fn both_sides_rebound() {
        let chain = chain(&[1.0; 3], &[1.0, 0.0, -1.0], &[0.5, 0.5]);
        assert_velocities(Newton, &chain, &[-0.5, 0.0, 0.5], 8.0);
    }
}
