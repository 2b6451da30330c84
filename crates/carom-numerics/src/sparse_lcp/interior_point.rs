//! A primal–dual interior-point method for many sparse rows.
//!
//! It follows `z_i s_i = μ` towards `μ = 0` in
//!
//! 1. `d x + b = Yᵀ z`
//! 2. `s = Y x + c z + q`
//! 3. `z ≥ 0`, `s ≥ 0`, `z_i s_i = 0`
//!
//! With `d = 1`, `b = 0`, `c = 0` this is linear complementarity with the matrix `Y Yᵀ`; with `d = 0`, `c = 1`, `q = 0`
//! it is the least `|z|²` among all `z ≥ 0` with `Yᵀ z = b`. Steps are those of Mehrotra (1992), a predictor and a
//! corrector with one factorisation. Each is slightly regularised, as in a proximal method: what that falsifies shows
//! in the residuals of the next step and is corrected there, so redundant rows and rows without room between them do
//! no harm.

use super::tolerances::*;
use super::weighted_gram::WeightedGram;
use crate::sparse::SparseRows;
use crate::{dot, largest};

/// Some rows of a sparse matrix, in ascending order.
#[derive(Clone, Debug)]
pub struct RowSubset<'a> {
    pub y: &'a SparseRows,
    pub rows: Vec<usize>,
}

impl RowSubset<'_> {
    /// `Y x`, one number per row of the subset.
    pub fn times(&self, x: &[f64]) -> Vec<f64> {
        self.rows.iter().map(|&i| self.y.row(i).dot(x)).collect()
    }

    /// `Yᵀ z`, `z` with one number per row of the subset.
    pub fn transposed_times(&self, z: &[f64]) -> Vec<f64> {
        let mut sum = vec![0.0; self.y.width()];
        for (&i, &z) in self.rows.iter().zip(z) {
            self.y.row(i).add_to(&mut sum, z);
        }
        sum
    }

    /// Those rows of the subset whose place in it is `kept`.
    pub fn filter(&self, kept: impl Fn(usize) -> bool) -> Self {
        let rows = self.rows.iter().enumerate().filter(|(k, _)| kept(*k)).map(|(_, &i)| i);
        Self { y: self.y, rows: rows.collect() }
    }
}

/// The equations; rows of `Y` have unit length.
#[derive(Clone, Copy, Debug)]
pub struct Equations<'a> {
    pub part: &'a RowSubset<'a>,
    /// `q`, one per row.
    pub offset: &'a [f64],
    /// `b`, one per coordinate.
    pub target: &'a [f64],
    /// `d`.
    pub inertia: f64,
    /// `c`.
    pub compliance: f64,
}

/// A point near the path.
pub struct InteriorPoint<'a> {
    equations: Equations<'a>,
    x: Vec<f64>,
    pub z: Vec<f64>,
    pub s: Vec<f64>,
}

/// A direction.
struct Step {
    x: Vec<f64>,
    z: Vec<f64>,
    s: Vec<f64>,
}

impl<'a> InteriorPoint<'a> {
    /// A point inside, near that of soft rows. `None` if the matrix cannot be factored.
    pub fn start(equations: Equations<'a>, gram: &mut WeightedGram) -> Option<Self> {
        let Equations { part, offset, target, inertia, compliance } = equations;
        let weight = 1.0 / (compliance + SOFT);
        if !gram.factor(part.y, inertia + STEP_REGULAR, &part.rows, |_| weight) {
            return None;
        }
        let mut x = part.transposed_times(offset);
        x.iter_mut().zip(target).for_each(|(x, b)| *x = -(weight * *x + b));
        gram.solve(&mut x);
        let left: Vec<f64> = part.times(&x).iter().zip(offset).map(|(yx, q)| yx + q).collect();
        let inside = INSIDE * largest(&left).max(f64::MIN_POSITIVE);
        let z = left.iter().map(|left| weight * ((-left).max(0.0) + inside)).collect();
        let s = left.iter().map(|left| left.max(0.0) + inside).collect();
        Some(Self { equations, x, z, s })
    }

