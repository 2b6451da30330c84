//! Dormand and Prince's Runge–Kutta method of order 8(5,3), on any number of unknowns, without allocation in a step.
//!
//! Hairer, Nørsett, Wanner: Solving Ordinary Differential Equations I, second edition, sections II.5, II.6 and II.10.

mod tables;
#[cfg(test)]
mod tests;

use crate::larger;
use tables::{BETWEEN, DENSE, ERROR_FIFTH, ERROR_THIRD, SOLUTION, STAGES, Weights};

/// Slopes at the start, at eleven stages, and at the end of a step.
const SLOPES: usize = 13;
/// Coefficients of continuous output beyond the value at the start.
const COEFFICIENTS: usize = 7;

/// Dormand and Prince's method of order 8 with error estimates of orders 5 and 3 and continuous output of order 7: for
/// smooth problems that are not stiff.
#[derive(Clone, Debug, Default)]
pub struct Dop853 {
    /// Where the step starts.
    pub start: Vec<f64>,
    /// Where it ends.
    pub end: Vec<f64>,
    /// The length of the last step.
    length: f64,
    /// How many of the unknowns are integrals.
    integrals: usize,
    stage: Vec<f64>,
    slopes: Vec<f64>,
    coefficients: Vec<f64>,
}

impl Dop853 {
    /// How many numbers [`polynomial`](Self::polynomial) has.
    pub const COEFFICIENTS: usize = COEFFICIENTS;

    /// Makes room for so many unknowns.
    pub fn resize(&mut self, unknowns: usize) {
        self.resize_with_integrals(unknowns, 0);
    }

    /// Makes room for so many unknowns, and behind them integrals on which no slope depends: they cost next to nothing.
    /// `slope` sees the unknowns only and writes the slopes of both.
    pub fn resize_with_integrals(&mut self, unknowns: usize, integrals: usize) {
        let all = unknowns + integrals;
        self.integrals = integrals;
        self.start.resize(all, 0.0);
        self.end.resize(all, 0.0);
        self.stage.resize(unknowns, 0.0);
        self.slopes.resize((SLOPES + BETWEEN.len()) * all, 0.0);
        self.coefficients.resize(COEFFICIENTS * all, 0.0);
    }

    /// Computes the slope at the start: wanted before the first step, and whenever `start` or the system has been
    /// changed from outside.
    pub fn begin(&mut self, mut slope: impl FnMut(&[f64], &mut [f64])) {
        let n = self.start.len();
        slope(&self.start[..n - self.integrals], &mut self.slopes[..n]);
    }

    /// Computes the end of a step of length `h`, and the slope there; the last call of `slope` is at the end. May be
    /// repeated with another length.
    pub fn step(&mut self, h: f64, mut slope: impl FnMut(&[f64], &mut [f64])) {
        let n = self.start.len();
        self.length = h;
        for (s, weights) in STAGES.iter().enumerate() {
            combine(&mut self.stage, &self.start, h, weights, &self.slopes);
            slope(&self.stage, &mut self.slopes[(s + 1) * n..(s + 2) * n]);
        }
        combine(&mut self.end, &self.start, h, SOLUTION, &self.slopes);
        let end = &self.end[..n - self.integrals];
        slope(end, &mut self.slopes[(SLOPES - 1) * n..SLOPES * n]);
    }

    /// The error of the last step: the largest of all unknowns, each relative to its scale; infinite if one of them is
    /// not a number.
    pub fn error(&self, scale: &[f64]) -> f64 {
        let n = self.start.len();
        let mut largest: f64 = 0.0;
        for (i, scale) in scale.iter().enumerate() {
            let sum = |weights: Weights| -> f64 {
                weights.iter().map(|(s, w)| w * self.slopes[s * n + i]).sum()
            };
            let (fifth, third) = (sum(ERROR_FIFTH), sum(ERROR_THIRD));
            let size = f64::sqrt(fifth * fifth + 0.01 * third * third);
            if size != 0.0 {
                largest = larger(largest, self.length * fifth * fifth / (size * scale));
            }
        }
        largest
    }

    /// Prepares [`interpolate`](Self::interpolate) for the last step: three more slopes.
    pub fn prepare(&mut self, mut slope: impl FnMut(&[f64], &mut [f64])) {
        let (n, h) = (self.start.len(), self.length);
        for (s, weights) in (SLOPES..).zip(&BETWEEN) {
            combine(&mut self.stage, &self.start, h, weights, &self.slopes);
            slope(&self.stage, &mut self.slopes[s * n..(s + 1) * n]);
        }
        for (i, at) in self.coefficients.chunks_exact_mut(COEFFICIENTS).enumerate() {
            let rise = self.end[i] - self.start[i];
            let first = h * self.slopes[i] - rise;
            let last = rise - h * self.slopes[(SLOPES - 1) * n + i] - first;
            at[..3].copy_from_slice(&[rise, first, last]);
            for (out, weights) in at[3..].iter_mut().zip(&DENSE) {
                *out = h * weights.iter().map(|(s, w)| w * self.slopes[s * n + i]).sum::<f64>();
            }
        }
    }

    /// The state after the part `theta` of the last step, 0 at its start and 1 at its end. Wants
    /// [`prepare`](Self::prepare), and is lost with [`accept`](Self::accept).
    pub fn interpolate(&self, theta: f64, out: &mut [f64]) {
        for (i, out) in out.iter_mut().enumerate().take(self.start.len()) {
            *out = self.component(i, theta);
        }
    }

    /// One unknown of [`interpolate`](Self::interpolate).
    pub fn component(&self, i: usize, theta: f64) -> f64 {
        Self::along(self.start[i], self.polynomial(i), theta)
    }

    /// The coefficients of one unknown of [`interpolate`](Self::interpolate), to be kept for [`along`](Self::along).
    pub fn polynomial(&self, i: usize) -> &[f64; COEFFICIENTS] {
        &self.coefficients.as_chunks().0[i]
    }

    /// What [`component`](Self::component) is, from the value at the start of the step and the polynomial.
    pub fn along(start: f64, polynomial: &[f64], theta: f64) -> f64 {
        let rest = 1.0 - theta;
        let mut value = 0.0;
        for (power, c) in polynomial.iter().enumerate().rev() {
            value = (value + c) * if power % 2 == 0 { theta } else { rest };
        }
        start + value
    }

    /// Ends the last step after its part `theta`: the next wants [`begin`](Self::begin). Needs
    /// [`prepare`](Self::prepare), and may be repeated with another part.
    pub fn shorten(&mut self, theta: f64) {
        for i in 0..self.end.len() {
            self.end[i] = self.component(i, theta);
        }
    }

    /// The next step starts where the last one ended; it needs no [`begin`](Self::begin).
    pub fn accept(&mut self) {
        let n = self.start.len();
        self.start.copy_from_slice(&self.end);
        self.slopes.copy_within((SLOPES - 1) * n..SLOPES * n, 0);
    }
}

/// `out = start + h Σ weight_s slope_s`, as many of them as are wanted.
fn combine(out: &mut [f64], start: &[f64], h: f64, weights: Weights, slopes: &[f64]) {
    let (n, wanted) = (start.len(), out.len());
    out.copy_from_slice(&start[..wanted]);
    for &(s, weight) in weights {
        let factor = h * weight;
        for (out, slope) in out.iter_mut().zip(&slopes[s * n..s * n + wanted]) {
            *out += factor * slope;
        }
    }
}
