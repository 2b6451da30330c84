//! One step of the Taylor series in slip time, and the events inside it.

use super::Flow;
use super::walk::{Missing, Phase, State, Walk, Walked};
use crate::law::solve::bracketed_root;
use crate::law::split::Tangent;
use crate::outcome::TraceSink;

/// Order of the series. At 24 the remainder after a step of 2/L is below rounding for all but the stiffest data.
const ORDER: usize = 24;
/// The series may be cut where its terms fall below this part of the slip.
const CUT: f64 = 3e-17;
/// Longest step in units of 1/L; beyond it the alternating terms of the series cancel digits.
const LONGEST: f64 = 2.0;
/// `1/n`
const INVERSE: [f64; ORDER + 2] = {
    let mut inverse = [0.0; ORDER + 2];
    let mut n = 1;
    while n < ORDER + 2 {
        inverse[n] = 1.0 / n as f64;
        n += 1;
    }
    inverse
};
/// Points per step that a trace shows.
const SAMPLES: u32 = 8;

type Series = [f64; ORDER + 1];

/// The coefficients of slip, its length and the normal velocity about the start of a step.
struct Step {
    x: Series,
    y: Series,
    r: Series,
    z: Series,
    /// `∫ r u_n dτ`, wanted by Stronge's rule and by traces only.
    work: Option<Series>,
    unit: f64,
    friction: f64,
}

impl Step {
    fn new(flow: &Flow, slip: Tangent, un: f64, wants_work: bool) -> Self {
        let mut x = [0.0; ORDER + 1];
        let mut y = [0.0; ORDER + 1];
        let mut r = [0.0; ORDER + 1];
        let mut z = [0.0; ORDER + 1];
        (x[0], y[0], r[0], z[0]) = (slip.x, slip.y, slip.norm(), un);
        let half = 0.5 / r[0];
        for n in 0..ORDER {
            let inverse = INVERSE[n + 1];
            x[n + 1] = (flow.pull.x * r[n] - flow.drag.x * x[n]) * inverse;
            y[n + 1] = (flow.pull.y * r[n] - flow.drag.y * y[n]) * inverse;
            z[n + 1] = (flow.lift * r[n] - flow.load.x * x[n] - flow.load.y * y[n]) * inverse;
            // r² = x² + y², coefficient by coefficient: 2 r₀ rₘ = [x²]ₘ + [y²]ₘ − Σ r_j r_{m−j} without its ends.
            let m = n + 1;
            let mut sum = 2.0 * (x[0] * x[m] + y[0] * y[m]);
            let mut pairs = 0.0;
            for j in 1..m.div_ceil(2) {
                pairs += x[j] * x[m - j] + y[j] * y[m - j] - r[j] * r[m - j];
            }
            sum += 2.0 * pairs;
            if m % 2 == 0 {
                let j = m / 2;
                sum += x[j] * x[j] + y[j] * y[j] - r[j] * r[j];
            }
            r[m] = sum * half;
        }
        let work = wants_work.then(|| {
            let mut work = [0.0; ORDER + 1];
            for n in 0..ORDER {
                let product: f64 = (0..=n).map(|j| r[j] * z[n - j]).sum();
                work[n + 1] = product * INVERSE[n + 1] * flow.unit;
            }
            work
        });
        Self {
            x,
            y,
            r,
            z,
            work,
            unit: flow.unit,
            friction: flow.friction,
        }
    }

    /// How far the series may be trusted.
    fn length(&self) -> f64 {
        [ORDER - 1, ORDER].into_iter().fold(LONGEST, |h, i| {
            let largest = [self.x[i], self.y[i], self.z[i], self.r[i]]
                .into_iter()
                .fold(0.0, |m: f64, c| m.max(c.abs()));
            let allowed = CUT * self.r[0];
            if largest * power(h, i) <= allowed {
                h
            } else {
                libm::pow(allowed / largest, INVERSE[i]).min(h)
            }
        })
    }

