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
/// `1/(n + 1)`
const INTEGRAL: [f64; ORDER + 1] = {
    let mut inverse = [0.0; ORDER + 1];
    let mut n = 0;
    while n <= ORDER {
        inverse[n] = 1.0 / (n + 1) as f64;
        n += 1;
    }
    inverse
};
/// Points per stretch that a trace shows.
const SAMPLES: u32 = 8;

/// The coefficients of two functions side by side, so that both are summed in one pass.
type Series = [[f64; 2]; ORDER + 1];

/// The series about the start of a step, in slip time of unit `1/L`.
struct Step<'f> {
    flow: &'f Flow,
    /// The slip, `x` and `y`.
    slip: Series,
    /// Its length and the normal velocity, `r` and `z`.
    speed: Series,
    /// `∫x/t` and `∫y/t`.
    slip_sum: Series,
    /// `∫r/t` and `∫r z/t`; the latter only if Stronge's rule or a trace wants it.
    impulse_and_work: Series,
}

impl<'f> Step<'f> {
    fn new(flow: &'f Flow, slip: Tangent, un: f64, wants_work: bool) -> Self {
        let mut step = Self {
            flow,
            slip: [[0.0; 2]; ORDER + 1],
            speed: [[0.0; 2]; ORDER + 1],
            slip_sum: [[0.0; 2]; ORDER + 1],
            impulse_and_work: [[0.0; 2]; ORDER + 1],
        };
        step.slip[0] = [slip.x, slip.y];
        step.speed[0] = [slip.norm(), un];
        let half = 0.5 / step.speed[0][0];
        for (n, inverse) in INTEGRAL.into_iter().enumerate() {
            let [sx, sy] = step.slip[n].map(|c| c * inverse);
            let sr = step.speed[n][0] * inverse;
            step.slip_sum[n] = [sx, sy];
            step.impulse_and_work[n][0] = sr;
            if n < ORDER {
                step.slip[n + 1] =
                    [flow.pull.x * sr - flow.drag.x * sx, flow.pull.y * sr - flow.drag.y * sy];
                step.speed[n + 1] = [
                    step.length_coefficient(n + 1) * half,
                    flow.lift * sr - flow.load.x * sx - flow.load.y * sy,
                ];
            }
        }
        if wants_work {
            step.sum_work();
        }
        step
    }

    /// `2 r₀ rₘ` from `r² = x² + y²`: the m-th coefficient of the right less what the left has without `rₘ`.
    #[inline(always)]
    fn length_coefficient(&self, m: usize) -> f64 {
        let (slip, speed) = (&self.slip, &self.speed);
        // From the middle outwards: the coefficients found last are wanted last.
        let mut pairs = [0.0; 2];
        let mut own = 0.0;
        for j in (1..m.div_ceil(2)).rev() {
            let k = m - j;
            pairs[0] += slip[j][0] * slip[k][0];
            pairs[1] += slip[j][1] * slip[k][1];
            own += speed[j][0] * speed[k][0];
        }
        let mut sum = pairs[0] + pairs[1] - own;
        if m.is_multiple_of(2) {
            let ([x, y], r) = (slip[m / 2], speed[m / 2][0]);
            sum += 0.5 * (x * x + y * y - r * r);
        }
        2.0 * (sum + slip[0][0] * slip[m][0] + slip[0][1] * slip[m][1])
    }

    /// The coefficients of `∫ r z`: `[r z]ₙ = Σ r_j z_{n−j}`, the second factor laid out backwards so that both run
    /// forwards, four partial sums at a time.
    fn sum_work(&mut self) {
        let r: [f64; ORDER + 1] = std::array::from_fn(|j| self.speed[j][0]);
        let backwards: [f64; ORDER + 1] = std::array::from_fn(|j| self.speed[ORDER - j][1]);
        for n in 0..=ORDER {
            let (r, z) = (&r[..=n], &backwards[ORDER - n..]);
            let mut sums = [0.0; 4];
            let (fours, rest) = (r.chunks_exact(4), r.chunks_exact(4).remainder());
            for (a, b) in fours.zip(z.chunks_exact(4)) {
                for lane in 0..4 {
                    sums[lane] += a[lane] * b[lane];
                }
            }
            let tail: f64 = rest.iter().zip(&z[r.len() - rest.len()..]).map(|(a, b)| a * b).sum();
            let total = (sums[0] + sums[1]) + (sums[2] + sums[3]) + tail;
            self.impulse_and_work[n][1] = total * INTEGRAL[n];
        }
    }

