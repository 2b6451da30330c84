//! # Poisson's law with Coulomb's friction for several contacts (1995)
//!
//! Compression stops every approach, expansion gives back `e` times each normal impulse; in both, friction opposes the slip
//! that is left at the end.
//!
//! ## Model
//! 1. compression: `newton-coulomb` with `e = e_t = 0`; impulse `p^C`, velocity `u^C = u⁻ + W p^C`
//! 2. expansion: `0 ≤ p^E_n − e p^C_n ⟂ u_n⁺ ≥ 0`, `|p^E_t| ≤ μ p^E_n`, and `p^E_t = −μ p^E_n u_t⁺/|u_t⁺|` where
//!    `u_t⁺ ≠ 0`; `u⁺ = u^C + W p^E`
//! 3. `p = p^C + p^E`
//!
//! Without friction this is `poisson`, for one contact `anitescu-potra`, with `e = 0` everywhere `newton-coulomb`.
//!
//! ## Reads e as
//! Kinetic: expansion impulse over compression impulse, more where that would penetrate. `e_t` is not read. `mu` bounds
//! the ratio of the impulses of each phase.
//!
//! ## Notation
//! Glocker's `Λ_C`, `Λ_E` → `p^C`, `p^E`; Anitescu and Potra's `c_n` → `p_n`, `β` → `p_t`.
//!
//! ## Deviations from the paper
//! - Cones are round, not pyramids, and tangential impulses are not given back.
//! - Compression that is not unique is chosen as by `newton-coulomb`: the limit of contacts that yield ever less, then least
//!   `Σ W_nn |p|²`. With unequal `e` velocities depend on that choice, and the notes say so.
//! - Of expansion impulses with the same effect, the one is given at which solving contact after contact, in their order
//!   and from `p^E = 0`, comes to rest; where it does not come to rest, or with other velocities, that of least
//!   `Σ W_nn |p^E|²`. Velocities do not depend on the order of contacts, these impulses do, and symmetric impacts may
//!   have impulses that are not.
//! - Contacts that separate only watch, those that graze may lock, and beyond the `budget` simpler answers are given, all
//!   as by `newton-coulomb`.
//! - With `μ = ∞` a contact that slides gives back `e` times its friction: the limit of large `μ`, in which its normal
//!   impulse vanishes.
//!
//! ## Limits
//! - Expansion forgets the slip that compression took: tangential restitution there is none.
//! - Velocities jump where solutions of compression appear or vanish in pairs.
//! - Contacts that move more than 600 coordinates together are refused.
//!
//! ## Energy
//! Proven never to grow with one `e` for all contacts, whatever their `μ`: with the discs of friction frozen, `p^E` minimises
//! `u^C·x + ½ xᵀW x`, for which `x = e p^C` is feasible, so `ΔE ≤ −½ (1 − e²) p^CᵀW p^C`. With unequal `e` and two or more
//! rough contacts it can: a planar body gains 43 % (`crates/carom/tests/laws/newton_coulomb`), and the verdict shows it.
//!
//! ## References
//! `GlockerPfeiffer1995`; `AnitescuPotra1997`; `Glocker2013` and `Glocker2014` on energy.

use super::coulomb;
use super::coulomb::{ActiveContacts, FrictionalLaw, Phase, Solved};
use crate::laws::info::{Claims, LawInfo, ReadsE};
use crate::laws::normal::Poisson;
use crate::numerics::coulomb::Failure;
use crate::outcome::Note;
use crate::settings::{MAX_INTEGER, law_settings};

law_settings! {
    /// Compression and expansion, each with Coulomb's friction.
    pub struct PoissonCoulomb {
        /// Multiplications that contacts which influence each other may take; more than a dozen get more, in proportion to
        /// a step of theirs. Then a simpler answer is given, and the notes say which \[1\].
        budget: u64 = 20_000_000, "work after which a simpler answer is given", in [1.0, MAX_INTEGER];
    }
}

/// Its row in the catalogue.
pub(crate) static INFO: LawInfo = LawInfo {
    id: "poisson-coulomb",
    name: "Poisson with Coulomb friction, simultaneous",
    year: 1995,
    summary: "compression, then expansion with e times its normal impulses, Coulomb friction in both",
    references: &["GlockerPfeiffer1995", "AnitescuPotra1997", "Glocker2013", "Glocker2014"],
    reads_e: ReadsE::Kinetic,
    settings: PoissonCoulomb::declared,
    claims: Claims {
        energy: false,
        symmetry: false,
        cradle: false,
        order_free: false,
        continuous: false,
        ..Claims::ALL
    },
    ..LawInfo::SEVERAL_CONTACTS
};

coulomb::frictional_law!(PoissonCoulomb, Poisson);

impl FrictionalLaw for PoissonCoulomb {
    fn answer(
        &self,
        contacts: &ActiveContacts,
        phase: &mut Phase,
        impulse: &mut Vec<f64>,
    ) -> Result<Solved, Failure> {
        let before = |surface: &coulomb::Surface, j: usize| contacts.velocity[surface.first + j];
        let compression = phase.solve(contacts, before)?;
        impulse.clear();
        impulse.extend_from_slice(phase.impulse());
        let returned = |surface: &coulomb::Surface| surface.e * impulse[surface.first];
        if contacts.surfaces.iter().all(|surface| returned(surface) == 0.0) {
            return Ok(compression);
        }
        // [AnitescuPotra1997]: expansion begins where compression ends.
        let expansion = phase.solve_on(contacts, returned)?;
        impulse.iter_mut().zip(phase.impulse()).for_each(|(p, more)| *p += more);
        let mut notes = compression.notes.union(expansion.notes);
        let unequal = contacts.surfaces.windows(2).any(|pair| pair[0].e != pair[1].e);
        if unequal && compression.effort.impulse_unique == Some(false) {
            notes.insert(Note::VelocityNotUnique);
        }
        Ok(Solved { effort: compression.effort.and(expansion.effort), notes })
    }

    fn returns_impulse(&self) -> bool {
        true
    }

    fn budget(&self) -> u64 {
        self.budget
    }

    fn remedy(&self) -> Option<&'static str> {
        None
    }
}
