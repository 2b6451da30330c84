//! Linear complementarity with a positive semidefinite matrix: `z ≥ 0`, `w = W z + q ≥ 0`, `z·w = 0`.
//!
//! With `W = AᵀA` these are the conditions of the strictly convex problem `min ½|v|²` subject to `Aᵀv + q ≥ 0`, whose
//! multipliers are `z` and whose solution `v = A z` is unique whatever the rank. It is solved by the dual active-set
//! method of Goldfarb and Idnani (1983): from the free minimum `v = 0`, the most violated row enters the working set,
//! and rows whose multiplier would turn negative leave it. The working set is independent always, so redundant rows
//! cost nothing, and its objective grows with every row that enters, so no set comes twice.
//!
//! `A` decides the steps only. Multipliers and `w` come from `W` itself, and the last ones from residuals in twice the
//! working precision: what the factor rounds away, or a badly conditioned working set amplifies, does not reach the
//! answer.

use super::basis::Basis;
use super::double::Double;
use super::factor::Factor;
use super::factored::FactoredRows;
use super::{ZERO, dot, largest};
use nalgebra::DMatrix;
use std::borrow::Cow;

// Constants, without unit: the largest `|q_i|` is one.

/// Violations below this part of the largest numbers count only after the multipliers have been refined.
const COARSE: f64 = 1e-8;

/// Violations of refined multipliers beyond this many ε of their terms are real: half an ε comes from rounding the
/// multipliers, half from rounding `w`.
const FINE: f64 = 2.0 * f64::EPSILON;

/// A row whose `w` is this part of its terms may as well have none: rounding of the data, a few times amplified.
const NOISE: f64 = 64.0 * f64::EPSILON;

/// What rounding its products leaves of an entry of `W` between equal and opposite ones: a dozen roundings at most.
const ROUNDED: f64 = 8.0 * f64::EPSILON;

/// The part of a squared length that counts as nothing where the columns are those of the factors: they are known to an ε,
/// entries of a Jacobian often to no more than some 1e-11.
const FACTORED: f64 = 1e-22;

/// A multiplier falls when its rate exceeds this part of the largest rate; less may be rounding of the basis.
const FALLING: f64 = 1e-10;

/// Rounds of refinement at most; each gains the digits that the condition of the working set leaves.
const REFINEMENTS: usize = 8;

/// The condition on a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Row {
    /// `z ≥ 0`, `w ≥ 0`, `z w = 0`.
    Unilateral,
    /// `w = 0`, `z` of either sign.
    Bilateral,
    /// `z = 0`, any `w`.
    Absent,
}

/// The problem.
#[derive(Clone, Copy, Debug)]
pub struct Lcp<'a> {
    /// `W`, symmetric and positive semidefinite.
    pub matrix: &'a DMatrix<f64>,
    /// The factor of `W`.
    pub factor: &'a Factor,
    /// The condition on each row.
    pub rows: &'a [Row],
    /// `q`.
    pub offset: &'a [f64],
    /// `W` by its factors, where its entries round too much away: the last multipliers are then theirs.
    pub exact: Option<FactoredRows<'a>>,
}

impl<'a> Lcp<'a> {
    /// The column `a_i` of `W = AᵀA`, over its scale.
    fn column(&self, i: usize) -> Cow<'a, [f64]> {
        match &self.exact {
            Some(exact) => Cow::Owned(exact.column(i, self.factor.scale(i))),
            None => Cow::Borrowed(self.factor.column(i)),
        }
    }

    /// The part of the squared length of a column that counts as nothing.
    fn negligible(&self) -> f64 {
        if self.exact.is_some() { FACTORED } else { self.factor.tolerance() }
    }
}

/// The answer.
#[derive(Clone, Debug, PartialEq)]
pub struct LcpSolution {
    /// `z`.
    pub z: Vec<f64>,
    /// `w = W z + q`, unique. Without its rounding: exactly zero on rows that hold, never negative.
    pub w: Vec<f64>,
    /// Rows that may have `z ≠ 0` in some solution: those with `w = 0`, exactly or within rounding.
    pub support: Vec<usize>,
    /// How many rows entered the working set.
    pub iterations: u32,
    /// The largest `|min(z_i W_ii, w_i)|`, or `|w_i|` of bilateral rows, relative to the largest `|q_i|`.
    pub residual: f64,
    /// Whether no other `z` solves it.
    pub unique: bool,
}

