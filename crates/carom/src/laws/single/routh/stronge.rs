//! # Routh's law with Stronge's restitution (1990)
//!
//! Coulomb friction at every instant; the bodies part when restitution has given back `e²` times the normal work of compression.
//!
//! ## Model
//! 1. sliding in direction `s = u_t/|u_t|`: `dp_t = −μ s dp_n`; sticking where `|b| ≤ μ`: `dp_t = −b dp_n`
//! 2. `du = W dp`; compression while `u_n < 0`, restitution while `u_n > 0`
//! 3. end: `W_d = −e² W_c`, the normal works `∫ u_n dp_n` of restitution and compression
//!
//! ## Reads e as
//! Energetic: `W_d = −e² W_c`. It is the reading that a linear spring with a loss in unloading has.
//! `mu` bounds the ratio of the impulses at every instant.
//!
//! ## Notation
//! As in `routh-poisson`.
//!
//! ## Deviations from the paper
//! Those of `routh-poisson`.
//!
//! ## Limits
//! - A mechanism that locks (`W` singular, sticking) ends at rest: velocities have that limit, impulses grow without
//!   bound as a mechanism approaches it. The impulse at rest is given, with a note.
//! - No solution if it locks while `u⁻` is not a velocity the mechanism allows.
//!
//! ## Energy
//! Never grows, proven for any number of phases: `ΔE ≤ W_c + W_d = (1 − e²) W_c ≤ 0`, friction only takes.
//!
//! ## References
//! `Stronge1990`; `Baber2011` sections 3–6; `Routh1897`.

use crate::laws::info::{Claims, LawInfo, ReadsE};

/// Its row in the catalogue.
pub(crate) static INFO: LawInfo = LawInfo {
    id: "routh-stronge",
    name: "Routh–Stronge",
    year: 1990,
    summary: "Coulomb friction at every instant; ends at e² times the compression work",
    references: &["Stronge1990", "Baber2011", "Routh1897"],
    reads_e: ReadsE::Energetic,
    settings: super::declared,
    incremental: true,
    claims: Claims { restitution: false, ..Claims::ALL },
    ..LawInfo::ONE_CONTACT
};
