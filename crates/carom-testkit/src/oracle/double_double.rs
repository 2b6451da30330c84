//! Routh's law by Taylor series in slip time, carried with 32 digits: the reference for exact integration.
//!
//! With `dp_n = |u_t| dτ` sliding obeys `u_t' = c r − μ T u_t`, `u_n' = k r − μ c·u_t`, `p_t' = −μ u_t`, `p_n' = r`,
//! `w' = r u_n`, where `r = |u_t|`. The origin `u_t = 0` is reached only as `τ → ∞`, so the integration simply goes on
//! until `r` is 10⁻²⁸ of the speed before the impact; from there the contact sticks or leaves along the diverging
//! ray, both in closed form. Rays need no care: along them the series is a plain exponential.
//!
//! Events: on every step, `u_n` is cut where its derivative changes sign, the monotone pieces at their zeros, and
//! the stop condition, which is monotone on each piece that remains, is bisected.

use super::{Path, Split, Stop};
use crate::dd::Dd;

/// Terms of each series.
const ORDER: usize = 36;

/// Size of the last terms, relative to the speed of sliding.
const TRUNCATION: f64 = 1e-33;

/// Below this share of the speed before the impact the contact does not slide.
const STANDSTILL: f64 = 1e-28;

/// Halvings until an interval of a step is below 32 digits.
const HALVINGS: usize = 110;

/// Pieces in which a step is searched for sign changes.
const PIECES: usize = 8;

/// A run that has not ended by then never will.
const MOST_STEPS: u64 = 200_000;

type Series = [Dd; ORDER + 1];

/// The law's answer for a contact with finite friction and a positive definite matrix.
pub fn routh(split: &Split, stop: Stop) -> Path {
    let mut run = Run::new(split, stop);
    if split.un > 0.0 {
        return run.path();
    }
    while run.sliding() {
        run.steps += 1;
        assert!(run.steps < MOST_STEPS, "no end after {MOST_STEPS} steps: {split:?}");
        let series = Expansion::new(&run);
        if run.take(&series) {
            return run.path();
        }
    }
    run.finish_from_rest();
    run.path()
}

/// The data and the state of one integration.
struct Run {
    k: Dd,
    c: [Dd; 2],
    t: [Dd; 3],
    mu: Dd,
    e: Dd,
    un0: Dd,
    stop: Stop,
    rest: Dd,
    un: Dd,
    ut: [Dd; 2],
    pn: Dd,
    pt: [Dd; 2],
    compression_impulse: Dd,
    compression_work: Dd,
    restitution_impulse: Dd,
    restitution_work: Dd,
    compressions: u32,
    compressing: bool,
    steps: u64,
}

/// Taylor coefficients about the current state.
struct Expansion {
    ut: [Series; 2],
    r: Series,
    un: Series,
    pn: Series,
    pt: [Series; 2],
    work: Series,
    step: Dd,
}

impl Expansion {
    fn new(run: &Run) -> Self {
        let zero = [Dd::ZERO; ORDER + 1];
        let mut s = Self {
            ut: [zero; 2],
            r: zero,
            un: zero,
            pn: zero,
            pt: [zero; 2],
            work: zero,
            step: Dd::ZERO,
        };
        s.ut[0][0] = run.ut[0];
        s.ut[1][0] = run.ut[1];
        s.r[0] = length(run.ut);
        s.un[0] = run.un;
        for n in 0..ORDER {
            let over = Dd::ONE / Dd::from((n + 1) as f64);
            let (x, y, r) = (s.ut[0][n], s.ut[1][n], s.r[n]);
            s.ut[0][n + 1] = (run.c[0] * r - run.mu * (run.t[0] * x + run.t[1] * y)) * over;
            s.ut[1][n + 1] = (run.c[1] * r - run.mu * (run.t[1] * x + run.t[2] * y)) * over;
            s.un[n + 1] = (run.k * r - run.mu * (run.c[0] * x + run.c[1] * y)) * over;
            s.pn[n + 1] = r * over;
            s.pt[0][n + 1] = -(run.mu * x) * over;
            s.pt[1][n + 1] = -(run.mu * y) * over;
            // From r² = u_t·u_t, order n + 1.
            let m = n + 1;
            let squares: Dd =
                (0..=m).map(|j| s.ut[0][j] * s.ut[0][m - j] + s.ut[1][j] * s.ut[1][m - j]).sum();
            let mixed: Dd = (1..m).map(|j| s.r[j] * s.r[m - j]).sum();
            s.r[m] = (squares - mixed) / (s.r[0] * 2.0);
            let power: Dd = (0..=n).map(|j| s.r[j] * s.un[n - j]).sum();
            s.work[n + 1] = power * over;
        }
        s.step = s.step_size(run);
        s
    }

