//! One step of the Taylor series in slip time, and the events inside it.

use super::Flow;
use super::path::{Path, Phase, Progress, Remaining, State};
use crate::laws::single::scaled::Tangent;
use crate::numerics::roots::bracketed_root;
use crate::outcome::Observer;

/// Order of the series. At 24 the remainder after a step of 2/L is below rounding for all but the stiffest data.
const ORDER: usize = 24;
/// The series may be cut where its terms fall below this part of the slip.
const CUT_OFF: f64 = 3e-17;
/// Longest step in units of 1/L; beyond it the alternating terms of the series cancel digits.
const LONGEST_STEP: f64 = 2.0;
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
    /// `1/r₀`
    inverse_r: f64,
    /// The slip, `x` and `y`.
    slip: Series,
    /// Its length and the normal velocity, `r` and `z`.
    speed: Series,
    /// `∫x/t` and `∫y/t`.
    slip_sum: Series,
    /// `∫r/t` and `∫r z/t`; the latter only for Stronge's rule or a trace.
    impulse_and_work: Series,
}

impl<'f> Step<'f> {
    fn new(flow: &'f Flow, slip: Tangent, un: f64, wants_work: bool) -> Self {
        let mut step = Self {
            flow,
            inverse_r: 1.0 / slip.norm(),
            slip: [[0.0; 2]; ORDER + 1],
            speed: [[0.0; 2]; ORDER + 1],
            slip_sum: [[0.0; 2]; ORDER + 1],
            impulse_and_work: [[0.0; 2]; ORDER + 1],
        };
        step.slip[0] = [slip.x, slip.y];
        step.speed[0] = [slip.norm(), un];
        // One after the other, each with its own loops of known length.
        macro_rules! orders { ($($m:literal)*) => { $(step.add_order::<$m>();)* } }
        orders!(1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24);
        step.add_sums(ORDER);
        if wants_work {
            step.sum_work();
        }
        step
    }

    /// The coefficients of order `n` of the integrals.
    #[inline(always)]
    fn add_sums(&mut self, n: usize) {
        self.slip_sum[n] = self.slip[n].map(|c| c * INTEGRAL[n]);
        self.impulse_and_work[n][0] = self.speed[n][0] * INTEGRAL[n];
    }

    /// The coefficients of order `M` from those below: slip and normal velocity by the equations of motion, whose right
    /// sides are the integrals' coefficients; the length from `r² = x² + y²`, where `2 r₀ r_M` is the coefficient of the
    /// right less what the left has without it.
    #[inline(always)]
    fn add_order<const M: usize>(&mut self) {
        self.add_sums(M - 1);
        let flow = self.flow;
        let [sx, sy] = self.slip_sum[M - 1];
        let sr = self.impulse_and_work[M - 1][0];
        let x = flow.pull.x * sr - flow.drag.x * sx;
        let y = flow.pull.y * sr - flow.drag.y * sy;
        let z = flow.lift * sr - flow.load.x * sx - flow.load.y * sy;
        // From the middle outwards, in two sums; the newest coefficients come last, so that the others do not wait for them.
        let mut squares = [[0.0; 2]; 2];
        let mut own = [0.0; 2];
        for j in (2..M.div_ceil(2)).rev() {
            let (k, sum) = (M - j, j % 2);
            squares[sum][0] += self.slip[j][0] * self.slip[k][0];
            squares[sum][1] += self.slip[j][1] * self.slip[k][1];
            own[sum] += self.speed[j][0] * self.speed[k][0];
        }
        let mut known =
            (squares[0][0] + squares[1][0]) + (squares[0][1] + squares[1][1]) - (own[0] + own[1]);
        if M.is_multiple_of(2) {
            let ([x, y], r) = (self.slip[M / 2], self.speed[M / 2][0]);
            known += 0.5 * (x * x + y * y - r * r);
        }
        if M > 2 {
            let ([x1, y1], r1) = (self.slip[1], self.speed[1][0]);
            let ([xl, yl], rl) = (self.slip[M - 1], self.speed[M - 1][0]);
            known += (x1 * xl + y1 * yl) - r1 * rl;
        }
        let [x0, y0] = self.slip[0];
        let r = (known + (x0 * x + y0 * y)) * self.inverse_r;
        self.slip[M] = [x, y];
        self.speed[M] = [r, z];
    }

    /// The coefficients of `∫ r z`: the product of the two series, row by row, so that it vectorises.
    fn sum_work(&mut self) {
        let z: [f64; ORDER + 1] = std::array::from_fn(|j| self.speed[j][1]);
        let mut product = [0.0; ORDER + 1];
        for (j, [r, _]) in self.speed.iter().enumerate() {
            for (sum, z) in product[j..].iter_mut().zip(&z) {
                *sum += r * z;
            }
        }
        for (n, product) in product.into_iter().enumerate() {
            self.impulse_and_work[n][1] = product * INTEGRAL[n];
        }
    }

