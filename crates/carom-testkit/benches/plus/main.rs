//! How fast `plus` is from (M, J, v) to v⁺, forming W included, as a table `name value unit`. Run by `cargo xtask bench`.
//!
//! Medians over many random velocities, with the handler that simulators call and its memory kept.

#[path = "../speed/measure.rs"]
#[allow(dead_code, reason = "the speed bench uses the rest")]
mod measure;
#[path = "../speed/table.rs"]
#[allow(dead_code, reason = "the speed bench uses the rest")]
mod table;

mod bricks;
mod impacts;
mod rows;

fn main() {
    table::head();
    bricks::lines();
    rows::lines();
}
