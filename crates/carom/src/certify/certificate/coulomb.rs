//! How far an impulse is from Newton's restitution with Coulomb's friction, and whether that law can create energy here.

use crate::contact::{ContactKind, ContactProblem};
use nalgebra::DMatrix;

/// Matrices of more rows are left out: the work grows with the cube of their size.
const MAX_ROWS: usize = 300;

/// How far an impulse is from `newton-coulomb`. Other laws mean to be.
///
/// With `ξ_n = u_n⁺ + e u_n⁻`, `ξ_t = u_t⁺ + e_t u_t⁻` and `ρ = 1/W_nn`, an impulse fulfils that law where
/// `p_n = max(p_n − ρ ξ_n, 0)` and `p_t` is the projection of `p_t − ρ ξ_t` on the disc of radius `μ p_n`. The two are told
/// apart: the projection on the cone that joins them says little where `μ` is large, for there `p = 0` misses by no more
/// than `|ξ_n|/μ`. Contacts that separate before count without restitution.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CoulombResidual {
    /// The largest `|p_n − max(p_n − ρ ξ_n, 0)|/ρ`, relative to the largest `|u⁻|` \[1\].
    pub normal: f64,
    /// The same of the projections on the discs \[1\].
    pub tangential: f64,
    /// The smallest eigenvalue of `δW + Wδ`, relative to the largest entry of `W`, where `δ = (1 − e)/(2 (1 + e))` on
    /// normal rows and the same of `e_t` on the others. Where it is not below zero, Newton's restitution with Coulomb's
    /// friction creates no energy, whatever the velocities. Absent for more than 300 rows, or `e_t = −1` \[1\].
    pub dissipation_margin: Option<f64>,
}

impl CoulombResidual {
    pub(super) fn of(
        problem: &ContactProblem,
        impulse: &[f64],
        before: &[f64],
        after: &[f64],
    ) -> Self {
        let largest =
            |values: &mut dyn Iterator<Item = f64>| values.fold(0.0, |m: f64, x| m.max(x.abs()));
        let speed = largest(&mut before.iter().copied());
        // Where nothing moves before, what the impulse causes is all there is to compare with.
        let scale = match speed > 0.0 {
            true => speed,
            false => largest(&mut after.iter().zip(before).map(|(a, b)| a - b)),
        };
        let entry = |k: usize| {
            let first = problem.row_range(k).start;
            problem.delassus_at(first, first)
        };
        // A normal that nothing moves has the unit of the others.
        let unit = largest(&mut (0..problem.len()).map(entry));
        let (mut normal, mut tangential) = (0.0_f64, 0.0_f64);
        for (k, spec) in problem.contacts().iter().enumerate() {
            if spec.kind == ContactKind::Bilateral {
                continue;
            }
            let rows = problem.row_range(k);
            let stiffness = if entry(k) > 0.0 { entry(k) } else { unit };
            let [e, e_t] = restitution(problem, k);
            let xi = |i: usize, e: f64| after[i] + e * before[i];
            let push = stiffness * impulse[rows.start];
            normal = worse(normal, push - (push - xi(rows.start, e)).max(0.0));
            let radius = if push > 0.0 { spec.material.mu * push } else { 0.0 };
            let own = |i: usize| stiffness * impulse[i];
            let moved = |i: usize| own(i) - xi(i, e_t);
            let tangents = rows.start + 1..rows.end;
            let extent = tangents.clone().fold(0.0, |h, i| libm::hypot(h, moved(i)));
            let share = if extent <= radius { 1.0 } else { radius / extent };
            let off = tangents.fold(0.0, |h, i| libm::hypot(h, own(i) - share * moved(i)));
            tangential = worse(tangential, off);
        }
        let relative = |x: f64| if x == 0.0 { 0.0 } else { x / scale };
        Self {
            normal: relative(normal),
            tangential: relative(tangential),
            dissipation_margin: dissipation_margin(problem),
        }
    }
}

/// The larger; NaN counts as infinite.
fn worse(so_far: f64, off: f64) -> f64 {
    if off.is_nan() { f64::INFINITY } else { so_far.max(off.abs()) }
}

/// `e` and `e_t` of a contact at its approach speed.
fn restitution(problem: &ContactProblem, k: usize) -> [f64; 2] {
    let spec = &problem.contacts()[k];
    let u = problem.velocity()[problem.row_range(k).start];
    match spec.kind {
        ContactKind::Unilateral if u <= 0.0 => {
            [spec.material.restitution.at(-u), spec.material.e_t]
        }
        _ => [0.0, 0.0],
    }
}

fn dissipation_margin(problem: &ContactProblem) -> Option<f64> {
    let rows = problem.rows();
    if rows > MAX_ROWS {
        return None;
    }
    let mut delta = Vec::with_capacity(rows);
    for k in 0..problem.len() {
        let [e, e_t] = restitution(problem, k);
        for j in 0..problem.row_range(k).len() {
            let e = if j == 0 { e } else { e_t };
            delta.push(0.5 * (1.0 - e) / (1.0 + e));
        }
    }
    if !delta.iter().all(|d| d.is_finite()) {
        return None;
    }
    let w = DMatrix::from_fn(rows, rows, |i, j| problem.delassus_at(i, j));
    let scale = w.amax();
    if scale == 0.0 {
        return Some(0.0);
    }
    // One δ for all is the frequent case, and there W alone decides, which is semidefinite.
    if delta.windows(2).all(|pair| pair[0] == pair[1]) {
        return Some(0.0);
    }
    let product = DMatrix::from_fn(rows, rows, |i, j| (delta[i] + delta[j]) * (w[(i, j)] / scale));
    Some(product.symmetric_eigenvalues().min())
}
