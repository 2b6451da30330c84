//! The Delassus matrix of one contact.

use super::ContactVec;
use crate::{ImpactError, Tolerances};
use nalgebra::Matrix3;

/// `W = J M⁻¹ Jᵀ` of one contact: the velocity change per unit impulse [1/kg], normal first, symmetric and
/// positive semidefinite. A direction in which it vanishes is one in which the mechanism cannot yield.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Delassus<const D: usize>([[f64; D]; D]);

/// The part of a diagonal entry that elimination must leave for a matrix to be definite whatever rounding did \[1\].
const CLEAR: f64 = 1e-12;

impl<const D: usize> Delassus<D> {
    /// A matrix that is finite, symmetric and positive semidefinite within [`Tolerances::NOMINAL`].
    pub fn new(rows: [[f64; D]; D]) -> Result<Self, ImpactError> {
        Self::with_tolerances(rows, &Tolerances::NOMINAL)
    }

    /// A matrix that is finite, symmetric and positive semidefinite within `tolerances`.
    pub fn with_tolerances(
        rows: [[f64; D]; D],
        tolerances: &Tolerances,
    ) -> Result<Self, ImpactError> {
        let flat = |i: usize, j: usize| rows[i][j];
        check_symmetric("delassus", D, flat, tolerances)?;
        let w =
            Self(std::array::from_fn(|i| {
                std::array::from_fn(|j| {
                    if i == j { rows[i][j] } else { 0.5 * (rows[i][j] + rows[j][i]) }
                })
            }));
        if !w.is_clearly_definite() {
            let [smallest, largest] = w.extreme_eigenvalues();
            check_definite(smallest, largest, tolerances)?;
        }
        Ok(w)
    }

    /// The entries, row by row.
    pub const fn rows(&self) -> [[f64; D]; D] {
        self.0
    }

    /// The entry in row `i`, column `j` [1/kg].
    pub const fn at(&self, i: usize, j: usize) -> f64 {
        self.0[i][j]
    }

    /// `W p`: the velocity change that the impulse makes.
    pub fn apply(&self, p: &ContactVec<D>) -> ContactVec<D> {
        ContactVec::new(std::array::from_fn(|i| {
            self.0[i].iter().zip(p.components()).map(|(w, x)| w * x).sum()
        }))
    }

    /// Whether elimination leaves positive pivots far above rounding: most matrices need no eigenvalues, which cost far
    /// more.
    fn is_clearly_definite(&self) -> bool {
        let mut rest = self.0;
        (0..D).all(|k| {
            let pivot = rest[k];
            for i in k + 1..D {
                let factor = pivot[i] / pivot[k];
                (k + 1..D).for_each(|j| rest[i][j] -= factor * pivot[j]);
            }
            pivot[k] > CLEAR * self.0[k][k]
        })
    }

    /// The smallest and the largest eigenvalue [1/kg].
    pub fn extreme_eigenvalues(&self) -> [f64; 2] {
        // Scaled to unit size, so that neither tiny nor huge entries overflow inside the iteration.
        let scale = self.0.iter().flatten().fold(0.0, |m: f64, x| m.max(x.abs()));
        if scale == 0.0 {
            return [0.0, 0.0];
        }
        // The rows that D does not have repeat the first diagonal entry, which lies between the extremes.
        let padded = Matrix3::from_fn(|i, j| match (i < D, j < D) {
            (true, true) => self.0[i][j] / scale,
            _ if i == j => self.0[0][0] / scale,
            _ => 0.0,
        });
        let eigenvalues = padded.symmetric_eigenvalues();
        [eigenvalues.min() * scale, eigenvalues.max() * scale]
    }
}

/// Refuses entries that are not finite, negative diagonals and pairs that differ. `field` names the matrix.
pub(crate) fn check_symmetric(
    field: &str,
    size: usize,
    at: impl Fn(usize, usize) -> f64,
    tolerances: &Tolerances,
) -> Result<(), ImpactError> {
    let bad_entry = |i: usize, j: usize, value: f64, reason: String| {
        ImpactError::bad_problem(format!("{field}[{i}][{j}]"), value, reason)
    };
    for i in 0..size {
        for j in 0..size {
            if !at(i, j).is_finite() {
                return Err(bad_entry(i, j, at(i, j), "must be a finite number".into()));
            }
        }
        if at(i, i) < 0.0 {
            return Err(bad_entry(
                i,
                i,
                at(i, i),
                "a diagonal entry of this matrix cannot be negative".into(),
            ));
        }
    }
    for i in 0..size {
        for j in 0..i {
            let (lower, upper) = (at(i, j), at(j, i));
            let scale = f64::sqrt(at(i, i)) * f64::sqrt(at(j, j));
            if (lower - upper).abs() > tolerances.symmetry * scale.max(lower.abs().min(upper.abs()))
            {
                let reason =
                    format!("must equal {field}[{j}][{i}] = {upper}: the matrix is symmetric");
                return Err(bad_entry(i, j, lower, reason));
            }
        }
    }
    Ok(())
}

/// Refuses a negative eigenvalue beyond rounding.
pub(super) fn check_definite(
    smallest: f64,
    largest: f64,
    tolerances: &Tolerances,
) -> Result<(), ImpactError> {
    if smallest < -tolerances.definiteness * largest.abs() {
        return Err(ImpactError::bad_problem(
            "delassus",
            format!("matrix with an eigenvalue of at most {smallest:e}"),
            "W must be positive semidefinite: no impulse may speed a contact up against itself",
        ));
    }
    Ok(())
}
