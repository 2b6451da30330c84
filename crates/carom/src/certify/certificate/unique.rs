//! Whether other impulses have the same effect.

use crate::Tolerances;
use crate::contact::{ContactKind, ContactProblem, Island};
use crate::numerics::active_set::LcpFailure;
use crate::numerics::factor::Factor;
use crate::numerics::nnls::separating_direction;
use nalgebra::DMatrix;
use std::ops::Range;

/// Islands of more rows are left out: the work grows with the cube of their size.
const MAX_ROWS: usize = 300;

/// Whether no other impulse that is allowed gives the same velocities. Absent where an island is too large, or where
/// only contacts on the edge of their friction cone could tell.
pub(super) fn impulse(
    problem: &ContactProblem,
    impulse: &[f64],
    islands: &[Island],
    tolerances: &Tolerances,
) -> Option<bool> {
    let size = impulse.iter().fold(0.0, |m: f64, p| m.max(p.abs()));
    let zero = tolerances.verdict * size;
    let mut all = Some(true);
    for island in islands {
        let mut rows = Rows::default();
        for &k in &island.contacts {
            let spec = &problem.contacts()[k];
            rows.add(problem.row_range(k), spec.kind, spec.material.mu, impulse, zero);
        }
        match rows.unique(problem, tolerances.rank) {
            Some(true) => {}
            Some(false) => return Some(false),
            None => all = None,
        }
    }
    all
}

/// The rows of an island by what their impulses may do.
#[derive(Default)]
struct Rows {
    /// Grow or shrink.
    free: Vec<usize>,
    /// Only grow: frictionless contacts without impulse.
    growing: Vec<usize>,
    /// Move where a curved edge allows it: contacts on the edge of their friction cone.
    edge: Vec<usize>,
}

impl Rows {
    fn add(&mut self, rows: Range<usize>, kind: ContactKind, mu: f64, impulse: &[f64], zero: f64) {
        let normal = impulse[rows.start];
        if kind == ContactKind::Bilateral {
            self.free.extend(rows);
        } else if rows.len() == 1 || mu == 0.0 {
            match normal.abs() > zero {
                true => self.free.push(rows.start),
                false => self.growing.push(rows.start),
            }
        } else {
            let tangential =
                impulse[rows.start + 1..rows.end].iter().fold(0.0, |h, p| libm::hypot(h, *p));
            let inside = normal > zero && (mu.is_infinite() || tangential < mu * normal - zero);
            if inside { self.free.extend(rows) } else { self.edge.extend(rows) }
        }
    }

    fn unique(&self, problem: &ContactProblem, rank: f64) -> Option<bool> {
        if self.free.len() + self.growing.len() + self.edge.len() > MAX_ROWS {
            return None;
        }
        let rows: Vec<usize> =
            self.free.iter().chain(&self.growing).chain(&self.edge).copied().collect();
        let factor = Factor::new(&problem.delassus().dense_block(&rows), rank);
        if factor.rank() == rows.len() {
            return Some(true);
        }
        // What the rows that may grow do beyond what the free ones can undo. Columns are about one long.
        let taken = self.free.len() + self.growing.len();
        let mut beyond = DMatrix::from_fn(factor.rank(), taken, |k, i| factor.column(i)[k]);
        for i in 0..self.free.len() {
            let norm = beyond.column(i).norm();
            if norm * norm <= rank {
                return Some(false);
            }
            let direction = beyond.column(i) / norm;
            // Twice, so that the columns are orthogonal even if little is left of them.
            for _ in 0..2 {
                for j in i + 1..beyond.ncols() {
                    let share = direction.dot(&beyond.column(j));
                    beyond.column_mut(j).axpy(-share, &direction, 1.0);
                }
            }
        }
        let beyond = beyond.columns(self.free.len(), self.growing.len()).into_owned();
        match balances(&beyond, rank) {
            true => Some(false),
            false if self.edge.is_empty() => Some(true),
            false => None,
        }
    }
}

/// Whether some `z ≥ 0`, not zero, has `C z = 0`, for columns about one long.
fn balances(columns: &DMatrix<f64>, rank: f64) -> bool {
    if columns.column_iter().any(|c| c.norm_squared() <= rank) {
        return true;
    }
    matches!(separating_direction(columns, rank), Err(LcpFailure::Infeasible { .. }))
}
