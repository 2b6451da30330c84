//! Steinebach's Rosenbrock method Rodas5P: linearly implicit, stiffly accurate, L-stable, on any number of unknowns,
//! without allocation in a step.
//!
//! With the increments `Uᵢ` of Hairer and Wanner (Solving Ordinary Differential Equations II, section IV.7):
//! `(I/(hγ) − J) Uᵢ = f(y₀ + Σ aᵢⱼ Uⱼ) + Σ (cᵢⱼ/h) Uⱼ`, one factorisation for all eight stages.
//!
//! Steinebach, G.: Construction of Rosenbrock–Wanner method Rodas5P and numerical benchmarks within the Julia
//! Differential Equations package. BIT Numerical Mathematics 63, 27 (2023).

mod tables;
#[cfg(test)]
mod tests;

use crate::larger;
use crate::lu::Lu;
use tables::{COUPLINGS, DENSE, GAMMA, PLACES};

/// Stages, each with an increment of the state.
const STAGES: usize = COUPLINGS.len();

/// What the rate of an integral at each stage, `f + J u`, adds to it at the end of a step, divided by `hγ`. Its increments
/// are linear in these rates, `Uᵢ = hγ (rateᵢ + Σ (cᵢⱼ/h) Uⱼ)`, so that their sum needs none of them.
const INTEGRAL: [f64; STAGES] = {
    let mut weights = [1.0; STAGES];
    let mut i = STAGES;
    while i > 0 {
        i -= 1;
        let last = PLACES[PLACES.len() - 1];
        if i < last.len() {
            weights[i] = last[i];
        }
        let mut j = i + 1;
        while j < STAGES {
            weights[i] += GAMMA * COUPLINGS[j][i] * weights[j];
            j += 1;
        }
    }
    weights
};

/// The step has no solution: its length is the inverse of a growth rate of the system. A shorter one has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SingularStep;

impl std::fmt::Display for SingularStep {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the linear system of the step is singular or not finite; shorten the step")
    }
}

impl std::error::Error for SingularStep {}

/// Steinebach's Rodas5P of order 5 with an error estimate of order 4 and continuous output of order 4: for stiff
/// problems. The Jacobian must be exact.
///
/// Systems that depend on time carry it as an unknown of slope 1: a Rosenbrock method then does what its form with
/// explicit time does.
#[derive(Clone, Debug, Default)]
pub struct Rodas5p {
    /// Where the step starts.
    pub start: Vec<f64>,
    /// Where it ends.
    pub end: Vec<f64>,
    /// The length of the last step.
    length: f64,
    /// How many of the unknowns are integrals.
    integrals: usize,
    slope: Vec<f64>,
    jacobian: Vec<f64>,
    lu: Lu,
    stage: Vec<f64>,
    /// Of all unknowns, stage by stage; of integrals their slopes, until [`prepare`](Self::prepare).
    increments: Vec<f64>,
    prepared: bool,
    /// The sum of increments on which integrals depend.
    sum: Vec<f64>,
}

impl Rodas5p {
    /// Makes room for so many unknowns.
    pub fn resize(&mut self, unknowns: usize) {
        self.resize_with_integrals(unknowns, 0);
    }

    /// Makes room for so many unknowns, and behind them integrals on which no slope depends: they have no part in the
    /// linear systems. Closures see the unknowns only and write the slopes of both; the Jacobian has a row for each of
    /// both and a column for each unknown.
    pub fn resize_with_integrals(&mut self, unknowns: usize, integrals: usize) {
        let all = unknowns + integrals;
        self.integrals = integrals;
        self.start.resize(all, 0.0);
        self.end.resize(all, 0.0);
        self.slope.resize(all, 0.0);
        self.jacobian.resize(all * unknowns, 0.0);
        self.lu.resize(unknowns);
        self.stage.resize(unknowns, 0.0);
        self.sum.resize(unknowns, 0.0);
        self.increments.resize(STAGES * all, 0.0);
    }

    /// Computes slope and Jacobian at the start: wanted before each step, not when one is repeated with another length.
    /// `system(state, slope, jacobian)` writes all of the Jacobian, row by row: entry `i n + j` is the derivative of the
    /// slope of unknown `i` with respect to unknown `j`.
    pub fn begin(&mut self, mut system: impl FnMut(&[f64], &mut [f64], &mut [f64])) {
        let unknowns = self.start.len() - self.integrals;
        system(&self.start[..unknowns], &mut self.slope, &mut self.jacobian);
    }

