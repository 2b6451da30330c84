//! `p ≥ 0`, `w = W p + q ≥ 0`, `p·w = 0` on the normal rows of an island, by the method that suits its size and shape:
//! chains and trees in one pass, thousands of rows by sparse factors, all others by a dense active set.

use super::Context;
use super::links;
use super::normal::NormalProblem;
use crate::ImpactError;
use crate::contact::Gram;
use crate::numerics::active_set::{ActiveSet, Lcp, LcpFailure, LcpSolution, Row};
use crate::numerics::factor::Factor;
use crate::numerics::factored::FactoredRows;
use crate::numerics::largest;
use crate::numerics::least_norm::least_norm;
#[cfg(feature = "sparse")]
use crate::numerics::sparse_lcp;
use crate::outcome::SolverEffort;
use nalgebra::DMatrix;
#[cfg(feature = "sparse")]
use std::ops::ControlFlow;

/// A solution of least norm.
pub(crate) struct Solved {
    /// One per row; where several do the same, the one of least `Σ W_ii p_i²` [N·s].
    pub(crate) p: Vec<f64>,
    /// `W p + q`, exactly zero where it should be; [`solve`] may leave it out [m/s].
    pub(crate) w: Vec<f64>,
    pub(crate) effort: SolverEffort,
}

/// Rows of a `W` that is kept by its factors, up to which it is written out in full for want of a sparse method. The
/// dense one takes some seconds there, and memory for three such matrices.
const MAX_DENSE_ROWS: usize = 2000;

/// Up to so many rows the active set serves rows that are kept by their factors.
const MAX_ACTIVE_ROWS: usize = 256;

/// Solves with the matrix of the problem.
pub(crate) fn solve(
    problem: &NormalProblem,
    q: &[f64],
    context: &mut Context,
) -> Result<Solved, ImpactError> {
    solve_for(problem, q, false, context)
}

/// The same, and `W p + q` is always there.
pub(crate) fn solve_with_slack(
    problem: &NormalProblem,
    q: &[f64],
    context: &mut Context,
) -> Result<Solved, ImpactError> {
    solve_for(problem, q, true, context)
}

fn solve_for(
    problem: &NormalProblem,
    q: &[f64],
    slack: bool,
    context: &mut Context,
) -> Result<Solved, ImpactError> {
    if let Some(gram) = problem.w.gram() {
        if let Some(answer) = links::solve(gram, q, slack) {
            let answer = answer.map_err(|at| contradiction(at.constraint, context))?;
            return Ok(Solved {
                effort: links_effort(problem, q, &answer),
                p: answer.p,
                w: answer.w,
            });
        }
        #[cfg(feature = "sparse")]
        if gram.rows.len() > MAX_ACTIVE_ROWS && sparse_lcp::suits(&gram.rows) {
            return solve_sparse(gram, q, context);
        }
        check_size(gram)?;
    }
    let rows: Vec<usize> = (0..problem.len()).collect();
    solve_block(&problem.w.dense_block(&rows), problem.w.gram(), q, &rows, context)
}

/// Each brings back as many digits as the condition of the rows leaves.
const RESTORATIONS: usize = 3;

/// What the sparse method counts.
const SPARSE_STEPS: &str = "steps of the interior-point method";

/// Thousands of coupled contacts, by the sparse factors of their matrix.
#[cfg(feature = "sparse")]
fn solve_sparse(gram: &Gram, q: &[f64], context: &mut Context) -> Result<Solved, ImpactError> {
    let mut progress = |steps| match context.progress(SPARSE_STEPS, steps, None) {
        Ok(()) => ControlFlow::Continue(()),
        Err(_) => ControlFlow::Break(()),
    };
    let solution = sparse_lcp::solve(&gram.rows, &gram.mass, q, &mut progress)
        .map_err(|failure| explained(failure, context))?;
    let effort = SolverEffort {
        iterations: solution.iterations.into(),
        impulse_unique: Some(solution.unique),
        residual: solution.residual,
        ..SolverEffort::default()
    };
    Ok(Solved { p: solution.z, w: solution.w, effort })
}

fn check_size(gram: &Gram) -> Result<(), ImpactError> {
    let rows = gram.rows.len();
    if rows <= MAX_DENSE_ROWS {
        return Ok(());
    }
    let remedy = match cfg!(feature = "sparse") {
        true => "each moves too many coordinates for the sparse method",
        false => "more need carom's feature `sparse`",
    };
    Err(ImpactError::Limit(format!(
        "{rows} coupled contacts, {MAX_DENSE_ROWS} are solved in full; {remedy}"
    )))
}

fn links_effort(problem: &NormalProblem, q: &[f64], answer: &links::LinksAnswer) -> SolverEffort {
    // Relative to the terms that cancel: a million links press a million times harder than one approaches.
    let (mut size, mut worst) = (largest(q), 0.0_f64);
    for (i, (p, q)) in answer.p.iter().zip(q).enumerate() {
        let (mut after, mut pressed) = (*q, 0.0);
        problem.w.for_row(i, |j, w| {
            after += w * answer.p[j];
            if i == j {
                pressed += w * p;
            }
        });
        size = size.max(pressed);
        worst = worst.max(after.min(pressed).abs());
    }
    SolverEffort {
        iterations: 1,
        impulse_unique: Some(answer.unique),
        residual: if size == 0.0 { 0.0 } else { worst / size },
        ..SolverEffort::default()
    }
}

