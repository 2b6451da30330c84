//! Rows made triangular by reflections, in the order in which they are given.

/// `A = L Q` with lower triangular `L` and orthogonal `Q`, by Householder's reflections; the smallest solution of `A x =
/// b`. Several times as quick as [`Orthonormal`](super::orthonormal::Orthonormal), but for independent rows only. Memory is
/// kept from use to use.
#[derive(Clone, Debug, Default)]
pub struct Reflections {
    dimension: usize,
    /// Row by row: `L` below the diagonal, from there on what is reflected.
    entries: Vec<f64>,
    /// The diagonal of `L`.
    diagonal: Vec<f64>,
    /// Twice the inverse of the squared length of what is reflected.
    factors: Vec<f64>,
}

impl Reflections {
    /// Begins with `count` rows of this dimension, to be filled in.
    pub fn begin(&mut self, count: usize, dimension: usize) -> &mut [f64] {
        self.dimension = dimension;
        self.entries.resize(count * dimension, 0.0);
        &mut self.entries
    }

    /// Factors the rows; false if one of them has no more than `least` of its squared length that is new.
    pub fn factor(&mut self, least: f64) -> bool {
        let d = self.dimension;
        self.diagonal.clear();
        self.factors.clear();
        if d == 0 || self.entries.len() > d * d {
            return self.entries.is_empty();
        }
        for i in 0..self.entries.len() / d {
            let (above, below) = self.entries.split_at_mut((i + 1) * d);
            let (known, new) = above[i * d..].split_at_mut(i);
            let square = dot(new, new);
            // Written so that nothing that is not a number passes.
            let independent = square > least * (square + dot(known, known));
            if !independent || square == f64::INFINITY {
                return false;
            }
            let length = f64::sqrt(square).copysign(new[0]);
            let factor = 1.0 / (square + length * new[0]);
            new[0] += length;
            self.diagonal.push(-length);
            self.factors.push(factor);
            for row in below.chunks_exact_mut(d) {
                reflect(new, factor, &mut row[i..]);
            }
        }
        true
    }

    /// The smallest `x` with `A x = b`.
    pub fn least(&self, b: &[f64], x: &mut [f64]) {
        let d = self.dimension;
        x.fill(0.0);
        for (i, row) in self.entries.chunks_exact(d.max(1)).enumerate() {
            x[i] = (b[i] - dot(&row[..i], &x[..i])) / self.diagonal[i];
        }
        for (i, row) in self.entries.chunks_exact(d.max(1)).enumerate().rev() {
            reflect(&row[i..], self.factors[i], &mut x[i..]);
        }
    }
}

/// Reflects `x` at the plane across `mirror`.
fn reflect(mirror: &[f64], factor: f64, x: &mut [f64]) {
    let along = factor * dot(mirror, x);
    x.iter_mut().zip(mirror).for_each(|(x, m)| *x -= along * m);
}

/// In four sums that do not wait for each other.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut sums = [0.0; 4];
    let (fours_a, fours_b) = (a.chunks_exact(4), b.chunks_exact(4));
    let rest = fours_a.remainder().iter().zip(fours_b.remainder());
    let rest = rest.map(|(x, y)| x * y).sum::<f64>();
    for (x, y) in fours_a.zip(fours_b) {
        for k in 0..4 {
            sums[k] += x[k] * y[k];
        }
    }
    (sums[0] + sums[1]) + (sums[2] + sums[3]) + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: f64, b: f64) -> bool {
        (a - b).abs() <= 64.0 * f64::EPSILON * (1.0 + b.abs())
    }

    #[test]
    fn the_smallest_solution() {
        let mut rows = Reflections::default();
        let a = [[1.0, 2.0, 0.0, -1.0, 0.5], [0.0, 1.0, 1.0, 3.0, -2.0]];
        rows.begin(2, 5).copy_from_slice(a.as_flattened());
        assert!(rows.factor(1e-12));
        let mut x = [0.0; 5];
        rows.least(&[5.0, 3.0], &mut x);
        for (row, b) in a.iter().zip([5.0, 3.0]) {
            assert!(close(dot(row, &x), b), "{x:?}");
        }
        // It is a combination of the rows: x = Aᵀy, with A Aᵀ y = b.
        let (aa, ab, bb) = (dot(&a[0], &a[0]), dot(&a[0], &a[1]), dot(&a[1], &a[1]));
        let determinant = aa * bb - ab * ab;
        let y = [(5.0 * bb - 3.0 * ab) / determinant, (3.0 * aa - 5.0 * ab) / determinant];
        for (i, x) in x.iter().enumerate() {
            assert!(close(*x, y[0] * a[0][i] + y[1] * a[1][i]), "{i}: {x}");
        }
    }

    #[test]
    fn dependent_rows_are_refused() {
        let mut rows = Reflections::default();
        rows.begin(2, 3).copy_from_slice(&[1.0, 2.0, 3.0, 2.0, 4.0, 6.0]);
        assert!(!rows.factor(1e-12));
        rows.begin(3, 2).copy_from_slice(&[1.0, 2.0, 3.0, 2.0, 4.0, 7.0]);
        assert!(!rows.factor(1e-12), "more rows than dimensions");
        rows.begin(2, 2).copy_from_slice(&[1.0, f64::NAN, 3.0, 2.0]);
        assert!(!rows.factor(1e-12), "not a number");
        rows.begin(0, 2);
        assert!(rows.factor(1e-12), "nothing is independent");
    }
}
