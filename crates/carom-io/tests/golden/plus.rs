//! Rounds and intervals: the published algorithm number by number, and what carom makes of it where that fails.

use crate::{distance, law, norm, numbers, problem, report};
use carom::Tolerances;
use carom::outcome::{Recorder, StepRecord};
use serde_json::{Value, json};

const FILE: &str = "plus.ndjson";
/// Interval counts of two implementations may differ by rounding where slip turns by exactly the largest angle.
const INTERVALS: u64 = 2;
/// Answers with and without remedies are the same if they differ by no more than this part of the speed \[1\].
const SAME: f64 = 1e-5;

fn lines() -> Vec<Value> {
    let lines = crate::lines(FILE);
    assert_eq!(lines.len(), 28);
    lines
}

/// The lines checked in this way, with their answers after a change of the law.
fn answered(check: &str, change: impl Fn(&mut Value)) -> Vec<(Value, Value)> {
    let asked = lines().into_iter().filter(|line| line["check"] == check);
    let pair = |line: Value| {
        let mut law = line["law"].clone();
        change(&mut law);
        let answer = crate::answer(&line["problem"], &law);
        (line, answer)
    };
    asked.map(pair).collect()
}

/// The published algorithm's own settings, with carom's remedies.
fn remedied(law: &mut Value) {
    law.as_object_mut().expect("a law with settings").remove("energy_guard");
}

/// Contact velocities at the start, as carom computes them.
fn start(line: &Value) -> Vec<f64> {
    problem(&line["problem"]).system.problem().velocity().to_vec()
}

/// How far apart, if further than `tolerance` of the sizes.
fn far(name: &str, got: &Value, wanted: &Value, scale: f64, tolerance: f64) -> Option<String> {
    let (got, wanted) = (numbers(got), numbers(wanted));
    let fits = got.len() == wanted.len()
        && distance(&got, &wanted) <= tolerance * norm(&wanted).max(scale);
    (!fits).then(|| format!("{name} {got:?}, expected {wanted:?}"))
}

fn value_fault(line: &Value, answer: &Value) -> Option<String> {
    if let Some(error) = answer.get("error") {
        return Some(error.to_string());
    }
    let (expect, effort) = (&line["expect"], &answer["effort"]);
    let tolerance = line["tolerance"]["relative"].as_f64()?;
    let before = start(line);
    for (name, scale, wanted) in [
        ("impulse", 0.0, line["check_impulse"] == true),
        ("velocity", norm(&numbers(&line["problem"]["velocity"])), true),
        ("contact_velocity", norm(&before), true),
    ] {
        if wanted
            && let Some(expected) = expect.get(name)
            && let Some(fault) = far(name, &answer[name], expected, scale, tolerance)
        {
            return Some(fault);
        }
    }
    for (name, body) in expect["bodies"].as_object().into_iter().flatten() {
        for part in ["velocity", "angular_velocity"] {
            let got = &answer["bodies"][name][part];
            let fault = far(part, got, &body[part], norm(&before), tolerance);
            if fault.is_some() {
                return fault;
            }
        }
    }
    let change = expect["energy_change"].as_f64()?;
    let got = answer["energy_change"].as_f64().unwrap_or(f64::NAN);
    let available = answer["certificate"]["energy_available"].as_f64()?;
    if (got - change).abs().total_cmp(&(tolerance * available)).is_gt() {
        return Some(format!("energy change {got}, expected {change}"));
    }
    if effort["rounds"] != expect["rounds"] {
        return Some(format!("{} rounds, expected {}", effort["rounds"], expect["rounds"]));
    }
    let (count, wanted) = (effort["intervals"].as_u64()?, expect["intervals"].as_u64()?);
    if count.abs_diff(wanted) > INTERVALS {
        return Some(format!("{count} intervals, expected {wanted}"));
    }
    let certified = answer["certificate"]["verdict"].is_string();
    (!certified).then(|| format!("verdict {}", answer["certificate"]["verdict"]))
}

#[test]
fn the_published_algorithm_is_reproduced() {
    let pairs = answered("value", |_| {});
    assert_eq!(pairs.len(), 23);
    report(pairs.iter().filter_map(|(line, answer)| Some((line, value_fault(line, answer)?))));
}

/// The default follows the published algorithm wherever that works.
#[test]
fn remedies_change_nothing_where_none_is_needed() {
    let pairs = answered("value", remedied);
    report(pairs.iter().filter_map(|(line, answer)| {
        if let Some(error) = answer.get("error") {
            return Some((line, error.to_string()));
        }
        let (got, wanted) = (&answer["contact_velocity"], &line["expect"]["contact_velocity"]);
        let fault = far("contact_velocity", got, wanted, norm(&start(line)), SAME);
        Some((line, fault.or_else(|| certified(answer))?))
    }));
}

