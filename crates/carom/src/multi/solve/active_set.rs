//! Linear complementarity with a positive semidefinite matrix: `z ≥ 0`, `w = W z + q ≥ 0`, `z·w = 0`.
//!
//! With `W = AᵀA` this is the strictly convex problem `min ½|v|²` subject to `Aᵀv + q ≥ 0`, and `z` are its multipliers,
//! `v = A z`. It is solved by the dual active-set method of Goldfarb and Idnani (1983): start at `v = 0`, take in the
//! worst violated row, let go of rows whose multiplier reaches zero. The rows at work are always independent, so
//! redundant ones do no harm, and `w` is unique even where `z` is not.

use super::factor::Factor;
use nalgebra::DMatrix;

/// Why there is no solution.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum LcpFailure {
    /// No `v` satisfies all rows; this one contradicts others.
    Infeasible {
        /// Its index.
        row: usize,
    },
    /// Rounding kept the method from an end.
    NotConverged {
        /// The largest violation, relative to the largest `|q|` \[1\].
        residual: f64,
        /// Steps made \[1\].
        iterations: u32,
    },
}

/// A solution.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct LcpSolution {
    pub(crate) z: Vec<f64>,
    pub(crate) w: Vec<f64>,
    /// Rows at work: independent, and `z` vanishes on all others.
    pub(crate) working: Vec<usize>,
    /// Steps made \[1\].
    pub(crate) iterations: u32,
}

/// Violations below this part of the largest `|q|` are rounding \[1\].
const FEASIBLE: f64 = 256.0 * f64::EPSILON;

/// Solves for `w` and one `z`. `rank` is the tolerance that the factor was made with.
pub(crate) fn solve(
    w: &DMatrix<f64>,
    factor: &Factor,
    q: &[f64],
    rank: f64,
) -> Result<LcpSolution, LcpFailure> {
    let n = q.len();
    // In units in which every row has length one.
    let q: Vec<f64> = q.iter().zip(&factor.scale).map(|(q, s)| q / s).collect();
    let size = q.iter().fold(0.0, |m: f64, q| m.max(q.abs()));
    let mut state = Working::new(&factor.a);
    let mut iterations = 0;
    let limit = 100 + 50 * n as u32;
    let mut z = vec![0.0; n];
    loop {
        let slack = state.slack(&q);
        let zero = FEASIBLE * (size + state.speed());
        let idle = |i: &usize| !state.rows.contains(i);
        // The worst row, the first of equals; late, the first one at all, which cannot cycle.
        let candidates = (0..n).filter(idle).filter(|&i| slack[i] < -zero);
        let chosen = match iterations < limit / 2 {
            true => candidates.fold(None, |best: Option<usize>, i| match best {
                Some(b) if slack[b] <= slack[i] => Some(b),
                _ => Some(i),
            }),
            false => candidates.min(),
        };
        let Some(row) = chosen else { break };
        iterations += state.take_in(row, &q, rank)?;
        if iterations > limit {
            let residual = -slack[row] / size;
            return Err(LcpFailure::NotConverged { residual, iterations });
        }
    }
    state.refine(w, &factor.scale, &q);
    for (&i, value) in state.rows.iter().zip(&state.multipliers) {
        z[i] = value.max(0.0) / factor.scale[i];
    }
    let slack = state.slack(&q);
    let w = (0..n)
        .map(|i| if state.rows.contains(&i) { 0.0 } else { slack[i].max(0.0) * factor.scale[i] })
        .collect();
    Ok(LcpSolution { z, w, working: state.rows, iterations })
}

/// The rows at work, `A_work = Q R` with orthonormal columns in `Q`, and the point they lead to.
struct Working<'a> {
    a: &'a DMatrix<f64>,
    v: Vec<f64>,
    rows: Vec<usize>,
    multipliers: Vec<f64>,
    /// Columns of `Q`.
    q: Vec<Vec<f64>>,
    /// Columns of the upper triangular `R`.
    r: Vec<Vec<f64>>,
}

impl<'a> Working<'a> {
    fn new(a: &'a DMatrix<f64>) -> Self {
        let v = vec![0.0; a.nrows()];
        Self { a, v, rows: vec![], multipliers: vec![], q: vec![], r: vec![] }
    }

