//! The tolerances that callers can set: what counts as symmetric, singular, zero, solved or permissible. All are
//! dimensionless and scaled by the problem.
//!
//! Constants of one algorithm, which decide when an iteration ends or what is rounding, are no tolerances of the caller.
//! They stand where the algorithm does, in one table each: the file `tolerances.rs` of its folder (`coulomb` and
//! `sparse_lcp` of `carom-numerics`, the larger laws) or the head of its file.

/// How close is close enough.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tolerances {
    /// Largest `|W_ij − W_ji| / √(W_ii W_jj)` that still counts as symmetric; the two are then averaged \[1\].
    /// Nominal 1e-9: matrices typed or printed with ten digits pass, a transposed block does not.
    pub symmetry: f64,
    /// A Delassus matrix is refused if an eigenvalue is below `−definiteness · λ_max` \[1\].
    /// Nominal 1e-12: rounding of a matrix product passes. Tightened, singular mechanisms are refused at random.
    pub definiteness: f64,
    /// Directions in which a matrix is smaller than `rank · λ_max` cannot yield: their inverse is taken as zero \[1\].
    /// Nominal 1e-13. Loosened, stiff but yielding directions lock; tightened, rounding noise is inverted.
    pub rank: f64,
    /// Margins of a certificate within `verdict` of their scale count as zero, beside their rounding bound \[1\].
    /// Nominal 1e-10: far above rounding, far below any physical meaning.
    pub verdict: f64,
    /// Equations count as solved when their residual is below `residual` of the size of their terms \[1\].
    /// Nominal 64 ε.
    pub residual: f64,
    /// Normal velocities within `approach` of the largest one count as zero: such a contact neither approaches nor
    /// separates, and sequences of collisions end there \[1\]. Nominal 1e-12. Loosened, slow approaches are forgotten;
    /// tightened, rounding collides.
    pub approach: f64,
    /// How far data may be off a law's class (`c = 0` for the bilinear law), relative to the terms compared \[1\].
    /// Nominal 1e-9.
    pub class: f64,
    /// How far the largest principal moment of inertia may exceed the sum of the others, relative to itself \[1\].
    /// Nominal 1e-5: a lamina typed with six digits passes, a mass distribution that cannot exist does not.
    pub inertia: f64,
}

impl Tolerances {
    /// The nominal values.
    pub const NOMINAL: Self = Self {
        symmetry: 1e-9,
        definiteness: 1e-12,
        rank: 1e-13,
        verdict: 1e-10,
        residual: 64.0 * f64::EPSILON,
        approach: 1e-12,
        class: 1e-9,
        inertia: 1e-5,
    };
}

impl Default for Tolerances {
    fn default() -> Self {
        Self::NOMINAL
    }
}
