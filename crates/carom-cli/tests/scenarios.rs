//! What the comments in `scenarios/` tell the reader to look for is there.

mod support;

use serde_json::Value;
use support::carom;

/// The answer of one law to a scenario.
fn resolve(scenario: &str, law: &str) -> Value {
    let file = format!("scenarios/{scenario}.toml");
    let run = carom(&["resolve", &file, "--law", law, "--json"]);
    assert_eq!(run.code, 0, "{scenario}, {law}: {}", run.stderr);
    run.json()
}

/// The number at a JSON pointer.
fn number(answer: &Value, pointer: &str) -> f64 {
    let value = answer.pointer(pointer).and_then(Value::as_f64);
    value.unwrap_or_else(|| panic!("no number at {pointer} in {answer}"))
}

/// The comment gives this many digits after the point.
#[track_caller]
fn shows(value: f64, written: f64, digits: i32) {
    let half = 0.5 * 10f64.powi(-digits);
    assert!((value - written).abs() <= half, "{value} is not {written}");
}

#[test]
fn every_scenario_can_be_compared() {
    let scenarios = std::fs::read_dir(support::repository().join("scenarios")).expect("a folder");
    let mut seen = 0;
    for entry in scenarios {
        let path = entry.expect("a file").path();
        if path.extension().is_some_and(|e| e == "toml") {
            let run = carom(&["compare", path.to_str().expect("a path in UTF-8")]);
            assert_eq!(run.code, 0, "{}: {}", path.display(), run.stderr);
            seen += 1;
        }
    }
    assert!(seen >= 12, "{seen} scenarios");
}

#[test]
fn box_corner_loses_what_it_says() {
    for (law, lost) in [
        ("whittaker", 0.319),
        ("routh-poisson", 0.361),
        ("routh-stronge", 0.352),
        ("chatterjee-ruina", 0.333),
    ] {
        shows(-number(&resolve("box-corner", law), "/energy_change"), lost, 3);
    }
}

#[test]
fn corrected_mirtich_compresses_twice_under_stronge_and_once_under_poisson() {
    for (law, impulse, compressions) in
        [("routh-stronge", 60.8115435520, 2.0), ("routh-poisson", 27.7324476931, 1.0)]
    {
        let answer = resolve("corrected-mirtich", law);
        shows(number(&answer, "/impulse/0"), impulse, 10);
        shows(number(&answer, "/effort/compressions"), compressions, 0);
    }
}

#[test]
fn spinning_ball_turns_back_only_with_tangential_restitution() {
    let answer = resolve("spinning-ball", "chatterjee-ruina");
    shows(number(&answer, "/contact_velocity/1"), -0.6 * 5.0, 12);
    let answer = resolve("spinning-ball", "routh-stronge");
    shows(number(&answer, "/contact_velocity/1"), 0.0, 12);
}

#[test]
fn central_grazing_reaches_seventeen() {
    let file = "scenarios/central-grazing.toml";
    let run = carom(&["certify", file, "--impulse", "18,9", "--json"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let answer = run.json();
    let certificate = answer.get("certificate").unwrap_or(&answer);
    shows(number(certificate, "/e_kinematic/0"), 17.0, 12);
    shows(number(certificate, "/energy_change"), 0.0, 12);
}

#[test]
fn moving_wall_gives_energy_to_the_ball() {
    let answer = resolve("moving-wall", "routh-stronge");
    shows(number(&answer, "/bodies/ball/velocity/0"), -25.0, 12);
    assert!(number(&answer, "/energy_change") < 0.0);
    assert!(number(&answer, "/kinetic_energy_change") > 0.0);
}

#[test]
fn roll_leaves_the_conveyor_rolling() {
    let answer = resolve("conveyor", "routh-stronge");
    shows(number(&answer, "/velocity/0"), 0.5, 12);
    shows(number(&answer, "/velocity/2"), 10.0, 12);
}

#[test]
fn grazing_and_painleve_jam() {
    for (law, rebound) in [("routh-poisson", 0.42), ("routh-stronge", 0.33)] {
        let answer = resolve("grazing-locking", law);
        shows(number(&answer, "/contact_velocity/0"), rebound, 2);
    }
    let answer = resolve("painleve-rod", "routh-stronge");
    assert!(number(&answer, "/impulse/0") > 0.3, "{answer}");
    assert!(answer["notes"].to_string().contains("jams"), "{answer}");
}
