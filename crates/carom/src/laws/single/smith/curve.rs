//! The curve of impulses on which Smith's friction holds, followed by arc length to where the rebound is as wanted.

use super::{INFO, along_surface, locks};
use crate::laws::single::scaled::{Answer, Scaled, Tangent};
use crate::outcome::FinalMode;
use crate::{ImpactError, Tolerances};
use nalgebra::{Matrix2, Matrix3, Vector3};

/// The first step along the curve, and the longest relative to the distance from the origin, in units of the first slip.
const FIRST_STEP: f64 = 0.05;
/// The curve is given up where steps would have to be shorter than this, in units of the first slip.
const MIN_STEP: f64 = 1e-10;
/// Steps after which the curve is given up.
const MAX_STEPS: u32 = 20_000;
/// A point is on the curve when the last correction was this small: the next would be below rounding.
const ON_CURVE: f64 = 1e-10;
/// Corrections after which a step is halved.
const MAX_CORRECTIONS: u32 = 8;
/// Halvings of a bracket after which Newton's best point must do.
const MAX_HALVINGS: u32 = 60;
/// Iterations of Newton's method for a crossing.
const MAX_NEWTON: u32 = 20;
/// Where rounding blurs the curve, equations count as solved within this multiple of the tolerance.
const BLURRED: f64 = 64.0;
/// A difference that keeps this much of its terms has lost no digits.
const FIRM: f64 = 0.25;

/// How far the normal velocity is from the rebound wanted, with the size of its terms and its derivatives.
struct Rebound {
    missing: f64,
    size: f64,
    by_x: Tangent,
    by_tau: f64,
}

/// The curve of slips over normal impulse: points `(x, y, τ)` with the final slip `(x, y)` in units of the first one
/// and the impulse `τ` in units of what stops it.
pub(crate) struct Curve<'a> {
    scaled: &'a Scaled,
    change: f64,
    start: Tangent,
    pull: Tangent,
    drag: Tangent,
    /// Slip and impulse units.
    speed: f64,
    unit: f64,
    /// Normal velocity per `τ` and per change of slip.
    per_impulse: f64,
    per_slip: Tangent,
    /// The `τ` beyond which these two lose fewer digits than the impulse itself.
    switch: f64,
    /// Largest `τ` that any solution can have.
    last: f64,
    residual: f64,
}

impl<'a> Curve<'a> {
    pub fn new(s: &'a Scaled, change: f64, tolerances: &Tolerances) -> Self {
        let speed = s.ut.norm();
        let rate = s.alpha * s.c.norm() + s.beta * (s.t.x + s.t.y);
        let per_rate = if rate > 0.0 { 1.0 / rate } else { 1.0 };
        let unit = speed * per_rate;
        Self {
            scaled: s,
            change,
            start: s.ut / speed,
            pull: s.c * (s.alpha * per_rate),
            drag: s.t * (s.beta * per_rate),
            speed,
            unit,
            per_impulse: s.kappa() * s.alpha * unit,
            per_slip: s.b() * speed,
            switch: s.b().norm() * speed / ((s.alpha * s.k + s.beta * s.c.norm()) * unit),
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
    ///
    /// It is `(k − μ c·w) p_n`, and on the curve also `κ p_n + b·(u_t − u_t⁻)`. The first loses digits where the contact
    /// almost locks and impulses are large, the second where they are small.
    fn rebound(&self, at: Vector3<f64>) -> Rebound {
        if at.z > self.switch {
            let by_impulse = self.per_impulse * at.z;
            let slipped = at.xy() - self.start;
            Rebound {
                missing: by_impulse + self.per_slip.dot(&slipped) - self.change,
                size: by_impulse + self.per_slip.norm() * slipped.norm() + self.change,
                by_x: self.per_slip,
                by_tau: self.per_impulse,
            }
        } else {
            let s = self.scaled;
            let (w, w_slope) = self.mean_direction(at.xy());
            let (lift, load) = (s.alpha * s.k * self.unit, s.c * (s.beta * self.unit));
            let rise = lift - load.dot(&w);
            Rebound {
                missing: rise * at.z - self.change,
                size: (lift + load.norm() * w.norm()) * at.z + self.change,
                by_x: w_slope.transpose() * load * -at.z,
                by_tau: rise,
            }
        }
    }

    /// Follows the curve to the first point with the rebound wanted, then on to count the others.
    pub fn first_crossing(&self) -> Result<Answer, ImpactError> {
        let mut at = Vector3::new(self.start.x, self.start.y, 0.0);
        let mut forward = Vector3::new(0.0, 0.0, 1.0);
        let mut before = self.rebound(at).missing;
        // At grazing the curve starts with the rebound wanted; what counts is where it comes back to it.
        let mut below = before < 0.0 || self.scaled.jams();
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
                if step < MIN_STEP {
                    break;
                }
                continue;
            };
            let after = self.rebound(next);
            if below != (after.missing < 0.0) && after.missing.abs() > self.residual * after.size {
                let crossing = self.polished((at, before), (next, after.missing))?;
                solutions += 1;
                if found.is_none_or(|f| crossing.z < f.z) {
                    found = Some(crossing);
                }
                below = after.missing < 0.0;
            }
            (at, forward, before) = (next, tangent, after.missing);
            if corrections <= 3 {
                step *= 2.0;
            }
        }
        let Some(point) = found else {
            return Err(self.no_crossing(before, steps));
        };
        let (pn, pt) = self.impulse(point);
        let mut answer = Answer::new(pn, pt, FinalMode::Slip);
        answer.effort.solutions = solutions;
        answer.effort.steps = steps;
        Ok(answer)
    }