    /// How far the series may be trusted.
    fn length(&self) -> f64 {
        [ORDER - 1, ORDER].into_iter().fold(LONGEST_STEP, |h, i| {
            let ([x, y], [r, z]) = (self.slip[i], self.speed[i]);
            let largest = x.abs().max(y.abs()).max(r.abs()).max(z.abs());
            let allowed = CUT_OFF * self.speed[0][0];
            if largest * power(h, i) <= allowed { h } else { root(allowed / largest, i).min(h) }
        })
    }

    /// The start of the step.
    fn start(&self) -> StepPoint {
        let [r, un] = self.speed[0];
        StepPoint {
            t: 0.0,
            slip: self.slip[0].into(),
            r,
            un,
            pi: 0.0,
            work: 0.0,
            slid: Tangent::zeros(),
        }
    }

    /// Everything at slip time `t`.
    fn at(&self, t: f64) -> StepPoint {
        let [r, un] = sum(&self.speed, t);
        let [pi, work] = sum(&self.impulse_and_work, t).map(|s| s * t * self.flow.unit);
        let slid: Tangent = sum(&self.slip_sum, t).into();
        StepPoint { t, slip: sum(&self.slip, t).into(), r, un, pi, work, slid: slid * t }
    }

    /// Slip, its length and the normal velocity at slip time `t`.
    fn motion(&self, t: f64) -> (Tangent, f64, f64) {
        let [r, un] = sum(&self.speed, t);
        (sum(&self.slip, t).into(), r, un)
    }
}

/// A point of a step: its slip time, the motion there, and what has been added up since the step began.
#[derive(Clone, Copy)]
struct StepPoint {
    t: f64,
    slip: Tangent,
    r: f64,
    un: f64,
    pi: f64,
    work: f64,
    slid: Tangent,
}

impl Flow {
    /// `u_t'` per unit of slip time.
    fn slip_rate(&self, slip: Tangent, r: f64) -> Tangent {
        self.pull * r - self.drag.component_mul(&slip)
    }

    /// `u_n'` per unit of slip time.
    fn un_rate(&self, slip: Tangent, r: f64) -> f64 {
        self.lift * r - self.load.dot(&slip)
    }
}

/// Slides for one step of slip time; ends the impact if its end lies inside.
pub(crate) fn step(path: &mut Path, flow: &Flow, trace: &mut dyn Observer) -> Progress {
    let wants_work = trace.wants_path() || matches!(path.remaining(), Remaining::Work(_));
    let step = Step::new(flow, path.now.ut, path.now.un, wants_work);
    let start = step.start();
    let end = step.at(step.length());
    let mut step_path = StepPath { step: &step, pi: path.now.pi, pt: path.now.pt, at: start };
    let mut pieces = [start; 3];
    let count = monotone_pieces(&step, start, end, &mut pieces);
    for end in &pieces[..count] {
        if let Progress::Ended = step_path.follow_piece(path, end, trace) {
            return Progress::Ended;
        }
    }
    Progress::Ongoing
}

/// Ends of the pieces of a step on which the normal velocity is monotone.
///
/// It falls only while `βc·s > αk`. The direction turns one way only and by less than π a step, so `c·s` has at most one
/// extremum, where `s` passes `±c`; on either side of that, `u_n'` changes sign at most once. So it changes sign once
/// in all if it differs at the ends, and else twice or never.
fn monotone_pieces(
    step: &Step,
    start: StepPoint,
    end: StepPoint,
    pieces: &mut [StepPoint; 3],
) -> usize {
    let flow = step.flow;
    let mut count = 0;
    let mut push = |place: StepPoint| {
        pieces[count] = place;
        count += 1;
    };
    if flow.load.norm() <= flow.lift {
        push(end);
        return count;
    }
    let rate = |place: &StepPoint| flow.un_rate(place.slip, place.r);
    let extremum = |from: &StepPoint, to: &StepPoint| {
        step.at(bracketed_root([(from.t, rate(from)), (to.t, rate(to))], |t| {
            let (slip, r, _) = step.motion(t);
            let turning = flow.slip_rate(slip, r);
            (flow.un_rate(slip, r), flow.un_rate(turning, slip.dot(&turning) / r))
        }))
    };
    let across = |slip: Tangent| flow.load.perp(&slip);
    let (before, after) = (across(start.slip), across(end.slip));
    if rate(&start) * rate(&end) < 0.0 {
        push(extremum(&start, &end));
    } else if before * after < 0.0 {
        let passes = step.at(bracketed_root([(start.t, before), (end.t, after)], |t| {
            let (slip, r, _) = step.motion(t);
            (across(slip), across(flow.slip_rate(slip, r)))
        }));
        if rate(&start) * rate(&passes) < 0.0 {
            push(extremum(&start, &passes));
            push(extremum(&passes, &end));
        }
    }
    push(end);
    count
}

