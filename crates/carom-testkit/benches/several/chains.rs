//! Chains of a hundred thousand and a million masses.

use crate::run::{law, resolve_or_tell};
use crate::table;
use carom_testkit::generate::random_chain;

const SEED: u64 = 1;
const SIZES: [usize; 3] = [10_000, 100_000, 1_000_000];
/// All sizes are taken in turn so many times, and of each the fastest turn counts: what others do on the machine is not of
/// interest. A turn is as many runs as make a million masses, so that all turns are interrupted alike.
const TURNS: usize = 9;

pub fn lines() {
    let chains = SIZES.map(|masses| random_chain(masses, 0.5, SEED));
    for id in ["newton", "moreau", "max-dissipation", "poisson"] {
        let Some(law) = law(id) else { continue };
        let mut fastest = [f64::INFINITY; SIZES.len()];
        for _ in 0..TURNS {
            for ((seconds, chain), masses) in fastest.iter_mut().zip(&chains).zip(SIZES) {
                let name = format!("chain of {masses}, {id}");
                let runs = SIZES[2] / masses;
                let mut turn = 0.0;
                for _ in 0..runs {
                    let Some(run) = resolve_or_tell(&name, &law, chain.problem()) else { return };
                    turn += run.seconds;
                }
                *seconds = seconds.min(turn / runs as f64);
            }
        }
        for (masses, seconds) in SIZES.iter().zip(fastest) {
            let name = format!("chain of {masses}, {id}");
            match masses {
                1_000_000 => table::at_most(&name, 1e3 * seconds, "ms", 200.0),
                _ => table::line(&name, 1e3 * seconds, "ms"),
            }
        }
        let [_, tenth, whole] = fastest;
        let name = format!("chain of 1000000, {id}, time over that of a tenth");
        table::at_most(&name, whole / tenth, "×", 12.0);
    }
}
