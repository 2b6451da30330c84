//! What laws do not keep, each with the smallest problem that shows it, in exact numbers.

use crate::{answer, distance, norm, numbers, read};
use serde_json::{Value, json};

/// Exact numbers, computed and compared in doubles: a few roundings are allowed.
const ROUNDING: f64 = 1024.0 * f64::EPSILON;

/// A fraction such as `"-14/17"`.
fn fraction(value: &Value) -> f64 {
    let text = value.as_str().expect("fractions are texts");
    let (over, under) = text.split_once('/').unwrap_or((text, "1"));
    let number = |text: &str| text.parse::<f64>().expect("a whole number");
    number(over) / number(under)
}

fn fractions(value: &Value) -> Vec<f64> {
    value.as_array().expect("a list").iter().map(fraction).collect()
}

/// The problem in carom's own format.
fn posed(problem: &Value) -> Value {
    let velocity = fractions(&problem["velocity"]);
    let e = fractions(&problem["e"]);
    if problem.get("chain").is_some() {
        let mass = fractions(&problem["chain"]);
        return json!({"chain": {"mass": mass, "velocity": velocity, "e": e}});
    }
    let jacobian: Vec<Vec<f64>> =
        problem["jacobian"].as_array().expect("rows").iter().map(fractions).collect();
    let contacts: Vec<Value> = e.iter().map(|e| json!({"e": e})).collect();
    json!({"mass": fractions(&problem["mass"]), "jacobian": jacobian, "velocity": velocity,
        "contacts": contacts})
}

fn energy(problem: &Value, velocity: &[f64]) -> f64 {
    let mass = fractions(problem.get("chain").unwrap_or(&problem["mass"]));
    mass.iter().zip(velocity).map(|(m, v)| 0.5 * m * v * v).sum()
}

fn ratio(problem: &Value, velocity: &[f64]) -> f64 {
    energy(problem, velocity) / energy(problem, &fractions(&problem["velocity"]))
}

fn is_close(x: f64, y: f64) -> bool {
    (x - y).abs() <= ROUNDING * y.abs().max(1.0)
}

fn fault(case: &Value, answer: &Value) -> Option<String> {
    let problem = &case["problem"];
    if case["endless"] == true {
        // Whatever is answered is certified; refusing is an answer too.
        let refused = ["limit", "no_solution", "not_converged"];
        let kind = answer["error"]["kind"].as_str();
        let fine = kind.is_some_and(|kind| refused.contains(&kind))
            || answer["certificate"]["verdict"].is_string()
            || answer["effort"]["ending"] == "truncated";
        return (!fine).then(|| answer.to_string());
    }
    if let Some(error) = answer.get("error") {
        return Some(error.to_string());
    }
    let velocity = numbers(&answer["velocity"]);
    for (name, got) in [("velocity", &velocity), ("impulse", &numbers(&answer["impulse"]))] {
        if let Some(wanted) = case.get(name).map(fractions)
            && distance(got, &wanted) > ROUNDING * norm(&wanted)
        {
            return Some(format!("{name} {got:?}, expected {wanted:?}"));
        }
    }
    if let Some(wanted) = case.get("energy_ratio").map(fraction) {
        let got = ratio(problem, &velocity);
        if !is_close(got, wanted) {
            return Some(format!("energy ratio {got}, expected {wanted}"));
        }
    }
    if let Some(steps) = case.get("steps")
        && answer["effort"]["iterations"] != *steps
    {
        return Some(format!("{} steps, expected {steps}", answer["effort"]["iterations"]));
    }
    if let Some(without) = case.get("without") {
        // What carom avoids: the number is right, and carom's own answer is another one.
        let other = fractions(&without["velocity"]);
        let claimed = fraction(&without["energy_ratio"]);
        if !is_close(ratio(problem, &other), claimed) {
            return Some(format!("the energy ratio without is {}", ratio(problem, &other)));
        }
        if distance(&velocity, &other) <= ROUNDING * norm(&other) {
            return Some(format!("carom answers {velocity:?} as well"));
        }
    }
    // Energy that grows or a contact that pulls is certified as such, everything else as permissible.
    let violates = case.get("energy_ratio").is_some_and(|ratio| fraction(ratio) > 1.0)
        || case.get("impulse").is_some_and(|p| fractions(p).iter().any(|p| *p < 0.0));
    let verdict = &answer["certificate"]["verdict"];
    (verdict.is_object() != violates).then(|| format!("verdict {verdict}"))
}

#[test]
fn counterexamples_are_reproduced() {
    let file: Value = serde_json::from_str(&read("multi_counterexamples.json")).expect("JSON");
    let cases = file["cases"].as_array().expect("a list");
    assert_eq!(cases.len(), 17);
    let told = |case: &Value| {
        let fault = fault(case, &answer(&posed(&case["problem"]), &case["law"]))?;
        Some(format!("{}: {fault}", case["shows"]))
    };
    let faults: Vec<String> = cases.iter().filter_map(told).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
