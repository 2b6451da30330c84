//! The smallest of many solutions: least `Σ W_ii z_i²`, which treats equal rows equally.

use super::active_set::{ActiveSet, Lcp, LcpSolution, Row};
use super::double::Double;
use super::factor::Factor;
use super::{ZERO, dot, largest};
use nalgebra::DMatrix;

/// Newton's method changes the set of rows that take part at every step but the last; more steps than this are a
/// failure, not a large problem.
const MAX_STEPS: usize = 200;

/// Corrections from residuals in twice the working precision.
const REFINEMENTS: usize = 3;

/// Relative to the gradient, what the rows that take part cannot give \[1\].
const MISSING: f64 = 1e-9;

/// Shares below this part of the largest are rounding \[1\].
const NOISE: f64 = 64.0 * f64::EPSILON;

/// Among all solutions of a complementarity problem the one of least `Σ W_ii z_i²`, or `None` if rounding keeps it from
/// being found. Newton's method is quick; where rows that hold without carrying make it lose its way, the active set
/// finds it in finitely many steps.
pub fn least_norm(lcp: &Lcp, solution: &LcpSolution) -> Option<Vec<f64>> {
    by_newton(lcp, solution).or_else(|| by_active_set(lcp, solution))
}

/// With `x_i = √W_ii z_i` the problem is `min ½|x|²` subject to `x ≥ 0` (of unilateral rows) and `W z` unchanged in the
/// rows of the pivots, which determine all others.
fn by_active_set(lcp: &Lcp, solution: &LcpSolution) -> Option<Vec<f64>> {
    let w = lcp.matrix;
    let bearing = |i: &usize| w[(*i, *i)] > 0.0;
    let support: Vec<usize> = solution.support.iter().copied().filter(bearing).collect();
    let (k, pivots) = (support.len(), lcp.factor.pivots());
    let root = |i: usize| f64::sqrt(w[(i, i)]);
    // One row of the identity per share, then one of `W` per pivot.
    let entry = |row: usize, j: usize| match row < k {
        true => f64::from(u8::from(row == j)),
        false => {
            let p = pivots[row - k];
            w[(p, support[j])] / (root(p) * root(support[j]))
        }
    };
    let all = DMatrix::from_fn(k + pivots.len(), k, entry);
    let matrix = &all * all.transpose();
    let factor = Factor::new(&matrix, lcp.factor.tolerance());
    let sign = |&i: &usize| match lcp.rows[i] {
        Row::Bilateral => Row::Absent,
        row => row,
    };
    let mut rows: Vec<Row> = support.iter().map(sign).collect();
    rows.resize(k + pivots.len(), Row::Bilateral);
    let mut offset = vec![0.0; k];
    offset.extend(
        pivots
            .iter()
            .map(|&p| -support.iter().map(|&i| w[(p, i)] * solution.z[i]).sum::<f64>() / root(p)),
    );
    let problem =
        Lcp { matrix: &matrix, factor: &factor, rows: &rows, offset: &offset, exact: None };
    let multipliers = ActiveSet::default().solve(&problem).ok()?.z;
    let mut z = vec![0.0; solution.z.len()];
    for (j, &i) in support.iter().enumerate() {
        let x: f64 = multipliers.iter().enumerate().map(|(row, m)| m * all[(row, j)]).sum();
        let free = lcp.rows[i] == Row::Bilateral;
        z[i] = if free { x } else { x.max(0.0) } / root(i);
    }
    Some(z)
}

/// The smallest solution has `z_i = max(0, a_i·y) / W_ii` on the rows that may carry, without the maximum on bilateral ones, where `y`
/// maximises the concave, piecewise quadratic dual `v·y − ½ Σ W_ii z_i²` and so solves `A z = v`: by Newton's method
/// with exact line search.
fn by_newton(lcp: &Lcp, solution: &LcpSolution) -> Option<Vec<f64>> {
    let bearing = |i: &usize| lcp.matrix[(*i, *i)] > 0.0;
    let shares = Shares::new(
        lcp.matrix,
        lcp.factor,
        solution.support.iter().copied().filter(bearing).collect(),
        |i| lcp.rows[i] == Row::Bilateral,
    );
    let start = shares.scaled(&solution.z);
    let size = largest(&start);
    if size == 0.0 {
        return Some(vec![0.0; solution.z.len()]);
    }
    let target = shares.combined(&start);
    // All rows take part in the first step: where none would pull, it is the last one.
    let mut y = vec![0.0; lcp.factor.rank()];
    let mut taking_part = vec![true; start.len()];
    let mut gradient = target.clone();
    let tolerance = lcp.factor.tolerance().max(lcp.factor.noise());
    for step in 0..MAX_STEPS {
        let hessian = Hessian::new(&shares, &taking_part, tolerance);
        let (direction, newton) = hessian.ascent(&gradient, NOISE * size);
        let length = match step {
            0 => 1.0,
            _ => shares.line_search(&y, &direction, dot(&gradient, &direction))?,
        };
        for (y, d) in y.iter_mut().zip(&direction) {
            *y += length * d;
        }
        let u = shares.at(&y);
        let now: Vec<bool> =
            u.iter().zip(&shares.free).map(|(u, free)| *free || *u > 0.0).collect();
        let settled = |i: usize| now[i] == taking_part[i] || u[i].abs() <= NOISE * size;
        if newton && (length - 1.0).abs() <= ZERO && (0..now.len()).all(settled) {
            return Some(shares.unscaled(&hessian.refined(u, &start), solution.z.len()));
        }
        taking_part = now;
        gradient.clone_from(&target);
        for (k, u) in u.iter().enumerate().filter(|(k, _)| taking_part[*k]) {
            for (g, a) in gradient.iter_mut().zip(shares.column(k)) {
                *g -= u * a;
            }
        }
    }
    None
}

