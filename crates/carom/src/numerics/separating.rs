//! A direction on the positive side of every column of a matrix.

use super::active_set::{ActiveSet, Lcp, LcpFailure, LcpSolution, Row};
use super::factor::Factor;
use nalgebra::DMatrix;

/// The `z ≥ 0` of the shortest `v = C z` with `c_i·v ≥ |c_i|` for every column. There is one unless some `z ≥ 0`, not
/// zero, has `C z = 0` (Gordan).
pub(crate) fn separating_direction(
    columns: &DMatrix<f64>,
    rank: f64,
) -> Result<LcpSolution, LcpFailure> {
    let matrix = &columns.tr_mul(columns);
    let factor = &Factor::new(matrix, rank);
    let rows = &vec![Row::Unilateral; columns.ncols()];
    let offset: Vec<f64> = columns.column_iter().map(|c| -c.norm()).collect();
    ActiveSet::default().solve(&Lcp { matrix, factor, rows, offset: &offset })
}
