//! `W = AᵀA` with as few rows as the rank.

use super::dot;
use nalgebra::DMatrix;

/// The factor of a positive semidefinite matrix by Cholesky's method with diagonal pivoting.
///
/// The matrix is first scaled by powers of two, which round nothing, to diagonal entries in [½, 2):
/// `W_ij = s_i s_j a_i·a_j`, where `a_i` are the columns. Its rank is where every remaining diagonal entry has fallen
/// to the tolerance relative to what it was: rows in different units or of very different size count alike.
#[derive(Clone, Debug)]
pub struct Factor {
    /// The columns `a_i`, one after the other, `rank` numbers each.
    columns: Vec<f64>,
    scale: Vec<f64>,
    pivots: Vec<usize>,
    tolerance: f64,
}

impl Factor {
    /// The factor of `w`, whose upper triangle alone is read. `tolerance` is the part of a diagonal entry that counts
    /// as nothing; entries of a computed matrix are off by about their number times ε, so it is never less than that.
    pub fn new(w: &DMatrix<f64>, tolerance: f64) -> Self {
        let diagonal: Vec<f64> = w.diagonal().iter().copied().collect();
        Self::relative_to(w, &diagonal, tolerance)
    }

    /// The factor of a matrix whose diagonal is measured by another, to which it adds up with others.
    pub fn relative_to(w: &DMatrix<f64>, diagonal: &[f64], tolerance: f64) -> Self {
        let n = w.nrows();
        let tolerance = tolerance.max(n as f64 * f64::EPSILON);
        let scale = scales(diagonal);
        let scaled = |(i, x): (usize, &f64)| x / scale[i] / scale[i];
        let diagonal: Vec<f64> = diagonal.iter().enumerate().map(scaled).collect();
        // What is left of the diagonal.
        let mut left: Vec<f64> = w.diagonal().iter().enumerate().map(scaled).collect();
        let mut used = vec![false; n];
        let mut rows: Vec<f64> = Vec::new();
        let mut pivots = Vec::new();
        loop {
            let mut pivot = None;
            let mut most = tolerance;
            for i in 0..n {
                if !used[i] && left[i] > most * diagonal[i] {
                    most = left[i] / diagonal[i];
                    pivot = Some(i);
                }
            }
            let Some(p) = pivot else { break };
            let k = pivots.len();
            let done = rows.len();
            rows.extend((0..n).map(|j| {
                let entry = if j < p { w[(j, p)] } else { w[(p, j)] };
                entry / scale[p] / scale[j]
            }));
            let (before, row) = rows.split_at_mut(done);
            for l in 0..k {
                let above = &before[l * n..(l + 1) * n];
                let factor = above[p];
                for (x, a) in row.iter_mut().zip(above) {
                    *x -= factor * a;
                }
            }
            // Pivots are computed like all others, so that equal rows of `W` have equal columns: below the diagonal
            // theirs are rounding, not zero.
            let root = f64::sqrt(if row[p] > 0.0 { row[p] } else { left[p] });
            for (j, x) in row.iter_mut().enumerate() {
                *x /= root;
                left[j] -= *x * *x;
            }
            used[p] = true;
            pivots.push(p);
        }
        let rank = pivots.len();
        let mut columns = vec![0.0; rank * n];
        for (k, row) in rows.chunks_exact(n.max(1)).enumerate() {
            for (j, x) in row.iter().enumerate() {
                columns[j * rank + k] = *x;
            }
        }
        Self { columns, scale, pivots, tolerance }
    }

    /// Whether `b = W z` for some `z`, up to `tolerance` of the largest `b` in the units of the factor.
    pub fn spans(&self, b: &[f64], tolerance: f64) -> bool {
        if self.rank() == self.len() {
            return true;
        }
        let scaled = |i: usize| b[i] / self.scale[i];
        let size = (0..b.len()).map(|i| scaled(i).abs()).fold(0.0, f64::max);
        let mut z: Vec<f64> = self.pivots.iter().map(|&p| scaled(p)).collect();
        self.forward_substitute(&mut z);
        (0..b.len()).all(|i| (dot(self.column(i), &z) - scaled(i)).abs() <= tolerance * size)
    }

    /// How many columns are independent.
    pub fn rank(&self) -> usize {
        self.pivots.len()
    }

    /// How many columns there are.
    pub fn len(&self) -> usize {
        self.scale.len()
    }

    /// The column `a_i`.
    pub fn column(&self, i: usize) -> &[f64] {
        &self.columns[i * self.rank()..(i + 1) * self.rank()]
    }

