//! The reference answers in `golden/`, asked of the library: a line as text in, the answer as JSON out.

mod at_rest;
mod coulomb;
mod counterexamples;
mod plus;
mod plus_examples;
mod several;
mod single;
mod stiff;

use carom::Law;
use carom::outcome::Recorder;
use carom_io::answer::{FailureAnswer, Path, ResolutionAnswer};
use carom_io::failure::Failure;
use carom_io::format::{LawSpec, Node, Problem};
use carom_io::progress::{Monitor, NoProgress};
use carom_io::resolution::Resolution;
use serde_json::{Value, json};
use std::path::PathBuf;

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

fn repository() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

fn read(file: &str) -> String {
    let path = repository().join("golden").join(file);
    std::fs::read_to_string(path).expect("the file is there")
}

fn lines(file: &str) -> Vec<Value> {
    let parse = |line| serde_json::from_str(line).expect("every line is JSON");
    read(file).lines().map(parse).collect()
}

fn node(value: &Value) -> Node {
    serde_json::from_str(&value.to_string()).expect("JSON")
}

fn problem(value: &Value) -> Problem {
    Problem::read(&node(value)).expect("a problem")
}

fn law(value: &Value) -> Law {
    LawSpec::read(&node(value)).expect("a law").build().expect("a known law")
}

/// The answer to a problem, or its error, as JSON.
fn answer(problem: &Value, law: &Value) -> Value {
    let resolve = || -> Result<Value, Failure> {
        let (problem, law) = (Problem::read(&node(problem))?, LawSpec::read(&node(law))?);
        let mut monitor = Monitor::new(&NoProgress);
        let resolution = Resolution::of(&problem.system, law.build()?, &mut monitor)?;
        Ok(json!(ResolutionAnswer { id: None, resolution: &resolution, trace: None }))
    };
    resolve().unwrap_or_else(|failure| json!(FailureAnswer { id: None, failure: &failure }))
}

/// The answer to a problem, with what the law traced.
fn traced(posed: &Value, chosen: &Value) -> Value {
    let mut recorder = Recorder::new(usize::MAX);
    let mut monitor = Monitor::recording(&NoProgress, &mut recorder);
    let system = problem(posed).system;
    let resolution = Resolution::of(&system, law(chosen), &mut monitor).expect("an answer");
    let trace = Some(Path(&recorder));
    json!(ResolutionAnswer { id: None, resolution: &resolution, trace })
}

/// Every line with its answer.
fn answered(lines: Vec<Value>) -> Vec<(Value, Value)> {
    let pair = |line: Value| {
        let answer = answer(&line["problem"], &line["law"]);
        (line, answer)
    };
    lines.into_iter().map(pair).collect()
}

/// Every line of a file with its answer.
fn answers(file: &str) -> Vec<(Value, Value)> {
    answered(lines(file))
}

/// Fails if there are faults, and shows them all.
fn report<'a>(faults: impl Iterator<Item = (&'a Value, String)>) {
    let faults: Vec<String> =
        faults.map(|(line, fault)| format!("{}: {fault}", line["id"])).collect();
    assert!(faults.is_empty(), "{} faults\n{}", faults.len(), faults.join("\n"));
}