    /// `μ`, the mean of `z_i s_i`.
    pub fn mu(&self) -> f64 {
        dot(&self.z, &self.s) / self.z.len() as f64
    }

    /// Which rows push: `z_i > s_i`.
    pub fn pushing(&self) -> Vec<bool> {
        self.z.iter().zip(&self.s).map(|(z, s)| z > s).collect()
    }

    /// Whether no row is in doubt: of `z_i` and `s_i` one is far larger than the other.
    pub fn settled(&self) -> bool {
        self.z.iter().zip(&self.s).all(|(z, s)| z.max(*s) > CLEAR * z.min(*s))
    }

    /// Goes on by one step. `None` if the matrix cannot be factored, or the step leads nowhere any more.
    pub fn step(&mut self, gram: &mut WeightedGram) -> Option<()> {
        let Equations { part, offset, target, inertia, compliance } = self.equations;
        let (z, s) = (&self.z, &self.s);
        let weight: Vec<f64> =
            z.iter().zip(s).map(|(z, s)| 1.0 / (s / z + compliance + STEP_REGULAR)).collect();
        if !gram.factor(part.y, inertia + STEP_REGULAR, &part.rows, |k| weight[k]) {
            return None;
        }
        let yx = part.times(&self.x);
        let mut column_left = part.transposed_times(z);
        for (c, left) in column_left.iter_mut().enumerate() {
            *left -= inertia * self.x[c] + target[c];
        }
        let row_left: Vec<f64> =
            (0..z.len()).map(|k| yx[k] + compliance * z[k] + offset[k] - s[k]).collect();
        // The step that makes z_i s_i change by `wanted_i` to first order.
        let mut towards = |wanted: &[f64]| {
            let pull: Vec<f64> =
                (0..z.len()).map(|k| weight[k] * (wanted[k] / z[k] - row_left[k])).collect();
            let mut dx = part.transposed_times(&pull);
            dx.iter_mut().zip(&column_left).for_each(|(dx, left)| *dx += left);
            gram.solve(&mut dx);
            let ydx = part.times(&dx);
            let dz: Vec<f64> = (0..z.len()).map(|k| pull[k] - weight[k] * ydx[k]).collect();
            let ds = (0..z.len()).map(|k| (wanted[k] - s[k] * dz[k]) / z[k]).collect();
            Step { x: dx, z: dz, s: ds }
        };
        let all_the_way: Vec<f64> = z.iter().zip(s).map(|(z, s)| -z * s).collect();
        let predictor = towards(&all_the_way);
        let length = self.longest(&predictor).min(1.0);
        let mu = self.mu();
        let reached: f64 = (0..z.len())
            .map(|k| (z[k] + length * predictor.z[k]) * (s[k] + length * predictor.s[k]))
            .sum();
        let ratio = reached / (mu * z.len() as f64);
        let aim = ratio * ratio * ratio * mu;
        let wanted: Vec<f64> =
            (0..z.len()).map(|k| aim + all_the_way[k] - predictor.z[k] * predictor.s[k]).collect();
        let step = towards(&wanted);
        let length = (NEARLY_ALL * self.longest(&step)).min(1.0);
        // Rounding, not the boundary, is what bars a way as short as this; and no number may become less than a number.
        if !(length > f64::EPSILON && largest(&step.x).is_finite()) {
            return None;
        }
        advance(&mut self.x, length, &step.x);
        advance(&mut self.z, length, &step.z);
        advance(&mut self.s, length, &step.s);
        self.z.iter().chain(&self.s).all(|x| *x > 0.0).then_some(())
    }

    /// How far a step can go before a `z` or `s` becomes zero; infinite if never.
    fn longest(&self, step: &Step) -> f64 {
        let reach = |length: f64, (value, change): (&f64, &f64)| match *change < 0.0 {
            true => length.min(-value / change),
            false => length,
        };
        let by_z = self.z.iter().zip(&step.z).fold(f64::INFINITY, reach);
        self.s.iter().zip(&step.s).fold(by_z, reach)
    }
}

/// `x += length · step`.
fn advance(x: &mut [f64], length: f64, step: &[f64]) {
    x.iter_mut().zip(step).for_each(|(x, step)| *x += length * step);
}