    fn column(&self, i: usize) -> &'a [f64] {
        let n = self.a.nrows();
        &self.a.as_slice()[i * n..(i + 1) * n]
    }

    fn slack(&self, q: &[f64]) -> Vec<f64> {
        (0..q.len()).map(|i| dot(self.column(i), &self.v) + q[i]).collect()
    }

    fn speed(&self) -> f64 {
        libm::sqrt(dot(&self.v, &self.v))
    }

    /// Moves until row `i` holds, letting go of rows on the way. Counts the steps.
    fn take_in(&mut self, i: usize, q: &[f64], rank: f64) -> Result<u32, LcpFailure> {
        let mut own = 0.0;
        let mut steps = 0;
        loop {
            steps += 1;
            let column = self.column(i);
            let (direction, coefficients) = self.split(column);
            let response = self.back_substitute(&coefficients);
            let yields = dot(&direction, &direction);
            let mut longest = f64::INFINITY;
            let mut blocking = None;
            for (k, (z, r)) in self.multipliers.iter().zip(&response).enumerate() {
                if *r > 0.0 && z / r < longest {
                    (longest, blocking) = (z / r, Some(k));
                }
            }
            let full = match yields > rank {
                true => -(dot(column, &self.v) + q[i]) / yields,
                false => f64::INFINITY,
            };
            let step = longest.min(full);
            if step == f64::INFINITY {
                return Err(LcpFailure::Infeasible { row: i });
            }
            own += step;
            for (z, r) in self.multipliers.iter_mut().zip(&response) {
                *z -= step * r;
            }
            if yields > rank {
                for (v, d) in self.v.iter_mut().zip(&direction) {
                    *v += step * d;
                }
            }
            match blocking.filter(|_| longest < full) {
                Some(k) => self.let_go(k),
                None => {
                    let norm = libm::sqrt(yields);
                    self.q.push(direction.iter().map(|d| d / norm).collect());
                    let mut r = coefficients;
                    r.push(norm);
                    self.r.push(r);
                    self.rows.push(i);
                    self.multipliers.push(own);
                    return Ok(steps);
                }
            }
        }
    }

    /// A column as `Q c + direction`, the direction orthogonal to `Q`: projected twice, so that it is so even if small.
    fn split(&self, column: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let mut direction = column.to_vec();
        let mut coefficients = vec![0.0; self.q.len()];
        for _ in 0..2 {
            for (c, q) in coefficients.iter_mut().zip(&self.q) {
                let share = dot(q, &direction);
                *c += share;
                for (d, q) in direction.iter_mut().zip(q) {
                    *d -= share * q;
                }
            }
        }
        (direction, coefficients)
    }

    /// `R⁻¹ x`.
    fn back_substitute(&self, x: &[f64]) -> Vec<f64> {
        let mut x = x.to_vec();
        for k in (0..x.len()).rev() {
            x[k] /= self.r[k][k];
            let value = x[k];
            for (x, r) in x[..k].iter_mut().zip(&self.r[k]) {
                *x -= value * r;
            }
        }
        x
    }

    /// `R⁻ᵀ x`.
    fn forward_substitute(&self, x: &[f64]) -> Vec<f64> {
        let mut x = x.to_vec();
        for k in 0..x.len() {
            let known: f64 = dot(&x[..k], &self.r[k][..k]);
            x[k] = (x[k] - known) / self.r[k][k];
        }
        x
    }

    /// Removes a row; rotations make `R` triangular again.
    fn let_go(&mut self, k: usize) {
        self.rows.remove(k);
        self.multipliers.remove(k);
        self.r.remove(k);
        for j in k..self.r.len() {
            let (x, y) = (self.r[j][j], self.r[j][j + 1]);
            let norm = libm::hypot(x, y);
            let (c, s) = (x / norm, y / norm);
            for column in &mut self.r[j..] {
                let (x, y) = (column[j], column[j + 1]);
                column[j] = c * x + s * y;
                column[j + 1] = c * y - s * x;
            }
            self.r[j].truncate(j + 1);
            let (left, right) = self.q.split_at_mut(j + 1);
            for (x, y) in left[j].iter_mut().zip(&mut right[0]) {
                (*x, *y) = (c * *x + s * *y, c * *y - s * *x);
            }
        }
        self.q.truncate(self.r.len());
    }

    /// The multipliers anew from the rows at work, corrected by what they leave in the matrix itself, and `v` from them.
    fn refine(&mut self, w: &DMatrix<f64>, scale: &[f64], q: &[f64]) {
        let k = self.rows.len();
        let rows = &self.rows;
        let mut z = vec![0.0; k];
        for _ in 0..3 {
            let left: Vec<f64> = (0..k)
                .map(|a| {
                    let i = rows[a];
                    let known: f64 =
                        (0..k).map(|b| w[(i, rows[b])] / (scale[i] * scale[rows[b]]) * z[b]).sum();
                    -(q[i] + known)
                })
                .collect();
            let change = self.back_substitute(&self.forward_substitute(&left));
            for (z, c) in z.iter_mut().zip(&change) {
                *z += c;
            }
        }
        if z.iter().all(|z| z.is_finite()) {
            self.multipliers = z;
            self.v = vec![0.0; self.a.nrows()];
            for a in 0..k {
                let column = self.column(self.rows[a]);
                let z = self.multipliers[a];
                for (v, x) in self.v.iter_mut().zip(column) {
                    *v += z * x;
                }
            }
        }
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}
