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

use super::coulomb::{self, Friction};
use super::settings::{Reader, Settings};
use super::split::{self, Answer, Split, Tangent};
use super::whittaker;
use super::{Claims, ImpactLaw, Law, LawRow, ReadsE};
use crate::contact::Contact;
use crate::outcome::{FinalMode, Outcome, TraceSink};
use crate::{ImpactError, Tolerances};

/// Plastic compression, then expansion.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct AnitescuPotra;

/// Its row in the catalogue.
pub(crate) static ROW: LawRow = LawRow {
    id: "anitescu-potra",
    name: "Anitescu–Potra",
    year: 1997,
    summary: "two steps of Coulomb friction: compression, then expansion with e times its impulse",
    references: &["AnitescuPotra1997", "Glocker2013", "ChatterjeeRuina1998"],
    reads_e: ReadsE::Kinetic,
    max_e: 1.0,
    settings: &[],
    dimensions: &[1, 2, 3],
    incremental: false,
    claims: Claims { restitution: false, ..Claims::ALL },
    build: |settings| {
        Reader::new("anitescu-potra", ROW.settings, settings)?;
        Ok(Law::from(AnitescuPotra))
    },
};

impl AnitescuPotra {
    pub(crate) fn row(&self) -> &'static LawRow {
        &ROW
    }

    pub(crate) fn settings(&self) -> Settings {
        Settings::new()
    }
}

impl<const D: usize> ImpactLaw<D> for AnitescuPotra {
    fn resolve(
        &self,
        contact: &Contact<D>,
        tolerances: &Tolerances,
        trace: &mut dyn TraceSink,
    ) -> Result<Outcome<D>, ImpactError> {
        split::resolve(&ROW, contact, tolerances, trace, |s, _| solve(s))
    }
}

fn solve(s: &Split) -> Result<Answer, ImpactError> {
    let compression = compress(s)?;
    let at_rest = compression.effort.final_mode == FinalMode::Stick;
    let ut = if at_rest {
        Tangent::zeros()
    } else {
        s.ut + s.c * compression.pn + s.apply_t(compression.pt)
    };
    let mut pn = s.e * compression.pn;
    let mut friction = coulomb::step(s, ut, pn);
    // Compression ended at u_n = 0: what expansion adds decides alone, if it is more than rounding.
    let noise = 8.0 * f64::EPSILON * (s.k * pn + s.c.norm() * friction.pt.norm());
    if pn > 0.0 && coulomb::normal_velocity(s, 0.0, pn, friction) < -noise {
        (pn, friction) = expand_until_parted(s, ut, pn);
    }
    let mode = if friction.sticks { FinalMode::Stick } else { compression.effort.final_mode };
    let mut answer = Answer::new(compression.pn + pn, compression.pt + friction.pt, mode);
    answer.effort.solutions = compression.effort.solutions;
    Ok(answer)
}

/// The compression alone: Whittaker's law with `e = 0`.
pub(super) fn compress(s: &Split) -> Result<Answer, ImpactError> {
    whittaker::solve(s, 0.0)
}

/// The smallest expansion after which the bodies no longer approach.
fn expand_until_parted(s: &Split, ut: Tangent, pn: f64) -> (f64, Friction) {
    let rising = |pn: f64| coulomb::normal_velocity(s, 0.0, pn, coulomb::step(s, ut, pn));
    let (mut low, mut high) = (pn, 2.0 * pn);
    while rising(high) < 0.0 && high.is_finite() {
        (low, high) = (high, 2.0 * high);
    }
    let mut middle = 0.5 * (low + high);
    while middle > low && middle < high {
        if rising(middle) < 0.0 {
            low = middle;
        } else {
            high = middle;
        }
        middle = 0.5 * (low + high);
    }
    (high, coulomb::step(s, ut, high))
}
