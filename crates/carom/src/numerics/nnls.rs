//! Least squares with signs: `min |B x − d|²` over `x ≥ 0`.
//!
//! Its conditions are a complementarity problem with the Gram matrix of `B`: this file only puts it so.

use super::active_set::{ActiveSet, Lcp, LcpFailure, LcpSolution, Row};
use super::factor::Factor;
use nalgebra::DMatrix;

/// Solves it. `z` of the answer is `x` and `w` half the gradient, `Bᵀ(B x − d)`; `tolerance` is that of the rank of `B`,
/// squared.
pub(crate) fn solve(
    b: &DMatrix<f64>,
    d: &[f64],
    tolerance: f64,
) -> Result<LcpSolution, LcpFailure> {
    let matrix = b.tr_mul(b);
    let projection = |column: nalgebra::DVectorView<f64>| -> f64 {
        column.iter().zip(d).map(|(b, d)| -b * d).sum()
    };
    let offset: Vec<f64> = b.column_iter().map(projection).collect();
    let factor = Factor::new(&matrix, tolerance);
    let rows = vec![Row::Unilateral; offset.len()];
    let lcp = Lcp { matrix: &matrix, factor: &factor, rows: &rows, offset: &offset };
    ActiveSet::default().solve(&lcp)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numerics::ZERO;
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
