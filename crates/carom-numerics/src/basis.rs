//! An orthonormal basis of the space spanned by vectors that come and go.

use super::dot;

/// `N = Q R` for the columns of `N`, with orthonormal `Q` and upper triangular `R`. Vectors are orthogonalised twice
/// (which is enough), and leave by Givens rotations.
#[derive(Clone, Debug, Default)]
pub struct Basis {
    dimension: usize,
    len: usize,
    /// Columns of `Q`, one after the other.
    q: Vec<f64>,
    /// Columns of `R` down to the diagonal, one after the other.
    r: Vec<f64>,
}

/// Where column `c` of a packed triangular matrix begins.
const fn packed(c: usize) -> usize {
    c * (c + 1) / 2
}

impl Basis {
    /// Empties it, for vectors of this dimension.
    pub fn reset(&mut self, dimension: usize) {
        *self = Self {
            dimension,
            len: 0,
            q: std::mem::take(&mut self.q),
            r: std::mem::take(&mut self.r),
        };
        self.q.clear();
        self.r.clear();
    }

    /// How many vectors it holds.
    pub fn len(&self) -> usize {
        self.len
    }

    /// The `k`-th of the orthonormal vectors.
    pub fn direction(&self, k: usize) -> &[f64] {
        &self.q[k * self.dimension..(k + 1) * self.dimension]
    }

    /// Splits `a = Q coefficients + rest` and answers `|rest|²`.
    pub fn split(&self, a: &[f64], coefficients: &mut Vec<f64>, rest: &mut Vec<f64>) -> f64 {
        coefficients.clear();
        coefficients.resize(self.len, 0.0);
        rest.clear();
        rest.extend_from_slice(a);
        for _ in 0..2 {
            for (k, coefficient) in coefficients.iter_mut().enumerate() {
                let direction = self.direction(k);
                let along = dot(direction, rest);
                *coefficient += along;
                for (x, d) in rest.iter_mut().zip(direction) {
                    *x -= along * d;
                }
            }
        }
        dot(rest, rest)
    }

    /// Adds the vector that was split into these.
    pub fn push(&mut self, coefficients: &[f64], rest: &[f64]) {
        let length = f64::sqrt(dot(rest, rest));
        self.q.extend(rest.iter().map(|x| x / length));
        self.r.extend_from_slice(coefficients);
        self.r.push(length);
        self.len += 1;
    }

    /// Takes out the `k`-th vector.
    pub fn remove(&mut self, k: usize) {
        // Column c moves to c − 1, where it reaches one below the diagonal: one rotation of rows c − 1, c each.
        let mut rotations: Vec<[f64; 2]> = Vec::with_capacity(self.len - k - 1);
        for c in k + 1..self.len {
            let from = packed(c);
            for (i, &[cosine, sine]) in rotations.iter().enumerate() {
                let (a, b) = (self.r[from + k + i], self.r[from + k + i + 1]);
                self.r[from + k + i] = cosine * a + sine * b;
                self.r[from + k + i + 1] = cosine * b - sine * a;
            }
            let (a, b) = (self.r[from + c - 1], self.r[from + c]);
            let length = f64::sqrt(a * a + b * b);
            let [cosine, sine] = [a / length, b / length];
            rotations.push([cosine, sine]);
            self.r[from + c - 1] = length;
            self.r.copy_within(from..from + c, packed(c - 1));
            let (left, right) = self.q[(c - 1) * self.dimension..(c + 1) * self.dimension]
                .split_at_mut(self.dimension);
            for (x, y) in left.iter_mut().zip(right) {
                (*x, *y) = (cosine * *x + sine * *y, cosine * *y - sine * *x);
            }
        }
        self.len -= 1;
        self.q.truncate(self.len * self.dimension);
        self.r.truncate(packed(self.len));
    }

    /// Solves `R x = x`.
    pub fn back_substitute(&self, x: &mut [f64]) {
        for k in (0..self.len).rev() {
            let column = &self.r[packed(k)..packed(k + 1)];
            x[k] /= column[k];
            let solved = x[k];
            for (left, a) in x[..k].iter_mut().zip(column) {
                *left -= solved * a;
            }
        }
    }

    /// Solves `NᵀN x = x`.
    pub fn solve_gram(&self, x: &mut [f64]) {
        for k in 0..self.len {
            let column = &self.r[packed(k)..packed(k + 1)];
            x[k] = (x[k] - dot(&x[..k], &column[..k])) / column[k];
        }
        self.back_substitute(x);
    }
}
