//! `W = L Lᵀ`, row by row.

use crate::contact::Operator;
use crate::numerics::cholesky::pivoted_cholesky;

/// `L`: one row per row of `W`, few columns where contacts are redundant. Its memory is kept.
#[derive(Clone, Debug, Default)]
pub(crate) struct RowFactor {
    /// Numbers in a row.
    pub(crate) rank: usize,
    /// Row after row [kg^-½].
    pub(crate) entries: Vec<f64>,
    scratch: Vec<f64>,
}

impl RowFactor {
    pub(crate) fn new(w: &Operator, tolerance: f64) -> Self {
        let mut factor = Self::default();
        factor.read(w, tolerance);
        factor
    }

    /// Factors `w`; diagonal entries that elimination brings down to `tolerance` of what they were count as nothing.
    pub(crate) fn read(&mut self, w: &Operator, tolerance: f64) {
        match (w, w.gram()) {
            // The factors are the Jacobian's rows, each coordinate over the root of its mass.
            (_, Some(gram)) => {
                self.rank = gram.mass.len();
                self.entries.clear();
                self.entries.resize(gram.rows.len() * self.rank, 0.0);
                let own = self.entries.chunks_exact_mut(self.rank.max(1));
                for (row, out) in gram.rows.rows().zip(own) {
                    row.iter().for_each(|(c, x)| out[c] = x / f64::sqrt(gram.mass[c]));
                }
            }
            (Operator::Dense(matrix), None) => {
                self.scratch.clear();
                self.scratch.extend_from_slice(matrix.as_slice());
                let rows = matrix.nrows();
                self.rank = pivoted_cholesky(&mut self.scratch, rows, tolerance, &mut self.entries);
            }
            // Every other form has its factors.
            _ => self.clear(0),
        }
    }

    /// No rows, of `rank` numbers each.
    pub(crate) fn clear(&mut self, rank: usize) {
        self.rank = rank;
        self.entries.clear();
    }

    pub(crate) fn push(&mut self, row: &[f64]) {
        self.entries.extend_from_slice(row);
    }

    pub(crate) fn row(&self, i: usize) -> &[f64] {
        &self.entries[i * self.rank..(i + 1) * self.rank]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::DMatrix;

    #[test]
    fn redundant_rows_have_few_columns() {
        let w = DMatrix::from_row_slice(3, 3, &[4.0, 2.0, 0.0, 2.0, 1.0, 0.0, 0.0, 0.0, 9.0]);
        let mut factor = RowFactor::new(&Operator::Dense(DMatrix::identity(2, 2)), 1e-13);
        assert_eq!(factor.rank, 2);
        factor.read(&Operator::Dense(w.clone()), 1e-13);
        assert_eq!(factor.rank, 2);
        for (i, j) in (0..3).flat_map(|i| (0..3).map(move |j| (i, j))) {
            let product: f64 = factor.row(i).iter().zip(factor.row(j)).map(|(a, b)| a * b).sum();
            assert!((product - w[(i, j)]).abs() < 1e-14, "{i} {j}: {product}");
        }
    }
}