    /// The power of two `s_i` by which row and column `i` of `W` exceed those of `AᵀA`.
    pub fn scale(&self, i: usize) -> f64 {
        self.scale[i]
    }

    /// The part of a squared length that counts as nothing.
    pub fn tolerance(&self) -> f64 {
        self.tolerance
    }

    /// The smallest pivot, at most one: what elimination of the others leaves of a diagonal entry in [½, 2).
    pub fn smallest_pivot(&self) -> f64 {
        let pivot = |(k, &p): (usize, &usize)| self.column(p)[k] * self.column(p)[k];
        self.pivots.iter().enumerate().map(pivot).fold(1.0, f64::min)
    }

    /// How large, relative to the squared length of a row of `A`, the part of it is that rounding made. A pivot `d` is
    /// known to about ε, so the row it begins is known to about ε/d.
    pub fn noise(&self) -> f64 {
        let relative = 4.0 * f64::EPSILON / self.smallest_pivot();
        relative * relative
    }

    /// Rows and columns whose block of `W` is regular and spans the rest, in the order of elimination: the columns
    /// `a_i` of these are upper triangular up to rounding.
    pub fn pivots(&self) -> &[usize] {
        &self.pivots
    }

    /// The most negative curvature `xᵀWx / xᵀx` found, at most 0, where `w` is the matrix that was factored: no less
    /// than its smallest eigenvalue, and for a semidefinite matrix rounding only.
    ///
    /// What the factor leaves over is zero up to the tolerance if `w` is semidefinite, for no entry of a semidefinite
    /// matrix exceeds its diagonal. A negative 2 × 2 block of it, lifted to the whole space, is a direction of
    /// negative curvature.
    pub fn negative_curvature(&self, w: &DMatrix<f64>) -> f64 {
        let mut others = vec![true; self.len()];
        self.pivots.iter().for_each(|&p| others[p] = false);
        let others: Vec<usize> = (0..self.len()).filter(|&i| others[i]).collect();
        let rest = |i: usize, j: usize| {
            let product = dot(self.column(i), self.column(j));
            w[(i.min(j), i.max(j))] - product * self.scale[i] * self.scale[j]
        };
        let mut smallest = 0.0;
        let mut direction = [(0, 0.0); 2];
        let diagonal: Vec<f64> = others.iter().map(|&i| rest(i, i)).collect();
        for (a, &i) in others.iter().enumerate() {
            if diagonal[a] < smallest {
                smallest = diagonal[a];
                direction = [(i, 1.0), (i, 0.0)];
            }
            for (b, &j) in others[..a].iter().enumerate() {
                let coupling = rest(i, j);
                let mean = 0.5 * (diagonal[a] + diagonal[b]);
                let half = 0.5 * (diagonal[a] - diagonal[b]);
                let radius = libm::hypot(half, coupling);
                if mean - radius < smallest {
                    smallest = mean - radius;
                    // Of the two forms of its eigenvector the one without cancellation.
                    let (x, y) = match half > 0.0 {
                        true => (-coupling, half + radius),
                        false => (radius - half, -coupling),
                    };
                    let length = libm::hypot(x, y);
                    direction = [(i, x / length), (j, y / length)];
                }
            }
        }
        if smallest == 0.0 {
            return 0.0;
        }
        // x = (−A_p⁻¹ A_y y, y) is orthogonal to what was eliminated: xᵀWx = yᵀ(rest)y.
        let mut lift = vec![0.0; self.rank()];
        for (i, y) in direction {
            for (l, a) in lift.iter_mut().zip(self.column(i)) {
                *l -= y * self.scale[i] * a;
            }
        }
        self.back_substitute(&mut lift);
        let lifted = lift.iter().zip(&self.pivots).map(|(x, &p)| x / self.scale[p]);
        smallest / (1.0 + lifted.map(|x| x * x).sum::<f64>())
    }

    /// Solves `A_p x = x`, where `A_p` are the columns of the pivots.
    pub fn back_substitute(&self, x: &mut [f64]) {
        for k in (0..self.rank()).rev() {
            let column = self.column(self.pivots[k]);
            x[k] /= column[k];
            let solved = x[k];
            for (left, a) in x[..k].iter_mut().zip(column) {
                *left -= solved * a;
            }
        }
    }

    /// Solves `A_pᵀ x = x`, where `A_p` are the columns of the pivots.
    pub fn forward_substitute(&self, x: &mut [f64]) {
        for (k, &p) in self.pivots.iter().enumerate() {
            let column = self.column(p);
            x[k] = (x[k] - dot(&x[..k], &column[..k])) / column[k];
        }
    }
}