/// The `z` of either sign with `W z = b` and least `Σ W_ii z_i²`. If there is none, the first row that contradicts
/// others by more than `tolerance` of the largest `b` and the rounding of its terms.
pub fn least_norm_equality(
    matrix: &DMatrix<f64>,
    factor: &Factor,
    b: &[f64],
    tolerance: f64,
) -> Result<Vec<f64>, usize> {
    let n = b.len();
    let pivots = factor.pivots();
    let rows: Vec<usize> = (0..n).filter(|&i| matrix[(i, i)] > 0.0).collect();
    let shares = Shares::new(matrix, factor, rows, |_| true);
    let hessian = Hessian::new(&shares, &vec![true; shares.rows.len()], 0.0);
    let mut z = vec![0.0; n];
    let row = |i: usize, z: &[f64]| {
        z.iter().enumerate().fold(Double::from(-b[i]), |sum, (j, z)| {
            sum + Double::from(matrix[(i, j)]) * Double::from(*z)
        })
    };
    for _ in 0..=REFINEMENTS {
        // The rows of the pivots fix v = A z, and v the smallest z.
        let mut v: Vec<f64> =
            pivots.iter().map(|&p| -row(p, &z).round() / factor.scale(p)).collect();
        factor.forward_substitute(&mut v);
        let y = hessian.solve(&v);
        let change = shares.unscaled(&shares.at(&y), n);
        if !change.iter().all(|c| c.is_finite()) {
            break;
        }
        for (z, c) in z.iter_mut().zip(change) {
            *z += c;
        }
    }
    let size = (0..n).map(|i| (b[i] / factor.scale(i)).abs()).fold(0.0, f64::max);
    let broken = |&i: &usize| {
        let terms: f64 = z.iter().enumerate().map(|(j, z)| (matrix[(i, j)] * z).abs()).sum();
        let allowed = tolerance * size * factor.scale(i) + NOISE * terms;
        let off = row(i, &z).round().abs();
        off.is_nan() || off > allowed
    };
    match (0..n).find(broken) {
        Some(row) => Err(row),
        None => Ok(z),
    }
}

/// Rows that share a load, in the units of the factor.
struct Shares<'a> {
    factor: &'a Factor,
    rows: Vec<usize>,
    /// `s_i² / W_ii`, between ½ and 2.
    weight: Vec<f64>,
    /// Whether a row takes a share of either sign.
    free: Vec<bool>,
    /// Squared lengths of the rows of `A`: what is small beside them is rounding.
    lengths: Vec<f64>,
}

impl<'a> Shares<'a> {
    fn new(
        matrix: &DMatrix<f64>,
        factor: &'a Factor,
        rows: Vec<usize>,
        free: impl Fn(usize) -> bool,
    ) -> Self {
        let weight = |&i: &usize| factor.scale(i) / matrix[(i, i)] * factor.scale(i);
        let mut lengths = vec![0.0; factor.rank()];
        for i in 0..factor.len() {
            for (length, a) in lengths.iter_mut().zip(factor.column(i)) {
                *length += a * a;
            }
        }
        Self {
            lengths,
            factor,
            weight: rows.iter().map(weight).collect(),
            free: rows.iter().map(|&i| free(i)).collect(),
            rows,
        }
    }

