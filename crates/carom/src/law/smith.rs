//! # Smith's law (1991)
//!
//! Newton's restitution, with friction against a mean of the slips before and after.
//!
//! ## Model
//! 1. `w = (u_t⁻|u_t⁻| + u_t⁺|u_t⁺|) / (|u_t⁻|² + |u_t⁺|²)`, so `|w| ≤ 1`
//! 2. `p_t = −μ p_n w`
//! 3. `u_n⁺ = −e u_n⁻`
//!
//! ## Reads e as
//! Kinematic: `u_n⁺ = −e u_n⁻` exactly. `mu` is the ratio of the whole impulses where the slip keeps its direction.
//!
//! ## Notation
//! paper `V_t` → `u_t`; its averaged direction → `w`.
//!
//! ## Deviations from the paper
//! - For each normal impulse, 1 and 2 fix the slip. That curve is followed from `p = 0`, by arc length, and every point
//!   where 3 holds is found, up to the largest normal impulse that energy allows. The smallest is returned, the count
//!   reported. Solutions off the curve, should there be any, are not seen.
//! - With `u_t⁻ = 0` the mean is the final direction: the law is Whittaker's.
//! - `μ = ∞` is the limit `w = 0`: the slip is reversed.
//!
//! ## Limits
//! - No solution for a mechanism that locks (`W` singular) before it rebounds.
//! - At grazing incidence with locking there is no rebound.
//!
//! ## Energy
//! Never grows, proven: `(a|a| + b|b|)·(a + b) ≥ (|a| + |b|)(|a| − |b|)² ≥ 0` for the slips `a`, `b`.
//!
//! ## References
//! `Smith1991`; `ChatterjeeRuina1998` section 4.

use super::settings::{Reader, Settings};
use super::split::{self, Answer, Split, Tangent};
use super::whittaker;
use super::{Claims, ImpactLaw, Law, LawRow, ReadsE};
use crate::contact::Contact;
use crate::outcome::{FinalMode, Outcome, TraceSink};
use crate::{ImpactError, Tolerances};
use nalgebra::{Matrix2, Matrix3, Vector3};

/// Friction against a mean of the slips before and after.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Smith;

/// Its row in the catalogue.
pub(crate) static ROW: LawRow = LawRow {
    id: "smith",
    name: "Smith",
    year: 1991,
    summary: "Newton's restitution, friction against a mean of the slips before and after",
    references: &["Smith1991", "ChatterjeeRuina1998"],
    reads_e: ReadsE::Kinematic,
    max_e: 1.0,
    settings: &[],
    dimensions: &[1, 2, 3],
    incremental: false,
    claims: Claims::ALL,
    build: |settings| {
        Reader::new("smith", ROW.settings, settings)?;
        Ok(Law::from(Smith))
    },
};

impl Smith {
    pub(crate) fn row(&self) -> &'static LawRow {
        &ROW
    }

    pub(crate) fn settings(&self) -> Settings {
        Settings::new()
    }
}

impl<const D: usize> ImpactLaw<D> for Smith {
    fn resolve(
        &self,
        contact: &Contact<D>,
        tolerances: &Tolerances,
        trace: &mut dyn TraceSink,
    ) -> Result<Outcome<D>, ImpactError> {
        split::resolve(&ROW, contact, tolerances, trace, |s, _| {
            solve(s, tolerances)
        })
    }
}

fn solve(s: &Split, tolerances: &Tolerances) -> Result<Answer, ImpactError> {
    let speed = s.ut.norm();
    if speed == 0.0 {
        return whittaker::solve(s, s.e);
    }
    if s.un == 0.0 && !s.jams() {
        return Ok(Answer::new(0.0, Tangent::zeros(), FinalMode::Untouched));
    }
    let change = -(1.0 + s.e) * s.un;
    if let Some(answer) = reversed(s, change) {
        return Ok(answer);
    }
    Curve::new(s, change, tolerances).first_crossing()
}

/// The solution for `μ = ∞` that spends normal impulse: `w = 0`, so `u_t⁺ = −u_t⁻` in every direction that yields.
fn reversed(s: &Split, change: f64) -> Option<Answer> {
    let kappa = s.kappa();
    let missing = change + 2.0 * s.b().dot(&s.ut);
    (s.alpha == 0.0 && missing >= 0.0 && kappa > 0.0).then(|| {
        let pn = missing / kappa;
        Answer::new(pn, -s.solve_t(s.ut * 2.0 + s.c * pn), FinalMode::Slip)
    })
}

/// Lengths of arc are measured in units of the first slip; steps start and end within these.
const FIRST_STEP: f64 = 0.05;
const SMALLEST_STEP: f64 = 1e-10;
const MAX_STEPS: u32 = 20_000;
const MAX_CORRECTIONS: u32 = 8;

