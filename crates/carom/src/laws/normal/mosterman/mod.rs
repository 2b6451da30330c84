//! # Mosterman's law (2003)
//!
//! Contacts collide one after the other as Newton says, and those that a collision is about to trigger take part in it
//! beforehand, the more so the less elastic they are.
//!
//! ## Model
//! Each step begins at the velocities `u` that the one before left:
//! 1. `N`, contacts that collide: those ahead in the step before that approach still; if none does, all that approach
//! 2. the intermediate velocities `ũ`: Newton's law on `N` alone
//! 3. `P`, contacts ahead of their collision: those outside `N` that approach at `ũ` and that the collisions of `N` move
//! 4. together, from `u`: `0 ≤ p_i ⟂ u_i⁺ + e_i u_i ≥ 0` in `N`, and `0 ≤ p_i ⟂ u_i⁺ + c_i p_i ≥ 0` with
//!    `c_i = W_ii (1 − η_i)/η_i` in `P`
//!
//! until nothing approaches. `η = 1`: the contact ahead moves along like one that is glued; `η = 0`: it waits.
//!
//! With `coupling_speed` the sets lose their sharp edges, as the paper proposes against its own discontinuity. A contact
//! takes part with a weight `θ` that rises from 0 to 1 with a speed, up to `coupling_speed`, and `θ < 1` makes its row
//! yield by `W_ii (1 − θ)/θ` more:
//! 5. in `P` that speed is the lesser of its approach at `ũ` and of what `N` moves it; `η` becomes `θ η`
//! 6. among those of `P` that go on to collide it is their approach speed, and `θ` is at most what it was in `P`
//! 7. among those that collide anew it is their approach speed, but the fastest collides in full
//! 8. a contact that collides with `θ < 1` may be in `P` with the rest, `1 − θ`; its impulse is the sum of both
//!
//! ## Reads e as
//! Kinematic in each collision. For contacts ahead `η = 1 − e` is a coupling and no dissipation; `coupling` of the
//! contact sets it apart from `e`. A curve of `e` is read at the approach speed of each step, in `P` at `ũ`. `mu` is
//! ignored, and the outcome's notes say so.
//!
//! ## Notation
//! `v_A`, `v_E` → velocities before and after a step, `ġ` → `u`, `Λ` → `p`, `ε` → `e`, `m_s` → `1/W_ii`, `I^{N1}` → fresh,
//! `I^{N2}` → unfinished, `I^P` → ahead.
//!
//! ## Deviations from the paper
//! - The paper has chains. Off them its equations can pull or contradict each other; the complementarity above does
//!   neither, and on chains, as for any `W` without positive couplings, it is the paper's equations exactly.
//! - Eqs. (27)–(29) print `≤` where the paper's own tables need `<`.
//! - Eq. (29) lacks what Eq. (20) and the text ask: outside `N`, and moved by it.
//! - Eq. (27) and its footnote 4 are not equivalent. The footnote is taken: no fresh collisions before those begun are
//!   finished. Both give all numbers that the paper prints.
//! - Eq. (22) does not follow from Eq. (24); Table 2 needs Eq. (24).
//! - Fig. 9 is for m₂ = 0.1, m₃ = m₄ = 1.
//! - An answer that would gain energy is moved towards maximum dissipation until it does not, if `energy_clamp` is on.
//! - Where contacts oppose each other, a body between two walls, a step can have no solution, or elastic ones no end; these
//!   contacts hold both ways from the start.
//! - Other sequences without end are ended by projection on their limit, or else where nothing approaches faster than the
//!   tolerance; those that are too long by letting the rest stop without rebound. Steps that repeat themselves are made
//!   many at once, by powers of the linear map that they are. A sequence that has gained more energy than the impact
//!   could lose has no end and counts as too long.
//!
//! Contacts that separate need no rule: they act when something makes them approach.
//!
//! ## Limits
//! Discontinuous where a set changes (Fig. 9) unless `coupling_speed` is given. Dissipation is not monotone in `e`: with `e = 0` at the
//! second contact of (1, 1, 1) nothing is lost.
//!
//! ## Energy
//! Does not grow on chains, observed on thousands of exact cases; single steps do gain. Off chains one case in thousands
//! gains a little: `M = diag(2, 1, 3)`, `J = [−1 1 2; −1 −1 2; 1 −2 −1; 2 1 2]`, `v = (−3, 0, −3)`, `e = (3/4, 1, 1, 1)`
//! gains 1.7 % without the clamp. With it never, proven.
//!
//! ## References
//! `Mosterman2003` Eqs. (20)–(29), Tables 2 and 3, Fig. 9.

