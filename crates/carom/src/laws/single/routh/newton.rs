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
//! corrected Mirtich `K` → `W`; its `z` → `n`; its `W_c`, `W_d` alike; its components (x, y, z) → (t1, t2, n).
//!
//! ## Deviations from the paper
//! - Integrated by Taylor series in slip time and in closed form along rays instead of Euler steps: exact to rounding.
//! - Several compressions count together (`phases: "cumulative"`), as a bi-stiffness spring would have it;
//!   `"first"` lets the first one alone set the target.
//! - An impact ends only where `u_n ≥ 0`, which the printed rule forgets for `e = 0` and at grazing.
//! - A contact that starts at `u_n = 0` is loaded only if sliding drives it into compression (jamb).
//! - `μ = ∞` is the limit: slip ends before any normal impulse is spent.
//!
//! ## Limits
//! - Kane's double pendulum gains 47 % energy at `e = 1`, Chatterjee and Ruina's pendulum limit 35 549 %
//!   (`crates/carom/tests/claims/one_contact.rs`).
//! - No solution for a mechanism that locks (`W` singular, sticking) if `e > 0`: it cannot rebound.
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
    claims: Claims { energy: false, ..Claims::ALL },
    ..LawInfo::ONE_CONTACT
};