/// Why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LcpFailure {
    /// No `z` makes this row and those that stand against it satisfy their conditions.
    Infeasible {
        /// The row that cannot be satisfied.
        row: usize,
    },
    /// The iteration went on for longer than rounding explains.
    NotConverged {
        /// The largest violation left, relative to the largest `|q_i|`.
        residual: f64,
        /// How many rows had entered the working set.
        iterations: u32,
    },
    /// The caller stopped it.
    Interrupted {
        /// How many steps had been made.
        iterations: u64,
    },
}

/// The working memory of the method; it never influences a result.
#[derive(Clone, Debug, Default)]
pub struct ActiveSet {
    /// Rows of the working set, bilateral ones first, and those among them that are.
    working: Vec<usize>,
    bilateral: usize,
    basis: Basis,
    /// By row of the working set: scaled multipliers, and the rates at which they fall.
    multiplier: Vec<f64>,
    rate: Vec<f64>,
    /// By row of the problem, scaled: `q`, `w`, and the size of its terms.
    offset: Vec<f64>,
    slack: Vec<f64>,
    terms: Vec<f64>,
    /// Rows that wait to be satisfied: neither in the working set nor inconsistent within rounding.
    waiting: Vec<bool>,
    coefficients: Vec<f64>,
    rest: Vec<f64>,
    /// What the multipliers do to the coordinates behind `W`, where its factors are known.
    change: Vec<Double>,
}

impl ActiveSet {
    /// Solves the problem.
    pub fn solve(&mut self, lcp: &Lcp) -> Result<LcpSolution, LcpFailure> {
        let unit = self.start(lcp, |i| lcp.offset[i], |i| lcp.rows[i]);
        let iterations = self.iterate(lcp)?;
        let n = lcp.offset.len();
        let mut z = vec![0.0; n];
        for (k, &i) in self.working.iter().enumerate() {
            z[i] = self.multiplier[k] * unit / lcp.factor.scale(i);
        }
        let mut w: Vec<f64> = (0..n).map(|i| self.slack[i] * unit * lcp.factor.scale(i)).collect();
        let residual = relative_residual(lcp, &z, &w);
        for (i, w) in w.iter_mut().enumerate() {
            match lcp.rows[i] {
                Row::Unilateral if self.waiting[i] => *w = w.max(0.0),
                Row::Absent => {}
                _ => *w = 0.0,
            }
        }
        let zero = |i: usize| ZERO + NOISE * self.terms[i];
        let support = (0..n).filter(|&i| match lcp.rows[i] {
            Row::Unilateral => self.slack[i] <= zero(i),
            Row::Bilateral => true,
            Row::Absent => false,
        });
        let support: Vec<usize> = support.collect();
        let unique = self.is_unique(lcp, &support);
        Ok(LcpSolution { z, w, support, iterations, residual, unique })
    }

    /// Scales `q` to size one and empties the working set. Answers the unit, a power of two.
    fn start(
        &mut self,
        lcp: &Lcp,
        offset: impl Fn(usize) -> f64,
        row: impl Fn(usize) -> Row,
    ) -> f64 {
        let n = lcp.offset.len();
        self.offset.clear();
        self.offset.extend((0..n).map(|i| offset(i) / lcp.factor.scale(i)));
        let present = (0..n).filter(|&i| row(i) != Row::Absent);
        let largest = present.map(|i| self.offset[i].abs()).fold(0.0, f64::max);
        let unit = if largest > 0.0 { libm::ldexp(1.0, libm::frexp(largest).1) } else { 1.0 };
        for q in &mut self.offset {
            *q /= unit;
        }
        self.waiting.clear();
        self.waiting.extend((0..n).map(|i| row(i) == Row::Unilateral));
        self.slack.clear();
        self.slack.resize(n, 0.0);
        self.terms.clear();
        self.terms.resize(n, 0.0);
        self.working.clear();
        self.basis.reset(lcp.exact.map_or(lcp.factor.rank(), |exact| exact.mass.len()));
        let Self { working, basis, coefficients, rest, .. } = self;
        for i in (0..n).filter(|&i| row(i) == Row::Bilateral) {
            let column = lcp.column(i);
            let length = basis.split(&column, coefficients, rest);
            if length > lcp.negligible() * squared_length(&column) {
                basis.push(coefficients, rest);
                working.push(i);
            }
        }
        self.bilateral = working.len();
        unit
    }

