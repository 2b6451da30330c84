//! # Whittaker's law (1904)
//!
//! Newton's restitution, with Coulomb friction opposing the slip that is left at the end.
//!
//! ## Model
//! 1. `u_n⁺ = −e u_n⁻`
//! 2. `p_t = −μ p_n u_t⁺/|u_t⁺|` if the contact slides at the end, `|p_t| ≤ μ p_n` if it sticks
//!
//! ## Reads e as
//! Kinematic: `u_n⁺ = −e u_n⁻` exactly. `mu` bounds the ratio of the whole impulses.
//!
//! ## Notation
//! paper `V` → `u`, `P` → `p`. Kane and Levinson's law is the same.
//!
//! ## Deviations from the paper
//! - Chatterjee and Ruina print the restitution line as `−(1 + e) u_n⁻`; that is the change of velocity, not the velocity.
//! - In three dimensions there may be three solutions. All are found: the sticking one and the roots of a trigonometric
//!   polynomial of degree 2 in the direction of the final slip, bracketed between its extrema. The one with the
//!   smallest normal impulse, connected to `p = 0`, is returned, and the count is reported.
//!
//! ## Limits
//! - Gains 59 % energy on Kane's double pendulum at `e = 0.5` (`crates/carom/tests/claims/one_contact.rs`).
//! - No solution for a mechanism that locks (`W` singular, sticking) if `e > 0`: it cannot rebound
//!   (`crates/carom/tests/claims/one_contact.rs`). Almost locked ones have no limit either: they rebound, by impulses that grow
//!   without bound.
//! - The choice of the smallest solution jumps where pairs of solutions appear.
//!
//! ## Energy
//! Can grow: see the limits.
//!
//! ## References
//! `Whittaker1904` section 94; `KaneLevinson1985`; `ChatterjeeRuina1998` section 4.

use super::common;
use super::coulomb_step::{self, Solution};
use super::scaled::{Answer, Scaled};
use crate::contact::Contact;
use crate::laws::info::{Claims, LawInfo, ReadsE, without_settings};
use crate::laws::single::ContactLaw;
use crate::outcome::{FinalMode, Observer, Outcome};
use crate::{ImpactError, Tolerances};

/// Newton's restitution, friction against the final slip.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Whittaker;

/// Its row in the catalogue.
pub(crate) static INFO: LawInfo = LawInfo {
    id: "whittaker",
    name: "Whittaker–Kane–Levinson",
    year: 1904,
    summary: "Newton's restitution, friction against the final slip; can create energy",
    references: &["Whittaker1904", "KaneLevinson1985", "ChatterjeeRuina1998"],
    reads_e: ReadsE::Kinematic,
    claims: Claims { energy: false, total: false, ..Claims::ALL },
    ..LawInfo::ONE_CONTACT
};

without_settings!(Whittaker);

impl<const D: usize> ContactLaw<D> for Whittaker {
    fn resolve(
        &self,
        contact: &Contact<D>,
        tolerances: &Tolerances,
        trace: &mut dyn Observer,
    ) -> Result<Outcome<D>, ImpactError> {
        common::resolve(&INFO, contact, tolerances, trace, |s, _| solve(s))
    }
}

pub(crate) fn solve(s: &Scaled) -> Result<Answer, ImpactError> {
    let (solution, count) = rebound_step(s, s.e).ok_or_else(|| ImpactError::NoSolution {
        law: INFO.id,
        reason: "the contact locks: it cannot leave with the velocity asked for".into(),
    })?;
    let sticks = solution.friction.sticks;
    let mode = if sticks { FinalMode::Stick } else { FinalMode::Slip };
    let mut answer = Answer::new(solution.load.pn, solution.friction.pt, mode);
    answer.effort.solutions = count;
    Ok(answer)
}

/// One step of Coulomb friction that turns `u_n⁻` into `−e u_n⁻`, the smallest if there are several, and their number.
/// None if the contact locks before.
pub(crate) fn rebound_step(s: &Scaled, e: f64) -> Option<(Solution, u32)> {
    if s.un == 0.0 && !s.jams() {
        return Some((Solution::ZERO, 1));
    }
    let change = -(1.0 + e) * s.un;
    let solutions = coulomb_step::solve(s, change);
    let solution = solutions.smallest().or_else(|| coulomb_step::solve_by_bisection(s, change))?;
    Some((solution, solutions.count.max(1) as u32))
}

#[cfg(test)]
mod tests {
    use super::Whittaker;
    use crate::laws::single::test_contacts::{assert_impulse, disk, sticks_in_compression};

    /// p_n = 1.5. With μ = ¼ the slip 2 − 3·¼·1.5 = 0.875 is left, so friction is full; with μ = 1 it is stopped by −⅔.
    #[test]
    fn disk_slides_or_sticks() {
        assert_impulse(Whittaker, &disk(2.0, 0.25, 0.0), [1.5, -0.375]);
        assert_impulse(Whittaker, &disk(2.0, 1.0, 0.0), [1.5, -2.0 / 3.0]);
    }

    /// W p = (1.5, −0.3) has the solution p = (2.2, −1.4), inside the cone.
    #[test]
    fn coupled_contact_sticks() {
        assert_impulse(Whittaker, &sticks_in_compression(0.0), [2.2, -1.4]);
    }
}
