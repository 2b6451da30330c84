//! Answers that would gain energy.

use super::normal::NormalProblem;
use super::{Context, complementarity};
use crate::ImpactError;
use crate::numerics::dot;

/// Moves an impulse that gains energy towards that of maximum dissipation, until it does not. Whether it had to.
pub(crate) fn clamp_energy(
    problem: &NormalProblem,
    p: &mut [f64],
    context: &mut Context,
) -> Result<bool, ImpactError> {
    let after = problem.velocity_after(p);
    let terms = || p.iter().zip(problem.u.iter().zip(&after));
    let gain: f64 = terms().map(|(p, (u, v))| 0.5 * p * (u + v)).sum();
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
    Ok(true)
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