    /// Goes on until no row is violated; answers how many entered.
    fn iterate(&mut self, lcp: &Lcp) -> Result<u32, LcpFailure> {
        // Rarely more than twice the rank; what takes this long goes round in circles.
        let limit = 100 + 10 * lcp.offset.len() as u32;
        // Where rows leave no room but a point, `q` is consistent up to its own rounding only, and which rows hold the
        // point is decided by noise for ever: the noise is then what this many decisions cannot settle.
        let patience = 10 + lcp.factor.rank();
        let (mut noise, mut decisions) = (0.0, 0);
        for iterations in 0..limit {
            self.settle(lcp);
            let violated = match self.most_violated(0.0, COARSE * self.size()) {
                Some(row) => Some(row),
                None => {
                    self.refine(lcp, noise);
                    decisions += 1;
                    if decisions > patience {
                        decisions = 0;
                        noise = (4.0 * noise).max(FINE);
                    }
                    if let Some(k) = self.pulling() {
                        self.leave(k);
                        continue;
                    }
                    self.most_violated(FINE, noise * self.size())
                }
            };
            match violated {
                Some(row) => self.enter(lcp, row)?,
                None => return self.check_bilateral(lcp).map(|()| iterations),
            }
        }
        let worst = self.slack.iter().zip(&self.waiting).filter(|(_, waiting)| **waiting);
        let residual = worst.map(|(w, _)| -w).fold(0.0, f64::max);
        Err(LcpFailure::NotConverged { residual, iterations: limit })
    }

    /// The multipliers of the working set, and `w`, in working precision.
    fn settle(&mut self, lcp: &Lcp) {
        self.multiplier.clear();
        self.multiplier.extend(self.working.iter().map(|&i| -self.offset[i]));
        self.basis.solve_gram(&mut self.multiplier);
        let Self { slack, terms, offset, working, multiplier, .. } = self;
        slack.fill(0.0);
        terms.fill(0.0);
        for (&j, u) in working.iter().zip(multiplier) {
            let z = *u / lcp.factor.scale(j);
            let column = lcp.matrix.column(j);
            for ((w, t), entry) in slack.iter_mut().zip(terms.iter_mut()).zip(&column) {
                let term = entry * z;
                *w += term;
                *t += term.abs();
            }
        }
        for i in 0..slack.len() {
            slack[i] = slack[i] / lcp.factor.scale(i) + offset[i];
            terms[i] = terms[i] / lcp.factor.scale(i) + offset[i].abs();
        }
    }

    /// The multipliers to the last digit, and `w`, from residuals in twice the working precision. Multipliers that are
    /// negative by no more than `noise` of the largest become zero.
    fn refine(&mut self, lcp: &Lcp, noise: f64) {
        let mut before = f64::INFINITY;
        for _ in 0..REFINEMENTS {
            self.spread(lcp);
            let mut correction: Vec<f64> =
                self.working.iter().map(|&i| -self.exact_slack(lcp, i)).collect();
            self.basis.solve_gram(&mut correction);
            let size = largest(&correction);
            if size.is_nan() || size >= 0.5 * before {
                break;
            }
            let mut settled = true;
            for (u, c) in self.multiplier.iter_mut().zip(&correction) {
                settled &= c.abs() <= 0.5 * f64::EPSILON * u.abs();
                *u += c;
            }
            if settled {
                break;
            }
            before = size;
        }
        let negligible = -noise * largest(&self.multiplier);
        for u in &mut self.multiplier[self.bilateral..] {
            if *u < 0.0 && *u >= negligible {
                *u = 0.0;
            }
        }
        self.spread(lcp);
        for i in 0..self.slack.len() {
            self.slack[i] = self.exact_slack(lcp, i);
        }
    }

