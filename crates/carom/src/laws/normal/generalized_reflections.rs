//! # Generalized reflections (2012)
//!
//! All contacts that approach reflect at once, again and again, until none does.
//!
//! ## Model
//! 1. `V`, the contacts that approach
//! 2. `v ← 2 prox_V(v) − v`, the nearest velocity in the kinetic metric at which none of `V` approaches, and as far
//!    again: `0 ≤ p_i ⟂ u_i + 2 u_i⁻ ≥ 0` on `V` alone; again from 1 until `V` is empty, which gives `v_GR`
//! 3. `v⁺ = c v_GR + (1 − c) prox_K(v⁻)`, `K` the velocities at which no contact at all approaches
//!
//! ## Reads e as
//! One `c` for the whole impact: the contacts' common `e`, or the setting `restitution`. For a single contact it is
//! kinematic. `mu` is ignored, and the outcome's notes say so.
//!
//! ## Notation
//! Smith's `GR` → `c = 1`, `GRR` → `c < 1`.
//!
//! ## Deviations from the paper
//! - Where `W` is singular the impulse of least `Σ W_ii p_i²` is given in every reflection.
//! - Contacts that oppose each other, so that no motion can open one without closing another, hold both ways from the
//!   start. Without this the reflections need not end: `M = diag(3, 5, 4)`, `J = [1 0 −2; 0 −2 2; 0 2 −2; −2 0 0]`,
//!   `v = (2, 2, 2)` comes back to where it was after two; with it, `(−2, −2, −2)` after one.
//!
//! Contacts that separate need no rule: they reflect when something makes them approach.
//!
//! ## Limits
//! A light body between heavy ones reflects about `√(M/m)` times before they part: with masses twelve orders of magnitude
//! apart, a million times. After a million reflections, and a hundred more per contact, what still approaches is stopped
//! without rebound, and a note says so (`crates/carom/tests/claims/several/withheld.rs`). Where opposed contacts and masses
//! far apart make rounding lead to a gain or an approach, the answer is that of maximum dissipation, with a note.
//!
//! Discontinuous where a contact begins to approach.
//!
//! ## Energy
//! Kept by every reflection, so by `v_GR`; never grows, proven: the energy is convex, and `prox_K` has no more. What
//! opposed contacts had when they did not rest on each other is lost. Reflections end if some motion opens all contacts
//! that are not opposed, which is so after the deviation above, proven: each pushes along that motion, and the sum of
//! all pushes is bounded by the energy.
//!
//! ## References
//! `Smith2012` sections 4 and 5.

use super::moreau::{common_restitution, restitution_on};
use crate::ImpactError;
use crate::contact::ContactProblem;
use crate::island::energy::exact_gain;
use crate::island::normal::NormalProblem;
use crate::island::stepping::{self, Motion, StepRow, solve};
use crate::island::{Context, IslandAnswer, complementarity, self_stress};
use crate::laws::info::{Claims, IslandLaw, LawInfo, ReadsE, with_settings};
use crate::outcome::{Ending, Note, Notes, SolverEffort, Step};
use crate::settings::law_settings;

law_settings! {
    /// Reflections of all approaching contacts at once.
    pub struct GeneralizedReflections {
        /// The coefficient of restitution; absent, the contacts' common `e` \[1\].
        restitution: Option<f64> = None => "the common e", "one coefficient for the whole impact", in [0.0, 1.0];
    }
}

/// Its row in the catalogue.
pub(crate) static INFO: LawInfo = LawInfo {
    id: "generalized-reflections",
    name: "Generalized reflections",
    year: 2012,
    summary: "reflects all approaching contacts at once, until none approaches",
    references: &["Smith2012"],
    reads_e: ReadsE::Kinematic,
    settings: GeneralizedReflections::declared,
    friction: false,
    claims: Claims { continuous: false, terminates: false, ..Claims::ALL },
    ..LawInfo::SEVERAL_CONTACTS
};

/// Reflections that are always allowed, and how many more per contact \[1\]. They take a second or two.
const MAX_REFLECTIONS: [u64; 2] = [1_000_000, 100];
/// What rounding may leave of an approach or a gain after so many reflections, relative to what there was \[1\].
const PERMISSIBLE: f64 = 1e-9;
/// Reflections between reports of progress \[1\].
const REPORT: u64 = 256;

with_settings!(GeneralizedReflections, |law: GeneralizedReflections, problem| {
    GeneralizedReflections { restitution: restitution_on(law.restitution, problem, INFO.id) }
});

