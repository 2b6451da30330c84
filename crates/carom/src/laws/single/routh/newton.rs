//! # Routh's law with Newton's restitution (1984)
//!
//! Coulomb friction at every instant; the bodies part when their normal velocity is `e` times that of approach.
//!
//! ## Model
//! 1. sliding in direction `s = u_t/|u_t|`: `dp_t = −μ s dp_n`; sticking where `|b| ≤ μ`: `dp_t = −b dp_n`
//! 2. `du = W dp`; compression while `u_n < 0`, restitution while `u_n > 0`
//! 3. end: `u_n = −e u_n⁻`
//!
//! ## Reads e as
//! Kinematic: `u_n⁺ = −e u_n⁻` wherever the impact ends by this rule.
//! `mu` bounds the ratio of the impulses at every instant.
//!
//! ## Notation
//! As in `routh-poisson`.
//!
//! ## Deviations from the paper
//! Those of `routh-poisson`.
//!
//! ## Limits
//! - Kane's double pendulum gains 47 % energy at `e = 1`, Chatterjee and Ruina's pendulum limit 35 549 %
//!   (`crates/carom/tests/claims/one_contact.rs`).
//! - No solution for a mechanism that locks (`W` singular, sticking) if `e > 0`: it cannot rebound
//!   (`crates/carom/tests/claims/one_contact.rs`). Almost locked ones have no limit either: they rebound, by impulses that grow
//!   without bound.
//!
//! ## Energy
//! Can grow: see the limits.
//!
//! ## References
//! `Routh1897`; `Keller1986`; `ChatterjeeRuina1998` section 4.

use crate::laws::info::{Claims, LawInfo, ReadsE};

/// Its row in the catalogue.
pub(crate) static INFO: LawInfo = LawInfo {
    id: "routh-newton",
    name: "Routh–Newton",
    year: 1984,
    summary: "Coulomb friction at every instant; ends at e times the approach speed; can create energy",
    references: &["Routh1897", "Keller1986", "ChatterjeeRuina1998"],
    reads_e: ReadsE::Kinematic,
    settings: super::declared,
    incremental: true,
    claims: Claims { energy: false, total: false, ..Claims::ALL },
    ..LawInfo::ONE_CONTACT
};