    /// What the multipliers do to the coordinates, for [`Self::exact_slack`].
    fn spread(&mut self, lcp: &Lcp) {
        if let Some(exact) = &lcp.exact {
            let z = self.working.iter().zip(&self.multiplier);
            exact.spread(z.map(|(&j, u)| (j, u / lcp.factor.scale(j))), &mut self.change);
        }
    }

    /// `w_i`, rounded once.
    fn exact_slack(&self, lcp: &Lcp, i: usize) -> f64 {
        let scale = lcp.factor.scale(i);
        if let Some(exact) = &lcp.exact {
            return exact.gather(i, self.offset[i] * scale, &self.change).round() / scale;
        }
        let mut sum = Double::ZERO;
        for (&j, u) in self.working.iter().zip(&self.multiplier) {
            sum = sum + Double::from(lcp.matrix[(i, j)]) * Double::from(u / lcp.factor.scale(j));
        }
        (sum + Double::from(self.offset[i] * scale)).round() / scale
    }

    /// The waiting row with the smallest `w` that is negative by more than a part of its terms and a number.
    fn most_violated(&self, of_terms: f64, beyond: f64) -> Option<usize> {
        let mut worst = None;
        let mut smallest = 0.0;
        for (i, &w) in self.slack.iter().enumerate() {
            if w < smallest && w < -of_terms * self.terms[i] - beyond && self.waiting[i] {
                smallest = w;
                worst = Some(i);
            }
        }
        worst
    }

    /// The place in the working set of the most negative multiplier, if refinement brought one to light.
    fn pulling(&self) -> Option<usize> {
        let mut most = None;
        let mut smallest = 0.0;
        for (k, &u) in self.multiplier.iter().enumerate().skip(self.bilateral) {
            if u < smallest {
                smallest = u;
                most = Some(k);
            }
        }
        most
    }

    /// Brings a violated row into the working set; rows whose multipliers fall to zero on the way leave it.
    fn enter(&mut self, lcp: &Lcp, row: usize) -> Result<(), LcpFailure> {
        let column = lcp.column(row);
        let negligible = lcp.negligible() * squared_length(&column);
        let mut slack = self.slack[row];
        loop {
            let length = self.basis.split(&column, &mut self.coefficients, &mut self.rest);
            self.rate.clone_from(&self.coefficients);
            self.basis.back_substitute(&mut self.rate);
            let first = self.first_to_vanish();
            if length > negligible {
                let step = -slack / length;
                if first.is_none_or(|(vanishing, _)| step <= vanishing) {
                    self.basis.push(&self.coefficients, &self.rest);
                    self.working.push(row);
                    self.waiting[row] = false;
                    return Ok(());
                }
            }
            let Some((step, k)) = first else {
                // What the working set leaves no freedom for is satisfied within rounding, or never.
                self.waiting[row] = false;
                let rounding = match lcp.exact {
                    Some(_) => NOISE * self.terms[row],
                    None => ZERO * self.size(),
                };
                if -slack > rounding {
                    if length <= self.freedom_by_rounding(lcp) {
                        return Err(LcpFailure::Infeasible { row });
                    }
                    self.basis.push(&self.coefficients, &self.rest);
                    self.working.push(row);
                }
                return Ok(());
            };
            if length > negligible {
                slack += step * length;
            }
            for (u, rate) in self.multiplier.iter_mut().zip(&self.rate) {
                *u -= step * rate;
            }
            self.leave(k);
        }
    }

    /// How much freedom rounding of `W` alone may leave a row that depends on the working set: `W_rr` less what the set
    /// makes up of it is `xᵀWx` with `x = (1, −rate)`, of entries of about one.
    fn freedom_by_rounding(&self, lcp: &Lcp) -> f64 {
        let length = 1.0 + self.rate.iter().map(|rate| rate.abs()).sum::<f64>();
        let rounded = if lcp.exact.is_some() { ROUNDED * ROUNDED } else { ROUNDED };
        rounded * length * length
    }

