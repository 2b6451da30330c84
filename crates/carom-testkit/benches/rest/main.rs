//! How long laws with friction take on states of running simulations, as a table `name value unit`. Run by
//! `cargo xtask bench`.
//!
//! The states of `golden/resting.ndjson` with up to twelve contacts, and states that settle in the testkit's own simulations.

#[path = "../speed/measure.rs"]
#[allow(dead_code, reason = "the speed bench uses the rest")]
mod measure;
#[path = "../speed/table.rs"]
#[allow(dead_code, reason = "the speed bench uses the rest")]
mod table;

use carom::ContactProblem;
use carom_testkit::Rng;
use carom_testkit::generate::settling::settling;
use carom_testkit::laws::{law, try_several};
use carom_testkit::reference::resting;
use std::hint::black_box;
use std::time::Instant;

const LAWS: [&str; 6] =
    ["plus", "plus-exact", "stiff-limit", "newton-coulomb", "poisson-coulomb", "sequential"];
/// Wanted are 5 ms for 99 of 100 states and 20 ms for all, up to this many contacts.
const CONTACTS: usize = 12;
const SEED: u64 = 12;
const STATES: u64 = 500;
/// A state's time is its fastest of so many.
const ROUNDS: usize = 3;

fn simulated() -> Vec<ContactProblem> {
    (0..STATES).map(|i| settling(&mut Rng::for_item(SEED, i)).mechanism.problem()).collect()
}

fn main() {
    table::head();
    for (name, problems) in [("recorded", resting()), ("settling", simulated())] {
        let small: Vec<ContactProblem> =
            problems.into_iter().filter(|problem| problem.len() <= CONTACTS).collect();
        for id in LAWS {
            let law = law(id);
            let mut refused = 0;
            let mut times: Vec<f64> = (small.iter())
                .map(|problem| {
                    let mut fastest = f64::INFINITY;
                    for _ in 0..ROUNDS {
                        let begin = Instant::now();
                        let answer = black_box(try_several(&law, black_box(problem)));
                        fastest = fastest.min(1e3 * begin.elapsed().as_secs_f64());
                        refused += usize::from(answer.is_err());
                    }
                    fastest
                })
                .collect();
            times.sort_by(f64::total_cmp);
            let quantile = |percent: usize| times[(times.len() - 1) * percent / 100];
            let name = format!("{id}, {} states, {name}", times.len());
            table::line(&format!("{name}, p50"), quantile(50), "ms");
            table::at_most(&format!("{name}, p99"), quantile(99), "ms", 5.0);
            table::at_most(&format!("{name}, max"), quantile(100), "ms", 20.0);
            table::at_most(&format!("{name}, refused"), (refused / ROUNDS) as f64, "states", 0.0);
        }
    }
}
