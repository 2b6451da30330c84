//! Solvers that know nothing of impacts: numbers in, numbers out. All are deterministic; ties go to the lowest index.
//!
//! They stand below `carom`, for which they are made: what they offer may change with any version.
//!
//! | solver | problem | cost |
//! |---|---|---|
//! | [`factor`] | `W = AᵀA` with as few rows as the rank, or that `W` is indefinite | O(n r²) |
//! | [`coulomb`] | `ξ = q + W p` with Coulomb's cones and discs in blocks of up to three rows, `W` singular | O(n f²) per Newton step, f the rank of `W` |
//! | [`envelope`] | `W z = b`, `W` sparse, definite and near its diagonal | O(n k²), k the width of the envelope |
//! | [`active_set`] | `z ≥ 0 ⟂ W z + q ≥ 0`, some rows bilateral | O(n k) per change of the working set of size k |
//! | [`isotonic`] | weighted isotonic regression on a chain | O(n) |
//! | [`least_norm`] | the smallest of its solutions where there are many; of `W z = b` as well | O(n r²) per step, few steps |
//! | [`eigen`] | principal axes of a symmetric matrix of two or three rows | a few sweeps |
//! | [`ball`] | numbers in twice the precision with a bound on their error | a few operations each |
//! | [`max_tree`] | the largest of many keys that change one by one, and its ties | O(log n) per change |
//! | [`quadrature`] | integrals over an interval, with a bound on their error | 15 values per piece |
//! | [`nnls`] | `min ‖B x − d‖²` over `x ≥ 0`; a direction on the positive side of all columns | as [`active_set`] |
//! | [`tree`] | weighted isotonic regression on a forest, edges of either direction | O(n log² n) |
//! | `sparse_lcp` (feature `sparse`) | `z ≥ 0 ⟂ Y M⁻¹ Yᵀ z + q ≥ 0`, thousands of sparse rows, the smallest `z` | 20 to 60 sparse factors of `Yᵀ Y` |

#![allow(clippy::len_without_is_empty, reason = "the size of a matrix, not of a collection")]

pub mod active_set;
pub mod ball;
pub mod basis;
pub mod cholesky;
pub mod coulomb;
pub mod double;
pub mod eigen;
pub mod envelope;
pub mod factor;
pub mod factored;
pub mod isotonic;
pub mod lanes;
pub mod least_norm;
pub mod max_tree;
pub mod nnls;
pub mod orthonormal;
pub mod quadrature;
pub mod random;
pub mod reflections;
pub mod roots;
pub mod sparse;
#[cfg(feature = "sparse")]
pub mod sparse_lcp;
pub mod sum;
pub mod tree;

/// What counts as zero where a decision hangs on it, relative to the largest number of its kind \[1\]. Far above the
/// rounding of a matrix product, far below anything measured.
pub const ZERO: f64 = 1e-12;

/// `Σ a_i b_i`.
pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

/// The largest `|x_i|`; NaN counts as nothing.
pub fn largest(x: &[f64]) -> f64 {
    x.iter().fold(0.0, |m, x| m.max(x.abs()))
}
