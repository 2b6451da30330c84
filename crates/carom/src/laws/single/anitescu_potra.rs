//! # Anitescu and Potra's law (1997)
//!
//! Two steps of Coulomb friction: a plastic compression, then an expansion with `e` times its normal impulse.
//!
//! ## Model
//! 1. compression: `u_n = 0`, friction opposes the slip at its end; normal impulse `p_c`
//! 2. expansion: normal impulse `e p_c`, friction opposes the slip at its end
//! 3. if the bodies would still approach, the expansion goes on to `u_n = 0`: `u_n ≥ 0 ⊥ D − e p_c ≥ 0`
//!
//! ## Reads e as
//! Kinetic: expansion impulse over compression impulse. `mu` bounds the ratio of the impulses of each step.
//!
//! ## Notation
//! paper `c_n` → `p_n`, `β` → `p_t`, `λ` → slip speed.
//!
//! ## Deviations from the paper
//! - The cone is round. The paper's pyramid of facets tends to it.
//! - Of several compressions the one with the smallest normal impulse is taken, and the count is reported.
//!
//! ## Limits
//! The choice of the smallest compression jumps where pairs of solutions appear.
//!
//! ## Energy
//! Never grows: proven for compression (`ΔE = −μ p_n |u_t| − ½ pᵀWp`), by Glocker (2013) for one contact in all.
//!
//! ## References
//! `AnitescuPotra1997`; `Glocker2013`; `ChatterjeeRuina1998` section 4.

use super::coulomb_step::{self, Friction, NormalLoad, Solution};
use super::scaled::{Answer, Scaled, Tangent};
use super::{common, whittaker};
use crate::contact::Contact;
use crate::laws::info::{Claims, LawInfo, ReadsE, without_settings};
use crate::laws::single::ContactLaw;
use crate::outcome::{FinalMode, Observer, Outcome};
use crate::{ImpactError, Tolerances};

/// Plastic compression, then expansion.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct AnitescuPotra;

/// Its row in the catalogue.
pub(crate) static INFO: LawInfo = LawInfo {
    id: "anitescu-potra",
    name: "Anitescu–Potra",
    year: 1997,
    summary: "two steps of Coulomb friction: compression, then expansion with e times its impulse",
    references: &["AnitescuPotra1997", "Glocker2013", "ChatterjeeRuina1998"],
    reads_e: ReadsE::Kinetic,
    claims: Claims { restitution: false, ..Claims::ALL },
    ..LawInfo::ONE_CONTACT
};

without_settings!(AnitescuPotra);

impl<const D: usize> ContactLaw<D> for AnitescuPotra {
    fn resolve(
        &self,
        contact: &Contact<D>,
        tolerances: &Tolerances,
        trace: &mut dyn Observer,
    ) -> Result<Outcome<D>, ImpactError> {
        common::resolve(&INFO, contact, tolerances, trace, |s, _| solve(s))
    }
}

fn solve(s: &Scaled) -> Result<Answer, ImpactError> {
    let (compression, count) = compress(INFO.id, s)?;
    let Solution { load, friction } = compression;
    let ut = if friction.sticks {
        Tangent::zeros()
    } else {
        s.ut + s.c * load.pn + s.apply_t(friction.pt)
    };
    let expansion = expand(s, ut, load.times(s.e));
    let (again, pn) = (expansion.friction, expansion.load.pn);
    let mode = if again.sticks { FinalMode::Stick } else { FinalMode::Slip };
    let mut answer = Answer::new(load.pn + pn, friction.pt + again.pt, mode);
    answer.effort.solutions = count;
    Ok(answer)
}

/// The compression alone, with the number of its solutions: Whittaker's law with `e = 0`. A contact that locks comes to
/// rest at the least, so there always is one if the mechanism allows the velocity.
pub(crate) fn compress(law: &'static str, s: &Scaled) -> Result<(Solution, u32), ImpactError> {
    whittaker::rebound_step(s, 0.0)
        .or_else(|| coulomb_step::rest_locked(s).map(|solution| (solution, 1)))
        .ok_or_else(|| ImpactError::NoSolution {
            law,
            reason: "the contact locks while the bodies still approach".into(),
        })
}

/// The expansion with this load from the slip `ut` and `u_n = 0`; a harder one if the bodies would still approach.
fn expand(s: &Scaled, ut: Tangent, load: NormalLoad) -> Solution {
    let friction = coulomb_step::step(s, ut, load);
    // A contact that locks does not part whatever it does: rounding decides nothing then.
    let noise = match s.kappa() {
        0.0 => s.slack(s.un.abs()),
        _ => 8.0 * f64::EPSILON * (s.k * load.pn + s.c.norm() * friction.pt.norm()),
    };
    let parts = |load: NormalLoad, friction: Friction| {
        coulomb_step::normal_velocity(s, 0.0, load, friction) >= -noise
    };
    if load.pt_max == 0.0 || parts(load, friction) {
        return Solution { load, friction };
    }
    let harder = coulomb_step::smallest_load(s, ut, |p, f| p.pt_max >= load.pt_max && parts(p, f))
        .or_else(|| NormalLoad::sticking(s, ut))
        .unwrap_or(load);
    Solution { load: harder, friction: coulomb_step::step(s, ut, harder) }
}

#[cfg(test)]
mod tests {
    use super::AnitescuPotra;
    use crate::laws::single::test_contacts::{assert_impulse, sticks_in_compression};

    /// Compression ends at P_II = (23/15, −16/15), inside the cone. Expansion adds half of 23/15 and sticks: −½ of that.
    #[test]
    fn coupled_contact_sticks_twice() {
        assert_impulse(AnitescuPotra, &sticks_in_compression(0.0), [2.3, -1.45]);
    }
}
