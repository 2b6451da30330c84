//! `carom compliant` and `carom compare --compliant`.

use crate::support::{carom, carom_with_input};
use serde_json::{Value, json};

const BRICK: &str = "scenarios/brick-corner.toml";

fn json(arguments: &[&str]) -> Value {
    let run = carom(arguments);
    assert_eq!(run.code, 0, "{arguments:?}: {}", run.stderr);
    run.json()
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

/// The paper fits e = 0.373 to this run.
#[test]
fn the_brick_of_the_paper() {
    let answer = json(&["compliant", BRICK, "--json", "--law", "routh-stronge"]);
    let e = number(&answer["contacts"][0]["e_kinetic"]);
    assert!((e - 0.373).abs() < 1e-3, "{e}");
    assert_eq!(answer["model"]["modulus"], 1e10);
    assert_eq!(answer["model"]["frozen"], false);
    assert!(number(&answer["energy"]["relative_residual"]).abs() < 1e-8);
    assert_eq!(answer["contacts"][0]["reclosures"], 0);
    assert_eq!(answer["bodies"]["brick"]["velocity"].as_array().map(Vec::len), Some(3));
    let distance = number(&answer["laws"][0]["distance"]);
    assert!((1e-4..1e-2).contains(&distance), "{distance}");
    assert!(answer.get("history").is_none());
}

#[test]
fn people_get_a_screen() {
    let run = carom(&["compliant", BRICK, "--law", "routh-stronge", "--law", "whittaker"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    for words in ["Hertz, E = 1e10 Pa", "e energetic", "friction took", "law      whittaker"] {
        assert!(run.stdout.contains(words), "{words}: {}", run.stdout);
    }
    assert!(run.stdout.lines().all(|line| line.chars().count() <= 100), "{}", run.stdout);
}

/// Stiffer contacts come closer to Stronge's law; options override the file.
#[test]
fn options_override_the_file() {
    let distance = |modulus: &str| {
        let options = ["--modulus", modulus, "--dissipation", "0", "--transition-speed", "1e-6"];
        let mut arguments = vec!["compliant", "scenarios/box-corner.toml", "--json"];
        arguments.extend(options);
        let answer = json(&arguments);
        assert!((number(&answer["contacts"][0]["e_energetic"]) - 1.0).abs() < 1e-9);
        number(&answer["contact_velocity"][0])
    };
    let (soft, hard, harder) = (distance("1e8"), distance("1e12"), distance("1e13"));
    assert!((soft - harder).abs() > 10.0 * (hard - harder).abs(), "{soft} {hard} {harder}");
}

#[test]
fn a_fall_ends_in_a_located_impact() {
    let answer = json(&["compliant", "scenarios/triple-pendulum-fall.toml", "--json"]);
    assert!((number(&answer["first_touch"]) - 0.370796).abs() < 1e-6);
    let expected = json(&["compliant", "scenarios/triple-pendulum.toml", "--json"]);
    let (p, q) = (number(&answer["impulse"][0]), number(&expected["impulse"][0]));
    // The same impact but for its weight, which acts for a third of a millisecond.
    assert!((p / q - 1.0).abs() < 1e-3, "{p} {q}");
}

#[test]
fn other_forms_keep_their_configuration() {
    let answer = json(&["compliant", "scenarios/row-of-five-balls.toml", "--json"]);
    assert_eq!(answer["model"]["frozen"], true);
    let velocity = &answer["velocity"];
    assert!((number(&velocity[4]) - 1.9775549).abs() < 1e-6, "{velocity}");
    let linear = ["compliant", "scenarios/newtons-cradle.toml", "--stiffness", "1e6", "--json"];
    assert_eq!(json(&linear)["model"]["exponent"], 1.0);
    let frozen = json(&["compliant", BRICK, "--frozen", "--json"]);
    assert_eq!(frozen["model"]["frozen"], true);
}

#[test]
fn a_history_lists_every_step() {
    let answer = json(&["compliant", BRICK, "--json", "--history"]);
    let history = answer["history"].as_array().expect("a list");
    assert!(history.len() > 50, "{}", history.len());
    let last = &history[history.len() - 1]["contacts"][0];
    assert_eq!(last["impulse"], answer["impulse"]);
    assert_eq!(last["velocity"].as_array().map(Vec::len), Some(3));
    let shown = carom(&["compliant", BRICK, "--history"]);
    assert!(shown.stdout.contains("more instants"), "{}", shown.stdout);
}

#[test]
fn what_is_wrong_is_named() {
    for (options, expected) in [
        (vec!["--modulus", "-1"], "--modulus: -1:"),
        (vec!["--exponent", "2"], "--exponent: 2:"),
        (vec!["--exponent", "1"], "--exponent: 1:"),
        (vec!["--stiffness", "1e6", "--radius", "-2"], "--radius: -2:"),
        (vec!["--transition-speed", "0"], "--transition-speed: 0:"),
        (vec!["--gravity", "1,2,3,4"], "--gravity: 4 numbers:"),
        (vec!["--tolerance", "0"], "--tolerance: 0"),
        (vec!["--max-time", "-1"], "--max-time: -1"),
        (vec!["--law", "routh-strong"], "routh-stronge"),
    ] {
        let mut arguments = vec!["compliant", BRICK];
        arguments.extend(options);
        let run = carom(&arguments);
        assert_eq!(run.code, 2, "{arguments:?}: {}", run.stdout);
        assert!(run.stderr.contains(expected), "{arguments:?}: {}", run.stderr);
    }
    let stopped = carom(&["compliant", BRICK, "--max-steps", "10", "--json"]);
    assert_ne!(stopped.code, 0);
    assert_eq!(stopped.json()["error"]["kind"], "limit");
}

fn with_table(table: Value) -> Value {
    json!({
        "delassus": [[1.0]],
        "contact_velocity": [-1.0],
        "contacts": [{ "e": 1.0 }],
        "compliant": table,
    })
}

#[test]
fn the_table_of_a_file_is_checked() {
    for (table, expected) in [
        (json!({ "modulos": 1e9 }), "did you mean `modulus`?"),
        (json!({ "modulus": "stiff" }), "compliant.modulus"),
        (json!({ "modulus": 0 }), "compliant.modulus = 0"),
        (json!({ "modulus": 1e9, "stiffness": 1e6 }), "not both"),
        (json!({ "gravity": [1.0] }), "compliant.gravity = 1 numbers"),
    ] {
        let text = with_table(table).to_string();
        let run = carom_with_input(&["compliant", "-"], text.as_bytes());
        assert_eq!(run.code, 2, "{text}: {}", run.stdout);
        assert!(run.stderr.contains(expected), "{text}: {}", run.stderr);
    }
    let weight = with_table(json!({ "gravity": [0.0, -9.81] })).to_string();
    let run = carom_with_input(&["compliant", "-"], weight.as_bytes());
    assert!(run.stderr.contains("only bodies"), "{}", run.stderr);
}

#[test]
fn compare_says_how_far_laws_are_from_it() {
    let file = "scenarios/brick-on-four-vertices.toml";
    let answer = json(&["compare", file, "--compliant", "E=1e10", "--json"]);
    assert_eq!(answer["compliant"]["model"]["modulus"], 1e10);
    let plus = number(&answer["compliant_distance"]["plus"]);
    let sequential = number(&answer["compliant_distance"]["sequential"]);
    assert!(plus < 0.05 && sequential > 0.1, "{plus} {sequential}");
    let screen = carom(&["compare", file, "--compliant", "1e10"]);
    assert!(screen.stdout.contains("`springs` is how far"), "{}", screen.stdout);
    assert!(screen.stdout.lines().all(|line| line.chars().count() <= 100), "{}", screen.stdout);
    let csv = carom(&["compare", BRICK, "--compliant", "E=1e9", "--csv"]);
    assert!(csv.stdout.lines().next().is_some_and(|line| line.contains("compliant_distance")));
    let wrong = carom(&["compare", file, "--compliant", "soft"]);
    assert_eq!(wrong.code, 2);
    assert!(wrong.stderr.contains("--compliant: `soft`"), "{}", wrong.stderr);
}