    fn column(&self, k: usize) -> &'a [f64] {
        self.factor.column(self.rows[k])
    }

    fn scaled(&self, z: &[f64]) -> Vec<f64> {
        self.rows.iter().map(|&i| z[i] * self.factor.scale(i)).collect()
    }

    fn unscaled(&self, u: &[f64], len: usize) -> Vec<f64> {
        let mut z = vec![0.0; len];
        for (&i, u) in self.rows.iter().zip(u) {
            z[i] = u / self.factor.scale(i);
        }
        z
    }

    /// `A u`.
    fn combined(&self, u: &[f64]) -> Vec<f64> {
        let mut sum = vec![Double::ZERO; self.factor.rank()];
        for (k, u) in u.iter().enumerate() {
            for (s, a) in sum.iter_mut().zip(self.column(k)) {
                *s = *s + Double::from(*a) * Double::from(*u);
            }
        }
        sum.into_iter().map(Double::round).collect()
    }

    /// The shares at `y`, pulling ones as well.
    fn at(&self, y: &[f64]) -> Vec<f64> {
        (0..self.rows.len()).map(|k| self.weight[k] * dot(self.column(k), y)).collect()
    }

    /// Where the dual is largest on the way from `y` along `direction`, on which it grows at `slope`: the root of a
    /// falling, piecewise linear derivative. `None` if it grows for ever.
    fn line_search(&self, y: &[f64], direction: &[f64], slope: f64) -> Option<f64> {
        let (now, change) = (self.at(y), self.at(direction));
        let mut curvature = 0.0;
        // Where rows begin or cease to take part, and how the curvature changes there.
        let mut events: Vec<(f64, f64)> = Vec::new();
        for k in 0..self.rows.len() {
            let own = change[k] * change[k] / self.weight[k];
            let takes_part = self.free[k] || now[k] > 0.0;
            if takes_part {
                curvature += own;
            }
            if !self.free[k] && takes_part == (change[k] < 0.0) && change[k] != 0.0 {
                events.push((-now[k] / change[k], if takes_part { -own } else { own }));
            }
        }
        events.sort_by(|a, b| a.0.total_cmp(&b.0));
        let (mut length, mut slope) = (0.0, slope);
        for (at, added) in events {
            if curvature > 0.0 && slope <= curvature * (at - length) {
                break;
            }
            slope -= curvature * (at - length);
            length = at;
            curvature = (curvature + added).max(0.0);
        }
        (curvature > 0.0).then(|| length + slope / curvature)
    }
}

/// `H = Σ a_i a_iᵀ / W_ii` over the rows that take part.
struct Hessian<'a> {
    shares: &'a Shares<'a>,
    taking_part: Vec<bool>,
    matrix: DMatrix<f64>,
    factor: Factor,
}

impl<'a> Hessian<'a> {
    fn new(shares: &'a Shares<'a>, taking_part: &[bool], tolerance: f64) -> Self {
        let rank = shares.factor.rank();
        let mut matrix = DMatrix::zeros(rank, rank);
        for k in (0..taking_part.len()).filter(|&k| taking_part[k]) {
            let a = shares.column(k);
            for j in 0..rank {
                let x = shares.weight[k] * a[j];
                for i in 0..rank {
                    matrix[(i, j)] += a[i] * x;
                }
            }
        }
        let factor = Factor::relative_to(&matrix, &shares.lengths, tolerance);
        Self { shares, taking_part: taking_part.to_vec(), matrix, factor }
    }

    /// Some `x` with `H x = b`, if there is one.
    fn solve(&self, b: &[f64]) -> Vec<f64> {
        let pivots = self.factor.pivots();
        let mut part: Vec<f64> = pivots.iter().map(|&p| b[p] / self.factor.scale(p)).collect();
        self.factor.forward_substitute(&mut part);
        self.factor.back_substitute(&mut part);
        let mut x = vec![0.0; b.len()];
        for (&p, part) in pivots.iter().zip(part) {
            x[p] = part / self.factor.scale(p);
        }
        x
    }

    /// A direction in which the dual grows, and whether it is Newton's. Where the rows that take part cannot give what
    /// is missing, up to `noise`, it is one along which their shares do not change.
    fn ascent(&self, gradient: &[f64], noise: f64) -> (Vec<f64>, bool) {
        let newton = self.solve(gradient);
        if self.factor.rank() == gradient.len() {
            return (newton, true);
        }
        let missing: Vec<f64> = (0..gradient.len())
            .map(|i| {
                let given: f64 =
                    newton.iter().enumerate().map(|(j, x)| self.matrix[(i, j)] * x).sum();
                if self.factor.pivots().contains(&i) { 0.0 } else { gradient[i] - given }
            })
            .collect();
        if largest(&missing) <= (MISSING * largest(gradient)).max(noise) {
            return (newton, true);
        }
        // H d = 0 for d = missing − H_pp⁻¹ H_p missing, and gradient · d = |missing|².
        let felt: Vec<f64> = (0..gradient.len())
            .map(|i| missing.iter().enumerate().map(|(j, x)| self.matrix[(i, j)] * x).sum())
            .collect();
        let answer = self.solve(&felt);
        (missing.iter().zip(answer).map(|(m, a)| m - a).collect(), false)
    }

    /// The shares `u` of the rows that take part, corrected to `A u = A start`.
    fn refined(&self, mut u: Vec<f64>, start: &[f64]) -> Vec<f64> {
        for (u, taking_part) in u.iter_mut().zip(&self.taking_part) {
            if !taking_part {
                *u = 0.0;
            }
        }
        for _ in 0..REFINEMENTS {
            let off: Vec<f64> = start.iter().zip(&u).map(|(s, u)| s - u).collect();
            let y = self.solve(&self.shares.combined(&off));
            for k in (0..u.len()).filter(|&k| self.taking_part[k]) {
                u[k] += self.shares.weight[k] * dot(self.shares.column(k), &y);
            }
        }
        for (u, free) in u.iter_mut().zip(&self.shares.free) {
            *u = if *free { *u } else { u.max(0.0) };
        }
        u
    }
}

#[cfg(test)]
mod tests;