    fn slip(&self, t: f64) -> Tangent {
        Tangent::new(value(&self.x, t), value(&self.y, t))
    }

    fn impulse(&self, t: f64) -> f64 {
        integral(&self.r, t) * self.unit
    }

    fn friction_impulse(&self, t: f64) -> Tangent {
        Tangent::new(integral(&self.x, t), integral(&self.y, t)) * -self.friction
    }

    fn work(&self, t: f64) -> f64 {
        self.work.as_ref().map_or(0.0, |work| value(work, t))
    }
}

/// Slides for one step of slip time; ends the impact if its end lies inside.
pub(super) fn step(walk: &mut Walk, flow: &Flow, trace: &mut dyn TraceSink) -> Walked {
    let wants_work = trace.enabled() || matches!(walk.missing(), Missing::Work(_));
    let step = Step::new(flow, walk.ut(), walk.un(), wants_work);
    let length = step.length();
    let mut stretch = Stretch {
        step: &step,
        pi: walk.pi(),
        pt: walk.pt(),
        at: 0.0,
    };
    let mut pieces = [0.0; 4];
    let count = monotone_pieces(&step, flow, length, &mut pieces);
    for &end in &pieces[..count] {
        if let Walked::Ended = stretch.piece(walk, end, trace) {
            return Walked::Ended;
        }
    }
    Walked::GoesOn
}

/// Ends of the pieces of `0..length` on which the normal velocity is monotone.
///
/// It falls only while `βc·s > αk`. The direction turns one way only and by less than π a step, so `c·s` peaks at
/// most once, where `s` passes `c`; on either side of that, `u_n'` changes sign at most once.
fn monotone_pieces(step: &Step, flow: &Flow, length: f64, pieces: &mut [f64; 4]) -> usize {
    let mut count = 0;
    let mut push = |t: f64| {
        pieces[count] = t;
        count += 1;
    };
    if flow.load.norm() > flow.lift {
        let across = |t: f64| flow.load.x * value(&step.y, t) - flow.load.y * value(&step.x, t);
        let (before, after) = (across(0.0), across(length));
        let mut ends = [length, f64::NAN];
        if before * after < 0.0 {
            let passes = bracketed_root(0.0, length, before < 0.0, |t| {
                let slope = flow.load.x * slope(&step.y, t) - flow.load.y * slope(&step.x, t);
                (across(t), slope)
            });
            ends = [passes, length];
        }
        let mut from = 0.0;
        for end in ends.into_iter().filter(|e| e.is_finite()) {
            let (first, last) = (slope(&step.z, from), slope(&step.z, end));
            if first * last < 0.0 {
                push(bracketed_root(from, end, first < 0.0, |t| {
                    slope_and_curve(&step.z, t)
                }));
            }
            push(end);
            from = end;
        }
    } else {
        push(length);
    }
    count
}

/// The part of a step that has been walked.
struct Stretch<'s> {
    step: &'s Step,
    /// Impulses at the start of the step.
    pi: f64,
    pt: Tangent,
    at: f64,
}

