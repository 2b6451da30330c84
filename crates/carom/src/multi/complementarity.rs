//! `p ≥ 0`, `w = W p + q ≥ 0`, `p·w = 0` on the normal rows of an island, by the method that suits its size and shape.

use super::Desk;
use super::normal::NormalProblem;
use super::solve::active_set::{self, LcpFailure};
use super::solve::factor::Factor;
use super::solve::least_norm::least_norm;
use crate::ImpactError;
use crate::outcome::MultiEffort;
use nalgebra::DMatrix;

/// A solution of least norm.
pub(crate) struct Solved {
    /// One per row; where several do the same, the one of least `Σ W_ii p_i²` [N·s].
    pub(crate) p: Vec<f64>,
    /// `W p + q`, exactly zero where it should be [m/s].
    pub(crate) w: Vec<f64>,
    pub(crate) effort: MultiEffort,
}

/// Solves with the matrix of the problem, or with `W + diag(compliance)`.
pub(crate) fn solve(
    problem: &NormalProblem,
    q: &[f64],
    compliance: Option<&[f64]>,
    desk: &mut Desk,
) -> Result<Solved, ImpactError> {
    let rows: Vec<usize> = (0..problem.len()).collect();
    let mut matrix = problem.w.dense_block(&rows);
    if let Some(compliance) = compliance {
        for (i, c) in compliance.iter().enumerate() {
            matrix[(i, i)] += c;
        }
    }
    solve_dense(&matrix, q, desk)
}

fn solve_dense(matrix: &DMatrix<f64>, q: &[f64], desk: &mut Desk) -> Result<Solved, ImpactError> {
    let rank = desk.tolerances.rank;
    let factor = Factor::new(matrix, rank).map_err(|indefinite| {
        ImpactError::bad_problem(
            "delassus",
            format!("row {}", indefinite.row),
            "the matrix of the normal rows is not positive semidefinite",
        )
    })?;
    let solution =
        active_set::solve(matrix, &factor, q, rank).map_err(|failure| match failure {
            LcpFailure::Infeasible { row } => desk.no_solution(format!(
                "contact row {row} and those coupled to it ask for velocities that no motion has"
            )),
            LcpFailure::NotConverged { residual, iterations } => {
                ImpactError::NotConverged { law: desk.row.id, residual, iterations }
            }
        })?;
    let size = q.iter().fold(0.0, |m: f64, q| m.max(q.abs()));
    let zero = desk.tolerances.approach * size;
    let support: Vec<usize> = (0..q.len()).filter(|&i| solution.w[i] <= zero).collect();
    let unique = support.len() == solution.working.len()
        || Factor::new(&select(matrix, &support), rank).is_ok_and(|f| f.rank() == support.len());
    let p = match unique {
        true => solution.z,
        false => {
            let accuracy = desk.tolerances.residual;
            least_norm(&factor, &support, &solution.z, accuracy).unwrap_or(solution.z)
        }
    };
    let effort = MultiEffort {
        iterations: solution.iterations.into(),
        impulse_unique: Some(unique),
        residual: residual(matrix, q, &p, size),
        ..MultiEffort::default()
    };
    Ok(Solved { p, w: solution.w, effort })
}

fn select(matrix: &DMatrix<f64>, rows: &[usize]) -> DMatrix<f64> {
    DMatrix::from_fn(rows.len(), rows.len(), |i, j| matrix[(rows[i], rows[j])])
}

/// The largest `|min(W_ii p_i, w_i)|`, relative to the largest `|q|`.
fn residual(matrix: &DMatrix<f64>, q: &[f64], p: &[f64], size: f64) -> f64 {
    let off = |i: usize| {
        let w: f64 = q[i] + p.iter().enumerate().map(|(j, p)| matrix[(i, j)] * p).sum::<f64>();
        w.min(matrix[(i, i)] * p[i]).abs()
    };
    if size == 0.0 { 0.0 } else { (0..q.len()).map(off).fold(0.0, f64::max) / size }
}
