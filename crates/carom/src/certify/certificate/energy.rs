//! The energy that contacts could take away.

use crate::Tolerances;
use crate::contact::{ContactProblem, Island, Operator};
use nalgebra::{DMatrix, DVector};

/// Islands of more rows are too large for an eigendecomposition, whose work grows with the cube of their size.
const MAX_EIGEN_ROWS: usize = 600;

/// `½ uᵀ W⁺ u`, island by island \[J\]. Absent where an island is large and no chain.
pub(super) fn available(
    problem: &ContactProblem,
    islands: &[Island],
    tolerances: &Tolerances,
) -> Option<f64> {
    let w = problem.delassus();
    let mut sum = 0.0;
    for island in islands {
        let rows: Vec<usize> = island.contacts.iter().flat_map(|&k| problem.row_range(k)).collect();
        let u: Vec<f64> = rows.iter().map(|&i| problem.velocity()[i]).collect();
        sum += match rows.len() <= MAX_EIGEN_ROWS {
            true => by_eigenvalues(w.dense_block(&rows), u, tolerances.rank),
            false => by_elimination(w, &rows, &u, tolerances.rank)?,
        };
    }
    Some(sum)
}

/// Directions in which `W` vanishes hold no energy that a contact could take.
fn by_eigenvalues(delassus: DMatrix<f64>, velocity: Vec<f64>, rank: f64) -> f64 {
    let scale = delassus.amax();
    if scale == 0.0 {
        return 0.0;
    }
    let eigen = DMatrix::symmetric_eigen(delassus / scale);
    let components = eigen.eigenvectors.tr_mul(&DVector::from_vec(velocity));
    let largest = eigen.eigenvalues.max();
    let sum: f64 = eigen
        .eigenvalues
        .iter()
        .zip(components.iter())
        .filter(|(value, _)| **value > rank * largest)
        .map(|(value, u)| u / value * u)
        .sum();
    0.5 * sum / scale
}

/// For a chain: `W = L D Lᵀ` with one entry beside each diagonal one, `½ Σ (L⁻¹u)_i² / D_i`. Nothing if `W` has other
/// entries or is singular.
fn by_elimination(w: &Operator, rows: &[usize], velocity: &[f64], rank: f64) -> Option<f64> {
    let mut sum = 0.0;
    let (mut pivot, mut left) = (f64::INFINITY, 0.0);
    for (k, &i) in rows.iter().enumerate() {
        let (mut diagonal, mut beside, mut elsewhere) = (0.0, 0.0, false);
        w.for_row(i, |j, w| match () {
            () if j == i => diagonal += w,
            () if k > 0 && j == rows[k - 1] => beside += w,
            () if k + 1 < rows.len() && j == rows[k + 1] => {}
            () => elsewhere |= w != 0.0,
        });
        if elsewhere {
            return None;
        }
        let factor = beside / pivot;
        pivot = diagonal - factor * beside;
        if pivot <= rank * diagonal {
            return None;
        }
        left = velocity[k] - factor * left;
        sum += left / pivot * left;
    }
    Some(0.5 * sum)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::Chain;

    /// Relative motion of a chain: kinetic energy minus that of the common motion.
    fn relative_energy(mass: &[f64], velocity: &[f64]) -> f64 {
        let total: f64 = mass.iter().sum();
        let mean = mass.iter().zip(velocity).map(|(m, v)| m * v).sum::<f64>() / total;
        mass.iter().zip(velocity).map(|(m, v)| 0.5 * m * (v - mean) * (v - mean)).sum()
    }

    fn chain(n: usize) -> (Chain, f64) {
        let mass: Vec<f64> = (0..n).map(|i| 1.0 + (i % 7) as f64).collect();
        let velocity: Vec<f64> = (0..n).map(|i| (i * i % 11) as f64 - 5.0).collect();
        let energy = relative_energy(&mass, &velocity);
        (Chain::new(mass, velocity, vec![0.5; n - 1]).unwrap(), energy)
    }

    #[test]
    fn chains_of_any_length_have_their_relative_energy() {
        // Short ones by eigenvalues, long ones by elimination.
        for n in [2, 40, 300, MAX_EIGEN_ROWS + 2, 100_000] {
            let (chain, energy) = chain(n);
            let problem = chain.problem();
            let found = available(problem, &problem.islands(), &Tolerances::NOMINAL).unwrap();
            assert!((found - energy).abs() < 1e-10 * energy, "{n}: {found} not {energy}");
        }
    }

    #[test]
    fn both_ways_agree() {
        let (chain, _) = chain(60);
        let problem = chain.problem();
        let rows: Vec<usize> = (0..problem.rows()).collect();
        let w = problem.delassus();
        let eigen = by_eigenvalues(w.dense_block(&rows), problem.velocity().to_vec(), 1e-13);
        let chain = by_elimination(w, &rows, problem.velocity(), 1e-13).unwrap();
        assert!((eigen - chain).abs() < 1e-11 * chain, "{eigen} {chain}");
    }
}
