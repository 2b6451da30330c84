//! How fast carom is on several contacts, as a table `name value unit`. Run by `cargo xtask bench`.
//!
//! One run each: what takes seconds is not taken twice. Growth is told as a ratio or an exponent between two sizes.

#[path = "../speed/measure.rs"]
#[allow(dead_code, reason = "the speed bench uses the rest")]
mod measure;
#[path = "../speed/table.rs"]
#[allow(dead_code, reason = "the speed bench uses the rest")]
mod table;

mod chains;
mod packs;
mod run;
mod sequences;
mod slabs;

fn main() {
    table::head();
    slabs::lines();
    sequences::lines();
    chains::lines();
    packs::lines();
}
