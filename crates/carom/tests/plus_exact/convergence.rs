//! `plus` with ever finer intervals comes ever closer.

use crate::bricks::{approaches, brick};
use crate::golden::{line, problem};
use crate::support::{distance, law, norm, number, resolve, switch};
use carom::ContactProblem;
use carom_testkit::Rng;

const SEED: u64 = 0x7e7a;
const ANGLES: [f64; 9] = [0.5, 0.25, 0.15, 0.1, 0.05, 0.025, 0.01, 0.005, 0.0025];

/// The distance of `plus` from the limit, relative to the velocity at the start.
fn off(problem: &ContactProblem, angle: f64, transition: f64, midpoint: bool) -> Option<f64> {
    let steps = law(
        "plus",
        [
            ("max_direction_change", number(angle)),
            ("transition_speed", number(transition)),
            ("min_step", number(1e-9)),
            ("midpoint", switch(midpoint)),
        ],
    );
    let limit = resolve(&law("plus-exact", []), problem).ok()?;
    let near = resolve(&steps, problem).ok()?;
    Some(distance(&near.velocity, &limit.velocity) / norm(problem.velocity()))
}

#[test]
fn example_1_by_angle() {
    for mu in ["0.125", "0.225"] {
        for midpoint in [false, true] {
            let line = line(&format!("ex1_mu{mu}_theta0.01"));
            let problem = problem(&line).unwrap_or_else(|| panic!("generalized coordinates"));
            for transition in [0.1, 1e-3, 1e-6] {
                let errors: Vec<f64> = ANGLES
                    .iter()
                    .filter_map(|&angle| off(&problem, angle, transition, midpoint))
                    .collect();
                println!(
                    "mu {mu} midpoint {midpoint} transition {transition}: {}",
                    errors.iter().map(|e| format!("{e:.2e}")).collect::<Vec<_>>().join(" ")
                );
            }
        }
    }
}

#[test]
fn envelope() {
    for contacts in [1, 2, 4] {
        for transition in [1e-3, 0.1] {
            for angle in [0.25, 0.1, 0.01] {
                let mut errors: Vec<(f64, f64, u64)> = Vec::new();
                for i in 0..200 {
                    let p = brick(&mut Rng::for_item(SEED, i), contacts, [0.05, 1.0]).problem();
                    if !approaches(&p) {
                        continue;
                    }
                    if let Some(e) = off(&p, angle, transition, false) {
                        errors.push((e / (0.35 * angle + transition / norm(p.velocity())), e, i));
                    }
                }
                errors.sort_by(|a, b| a.0.total_cmp(&b.0));
                let outside = errors.iter().filter(|e| e.0 > 1.0).count();
                println!(
                    "{contacts} {angle} tr {transition}: {} median {:.2e} p90 {:.2e} worst {:?} outside {outside}",
                    errors.len(),
                    errors[errors.len() / 2].1,
                    errors[errors.len() * 9 / 10].1,
                    &errors[errors.len() - 3..]
                );
            }
        }
    }
}
