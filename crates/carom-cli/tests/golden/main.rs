//! The reference answers in `golden/`, sent through `carom resolve --ndjson`.

mod coulomb;
mod counterexamples;
mod plus;
mod plus_examples;
mod several;
mod single;
mod stiff;
#[path = "../support/mod.rs"]
mod support;

use serde_json::Value;
use support::{carom_with_input, repository};

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().into_iter().flatten().filter_map(Value::as_f64).collect()
}

fn norm(v: &[f64]) -> f64 {
    v.iter().map(|x| x * x).sum::<f64>().sqrt()
}

fn distance(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    norm(&a.iter().zip(b).map(|(a, b)| a - b).collect::<Vec<_>>())
}

fn read(file: &str) -> String {
    let path = repository().join("golden").join(file);
    std::fs::read_to_string(path).expect("the file is there")
}

/// Every line of a file with its answer.
fn answers(file: &str) -> Vec<(Value, Value)> {
    let input = read(file);
    let parse = |line| serde_json::from_str(line).expect("every line is JSON");
    let asked: Vec<Value> = input.lines().map(parse).collect();
    let answered = carom_with_input(&["resolve", "--ndjson"], input.as_bytes()).lines();
    assert_eq!(asked.len(), answered.len());
    asked.into_iter().zip(answered).collect()
}

/// Fails if there are faults, and shows them all.
fn report<'a>(faults: impl Iterator<Item = (&'a Value, String)>) {
    let faults: Vec<String> =
        faults.map(|(line, fault)| format!("{}: {fault}", line["id"])).collect();
    assert!(faults.is_empty(), "{} faults\n{}", faults.len(), faults.join("\n"));
}