/// The curve of slips over normal impulse: points `(x, y, τ)` with the final slip `(x, y)` in units of the first one
/// and the impulse `τ` in units of what stops it.
struct Curve<'a> {
    split: &'a Split,
    change: f64,
    start: Tangent,
    pull: Tangent,
    drag: Tangent,
    /// Slip and impulse units.
    speed: f64,
    unit: f64,
    /// Largest `τ` that any solution can have.
    last: f64,
    residual: f64,
}

impl<'a> Curve<'a> {
    fn new(s: &'a Split, change: f64, tolerances: &Tolerances) -> Self {
        let speed = s.ut.norm();
        let rate = s.alpha * s.c.norm() + s.beta * (s.t.x + s.t.y);
        let per_rate = if rate > 0.0 { 1.0 / rate } else { 1.0 };
        let unit = speed * per_rate;
        Self {
            split: s,
            change,
            start: s.ut / speed,
            pull: s.c * (s.alpha * per_rate),
            drag: s.t * (s.beta * per_rate),
            speed,
            unit,
            last: largest_normal_impulse(s).map_or(f64::INFINITY, |pn| pn / (s.alpha * unit)),
            residual: tolerances.residual,
        }
    }

    /// `w` at a final slip, and its derivative.
    fn mean_direction(&self, x: Tangent) -> (Tangent, Matrix2<f64>) {
        let length = x.norm();
        let below = 1.0 + length * length;
        let w = (self.start + x * length) / below;
        if length == 0.0 {
            return (w, Matrix2::zeros());
        }
        let slope =
            Matrix2::identity() * length + x * x.transpose() / length - w * x.transpose() * 2.0;
        (w, slope / below)
    }

    /// `x − start − τ (pull − drag·w)`, with its derivatives by `x` and `τ`.
    fn slip_equation(&self, at: Vector3<f64>) -> (Tangent, Matrix2<f64>, Tangent) {
        let x = at.xy();
        let (w, w_slope) = self.mean_direction(x);
        let push = self.pull - self.drag.component_mul(&w);
        let by_x = Matrix2::identity() + Matrix2::from_diagonal(&self.drag) * w_slope * at.z;
        (x - self.start - push * at.z, by_x, -push)
    }

    /// Normal velocity gained so far less the change wanted, with its derivatives by `x` and `τ`.
    fn rebound(&self, at: Vector3<f64>) -> (f64, Tangent, f64) {
        let s = self.split;
        let (w, w_slope) = self.mean_direction(at.xy());
        let rise = (s.alpha * s.k - s.beta * s.c.dot(&w)) * self.unit;
        let by_x = w_slope.transpose() * s.c * (-s.beta * self.unit * at.z);
        (rise * at.z - self.change, by_x, rise)
    }

    /// Follows the curve to the first point with the rebound wanted, then on to count the others.
    fn first_crossing(&self) -> Result<Answer, ImpactError> {
        let mut at = Vector3::new(self.start.x, self.start.y, 0.0);
        let mut forward = Vector3::new(0.0, 0.0, 1.0);
        let mut before = self.rebound(at).0;
        // At grazing the curve starts with the rebound wanted; what counts is where it comes back to it.
        let mut below = before < 0.0 || self.split.jams();
        let mut found: Option<Vector3<f64>> = None;
        let mut solutions = 0;
        let mut step = FIRST_STEP;
        let mut steps = 0;
        while at.z <= self.last && (solutions == 0 || self.last.is_finite()) {
            steps += 1;
            if steps > MAX_STEPS {
                break;
            }
            let tangent = self.tangent(at, forward);
            let longest = FIRST_STEP * (1.0 + at.norm());
            step = step.min(longest);
            let Some((next, corrections)) = self.corrected(at + tangent * step, tangent) else {
                step *= 0.5;
                if step < SMALLEST_STEP {
                    break;
                }
                continue;
            };
            let after = self.rebound(next).0;
            if below != (after < 0.0) && (after != 0.0 || below) {
                let crossing = self.polished(at, next, before, after)?;
                solutions += 1;
                if found.is_none_or(|f| crossing.z < f.z) {
                    found = Some(crossing);
                }
                below = after < 0.0;
            }
            (at, forward, before) = (next, tangent, after);
            if corrections <= 3 {
                step *= 2.0;
            }
        }
        let Some(point) = found else {
            return Err(self.no_crossing(before, steps));
        };
        let (w, _) = self.mean_direction(point.xy());
        let pi = point.z * self.unit;
        let s = self.split;
        let mut answer = Answer::new(s.alpha * pi, w * (-s.beta * pi), FinalMode::Slip);
        answer.effort.solutions = solutions;
        answer.effort.steps = steps;
        Ok(answer)
    }

