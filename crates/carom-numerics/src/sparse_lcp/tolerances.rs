//! Every constant of the solver, without unit: rows have unit length, and the largest `|q_i|` is one.

// Sizes.

/// How many products of two entries of one row may be stored.
pub const MAX_PRODUCTS: usize = 50_000_000;

/// Neighbouring columns of the factor are merged into one dense block of up to so many if no more than this part of it
/// is zeros. Planar graphs have narrow blocks: merged more boldly than is usual they factor a fifth faster.
pub const MERGE: [(usize, f64); 4] = [(8, 1.0), (32, 0.8), (96, 0.3), (usize::MAX, 0.15)];

// Steps of the interior-point method.

/// Steps of one run at most; 15 to 50 are usual.
pub const MAX_STEPS: u64 = 150;

/// Added to `c` and `d` in the matrix of a step. Smaller, the factor of redundant rows breaks down; larger, the residuals
/// fall more slowly.
pub const STEP_REGULAR: f64 = 1e-10;

/// How much of the way to the boundary a step goes at most.
pub const NEARLY_ALL: f64 = 0.995;

/// The first point is that of rows this soft, with `z` of either sign.
pub const SOFT: f64 = 0.01;

/// The first point lies inside by this part of the largest yielding.
pub const INSIDE: f64 = 0.1;

/// Of `z_i` and `s_i` one is zero in the end if it is so many times smaller than the other. Larger, runs are longer;
/// smaller, the polish may begin with wrong rows.
pub const CLEAR: f64 = 1e3;

/// When `μ` has fallen to this there is nothing more to learn from it.
pub const SPENT: f64 = 1e-28;

/// If every `x` that satisfies all rows must be so many times larger than those that satisfy one, there is none.
pub const FARTHEST: f64 = 1e9;

// The polish.

/// Added to the diagonal of `Yᵀ Y`. What is left of an error after one round is this over the smallest eigenvalue that is
/// not zero, or the rounding of the factor, ε over this.
pub const POLISH_REGULAR: f64 = 1e-12;

/// Rounds at most; three or four are usual.
pub const POLISH_ROUNDS: usize = 8;

/// Errors that are as small as this part of their terms are rounding.
pub const POLISH_ROUNDING: f64 = 4.0 * f64::EPSILON;

/// Of a vector of ones so much remains if one combination of very many rows vanishes, and far less if none does.
pub const REDUNDANT: f64 = 1e-6;

// What counts as solved.

/// A polished residual of this part of its largest terms is rounding.
pub const FINE: f64 = 32.0 * f64::EPSILON;

/// The largest residual of an answer. Reached only where rows are degenerate.
pub const ACCEPTED: f64 = 1e-9;

/// A row whose `z` in a least norm is less than this part of the largest, of either sign, keeps its place.
pub const IN_DOUBT: f64 = 1e-13;

/// A least norm may have a residual so many times that of rounding.
pub const SPOILT: f64 = 16.0;
