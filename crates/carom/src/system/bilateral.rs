//! Bilateral rows: what joints forbid, and their impulse.

use super::mass::Mass;
use super::sparse::Rows;
use crate::numerics::sparse::{SparseRow, SparseRows};
use crate::{ImpactError, Tolerances};
use nalgebra::{DMatrix, DVector};

/// Rows `B` of the joints, `B Δv = 0`, prepared for projection. Redundant rows are normal: a door with three hinges.
#[derive(Clone, Debug)]
pub(super) struct Bilateral {
    /// `B v + drive = 0`.
    joints: Rows,
    /// Orthonormal in the mass metric; spans the weighed momenta that the joints can give.
    basis: SparseRows,
    /// The rows that the basis was made of, in its order; the others are redundant.
    kept: Vec<usize>,
    /// The coordinates that the joints act on.
    held: Vec<bool>,
    /// Absent if all rows vanish.
    multipliers: Option<Multipliers>,
}

/// From what the joints absorb to their impulse of least norm.
#[derive(Clone, Debug)]
struct Multipliers {
    q: DMatrix<f64>,
    r: DMatrix<f64>,
    scale: f64,
}

impl Bilateral {
    pub(super) fn new(joints: Rows, mass: &Mass, size: usize) -> Result<Self, ImpactError> {
        let weighed: Vec<Vec<f64>> = joints
            .rows
            .rows()
            .map(|row| {
                let mut y = row.to_dense(size);
                mass.weigh(&mut y);
                y
            })
            .collect();
        let (basis, kept) = orthonormal_basis(&weighed, mass, size)?;
        let mut held = vec![false; size];
        for (coordinate, _) in basis.rows().flat_map(|row| row.iter()) {
            held[coordinate] = true;
        }
        let multipliers = Multipliers::new(&basis, &weighed, mass);
        Ok(Self { joints, basis, kept, held, multipliers })
    }

    /// The rows, redundant ones included.
    pub(super) fn joints(&self) -> &Rows {
        &self.joints
    }

    /// The rows that say something new, in the order in which each adds most to those before it.
    pub(super) fn kept(&self) -> &[usize] {
        &self.kept
    }

    /// The shares of a row in the first `last + 1` directions of the basis.
    pub(super) fn shares(&self, row: SparseRow, last: usize, mass: &Mass) -> Vec<f64> {
        let mut y = row.to_dense(self.held.len());
        mass.weigh(&mut y);
        self.basis.rows().take(last + 1).map(|q| mass.inner_with(q, &y)).collect()
    }

    /// Whether the joints act on this coordinate.
    pub(super) fn holds(&self, coordinate: usize) -> bool {
        self.held[coordinate]
    }

    /// How many rows there are, redundant ones included.
    pub(super) fn len(&self) -> usize {
        self.joints.rows.len()
    }

    /// Takes out of a weighed momentum what the joints absorb; what is left changes velocities.
    pub(super) fn project(&self, y: &mut [f64], mass: &Mass) {
        remove(self.basis.rows(), y, mass);
    }

    /// The joint impulse λ of least norm that turns the weighed momentum `before` projection into its projection.
    pub(super) fn impulse(&self, before: &[f64], mass: &Mass) -> Vec<f64> {
        let Some(multipliers) = &self.multipliers else {
            return vec![0.0; self.len()];
        };
        let absorbed = self.basis.rows().map(|q| -mass.inner_with(q, before));
        multipliers.of(DVector::from_iterator(self.basis.len(), absorbed))
    }