    /// The last two terms stay below the truncation error, and the step below the time in which friction turns the
    /// velocity over: beyond it, large alternating terms cancel.
    fn step_size(&self, run: &Run) -> Dd {
        let rate = length(run.c) + run.mu * (run.t[0] + run.t[2]);
        let mut step = 2.0 / rate.to_f64();
        for i in [ORDER - 1, ORDER] {
            let largest = [&self.ut[0], &self.ut[1], &self.r, &self.un]
                .iter()
                .fold(0.0, |m: f64, s| m.max(s[i].to_f64().abs()));
            if largest > 0.0 {
                let ratio = TRUNCATION * self.r[0].to_f64() / largest;
                step = step.min(ratio.powf(1.0 / i as f64));
            }
        }
        Dd::from(step)
    }
}

fn at(series: &Series, tau: Dd) -> Dd {
    series.iter().rev().fold(Dd::ZERO, |sum, c| sum * tau + *c)
}

fn derivative_at(series: &Series, tau: Dd) -> Dd {
    (1..=ORDER).rev().fold(Dd::ZERO, |sum, n| sum * tau + series[n] * n as f64)
}

fn length(v: [Dd; 2]) -> Dd {
    (v[0] * v[0] + v[1] * v[1]).sqrt()
}

/// Where `f`, below zero at `low` and not below at `high`, changes sign.
fn bisect(mut low: Dd, mut high: Dd, f: impl Fn(Dd) -> Dd) -> Dd {
    for _ in 0..HALVINGS {
        let middle = (low + high) * 0.5;
        if f(middle) < Dd::ZERO {
            low = middle;
        } else {
            high = middle;
        }
    }
    high
}

impl Run {
    fn new(split: &Split, stop: Stop) -> Self {
        let dd = Dd::from;
        let ut = split.ut.map(dd);
        let speed = length(ut).max(dd(split.un).abs());
        Self {
            k: dd(split.k),
            c: split.c.map(dd),
            t: split.t.map(dd),
            mu: dd(split.mu),
            e: dd(split.e),
            un0: dd(split.un),
            stop,
            rest: speed * STANDSTILL,
            un: dd(split.un),
            ut,
            pn: Dd::ZERO,
            pt: [Dd::ZERO; 2],
            compression_impulse: Dd::ZERO,
            compression_work: Dd::ZERO,
            restitution_impulse: Dd::ZERO,
            restitution_work: Dd::ZERO,
            compressions: 0,
            compressing: false,
            steps: 0,
        }
    }

    fn sliding(&self) -> bool {
        length(self.ut) > self.rest
    }

    /// Goes one step; true if the bodies part within it.
    fn take(&mut self, s: &Expansion) -> bool {
        let mut from = Dd::ZERO;
        for piece in 1..=PIECES {
            let to = s.step * (piece as f64 / PIECES as f64);
            let (rising, still_rising) = (derivative_at(&s.un, from), derivative_at(&s.un, to));
            let turns = (rising < Dd::ZERO) != (still_rising < Dd::ZERO);
            if turns {
                let sign = if rising < Dd::ZERO { 1.0 } else { -1.0 };
                let turn = bisect(from, to, |tau| derivative_at(&s.un, tau) * sign);
                if self.monotone(s, from, turn) {
                    return true;
                }
                from = turn;
            }
            if self.monotone(s, from, to) {
                return true;
            }
            from = to;
        }
        self.move_to(s, s.step);
        false
    }

    /// Accounts for a piece on which `u_n` is monotone; true if the bodies part within it.
    fn monotone(&mut self, s: &Expansion, from: Dd, to: Dd) -> bool {
        let (start, end) = (at(&s.un, from), at(&s.un, to));
        if start < Dd::ZERO && end < Dd::ZERO {
            self.compress(s, from, to);
            false
        } else if start < Dd::ZERO {
            let zero = bisect(from, to, |tau| at(&s.un, tau));
            self.compress(s, from, zero);
            self.expand(s, zero, to)
        } else if end < Dd::ZERO {
            let zero = bisect(from, to, |tau| -at(&s.un, tau));
            if self.expand(s, from, zero) {
                return true;
            }
            self.compress(s, zero, to);
            false
        } else {
            self.expand(s, from, to)
        }
    }

    fn compress(&mut self, s: &Expansion, from: Dd, to: Dd) {
        if !self.compressing {
            self.compressing = true;
            self.compressions += 1;
        }
        self.compression_impulse += at(&s.pn, to) - at(&s.pn, from);
        self.compression_work += at(&s.work, to) - at(&s.work, from);
    }

