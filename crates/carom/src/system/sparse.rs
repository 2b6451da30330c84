//! Rows of Jacobians, and what prescribed motion adds to the velocities that they measure.

use crate::numerics::sparse::SparseRows;

/// Rows of one Jacobian.
#[derive(Clone, Debug)]
pub(super) struct Rows {
    pub(super) rows: SparseRows,
    /// What prescribed motion adds to each row [m/s or rad/s].
    pub(super) drive: Vec<f64>,
}

impl Rows {
    /// No rows yet, over `size` coordinates.
    pub(super) fn new(size: usize) -> Self {
        Self { rows: SparseRows::new(size), drive: Vec::new() }
    }

    /// Rows of which nothing is prescribed.
    pub(super) fn undriven(rows: SparseRows) -> Self {
        let drive = vec![0.0; rows.len()];
        Self { rows, drive }
    }

    pub(super) fn push(&mut self, entries: &mut [(usize, f64)], drive: f64) {
        self.rows.push(entries);
        self.drive.push(drive);
    }
}
