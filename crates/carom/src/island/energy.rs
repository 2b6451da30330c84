//! Answers that would gain energy.

use super::normal::NormalProblem;
use super::{Context, complementarity};
use crate::ImpactError;
use crate::numerics::dot;
use crate::numerics::double::Double;
use crate::numerics::factored::FactoredRows;

/// Corrections of a clamped impulse; each leaves the square of what the one before it did.
const CORRECTIONS: usize = 8;

/// Moves an impulse that gains energy towards that of maximum dissipation, until it does not. Whether it had to.
pub(crate) fn clamp_energy(
    problem: &NormalProblem,
    p: &mut [f64],
    context: &mut Context,
) -> Result<bool, ImpactError> {
    let after = problem.velocity_after(p);
    let terms = || p.iter().zip(problem.u.iter().zip(&after));
    let gain = match problem.w.gram() {
        None => terms().map(|(p, (u, v))| 0.5 * p * (u + v)).sum(),
        Some(_) => exact_gain(problem, p),
    };
    let size: f64 = terms().map(|(p, (u, v))| 0.5 * p.abs() * (u.abs() + v.abs())).sum();
    if gain <= context.tolerances.approach * size {
        return Ok(false);
    }
    let inelastic = complementarity::solve(problem, &problem.u, context)?.p;
    let rest = problem.velocity_after(&inelastic);
    let s = share_without_gain([p, &after], [&inelastic, &rest], &problem.u);
    for (p, q) in p.iter_mut().zip(&inelastic) {
        *p = q + s * (*p - q);
    }
    if problem.w.gram().is_some() {
        correct(problem, p, &inelastic);
    }
    Ok(true)
}

/// Takes away what rounding left of a gain, by going on towards the impulse of maximum dissipation.
fn correct(problem: &NormalProblem, p: &mut [f64], inelastic: &[f64]) {
    for _ in 0..CORRECTIONS {
        let gain = exact_gain(problem, p);
        if gain <= 0.0 {
            return;
        }
        let after = problem.velocity_after(p);
        let slope: f64 = (0..p.len()).map(|i| (p[i] - inelastic[i]) * after[i]).sum();
        // Twice the way of Newton's method, so that it arrives on the side where energy is lost.
        let back = (2.0 * gain / slope).clamp(f64::EPSILON, 1.0);
        p.iter_mut().zip(inelastic).for_each(|(p, q)| *p -= back * (*p - q));
    }
    p.copy_from_slice(inelastic);
}

/// `½ p·(u⁻ + u⁺)`, rounded once where the factors of `W` are kept \[J\].
pub(crate) fn exact_gain(problem: &NormalProblem, p: &[f64]) -> f64 {
    let Some(gram) = problem.w.gram() else {
        let after = problem.velocity_after(p);
        return (0..p.len()).map(|i| 0.5 * p[i] * (problem.u[i] + after[i])).sum();
    };
    let index: Vec<usize> = (0..p.len()).collect();
    let w = FactoredRows { rows: &gram.rows, mass: &gram.mass, index: &index };
    let mut change = Vec::new();
    w.spread(p.iter().copied().enumerate(), &mut change);
    let doubled = (0..p.len()).fold(Double::ZERO, |sum, i| {
        let u = problem.u[i];
        sum + Double::from(p[i]) * (w.gather(i, u, &change) + Double::from(u))
    });
    0.5 * doubled.round()
}

/// How far from an impulse that loses energy towards one that gains some energy is lost: each with the velocities after
/// it, and the velocities before \[1\].
pub(crate) fn share_without_gain(
    [p, after]: [&[f64]; 2],
    [inelastic, rest]: [&[f64]; 2],
    u: &[f64],
) -> f64 {
    // Along the way the gain is g(s) = g(0) + s·slope + ½ s²·curvature, below zero at 0 and above at 1.
    let way: Vec<f64> = p.iter().zip(inelastic).map(|(p, q)| p - q).collect();
    let change: Vec<f64> = after.iter().zip(rest).map(|(v, w)| v - w).collect();
    let start = 0.5 * (dot(inelastic, u) + dot(inelastic, rest));
    let (slope, curvature) = (dot(&way, rest), dot(&way, &change));
    let root = f64::sqrt((slope * slope - 2.0 * curvature * start).max(0.0));
    let s = if slope >= 0.0 { -2.0 * start / (slope + root) } else { (root - slope) / curvature };
    s.clamp(0.0, 1.0)
}