    fn no_crossing(&self, missing: f64, steps: u32) -> ImpactError {
        if self.last.is_infinite() {
            let reason = "the contact locks before it rebounds".into();
            return ImpactError::NoSolution {
                law: ROW.id,
                reason,
            };
        }
        let scale = self.change.abs().max(self.speed);
        ImpactError::NotConverged {
            law: ROW.id,
            residual: missing.abs() / scale,
            iterations: steps,
        }
    }

    /// The unit tangent of the curve that goes on in the direction of `forward`.
    fn tangent(&self, at: Vector3<f64>, forward: Vector3<f64>) -> Vector3<f64> {
        let (_, by_x, by_tau) = self.slip_equation(at);
        let rows = [0, 1].map(|i| Vector3::new(by_x[(i, 0)], by_x[(i, 1)], by_tau[i]));
        let along = rows[0].cross(&rows[1]);
        let length = along.norm();
        if length == 0.0 {
            return forward;
        }
        along * (1.0f64.copysign(along.dot(&forward)) / length)
    }

    /// The point of the curve in the plane through `guess` across `tangent`, by Newton's method.
    fn corrected(&self, guess: Vector3<f64>, tangent: Vector3<f64>) -> Option<(Vector3<f64>, u32)> {
        let mut at = guess;
        for corrections in 1..=MAX_CORRECTIONS {
            let (f, by_x, by_tau) = self.slip_equation(at);
            let matrix = bordered(by_x, by_tau, tangent.xy(), tangent.z);
            let right = Vector3::new(f.x, f.y, tangent.dot(&(at - guess)));
            let change = matrix.try_inverse()? * right;
            at -= change;
            if change.norm() <= 1e-9 * (1.0 + at.norm()) {
                return Some((at, corrections));
            }
        }
        None
    }

    /// The crossing between two points of the curve, solved together with the rebound it must have.
    fn polished(
        &self,
        low: Vector3<f64>,
        high: Vector3<f64>,
        before: f64,
        after: f64,
    ) -> Result<Vector3<f64>, ImpactError> {
        let share = if before == after {
            0.5
        } else {
            before / (before - after)
        };
        let mut at = low + (high - low) * share.clamp(0.0, 1.0);
        let scale = self.change.abs().max(self.speed);
        let mut smallest = f64::INFINITY;
        let mut best = at;
        for _ in 0..40 {
            let (f, by_x, by_tau) = self.slip_equation(at);
            let (g, g_by_x, g_by_tau) = self.rebound(at);
            let size = (1.0 + at.norm()).max(at.z * (self.pull.norm() + self.drag.norm()));
            let residual = (f.norm() / size).max(g.abs() / self.rebound_size(at));
            if residual < smallest {
                (smallest, best) = (residual, at);
            } else if smallest <= self.residual {
                break;
            }
            let matrix = bordered(by_x, by_tau, g_by_x / scale, g_by_tau / scale);
            let Some(inverse) = matrix.try_inverse() else {
                break;
            };
            at -= inverse * Vector3::new(f.x, f.y, g / scale);
            at.z = at.z.max(0.0);
        }
        if smallest <= self.residual {
            Ok(best)
        } else {
            Err(ImpactError::NotConverged {
                law: ROW.id,
                residual: smallest,
                iterations: 40,
            })
        }
    }

    /// The size of the terms of which [`Curve::rebound`] is the sum.
    fn rebound_size(&self, at: Vector3<f64>) -> f64 {
        let s = self.split;
        self.change.abs() + at.z * self.unit * (s.alpha * s.k + s.beta * s.c.norm())
    }
}

/// The 3×3 matrix of two equations and one more.
fn bordered(by_x: Matrix2<f64>, by_tau: Tangent, last: Tangent, corner: f64) -> Matrix3<f64> {
    Matrix3::new(
        by_x[(0, 0)],
        by_x[(0, 1)],
        by_tau.x, //
        by_x[(1, 0)],
        by_x[(1, 1)],
        by_tau.y, //
        last.x,
        last.y,
        corner,
    )
}

/// The largest normal impulse that does not create energy: `P_II,n + √(2E₀/κ)`. None where the contact locks, and
/// none for `μ = ∞`, where impulse is not counted along the normal.
fn largest_normal_impulse(s: &Split) -> Option<f64> {
    let kappa = s.kappa();
    (kappa > 0.0 && s.alpha > 0.0).then(|| {
        let stick = (s.b().dot(&s.ut) - s.un) / kappa;
        // 2E₀ = u_t·T⁺u_t + (u_n − b·u_t)²/κ
        let energy = s.ut.dot(&s.solve_t(s.ut)) + stick * stick * kappa;
        stick + libm::sqrt(energy / kappa)
    })
}
