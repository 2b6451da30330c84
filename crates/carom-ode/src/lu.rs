//! `A x = b` by elimination with row exchanges, in memory that is reused.

/// The factors of a matrix, row by row, where it stood.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lu {
    pub(crate) matrix: Vec<f64>,
    exchanges: Vec<usize>,
    /// The same factors column by column, and the inverses of pivots: what [`solve`](Self::solve) wants.
    columns: Vec<f64>,
    inverses: Vec<f64>,
}

impl Lu {
    pub(crate) fn resize(&mut self, n: usize) {
        self.matrix.resize(n * n, 0.0);
        self.exchanges.resize(n, 0);
        self.columns.resize(n * n, 0.0);
        self.inverses.resize(n, 0.0);
    }

    /// Replaces the matrix by its factors. Whether it has some: none if it is singular or not finite.
    pub(crate) fn factor(&mut self) -> bool {
        let n = self.exchanges.len();
        let a = &mut self.matrix;
        for k in 0..n {
            let mut row = k;
            for i in k + 1..n {
                if a[i * n + k].abs() > a[row * n + k].abs() {
                    row = i;
                }
            }
            let pivot = a[row * n + k];
            if pivot == 0.0 || !pivot.is_finite() {
                return false;
            }
            self.exchanges[k] = row;
            let (above, below) = a.split_at_mut((k + 1) * n);
            let top = &mut above[k * n..];
            if row != k {
                top.swap_with_slice(&mut below[(row - k - 1) * n..(row - k) * n]);
            }
            let inverse = 1.0 / pivot;
            self.inverses[k] = inverse;
            for line in below.chunks_exact_mut(n) {
                let factor = line[k] * inverse;
                line[k] = factor;
                // Jacobians of contacts are sparse.
                if factor != 0.0 {
                    for (x, y) in line[k + 1..].iter_mut().zip(&top[k + 1..]) {
                        *x -= factor * y;
                    }
                }
            }
        }
        for (j, column) in self.columns.chunks_exact_mut(n.max(1)).enumerate() {
            let entries = a[j..].iter().step_by(n.max(1));
            column.iter_mut().zip(entries).for_each(|(to, from)| *to = *from);
        }
        true
    }

    /// Replaces `b` by `A⁻¹ b`.
    pub(crate) fn solve(&self, b: &mut [f64]) {
        let n = self.exchanges.len();
        for (k, &row) in self.exchanges.iter().enumerate() {
            b.swap(k, row);
        }
        for (k, column) in self.columns.chunks_exact(n.max(1)).enumerate() {
            let (solved, rest) = b.split_at_mut(k + 1);
            let x = solved[k];
            rest.iter_mut().zip(&column[k + 1..]).for_each(|(b, l)| *b -= x * l);
        }
        for (k, column) in self.columns.chunks_exact(n.max(1)).enumerate().rev() {
            let (rest, solved) = b.split_at_mut(k);
            solved[0] *= self.inverses[k];
            let x = solved[0];
            rest.iter_mut().zip(column).for_each(|(b, u)| *b -= x * u);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows are exchanged more than once: the factors must be those of the matrix with all exchanges made.
    #[test]
    fn solves_what_needs_exchanges() {
        let matrix =
            [0.0, 2.0, 1.0, -1.0, 1e-3, 0.0, 4.0, 2.0, 5.0, 1.0, 0.0, 0.5, -3.0, 2.0, 1.0, 7.0];
        let x = [1.0, -2.0, 3.0, 0.25];
        let mut b: Vec<f64> =
            matrix.chunks(4).map(|row| row.iter().zip(&x).map(|(a, x)| a * x).sum()).collect();
        let mut lu = Lu::default();
        lu.resize(4);
        lu.matrix.copy_from_slice(&matrix);
        assert!(lu.factor());
        lu.solve(&mut b);
        for (found, expected) in b.iter().zip(&x) {
            assert!((found - expected).abs() < 1e-14, "{b:?}");
        }
    }

    #[test]
    fn singular_and_infinite_matrices_have_no_factors() {
        for matrix in
            [[1.0, 2.0, 2.0, 4.0], [f64::NAN, 1.0, 1.0, 1.0], [f64::INFINITY, 0.0, 0.0, 1.0]]
        {
            let mut lu = Lu::default();
            lu.resize(2);
            lu.matrix.copy_from_slice(&matrix);
            assert!(!lu.factor(), "{matrix:?}");
        }
    }
}
