//! `δ I + Σ ω_i y_i y_iᵀ` for sparse rows `y_i`, and its Cholesky factor: one pattern, one elimination order, many weights.

use super::tolerances::MERGE;
use crate::sparse::SparseRows;
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::llt::factor::LltRegularization;
use faer::sparse::linalg::SymbolicSupernodalParams;
use faer::sparse::linalg::cholesky::{
    CholeskySymbolicParams, LltRef, SymbolicCholesky, SymmetricOrdering,
    factorize_symbolic_cholesky,
};
use faer::sparse::{SparseColMatRef, SymbolicSparseColMatRef};
use faer::{Conj, MatMut, Par, Side};

/// The matrix, its lower half by columns, and its factor.
pub struct WeightedGram {
    starts: Vec<u32>,
    rows: Vec<u32>,
    values: Vec<f64>,
    /// Where the products of each row's entries are added, row by row, pair by pair.
    places: Vec<u32>,
    /// Where each row's places begin.
    first: Vec<usize>,
    symbolic: SymbolicCholesky<u32>,
    factor: Vec<f64>,
    memory: MemBuffer,
}

impl WeightedGram {
    /// How many products of two entries the rows have: the memory that the matrix takes before it is factored.
    pub fn products(rows: &SparseRows) -> usize {
        rows.rows().fold(0, |sum: usize, row| sum.saturating_add(row.len() * (row.len() + 1) / 2))
    }

    /// The pattern of all rows together, and an order of elimination that keeps its factor sparse. `None` if the factor
    /// has more entries than can be counted or stored.
    pub fn new(y: &SparseRows) -> Option<Self> {
        let n = y.width();
        let mut pairs: Vec<(u32, u32)> = (0..n as u32).map(|c| (c, c)).collect();
        for row in y.rows() {
            for (k, (a, _)) in row.iter().enumerate() {
                pairs.extend(row.iter().skip(k + 1).map(|(b, _)| (a as u32, b as u32)));
            }
        }
        pairs.sort_unstable();
        pairs.dedup();
        let mut starts = vec![0_u32; n + 1];
        for &(column, _) in &pairs {
            starts[column as usize + 1] += 1;
        }
        for column in 0..n {
            starts[column + 1] += starts[column];
        }
        let rows: Vec<u32> = pairs.iter().map(|pair| pair.1).collect();
        let mut places = Vec::with_capacity(Self::products(y));
        let mut first = Vec::with_capacity(y.len());
        for row in y.rows() {
            first.push(places.len());
            for (k, (a, _)) in row.iter().enumerate() {
                let column = starts[a] as usize..starts[a + 1] as usize;
                for (b, _) in row.iter().skip(k) {
                    let at = rows[column.clone()].partition_point(|&r| (r as usize) < b);
                    places.push((column.start + at) as u32);
                }
            }
        }
        let pattern = SymbolicSparseColMatRef::new_checked(n, n, &starts, None, &rows);
        let parameters = CholeskySymbolicParams {
            supernodal_params: SymbolicSupernodalParams { relax: Some(&MERGE) },
            ..CholeskySymbolicParams::default()
        };
        let order = SymmetricOrdering::Amd;
        let symbolic = factorize_symbolic_cholesky(pattern, Side::Lower, order, parameters).ok()?;
        let scratch = symbolic
            .factorize_numeric_llt_scratch::<f64>(Par::Seq, Default::default())
            .or(symbolic.solve_in_place_scratch::<f64>(1, Par::Seq));
        let memory = MemBuffer::try_new(scratch).ok()?;
        let factor = vec![0.0; symbolic.len_val()];
        let values = vec![0.0; rows.len()];
        Some(Self { starts, rows, values, places, first, symbolic, factor, memory })
    }

    /// Factors `diagonal · I + Σ weight_k y_i y_iᵀ`, `i = rows[k]`. `false` if it is not positive definite in the
    /// arithmetic at hand.
    #[must_use]
    pub fn factor(
        &mut self,
        y: &SparseRows,
        diagonal: f64,
        rows: &[usize],
        weight: impl Fn(usize) -> f64,
    ) -> bool {
        let n = y.width();
        self.values.fill(0.0);
        for &start in &self.starts[..n] {
            self.values[start as usize] = diagonal;
        }
        for (k, &i) in rows.iter().enumerate() {
            let weight = weight(k);
            let row = y.row(i);
            let mut place = self.first[i];
            for (j, (_, a)) in row.iter().enumerate() {
                for (_, b) in row.iter().skip(j) {
                    self.values[self.places[place] as usize] += weight * a * b;
                    place += 1;
                }
            }
        }
        let pattern = SymbolicSparseColMatRef::new_checked(n, n, &self.starts, None, &self.rows);
        self.symbolic
            .factorize_numeric_llt(
                &mut self.factor,
                SparseColMatRef::new(pattern, &self.values),
                Side::Lower,
                LltRegularization::default(),
                Par::Seq,
                MemStack::new(&mut self.memory),
                Default::default(),
            )
            .is_ok()
    }

    /// Turns a right-hand side into the solution of the matrix factored last.
    pub fn solve(&mut self, x: &mut [f64]) {
        let n = x.len();
        LltRef::new(&self.symbolic, &self.factor).solve_in_place_with_conj(
            Conj::No,
            MatMut::from_column_major_slice_mut(x, n, 1),
            Par::Seq,
            MemStack::new(&mut self.memory),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solves_what_it_was_told() {
        let mut y = SparseRows::new(4);
        y.push(&mut [(0, 1.0), (2, -2.0)]);
        y.push(&mut [(1, 3.0), (2, 1.0), (3, 1.0)]);
        y.push(&mut [(0, 5.0)]);
        let mut gram = WeightedGram::new(&y).unwrap();
        // The second time with other weights, and without the last row.
        for (diagonal, weights) in [(1.0, vec![1.0, 2.0, 3.0]), (0.5, vec![4.0, 0.25])] {
            let rows: Vec<usize> = (0..weights.len()).collect();
            assert!(gram.factor(&y, diagonal, &rows, |k| weights[k]));
            let wanted = [1.0, -2.0, 3.0, 0.5];
            let mut x: Vec<f64> = wanted.iter().map(|x| diagonal * x).collect();
            for (k, &i) in rows.iter().enumerate() {
                y.row(i).add_to(&mut x, weights[k] * y.row(i).dot(&wanted));
            }
            gram.solve(&mut x);
            for (x, wanted) in x.iter().zip(wanted) {
                assert!((x - wanted).abs() < 64.0 * f64::EPSILON * 75.0, "{x} is not {wanted}");
            }
        }
        assert!(!gram.factor(&y, 0.0, &[0], |_| 1.0), "one row of four coordinates is singular");
    }
}
