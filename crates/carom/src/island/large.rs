//! Thousands of coupled contacts, by the sparse factors of their matrix.

use super::Context;
use super::complementarity::{Solved, explained};
use crate::ImpactError;
use crate::contact::Gram;
use crate::numerics::sparse::SparseRows;
use crate::numerics::sparse_lcp;
use crate::outcome::SolverEffort;
use std::ops::ControlFlow;

/// What the method counts.
pub(crate) const STEPS: &str = "steps of the interior-point method";

/// Whether the rows are sparse enough.
pub(crate) fn suits(gram: &Gram) -> bool {
    sparse_lcp::suits(&gram.rows)
}

/// Solves with `W`, or with `W + diag(compliance)`.
pub(crate) fn solve(
    gram: &Gram,
    q: &[f64],
    compliance: Option<&[f64]>,
    context: &mut Context,
) -> Result<Solved, ImpactError> {
    let softened = compliance.map(|compliance| softened(gram, compliance));
    let Gram { rows, mass } = softened.as_ref().unwrap_or(gram);
    let mut progress = |steps| match context.progress(STEPS, steps, None) {
        Ok(()) => ControlFlow::Continue(()),
        Err(_) => ControlFlow::Break(()),
    };
    let solution = sparse_lcp::solve(rows, mass, q, &mut progress)
        .map_err(|failure| explained(failure, context))?;
    let effort = SolverEffort {
        iterations: solution.iterations.into(),
        impulse_unique: Some(solution.unique),
        residual: solution.residual,
        ..SolverEffort::default()
    };
    Ok(Solved { p: solution.z, w: solution.w, effort })
}

/// The factors of `W + diag(compliance)`: every row moves one more coordinate, which is its own.
fn softened(gram: &Gram, compliance: &[f64]) -> Gram {
    let width = gram.rows.width();
    let count = gram.rows.len();
    let mut rows = SparseRows::with_capacity(width + count, count, gram.rows.entries() + count);
    let mut entries = Vec::new();
    for (i, row) in gram.rows.rows().enumerate() {
        entries.clear();
        entries.extend(row.iter());
        entries.push((width + i, f64::sqrt(compliance[i])));
        rows.push(&mut entries);
    }
    let mut mass = gram.mass.clone();
    mass.resize(width + count, 1.0);
    Gram { rows, mass }
}
