//! Impulses of contacts that stick redundantly, shared anew within their cones.
//!
//! At every instant the least friction was taken that holds, weighed by what contacts could bear when they began to stick; its sum
//! may be more than some of them have. That there is another is known: at every instant there was one.

use super::super::dynamics::Dynamics;
use super::super::rows::{self, length};
use super::super::state::State;
use super::super::tolerances as tol;
use super::disc_program::{Disc, DiscProgram, Onsets, Query, Smoothed};
use super::sticking_set::StickingSet;

/// The friction impulse that a contact can have had \[1\].
fn bound(dynamics: &Dynamics, state: &State, g: usize) -> f64 {
    let contact = &dynamics.model.frictional[g];
    match state.normal_impulses()[contact.index] {
        normal if normal > 0.0 => contact.mu * normal,
        _ => 0.0,
    }
}

/// By how much of their bounds friction impulses are beyond them.
fn excess(friction: &[[f64; 2]], bounds: &[f64]) -> f64 {
    friction.iter().zip(bounds).fold(0.0, |most: f64, (f, bound)| match length(*f) {
        size if size <= *bound => most,
        _ if *bound == 0.0 => f64::INFINITY,
        size => most.max(size / bound - 1.0),
    })
}

/// Shares friction impulses anew where some are beyond their bounds, without a change of velocities; what then is left beyond
/// them is cut off. Answers how much that was, relative to the bound.
pub(crate) fn share_impulses(dynamics: &Dynamics, state: &mut State) -> f64 {
    let model = &dynamics.model;
    let all = 0..model.frictional.len();
    let bounds: Vec<f64> = all.clone().map(|g| bound(dynamics, state, g)).collect();
    let before: Vec<[f64; 2]> = all.clone().map(|g| state.friction_impulse(g)).collect();
    let mut least = excess(&before, &bounds);
    if least <= tol::CONE_ROUNDING {
        return 0.0;
    }
    // The motion that friction made, and has to make.
    let mut motion = vec![0.0; model.stride];
    let contacts: Vec<usize> = all
        .filter(|&g| bounds[g].is_finite() && (bounds[g] > 0.0 || before[g] != [0.0; 2]))
        .collect();
    for &g in &contacts {
        for (c, friction) in before[g].iter().enumerate().take(model.frictional[g].tangents) {
            let row = model.tangent(g, c);
            motion.iter_mut().zip(row).for_each(|(x, b)| *x -= friction * b);
        }
    }
    let mut set = StickingSet::default();
    set.set(model, &contacts, |g| bounds[g]);
    let mut along = Vec::new();
    set.components(&motion[..model.rank], &mut along);
    set.reactions_mut().copy_from_slice(&along);
    let size = f64::sqrt(rows::dot(&motion, &motion));
    let mut program = DiscProgram::default();
    program.discs.extend(contacts.iter().map(|&g| Disc {
        tangents: model.frictional[g].tangents,
        bound: bounds[g],
        usual: size * f64::sqrt(model.frictional[g].response),
    }));
    let (mut shared, mut best) = (before.clone(), before);
    let mut bears = |smoothed: Smoothed, _: &Onsets| {
        for (&g, [a, b]) in contacts.iter().zip(smoothed.motions) {
            let speed = f64::sqrt(a * a + b * b + smoothed.smoothing * smoothed.smoothing);
            shared[g] = [a, b].map(|v| -bounds[g] * v / speed);
        }
        set.share(model, smoothed.y, |g, c, f| shared[g][c] += f);
        let found = excess(&shared, &bounds);
        if found < least {
            least = found;
            best.clone_from(&shared);
        }
        found <= tol::CONE_ROUNDING
    };
    let query = Query { holds: true, ..Query::default() };
    program.solve(&set, query, &mut Onsets::new(), &mut bears);
    let friction = state.impulses_mut().friction;
    for ((out, mut f), bound) in friction.iter_mut().zip(best).zip(&bounds) {
        let size = length(f);
        if size > *bound {
            f = f.map(|f| f * (bound / size));
        }
        *out = f;
    }
    least
}