mod repetition;
mod sequence;
mod tolerances;

use crate::ImpactError;
use crate::contact::ContactProblem;
use crate::island::energy::clamp_energy;
use crate::island::normal::NormalProblem;
use crate::island::{Context, IslandAnswer, self_stress};
use crate::laws::info::{Claims, IslandLaw, LawInfo, ReadsE, with_settings};
use crate::outcome::{Ending, Note, Notes, SolverEffort};
use crate::settings::law_settings;
use sequence::Sequence;
use tolerances::UNPARTED;

law_settings! {
    /// Collisions in sequence, with contacts that take part ahead of their own.
    pub struct Mosterman {
        /// Whether an answer that gains energy is moved towards maximum dissipation.
        energy_clamp: bool = true,
            "move an answer that gains energy towards maximum dissipation until it does not";
        /// The speed up to which contacts take part in part; absent, they do fully or not at all [m/s].
        coupling_speed: Option<f64> = None,
            "speed up to which contacts take part gradually, which makes the law continuous, m/s",
            in [f64::MIN_POSITIVE, f64::MAX];
    }
}

/// Its row in the catalogue.
pub(crate) static INFO: LawInfo = LawInfo {
    id: "mosterman",
    name: "Mosterman",
    year: 2003,
    summary: "collides in sequence; contacts next in line take part beforehand, the more the less elastic",
    references: &["Mosterman2003"],
    reads_e: ReadsE::Kinematic,
    settings: Mosterman::declared,
    friction: false,
    claims: Claims { terminates: false, continuous: false, ..Claims::ALL },
    ..LawInfo::SEVERAL_CONTACTS
};

with_settings!(Mosterman);

impl IslandLaw for Mosterman {
    fn resolve_island(
        &self,
        island: &ContactProblem,
        context: &mut Context,
    ) -> Result<IslandAnswer, ImpactError> {
        let problem = NormalProblem::new(island, context.tolerances)?;
        let follow = |problem: &NormalProblem, context: &mut Context| {
            Sequence::new(problem, self.coupling_speed, context).follow(context)
        };
        let opposed = self_stress::opposed(&problem, context);
        let (mut p, effort) = match opposed.contains(&true) {
            true => self_stress::held(&problem, &opposed, context, follow)?,
            false => follow(&problem, context)?,
        };
        let mut notes = Notes::NONE;
        match effort.ending {
            Ending::Projected => notes.insert(Note::Projection),
            Ending::Truncated | Ending::Tolerance => notes.insert(Note::Truncated),
            _ => {}
        }
        if effort.impulse_unique == Some(false) {
            notes.insert(Note::ImpulseNotUnique);
        }
        if self.energy_clamp && clamp_energy(&problem, &mut p, context)? {
            notes.insert(Note::EnergyClamped);
        }
        check_parted(&problem, &p, &effort)?;
        Ok(IslandAnswer { impulse: problem.impulse(p), effort: effort.into(), notes })
    }
}

/// Fails if contacts approach at the end of a sequence that ended by itself: masses many orders of magnitude apart can lose
/// all digits in a long sequence.
fn check_parted(
    problem: &NormalProblem,
    p: &[f64],
    effort: &SolverEffort,
) -> Result<(), ImpactError> {
    let after = problem.velocity_after(p);
    let fastest = after.iter().fold(0.0, |m: f64, u| m.max(-u));
    if effort.ending == Ending::Truncated || fastest <= UNPARTED * problem.scale {
        return Ok(());
    }
    Err(ImpactError::NotConverged {
        law: INFO.id,
        residual: fastest / problem.scale,
        iterations: u32::try_from(effort.iterations).unwrap_or(u32::MAX),
    })
}

#[cfg(test)]
mod tests {
    use super::Mosterman;
    use crate::laws::normal::test_chains::{assert_velocities, three};

    /// η = 0 at the second contact: it waits, and the cradle follows.
    #[test]
    fn elastic_masses_are_a_cradle() {
        assert_velocities(Mosterman::default(), &three([1.0, 1.0]), &[0.0, 0.0, 1.0], 8.0);
    }

    /// η = 1 at the second contact: masses 1 and 2 collide elastically, and nothing is lost.
    #[test]
    fn a_contact_without_restitution_moves_along() {
        let expected = [-1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0];
        assert_velocities(Mosterman::default(), &three([1.0, 0.0]), &expected, 8.0);
    }
}
