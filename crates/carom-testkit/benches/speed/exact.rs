//! Routh's law in space, exact, against what others do.

use crate::{measure, table};
use carom::{Contact, Law};
use carom_testkit::generate::generic_set;
use carom_testkit::laws::{law, resolve};
use std::hint::black_box;

const SEED: u64 = 1;
const IMPACTS: usize = 3000;

/// Three microseconds per impact [ns].
const MEAN_TARGET: f64 = 3000.0;

/// The generic set, the three rules of restitution in equal shares.
pub fn lines() {
    let laws = ["routh-stronge", "routh-poisson", "routh-newton"].map(law);
    let impacts: Vec<(Law, Contact<3>)> = generic_set(SEED, IMPACTS)
        .into_iter()
        .enumerate()
        .map(|(i, contact)| (laws[i % laws.len()], contact))
        .collect();
    let spread = measure::each(&impacts, |(law, contact)| {
        black_box(resolve(law, black_box(contact)));
    });
    let name = "exact Routh, generic set";
    table::at_most(&format!("{name}, mean"), spread.mean, "ns", MEAN_TARGET);
    table::line(&format!("{name}, p99"), spread.p99, "ns");
    table::line(&format!("{name}, max"), spread.max, "ns");
}