/// The part of a step that has been followed.
struct StepPath<'s> {
    step: &'s Step<'s>,
    /// Impulses at the start of the step.
    pi: f64,
    pt: Tangent,
    at: StepPoint,
}

impl StepPath<'_> {
    /// Follows a piece to `end` on which the normal velocity is monotone.
    fn follow_piece(
        &mut self,
        path: &mut Path,
        end: &StepPoint,
        trace: &mut dyn Observer,
    ) -> Progress {
        let turns = match path.phase {
            Phase::Compression => end.un > 0.0,
            Phase::Restitution => end.un < 0.0,
        };
        if !turns {
            return self.follow_in_phase(path, end, trace);
        }
        let (step, flow) = (self.step, self.step.flow);
        let turn = bracketed_root([(self.at.t, path.now.un), (end.t, end.un)], |t| {
            let (slip, r, un) = step.motion(t);
            (un, flow.un_rate(slip, r))
        });
        if let Progress::Ended = self.follow_in_phase(path, &step.at(turn), trace) {
            return Progress::Ended;
        }
        path.change_phase(trace);
        self.follow_in_phase(path, end, trace)
    }

    /// Goes to `end` without change of phase, or to the end of the impact.
    fn follow_in_phase(
        &mut self,
        path: &mut Path,
        end: &StepPoint,
        trace: &mut dyn Observer,
    ) -> Progress {
        let last = match path.phase {
            Phase::Restitution => self.separation_time(path, end),
            Phase::Compression => None,
        };
        match last {
            Some(t) => {
                self.move_to(path, self.step.at(t), trace);
                Progress::Ended
            }
            None => {
                self.move_to(path, *end, trace);
                Progress::Ongoing
            }
        }
    }

    /// The slip time between here and `end` at which the rule of restitution is met.
    fn separation_time(&self, path: &Path, end: &StepPoint) -> Option<f64> {
        let (step, flow, at) = (self.step, self.step.flow, &self.at);
        let added = |t: f64| sum(&step.impulse_and_work, t).map(|s| s * t * flow.unit);
        match path.remaining() {
            Remaining::Impulse(rest) | Remaining::Work(rest) if rest <= 0.0 => Some(at.t),
            Remaining::Velocity(target) if path.now.un >= target => Some(at.t),
            Remaining::Impulse(rest) => {
                root_between([(at.t, -rest), (end.t, end.pi - at.pi - rest)], |t| {
                    let rate = sum(&step.speed, t)[0] * flow.unit;
                    (added(t)[0] - at.pi - rest, rate)
                })
            }
            Remaining::Work(rest) => {
                root_between([(at.t, -rest), (end.t, end.work - at.work - rest)], |t| {
                    let [r, un] = sum(&step.speed, t);
                    (added(t)[1] - at.work - rest, r * un * flow.unit)
                })
            }
            Remaining::Velocity(target) => {
                root_between([(at.t, path.now.un - target), (end.t, end.un - target)], |t| {
                    let (slip, r, un) = step.motion(t);
                    (un - target, flow.un_rate(slip, r))
                })
            }
        }
    }

    fn move_to(&mut self, path: &mut Path, to: StepPoint, trace: &mut dyn Observer) {
        let from = self.at;
        if trace.wants_path() {
            for i in 1..SAMPLES {
                let t = from.t + (to.t - from.t) * f64::from(i) / f64::from(SAMPLES);
                let between = self.step.at(t);
                path.sample(self.state(&between), between.work - from.work, trace);
            }
        }
        path.count(to.pi - from.pi, to.work - from.work);
        path.now = self.state(&to);
        self.at = to;
    }

    fn state(&self, place: &StepPoint) -> State {
        State {
            pi: self.pi + place.pi,
            pt: self.pt - place.slid * self.step.flow.friction,
            un: place.un,
            ut: place.slip,
        }
    }
}

/// The root of a rising function that starts at or below zero, if it gets that far.
fn root_between(ends: [(f64, f64); 2], f: impl Fn(f64) -> (f64, f64)) -> Option<f64> {
    (ends[1].1 >= 0.0).then(|| bracketed_root(ends, f))
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

/// `x^(1/n)` for a normal number `x`, up to 7 % too small: a number's bits, read as an integer, are nearly its
/// logarithm.
fn root(x: f64, n: usize) -> f64 {
    const ONE: i64 = 1.0f64.to_bits() as i64;
    let logarithm = (x.to_bits() as i64 - ONE) / n as i64;
    f64::from_bits((ONE + logarithm) as u64) * 0.94
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
