//! Instructions per impact for each law, counted under valgrind: the same number on every run, so a change shows.
//!
//! Run by `cargo xtask bench --counts`, which divides the counts by [`IMPACTS`] and prints the table.

#![allow(missing_docs, reason = "gungraun's macros write items without documentation")]

use carom::{Contact, Law};
use carom_testkit::generate::suitable_set;
use carom_testkit::laws::{every_law, resolve};
use gungraun::{library_benchmark, library_benchmark_group, main};
use std::hint::black_box;

/// How many impacts each law resolves.
const IMPACTS: usize = 100;

/// The laws for contacts of `D` rows, by id.
fn ids<const D: usize>() -> Vec<String> {
    let laws = every_law::<D>().into_iter();
    laws.map(|(row, _)| row.id.into()).collect()
}

fn set_up<const D: usize>(id: String) -> (Law, Vec<Contact<D>>) {
    let laws = every_law::<D>().into_iter();
    let found = laws.map(|(_, law)| law).find(|law| law.id() == id);
    let law = found.expect("a law of the catalogue");
    // gungraun names benches by number; the table wants the law.
    println!("law {id}");
    (law, suitable_set(&law, 1, IMPACTS))
}

#[library_benchmark]
#[benches::law(iter = ids::<2>(), setup = set_up::<2>)]
fn plane((law, contacts): (Law, Vec<Contact<2>>)) {
    for contact in &contacts {
        black_box(resolve(&law, black_box(contact)));
    }
}

#[library_benchmark]
#[benches::law(iter = ids::<3>(), setup = set_up::<3>)]
fn space((law, contacts): (Law, Vec<Contact<3>>)) {
    for contact in &contacts {
        black_box(resolve(&law, black_box(contact)));
    }
}

library_benchmark_group!(name = laws, benchmarks = [plane, space]);
main!(library_benchmark_groups = laws);