    /// The correction of velocities that violate `B v + drive = 0`, by the least impulse, in the mean where rows contradict
    /// each other. Zero where the rows hold up to rounding.
    pub(super) fn correction(&self, velocity: &[f64], mass: &Mass) -> JointCorrection {
        let mut correction =
            JointCorrection { change: vec![0.0; velocity.len()], impulse: vec![0.0; self.len()] };
        let rows = || self.joints.rows.rows().zip(&self.joints.drive);
        let broken = |(row, w): (SparseRow, &f64)| {
            let terms = row.iter().map(|(i, b)| (b * velocity[i]).abs()).sum::<f64>() + w.abs();
            (row.dot(velocity) + w).abs() > Tolerances::NOMINAL.class * terms
        };
        let Some(multipliers) = self.multipliers.as_ref().filter(|_| rows().any(broken)) else {
            return correction;
        };
        let mut momentum = mass.momentum(velocity);
        mass.weigh(&mut momentum);
        let along = self.basis.rows().map(|q| -mass.inner_with(q, &momentum));
        let mut shares = DVector::from_iterator(self.basis.len(), along);
        // Undriven joints stay out, so that joints apart share no bit.
        if self.joints.drive.iter().any(|w| *w != 0.0) {
            let driven = self.joints.drive.iter().map(|w| -w);
            shares += multipliers.shares(DVector::from_iterator(self.len(), driven));
        }
        for (q, share) in self.basis.rows().zip(shares.iter()) {
            q.add_to(&mut correction.change, *share);
        }
        correction.impulse = multipliers.of(shares);
        correction
    }

    /// `x += Bᵀ λ`.
    pub(super) fn add_momentum(&self, impulse: &[f64], x: &mut [f64]) {
        for (row, &lambda) in self.joints.rows.rows().zip(impulse) {
            row.add_to(x, lambda);
        }
    }

    /// The largest `|B v + drive|` [m/s or rad/s].
    pub(super) fn residual(&self, velocity: &[f64]) -> f64 {
        self.joints
            .rows
            .rows()
            .zip(&self.joints.drive)
            .map(|(row, w)| (row.dot(velocity) + w).abs())
            .fold(0.0, f64::max)
    }
}

/// What joints do to velocities that violate their rows.
#[derive(Clone, Debug)]
pub(super) struct JointCorrection {
    /// The change of the weighed momentum.
    pub(super) change: Vec<f64>,
    /// Their impulse λ [N·s or N·m·s].
    pub(super) impulse: Vec<f64>,
}

impl Multipliers {
    /// With `weighed = basis · C`, λ solves `C λ = target`; of the many solutions `Cᵀ = Q R` gives the shortest.
    fn new(basis: &SparseRows, weighed: &[Vec<f64>], mass: &Mass) -> Option<Self> {
        let transposed = DMatrix::from_fn(weighed.len(), basis.len(), |j, i| {
            mass.inner_with(basis.row(i), &weighed[j])
        });
        if transposed.is_empty() {
            return None;
        }
        // To unit size first: the decomposition squares its entries.
        let scale = transposed.amax();
        let (q, r) = (transposed / scale).qr().unpack();
        Some(Self { q, r, scale })
    }

    /// The shares of the basis that make velocities of so much along the rows, in the mean of all rows.
    fn shares(&self, along: DVector<f64>) -> DVector<f64> {
        let mut shares = self.q.tr_mul(&along) / self.scale;
        self.r.solve_upper_triangular_unchecked_mut(&mut shares);
        shares
    }

    fn of(&self, target: DVector<f64>) -> Vec<f64> {
        // R has full rank: the basis kept independent directions only.
        let mut shortest = target;
        self.r.tr_solve_upper_triangular_unchecked_mut(&mut shortest);
        (&self.q * shortest / self.scale).as_slice().to_vec()
    }
}

/// Gram–Schmidt with the most independent row next, the first of equals. A row of which less than
/// [`Tolerances::class`] is left says nothing new: lever arms far from the origin carry more rounding than sums do.
/// Each row is compared with itself alone and rows keep their order, so that unrelated joints do not influence each
/// other's last bits.
fn orthonormal_basis(
    weighed: &[Vec<f64>],
    mass: &Mass,
    size: usize,
) -> Result<(SparseRows, Vec<usize>), ImpactError> {
    let mut left: Vec<(usize, Vec<f64>)> = Vec::with_capacity(weighed.len());
    for (k, y) in weighed.iter().enumerate().filter(|(_, y)| y.iter().any(|&x| x != 0.0)) {
        left.push((k, unit(y, mass)?));
    }
    let mut basis = SparseRows::new(size);
    let mut kept = Vec::new();
    loop {
        let mut most = None;
        let mut largest = Tolerances::NOMINAL.class * Tolerances::NOMINAL.class;
        for (index, (_, y)) in left.iter().enumerate() {
            let square = mass.inner(y, y);
            if square > largest {
                (most, largest) = (Some(index), square);
            }
        }
        let Some(index) = most else {
            return Ok((basis, kept));
        };
        let (row, mut direction) = left.remove(index);
        kept.push(row);
        // What is left may be small, and then rounding has tilted it: removing once more rights it.
        remove(basis.rows(), &mut direction, mass);
        basis.push_dense(&unit(&direction, mass)?);
        let newest = basis.row(basis.len() - 1);
        for (_, y) in &mut left {
            remove(std::iter::once(newest), y, mass);
        }
    }
}