    /// How far the series may be trusted.
    fn length(&self) -> f64 {
        [ORDER - 1, ORDER].into_iter().fold(LONGEST, |h, i| {
            let ([x, y], [r, z]) = (self.slip[i], self.speed[i]);
            let largest = x.abs().max(y.abs()).max(r.abs()).max(z.abs());
            let allowed = CUT * self.speed[0][0];
            if largest * power(h, i) <= allowed {
                h
            } else {
                libm::pow(allowed / largest, 1.0 / i as f64).min(h)
            }
        })
    }

    fn slip(&self, t: f64) -> Tangent {
        sum(&self.slip, t).into()
    }

    fn un(&self, t: f64) -> f64 {
        sum(&self.speed, t)[1]
    }

    /// `π` and the normal work since the start of the step.
    fn impulse_and_work(&self, t: f64) -> [f64; 2] {
        sum(&self.impulse_and_work, t).map(|s| s * t * self.flow.unit)
    }

    /// `u_n` and its slope, which the equations of motion know.
    fn un_and_slope(&self, t: f64) -> (f64, f64) {
        let [r, z] = sum(&self.speed, t);
        (z, self.flow.lift * r - self.flow.load.dot(&self.slip(t)))
    }

    /// The slope of `u_n` and its curvature.
    fn slope_and_curve(&self, t: f64) -> (f64, f64) {
        let flow = self.flow;
        let r = sum(&self.speed, t)[0];
        let slip = self.slip(t);
        let rate = flow.pull * r - flow.drag.component_mul(&slip);
        let slope = flow.lift * r - flow.load.dot(&slip);
        (slope, flow.lift * slip.dot(&rate) / r - flow.load.dot(&rate))
    }

    /// `c × u_t`, which vanishes where the slip passes the direction of `c`, and its slope.
    fn across_and_slope(&self, t: f64) -> (f64, f64) {
        let flow = self.flow;
        let r = sum(&self.speed, t)[0];
        let slip = self.slip(t);
        let rate = flow.pull * r - flow.drag.component_mul(&slip);
        (flow.load.perp(&slip), flow.load.perp(&rate))
    }
}

/// Slides for one step of slip time; ends the impact if its end lies inside.
pub(super) fn step(walk: &mut Walk, flow: &Flow, trace: &mut dyn TraceSink) -> Walked {
    let wants_work = trace.enabled() || matches!(walk.missing(), Missing::Work(_));
    let step = Step::new(flow, walk.ut(), walk.un(), wants_work);
    let mut stretch = Stretch { step: &step, pi: walk.pi(), pt: walk.pt(), at: 0.0 };
    let mut pieces = [0.0; 4];
    let count = monotone_pieces(&step, step.length(), &mut pieces);
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
fn monotone_pieces(step: &Step, length: f64, pieces: &mut [f64; 4]) -> usize {
    let flow = step.flow;
    let mut count = 0;
    let mut push = |t: f64| {
        pieces[count] = t;
        count += 1;
    };
    if flow.load.norm() <= flow.lift {
        push(length);
        return count;
    }
    let (before, after) = (step.across_and_slope(0.0).0, step.across_and_slope(length).0);
    let passes = (before * after < 0.0).then(|| {
        let ends = [(0.0, before), (length, after)];
        bracketed_root(ends, |t| step.across_and_slope(t))
    });
    let mut from = 0.0;
    for end in passes.into_iter().chain([length]) {
        let (first, last) = (step.slope_and_curve(from).0, step.slope_and_curve(end).0);
        if first * last < 0.0 {
            push(bracketed_root([(from, first), (end, last)], |t| step.slope_and_curve(t)));
        }
        push(end);
        from = end;
    }
    count
}

/// The part of a step that has been walked.
struct Stretch<'s> {
    step: &'s Step<'s>,
    /// Impulses at the start of the step.
    pi: f64,
    pt: Tangent,
    at: f64,
}

