//! Bilateral rows: what joints forbid, and the impulse with which they do so.

use super::mass::Mass;
use super::sparse::SparseVec;
use crate::Tolerances;
use nalgebra::{DMatrix, DVector};

/// Rows `B` of the joints, `B Δv = 0`, prepared for projection. Redundant rows are normal: a door with three hinges.
#[derive(Clone, Debug)]
pub(super) struct Bilateral {
    rows: Vec<SparseVec>,
    /// Prescribed motion: the joints ask for `B v + drive = 0` [m/s or rad/s].
    drive: Vec<f64>,
    /// Orthonormal in the mass metric; spans the weighed momenta that the joints can give.
    basis: Vec<SparseVec>,
    /// Absent if no row says anything.
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
    /// No joints at all.
    pub(super) fn none() -> Self {
        Self {
            rows: Vec::new(),
            drive: Vec::new(),
            basis: Vec::new(),
            multipliers: None,
        }
    }

    pub(super) fn new(rows: Vec<SparseVec>, drive: Vec<f64>, mass: &Mass, size: usize) -> Self {
        let weighed: Vec<Vec<f64>> = rows
            .iter()
            .map(|row| {
                let mut y = row.to_dense(size);
                mass.weigh(&mut y);
                y
            })
            .collect();
        let basis = orthonormal_basis(&weighed, mass);
        let multipliers = Multipliers::new(&basis, &weighed, mass);
        Self {
            rows,
            drive,
            basis,
            multipliers,
        }
    }

    /// How many rows there are, redundant ones included.
    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    /// Takes out of a weighed momentum what the joints absorb; what is left changes velocities.
    pub(super) fn project(&self, y: &mut [f64], mass: &Mass) {
        remove(&self.basis, y, mass);
    }

    /// The joint impulse λ of least norm that turns the weighed momentum `before` projection into its projection.
    pub(super) fn impulse(&self, before: &[f64], mass: &Mass) -> Vec<f64> {
        let Some(multipliers) = &self.multipliers else {
            return vec![0.0; self.len()];
        };
        let absorbed = self.basis.iter().map(|q| -mass.inner_with(q, before));
        multipliers.of(DVector::from_iterator(self.basis.len(), absorbed))
    }

    /// `x += Bᵀ λ`.
    pub(super) fn add_momentum(&self, impulse: &[f64], x: &mut [f64]) {
        for (row, &lambda) in self.rows.iter().zip(impulse) {
            row.add_to(x, lambda);
        }
    }

    /// The largest `|B v + drive|` [m/s or rad/s].
    pub(super) fn residual(&self, velocity: &[f64]) -> f64 {
        self.rows
            .iter()
            .zip(&self.drive)
            .map(|(row, w)| (row.dot(velocity) + w).abs())
            .fold(0.0, f64::max)
    }
}

impl Multipliers {
    /// With `weighed = basis · C`, λ solves `C λ = target`; of the many solutions `Cᵀ = Q R` gives the shortest.
    fn new(basis: &[SparseVec], weighed: &[Vec<f64>], mass: &Mass) -> Option<Self> {
        let transposed = DMatrix::from_fn(weighed.len(), basis.len(), |j, i| {
            mass.inner_with(&basis[i], &weighed[j])
        });
        if transposed.is_empty() {
            return None;
        }
        // To unit size first: the decomposition squares its entries.
        let scale = transposed.amax();
        let (q, r) = (transposed / scale).qr().unpack();
        Some(Self { q, r, scale })
    }

    fn of(&self, target: DVector<f64>) -> Vec<f64> {
        // R has full rank: the basis kept independent directions only.
        let mut shortest = target;
        self.r
            .tr_solve_upper_triangular_unchecked_mut(&mut shortest);
        (&self.q * shortest / self.scale).as_slice().to_vec()
    }
}

/// Gram–Schmidt with the most independent row next. A row whose square has fallen below [`Tolerances::rank`] of its
/// own size says nothing new. The test looks at the row alone, so that unrelated joints do not influence each other.
fn orthonormal_basis(weighed: &[Vec<f64>], mass: &Mass) -> Vec<SparseVec> {
    let mut left: Vec<Vec<f64>> = weighed.iter().filter_map(|y| unit(y, mass)).collect();
    let mut basis: Vec<SparseVec> = Vec::new();
    loop {
        let largest = left
            .iter()
            .map(|y| mass.inner(y, y))
            .enumerate()
            .max_by(|a, b| a.1.total_cmp(&b.1));
        let Some((index, _)) = largest.filter(|&(_, square)| square > Tolerances::NOMINAL.rank)
        else {
            return basis;
        };
        let mut direction = left.swap_remove(index);
        // What is left may be small, and then rounding has tilted it: the second removal rights it.
        remove(&basis, &mut direction, mass);
        let Some(direction) = unit(&direction, mass) else {
            continue;
        };
        basis.push(SparseVec::from_dense(&direction));
        let newest = &basis[basis.len() - 1..];
        for y in &mut left {
            remove(newest, y, mass);
        }
    }
}

/// `y − basis (basis · y)`, made twice: once more than exact arithmetic needs, so that what is left is
/// orthogonal even if it is tiny.
fn remove(basis: &[SparseVec], y: &mut [f64], mass: &Mass) {
    for _ in 0..2 {
        for q in basis {
            let share = mass.inner_with(q, y);
            q.add_to(y, -share);
        }
    }
}

/// The vector at unit length, or nothing if it is zero. Divided by its largest entry first: squares overflow early.
fn unit(y: &[f64], mass: &Mass) -> Option<Vec<f64>> {
    let largest = y.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
    let scaled: Vec<f64> = y.iter().map(|x| x / largest).collect();
    let norm = mass.norm(&scaled);
    (largest > 0.0 && norm > 0.0).then(|| scaled.iter().map(|x| x / norm).collect())
}
