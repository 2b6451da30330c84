//! # Newton's law with Coulomb's friction for several contacts (1988)
//!
//! Every contact leaves with at least `e` times its approach speed, and friction opposes the slip that is left: what most
//! engines approximate, solved exactly.
//!
//! ## Model
//! With `ξ_n = u_n⁺ + e u_n⁻` and `ξ_t = u_t⁺ + e_t u_t⁻`, for every contact
//! 1. `0 ≤ p_n ⟂ ξ_n ≥ 0`
//! 2. `|p_t| ≤ μ p_n`, and `p_t = −μ p_n ξ_t/|ξ_t|` where `ξ_t ≠ 0`
//! 3. `u⁺ = u⁻ + W p`
//!
//! So `ξ = q + W p` with `q_n = (1 + e) u_n⁻`, `q_t = (1 + e_t) u_t⁻`: every impact is a plastic one of other velocities.
//! With `μ = ∞` a contact that presses sticks, and one that cannot slides without pressing, as ever rougher surfaces do.
//! Without friction this is `newton`, for one contact `whittaker`.
//!
//! ## Reads e as
//! Kinematic, normal by normal; `e_t` the same of slip, as Moreau does. `mu` bounds the ratio of the whole impulses.
//!
//! ## Notation
//! Moreau's `S`, Glocker's `Λ` → `p`; `U`, `γ` → `u`; `ρ`, `ε_N` → `e`; `τ`, `ε_T` → `e_t`.
//!
//! ## Deviations from the paper
//! Where redundant contacts slide, a whole curve of velocities fulfils the equations: the share of each contact is open,
//! and friction follows it. The answer is the limit `ε → 0` of `W + ε diag(W_nn)`, contacts that yield ever less, which
//! depends on no order. Of impulses with the same effect the one of least `Σ W_nn |p|²` is given. Both are said in the notes
//! and the effort. Where several separate solutions exist one of them is given, of one contact that of the smallest normal
//! impulse.
//!
//! Contacts that separate only watch; one that the others close is added without restitution, or, where that contradicts
//! their rebound, answers one impact later. Contacts that slide and neither approach nor separate answer as those of ever
//! slower approach do: they may lock.
//!
//! Where the equations are not solved within the `budget`, the nearest point is given if they hold there up to 1e-8, and
//! contacts that approach still are stopped; otherwise Coulomb's friction is replaced by its convex relaxation, under
//! which what slides parts, with the smallest `e` for all contacts. Impulses are in the cones, no contact approaches, and
//! relaxed friction creates no energy. Both are said in the notes.
//!
//! ## Limits
//! - No solution where contacts press against each other and are to rebound: a point in a groove of half angle `α` with
//!   `μ ≥ tan α` and `e > 0` (`crates/carom/tests/laws/newton_coulomb`). Self-stress within the cones is necessary for that. With
//!   `e_t = e`, or by `poisson-coulomb`, there is one.
//! - Velocities jump where solutions appear or vanish in pairs.
//! - Contacts that move more than 600 coordinates together are refused.
//!
//! ## Energy
//! `ΔE = −Σ μ p_n |ξ_t|/(1 + e_t) − pᵀδW p` with `δ = (1 − e)/(2 (1 + e))` on normal rows and the same of `e_t` on the
//! others: proven never to grow if `e = e_t = 0` everywhere, if all `e` and `e_t` are one number, and wherever
//! `δW + Wδ` has no negative eigenvalue, which the certificate tells. It grows by 59 % for Kane's double pendulum at
//! `e = 0.5`, and up to 244 % at `e = 1`; the verdict shows it.
//!
//! ## References
//! `Moreau1988`; `Glocker2013`; `AcaryCadouxLemarechalMalick2011` for existence; `Whittaker1904` for one contact.

use super::coulomb;
use super::coulomb::{ActiveContacts, FrictionalLaw, Phase, Solved};
use crate::laws::info::{Claims, LawInfo, ReadsE};
use crate::laws::normal::Newton;
use crate::numerics::coulomb::Failure;
use crate::settings::{MAX_INTEGER, law_settings};

law_settings! {
    /// Newton's restitution, Coulomb's friction, all contacts at once.
    pub struct NewtonCoulomb {
        /// Multiplications that contacts which influence each other may take; more than a dozen get more, in proportion to
        /// a step of theirs. Then a simpler answer is given, and the notes say which \[1\].
        budget: u64 = 20_000_000, "work after which a simpler answer is given", in [1.0, MAX_INTEGER];
    }
}

/// Its row in the catalogue.
pub(crate) static INFO: LawInfo = LawInfo {
    id: "newton-coulomb",
    name: "Newton with Coulomb friction, simultaneous",
    year: 1988,
    summary: "Newton's restitution with Coulomb friction against the slip that is left, all at once",
    references: &["Moreau1988", "Glocker2013", "AcaryCadouxLemarechalMalick2011", "Whittaker1904"],
    reads_e: ReadsE::Kinematic,
    settings: NewtonCoulomb::declared,
    claims: Claims {
        energy: false,
        cradle: false,
        order_free: false,
        continuous: false,
        total: false,
        ..Claims::ALL
    },
    ..LawInfo::SEVERAL_CONTACTS
};

coulomb::frictional_law!(NewtonCoulomb, Newton);

impl FrictionalLaw for NewtonCoulomb {
    fn answer(
        &self,
        contacts: &ActiveContacts,
        phase: &mut Phase,
        impulse: &mut Vec<f64>,
    ) -> Result<Solved, Failure> {
        // [Moreau1988]: the velocities that impulses must stop.
        let shifted = |surface: &coulomb::Surface, j: usize| {
            let e = if j == 0 { surface.e } else { surface.e_t };
            (1.0 + e) * contacts.velocity[surface.first + j]
        };
        let solved = phase.solve(contacts, shifted)?;
        impulse.clear();
        impulse.extend_from_slice(phase.impulse());
        Ok(solved)
    }

    fn returns_impulse(&self) -> bool {
        false
    }

    fn budget(&self) -> u64 {
        self.budget
    }

    fn remedy(&self) -> Option<&'static str> {
        Some("`poisson-coulomb` has an answer")
    }
}
