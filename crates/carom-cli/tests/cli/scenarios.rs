//! What the comments in `scenarios/` tell the reader to look for is there.

use crate::support::carom;
use carom::catalog;
use serde_json::Value;

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

/// Every law of the catalogue has its say on every scenario, and keeps the promises of its row.
#[test]
fn every_scenario_goes_through_every_law() {
    let scenarios =
        std::fs::read_dir(crate::support::repository().join("scenarios")).expect("a folder");
    let mut seen = 0;
    for entry in scenarios {
        let path = entry.expect("a file").path();
        let name = path.file_name().and_then(|n| n.to_str()).expect("a name in UTF-8");
        // A million masses are for laws that are asked one by one.
        if !name.ends_with(".toml") || name == "long-chain.toml" {
            continue;
        }
        let run = carom(&["compare", path.to_str().expect("a path in UTF-8"), "--json"]);
        assert_eq!(run.code, 0, "{name}: {}", run.stderr);
        let answer = run.json();
        let answers = answer["answers"].as_array().expect("a list");
        for answer in answers {
            let id = answer["law"]["id"].as_str().expect("an id");
            let row = catalog::all().find(|row| row.id == id).expect("a row");
            let cone = if row.takes_several() { row.claims.pushes } else { row.claims.cone };
            let promised = row.claims.energy && row.claims.separation && cone;
            let verdict = &answer["certificate"]["verdict"];
            assert!(!promised || verdict.is_string(), "{name}, {id}: {verdict}");
        }
        let absent = answer["without_answer"].as_array().expect("a list");
        assert_eq!(answers.len() + absent.len(), catalog::all().count(), "{name}");
        for law in absent {
            let kind = law["kind"].as_str().expect("a kind");
            let fair = ["not_applicable", "bad_setting", "bad_problem"].contains(&kind);
            // Some laws have no answer to some problems, and do not promise one.
            let row = catalog::all().find(|row| law["law"] == row.id).expect("a row");
            // The promise of laws for one contact is about contacts that yield in every direction.
            let total = row.takes_several() && row.claims.total;
            assert!(fair || (kind == "no_solution" && !total), "{name}: {law}");
        }
        seen += 1;
    }
    assert!(seen >= 21, "{seen} scenarios");
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

/// The velocities that the comment gives as fractions.
fn exact(scenario: &str, law: &str, velocity: &[f64]) {
    let answer = resolve(scenario, law);
    for (i, v) in velocity.iter().enumerate() {
        shows(number(&answer, &format!("/velocity/{i}")), *v, 12);
    }
}

#[test]
fn impacts_travel_through_the_cradle_only_under_some_laws() {
    for law in ["newton", "poisson", "moreau"] {
        exact("newtons-cradle", law, &[-0.6, 0.4, 0.4, 0.4, 0.4]);
    }
    for law in ["mosterman", "sequential", "generalized-reflections"] {
        exact("newtons-cradle", law, &[0.0, 0.0, 0.0, 0.0, 1.0]);
    }
}

#[test]
fn four_bodies_follow_mostermans_table() {
    let answer = resolve("four-body-chain", "mosterman");
    exact("four-body-chain", "mosterman", &[-1.0 / 7.0, 6.0 / 49.0, 12.0 / 49.0, 38.0 / 49.0]);
    // Half of 1 kg at 1 m/s came.
    shows(1.0 + number(&answer, "/kinetic_energy_change") / 0.5, 0.69679, 5);
}

#[test]
fn newton_and_poisson_disagree_about_the_floor() {
    let (n, p) = (668.0, 2004.0);
    exact("three-bodies-and-a-floor", "newton", &[-333.0 / n, 1.0 / n, 1.0 / n]);
    exact("three-bodies-and-a-floor", "poisson", &[-333.0 / n, -997.0 / p, 1.0 / 501.0]);
    let mosterman = [-6991.0 / 12016.0, -2993.0 / 12016.0, 11.0 / 6008.0];
    exact("three-bodies-and-a-floor", "mosterman", &mosterman);
}

#[test]
fn the_rod_goes_on_rocking() {
    let answer = resolve("rocking-rod", "newton");
    shows(number(&answer, "/bodies/rod/velocity/1"), 1.0 / 7.0, 12);
    shows(number(&answer, "/bodies/rod/angular_velocity"), -2.0 / 7.0, 12);
    shows(number(&answer, "/impulse/0"), 0.0, 12);
    shows(number(&answer, "/impulse/1"), 8.0 / 7.0, 12);
}

#[test]
fn redundant_corners_are_noted() {
    let answer = resolve("block-on-four-corners", "newton");
    assert_eq!(answer["effort"]["impulse_unique"], false);
    assert!(answer["notes"].to_string().contains("redundant"), "{answer}");
}

#[test]
fn foot_and_stop_take_the_blow_together() {
    let answer = resolve("joint-stop", "newton");
    assert_eq!(answer["impulse"].as_array().map(Vec::len), Some(4));
    assert!(number(&answer, "/impulse/0") > 0.0 && number(&answer, "/impulse/3") > 0.0, "{answer}");
}

#[test]
fn the_blade_does_not_slip_sideways() {
    let answer = resolve("knife-edge", "newton");
    let slip = number(&answer, "/velocity/1") - 0.4 * number(&answer, "/velocity/2");
    assert!(slip.abs() < 1e-15, "{slip}");
    assert!(number(&answer, "/bilateral_impulse/0") != 0.0);
}

#[test]
fn the_loop_stays_closed() {
    let answer = resolve("closed-loop", "newton");
    assert!(number(&answer, "/certificate/bilateral_residual") < 1e-14, "{answer}");
    let [left, right] = [0, 1].map(|k| number(&answer, &format!("/impulse/{k}")));
    assert!((left - right).abs() < 1e-14, "{left} and {right}");
}

#[test]
fn the_break_has_thirty_one_contacts() {
    let answer = resolve("pool-break", "newton");
    assert_eq!(answer["impulse"].as_array().map(Vec::len), Some(31));
    shows(number(&answer, "/certificate/e_kinematic/0"), 0.95, 12);
}

/// A million masses from file to answer: the laws that act at once, and what they say of equal masses at e = 1.
#[test]
fn a_million_masses_are_answered() {
    // (−1 + 2/n, 2/n, 2/n, …) and (1/n, 1/n, 1/n, …)
    let (rebounds, stays) = ("(-0.999998, 2e-6, 2e-6, …", "(1e-6, 1e-6, 1e-6, …");
    for (law, velocity) in [
        ("newton", rebounds),
        ("poisson", rebounds),
        ("moreau", rebounds),
        ("max-dissipation", stays),
    ] {
        let run = carom(&["resolve", "scenarios/long-chain.toml", "--law", law]);
        assert_eq!(run.code, 0, "{law}: {}", run.stderr);
        assert!(run.stdout.contains(&format!("v⁺       {velocity}")), "{law}: {}", run.stdout);
        assert!(run.stdout.contains("verdict  permissible"), "{law}: {}", run.stdout);
        assert!(run.stdout.lines().count() < 40, "{law}");
    }
}
