//! carom's chores: `cargo xtask test | bench | docs`, each with its own set-up.
fn main() {}
