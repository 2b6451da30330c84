//! # Routh's law with Poisson's restitution (1860)
//!
//! Coulomb friction at every instant; the bodies part when restitution has given back `e` times the impulse of compression.
//!
//! ## Model
//! 1. sliding in direction `s = u_t/|u_t|`: `dp_t = −μ s dp_n`; sticking where `|b| ≤ μ`: `dp_t = −b dp_n`
//! 2. `du = W dp`; compression while `u_n < 0`, restitution while `u_n > 0`
//! 3. end: `P_d = e P_c`, the normal impulses of restitution and compression
//!
//! ## Reads e as
//! Kinetic: `P_d = e P_c`.
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
//! - A mechanism that locks (`W` singular, sticking) ends at rest with `p_n = (1 + e) P_II,n`, the limit of almost
//!   locked ones.
//! - No solution if it locks while `u⁻` is not a velocity the mechanism allows.
//!
//! ## Energy
//! Never grows: proven by Ivanov (1992) for one compression, observed for several
//! (`crates/carom/tests/claims/one_contact.rs`).
//!
//! ## References
//! `Routh1897` section 315; `Poisson1833`; `ChatterjeeRuina1998` section 4; `Ivanov1992`.

use crate::laws::info::{Claims, LawInfo, ReadsE};

/// Its row in the catalogue.
pub(crate) static INFO: LawInfo = LawInfo {
    id: "routh-poisson",
    name: "Routh–Poisson",
    year: 1860,
    summary: "Coulomb friction at every instant; ends at e times the compression impulse",
    references: &["Routh1897", "Poisson1833", "ChatterjeeRuina1998"],
    reads_e: ReadsE::Kinetic,
    settings: super::declared,
    incremental: true,
    claims: Claims { restitution: false, ..Claims::ALL },
    ..LawInfo::ONE_CONTACT
};