impl IslandLaw for GeneralizedReflections {
    fn resolve_island(
        &self,
        island: &ContactProblem,
        context: &mut Context,
    ) -> Result<IslandAnswer, ImpactError> {
        let c = common_restitution(self.restitution, island, INFO.id)?;
        let problem = NormalProblem::new(island, context.tolerances)?;
        let opposed = self_stress::opposed(&problem, context);
        let (mut p, mut effort) = match opposed.contains(&true) {
            true => self_stress::held(&problem, &opposed, context, reflected)?,
            false => reflected(&problem, context)?,
        };
        let inelastic =
            |context: &mut Context| complementarity::solve(&problem, &problem.u, context);
        let mut notes = Notes::NONE;
        if effort.ending == Ending::Truncated {
            notes.insert(Note::Truncated);
        }
        if !permissible(&problem, &p) {
            // Contacts that hold only up to rounding may lead astray.
            let inelastic = inelastic(context)?;
            (p, effort) = (inelastic.p, effort.and(inelastic.effort));
            notes.insert(Note::PlasticInstead);
        } else if c < 1.0 {
            let inelastic = inelastic(context)?;
            for (p, q) in p.iter_mut().zip(&inelastic.p) {
                *p = c * *p + (1.0 - c) * q;
            }
            let reflections = effort.iterations;
            effort = effort.and(inelastic.effort);
            effort.iterations = reflections;
        }
        if effort.impulse_unique == Some(false) || opposed.contains(&true) {
            effort.impulse_unique = Some(false);
            notes.insert(Note::ImpulseNotUnique);
        }
        Ok(IslandAnswer { impulse: problem.impulse(p), effort: effort.into(), notes })
    }
}

/// Whether an impulse neither gains energy nor leaves a contact approaching, but for what rounding does.
fn permissible(problem: &NormalProblem, p: &[f64]) -> bool {
    let after = problem.velocity_after(p);
    let terms = || p.iter().zip(problem.u.iter().zip(&after));
    let size: f64 = terms().map(|(p, (u, _))| (p * u).abs()).sum();
    let gain = exact_gain(problem, p);
    let pressed = |i: usize| problem.diagonal(i) * p[i];
    let closes = |i: usize| after[i] < -PERMISSIBLE * (problem.scale + pressed(i));
    gain <= PERMISSIBLE * size && !(0..p.len()).any(closes)
}

/// The impulses of all reflections together.
fn reflected(
    problem: &NormalProblem,
    context: &mut Context,
) -> Result<(Vec<f64>, SolverEffort), ImpactError> {
    let mut motion = Motion::new(problem, context);
    let mut effort = SolverEffort {
        ending: Ending::Finite,
        impulse_unique: Some(true),
        ..SolverEffort::default()
    };
    let limit = MAX_REFLECTIONS[0] + MAX_REFLECTIONS[1] * problem.len() as u64;
    while !motion.approaching.is_empty() {
        if effort.iterations == limit {
            effort.truncation = stepping::finish(problem, &mut motion.p, context)?;
            effort.ending = Ending::Truncated;
            break;
        }
        if effort.iterations % REPORT == REPORT - 1 {
            context.progress("reflections", effort.iterations, None)?;
        }
        // Twice the way to the nearest velocity that does not approach.
        let reflect = |&i: &usize| StepRow::rigid(i, 2.0 * motion.u[i]);
        let asked: Vec<StepRow> = motion.approaching.iter().map(reflect).collect();
        let step = solve(&problem.w, &asked, context)?;
        motion.push(&asked, &step.impulse);
        effort.iterations += 1;
        effort.collisions += asked.len() as u64;
        effort.impulse_smallest &= step.effort.impulse_smallest;
        effort.residual = effort.residual.max(step.effort.residual);
        if step.effort.impulse_unique == Some(false) {
            effort.impulse_unique = Some(false);
        }
        if context.observer.wants_steps() {
            let contacts: Vec<usize> =
                asked.iter().map(|asked| problem.contact(asked.row)).collect();
            context.observer.step(Step::Reflection { contacts: &contacts });
        }
    }
    Ok((motion.p, effort))
}

#[cfg(test)]
mod tests {
    use super::GeneralizedReflections;
    use crate::laws::normal::test_chains::{assert_velocities, three};

    /// Contact 0 reflects, then contact 1: the cradle.
    #[test]
    fn reflections_pass_along_the_chain() {
        let law = GeneralizedReflections::default();
        assert_velocities(law, &three([1.0, 1.0]), &[0.0, 0.0, 1.0], 8.0);
    }

    /// c = ½: the mean of the cradle's (0, 0, 1) and of (1/3, 1/3, 1/3).
    #[test]
    fn restitution_mixes_reflection_and_projection() {
        let law = GeneralizedReflections::default();
        assert_velocities(law, &three([0.5, 0.5]), &[1.0 / 6.0, 1.0 / 6.0, 2.0 / 3.0], 8.0);
    }
}
