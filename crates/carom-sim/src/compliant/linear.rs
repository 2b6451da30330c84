//! Small dense factors.

/// `A = L Lᵀ` of a symmetric positive semidefinite matrix, its largest pivots first, ended at its rank.
#[derive(Clone, Debug, Default)]
pub(super) struct Cholesky {
    size: usize,
    rank: usize,
    /// Old index of each new row.
    order: Vec<usize>,
    /// Lower triangle in the new order, row by row.
    factor: Vec<f64>,
    work: Vec<f64>,
}

/// Pivots below this part of their own diagonal entry are rounding: the rows are dependent \[1\].
const DEPENDENT: f64 = 1e-12;

impl Cholesky {
    /// Factors a matrix given row by row.
    pub(super) fn factor(&mut self, matrix: &[f64], size: usize) {
        self.size = size;
        self.order.clear();
        self.order.extend(0..size);
        self.factor.clear();
        self.factor.extend_from_slice(matrix);
        self.work.clear();
        self.work.extend((0..size).map(|i| matrix[i * size + i]));
        self.rank = 0;
        while self.rank < size && self.eliminate(matrix) {
            self.rank += 1;
        }
    }

    /// Moves the largest remaining pivot to the front and eliminates it; not if none is left.
    fn eliminate(&mut self, matrix: &[f64]) -> bool {
        let (n, k) = (self.size, self.rank);
        let left = |i: usize, this: &Self| {
            let own = matrix[this.order[i] * n + this.order[i]];
            if own > 0.0 { this.work[i] / own } else { 0.0 }
        };
        let mut best = k;
        for i in k + 1..n {
            if left(i, self) > left(best, self) {
                best = i;
            }
        }
        if left(best, self) <= DEPENDENT {
            return false;
        }
        self.swap(k, best);
        let pivot = f64::sqrt(self.work[k]);
        self.factor[k * n + k] = pivot;
        for i in k + 1..n {
            let mut entry = matrix[self.order[i] * n + self.order[k]];
            for j in 0..k {
                entry -= self.factor[i * n + j] * self.factor[k * n + j];
            }
            let entry = entry / pivot;
            self.factor[i * n + k] = entry;
            self.work[i] -= entry * entry;
        }
        true
    }

    fn swap(&mut self, i: usize, j: usize) {
        if i == j {
            return;
        }
        self.order.swap(i, j);
        self.work.swap(i, j);
        for column in 0..self.rank {
            self.factor.swap(i * self.size + column, j * self.size + column);
        }
    }

    pub(super) fn rank(&self) -> usize {
        self.rank
    }

    /// Solves `A x = b` in place; where rows are dependent, those that were not pivots get zero.
    pub(super) fn solve(&mut self, b: &mut [f64]) {
        let (n, r) = (self.size, self.rank);
        for i in 0..r {
            let mut x = b[self.order[i]];
            for j in 0..i {
                x -= self.factor[i * n + j] * self.work[j];
            }
            self.work[i] = x / self.factor[i * n + i];
        }
        for i in (0..r).rev() {
            let mut x = self.work[i];
            for j in i + 1..r {
                x -= self.factor[j * n + i] * self.work[j];
            }
            self.work[i] = x / self.factor[i * n + i];
        }
        b.fill(0.0);
        for i in 0..r {
            b[self.order[i]] = self.work[i];
        }
    }

    /// `x` with `L x = b` in the rows that were pivots.
    pub(super) fn forward(&self, b: &[f64]) -> Vec<f64> {
        let mut x = Vec::with_capacity(self.rank);
        for i in 0..self.rank {
            let row = &self.factor[i * self.size..];
            let known: f64 = row.iter().zip(&x).map(|(l, x)| l * x).sum();
            x.push((b[self.order[i]] - known) / row[i]);
        }
        x
    }

    /// Row `i` of `L` in the old order: `A = Σ_r L[i][r] L[j][r]`.
    pub(super) fn root(&self) -> Vec<f64> {
        let mut root = vec![0.0; self.size * self.rank];
        for (new, old) in self.order.iter().enumerate() {
            for column in 0..self.rank.min(new + 1) {
                root[old * self.rank + column] = self.factor[new * self.size + column];
            }
        }
        root
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn singular_matrices_are_factored_to_their_rank() {
        // Rows of B: (1, 0), (1, 1), (2, 1), (0, 0); A = B Bᵀ has rank 2.
        let rows = [[1.0, 0.0], [1.0, 1.0], [2.0, 1.0], [0.0, 0.0]];
        let a: Vec<f64> = (0..16)
            .map(|k| rows[k / 4].iter().zip(rows[k % 4]).map(|(x, y)| x * y).sum())
            .collect();
        let mut cholesky = Cholesky::default();
        cholesky.factor(&a, 4);
        assert_eq!(cholesky.rank(), 2);
        let root = cholesky.root();
        for (k, entry) in a.iter().enumerate() {
            let found =
                root[k / 4 * 2] * root[k % 4 * 2] + root[k / 4 * 2 + 1] * root[k % 4 * 2 + 1];
            assert!((found - entry).abs() < 1e-14, "{k}: {found} {entry}");
        }
        // b = A (1, 2, 3, 4)
        let x = [1.0, 2.0, 3.0, 4.0];
        let product = |x: &[f64], i: usize| -> f64 { (0..4).map(|j| a[4 * i + j] * x[j]).sum() };
        let mut b: Vec<f64> = (0..4).map(|i| product(&x, i)).collect();
        let wanted = b.clone();
        cholesky.solve(&mut b);
        for (i, wanted) in wanted.iter().enumerate() {
            assert!((product(&b, i) - wanted).abs() < 1e-13);
        }
    }
}
