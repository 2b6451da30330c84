//! Chains of a hundred thousand and a million masses.

use crate::run::{Run, law, resolve_or_tell};
use crate::table;
use carom_testkit::generate::random_chain;

const SEED: u64 = 1;
const SIZES: [usize; 3] = [10_000, 100_000, 1_000_000];
/// Each is taken so many times, and the fastest counts: what others do on the machine is not of interest.
const TIMES: usize = 5;
/// A size is left out if ten times the time of the one before it is longer than this [s].
const PATIENCE: f64 = 60.0;

pub fn lines() {
    let chains = SIZES.map(|masses| random_chain(masses, 0.5, SEED));
    for id in ["newton", "moreau", "max-dissipation", "poisson"] {
        let Some(law) = law(id) else { continue };
        let mut before: Option<f64> = None;
        for (masses, chain) in SIZES.iter().zip(&chains) {
            let name = format!("chain of {masses}, {id}");
            if before.is_some_and(|seconds| 10.0 * seconds > PATIENCE) {
                println!("{name}: skipped, would take too long");
                break;
            }
            let runs = (0..TIMES).map_while(|_| resolve_or_tell(&name, &law, chain.problem()));
            let Some(run) = runs.min_by(|a: &Run, b| a.seconds.total_cmp(&b.seconds)) else {
                break;
            };
            match masses {
                1_000_000 => {
                    table::at_most(&name, 1e3 * run.seconds, "ms", 200.0);
                    if let Some(before) = before {
                        let name = format!("{name}, time over that of a tenth");
                        table::at_most(&name, run.seconds / before, "×", 12.0);
                    }
                }
                _ => table::line(&name, 1e3 * run.seconds, "ms"),
            }
            before = Some(run.seconds);
        }
    }
}
