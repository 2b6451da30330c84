//! How fast `stiff-limit` is, as a table `name value unit`. Run by `cargo xtask bench`.
//!
//! Medians over many random impacts at an accuracy of 1e-8.

#[path = "../speed/measure.rs"]
#[allow(dead_code, reason = "the speed bench uses the rest")]
mod measure;
#[path = "../speed/table.rs"]
#[allow(dead_code, reason = "the speed bench uses the rest")]
mod table;

mod stiff_limit;

fn main() {
    table::head();
    stiff_limit::lines();
}
