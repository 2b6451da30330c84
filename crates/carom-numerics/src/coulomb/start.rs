//! Other places to start from, spread evenly and the same every time.

use super::newton::Newton;
use super::problem::{Kind, Problem};
use super::tolerances::{REACH, SPREAD};
use std::f64::consts::TAU;

/// Impulses in the cones, the `index`-th of their kind.
pub fn start(state: &mut Newton, problem: &Problem, index: u32) {
    for (b, block) in problem.blocks.iter().enumerate() {
        let at = f64::from(index + 1) * problem.blocks.len() as f64 + b as f64;
        let [a, radius, angle] = SPREAD.map(|s| libm::fmod(at * s, 1.0));
        let first = state.scales.first[b];
        let press = REACH * a * state.scales.speed / state.scales.stiffness[b];
        let (normal, mu) = match block.kind {
            Kind::Cone { mu, lower } | Kind::Relaxed { mu, lower } => (lower + press, mu),
            Kind::Disc { normal, mu } => (normal, mu),
            Kind::Ray { .. } => (press, 0.0),
            Kind::Push { .. } => continue,
        };
        let reach = radius * mu.min(1.0) * normal;
        let (sin, cos) = libm::sincos(TAU * angle);
        for (p, from) in
            state.p[first..first + block.rows].iter_mut().zip([normal, reach * cos, reach * sin])
        {
            *p = from;
        }
    }
    state.update(problem);
}