/// Who is compressed, who expands and who watches, round by round.
#[test]
fn rounds_are_those_of_the_reference() {
    let mut compared = 0;
    let mut faults = Vec::new();
    for line in lines().into_iter().filter(|line| line["check"] == "value") {
        let Some(expected) = line["expect"]["round_states"].as_array() else { continue };
        let system = problem(&line["problem"]).system;
        let problem = system.problem();
        let mut recorder = Recorder::new(usize::MAX);
        let tolerances = Tolerances::default();
        law(&line["law"]).resolve(problem, &tolerances, &mut recorder).expect("an answer");
        let states: Vec<Value> = recorder
            .steps
            .iter()
            .filter_map(|step| match step {
                StepRecord::Phases { compressing, expanding } => {
                    let state = |k: usize| match (compressing.contains(&k), expanding.contains(&k))
                    {
                        (true, false) => "compressing",
                        (false, true) => "expanding",
                        _ => "observing",
                    };
                    Some((0..problem.len()).map(state).collect())
                }
                _ => None,
            })
            .collect();
        compared += 1;
        if states != *expected {
            faults.push((line.clone(), format!("rounds {states:?}, expected {expected:?}")));
        }
    }
    report(faults.iter().map(|(line, fault)| (line, fault.clone())));
    assert_eq!(compared, 21);
}

/// Where the published algorithm fails it says so, or the certificate does.
#[test]
fn failures_are_those_that_are_documented() {
    let pairs = answered("documented_failure", |_| {});
    assert_eq!(pairs.len(), 3);
    let fault = |answer: &Value| {
        let kind = answer["error"]["kind"].as_str();
        let refused =
            kind.is_some_and(|kind| ["no_solution", "limit", "not_converged"].contains(&kind));
        let violates = answer["certificate"]["verdict"]["violates"].as_array();
        let gains = violates.is_some_and(|list| list.contains(&json!("energy")));
        (!refused && !gains).then(|| answer.to_string())
    };
    report(pairs.iter().filter_map(|(line, answer)| Some((line, fault(answer)?))));
}

fn certified(answer: &Value) -> Option<String> {
    if let Some(error) = answer.get("error") {
        return Some(error.to_string());
    }
    let verdict = &answer["certificate"]["verdict"];
    (!verdict.is_string()).then(|| format!("verdict {verdict}"))
}

#[test]
fn what_fails_as_published_is_answered_and_certified() {
    let mut pairs = answered("documented_failure", remedied);
    pairs.extend(answered("invariants_only", |_| {}));
    pairs.extend(answered("invariants_only", remedied));
    assert_eq!(pairs.len(), 7);
    report(pairs.iter().filter_map(|(line, answer)| Some((line, certified(answer)?))));
}

/// A jammed contact comes to where the exact path leads, up to what finite intervals leave.
#[test]
fn a_jam_is_carried_on_along_the_exact_path() {
    let pairs = answered("documented_failure", remedied);
    let exact = |line: &Value| line["expect"].get("darboux_keller").is_some();
    let (line, answer) = pairs.iter().find(|(line, _)| exact(line)).expect("the jam is there");
    let setting = |name: &str| line["law"][name].as_f64().expect("a number");
    let speed = norm(&start(line));
    // What finite intervals and a transition speed are measured to leave, of the speed.
    let allowed = 0.35 * setting("max_direction_change") + setting("transition_speed") / speed;
    let wanted = &line["expect"]["darboux_keller"]["contact_velocity"];
    let fault = far("velocity", &answer["contact_velocity"], wanted, speed, allowed);
    assert_eq!(fault, None, "{answer}");
}

/// How far finite intervals are from the limit of ever shorter ones.
#[test]
fn the_limit_of_short_intervals_is_near() {
    let limit = |line: &Value, answer: &Value, tolerance: f64| {
        if let Some(error) = answer.get("error") {
            return Some(error.to_string());
        }
        let wanted = &line["expect"]["exact_limit"]["contact_velocity"];
        far("limit", &answer["contact_velocity"], wanted, norm(&start(line)), tolerance)
    };
    let pairs = answered("value", |_| {});
    let known = pairs.iter().filter(|(line, _)| line["expect"].get("exact_limit").is_some());
    let near: Vec<_> = known.clone().collect();
    assert_eq!(near.len(), 21);
    report(near.iter().filter_map(|(line, answer)| {
        Some((line, limit(line, answer, line["tolerance"]["exact_limit"].as_f64()?)?))
    }));
    let exact = answered("value", |law| *law = json!("plus-exact"));
    let known = exact.iter().filter(|(line, _)| line["expect"].get("exact_limit").is_some());
    report(known.filter_map(|(line, answer)| {
        let tolerance = line["tolerance"]["relative"].as_f64()?;
        Some((line, limit(line, answer, tolerance)?))
    }));
}
