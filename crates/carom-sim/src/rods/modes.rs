//! The free vibrations of a row of masses, in closed form.

use crate::event::Sample;
use std::f64::consts::PI;

/// A free row of `n` unit springs, unit masses between them and half a mass at either end.
///
/// `x_j = Σ_k q_k cos(kπj/n)`, `q̈_k = −ω_k² q_k`, `ω_k = 2 sin(kπ/2n)`, for `j, k = 0 … n`. Two such rows joined end to end
/// are again such a row: the half masses become one.
#[derive(Clone, Debug)]
pub(super) struct Modes {
    springs: usize,
    /// `cos(πi/n)` for `i < 2n`.
    cosine: Vec<f64>,
    frequency: Vec<f64>,
    /// `q_k` and `q̇_k`.
    amplitude: Vec<[f64; 2]>,
    /// `cos ωh`, `sin ωh / ω`, `−ω sin ωh` for the step `h` of the walk.
    walk: Vec<[f64; 3]>,
    step: f64,
}

impl Modes {
    pub(super) fn new(springs: usize, step: f64) -> Self {
        let n = springs as f64;
        let cosine = (0..2 * springs).map(|i| libm::cos(PI * i as f64 / n)).collect();
        let frequency: Vec<f64> =
            (0..=springs).map(|k| 2.0 * libm::sin(PI * k as f64 / (2.0 * n))).collect();
        let walk = frequency.iter().map(|&omega| turn(omega, step)).collect();
        Self { springs, cosine, frequency, amplitude: vec![[0.0; 2]; springs + 1], walk, step }
    }

    fn shape(&self, mode: usize, place: usize) -> f64 {
        self.cosine[mode * place % self.cosine.len()]
    }

    /// Sets the state from displacements and velocities.
    pub(super) fn set(&mut self, state: &[[f64; 2]]) {
        let last = self.springs;
        for mode in 0..=last {
            let mut sum = [0.0; 2];
            for (place, [x, v]) in state.iter().enumerate() {
                let half = if place == 0 || place == last { 0.5 } else { 1.0 };
                let shape = half * self.shape(mode, place);
                sum[0] += shape * x;
                sum[1] += shape * v;
            }
            let norm = if mode == 0 || mode == last { 1.0 } else { 2.0 } / last as f64;
            self.amplitude[mode] = sum.map(|s| norm * s);
        }
    }

    /// Displacements and velocities.
    pub(super) fn state(&self) -> Vec<[f64; 2]> {
        let at = |place: usize| {
            self.amplitude.iter().enumerate().fold([0.0; 2], |sum, (mode, [q, p])| {
                let shape = self.shape(mode, place);
                [sum[0] + shape * q, sum[1] + shape * p]
            })
        };
        (0..=self.springs).map(at).collect()
    }

    /// One step of the walk.
    pub(super) fn step(&mut self) {
        for (amplitude, walk) in self.amplitude.iter_mut().zip(&self.walk) {
            *amplitude = turned(*amplitude, walk);
        }
    }

    /// Any time forward.
    pub(super) fn advance(&mut self, time: f64) {
        for (amplitude, &omega) in self.amplitude.iter_mut().zip(&self.frequency) {
            *amplitude = turned(*amplitude, &turn(omega, time));
        }
    }

    /// `Σ_k weight_k q_k` and its derivative after some time.
    pub(super) fn measure(&self, weight: &[f64], time: f64) -> Sample {
        self.weigh(weight, time, self.frequency.iter().map(|&omega| turn(omega, time)))
    }

    /// The same at both ends of the next step of the walk, without trigonometry.
    pub(super) fn measure_step(&self, weight: &[f64]) -> [Sample; 2] {
        let still = std::iter::repeat([1.0, 0.0, 0.0]);
        [self.weigh(weight, 0.0, still), self.weigh(weight, self.step, self.walk.iter().copied())]
    }

