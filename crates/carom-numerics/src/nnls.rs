//! Least squares with signs, `min |B x − d|²` over `x ≥ 0`, and a direction on the positive side of every column: both are
//! complementarity problems with the Gram matrix of the columns.

use super::active_set::{LcpFailure, LcpSolution, solve_unilateral};
use super::factor::Factor;
use nalgebra::{DMatrix, DVectorView};

/// Solves it. `z` of the answer is `x` and `w` half the gradient, `Bᵀ(B x − d)`; `rank` is the tolerance of the rank of
/// `B`, squared.
pub fn solve(b: &DMatrix<f64>, d: &[f64], rank: f64) -> Result<LcpSolution, LcpFailure> {
    by_columns(b, |column| column.iter().zip(d).map(|(b, d)| -b * d).sum(), rank)
}

/// The `z ≥ 0` of the shortest `v = C z` with `c_i·v ≥ |c_i|` for every column. There is one unless some `z ≥ 0`, not
/// zero, has `C z = 0` (Gordan).
pub fn separating_direction(columns: &DMatrix<f64>, rank: f64) -> Result<LcpSolution, LcpFailure> {
    by_columns(columns, |column| -column.norm(), rank)
}

fn by_columns(
    columns: &DMatrix<f64>,
    offset: impl Fn(DVectorView<f64>) -> f64,
    rank: f64,
) -> Result<LcpSolution, LcpFailure> {
    let matrix = columns.tr_mul(columns);
    let offset: Vec<f64> = columns.column_iter().map(offset).collect();
    solve_unilateral(&matrix, &Factor::new(&matrix, rank), &offset)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ZERO;
    use carom_testkit::Rng;

    #[test]
    fn nearest_point_of_a_quadrant_turned() {
        // The cone between (1, 0) and (1, 1); from (0, 2) the nearest point is (1, 1).
        let b = DMatrix::from_row_slice(2, 2, &[1.0, 1.0, 0.0, 1.0]);
        assert_eq!(solve(&b, &[0.0, 2.0], 1e-13).unwrap().z, [0.0, 1.0]);
        // Behind the cone it is its tip.
        assert_eq!(solve(&b, &[-1.0, 0.5], 1e-13).unwrap().z, [0.0, 0.0]);
    }

    /// No move along a column that `x ≥ 0` allows comes nearer, beyond what rounding leaves where columns point all ways.
    #[test]
    fn no_column_comes_nearer() {
        let mut rng = Rng::new(1);
        for (rows, columns) in [(3, 2), (10, 30), (40, 20)] {
            for _ in 0..20 {
                let b = DMatrix::from_fn(rows, columns, |_, _| rng.normal());
                let d: Vec<f64> = (0..rows).map(|_| rng.normal()).collect();
                let answer = solve(&b, &d, 1e-13).unwrap();
                let x = nalgebra::DVector::from_vec(answer.z.clone());
                let terms = b.abs() * &x + nalgebra::DVector::from_vec(d.clone()).abs();
                let off = &b * x - nalgebra::DVector::from_vec(d.clone());
                for (k, column) in b.column_iter().enumerate() {
                    let slope = column.dot(&off);
                    let size = column.abs().dot(&terms);
                    assert!(slope >= -ZERO * size, "{slope:e} of {size:e}");
                    assert!(answer.z[k] == 0.0 || slope <= ZERO * size, "{slope:e} of {size:e}");
                }
            }
        }
    }
}