/// `y − basis (basis · y)`, made twice: once more than exact arithmetic needs, so that what is left is
/// orthogonal even if it is tiny.
fn remove<'a>(basis: impl Iterator<Item = SparseRow<'a>> + Clone, y: &mut [f64], mass: &Mass) {
    for _ in 0..2 {
        for q in basis.clone() {
            let share = mass.inner_with(q, y);
            q.add_to(y, -share);
        }
    }
}

/// The vector at unit length. Divided by its largest entry first: squares overflow early.
fn unit(y: &[f64], mass: &Mass) -> Result<Vec<f64>, ImpactError> {
    let largest = y.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
    let scaled: Vec<f64> = y.iter().map(|x| x / largest).collect();
    let norm = mass.norm(&scaled);
    if norm.is_finite() && norm > 0.0 {
        Ok(scaled.iter().map(|x| x / norm).collect())
    } else {
        Err(ImpactError::Limit(
            "bilateral rows and masses are too far apart in size for doubles".into(),
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::MassMatrix;

    fn joints(rows: &[[f64; 3]]) -> Result<(Bilateral, Mass), ImpactError> {
        let mass = Mass::new(MassMatrix::Diagonal(vec![1.0, 2.0, 4.0]), 3)?;
        let mut sparse = SparseRows::new(3);
        rows.iter().for_each(|row| sparse.push_dense(row));
        Ok((Bilateral::new(Rows::undriven(sparse), &mass, 3)?, mass))
    }

    #[test]
    fn redundant_rows_share_the_impulse_of_one() -> Result<(), ImpactError> {
        let row = [1.0, -1.0, 0.0];
        let (one, mass) = joints(&[row])?;
        let (many, _) = joints(&[row, [0.0; 3], row, [2.0, -2.0, 0.0]])?;
        let momentum = [6.0, 0.0, 1.0];
        // Masses 1 and 2 move on together: 6 N·s spread as 2 and 4, so λ = −4.
        assert!((one.impulse(&momentum, &mass)[0] + 4.0).abs() < 1e-14);
        // λ₀ + λ₂ + 2 λ₃ = −4, shortest: (1, 1, 2) · (−4/6).
        let shared = many.impulse(&momentum, &mass);
        for (lambda, expected) in shared.iter().zip([-2.0 / 3.0, 0.0, -2.0 / 3.0, -4.0 / 3.0]) {
            assert!((lambda - expected).abs() < 1e-14, "{shared:?}");
        }
        for rows in [one, many] {
            let mut left = momentum;
            rows.project(&mut left, &mass);
            assert!((left[0] - 2.0).abs() < 1e-14 && (left[1] - 4.0).abs() < 1e-14);
            assert_eq!(left[2], 1.0);
        }
        Ok(())
    }

    #[test]
    fn rows_of_any_size_count_alike() -> Result<(), ImpactError> {
        let (rows, mass) = joints(&[[1e-150, 0.0, 0.0], [0.0, 1e150, 0.0]])?;
        let mut left = [3.0, 5.0, 7.0];
        rows.project(&mut left, &mass);
        assert!(left[0].abs() < 1e-15 && left[1].abs() < 1e-15 && left[2] == 7.0);
        Ok(())
    }

    #[test]
    fn rows_without_effect_do_nothing() -> Result<(), ImpactError> {
        let (rows, mass) = joints(&[[0.0; 3]])?;
        let mut left = [3.0, 5.0, 7.0];
        rows.project(&mut left, &mass);
        assert_eq!(left, [3.0, 5.0, 7.0]);
        assert_eq!(rows.impulse(&left, &mass), [0.0]);
        Ok(())
    }
}
