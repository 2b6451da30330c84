//! The limit of stiff contacts.

use crate::{answers, distance, norm, numbers, report};
use serde_json::Value;

/// Normal impulses, which are always determined.
fn normals(line: &Value, impulse: &Value) -> Vec<f64> {
    let all = numbers(impulse);
    let rows = all.len() / line["problem"]["contacts"].as_array().map_or(1, Vec::len);
    all.into_iter().step_by(rows.max(1)).collect()
}

/// What is wrong with an answer, in words.
fn fault(line: &Value, answer: &Value) -> Option<String> {
    if let Some(error) = answer.get("error") {
        return Some(error.to_string());
    }
    let tolerance = line["tolerance"]["relative"].as_f64()?;
    let expect = &line["expect"];
    let far = |name: &str, got: Vec<f64>, wanted: Vec<f64>, scale: f64| {
        let fits = got.len() == wanted.len()
            && distance(&got, &wanted) <= tolerance * norm(&wanted).max(scale);
        (!fits).then(|| format!("{name} {got:?}, expected {wanted:?}"))
    };
    for name in ["velocity", "contact_velocity"] {
        if let Some(wanted) = expect.get(name) {
            let start = norm(&numbers(&line["problem"][name]));
            let fault = far(name, numbers(&answer[name]), numbers(wanted), start);
            if fault.is_some() {
                return fault;
            }
        }
    }
    let impulse = if line["check_impulse"] == true {
        far("impulse", numbers(&answer["impulse"]), numbers(&expect["impulse"]), 0.0)
    } else {
        let wanted = normals(line, &expect["impulse"]);
        far("normal impulse", normals(line, &answer["impulse"]), wanted, 0.0)
    };
    if impulse.is_some() {
        return impulse;
    }
    let wanted = expect["energy_change"].as_f64()?;
    let got = answer["energy_change"].as_f64().unwrap_or(f64::NAN);
    let available = answer["certificate"]["energy_available"].as_f64()?;
    if (got - wanted).abs().total_cmp(&(tolerance * available)).is_gt() {
        return Some(format!("energy change {got}, expected {wanted}"));
    }
    let certified = answer["certificate"]["verdict"].is_string();
    (!certified).then(|| format!("verdict {}", answer["certificate"]["verdict"]))
}

#[test]
fn reference_answers_are_found() {
    let pairs = answers("stiff.ndjson");
    assert_eq!(pairs.len(), 25);
    assert!(pairs.iter().all(|(line, _)| line["check"] == "value"));
    report(pairs.iter().filter_map(|(line, answer)| Some((line, fault(line, answer)?))));
}
