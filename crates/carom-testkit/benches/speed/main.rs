//! How fast carom is, as a table `name value unit`. Run by `cargo xtask bench`.
//!
//! Sets are seeded and come from the testkit. What is compared is measured in the same run, turn by turn, so that a
//! machine that slows down slows both.

mod batch;
mod exact;
mod laws;
mod measure;
mod table;

fn main() {
    table::head();
    exact::lines();
    batch::lines();
    laws::lines();
}