/// Powers of two near the roots of the diagonal entries. A row without one has the unit of the largest.
fn scales(diagonal: &[f64]) -> Vec<f64> {
    let mut scale: Vec<f64> = diagonal
        .iter()
        .map(|entry| match entry.abs() {
            0.0 => 0.0,
            size => libm::ldexp(1.0, libm::frexp(size).1.div_euclid(2)),
        })
        .collect();
    let largest = scale.iter().fold(0.0, |m: f64, s| m.max(*s));
    for s in scale.iter_mut().filter(|s| **s == 0.0) {
        *s = if largest > 0.0 { largest } else { 1.0 };
    }
    scale
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_testkit::Rng;

    const RANK: f64 = 1e-13;

    fn gram(rng: &mut Rng, rows: usize, units: &[f64]) -> DMatrix<f64> {
        let g = DMatrix::from_fn(rows, units.len(), |_, _| rng.normal());
        let w = g.transpose() * g;
        DMatrix::from_fn(units.len(), units.len(), |i, j| w[(i, j)] * units[i] * units[j])
    }

    #[test]
    fn reproduces_the_matrix_with_as_many_rows_as_its_rank() {
        let mut rng = Rng::new(1);
        for (n, rank) in [(1, 1), (5, 2), (30, 30), (30, 7), (100, 3), (400, 20)] {
            let units: Vec<f64> = (0..n).map(|_| rng.log_uniform(1e-3, 1e3)).collect();
            let w = gram(&mut rng, rank, &units);
            let factor = Factor::new(&w, RANK);
            assert_eq!(factor.rank(), rank);
            assert!(factor.negative_curvature(&w) > -1e-13 * w.diagonal().max());
            for i in 0..n {
                for j in 0..n {
                    let product: f64 =
                        factor.column(i).iter().zip(factor.column(j)).map(|(a, b)| a * b).sum();
                    let error = (product * factor.scale(i) * factor.scale(j) - w[(i, j)]).abs();
                    let size = f64::sqrt(w[(i, i)] * w[(j, j)]);
                    assert!(error <= 1e-13 * size, "{n} {rank}: {error:e} of {size:e}");
                }
            }
            let mut x: Vec<f64> = (0..rank).map(|_| rng.normal()).collect();
            let right = x.clone();
            factor.forward_substitute(&mut x);
            for (k, &p) in factor.pivots().iter().enumerate() {
                let product: f64 = factor.column(p).iter().zip(&x).map(|(a, x)| a * x).sum();
                assert!((product - right[k]).abs() < 1e-10);
            }
        }
    }

    /// Eigenvalues 0.1 and more, but one of −1e-9: the curvature found is negative and not below that eigenvalue.
    #[test]
    fn finds_negative_curvature() {
        let mut rng = Rng::new(2);
        for n in [2_usize, 5, 40] {
            for rank in [1, n.div_ceil(2), n - 1] {
                let q = DMatrix::from_fn(n, n, |_, _| rng.normal()).qr().q();
                let mut w = DMatrix::zeros(n, n);
                for k in 0..=rank {
                    let value = if k == rank { -1e-9 } else { rng.uniform(0.1, 1.0) };
                    w += value * q.column(k) * q.column(k).transpose();
                }
                let factor = Factor::new(&w, RANK);
                let smallest = w.clone().symmetric_eigenvalues().min();
                let found = factor.negative_curvature(&w);
                assert!(
                    found < -1e-12 && found >= 1.001 * smallest,
                    "{n} {rank} {found:e} {smallest:e}"
                );
            }
        }
    }

    #[test]
    fn velocities_that_no_motion_has_are_outside_the_span() {
        let w = DMatrix::from_row_slice(2, 2, &[1.0, -1.0, -1.0, 1.0]);
        let factor = Factor::new(&w, RANK);
        assert!(factor.spans(&[2.0, -2.0], 1e-9) && factor.spans(&[0.0, 0.0], 1e-9));
        assert!(!factor.spans(&[-1.0, -1.0], 1e-9) && !factor.spans(&[2.0, -1.999], 1e-9));
    }

    #[test]
    fn a_row_that_nothing_moves_must_be_empty() {
        let coupled = DMatrix::from_row_slice(2, 2, &[0.0, 0.5, 0.5, 1.0]);
        // (x, y) with y = −x/2: −x²/4 of 5x²/4.
        assert_eq!(Factor::new(&coupled, RANK).negative_curvature(&coupled), -0.2);
        let empty = DMatrix::zeros(3, 3);
        let factor = Factor::new(&empty, RANK);
        assert_eq!((factor.rank(), factor.negative_curvature(&empty)), (0, 0.0));
    }
}
