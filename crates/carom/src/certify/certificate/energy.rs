//! The energy that contacts could take away.

use crate::Tolerances;
use crate::contact::{ContactProblem, Island, Operator, power_of_two_near};
use nalgebra::{DMatrix, DVector};

/// Islands of more rows are too large for an eigendecomposition, whose work grows with the cube of their size.
const MAX_EIGEN_ROWS: usize = 600;

/// Rows of one island whose entries lie farther apart are brought to like size first: light and heavy parts of one
/// mechanism would count as locked otherwise \[1\].
const SPREAD: f64 = 1e6;

/// The energy that contacts could take away.
#[derive(Clone, Copy, Debug)]
pub(super) struct Available {
    /// `½ uᵀ W⁺ u` \[J\].
    pub(super) energy: f64,
    /// How far rounding can have moved it; infinite where that is not known \[J\].
    pub(super) rounding: f64,
}

/// The energy that the contacts of an island could take away. Absent where it is large and no chain.
pub(super) fn available(
    problem: &ContactProblem,
    island: &Island,
    tolerances: &Tolerances,
) -> Option<Available> {
    let w = problem.delassus();
    let rows: Vec<usize> = island.contacts.iter().flat_map(|&k| problem.row_range(k)).collect();
    let u: Vec<f64> = rows.iter().map(|&i| problem.velocity()[i]).collect();
    match rows.len() <= MAX_EIGEN_ROWS {
        true => Some(by_eigenvalues(w.dense_block(&rows), u, tolerances.rank)),
        false => by_elimination(w, &rows, &u, tolerances.rank)
            .map(|energy| Available { energy, rounding: f64::INFINITY }),
    }
}

/// Directions in which `W` vanishes hold no energy that a contact could take.
fn by_eigenvalues(mut delassus: DMatrix<f64>, mut velocity: Vec<f64>, rank: f64) -> Available {
    let n = velocity.len();
    let positive = (0..n).map(|i| delassus[(i, i)]).filter(|w| *w > 0.0);
    let (least, most) =
        positive.fold((f64::INFINITY, 0.0), |(a, b): (f64, f64), w| (a.min(w), b.max(w)));
    if most > SPREAD * least {
        let unit = |w: f64| if w > 0.0 { 1.0 / power_of_two_near(f64::sqrt(w)) } else { 1.0 };
        let units: Vec<f64> = (0..n).map(|i| unit(delassus[(i, i)])).collect();
        for i in 0..n {
            velocity[i] *= units[i];
            (0..n).for_each(|j| delassus[(i, j)] *= units[i] * units[j]);
        }
    }
    let scale = delassus.amax();
    if scale == 0.0 {
        return Available { energy: 0.0, rounding: 0.0 };
    }
    let eigen = DMatrix::symmetric_eigen(delassus / scale);
    let components = eigen.eigenvectors.tr_mul(&DVector::from_vec(velocity));
    let largest = eigen.eigenvalues.max();
    let kept = || {
        eigen
            .eigenvalues
            .iter()
            .zip(components.iter())
            .filter(|(value, _)| **value > rank * largest)
    };
    let sum: f64 = kept().map(|(value, u)| u / value * u).sum();
    let least = kept().fold(largest, |m, (value, _)| m.min(*value));
    let energy = 0.5 * sum / scale;
    // Eigenvalues are off by a few units of the last place of the largest.
    let rounding = 32.0 * (n as f64) * f64::EPSILON * largest / least * energy;
    Available { energy, rounding }
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
            let found =
                available(problem, &problem.islands()[0], &Tolerances::NOMINAL).unwrap().energy;
            assert!((found - energy).abs() < 1e-10 * energy, "{n}: {found} not {energy}");
        }
    }

    #[test]
    fn both_ways_agree() {
        let (chain, _) = chain(60);
        let problem = chain.problem();
        let rows: Vec<usize> = (0..problem.rows()).collect();
        let w = problem.delassus();
        let eigen = by_eigenvalues(w.dense_block(&rows), problem.velocity().to_vec(), 1e-13).energy;
        let chain = by_elimination(w, &rows, problem.velocity(), 1e-13).unwrap();
        assert!((eigen - chain).abs() < 1e-11 * chain, "{eigen} {chain}");
    }
}
