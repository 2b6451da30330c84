//! The mass matrix and its factors.

use super::{check_finite, check_len};
use crate::contact::check_symmetric;
use crate::numerics::ball::Ball;
use crate::numerics::sparse::SparseRow;
use crate::{ImpactError, Tolerances};
use nalgebra::DMatrix;

/// The mass matrix `M` of generalized coordinates, symmetric and positive definite.
#[derive(Clone, Debug, PartialEq)]
pub enum MassMatrix {
    /// One mass or moment of inertia per coordinate [kg, kg·m²].
    Diagonal(Vec<f64>),
    /// All f·f entries, row by row [kg, kg·m, kg·m²].
    Dense(Vec<f64>),
}

/// `M = L D Lᵀ`, `L` with a unit diagonal. Without square roots, so that a diagonal `M` gives `1/m` to the last bit.
///
/// A momentum `x` of generalized coordinates is handled as its weighed form `y = L⁻¹ x`, in which
/// `x₁ᵀ M⁻¹ x₂ = y₁ᵀ D⁻¹ y₂`: the inner product of this module.
#[derive(Clone, Debug)]
pub(super) struct Mass {
    matrix: MassMatrix,
    /// `L` below its diagonal; absent for a diagonal matrix.
    lower: Option<DMatrix<f64>>,
    /// The diagonal of `D`.
    pivots: Vec<f64>,
}

impl Mass {
    /// Checks and factors the matrix of `size` coordinates.
    pub(super) fn new(matrix: MassMatrix, size: usize) -> Result<Self, ImpactError> {
        match matrix {
            MassMatrix::Diagonal(ref masses) => {
                let why = format!("velocity has {size} coordinates");
                check_len("mass", masses.len(), size, &why)?;
                check_finite("mass", masses)?;
                check_positive(masses, |i| format!("mass[{i}]"))?;
                let pivots = masses.clone();
                Ok(Self { matrix, lower: None, pivots })
            }
            MassMatrix::Dense(entries) => Self::dense(entries, size),
        }
    }

    fn dense(mut entries: Vec<f64>, size: usize) -> Result<Self, ImpactError> {
        let why = format!("velocity has {size} coordinates, squared");
        check_len("mass", entries.len(), size.saturating_mul(size), &why)?;
        super::check_finite_rows("mass", &entries, size)?;
        let diagonal: Vec<f64> = (0..size).map(|i| entries[i * size + i]).collect();
        check_positive(&diagonal, |i| format!("mass[{i}][{i}]"))?;
        let tolerances = Tolerances::NOMINAL;
        check_symmetric("mass", size, |i, j| entries[i * size + j], &tolerances)?;
        for i in 0..size {
            for j in 0..i {
                let mean = 0.5 * (entries[i * size + j] + entries[j * size + i]);
                entries[i * size + j] = mean;
                entries[j * size + i] = mean;
            }
        }

        let mut lower = DMatrix::<f64>::identity(size, size);
        let mut pivots: Vec<f64> = Vec::with_capacity(size);
        for i in 0..size {
            let mut pivot = entries[i * size + i];
            for j in 0..i {
                let known: f64 = (0..j).map(|k| lower[(i, k)] * lower[(j, k)] * pivots[k]).sum();
                lower[(i, j)] = (entries[i * size + j] - known) / pivots[j];
                pivot -= lower[(i, j)] * lower[(i, j)] * pivots[j];
            }
            // What is left of a diagonal entry after the others took their share: zero or below if some motion
            // has no kinetic energy, not a number after an overflow.
            if pivot.is_nan() || pivot <= tolerances.rank * entries[i * size + i] {
                return Err(indefinite(&entries, size));
            }
            pivots.push(pivot);
        }
        Ok(Self { matrix: MassMatrix::Dense(entries), lower: Some(lower), pivots })
    }

    /// `M v`.
    pub(super) fn momentum(&self, velocity: &[f64]) -> Vec<f64> {
        match &self.matrix {
            MassMatrix::Diagonal(masses) => {
                masses.iter().zip(velocity).map(|(m, v)| m * v).collect()
            }
            MassMatrix::Dense(entries) => entries
                .chunks_exact(velocity.len())
                .map(|row| row.iter().zip(velocity).map(|(m, v)| m * v).sum())
                .collect(),
        }
    }

    /// The weighed form of a momentum, in place: `x ← L⁻¹ x`.
    pub(super) fn weigh(&self, x: &mut [f64]) {
        if let Some(lower) = &self.lower {
            for i in 0..x.len() {
                for j in 0..i {
                    x[i] -= lower[(i, j)] * x[j];
                }
            }
        }
    }

    /// No less than the sizes of `L⁻¹ x` for all `x` of these sizes, in place.
    pub(super) fn weigh_bound(&self, x: &mut [f64]) {
        if let Some(lower) = &self.lower {
            for i in 0..x.len() {
                for j in 0..i {
                    x[i] += lower[(i, j)].abs() * x[j];
                }
            }
        }
    }

    /// `x − M v`.
    pub(super) fn rest(&self, momentum: &[Ball], velocity: &[Ball]) -> Vec<Ball> {
        let entry = |i: usize, j: usize| match &self.matrix {
            MassMatrix::Diagonal(masses) => {
                if i == j {
                    masses[i]
                } else {
                    0.0
                }
            }
            MassMatrix::Dense(entries) => entries[i * velocity.len() + j],
        };
        let row = |(i, x): (usize, &Ball)| {
            let terms = velocity.iter().enumerate().filter(|(j, _)| entry(i, *j) != 0.0);
            terms.fold(*x, |sum, (j, v)| sum - Ball::from(entry(i, j)) * *v)
        };
        momentum.iter().enumerate().map(row).collect()
    }

