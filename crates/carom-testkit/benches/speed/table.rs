//! The table: `name value unit`, and what was wanted where something was.

use crate::measure::Spread;

/// The head.
pub fn head() {
    println!("{:<66} {:>12} unit", "name", "value");
}

/// One number.
pub fn line(name: &str, value: f64, unit: &str) {
    println!("{name:<66} {:>12} {unit}", shown(value));
}

/// One number with its target, met from above.
pub fn at_least(name: &str, value: f64, unit: &str, target: f64) {
    let met = if value >= target { "met" } else { "MISSED" };
    let target = shown(target);
    println!("{name:<66} {:>12} {unit} (at least {target}: {met})", shown(value));
}

/// One number with its target, met from below.
pub fn at_most(name: &str, value: f64, unit: &str, target: f64) {
    let met = if value <= target { "met" } else { "MISSED" };
    let target = shown(target);
    println!("{name:<66} {:>12} {unit} (at most {target}: {met})", shown(value));
}

/// Mean, 99th percentile and maximum over a set of impacts.
pub fn spread(name: &str, spread: Spread) {
    line(&format!("{name}, mean"), spread.mean, "ns");
    line(&format!("{name}, p99"), spread.p99, "ns");
    line(&format!("{name}, max"), spread.max, "ns");
}

/// Four digits, whatever the size.
fn shown(value: f64) -> String {
    match value.abs() {
        x if x >= 1000.0 => format!("{value:.0}"),
        x if x >= 100.0 => format!("{value:.1}"),
        x if x >= 10.0 => format!("{value:.2}"),
        _ => format!("{value:.3}"),
    }
}