    /// The impulse at a point of the curve, each part by the formula that loses fewer digits there.
    fn impulse(&self, point: Vector3<f64>) -> (f64, Tangent) {
        let s = self.scaled;
        let (w, _) = self.mean_direction(point.xy());
        // The normal part: from the rebound, (k − μ c·w) p_n = change, or from the curve.
        let (lift, load) = (s.alpha * s.k, s.c * s.beta);
        let rise = lift - load.dot(&w);
        let firm = rise > FIRM * (lift + load.norm() * w.norm());
        let pi = if firm { self.change / rise } else { point.z * self.unit };
        let pn = s.alpha * pi;
        // The tangential part: −μ p_n w, or where w is a small difference of opposite slips, what makes the slip
        // change as it does. That loses digits as W is badly conditioned, for μ = ∞ as T is.
        let slip = point.xy() * self.speed;
        let by_mean = (pn, w * (-s.beta * pi));
        if s.alpha > 0.0 {
            let by_slip = s.impulse_to_slip(self.change, slip);
            let better = w.norm() * s.k < s.kappa();
            return by_slip.filter(|(pn, pt)| better && s.in_cone(*pn, *pt)).unwrap_or(by_mean);
        }
        let better = w.norm() * s.t.max() < s.t.min();
        let pt = if better { s.solve_t(slip - s.ut) } else { by_mean.1 };
        (0.0, along_surface(s, self.change, pt))
    }

    fn no_crossing(&self, missing: f64, steps: u32) -> ImpactError {
        if self.last.is_infinite() {
            return locks();
        }
        let scale = self.change.abs().max(self.speed);
        ImpactError::NotConverged {
            law: INFO.id,
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
            if change.xy().norm() <= ON_CURVE * (1.0 + at.xy().norm())
                && change.z.abs() <= ON_CURVE * (1.0 + at.z.abs())
            {
                return Some((at, corrections));
            }
        }
        None
    }

    /// The crossing between two points of the curve: the bracket is halved until Newton's method, on the curve and the
    /// rebound together, stays inside it.
    fn polished(
        &self,
        (mut low, mut before): (Vector3<f64>, f64),
        (mut high, mut after): (Vector3<f64>, f64),
    ) -> Result<Vector3<f64>, ImpactError> {
        let mut best: Option<(Vector3<f64>, f64)> = None;
        for _ in 0..MAX_HALVINGS {
            let share = if before == after { 0.5 } else { before / (before - after) };
            let (point, error) = self.newton(low + (high - low) * share.clamp(0.0, 1.0));
            // The curve bends a little beyond the ball over its chord.
            let rounding = self.residual * (1.0 + point.norm());
            let near = (point - (low + high) * 0.5).norm() <= 0.75 * (high - low).norm() + rounding;
            if error <= self.residual && near {
                return Ok(point);
            }
            if best.is_none_or(|(_, least)| error < least) {
                best = Some((point, error));
            }
            let chord = (high - low) / (high - low).norm();
            let Some((middle, _)) = self.corrected((low + high) * 0.5, chord) else {
                break;
            };
            let value = self.rebound(middle).missing;
            if (value < 0.0) == (before < 0.0) {
                (low, before) = (middle, value);
            } else {
                (high, after) = (middle, value);
            }
        }
        // Where rounding blurs the curve itself, Newton's point may lie beside the bracket: it solves the equations.
        match best {
            Some((point, error)) if error <= BLURRED * self.residual => Ok(point),
            _ => Err(ImpactError::NotConverged {
                law: INFO.id,
                residual: best.map_or(f64::INFINITY, |(_, error)| error),
                iterations: MAX_HALVINGS,
            }),
        }
    }

    /// The best point that Newton's method reaches from `at`, with its residual relative to its terms.
    fn newton(&self, mut at: Vector3<f64>) -> (Vector3<f64>, f64) {
        let scale = self.change.abs().max(self.speed);
        let mut best = (at, f64::INFINITY);
        for _ in 0..MAX_NEWTON {
            let (f, by_x, by_tau) = self.slip_equation(at);
            let rebound = self.rebound(at);
            // Each component against its own terms: W may be stiff along one tangent and soft along the other.
            let size = (self.pull.abs() + self.drag) * at.z;
            let off = f.zip_map(&size, |f, size| f.abs() / (1.0 + at.xy().norm() + size)).max();
            let residual = off.max(rebound.missing.abs() / rebound.size);
            if residual < best.1 {
                best = (at, residual);
            } else if best.1 <= self.residual {
                break;
            }
            let matrix = bordered(by_x, by_tau, rebound.by_x / scale, rebound.by_tau / scale);
            let Some(inverse) = matrix.try_inverse() else {
                break;
            };
            at -= inverse * Vector3::new(f.x, f.y, rebound.missing / scale);
            at.z = at.z.max(0.0);
        }
        best
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
fn largest_normal_impulse(s: &Scaled) -> Option<f64> {
    let kappa = s.kappa();
    (kappa > 0.0 && s.alpha > 0.0).then(|| {
        let stick = (s.b().dot(&s.ut) - s.un) / kappa;
        // 2E₀ = u_t·T⁺u_t + (u_n − b·u_t)²/κ
        let energy = s.ut.dot(&s.solve_t(s.ut)) + stick * stick * kappa;
        stick + f64::sqrt(energy / kappa)
    })
}