impl Stretch<'_> {
    /// Walks to `end` over a piece on which the normal velocity is monotone.
    fn piece(&mut self, walk: &mut Walk, end: f64, trace: &mut dyn TraceSink) -> Walked {
        let un = self.step.un(end);
        let turns = match walk.phase {
            Phase::Compression => un > 0.0,
            Phase::Restitution => un < 0.0,
        };
        if !turns {
            return self.same_phase(walk, end, trace);
        }
        let ends = [(self.at, walk.un()), (end, un)];
        let turn = bracketed_root(ends, |t| self.step.un_and_slope(t));
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
        if last.is_some() { Walked::Ended } else { Walked::GoesOn }
    }

    /// Where between here and `end` the rule of restitution is met.
    fn last_touch(&self, walk: &Walk, end: f64) -> Option<f64> {
        let (step, at) = (self.step, self.at);
        match walk.missing() {
            Missing::Impulse(rest) | Missing::Work(rest) if rest <= 0.0 => Some(at),
            Missing::Velocity(target) if walk.un() >= target => Some(at),
            Missing::Impulse(rest) => {
                let goal = step.impulse_and_work(at)[0] + rest;
                root_within(at, -rest, end, |t| {
                    let rate = sum(&step.speed, t)[0] * step.flow.unit;
                    (step.impulse_and_work(t)[0] - goal, rate)
                })
            }
            Missing::Work(rest) => {
                let goal = step.impulse_and_work(at)[1] + rest;
                root_within(at, -rest, end, |t| {
                    let [r, z] = sum(&step.speed, t);
                    (step.impulse_and_work(t)[1] - goal, r * z * step.flow.unit)
                })
            }
            Missing::Velocity(target) => root_within(at, walk.un() - target, end, |t| {
                let (un, slope) = step.un_and_slope(t);
                (un - target, slope)
            }),
        }
    }

    fn move_to(&mut self, walk: &mut Walk, t: f64, trace: &mut dyn TraceSink) {
        let [impulse, work] = self.step.impulse_and_work(self.at);
        if trace.enabled() {
            for i in 1..SAMPLES {
                let between = self.at + (t - self.at) * f64::from(i) / f64::from(SAMPLES);
                let ahead = self.step.impulse_and_work(between)[1];
                walk.sample(self.state(between), ahead - work, trace);
            }
        }
        let [next_impulse, next_work] = self.step.impulse_and_work(t);
        walk.count(next_impulse - impulse, next_work - work);
        walk.place(self.state(t));
        self.at = t;
    }

    fn state(&self, t: f64) -> State {
        let step = self.step;
        let slid: Tangent = sum(&step.slip_sum, t).into();
        State {
            pi: self.pi + step.impulse_and_work(t)[0],
            pt: self.pt - slid * (t * step.flow.friction),
            un: step.un(t),
            ut: step.slip(t),
        }
    }
}

/// The root of a rising function between `at`, where it is `first ≤ 0`, and `end`, if it gets that far.
fn root_within(at: f64, first: f64, end: f64, f: impl Fn(f64) -> (f64, f64)) -> Option<f64> {
    let last = f(end).0;
    (last >= 0.0).then(|| bracketed_root([(at, first), (end, last)], f))
}

/// `Σ cₙ tⁿ` of both functions. Four interleaved sums in `t⁴` keep the processor busy.
#[inline]
fn sum(series: &Series, t: f64) -> [f64; 2] {
    let (t2, t4) = (t * t, t * t * t * t);
    let mut parts = [series[ORDER - 4], series[ORDER - 3], series[ORDER - 2], series[ORDER - 1]];
    for lane in 0..2 {
        parts[0][lane] += series[ORDER][lane] * t4;
    }
    for block in (0..(ORDER - 4) / 4).rev() {
        for (i, part) in parts.iter_mut().enumerate() {
            for lane in 0..2 {
                part[lane] = part[lane] * t4 + series[4 * block + i][lane];
            }
        }
    }
    std::array::from_fn(|lane| {
        (parts[0][lane] + parts[1][lane] * t) + t2 * (parts[2][lane] + parts[3][lane] * t)
    })
}

/// `hⁿ`
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
