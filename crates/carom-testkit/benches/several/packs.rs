//! Hexagonal packs: about three contacts per body, `W` singular.

use crate::run::{law, resolve_or_tell};
use crate::table;
use carom_testkit::generate::{Blow, hexagonal_pack};

/// Bodies, and the seconds that an implosion and a local hit may take.
const SIZES: [(usize, Option<[f64; 2]>); 3] =
    [(1_000, None), (10_000, Some([2.0, 10.0])), (100_000, None)];

pub fn lines() {
    let Some(law) = law("max-dissipation") else { return };
    for (which, blow) in [Blow::Implosion, Blow::LocalHit].into_iter().enumerate() {
        let kind = ["implosion", "local hit"][which];
        let mut times = Vec::new();
        for (bodies, targets) in SIZES {
            let pack = hexagonal_pack(bodies, blow, 0.0);
            let problem = pack.problem();
            let name = format!("pack of {bodies}, {kind}");
            let Some(run) = resolve_or_tell(&name, &law, problem) else { break };
            match targets {
                Some(targets) => table::at_most(&name, run.seconds, "s", targets[which]),
                None => table::line(&name, run.seconds, "s"),
            }
            times.push((bodies as f64, run.seconds));
            let effort = run.effort();
            table::line(&format!("{name}, factorisations"), effort.iterations as f64, "1");
            table::at_most(&format!("{name}, KKT residual"), 1e12 * effort.residual, "1e-12", 1e3);
            // With e = 0 the speeds after are the slack of the equations: p·u⁺ is the gap between the energy that is
            // left and the least that can be.
            let gap: f64 = run
                .outcome
                .impulse
                .iter()
                .zip(&run.outcome.velocity)
                .map(|(p, u)| p * u.abs())
                .sum();
            match pack.after(&run.outcome.impulse) {
                Ok(after) => {
                    let left = 0.5 * after.velocity.iter().map(|v| v * v).sum::<f64>();
                    let before = left - after.kinetic_energy_change;
                    table::line(&format!("{name}, energy left"), 1e6 * left / before, "1e-6");
                    table::line(&format!("{name}, duality gap"), 1e12 * gap / before, "1e-12");
                }
                Err(error) => println!("{name}: FAILED, {error}"),
            }
        }
        for pair in times.windows(2) {
            let exponent = (pair[1].1 / pair[0].1).ln() / (pair[1].0 / pair[0].0).ln();
            let name = format!("pack, {kind}, growth exponent {} to {}", pair[0].0, pair[1].0);
            table::line(&name, exponent, "1");
        }
    }
}
