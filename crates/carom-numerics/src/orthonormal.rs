//! Rows made orthonormal, the most independent first.

use super::dot;

/// `A = R Q` for the rows of `A` that depend on no others, with orthonormal rows of `Q` and lower triangular `R`; the
/// smallest solution of `A x = b`. Memory is kept from use to use.
#[derive(Clone, Debug, Default)]
pub struct Orthonormal {
    dimension: usize,
    count: usize,
    /// What is left of each row.
    work: Vec<f64>,
    /// Squared lengths, before and now.
    lengths: Vec<[f64; 2]>,
    /// `Q`, one row after the other.
    q: Vec<f64>,
    /// Coefficients of every row along every row of `Q` so far, row of `Q` by row of `Q`.
    r: Vec<f64>,
    /// Which rows were chosen, in order.
    chosen: Vec<usize>,
    coefficients: Vec<f64>,
}

impl Orthonormal {
    /// Begins with `count` rows of this dimension, all zero, to be filled in.
    pub fn begin(&mut self, count: usize, dimension: usize) -> &mut [f64] {
        self.dimension = dimension;
        self.count = count;
        self.work.clear();
        self.work.resize(count * dimension, 0.0);
        &mut self.work
    }

    /// Chooses rows until what is left of every other has no more than `tolerance` of its squared length.
    pub fn factor(&mut self, tolerance: f64) {
        let (n, d) = (self.count, self.dimension);
        self.lengths.clear();
        self.lengths.extend(self.work.chunks_exact(d.max(1)).map(|row| [dot(row, row); 2]));
        // Without a dimension there are no chunks, and nothing to choose.
        self.lengths.resize(n, [0.0; 2]);
        self.q.clear();
        self.r.clear();
        self.chosen.clear();
        while self.chosen.len() < n.min(d) {
            let mut best = None;
            let mut most = tolerance;
            for (i, &[whole, left]) in self.lengths.iter().enumerate() {
                if left > most * whole {
                    most = left / whole;
                    best = Some(i);
                }
            }
            let Some(p) = best else { break };
            self.choose(p);
        }
    }

    fn choose(&mut self, p: usize) {
        let (n, d) = (self.count, self.dimension);
        let start = self.q.len();
        self.q.extend_from_slice(&self.work[p * d..(p + 1) * d]);
        let (before, row) = self.q.split_at_mut(start);
        // Once more against those before it, for what was lost by cancellation.
        for (j, earlier) in before.chunks_exact(d).enumerate() {
            let along = dot(earlier, row);
            row.iter_mut().zip(earlier).for_each(|(x, q)| *x -= along * q);
            self.r[j * n + p] += along;
        }
        let length = f64::sqrt(dot(row, row));
        row.iter_mut().for_each(|x| *x /= length);
        let coefficients = self.r.len();
        self.r.resize(coefficients + n, 0.0);
        for (i, [_, left]) in self.lengths.iter_mut().enumerate() {
            if *left == 0.0 {
                continue;
            }
            let rest = &mut self.work[i * d..(i + 1) * d];
            let along = dot(row, rest);
            rest.iter_mut().zip(row.iter()).for_each(|(x, q)| *x -= along * q);
            self.r[coefficients + i] = along;
            *left = dot(rest, rest);
        }
        self.r[coefficients + p] = length;
        self.lengths[p][1] = 0.0;
        self.chosen.push(p);
    }

    /// The rows that were chosen, in order.
    pub fn chosen(&self) -> &[usize] {
        &self.chosen
    }

    /// The most that is left of a row that was not chosen, relative to its squared length.
    pub fn left(&self) -> f64 {
        let parts = self.lengths.iter().filter(|[_, left]| *left > 0.0);
        parts.fold(0.0, |most: f64, [whole, left]| most.max(left / whole))
    }

    /// `Q`, one row after the other.
    pub fn directions(&self) -> &[f64] {
        &self.q
    }

    /// The smallest `x` with `A x = b` for the chosen rows.
    pub fn least(&mut self, b: &[f64], x: &mut [f64]) {
        let n = self.count;
        self.coefficients.clear();
        for (j, &p) in self.chosen.iter().enumerate() {
            let known = self.coefficients.iter().enumerate();
            let sum: f64 = known.map(|(l, c)| self.r[l * n + p] * c).sum();
            self.coefficients.push((b[p] - sum) / self.r[j * n + p]);
        }
        x.fill(0.0);
        for (c, row) in self.coefficients.iter().zip(self.q.chunks_exact(self.dimension.max(1))) {
            x.iter_mut().zip(row).for_each(|(x, q)| *x += c * q);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_solution_of_dependent_rows() {
        let mut rows = Orthonormal::default();
        let a = [[1.0, 2.0, 0.0], [2.0, 4.0, 0.0], [0.0, 1.0, 1.0]];
        rows.begin(3, 3).copy_from_slice(a.as_flattened());
        rows.factor(1e-12);
        assert_eq!(rows.chosen().len(), 2);
        let mut x = [0.0; 3];
        rows.least(&[5.0, 10.0, 3.0], &mut x);
        for (row, b) in a.iter().zip([5.0, 10.0, 3.0]) {
            assert!((dot(row, &x) - b).abs() < 1e-14, "{x:?}");
        }
        // The smallest is orthogonal to what the rows do not see.
        assert!(dot(&x, &[2.0, -1.0, 1.0]).abs() < 1e-14, "{x:?}");
    }
}
