//! Contacts that do not slip, cannot roll, and so begin to slip: in which direction?
//!
//! Friction opposes the slip at the end of the step, `w = u_t + W_t p`, which depends on it. Each such contact has one
//! unknown, the angle of a direction `s`; given the angles, everything else is linear. Wanted is `w × s = 0` with
//! `w·s ≥ 0`, for a root at which friction drives the slip is none. Where `w` vanishes the contact rolls at the limit of
//! its friction, which is as good.

use super::equations::{Equations, Modes};
use super::journal::Trouble;
use super::medium::dot;
use super::part::Part;
use crate::outcome::ContactMode;

/// Slip across its direction that counts as none, relative to the largest speed \[1\].
const ACROSS: f64 = 1e-12;
/// Where rounding does not let it become smaller, slip across that is tolerated \[1\].
const TOLERATED: f64 = 1e-9;
/// Steps of Newton's method from one start.
const STEPS: u32 = 40;
/// A step turns no direction further than this \[rad\].
const TURN: f64 = 0.7;
/// Angles at which the sole unknown is tried where Newton's method fails.
const SCAN: usize = 96;
/// Multiples of this never repeat and never cluster \[rad\].
const GOLDEN_ANGLE: f64 = 2.399_963_229_728_653;
/// Starts that are tried where there are several unknowns.
const STARTS: usize = 12;

/// The search for directions; memory is kept.
#[derive(Clone, Debug, Default)]
pub(super) struct Impending {
    /// Contacts with two tangents, whose angles are sought.
    turning: Vec<usize>,
    /// Contacts with one tangent, whose signs are sought.
    flipping: Vec<usize>,
    angles: Vec<f64>,
    start: Vec<f64>,
    trial: Vec<f64>,
    across: Vec<f64>,
    matrix: Vec<f64>,
    change: Vec<f64>,
    step: Vec<f64>,
}

impl Impending {
    /// Finds the directions; `part.step` is then the impulse. `modes.slip` holds a first guess. The answer is the largest
    /// speed by which a linear equation is missed [m/s].
    pub(super) fn solve(
        &mut self,
        equations: &mut Equations,
        part: &mut Part,
        modes: &mut Modes,
    ) -> Result<f64, Trouble> {
        self.turning.clear();
        self.flipping.clear();
        for (k, mode) in modes.of.iter().enumerate() {
            match (mode, part.tangents[k]) {
                (ContactMode::Impending, 2) => self.turning.push(k),
                (ContactMode::Impending, _) => self.flipping.push(k),
                _ => {}
            }
        }
        self.start.clear();
        self.start
            .extend(self.turning.iter().map(|&k| libm::atan2(modes.slip[k][1], modes.slip[k][0])));
        let scale = part.speed;
        let mut nearest = f64::INFINITY;
        // Each attempt flips the signs that friction would drive; none is tried twice by going round in a circle.
        for _ in 0..=2 * self.flipping.len() {
            nearest = nearest.min(self.turn(equations, part, modes, scale));
            let missed = equations.solve(part, modes);
            if self.size() > TOLERATED * scale + part.rounding(&part.step) {
                break;
            }
            let mut flipped = false;
            for &k in &self.flipping {
                let end = part.slip_after(k, 1.0)[0];
                if end * modes.slip[k][0] < -TOLERATED * scale {
                    modes.slip[k][0] = -modes.slip[k][0];
                    flipped = true;
                }
            }
            if !flipped {
                return Ok(missed);
            }
        }
        Err(Trouble::NoDirection { residual: nearest / scale })
    }

    /// Finds the angles, signs being given; answers the slip across that is left [m/s].
    fn turn(
        &mut self,
        equations: &mut Equations,
        part: &mut Part,
        modes: &mut Modes,
        scale: f64,
    ) -> f64 {
        let mut nearest = f64::INFINITY;
        self.angles.clone_from(&self.start);
        nearest = nearest.min(self.newton(equations, part, modes, scale));
        if nearest <= TOLERATED * scale || self.turning.is_empty() {
            return nearest;
        }
        if self.turning.len() == 1 {
            return nearest.min(self.scan(equations, part, modes, scale));
        }
        for attempt in 0..STARTS {
            self.angles.clear();
            for (i, &k) in self.turning.iter().enumerate() {
                let angle = match attempt {
                    // Along the slip there is, then against the first guess, then anywhere.
                    0 => libm::atan2(part.slip(k)[1], part.slip(k)[0]),
                    1 => self.start[i] + std::f64::consts::PI,
                    _ => self.start[i] + GOLDEN_ANGLE * attempt as f64,
                };
                self.angles.push(angle);
            }
            nearest = nearest.min(self.newton(equations, part, modes, scale));
            if nearest <= TOLERATED * scale {
                return nearest;
            }
        }
        nearest
    }

    /// Newton's method from `self.angles`, which it leaves at the best it found.
    fn newton(
        &mut self,
        equations: &mut Equations,
        part: &mut Part,
        modes: &mut Modes,
        scale: f64,
    ) -> f64 {
        let n = self.turning.len();
        self.evaluate(equations, part, modes);
        for _ in 0..STEPS {
            let before = self.size();
            if before <= ACROSS * scale {
                break;
            }
            self.differentiate(equations, part, modes);
            if !eliminate(&mut self.matrix, &mut self.across, n) {
                break;
            }
            let largest = self.across.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
            let mut share = if largest > TURN { TURN / largest } else { 1.0 };
            self.trial.clone_from(&self.angles);
            std::mem::swap(&mut self.step, &mut self.across);
            let mut better = false;
            while share > 1e-6 {
                for ((angle, old), step) in self.angles.iter_mut().zip(&self.trial).zip(&self.step)
                {
                    *angle = old - share * step;
                }
                self.evaluate(equations, part, modes);
                if self.size() < before {
                    better = true;
                    break;
                }
                share *= 0.5;
            }
            if !better {
                self.angles.clone_from(&self.trial);
                self.evaluate(equations, part, modes);
                break;
            }
        }
        self.size()
    }

