//! A flat slab on a grid of supports, all but three of them redundant.

use crate::run::law;
use crate::{measure, table};
use carom::outcome::Unobserved;
use carom::{ImpactLaw, Tolerances};
use carom_testkit::generate::slab;
use std::hint::black_box;

pub fn lines() {
    let Some(law) = law("newton") else { return };
    for supports in [4, 16, 49, 100, 144, 400] {
        let slab = slab(supports, 0.5);
        let name = format!("slab on {supports} supports, newton");
        if let Err(error) = law.resolve(slab.problem(), &Tolerances::NOMINAL, &mut Unobserved) {
            println!("{name}: FAILED, {error}");
            continue;
        }
        let spread = measure::each(&[slab.problem()], |problem| {
            let outcome = law.resolve(black_box(problem), &Tolerances::NOMINAL, &mut Unobserved);
            black_box(outcome).ok();
        });
        match supports {
            100 => table::at_most(&name, 1e-6 * spread.mean, "ms", 0.3),
            _ => table::line(&name, 1e-6 * spread.mean, "ms"),
        }
    }
}
