//! How many random impacts have an answer, and that every answer is one.

use super::support::{LAWS, certificate, is_replaced};
use carom::outcome::Effort;
use carom_testkit::Rng;
use carom_testkit::generate::frictional::{FrictionalKind, frictional_of};
use carom_testkit::judge::{judge_frictional, speed_scale};
use carom_testkit::laws::try_several;
use std::collections::BTreeMap;
use std::time::Instant;

const SEED: u64 = 0xc01;

fn impacts() -> u64 {
    std::env::var("CAROM_CLAIMS").ok().and_then(|text| text.parse().ok()).unwrap_or(500)
}

/// Residuals up to which an answer is one, relative to the largest speed.
const SOLVED: f64 = 1.01e-10;

/// The part of the impacts of a kind that must have an answer.
fn answered(kind: FrictionalKind) -> f64 {
    match kind {
        // Bricks almost at rest below others that fall; masses that differ by twelve decades.
        FrictionalKind::Stack => 0.97,
        FrictionalKind::Decades => 0.9,
        _ => 0.995,
    }
}

#[test]
fn random_impacts_are_answered() {
    for law in LAWS {
        let multi = carom_testkit::laws::law(law);
        for kind in FrictionalKind::ALL {
            let mut ends: BTreeMap<&str, Vec<u64>> = BTreeMap::new();
            let begin = Instant::now();
            let mut worst = (0.0, 0);
            for index in 0..impacts() {
                let sample = frictional_of(kind, &mut Rng::for_item(SEED, index));
                let problem = sample.problem();
                let start = Instant::now();
                let outcome = match try_several(&multi, &problem) {
                    Ok(outcome) => outcome,
                    Err(error) => {
                        ends.entry(error.kind()).or_default().push(index);
                        continue;
                    }
                };
                let time = start.elapsed().as_secs_f64();
                if time > worst.0 {
                    worst = (time, index);
                }
                let end = if is_replaced(&outcome) { "not_converged" } else { "solved" };
                ends.entry(end).or_default().push(index);
                let Effort::Solver(effort) = outcome.effort else { panic!("{outcome:?}") };
                let judged = certificate(&problem, &outcome.impulse);
                let energy = judged.energy_available.unwrap_or(f64::NAN);
                let broken = judge_frictional(&problem, energy, &outcome.impulse);
                let off = broken.cone.max(broken.pulls);
                assert!(off <= 1e-12, "{law}, {kind:?}, impact {index}: {broken:?}");
                let speed = problem.velocity().iter().fold(0.0, |m: f64, u| m.max(u.abs()));
                let terms = speed_scale(&problem, &outcome.impulse);
                // Without friction the law is another one.
                let rubs = problem.contacts().iter().any(|k| k.rows > 1 && k.material.mu > 0.0);
                let rubs = rubs && end == "solved";
                assert!(
                    !rubs
                        || effort.residual <= SOLVED
                            && broken.separation * speed <= 4.0 * SOLVED * terms,
                    "{law}, {kind:?}, impact {index}: {effort:?} {broken:?}"
                );
            }
            let count = |end: &str| ends.get(end).map_or(0, Vec::len);
            println!(
                "{law}, {kind:?}: {} solved, {} not_converged, {} no_solution; {:.2} s, slowest {:.4} s {}; {:?} {:?}",
                count("solved"),
                count("not_converged"),
                count("no_solution"),
                begin.elapsed().as_secs_f64(),
                worst.0,
                worst.1,
                ends.get("not_converged").map(|l| &l[..l.len().min(6)]),
                ends.get("no_solution").map(|l| &l[..l.len().min(6)])
            );
            let part = count("solved") as f64 / impacts() as f64;
            assert!(part >= answered(kind), "{law}, {kind:?}: {part}");
        }
    }
}
