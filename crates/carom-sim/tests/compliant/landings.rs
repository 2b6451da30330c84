//! Laws for several contacts with friction against compliant contacts, on random bricks.

use carom::outcome::NoWatch;
use carom::system::Bodies;
use carom::{AnyLaw, ImpactError, NoTrace, Tolerances};
use carom_sim::compliant::{Compliance, RunSettings, run_bodies};
use carom_testkit::Rng;
use carom_testkit::generate::frictional::Landing;

/// Laws that take several contacts with friction, if the catalogue has them.
const LAWS: [&str; 5] = ["stiff-limit", "plus", "newton-coulomb", "poisson-coulomb", "sequential"];

fn answer(bodies: &Bodies, law: &str) -> Result<Vec<carom::system::BodyVelocity>, ImpactError> {
    let law = AnyLaw::from_id(law)?;
    let outcome =
        law.resolve_problem(bodies.problem(), &Tolerances::default(), &mut NoTrace, &mut NoWatch)?;
    Ok(bodies.after(&outcome.impulse)?.bodies)
}

#[test]
fn explore_landings() -> Result<(), ImpactError> {
    let cases: u64 = std::env::var("CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(5);
    let modulus: f64 = std::env::var("MODULUS").ok().and_then(|n| n.parse().ok()).unwrap_or(1e12);
    let kinds: usize = std::env::var("KINDS").ok().and_then(|n| n.parse().ok()).unwrap_or(6);
    for kind in &Landing::ALL[..kinds] {
        let kind = *kind;
        let mut errors: Vec<Vec<f64>> = vec![vec![]; LAWS.len()];
        let mut worst_balance: f64 = 0.0;
        let mut steps = [0u64; 2];
        let (mut late, mut reclosed) = (0, 0);
        let start = std::time::Instant::now();
        for index in 0..cases {
            let scene = kind.scene(&mut Rng::for_item(7, index));
            let bodies = scene.bodies();
            let run = match run_bodies(
                &bodies,
                &Compliance::of_modulus(modulus),
                &RunSettings::default(),
                &mut NoWatch,
            ) {
                Ok(run) => run,
                Err(error) => {
                    println!("{kind:?} {index}: {error} mu {}", scene.contacts[0].spec.material.mu);
                    late += 1;
                    continue;
                }
            };
            let out = &run.outcome;
            worst_balance = worst_balance.max(out.energy.relative_residual());
            if out.energy.relative_residual() > 3e-9 {
                println!("{kind:?} {index}: balance {:e}", out.energy.relative_residual());
            }
            steps[0] += out.effort.explicit_steps;
            steps[1] += out.effort.implicit_steps;
            if out.contacts.iter().any(|c| c.reclosures() > 0) {
                reclosed += 1;
            }
            let scale = bodies.kinetic_distance(&bodies.velocities(), &[]);
            for (list, law) in errors.iter_mut().zip(LAWS) {
                if let Ok(after) = answer(&bodies, law) {
                    list.push(bodies.kinetic_distance(&after, &run.bodies) / scale);
                }
            }
        }
        let elapsed = start.elapsed();
        println!(
            "{} balance {worst_balance:.1e} steps {steps:?} failed {late} reclosed {reclosed} {elapsed:?}",
            kind.name()
        );
        for (list, law) in errors.iter_mut().zip(LAWS) {
            list.sort_by(f64::total_cmp);
            if let (Some(most), true) = (list.last(), !list.is_empty()) {
                println!(
                    "   {law:<16} {:>4} {:.2e} {:.2e}",
                    list.len(),
                    list[list.len() / 2],
                    most
                );
            }
        }
    }
    Ok(())
}
