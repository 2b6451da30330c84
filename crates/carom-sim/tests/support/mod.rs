//! Reading `golden/`.

use serde_json::Value;
use std::path::Path;

/// A file of `golden/`.
pub fn golden(name: &str) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../golden").join(name);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{name}: {error}"));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The rows of a golden file.
pub fn rows(file: &Value) -> &[Value] {
    let rows = file["rows"].as_array().expect("rows");
    assert!(!rows.is_empty());
    rows
}

/// A number.
pub fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

/// An array of `N` numbers.
pub fn numbers<const N: usize>(value: &Value) -> [f64; N] {
    let all: Vec<f64> = value.as_array().into_iter().flatten().map(number).collect();
    all.try_into().unwrap_or_else(|_| panic!("{value} are not {N} numbers"))
}
