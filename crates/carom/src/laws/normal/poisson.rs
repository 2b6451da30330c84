//! # Poisson's law for several contacts (1992)
//!
//! Compression stops every approach; expansion gives back `e` times each compression impulse, and more where that would
//! let bodies penetrate.
//!
//! ## Model
//! 1. compression: `0 ≤ p^C_i ⟂ u^C_i ≥ 0`, `u^C = u⁻ + W p^C`
//! 2. expansion: `0 ≤ p^E_i − e_i p^C_i ⟂ u⁺_i ≥ 0`, `u⁺ = u^C + W p^E`
//! 3. `p = p^C + p^E`
//!
//! ## Reads e as
//! Kinetic: the ratio of impulses, where nothing would penetrate. `mu` is ignored, and the outcome's notes say so.
//!
//! ## Notation
//! Glocker's and Mosterman's `Λ_C`, `Λ_E` → `p^C`, `p^E`.
//!
//! ## Deviations from the paper
//! Step 2 is a complementarity: the bare `p^E = e p^C` penetrates and gains energy (masses 1, 1, 1/3, velocities
//! (0, 0, −3), `e` = (0, 1): 55/49 of it). Where `W` is singular and the `e` differ, `u⁺` depends on the choice of
//! `p^C`: the one of least `Σ W_ii p_i²` is taken, and the outcome says so.
//!
//! ## Limits
//! The correction lets the largest `e` rule long chains: with `e` spread over (0, 1) a chain of a million loses almost
//! nothing.
//!
//! ## Energy
//! Never grows, proven for any `e_i ≤ 1`, even where contacts separate before: step 2 minimises an energy for which
//! `p^E = p^C` is feasible and gives back no more than compression took.
//!
//! ## References
//! `GlockerPfeiffer1992`, `Glocker2004` section 7, `Mosterman2003` Eqs. (13)–(18).

use crate::ImpactError;
use crate::contact::ContactProblem;
use crate::island::complementarity::Solved;
use crate::island::simultaneous::{self, Normals};
use crate::island::{Context, IslandAnswer, complementarity};
use crate::laws::info::{Claims, IslandLaw, LawInfo, ReadsE, without_settings};
use crate::outcome::Note;

/// Compression and expansion.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Poisson;

/// Its row in the catalogue.
pub(crate) static INFO: LawInfo = LawInfo {
    id: "poisson",
    name: "Poisson, simultaneous",
    year: 1992,
    summary: "gives back e times each compression impulse, more where bodies would penetrate",
    references: &["Glocker2004", "GlockerPfeiffer1992", "Mosterman2003"],
    reads_e: ReadsE::Kinetic,
    friction: false,
    claims: Claims { cradle: false, ..Claims::ALL },
    ..LawInfo::SEVERAL_CONTACTS
};

without_settings!(Poisson);

impl IslandLaw for Poisson {
    fn resolve_island(
        &self,
        problem: &ContactProblem,
        context: &mut Context,
    ) -> Result<IslandAnswer, ImpactError> {
        simultaneous::resolve(problem, None, context, |problem, context| {
            let compression = complementarity::solve_with_slack(problem, &problem.u, context)?;
            // [Glocker2004] after Eq. (60): what returns, and what must be added so that nothing penetrates.
            let Solved { p: mut impulse, w: mut q, effort } = compression;
            let returned = problem.e.with(&impulse, |e, p| e * p);
            if problem.e.differ() {
                problem.w.add_to(&mut q, &returned);
            } else {
                // W p^C is what compression has changed: no need to compute it anew.
                let e = problem.e.at(0);
                q.iter_mut().zip(problem.u.iter()).for_each(|(q, u)| *q += e * (*q - u));
            }
            let added = complementarity::solve(problem, &q, context)?;
            for (p, (returned, added)) in impulse.iter_mut().zip(returned.iter().zip(&added.p)) {
                *p += returned + added;
            }
            let unique = effort.impulse_unique;
            let mut normals = Normals::unique_in_velocity(impulse, effort.and(added.effort));
            if problem.e.differ() && unique == Some(false) {
                normals.notes.insert(Note::VelocityNotUnique);
            }
            Ok(normals)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Poisson;
    use crate::laws::normal::test_chains::{assert_velocities, three};

    /// p^C = (2/3, 1/3). With e = (1, 0) contact 0 returns 2/3, which leaves u = (4/3, −2/3); 1/3 more at contact 1 stops it.
    #[test]
    fn expansion_loads_the_neighbour() {
        assert_velocities(Poisson, &three([1.0, 0.0]), &[-1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0], 8.0);
    }

    /// With e = (0, 1) contact 1 returns 1/3: u = (−1/3, 2/3), and 1/6 more at contact 0 stops it.
    #[test]
    fn expansion_of_the_far_contact() {
        assert_velocities(Poisson, &three([0.0, 1.0]), &[1.0 / 6.0, 1.0 / 6.0, 2.0 / 3.0], 8.0);
    }
}
