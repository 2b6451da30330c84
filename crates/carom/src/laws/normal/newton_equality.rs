//! # Newton's law for several contacts, as equations (1687)
//!
//! Every contact leaves with exactly `e` times its approach speed, even if it has to pull.
//!
//! ## Model
//! 1. `u_i⁺ = −e_i u_i⁻` for every contact
//! 2. `u⁺ = u⁻ + W p`
//!
//! ## Reads e as
//! Kinematic. `mu` is ignored, and the outcome's notes say so.
//!
//! ## Notation
//! Glocker's `Λ` → `p`, `γ` → `u`, `ε` → `e`.
//!
//! ## Deviations from the paper
//! Where `W` is singular the impulse of least `Σ W_ii p_i²` is given, if the equations have a solution at all.
//!
//! ## Limits
//! A comparison law: contacts pull (`M = diag(3, 1)`, `J = [−1 1; −1 2]`, `v = (0, −1)`, `e = 0`: `p = (−1, 1)`), and
//! redundant contacts with different `e` have no solution.
//!
//! ## Energy
//! Can grow where contacts pull (`M = diag(1, 2)`, `J = [−1 −1; 0 −2]`, `v = (−1, 2)`, `e = (0, 1)`: to 4/3). Never
//! grows if all `e` are equal, proven.
//!
//! ## References
//! `Glocker2004` section 7, `Newton1687`.

use crate::ImpactError;
use crate::contact::ContactProblem;
use crate::island::simultaneous::{self, Normals};
use crate::island::{Context, IslandAnswer};
use crate::laws::info::{Claims, IslandLaw, LawInfo, ReadsE, without_settings};
use crate::numerics::factor::Factor;
use crate::numerics::least_norm::least_norm_equality;
use crate::outcome::SolverEffort;

/// Newton's law without inequalities.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct NewtonEquality;

/// Its row in the catalogue.
pub(crate) static INFO: LawInfo = LawInfo {
    id: "newton-equality",
    name: "Newton, as equations",
    year: 1687,
    summary: "every contact leaves with exactly e times its approach speed, pulling if it must",
    references: &["Glocker2004", "Newton1687"],
    reads_e: ReadsE::Kinematic,
    friction: false,
    claims: Claims { energy: false, pushes: false, cradle: false, total: false, ..Claims::ALL },
    ..LawInfo::SEVERAL_CONTACTS
};

without_settings!(NewtonEquality);

impl IslandLaw for NewtonEquality {
    fn resolve_island(
        &self,
        problem: &ContactProblem,
        context: &mut Context,
    ) -> Result<IslandAnswer, ImpactError> {
        simultaneous::resolve(problem, None, context, |problem, context| {
            let b = problem.e.with(&problem.u, |e, u| -(1.0 + e) * u);
            let rows: Vec<usize> = (0..problem.len()).collect();
            let matrix = problem.w.full_block(&rows)?;
            let tolerances = context.tolerances;
            let factor = Factor::new(&matrix, tolerances.rank);
            let impulse = least_norm_equality(&matrix, &factor, &b, tolerances.class).map_err(|row| {
                context.no_solution(format!(
                    "contact row {row} and those coupled to it are redundant and ask for velocities that no motion has"
                ))
            })?;
            let unique = factor.rank() == b.len();
            let effort = SolverEffort { impulse_unique: Some(unique), ..SolverEffort::default() };
            Ok(Normals::unique_in_velocity(impulse, effort))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::NewtonEquality;
    use crate::laws::several::SeveralLaw;
    use crate::outcome::Unobserved;
    use crate::system::{Generalized, MassMatrix};
    use crate::{ContactSpec, Material, Tolerances};

    /// W = [4/3 7/3; 7/3 13/3], u⁻ = (−1, −2): W p = (1, 2) with p = (−1, 1).
    #[test]
    fn contacts_pull() {
        let mass = MassMatrix::Diagonal(vec![3.0, 1.0]);
        let contact = ContactSpec::new(1, Material::new(0.0, 0.0).unwrap());
        let jacobian = vec![-1.0, 1.0, -1.0, 2.0];
        let system = Generalized::new(mass, vec![0.0, -1.0], jacobian, vec![contact; 2]).unwrap();
        let law = SeveralLaw::from(NewtonEquality);
        let outcome = law.resolve(system.problem(), &Tolerances::NOMINAL, &mut Unobserved).unwrap();
        let off = (outcome.impulse[0] + 1.0).abs().max((outcome.impulse[1] - 1.0).abs());
        assert!(off <= 64.0 * f64::EPSILON, "{:?}", outcome.impulse);
    }
}
