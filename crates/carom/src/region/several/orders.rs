//! Collisions one at a time, in any order.

use super::island_set::IslandSet;
use crate::numerics::random::Random;

/// A sequence of more collisions counts as endless.
const MAX_COLLISIONS: usize = 100_000;

/// The impulses of a sequence of frictionless collisions, the next one drawn evenly from the contacts that approach.
/// Nothing if it does not end.
pub(crate) fn random_order(set: &IslandSet, zero: f64, random: &mut Random) -> Option<Vec<f64>> {
    let n = set.len();
    let mut u = set.u.clone();
    let mut p = vec![0.0; n];
    let zero = zero * u.iter().fold(0.0, |m: f64, u| m.max(u.abs()));
    let mut approaching = Vec::with_capacity(n);
    for _ in 0..MAX_COLLISIONS {
        approaching.clear();
        approaching.extend((0..n).filter(|&i| u[i] < -zero));
        if approaching.is_empty() {
            return Some(p);
        }
        let i = approaching[random.index(approaching.len())];
        let speed = -u[i];
        let e = set.materials[i].restitution.at(speed * set.velocity_unit);
        let push = (1.0 + e) * speed / set.w[(i, i)];
        p[i] += push;
        for (u, w) in u.iter_mut().zip(set.w.column(i).iter()) {
            *u += push * w;
        }
        // Exactly, so that a plastic contact does not approach again by rounding.
        u[i] = e * speed;
    }
    None
}