    /// The one unknown angle by trying all round; of several roots the one with the smallest impulse.
    fn scan(
        &mut self,
        equations: &mut Equations,
        part: &mut Part,
        modes: &mut Modes,
        scale: f64,
    ) -> f64 {
        let mut best: Option<(f64, f64)> = None;
        let mut nearest = f64::INFINITY;
        let step = 2.0 * std::f64::consts::PI / SCAN as f64;
        let at = |this: &mut Self,
                  angle: f64,
                  equations: &mut Equations,
                  part: &mut Part,
                  modes: &mut Modes| {
            this.angles[0] = angle;
            this.evaluate(equations, part, modes);
            // Across the direction, with its sign; a root at which friction drives the slip has the other slope.
            let k = this.turning[0];
            let w = part.slip_after(k, 1.0);
            let s = modes.slip[k];
            (w[0] * s[1] - w[1] * s[0], w[0] * s[0] + w[1] * s[1])
        };
        let first = self.start[0];
        let mut left = at(self, first, equations, part, modes);
        for i in 0..SCAN {
            let (mut low, mut high) = (first + i as f64 * step, first + (i + 1) as f64 * step);
            let right = at(self, high, equations, part, modes);
            if (left.0 <= 0.0) != (right.0 <= 0.0) {
                for _ in 0..80 {
                    let middle = 0.5 * (low + high);
                    let here = at(self, middle, equations, part, modes);
                    if (here.0 <= 0.0) == (left.0 <= 0.0) { low = middle } else { high = middle }
                }
                let (across, along) = at(self, low, equations, part, modes);
                // A jump through infinity is no root.
                if along >= -TOLERATED * scale && across.abs() <= TOLERATED * scale {
                    let size = dot(&part.step, &part.step);
                    if best.is_none_or(|(_, least)| size < least) {
                        best = Some((low, size));
                        nearest = across.abs();
                    }
                }
            }
            left = right;
        }
        if let Some((angle, _)) = best {
            self.angles[0] = angle;
            self.evaluate(equations, part, modes);
            nearest = self.size();
        }
        nearest
    }

    /// Slip across each direction, as far as friction opposes it; where friction would drive the slip, all of it.
    fn evaluate(&mut self, equations: &mut Equations, part: &mut Part, modes: &mut Modes) {
        for (&k, angle) in self.turning.iter().zip(&self.angles) {
            modes.slip[k] = [libm::cos(*angle), libm::sin(*angle)];
        }
        equations.solve(part, modes);
        self.across.clear();
        for &k in &self.turning {
            let (w, s) = (part.slip_after(k, 1.0), modes.slip[k]);
            let (across, along) = (w[0] * s[1] - w[1] * s[0], w[0] * s[0] + w[1] * s[1]);
            let size = libm::sqrt(across * across + along * along);
            self.across.push(if along >= 0.0 { across } else { size.copysign(across) });
        }
    }

    fn size(&self) -> f64 {
        self.across.iter().fold(0.0, |m: f64, x| m.max(x.abs()))
    }

    /// Derivatives of the slip across by the angles.
    fn differentiate(&mut self, equations: &mut Equations, part: &Part, modes: &Modes) {
        let n = self.turning.len();
        self.matrix.clear();
        self.matrix.resize(n * n, 0.0);
        for (i, &k) in self.turning.iter().enumerate() {
            let [x, y] = modes.slip[k];
            let push = -part.mu[k] * part.step[3 * k];
            let (t1, t2) = (part.row(3 * k + 1), part.row(3 * k + 2));
            self.change.clear();
            self.change.extend(t1.iter().zip(t2).map(|(a, b)| push * (x * b - y * a)));
            equations.answer(part, &mut self.change);
            for (j, &other) in self.turning.iter().enumerate() {
                let [sx, sy] = modes.slip[other];
                let w = [1, 2].map(|c| dot(part.row(3 * other + c), &self.change));
                self.matrix[j * n + i] = w[0] * sy - w[1] * sx;
            }
            let w = part.slip_after(k, 1.0);
            self.matrix[i * n + i] += w[0] * x + w[1] * y;
        }
    }
}

/// Solves a small system by elimination; the answer takes the place of the right-hand side. Says no if it is singular.
fn eliminate(matrix: &mut [f64], right: &mut [f64], n: usize) -> bool {
    for k in 0..n {
        let size = |i: &usize| matrix[i * n + k].abs();
        let pivot = (k..n).max_by(|a, b| size(a).total_cmp(&size(b))).unwrap_or(k);
        let size = matrix[pivot * n + k].abs();
        if size.is_nan() || size == 0.0 {
            return false;
        }
        if pivot != k {
            (0..n).for_each(|j| matrix.swap(pivot * n + j, k * n + j));
            right.swap(pivot, k);
        }
        for i in k + 1..n {
            let factor = matrix[i * n + k] / matrix[k * n + k];
            for j in k..n {
                matrix[i * n + j] -= factor * matrix[k * n + j];
            }
            right[i] -= factor * right[k];
        }
    }
    for k in (0..n).rev() {
        let known: f64 = (k + 1..n).map(|j| matrix[k * n + j] * right[j]).sum();
        right[k] = (right[k] - known) / matrix[k * n + k];
    }
    right.iter().all(|x| x.is_finite())
}
