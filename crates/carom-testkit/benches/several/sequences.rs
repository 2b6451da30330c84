//! Collisions one after the other, and stiff contacts that act at once.

use crate::run::{law, resolve_or_tell};
use crate::{measure, table};
use carom::outcome::Unobserved;
use carom::{ImpactLaw, Tolerances};
use carom_testkit::generate::cradle;
use std::hint::black_box;

pub fn lines() {
    if let Some(sequential) = law("sequential") {
        let name = "cradle of 100000, e = 1, sequential";
        if let Some(run) = resolve_or_tell(name, &sequential, cradle(100_000, 1.0).problem()) {
            table::line(name, 1e3 * run.seconds, "ms");
            table::line(&format!("{name}, collisions"), run.effort().collisions as f64, "1");
        }
        let name = "cradle of 1000, e = 0.9, sequential";
        if let Some(run) = resolve_or_tell(name, &sequential, cradle(1000, 0.9).problem()) {
            table::at_most(name, run.seconds, "s", 10.0);
            table::line(&format!("{name}, collisions"), run.effort().collisions as f64, "1");
            table::line(&format!("{name}, truncation"), 1e12 * run.effort().truncation, "1e-12");
        }
    }
    if let Some(lzb) = law("lzb") {
        let name = "five balls, Hertz, lzb";
        let chain = cradle(5, 1.0);
        if resolve_or_tell(name, &lzb, chain.problem()).is_some() {
            let spread = measure::each(&[chain.problem()], |problem| {
                let outcome =
                    lzb.resolve(black_box(problem), &Tolerances::NOMINAL, &mut Unobserved);
                black_box(outcome).ok();
            });
            table::at_most(name, 1e-3 * spread.mean, "µs", 200.0);
        }
    }
}