    fn expand(&mut self, s: &Expansion, from: Dd, to: Dd) -> bool {
        let ended = |run: &Self, tau: Dd| match run.stop {
            Stop::Poisson => {
                let impulse = run.restitution_impulse + at(&s.pn, tau) - at(&s.pn, from);
                impulse - run.e * run.compression_impulse
            }
            Stop::Stronge => {
                let work = run.restitution_work + at(&s.work, tau) - at(&s.work, from);
                work + run.e * run.e * run.compression_work
            }
            Stop::Newton => at(&s.un, tau) + run.e * run.un0,
        };
        // A grazing start that friction drives into the surface begins with an empty expansion.
        let jams = self.compressions == 0 && at(&s.un, to) <= Dd::ZERO;
        let end = if jams {
            None
        } else if ended(self, from) >= Dd::ZERO {
            Some(from)
        } else if ended(self, to) >= Dd::ZERO {
            Some(bisect(from, to, |tau| ended(self, tau)))
        } else {
            None
        };
        let until = end.unwrap_or(to);
        if from < until {
            self.compressing = false;
        }
        self.restitution_impulse += at(&s.pn, until) - at(&s.pn, from);
        self.restitution_work += at(&s.work, until) - at(&s.work, from);
        if let Some(tau) = end {
            self.move_to(s, tau);
        }
        end.is_some()
    }

    fn move_to(&mut self, s: &Expansion, tau: Dd) {
        self.un = at(&s.un, tau);
        self.pn += at(&s.pn, tau);
        for i in 0..2 {
            self.ut[i] = at(&s.ut[i], tau);
            self.pt[i] += at(&s.pt[i], tau);
        }
    }

    /// `(r I + μ T)⁻¹ c`.
    fn shifted_solve(&self, r: Dd) -> [Dd; 2] {
        let (a, b, d) = (r + self.mu * self.t[0], self.mu * self.t[1], r + self.mu * self.t[2]);
        let determinant = a * d - b * b;
        [
            (d * self.c[0] - b * self.c[1]) / determinant,
            (a * self.c[1] - b * self.c[0]) / determinant,
        ]
    }

    /// From `u_t = 0`: the change of `p_t` and of `u_n` per normal impulse, sticking or along the diverging ray.
    fn slopes_at_rest(&self) -> ([Dd; 2], Dd) {
        let stuck = self.shifted_solve(Dd::ZERO);
        let direction = if length(stuck) <= Dd::ONE {
            stuck
        } else {
            // |s(r)| falls from above one; the ray is where it is one. Bisected between 0 and |c|, where it is below.
            let excess = |r: Dd| Dd::ONE - length(self.shifted_solve(r));
            self.shifted_solve(bisect(Dd::ZERO, length(self.c), excess))
        };
        let pt = direction.map(|s| -(self.mu * s));
        (pt, self.k + self.c[0] * pt[0] + self.c[1] * pt[1])
    }

    /// The rest of the impact once `u_t = 0`: linear in the normal impulse.
    fn finish_from_rest(&mut self) {
        let (slope, q) = self.slopes_at_rest();
        assert!(q > Dd::ZERO, "the matrix is not positive definite");
        let mut more = Dd::ZERO;
        if self.un < Dd::ZERO {
            if !self.compressing {
                self.compressions += 1;
            }
            let impulse = -self.un / q;
            self.compression_impulse += impulse;
            self.compression_work += self.un * impulse * 0.5;
            self.un = Dd::ZERO;
            more += impulse;
        }
        let e = self.e;
        let impulse = match self.stop {
            Stop::Poisson => e * self.compression_impulse - self.restitution_impulse,
            Stop::Stronge => {
                let work = -(e * e * self.compression_work) - self.restitution_work;
                // (√(u² + 2 q w) − u)/q without cancellation.
                let after = (self.un * self.un + q * work * 2.0).sqrt();
                if work <= Dd::ZERO { Dd::ZERO } else { work * 2.0 / (after + self.un) }
            }
            Stop::Newton => (-(e * self.un0) - self.un) / q,
        };
        let impulse = impulse.max(Dd::ZERO);
        self.restitution_work += (self.un + q * impulse * 0.5) * impulse;
        self.restitution_impulse += impulse;
        more += impulse;
        self.pn += more;
        for i in 0..2 {
            self.pt[i] += slope[i] * more;
        }
    }

    fn path(&self) -> Path {
        Path {
            impulse: [self.pn, self.pt[0], self.pt[1]].map(Dd::to_f64),
            compressions: self.compressions,
            compression_work: self.compression_work.to_f64(),
            restitution_work: self.restitution_work.to_f64(),
            cost: self.steps,
        }
    }
}