/// Solves with a full matrix. `names` are the rows' numbers in the problem, for errors, and among its factors, where these
/// are kept.
pub(crate) fn solve_block(
    matrix: &DMatrix<f64>,
    gram: Option<&Gram>,
    q: &[f64],
    names: &[usize],
    context: &mut Context,
) -> Result<Solved, ImpactError> {
    let factor = Factor::new(matrix, context.tolerances.rank);
    let rows = vec![Row::Unilateral; q.len()];
    let exact = gram
        .filter(|_| q.len() <= MAX_ACTIVE_ROWS)
        .map(|Gram { rows, mass }| FactoredRows { rows, mass, index: names });
    let lcp = Lcp { matrix, factor: &factor, rows: &rows, offset: q, exact };
    let solution = ActiveSet::default().solve(&lcp).map_err(|failure| match failure {
        LcpFailure::Infeasible { row } => contradiction(names[row], context),
        other => explained(other, context),
    })?;
    // Dependent rows may share a load even where the solver sees no other solution: degenerate ones hide it.
    let support = &solution.support;
    let block = |i: usize, j: usize| matrix[(support[i], support[j])];
    let redundant = !solution.unique
        || factor.rank() < rows.len()
            && Factor::new(
                &DMatrix::from_fn(support.len(), support.len(), block),
                context.tolerances.rank,
            )
            .rank()
                < support.len();
    let least = if redundant { least_norm(&lcp, &solution) } else { None };
    let least = least.map(|p| restored(p, &lcp, &solution));
    let size = largest(&solution.z);
    let moved = |p: &Vec<f64>| {
        p.iter().zip(&solution.z).any(|(p, z)| (p - z).abs() > context.tolerances.class * size)
    };
    // Without the smallest there is nothing to compare with, but what the solver saw.
    let unique = match &least {
        None if redundant && solution.unique => None,
        least => Some(solution.unique && !least.as_ref().is_some_and(moved)),
    };
    let effort = SolverEffort {
        iterations: solution.iterations.into(),
        impulse_unique: unique,
        impulse_smallest: !redundant || least.is_some(),
        residual: least.as_ref().map_or(solution.residual, |p| residual(matrix, q, p)),
        ..SolverEffort::default()
    };
    Ok(Solved { p: least.unwrap_or(solution.z), w: solution.w, effort })
}

/// The smallest impulse, its velocities those of the solution to the last digit: where masses lie far apart the factor by
/// which it was found rounds some of them away.
fn restored(mut p: Vec<f64>, lcp: &Lcp, solution: &LcpSolution) -> Vec<f64> {
    let Some(exact) = lcp.exact else { return p };
    let bears = |i: &usize| p[*i] > 0.0;
    let bearing: Vec<usize> = (0..p.len()).filter(bears).collect();
    let block = |i: usize, j: usize| lcp.matrix[(bearing[i], bearing[j])];
    let factor =
        Factor::new(&DMatrix::from_fn(bearing.len(), bearing.len(), block), lcp.factor.tolerance());
    let mut change = Vec::new();
    for _ in 0..RESTORATIONS {
        exact.spread(p.iter().copied().enumerate(), &mut change);
        let mut more: Vec<f64> = factor
            .pivots()
            .iter()
            .map(|&k| (bearing[k], factor.scale(k)))
            .map(|(i, scale)| {
                (solution.w[i] - exact.gather(i, lcp.offset[i], &change).round()) / scale
            })
            .collect();
        factor.forward_substitute(&mut more);
        factor.back_substitute(&mut more);
        for (&k, more) in factor.pivots().iter().zip(more) {
            p[bearing[k]] = (p[bearing[k]] + more / factor.scale(k)).max(0.0);
        }
    }
    p
}

/// A solver's failure, said of a law.
fn explained(failure: LcpFailure, context: &Context) -> ImpactError {
    match failure {
        LcpFailure::Infeasible { row } => contradiction(row, context),
        LcpFailure::NotConverged { residual, iterations } => {
            ImpactError::NotConverged { law: context.law, residual, iterations }
        }
        LcpFailure::Interrupted { iterations } => Context::interrupted(SPARSE_STEPS, iterations),
    }
}

/// The largest `|min(W_ii p_i, w_i)|`, relative to the largest `|q|`.
fn residual(matrix: &DMatrix<f64>, q: &[f64], p: &[f64]) -> f64 {
    let off = |i: usize| {
        let w: f64 = q[i] + p.iter().enumerate().map(|(j, p)| matrix[(i, j)] * p).sum::<f64>();
        w.min(matrix[(i, i)] * p[i]).abs()
    };
    let size = largest(q);
    if size == 0.0 { 0.0 } else { (0..q.len()).map(off).fold(0.0, f64::max) / size }
}

fn contradiction(row: usize, context: &Context) -> ImpactError {
    context.no_solution(format!(
        "contact row {row} and those coupled to it ask for velocities that no motion has"
    ))
}