    fn weigh(&self, weight: &[f64], time: f64, turns: impl Iterator<Item = [f64; 3]>) -> Sample {
        let (mut value, mut slope) = (0.0, 0.0);
        for ((amplitude, turn), weight) in self.amplitude.iter().zip(turns).zip(weight) {
            let [q, p] = turned(*amplitude, &turn);
            value += weight * q;
            slope += weight * p;
        }
        Sample { time, value, slope }
    }

    /// The weights that measure the displacement at one place.
    pub(super) fn place(&self, place: usize) -> Vec<f64> {
        (0..=self.springs).map(|mode| self.shape(mode, place)).collect()
    }

    pub(super) fn mean_velocity(&self) -> f64 {
        self.amplitude[0][1]
    }

    pub(super) fn mean_displacement(&self) -> f64 {
        self.amplitude[0][0]
    }

    /// No mass ever strays further from the mean motion than this.
    pub(super) fn max_excursion(&self) -> f64 {
        let vibrations = self.amplitude.iter().zip(&self.frequency).skip(1);
        vibrations.map(|([q, p], omega)| libm::hypot(*q, p / omega)).sum()
    }

    /// Energy of the vibrations.
    pub(super) fn vibration(&self) -> f64 {
        let modes = self.amplitude.iter().zip(&self.frequency).enumerate().skip(1);
        modes
            .map(|(mode, ([q, p], omega))| {
                let mass = if mode == self.springs { 1.0 } else { 0.5 } * self.springs as f64;
                0.5 * mass * (p * p + omega * omega * q * q)
            })
            .sum()
    }
}

/// The three numbers by which a vibration of frequency `omega` moves on for some time.
fn turn(omega: f64, time: f64) -> [f64; 3] {
    if omega == 0.0 {
        return [1.0, time, 0.0];
    }
    let (sin, cos) = libm::sincos(omega * time);
    [cos, sin / omega, -omega * sin]
}

fn turned([q, p]: [f64; 2], [cos, forward, back]: &[f64; 3]) -> [f64; 2] {
    [cos * q + forward * p, back * q + cos * p]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modes_solve_the_equations_of_motion() {
        // Any state: its acceleration by the springs must be the second derivative of the modes, −ω² q.
        let state: Vec<[f64; 2]> =
            (0..6).map(|j| [f64::from(j * j % 5), f64::from(j % 3)]).collect();
        let mut modes = Modes::new(5, 0.1);
        modes.set(&state);
        let back = modes.state();
        let acceleration = |j: usize| {
            let pull = |i: usize| state[i][0] - state[j][0];
            match j {
                0 => 2.0 * pull(1),
                5 => 2.0 * pull(4),
                _ => pull(j - 1) + pull(j + 1),
            }
        };
        for j in 0..6 {
            assert!((back[j][0] - state[j][0]).abs() < 1e-14);
            assert!((back[j][1] - state[j][1]).abs() < 1e-14);
            let sum: f64 = (0..6)
                .map(|k| -modes.frequency[k].powi(2) * modes.amplitude[k][0] * modes.shape(k, j))
                .sum();
            assert!((sum - acceleration(j)).abs() < 1e-13, "mass {j}: {sum}");
        }
    }

    #[test]
    fn two_steps_are_one_advance() {
        let mut walked = Modes::new(4, 0.25);
        walked.set(&[[1.0, 0.0], [0.0, 2.0], [0.5, 0.0], [0.0, -1.0], [0.0, 0.0]]);
        let mut jumped = walked.clone();
        let (energy, weight) = (walked.vibration(), walked.place(4));
        let measured = walked.measure(&weight, 0.5).value;
        walked.step();
        walked.step();
        jumped.advance(0.5);
        for (a, b) in walked.state().iter().zip(jumped.state()) {
            assert!((a[0] - b[0]).abs() < 1e-14 && (a[1] - b[1]).abs() < 1e-14);
        }
        assert!((walked.state()[4][0] - measured).abs() < 1e-14);
        assert!((walked.vibration() - energy).abs() < 1e-14 * energy);
    }
}
