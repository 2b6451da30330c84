//! Directions of impending slip: contacts that rest but cannot roll ([UchidaShermanDelp2015] Eq. (2.9), second case).
//!
//! Friction opposes the slip at the end of the step, `w = u_t + W_t p`, which depends on it. Each such contact has one
//! unknown, the angle of a direction `s`; given the angles, everything else is linear. Wanted is `w × s = 0` with
//! `w·s ≥ 0`, for a root at which friction drives the slip is none. Where `w` vanishes the contact rolls at the limit of
//! its friction, which is as good.

use super::equations::System;
use super::failure::Failure;
use super::tolerances::{
    ACROSS, ACROSS_TOLERATED, DEPENDENT, MAX_NEWTON_STEPS, MAX_STARTS, MAX_TURN, MIN_NEWTON_SHARE,
    POLE, SCAN_ANGLES,
};
use crate::numerics::orthonormal::Orthonormal;
use crate::numerics::{dot, largest};
use crate::outcome::ContactMode;

/// Multiples of this never repeat and never cluster \[rad\].
const GOLDEN_ANGLE: f64 = 2.399_963_229_728_653;

/// Where directions are sought.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Search {
    /// Near the first guess; a sole direction all round.
    Near,
    /// Everywhere, if not near the first guess.
    Everywhere,
}

/// The search for directions; memory is kept.
#[derive(Clone, Debug, Default)]
pub(crate) struct Impending {
    /// Contacts with two tangents, whose angles are sought.
    turning: Vec<usize>,
    /// Contacts with one tangent, whose signs are sought.
    flipping: Vec<usize>,
    angles: Vec<f64>,
    start: Vec<f64>,
    trial: Vec<f64>,
    across: Vec<f64>,
    /// The largest speed by which a linear equation was missed [m/s].
    missed: f64,
    /// Derivatives of the slip across.
    rows: Orthonormal,
    change: Vec<f64>,
    step: Vec<f64>,
}

impl Impending {
    /// Finds the directions, which hold a first guess; `active.step` is then the impulse. The answer is the largest speed
    /// by which a linear equation is missed [m/s].
    pub(crate) fn solve(&mut self, system: &mut System, search: Search) -> Result<f64, Failure> {
        self.turning.clear();
        self.flipping.clear();
        for (k, contact) in system.active.contacts.iter().enumerate() {
            match (contact.mode, contact.tangents) {
                (ContactMode::Impending, 2) => self.turning.push(k),
                (ContactMode::Impending, _) => self.flipping.push(k),
                _ => {}
            }
        }
        self.start.clear();
        let angle = |k: &usize| angle_of(system.active.contacts[*k].direction);
        self.start.extend(self.turning.iter().map(angle));
        let scale = system.active.speed;
        let mut nearest = f64::INFINITY;
        // Each attempt flips the signs that friction would drive, at most twice each.
        for _ in 0..=2 * self.flipping.len() {
            nearest = nearest.min(self.turn(system, search));
            let missed = system.solve();
            if self.size() > ACROSS_TOLERATED * scale + system.active.rounding() {
                break;
            }
            let mut flipped = false;
            for &k in &self.flipping {
                let end = system.active.slip_after(k, 1.0)[0];
                let slip = &mut system.active.contacts[k].direction[0];
                if end * *slip < -ACROSS_TOLERATED * scale {
                    *slip = -*slip;
                    flipped = true;
                }
            }
            if !flipped {
                return Ok(missed);
            }
        }
        Err(Failure::NoDirection { residual: nearest / scale })
    }

    /// Finds the angles, signs being given; answers the slip across that is left [m/s].
    fn turn(&mut self, system: &mut System, search: Search) -> f64 {
        let scale = system.active.speed;
        self.angles.clone_from(&self.start);
        let mut nearest = self.newton(system);
        if nearest <= ACROSS_TOLERATED * scale || self.turning.is_empty() {
            return nearest;
        }
        if self.turning.len() == 1 {
            return nearest.min(self.scan(system));
        }
        if search == Search::Near {
            return nearest;
        }
        for attempt in 0..MAX_STARTS {
            if system.equations.exhausted() {
                break;
            }
            self.angles.clear();
            for (i, &k) in self.turning.iter().enumerate() {
                let angle = match attempt {
                    // Along the slip there is, then against the first guess, then anywhere.
                    0 => angle_of(system.active.slip(k)),
                    1 => self.start[i] + std::f64::consts::PI,
                    _ => self.start[i] + GOLDEN_ANGLE * attempt as f64,
                };
                self.angles.push(angle);
            }
            nearest = nearest.min(self.newton(system));
            if nearest <= ACROSS_TOLERATED * scale {
                return nearest;
            }
        }
        nearest
    }

