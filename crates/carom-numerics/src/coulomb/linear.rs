//! Small dense systems, solved in place.

use super::problem::Triple;
use super::response::Slope;

/// A square matrix, row by row, and its triangular factors in its place.
#[derive(Clone, Debug, Default)]
pub struct Square {
    size: usize,
    entries: Vec<f64>,
    pivots: Vec<usize>,
}

impl Square {
    /// Zero but for the diagonal.
    pub fn reset(&mut self, size: usize, diagonal: f64) {
        self.size = size;
        self.entries.clear();
        self.entries.resize(size * size, 0.0);
        self.entries.iter_mut().step_by(size + 1).for_each(|x| *x = diagonal);
    }

    /// Adds `factor Lᵀ S L` for the rows `L` of one block, one after the other, and its 3 × 3 matrix `S`. `combined` is
    /// working memory.
    pub fn add_block(&mut self, rows: &[f64], slope: &Slope, factor: f64, combined: &mut Vec<f64>) {
        if *slope == Slope::default() || self.size == 0 {
            return;
        }
        let n = self.size;
        combined.clear();
        combined.resize(rows.len(), 0.0);
        for (to, slope) in combined.chunks_exact_mut(n).zip(slope) {
            add_transposed(rows, slope.map(|s| factor * s), to);
        }
        let entries = self.entries.chunks_exact_mut(n).enumerate();
        entries.for_each(|(i, row)| add_transposed(combined, column(rows, n, i), row));
    }

    /// Gaussian elimination with row pivoting. A column without a pivot makes the answers infinite or NaN, which their
    /// user must look for.
    pub fn factor(&mut self) {
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
    pub fn solve(&self, x: &mut [f64]) {
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

/// Column `i` of the rows of one block, `n` numbers each.
fn column(rows: &[f64], n: usize, i: usize) -> Triple {
    let mut column = Triple::default();
    for (to, row) in column.iter_mut().zip(rows.chunks_exact(n)) {
        *to = row[i];
    }
    column
}

/// `L x` for the rows `L` of one block, one after the other: all at once, which is several times as fast as one by one.
pub fn apply(rows: &[f64], x: &[f64]) -> Triple {
    let mut sums = Triple::default();
    let n = x.len();
    if rows.len() == 3 * n {
        let (a, others) = rows.split_at(n);
        let (b, c) = others.split_at(n);
        for (((x, a), b), c) in x.iter().zip(a).zip(b).zip(c) {
            sums[0] += a * x;
            sums[1] += b * x;
            sums[2] += c * x;
        }
    } else if n > 0 {
        for (sum, row) in sums.iter_mut().zip(rows.chunks_exact(n)) {
            *sum = row.iter().zip(x).map(|(a, x)| a * x).sum();
        }
    }
    sums
}

/// Adds `Lᵀ p` for the rows `L` of one block.
pub fn add_transposed(rows: &[f64], p: Triple, to: &mut [f64]) {
    let n = to.len();
    if rows.len() == 3 * n {
        let (a, others) = rows.split_at(n);
        let (b, c) = others.split_at(n);
        for (((to, a), b), c) in to.iter_mut().zip(a).zip(b).zip(c) {
            *to += p[0] * a + p[1] * b + p[2] * c;
        }
    } else if n > 0 {
        for (row, p) in rows.chunks_exact(n).zip(p) {
            for (to, a) in to.iter_mut().zip(row) {
                *to += p * a;
            }
        }
    }
}
