//! Dormand and Prince's Runge–Kutta method of order 8(5,3), on any number of unknowns, without allocation in a step.
//!
//! Hairer, Nørsett, Wanner: Solving Ordinary Differential Equations I, second edition, section II.10.

mod tables;

use tables::{ERROR_FIFTH, ERROR_THIRD, SOLUTION, STAGES, Weights};

/// Slopes at the start, at eleven stages, and at the end of a step.
const SLOPES: usize = 13;

/// Dormand and Prince's method of order 8 with error estimates of orders 5 and 3: for smooth problems that are not
/// stiff.
#[derive(Clone, Debug, Default)]
pub struct Dop853 {
    /// Where the step starts.
    pub start: Vec<f64>,
    /// Where it ends.
    pub end: Vec<f64>,
    stage: Vec<f64>,
    slopes: Vec<f64>,
}

impl Dop853 {
    /// Makes room for so many unknowns.
    pub fn resize(&mut self, unknowns: usize) {
        self.start.resize(unknowns, 0.0);
        self.end.resize(unknowns, 0.0);
        self.stage.resize(unknowns, 0.0);
        self.slopes.resize(SLOPES * unknowns, 0.0);
    }

    /// Computes the slope at the start.
    pub fn begin(&mut self, mut slope: impl FnMut(&[f64], &mut [f64])) {
        let n = self.start.len();
        slope(&self.start, &mut self.slopes[..n]);
    }

    /// Computes the end of a step of length `h`, and the slope there.
    pub fn step(&mut self, h: f64, mut slope: impl FnMut(&[f64], &mut [f64])) {
        let n = self.start.len();
        for (s, weights) in STAGES.iter().enumerate() {
            combine(&mut self.stage, &self.start, h, weights, &self.slopes);
            slope(&self.stage, &mut self.slopes[(s + 1) * n..(s + 2) * n]);
        }
        combine(&mut self.end, &self.start, h, SOLUTION, &self.slopes);
        slope(&self.end, &mut self.slopes[(SLOPES - 1) * n..]);
    }

    /// The error of the last step, of length `h`: the largest of all unknowns, each relative to its scale.
    pub fn error(&self, h: f64, scale: &[f64]) -> f64 {
        let n = self.start.len();
        let mut largest: f64 = 0.0;
        for (i, scale) in scale.iter().enumerate() {
            let sum = |weights: Weights| -> f64 {
                weights.iter().map(|(s, w)| w * self.slopes[s * n + i]).sum()
            };
            let (fifth, third) = (sum(ERROR_FIFTH), sum(ERROR_THIRD));
            let size = libm::sqrt(fifth * fifth + 0.01 * third * third);
            if size > 0.0 {
                largest = largest.max(h * fifth * fifth / (size * scale));
            }
        }
        largest
    }

    /// The next step starts where the last one ended.
    pub fn accept(&mut self) {
        let n = self.start.len();
        self.start.copy_from_slice(&self.end);
        self.slopes.copy_within((SLOPES - 1) * n.., 0);
    }
}

/// `out = start + h Σ weight_s slope_s`.
fn combine(out: &mut [f64], start: &[f64], h: f64, weights: Weights, slopes: &[f64]) {
    let n = start.len();
    out.copy_from_slice(start);
    for &(s, weight) in weights {
        let factor = h * weight;
        for (out, slope) in out.iter_mut().zip(&slopes[s * n..(s + 1) * n]) {
            *out += factor * slope;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The harmonic oscillator over a third of its period: the error falls with the eighth power of the step.
    #[test]
    fn the_method_is_of_order_eight() {
        let turn = |steps: usize| {
            let h = 2.0 / steps as f64;
            let slope = |y: &[f64], out: &mut [f64]| {
                (out[0], out[1]) = (y[1], -y[0]);
            };
            let mut integrator = Dop853::default();
            integrator.resize(2);
            integrator.start.copy_from_slice(&[1.0, 0.0]);
            integrator.begin(slope);
            for _ in 0..steps {
                integrator.step(h, slope);
                integrator.accept();
            }
            (integrator.start[0] - libm::cos(2.0)).abs()
        };
        let (coarse, fine) = (turn(2), turn(4));
        let order = libm::log2(coarse / fine);
        assert!((7.5..9.5).contains(&order), "{coarse:e} {fine:e}");
    }
}
