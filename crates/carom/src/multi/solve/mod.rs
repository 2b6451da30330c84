//! Solvers that know nothing of impacts: numbers in, numbers out. All are deterministic; ties go to the lowest index.
//!
//! | solver | problem | cost |
//! |---|---|---|
//! | [`factor`] | `W = AᵀA` with as few rows as the rank, or that `W` is indefinite | O(n r²) |
//! | [`active_set`] | `z ≥ 0 ⟂ W z + q ≥ 0`, some rows bilateral | O(n k) per change of the working set of size k |
//! | [`isotonic`] | weighted isotonic regression on a chain | O(n) |
//! | [`least_norm`] | the smallest of its solutions where there are many; of `W z = b` as well | O(n r²) per step, few steps |
//! | [`nnls`] | `min ‖B x − d‖²` over `x ≥ 0` | as [`active_set`] |
//! | [`tree`] | weighted isotonic regression on a forest, edges of either direction | O(n log² n) |

pub(crate) mod active_set;
mod basis;
pub(crate) mod factor;
pub(crate) mod isotonic;
pub(crate) mod least_norm;
#[cfg_attr(
    not(test),
    expect(dead_code, reason = "every law has its W at hand, and solves with that")
)]
pub(crate) mod nnls;
pub(crate) mod tree;

/// What counts as zero where a decision hangs on it, relative to the largest number of its kind \[1\]. Far above the
/// rounding of a matrix product, far below anything measured.
const ZERO: f64 = 1e-12;

fn largest(x: &[f64]) -> f64 {
    x.iter().fold(0.0, |m, x| m.max(x.abs()))
}
