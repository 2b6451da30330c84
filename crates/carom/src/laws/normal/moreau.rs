//! # Moreau's law with a global index (1988)
//!
//! The velocity is reflected at the cone of velocities that separate, with one coefficient for the whole impact.
//!
//! ## Model
//! 1. `v⁺ = (1 + ε) prox_K(v⁻) − ε v⁻`, `K` the cone of velocities that do not penetrate, nearest in the kinetic metric
//! 2. `prox_K(v⁻) = v⁻ + M⁻¹Jᵀl` with `0 ≤ l ⟂ u⁻ + W l ≥ 0`, so `p = (1 + ε) l`
//!
//! ## Reads e as
//! Kinematic, the same for all contacts: their common `e`, or the setting `restitution`. `mu` is ignored, and the
//! outcome's notes say so.
//!
//! ## Notation
//! Glocker's global dissipation index `ε` → `restitution`.
//!
//! ## Deviations from the paper
//! Where `W` is singular the impulse of least `Σ W_ii p_i²` is given. Contacts that separate are left out; one that the
//! others close is added, and the reflection is then that of Newton's law with `e = 0` at this contact: reflected, it
//! would penetrate. Where that gains energy the answer is moved towards maximum dissipation; where it has no solution, the
//! contacts left out are resolved one impact later, without restitution.
//!
//! ## Limits
//! No propagation: Newton's cradle at `e = 1` gives (−3/5, 2/5, 2/5, 2/5, 2/5).
//!
//! ## Energy
//! Never grows, proven: `T⁺ = T_I + ε² (T⁻ − T_I)` with `T_I` the energy of maximum dissipation.
//!
//! ## References
//! `Glocker2004` sections 5 and 6, `Moreau1988`.

use super::newton;
use crate::ImpactError;
use crate::contact::{ContactKind, ContactProblem};
use crate::island::{Context, IslandAnswer, simultaneous};
use crate::laws::info::{Claims, IslandLaw, LawInfo, ReadsE, with_settings};
use crate::settings::law_settings;

law_settings! {
    /// Moreau's reflection.
    pub struct Moreau {
        /// The index; absent, the contacts' common `e` \[1\].
        restitution: Option<f64> = None => "the common e", "one coefficient for the whole impact", in [0.0, 1.0];
    }
}

/// Its row in the catalogue.
pub(crate) static INFO: LawInfo = LawInfo {
    id: "moreau",
    name: "Moreau, global index",
    year: 1988,
    summary: "reflects the velocity at the cone of separating ones, with one e for the whole impact",
    references: &["Glocker2004", "Moreau1988"],
    reads_e: ReadsE::Kinematic,
    settings: Moreau::declared,
    friction: false,
    claims: Claims { cradle: false, ..Claims::ALL },
    ..LawInfo::SEVERAL_CONTACTS
};

with_settings!(Moreau, |law: Moreau, problem| Moreau {
    restitution: restitution_on(law.restitution, problem, INFO.id),
});

/// The setting, or the `e` that all contacts have in common.
pub(crate) fn common_restitution(
    setting: Option<f64>,
    problem: &ContactProblem,
    law: &'static str,
) -> Result<f64, ImpactError> {
    if let Some(e) = setting {
        return Ok(e);
    }
    if let Some(e) = problem.summary().common_e {
        return Ok(e);
    }
    let mut first: Option<(usize, f64)> = None;
    for (k, spec) in problem.contacts().iter().enumerate() {
        let u = problem.velocity()[problem.row_range(k).start];
        if spec.kind == ContactKind::Bilateral || u > 0.0 {
            continue;
        }
        let e = spec.material.restitution.at(-u);
        match first {
            None => first = Some((k, e)),
            Some((j, common)) if common != e => {
                return Err(ImpactError::bad_problem(
                    format!("contacts[{k}].e"),
                    e,
                    format!(
                        "contacts[{j}] has {common}: `{law}` has one coefficient for the whole impact; \
                         give it as the setting `restitution`"
                    ),
                ));
            }
            Some(_) => {}
        }
    }
    Ok(first.map_or(0.0, |(_, e)| e))
}

/// The setting as it is read on a problem.
pub(crate) fn restitution_on(
    setting: Option<f64>,
    problem: Option<&ContactProblem>,
    law: &'static str,
) -> Option<f64> {
    setting.or_else(|| common_restitution(setting, problem?, law).ok())
}

impl IslandLaw for Moreau {
    fn resolve_island(
        &self,
        problem: &ContactProblem,
        context: &mut Context,
    ) -> Result<IslandAnswer, ImpactError> {
        let e = common_restitution(self.restitution, problem, INFO.id)?;
        // [Glocker2004] Eq. (57), in its local form: Newton's with the same e everywhere.
        simultaneous::resolve(problem, Some(e), context, newton::rebound)
    }
}

#[cfg(test)]
mod tests {
    use super::Moreau;
    use crate::laws::normal::test_chains::{assert_velocities, three};

    /// (1 + ε) times the plastic impulse (2/3, 1/3): p = (1, ½).
    #[test]
    fn half_of_the_way_beyond_rest() {
        assert_velocities(Moreau::default(), &three([0.5, 0.5]), &[0.0, 0.5, 0.5], 8.0);
        let law = Moreau { restitution: Some(0.5) };
        assert_velocities(law, &three([1.0, 0.0]), &[0.0, 0.5, 0.5], 8.0);
    }
}
