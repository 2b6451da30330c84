//! How fast carom is on several contacts, as a table `name value unit`. Run by `cargo xtask bench`.
//!
//! One run each, but for chains: what takes seconds is not taken twice. Growth is told as a ratio or an exponent between two sizes.
//! `cargo bench -p carom-testkit --bench several --features sparse -- chains` runs a part: `slabs`, `sequences`, `chains`,
//! `packs` or `coulomb`.

#[path = "../speed/measure.rs"]
#[allow(dead_code, reason = "the speed bench uses the rest")]
mod measure;
#[path = "../speed/table.rs"]
#[allow(dead_code, reason = "the speed bench uses the rest")]
mod table;

mod chains;
mod coulomb;
mod packs;
mod run;
mod sequences;
mod slabs;

type Part = (&'static str, fn());

const PARTS: [Part; 5] = [
    ("slabs", slabs::lines),
    ("sequences", sequences::lines),
    ("chains", chains::lines),
    ("packs", packs::lines),
    ("coulomb", coulomb::lines),
];

fn main() {
    let asked: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with("--")).collect();
    table::head();
    for (name, lines) in PARTS {
        if asked.is_empty() || asked.iter().any(|a| a == name) {
            lines();
        }
    }
}
