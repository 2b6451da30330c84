//! The `carom` command line: parse, call, print. No mechanics.
fn main() {}
