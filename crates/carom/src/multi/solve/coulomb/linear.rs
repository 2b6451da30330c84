//! Small dense systems, solved in place.

use super::response::Slope;

/// A square matrix, row by row, and its triangular factors in its place.
#[derive(Clone, Debug, Default)]
pub(super) struct Square {
    size: usize,
    entries: Vec<f64>,
    pivots: Vec<usize>,
}

impl Square {
    /// Zero but for the diagonal.
    pub(super) fn reset(&mut self, size: usize, diagonal: f64) {
        self.size = size;
        self.entries.clear();
        self.entries.resize(size * size, 0.0);
        self.entries.iter_mut().step_by(size + 1).for_each(|x| *x = diagonal);
    }

    /// Adds `factor Lᵀ S L` for the rows `L` of one block, one after the other, and its 3 × 3 matrix `S`. `combined` is
    /// working memory.
    pub(super) fn add_block(
        &mut self,
        rows: &[f64],
        slope: &Slope,
        factor: f64,
        combined: &mut [f64],
    ) {
        let own = rows.chunks_exact(self.size);
        for (row, slope) in own.clone().zip(slope).filter(|(_, slope)| **slope != [0.0; 3]) {
            combined.fill(0.0);
            for (other, s) in own.clone().zip(slope).filter(|(_, s)| **s != 0.0) {
                for (c, l) in combined.iter_mut().zip(other) {
                    *c += factor * s * l;
                }
            }
            self.add_outer(row, combined);
        }
    }

    /// Adds `a bᵀ`.
    fn add_outer(&mut self, a: &[f64], b: &[f64]) {
        for (row, a) in self.entries.chunks_exact_mut(self.size).zip(a) {
            for (x, b) in row.iter_mut().zip(b) {
                *x += a * b;
            }
        }
    }

    /// Gaussian elimination with row pivoting. A column without a pivot makes the answers infinite or NaN, which their
    /// user must look for.
    pub(super) fn factor(&mut self) {
        let n = self.size;
        self.pivots.clear();
        for k in 0..n {
            let largest = |best: usize, i: usize| {
                let better = self.entries[i * n + k].abs() > self.entries[best * n + k].abs();
                if better { i } else { best }
            };
            let pivot = (k + 1..n).fold(k, largest);
            self.pivots.push(pivot);
            if pivot != k {
                let (above, below) = self.entries.split_at_mut(pivot * n);
                above[k * n..(k + 1) * n].swap_with_slice(&mut below[..n]);
            }
            let (above, below) = self.entries.split_at_mut((k + 1) * n);
            let pivot_row = &above[k * n..];
            let inverse = 1.0 / pivot_row[k];
            for row in below.chunks_exact_mut(n) {
                let factor = row[k] * inverse;
                row[k] = factor;
                if factor != 0.0 {
                    for (x, p) in row[k + 1..].iter_mut().zip(&pivot_row[k + 1..]) {
                        *x -= factor * p;
                    }
                }
            }
        }
    }

    /// Solves with the factors.
    pub(super) fn solve(&self, x: &mut [f64]) {
        let n = self.size;
        for (k, &pivot) in self.pivots.iter().enumerate() {
            x.swap(k, pivot);
        }
        for i in 1..n {
            let row = &self.entries[i * n..i * n + i];
            x[i] -= row.iter().zip(&x[..i]).map(|(a, x)| a * x).sum::<f64>();
        }
        for i in (0..n).rev() {
            let row = &self.entries[i * n..(i + 1) * n];
            let known: f64 = row[i + 1..].iter().zip(&x[i + 1..n]).map(|(a, x)| a * x).sum();
            x[i] = (x[i] - known) / row[i];
        }
    }
}