    /// Computes the end of a step of length `h`. May be repeated with another length.
    pub fn step(
        &mut self,
        h: f64,
        mut slope: impl FnMut(&[f64], &mut [f64]),
    ) -> Result<(), SingularStep> {
        let n = self.start.len();
        let unknowns = n - self.integrals;
        for (entry, j) in self.lu.matrix.iter_mut().zip(&self.jacobian) {
            *entry = -j;
        }
        for entry in self.lu.matrix.iter_mut().step_by(unknowns + 1) {
            *entry += 1.0 / (h * GAMMA);
        }
        if !self.lu.factor() {
            return Err(SingularStep);
        }
        (self.length, self.prepared) = (h, self.integrals == 0);
        for (s, couplings) in COUPLINGS.iter().enumerate() {
            let (before, rest) = self.increments.split_at_mut(s * n);
            let increment = &mut rest[..n];
            if s == 0 {
                increment.copy_from_slice(&self.slope);
            } else {
                if let Some(weights) = PLACES.get(s) {
                    self.stage.copy_from_slice(&self.start[..unknowns]);
                    add(&mut self.stage, 1.0, weights, before, n);
                } else {
                    add(&mut self.stage, 1.0, &[1.0], &before[(s - 1) * n..], n);
                }
                slope(&self.stage, increment);
                add(&mut increment[..unknowns], 1.0 / h, couplings, before, n);
            }
            self.lu.solve(&mut increment[..unknowns]);
        }
        let (end, integrals) = self.end.split_at_mut(unknowns);
        end.copy_from_slice(&self.stage);
        add(end, 1.0, &[1.0], &self.increments[(STAGES - 1) * n..], n);
        integrals.copy_from_slice(&self.start[unknowns..]);
        add(integrals, h * GAMMA, &INTEGRAL, &self.increments[unknowns..], n);
        self.sum.fill(0.0);
        add(&mut self.sum, h * GAMMA, &INTEGRAL, &self.increments, n);
        let rows = self.jacobian[unknowns * unknowns..].chunks_exact(unknowns.max(1));
        for (integral, row) in integrals.iter_mut().zip(rows) {
            *integral += row.iter().zip(&self.sum).map(|(j, u)| j * u).sum::<f64>();
        }
        Ok(())
    }

    /// Prepares [`interpolate`](Self::interpolate) and [`component`](Self::component) of integrals; unknowns need none.
    pub fn prepare(&mut self) {
        if std::mem::replace(&mut self.prepared, true) {
            return;
        }
        let (n, h) = (self.start.len(), self.length);
        let unknowns = n - self.integrals;
        for (s, couplings) in COUPLINGS.iter().enumerate() {
            let (before, rest) = self.increments.split_at_mut(s * n);
            let (increment, integrals) = rest[..n].split_at_mut(unknowns);
            if s > 0 {
                add(integrals, 1.0 / h, couplings, &before[unknowns..], n);
            }
            // Their rows of the same linear system: nothing but their own stands on the left.
            let rows = self.jacobian[unknowns * unknowns..].chunks_exact(unknowns.max(1));
            for (integral, row) in integrals.iter_mut().zip(rows) {
                let rate: f64 = row.iter().zip(increment.iter()).map(|(j, u)| j * u).sum();
                *integral = h * GAMMA * (*integral + rate);
            }
        }
    }

    /// The error of the last step: the largest of all unknowns, each relative to its scale; infinite if one of them is
    /// not a number.
    pub fn error(&self, scale: &[f64]) -> f64 {
        let last = &self.increments[(STAGES - 1) * self.start.len()..];
        last.iter().zip(scale).map(|(x, scale)| x.abs() / scale).fold(0.0, larger)
    }

    /// The state after the part `theta` of the last step, 0 at its start and 1 at its end; integrals want
    /// [`prepare`](Self::prepare). Is lost with [`accept`](Self::accept).
    pub fn interpolate(&self, theta: f64, out: &mut [f64]) {
        for (i, out) in out.iter_mut().enumerate().take(self.start.len()) {
            *out = self.component(i, theta);
        }
    }

    /// One unknown of [`interpolate`](Self::interpolate).
    pub fn component(&self, i: usize, theta: f64) -> f64 {
        let n = self.start.len();
        let rest = 1.0 - theta;
        let mut value = 0.0;
        for weights in DENSE.iter().rev() {
            let increments = self.increments[i..].iter().step_by(n.max(1));
            value = theta * value + weights.iter().zip(increments).map(|(w, u)| w * u).sum::<f64>();
        }
        rest * self.start[i] + theta * (self.end[i] + rest * value)
    }

    /// The next step starts where the last one ended; [`begin`](Self::begin) it.
    pub fn accept(&mut self) {
        self.start.copy_from_slice(&self.end);
    }
}

/// `out += factor Σ weight_s vector_s`, where one vector begins every `n` numbers.
fn add(out: &mut [f64], factor: f64, weights: &[f64], vectors: &[f64], n: usize) {
    for (weight, vector) in weights.iter().zip(vectors.chunks(n.max(1))) {
        let weight = factor * weight;
        for (out, x) in out.iter_mut().zip(vector) {
            *out += weight * x;
        }
    }
}