    /// The step at which the first multiplier of a unilateral row vanishes, and its place in the working set.
    fn first_to_vanish(&self) -> Option<(f64, usize)> {
        let least = FALLING * largest(&self.rate);
        let mut first: Option<(f64, usize)> = None;
        for k in self.bilateral..self.working.len() {
            if self.rate[k] > least {
                let step = self.multiplier[k].max(0.0) / self.rate[k];
                let sooner = first.is_none_or(|(s, other)| {
                    step < s || (step == s && self.working[k] < self.working[other])
                });
                if sooner {
                    first = Some((step, k));
                }
            }
        }
        first
    }

    fn leave(&mut self, k: usize) {
        self.basis.remove(k);
        self.multiplier.remove(k);
        let row = self.working.remove(k);
        self.waiting[row] = true;
    }

    /// The size of numbers in this problem: that of the largest `q` is one.
    fn size(&self) -> f64 {
        largest(&self.multiplier).max(1.0)
    }

    /// Refuses bilateral rows that depend on others and contradict them.
    fn check_bilateral(&self, lcp: &Lcp) -> Result<(), LcpFailure> {
        let size = self.size();
        let broken = |&i: &usize| {
            lcp.rows[i] == Row::Bilateral
                && self.slack[i].abs() > ZERO * size
                && !self.working.contains(&i)
        };
        match (0..self.slack.len()).find(broken) {
            Some(row) => Err(LcpFailure::Infeasible { row }),
            None => Ok(()),
        }
    }

    /// Whether no other `z` gives the same `w`; uses up the solution that it is about.
    ///
    /// Another solution differs by `d ≠ 0` with `A d = 0`, zero where `w > 0` and not negative where `z = 0`. By
    /// Gordan's theorem there is none if and only if some `y` has `a_i·y > 0` where `z_i = w_i = 0` and `a_i·y = 0`
    /// where `z_i > 0`, these being independent: a problem of the same kind.
    fn is_unique(&mut self, lcp: &Lcp, support: &[usize]) -> bool {
        let n = lcp.offset.len();
        let least = ZERO * largest(&self.multiplier);
        let mut rows = vec![Row::Absent; n];
        for &i in support {
            rows[i] = Row::Unilateral;
        }
        for (k, &i) in self.working.iter().enumerate() {
            if k < self.bilateral || self.multiplier[k] > least {
                rows[i] = Row::Bilateral;
            }
        }
        // A bilateral row outside the working set depends on it: its share is arbitrary.
        if (0..n).any(|i| lcp.rows[i] == Row::Bilateral && rows[i] != Row::Bilateral) {
            return false;
        }
        if !rows.contains(&Row::Unilateral) {
            return true;
        }
        let factor = lcp.factor;
        let offset = |i: usize| if rows[i] == Row::Unilateral { -factor.scale(i) } else { 0.0 };
        self.start(lcp, offset, |i| rows[i]);
        self.iterate(&Lcp { rows: &rows, ..*lcp }).is_ok()
    }
}

/// The solution of a problem whose rows are all unilateral.
pub fn solve_unilateral(
    matrix: &DMatrix<f64>,
    factor: &Factor,
    offset: &[f64],
) -> Result<LcpSolution, LcpFailure> {
    let rows = &vec![Row::Unilateral; offset.len()];
    ActiveSet::default().solve(&Lcp { matrix, factor, rows, offset, exact: None })
}

fn relative_residual(lcp: &Lcp, z: &[f64], w: &[f64]) -> f64 {
    let mut worst: f64 = 0.0;
    let mut size: f64 = 0.0;
    for (i, row) in lcp.rows.iter().enumerate() {
        let residual = match row {
            Row::Unilateral => (z[i] * lcp.matrix[(i, i)]).min(w[i]).abs(),
            Row::Bilateral => w[i].abs(),
            Row::Absent => continue,
        };
        worst = worst.max(residual);
        size = size.max(lcp.offset[i].abs());
    }
    if worst == 0.0 { 0.0 } else { worst / size }
}

fn squared_length(x: &[f64]) -> f64 {
    dot(x, x)
}

#[cfg(test)]
mod tests;