    /// Newton's method from `self.angles`, which it leaves at the best it found.
    fn newton(&mut self, system: &mut System) -> f64 {
        let n = self.turning.len();
        self.evaluate(system);
        for _ in 0..MAX_NEWTON_STEPS {
            let before = self.size();
            if before <= ACROSS * system.active.speed {
                break;
            }
            self.differentiate(system);
            self.rows.factor(DEPENDENT);
            self.step.resize(n, 0.0);
            self.rows.least(&self.across, &mut self.step);
            if !self.step.iter().all(|x| x.is_finite()) {
                break;
            }
            let largest = largest(&self.step);
            let mut share = if largest > MAX_TURN { MAX_TURN / largest } else { 1.0 };
            self.trial.clone_from(&self.angles);
            let mut better = false;
            while share > MIN_NEWTON_SHARE {
                for ((angle, old), step) in self.angles.iter_mut().zip(&self.trial).zip(&self.step)
                {
                    *angle = old - share * step;
                }
                self.evaluate(system);
                if self.size() < before {
                    better = true;
                    break;
                }
                if before <= ACROSS_TOLERATED * system.active.speed {
                    // It is as good as rounding lets it be: shorter steps change nothing.
                    break;
                }
                share *= 0.5;
            }
            if !better {
                self.angles.clone_from(&self.trial);
                self.evaluate(system);
                break;
            }
        }
        self.size()
    }

    /// The one unknown angle by trying all round; of several roots the one with the smallest impulse.
    fn scan(&mut self, system: &mut System) -> f64 {
        let tolerated = ACROSS_TOLERATED * system.active.speed;
        let mut best: Option<(f64, f64)> = None;
        let mut nearest = f64::INFINITY;
        let step = 2.0 * std::f64::consts::PI / SCAN_ANGLES as f64;
        let first = self.start[0];
        let mut left = self.slip_at(system, first);
        for i in 0..SCAN_ANGLES {
            let (low, high) = (first + i as f64 * step, first + (i + 1) as f64 * step);
            let right = self.slip_at(system, high);
            let changes = (left.0 <= 0.0) != (right.0 <= 0.0);
            if changes && !(is_driven(left) && is_driven(right)) {
                let ends = [(low, left.0), (high, right.0)];
                if let Some(angle) = self.narrow(system, ends) {
                    let (across, along) = system.slip_across_and_along(self.turning[0]);
                    let solved = self.missed <= tolerated + system.active.rounding();
                    if along >= -tolerated && across.abs() <= tolerated && solved {
                        let size = dot(&system.active.step, &system.active.step);
                        if best.is_none_or(|(_, least)| size < least) {
                            best = Some((angle, size));
                            nearest = across.abs();
                        }
                    }
                }
            }
            left = right;
        }
        if let Some((angle, _)) = best {
            self.angles[0] = angle;
            self.evaluate(system);
            nearest = self.size();
        }
        nearest
    }

    /// Where between two angles the slip across changes its sign, the sole unknown being set to it. Nothing where it jumps
    /// through infinity.
    fn narrow(&mut self, system: &mut System, ends: [(f64, f64); 2]) -> Option<f64> {
        let most = POLE * ends[0].1.abs().max(ends[1].1.abs());
        let mut jumps = false;
        let angle = carom_ode::locate(ends, ACROSS * system.active.speed, |angle| {
            let (across, _) = self.slip_at(system, angle);
            jumps |= across.is_nan() || across.abs() > most;
            if jumps { 0.0 } else { across }
        });
        (!jumps).then_some(angle)
    }

    /// The slip across and along the sole unknown direction; a root at which friction drives the slip has the other
    /// slope.
    fn slip_at(&mut self, system: &mut System, angle: f64) -> (f64, f64) {
        self.angles[0] = angle;
        self.evaluate(system);
        system.slip_across_and_along(self.turning[0])
    }

    /// Slip across each direction, as far as friction opposes it; where friction would drive the slip, all of it.
    fn evaluate(&mut self, system: &mut System) {
        for (&k, angle) in self.turning.iter().zip(&self.angles) {
            system.active.contacts[k].direction = [libm::cos(*angle), libm::sin(*angle)];
        }
        self.missed = system.solve();
        self.across.clear();
        for &k in &self.turning {
            let (across, along) = system.slip_across_and_along(k);
            let size = f64::sqrt(across * across + along * along);
            self.across.push(if along >= 0.0 { across } else { size.copysign(across) });
        }
    }

    fn size(&self) -> f64 {
        largest(&self.across)
    }

    /// Derivatives of the slip across by the angles.
    fn differentiate(&mut self, System { equations, active }: &mut System) {
        let n = self.turning.len();
        let matrix = self.rows.begin(n, n);
        for (i, &k) in self.turning.iter().enumerate() {
            let [x, y] = active.contacts[k].direction;
            let push = -active.contacts[k].mu * active.step[3 * k];
            let (t1, t2) = (active.row(3 * k + 1), active.row(3 * k + 2));
            self.change.clear();
            self.change.extend(t1.iter().zip(t2).map(|(a, b)| push * (x * b - y * a)));
            equations.answer(active, &mut self.change);
            for (j, &other) in self.turning.iter().enumerate() {
                let [sx, sy] = active.contacts[other].direction;
                let w = [1, 2].map(|c| dot(active.row(3 * other + c), &self.change));
                matrix[j * n + i] = w[0] * sy - w[1] * sx;
            }
            let w = active.slip_after(k, 1.0);
            matrix[i * n + i] += w[0] * x + w[1] * y;
        }
    }
}

/// Whether slip, given across and along a direction, is such that friction would drive it, and not nearly across.
fn is_driven((across, along): (f64, f64)) -> bool {
    along < -across.abs()
}

/// The angle of a direction \[rad\].
fn angle_of([x, y]: [f64; 2]) -> f64 {
    libm::atan2(y, x)
}
