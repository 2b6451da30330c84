//! Repeated rounds of steps, many at once.
//!
//! Light bodies between heavy ones collide thousands of times, the same contacts in the same order. A round of steps is
//! then a linear map of the velocities of the contacts that push, `u ← B u`, with impulses `p = C u`, and twice as many
//! rounds are `B ← B²`, `C ← C + C B`.

use super::tolerances::{MAX_PERIOD, REPETITIONS, SHRUNK, UNIFORM};
use crate::island::normal::NormalProblem;
use crate::island::stepping::{Motion, SIMILAR, StepRow};
use nalgebra::DMatrix;
use std::collections::VecDeque;

/// What a step did, apart from the speed.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct StepPattern {
    /// The rows solved, offsets as multiples of the velocity of the row.
    pub(crate) asked: Vec<StepRow>,
    /// Which of them pushed.
    pub(crate) pushed: Vec<bool>,
    /// Rows ahead of their collision.
    pub(crate) ahead: Vec<usize>,
}

impl StepPattern {
    fn pushing(&self) -> impl Iterator<Item = &StepRow> {
        self.asked.iter().zip(&self.pushed).filter(|(_, pushed)| **pushed).map(|(asked, _)| asked)
    }
}

/// The last steps.
#[derive(Clone, Debug, Default)]
pub(crate) struct History {
    last: VecDeque<StepPattern>,
}

impl History {
    pub(crate) fn record(&mut self, pattern: StepPattern) {
        if self.last.len() == REPETITIONS * MAX_PERIOD {
            self.last.pop_front();
        }
        self.last.push_back(pattern);
    }

    pub(crate) fn last(&self) -> Option<&StepPattern> {
        self.last.back()
    }

    /// The shortest round that the last steps repeat.
    pub(crate) fn round(&self) -> Option<Vec<StepPattern>> {
        let steps = self.last.len();
        let repeats = |period: &usize| {
            let first = steps - REPETITIONS * period;
            (first..steps - period).all(|k| self.last[k] == self.last[k + period])
        };
        let period = (1..=steps / REPETITIONS).find(repeats)?;
        Some(self.last.range(steps - period..).cloned().collect())
    }
}

/// The effect of one or more rounds.
pub(crate) struct Rounds {
    /// The rows that push.
    rows: Vec<usize>,
    /// Their velocities after, as multiples of those before \[1\].
    velocity: DMatrix<f64>,
    /// Their impulses, as multiples of velocities before \[kg\].
    impulse: DMatrix<f64>,
}

impl Rounds {
    /// One round. `rank`: directions in which contacts yield less than this part of the others are none.
    pub(crate) fn new(round: &[StepPattern], problem: &NormalProblem, rank: f64) -> Self {
        let mut rows: Vec<usize> =
            round.iter().flat_map(|pattern| pattern.pushing().map(|asked| asked.row)).collect();
        rows.sort_unstable();
        rows.dedup();
        let (n, w) = (rows.len(), problem.w.dense_block(&rows));
        let mut velocity = DMatrix::identity(n, n);
        let mut impulse = DMatrix::zeros(n, n);
        for pattern in round {
            let (places, asked): (Vec<usize>, Vec<&StepRow>) = pattern
                .pushing()
                .filter_map(|asked| Some((rows.binary_search(&asked.row).ok()?, asked)))
                .unzip();
            let wish = DMatrix::from_fn(places.len(), n, |i, j| {
                -asked[i].offset * velocity[(places[i], j)]
            });
            let push = response(&w, &places, &asked, rank) * wish;
            velocity += w.select_columns(&places) * &push;
            for (i, &place) in places.iter().enumerate() {
                for j in 0..n {
                    impulse[(place, j)] += push[(i, j)];
                }
            }
        }
        Self { rows, velocity, impulse }
    }

    pub(crate) fn rows(&self) -> &[usize] {
        &self.rows
    }

    /// Twice as many rounds.
    pub(crate) fn doubled(self) -> Self {
        let impulse = &self.impulse + &self.impulse * &self.velocity;
        Self { velocity: &self.velocity * &self.velocity, impulse, ..self }
    }

    /// Whether all velocities lose about the same part, as they do near the slowest of their modes. Elsewhere contacts
    /// outside the rounds may act in between.
    pub(crate) fn decays_uniformly(&self, before: &[f64]) -> bool {
        let after = self.times(&self.velocity, before);
        let losses = || self.rows.iter().zip(&after).map(|(&i, u)| 1.0 - u / before[i]);
        let (least, most) = losses()
            .fold((f64::INFINITY, 0.0), |(least, most): (f64, f64), x| (least.min(x), most.max(x)));
        0.0 < least && most <= UNIFORM * least && most < 1.0
    }

    /// Whether the velocities after are those before, all smaller by the same clear factor.
    pub(crate) fn shrinks(&self, before: &[f64], after: &[f64]) -> bool {
        let fastest = |u: &[f64]| self.rows.iter().map(|&i| u[i].abs()).fold(0.0, f64::max);
        let q = fastest(after) / fastest(before);
        let same = |i: &usize| (after[*i] - q * before[*i]).abs() <= SIMILAR * before[*i].abs();
        q < SHRUNK && self.rows.iter().all(same)
    }

    pub(crate) fn apply(&self, motion: &mut Motion) {
        let velocity = self.times(&self.velocity, &motion.u);
        let impulse = self.times(&self.impulse, &motion.u);
        motion.leap(&self.rows, &velocity, &impulse);
    }

    fn times(&self, matrix: &DMatrix<f64>, u: &[f64]) -> Vec<f64> {
        let entry =
            |i: usize| self.rows.iter().enumerate().map(|(j, &row)| matrix[(i, j)] * u[row]).sum();
        (0..self.rows.len()).map(entry).collect()
    }
}

/// The impulses of the rows at these places per change of velocity, all of them pushing: the inverse of `W` plus
/// compliance, or the least `Σ W_ii p_i²` where several impulses do the same.
fn response(w: &DMatrix<f64>, places: &[usize], asked: &[&StepRow], rank: f64) -> DMatrix<f64> {
    let n = places.len();
    let size: Vec<f64> = places.iter().map(|&k| f64::sqrt(w[(k, k)])).collect();
    let eigen = DMatrix::from_fn(n, n, |i, j| {
        let compliance = if i == j { asked[i].compliance } else { 0.0 };
        (w[(places[i], places[j])] + compliance) / (size[i] * size[j])
    })
    .symmetric_eigen();
    let largest = eigen.eigenvalues.amax();
    let inverse = eigen.eigenvalues.map(|x| if x > rank * largest { 1.0 / x } else { 0.0 });
    let vectors = &eigen.eigenvectors;
    let inverse = vectors * DMatrix::from_diagonal(&inverse) * vectors.transpose();
    DMatrix::from_fn(n, n, |i, j| inverse[(i, j)] / (size[i] * size[j]))
}