    /// The velocity of a weighed momentum: `v = L⁻ᵀ D⁻¹ y`.
    pub(super) fn velocity(&self, y: &[f64]) -> Vec<f64> {
        let mut v: Vec<f64> = y.iter().zip(&self.pivots).map(|(y, d)| y / d).collect();
        if let Some(lower) = &self.lower {
            for i in (0..v.len()).rev() {
                for j in i + 1..v.len() {
                    v[i] -= lower[(j, i)] * v[j];
                }
            }
        }
        v
    }

    /// `y₁ᵀ D⁻¹ y₂`.
    pub(super) fn inner(&self, a: &[f64], b: &[f64]) -> f64 {
        a.iter().zip(b).zip(&self.pivots).map(|((a, b), d)| a * b / d).sum()
    }

    /// `y₁ᵀ D⁻¹ y₂`, one of them with few entries.
    pub(super) fn inner_with(&self, a: SparseRow, b: &[f64]) -> f64 {
        a.iter().map(|(i, x)| x * b[i] / self.pivots[i]).sum()
    }

    /// The masses behind weighed momenta: the diagonal of `D` \[kg\].
    pub(super) fn pivots(&self) -> &[f64] {
        &self.pivots
    }

    /// Whether weighing changes nothing.
    pub(super) fn is_diagonal(&self) -> bool {
        self.lower.is_none()
    }

    /// The length that belongs to [`Mass::inner`]: √(2 kinetic energy) if `y` is a momentum [√J].
    pub(super) fn norm(&self, y: &[f64]) -> f64 {
        f64::sqrt(self.inner(y, y))
    }
}

fn check_positive(masses: &[f64], field: impl Fn(usize) -> String) -> Result<(), ImpactError> {
    match masses.iter().position(|&m| m <= 0.0) {
        Some(i) => Err(ImpactError::bad_problem(field(i), masses[i], "a mass must be positive")),
        None => Ok(()),
    }
}

fn indefinite(entries: &[f64], size: usize) -> ImpactError {
    let matrix = DMatrix::from_row_slice(size, size, entries);
    let scale = matrix.amax();
    let smallest = (matrix / scale).symmetric_eigenvalues().min() * scale;
    ImpactError::bad_problem(
        "mass",
        format!("matrix with smallest eigenvalue {smallest:e}"),
        "must be positive definite: every motion has kinetic energy",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factors_give_back_the_matrix() -> Result<(), ImpactError> {
        // M = [[4, 2], [2, 3]] = L D Lᵀ with L₁₀ = 1/2 and D = (4, 2); M⁻¹ = [[3, −2], [−2, 4]]/8.
        let mass = Mass::new(MassMatrix::Dense(vec![4.0, 2.0, 2.0, 3.0]), 2)?;
        assert_eq!(mass.pivots, [4.0, 2.0]);
        let mut y = vec![1.0, 1.0];
        mass.weigh(&mut y);
        assert_eq!(mass.velocity(&y), [0.125, 0.25]);
        assert_eq!(mass.momentum(&[0.125, 0.25]), [1.0, 1.0]);
        assert_eq!(mass.inner(&y, &y), 0.375);
        Ok(())
    }

    #[test]
    fn a_diagonal_matrix_rounds_nothing() -> Result<(), ImpactError> {
        let mass = Mass::new(MassMatrix::Diagonal(vec![2.0, 3.0]), 2)?;
        assert_eq!(mass.inner(&[1.0, 0.0], &[1.0, 0.0]), 0.5);
        assert_eq!(mass.inner(&[0.0, 1.0], &[0.0, 1.0]), 1.0 / 3.0);
        Ok(())
    }

    #[test]
    fn refuses_what_is_not_a_mass_matrix() {
        let message = |m| Mass::new(m, 2).err().map(|e| e.to_string()).unwrap_or_default();
        let diagonal = |a, b| message(MassMatrix::Diagonal(vec![a, b]));
        assert!(diagonal(1.0, -2.0).starts_with("mass[1] = -2:"));
        assert!(diagonal(0.0, 1.0).starts_with("mass[0] = 0:"));
        assert!(diagonal(1.0, f64::NAN).starts_with("mass[1] = NaN:"));
        assert!(message(MassMatrix::Diagonal(vec![1.0])).starts_with("mass = 1 numbers:"));
        let dense = |entries: [f64; 4]| message(MassMatrix::Dense(entries.to_vec()));
        assert!(dense([1.0, 0.0, 0.5, 1.0]).starts_with("mass[1][0] = 0.5:"));
        assert!(dense([1.0, f64::INFINITY, 0.0, 1.0]).starts_with("mass[0][1] = inf:"));
        assert!(dense([-1.0, 0.0, 0.0, 1.0]).starts_with("mass[0][0] = -1:"));
        assert!(dense([1.0, 2.0, 2.0, 1.0]).contains("smallest eigenvalue -1"));
        // 0.1 · 0.3 and 0.17320508075688773² differ only by rounding: singular, though no pivot is exactly zero.
        let root = 0.173_205_080_756_887_73;
        assert!(dense([0.1, root, root, 0.3]).contains("smallest eigenvalue"));
    }
}