impl Stretch<'_> {
    /// Walks to `end` over a piece on which the normal velocity is monotone.
    fn piece(&mut self, walk: &mut Walk, end: f64, trace: &mut dyn TraceSink) -> Walked {
        let z = &self.step.z;
        let un = value(z, end);
        let turns = match walk.phase {
            Phase::Compression => un > 0.0,
            Phase::Restitution => un < 0.0,
        };
        if !turns {
            return self.same_phase(walk, end, trace);
        }
        let rising = walk.phase == Phase::Compression;
        let turn = bracketed_root(self.at, end, rising, |t| value_and_slope(z, t));
        if let Walked::Ended = self.same_phase(walk, turn, trace) {
            return Walked::Ended;
        }
        walk.turn(trace);
        self.same_phase(walk, end, trace)
    }

    /// Walks to `end` without change of phase, or to the end of the impact.
    fn same_phase(&mut self, walk: &mut Walk, end: f64, trace: &mut dyn TraceSink) -> Walked {
        let last = match walk.phase {
            Phase::Restitution => self.last_touch(walk, end),
            Phase::Compression => None,
        };
        self.move_to(walk, last.unwrap_or(end), trace);
        if last.is_some() {
            Walked::Ended
        } else {
            Walked::GoesOn
        }
    }

    /// Where between here and `end` the rule of restitution is met.
    fn last_touch(&self, walk: &Walk, end: f64) -> Option<f64> {
        let step = self.step;
        let at = self.at;
        match walk.missing() {
            Missing::Impulse(rest) | Missing::Work(rest) if rest <= 0.0 => Some(at),
            Missing::Velocity(target) if walk.un() >= target => Some(at),
            Missing::Impulse(rest) => {
                let goal = step.impulse(at) + rest;
                (step.impulse(end) >= goal).then(|| {
                    bracketed_root(at, end, true, |t| {
                        (step.impulse(t) - goal, value(&step.r, t) * step.unit)
                    })
                })
            }
            Missing::Work(rest) => {
                let goal = step.work(at) + rest;
                (step.work(end) >= goal).then(|| {
                    bracketed_root(at, end, true, |t| {
                        let rate = value(&step.r, t) * value(&step.z, t) * step.unit;
                        (step.work(t) - goal, rate)
                    })
                })
            }
            Missing::Velocity(target) => (value(&step.z, end) >= target).then(|| {
                bracketed_root(at, end, true, |t| {
                    let (un, slope) = value_and_slope(&step.z, t);
                    (un - target, slope)
                })
            }),
        }
    }

    fn move_to(&mut self, walk: &mut Walk, t: f64, trace: &mut dyn TraceSink) {
        let step = self.step;
        let from = self.at;
        if trace.enabled() {
            for i in 1..SAMPLES {
                let between = from + (t - from) * f64::from(i) / f64::from(SAMPLES);
                let work = step.work(between) - step.work(from);
                walk.sample(self.state(between), work, trace);
            }
        }
        walk.count(
            step.impulse(t) - step.impulse(from),
            step.work(t) - step.work(from),
        );
        walk.place(self.state(t));
        self.at = t;
    }

    fn state(&self, t: f64) -> State {
        let step = self.step;
        State {
            pi: self.pi + step.impulse(t),
            pt: self.pt + step.friction_impulse(t),
            un: value(&step.z, t),
            ut: step.slip(t),
        }
    }
}

/// `Σ cₙ tⁿ`
fn value(series: &Series, t: f64) -> f64 {
    series.iter().rev().fold(0.0, |sum, c| sum * t + c)
}

/// `Σ n cₙ tⁿ⁻¹`
fn slope(series: &Series, t: f64) -> f64 {
    (1..=ORDER)
        .rev()
        .fold(0.0, |sum, n| sum * t + n as f64 * series[n])
}

fn value_and_slope(series: &Series, t: f64) -> (f64, f64) {
    (value(series, t), slope(series, t))
}

fn slope_and_curve(series: &Series, t: f64) -> (f64, f64) {
    let curve = (2..=ORDER)
        .rev()
        .fold(0.0, |sum, n| sum * t + (n * (n - 1)) as f64 * series[n]);
    (slope(series, t), curve)
}

/// `Σ cₙ tⁿ⁺¹/(n + 1)`
fn integral(series: &Series, t: f64) -> f64 {
    t * (0..=ORDER)
        .rev()
        .fold(0.0, |sum, n| sum * t + series[n] * INVERSE[n + 1])
}

/// `hⁿ` for the two orders that bound a step.
fn power(h: f64, n: usize) -> f64 {
    let (mut result, mut base, mut n) = (1.0, h, n);
    while n > 0 {
        if n % 2 == 1 {
            result *= base;
        }
        base *= base;
        n /= 2;
    }
    result
}
