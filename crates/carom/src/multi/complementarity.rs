//! `p ≥ 0`, `w = W p + q ≥ 0`, `p·w = 0` on the normal rows of an island, by the method that suits its size and shape.

use super::Desk;
use super::normal::NormalProblem;
use super::solve::active_set::{ActiveSet, Lcp, LcpFailure, Row};
use super::solve::factor::Factor;
use super::solve::least_norm::least_norm;
#[cfg(feature = "sparse")]
use super::solve::sparse_lcp;
use crate::ImpactError;
#[cfg(feature = "sparse")]
use crate::contact::Gram;
use crate::outcome::MultiEffort;
#[cfg(feature = "sparse")]
use crate::sparse::SparseRows;
use nalgebra::DMatrix;
#[cfg(feature = "sparse")]
use std::ops::ControlFlow;

/// A solution of least norm.
pub(crate) struct Solved {
    /// One per row; where several do the same, the one of least `Σ W_ii p_i²` [N·s].
    pub(crate) p: Vec<f64>,
    /// `W p + q`, exactly zero where it should be [m/s].
    pub(crate) w: Vec<f64>,
    pub(crate) effort: MultiEffort,
}

/// Rows of a `W` that is kept by its factors, up to which it is written out in full for want of a sparse method. The
/// dense one takes some seconds there, and memory for three such matrices.
const MAX_DENSE_ROWS: usize = 2000;

/// Solves with the matrix of the problem, or with `W + diag(compliance)`.
pub(crate) fn solve(
    problem: &NormalProblem,
    q: &[f64],
    compliance: Option<&[f64]>,
    desk: &mut Desk,
) -> Result<Solved, ImpactError> {
    if let Some(gram) = problem.w.gram() {
        #[cfg(feature = "sparse")]
        if sparse_lcp::suits(&gram.rows) {
            return solve_sparse(gram, q, compliance, desk);
        }
        let rows = gram.rows.len();
        if rows > MAX_DENSE_ROWS {
            let remedy = match cfg!(feature = "sparse") {
                true => "each moves too many coordinates for the sparse method",
                false => "more need carom's feature `sparse`",
            };
            return Err(ImpactError::Limit(format!(
                "{rows} coupled contacts, {MAX_DENSE_ROWS} are solved in full; {remedy}"
            )));
        }
    }
    let rows: Vec<usize> = (0..problem.len()).collect();
    let mut matrix = problem.w.dense_block(&rows);
    if let Some(compliance) = compliance {
        for (i, c) in compliance.iter().enumerate() {
            matrix[(i, i)] += c;
        }
    }
    solve_dense(&matrix, q, desk)
}

#[cfg(feature = "sparse")]
fn solve_sparse(
    gram: &Gram,
    q: &[f64],
    compliance: Option<&[f64]>,
    desk: &mut Desk,
) -> Result<Solved, ImpactError> {
    let softened = compliance.map(|compliance| softened(gram, compliance));
    let Gram { rows, mass } = softened.as_ref().unwrap_or(gram);
    let mut progress = |steps| match desk.progress(STEPS, steps, None) {
        Ok(()) => ControlFlow::Continue(()),
        Err(_) => ControlFlow::Break(()),
    };
    let solution = sparse_lcp::solve(rows, mass, q, &mut progress)
        .map_err(|failure| explained(failure, desk))?;
    let effort = MultiEffort {
        iterations: solution.iterations.into(),
        impulse_unique: Some(solution.unique),
        residual: solution.residual,
        ..MultiEffort::default()
    };
    Ok(Solved { p: solution.z, w: solution.w, effort })
}

/// What the sparse method counts.
#[cfg(feature = "sparse")]
const STEPS: &str = "steps of the interior-point method";

/// The factors of `W + diag(compliance)`: every row moves one more coordinate, which is its own.
#[cfg(feature = "sparse")]
fn softened(gram: &Gram, compliance: &[f64]) -> Gram {
    let width = gram.rows.width();
    let count = gram.rows.len();
    let mut rows = SparseRows::with_capacity(width + count, count, gram.rows.entries() + count);
    let mut entries = Vec::new();
    for (i, row) in gram.rows.rows().enumerate() {
        entries.clear();
        entries.extend(row.iter());
        entries.push((width + i, libm::sqrt(compliance[i])));
        rows.push(&mut entries);
    }
    let mut mass = gram.mass.clone();
    mass.resize(width + count, 1.0);
    Gram { rows, mass }
}

fn solve_dense(matrix: &DMatrix<f64>, q: &[f64], desk: &mut Desk) -> Result<Solved, ImpactError> {
    let factor = Factor::new(matrix, desk.tolerances.rank);
    let rows = vec![Row::Unilateral; q.len()];
    let lcp = Lcp { matrix, factor: &factor, rows: &rows, offset: q };
    let solution = ActiveSet::default().solve(&lcp).map_err(|failure| explained(failure, desk))?;
    let least = if solution.unique { None } else { least_norm(&lcp, &solution) };
    let effort = MultiEffort {
        iterations: solution.iterations.into(),
        impulse_unique: Some(solution.unique),
        residual: least.as_ref().map_or(solution.residual, |p| residual(matrix, q, p)),
        ..MultiEffort::default()
    };
    Ok(Solved { p: least.unwrap_or(solution.z), w: solution.w, effort })
}

fn explained(failure: LcpFailure, desk: &Desk) -> ImpactError {
    match failure {
        LcpFailure::Infeasible { row } => desk.no_solution(format!(
            "contact row {row} and those coupled to it ask for velocities that no motion has"
        )),
        LcpFailure::NotConverged { residual, iterations } => {
            ImpactError::NotConverged { law: desk.row.id, residual, iterations }
        }
        #[cfg(feature = "sparse")]
        LcpFailure::Interrupted { iterations } => Desk::interrupted(STEPS, iterations),
    }
}

/// The largest `|min(W_ii p_i, w_i)|`, relative to the largest `|q|`.
fn residual(matrix: &DMatrix<f64>, q: &[f64], p: &[f64]) -> f64 {
    let off = |i: usize| {
        let w: f64 = q[i] + p.iter().enumerate().map(|(j, p)| matrix[(i, j)] * p).sum::<f64>();
        w.min(matrix[(i, i)] * p[i]).abs()
    };
    let size = q.iter().fold(0.0, |m: f64, q| m.max(q.abs()));
    if size == 0.0 { 0.0 } else { (0..q.len()).map(off).fold(0.0, f64::max) / size }
}
