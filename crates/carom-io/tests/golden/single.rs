//! Laws for one contact.

use crate::{answers, distance, norm, numbers, report};
use serde_json::Value;

/// `W` and `u⁻` of a problem in contact space.
fn contact_space(line: &Value) -> (Vec<Vec<f64>>, Vec<f64>) {
    let problem = &line["problem"];
    let rows = problem["delassus"].as_array().into_iter().flatten();
    (rows.map(numbers).collect(), numbers(&problem["contact_velocity"]))
}

/// What is wrong with an answer, in words.
fn fault(line: &Value, answer: &Value) -> Option<String> {
    if let Some(error) = answer.get("error") {
        return Some(error.to_string());
    }
    let expect = &line["expect"];
    let tolerance = line["tolerance"]["relative"].as_f64()?;
    let (impulse, expected) = (numbers(&answer["impulse"]), numbers(&expect["impulse"]));
    let error = distance(&impulse, &expected);
    if error > tolerance * norm(&expected) {
        return Some(format!("impulse {impulse:?}, expected {expected:?}"));
    }
    let (w, start) = contact_space(line);
    let velocity = numbers(&answer["contact_velocity"]);
    let after = numbers(&expect["contact_velocity"]);
    if !after.is_empty() && distance(&velocity, &after) > tolerance * norm(&after).max(norm(&start))
    {
        return Some(format!("velocity {velocity:?}, expected {after:?}"));
    }
    for key in ["compressions", "final_mode"] {
        if expect.get(key).is_some_and(|e| *e != answer["effort"][key]) {
            return Some(format!("{key} {}, expected {}", answer["effort"][key], expect[key]));
        }
    }
    if let Some(all) = expect["all_impulses"].as_array()
        && answer["effort"]["solutions"].as_u64() != Some(all.len() as u64)
    {
        return Some(format!(
            "{} solutions, expected {}",
            answer["effort"]["solutions"],
            all.len()
        ));
    }
    let certificate = &answer["certificate"];
    if let Some(permissible) = expect["permissible"].as_bool()
        && permissible == certificate["verdict"].is_object()
    {
        return Some(format!("verdict {}", certificate["verdict"]));
    }
    certificate_fault(certificate, &w, &start, &impulse, line)
}

/// The certificate's numbers against the same sums done here.
fn certificate_fault(
    certificate: &Value,
    w: &[Vec<f64>],
    start: &[f64],
    p: &[f64],
    line: &Value,
) -> Option<String> {
    let after: Vec<f64> = w
        .iter()
        .zip(start)
        .map(|(row, u)| u + row.iter().zip(p).map(|(w, p)| w * p).sum::<f64>())
        .collect();
    let terms: Vec<f64> = w
        .iter()
        .zip(start)
        .map(|(row, u)| u.abs() + row.iter().zip(p).map(|(w, p)| (w * p).abs()).sum::<f64>())
        .collect();
    let energy: f64 = (0..p.len()).map(|i| 0.5 * p[i] * (start[i] + after[i])).sum();
    let size: f64 = (0..p.len()).map(|i| p[i].abs() * terms[i]).sum();
    let mu = line["problem"]["contacts"][0]["mu"].as_f64().unwrap_or(f64::INFINITY);
    let cone = mu * p[0] - norm(&p[1..]);
    let rounding = 16.0 * f64::EPSILON;
    [
        ("energy_change", energy, rounding * size),
        ("separation_margin", after[0], rounding * terms[0]),
        ("cone_margin", cone, rounding * (mu * p[0].abs() + norm(p))),
    ]
    .into_iter()
    .find(|(key, here, allowed)| {
        certificate[*key].as_f64().is_none_or(|there| (there - here).abs() > *allowed)
    })
    .map(|(key, here, _)| format!("certificate.{key} {}, computed here {here}", certificate[key]))
}

fn check(file: &str, lines: usize) {
    let pairs = answers(file);
    assert_eq!(pairs.len(), lines);
    report(pairs.iter().filter_map(|(line, answer)| Some((line, fault(line, answer)?))));
}

#[test]
fn one_contact() {
    check("single.ndjson", 1189);
}

#[test]
fn several_solutions() {
    check("single_multisolution.ndjson", 27);
}
