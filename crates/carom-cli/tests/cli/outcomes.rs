//! `carom outcomes`: what may happen, and how far it is the law's choice.

use crate::support::{carom, carom_with_input};
use serde_json::Value;

/// A rod of mass 1 and inertia 2 falls flat on supports at ±1, plastic.
const ROD: &str = r#"{
    "bodies": [
        {"name": "floor", "fixed": true, "position": [0, 0]},
        {"name": "rod", "mass": 1, "inertia": 2, "position": [0, 0], "velocity": [0, -1]}
    ],
    "contacts": [
        {"a": "floor", "b": "rod", "point": [-1, 0], "normal": [0, 1], "rows": 1, "e": 0},
        {"a": "floor", "b": "rod", "point": [1, 0], "normal": [0, 1], "rows": 1, "e": 0}
    ]
}"#;

/// Newton's cradle of three.
const CRADLE: &str = r#"{"chain": {"mass": [1, 1, 1], "velocity": [1, 0, 0], "e": 1}}"#;

fn outcomes(problem: &str, options: &[&str]) -> crate::support::Run {
    let arguments: Vec<&str> = ["outcomes", "-"].iter().chain(options).copied().collect();
    let run = carom_with_input(&arguments, problem.as_bytes());
    assert_eq!(run.code, 0, "{}", run.stderr);
    run
}

fn json(problem: &str, options: &[&str]) -> Value {
    let options: Vec<&str> = options.iter().chain(&["--json"]).copied().collect();
    outcomes(problem, &options).json()
}

fn family<'a>(answer: &'a Value, id: &str) -> &'a Value {
    let families = answer["families"].as_array().expect("a list");
    families.iter().find(|f| f["family"] == id).unwrap_or_else(|| panic!("no {id} in {answer}"))
}

fn numbers(list: &Value) -> Vec<f64> {
    list.as_array().expect("a list").iter().map(|x| x.as_f64().expect("a number")).collect()
}

#[test]
fn orders_of_the_rod_span_two_ninths() {
    let answer = json(ROD, &["--samples", "50", "--orders", "40"]);
    let orders = family(&answer, "orders");
    assert_eq!((&orders["count"], &orders["unfinished"]), (&Value::from(40), &Value::from(0)));
    let spins: Vec<f64> = orders["samples"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|s| s["bodies"]["rod"]["angular_velocity"].as_f64().expect("a number"))
        .collect();
    // 1 → 2 turns it one way, 2 → 1 the other; nothing else happens.
    for spin in &spins {
        assert!((spin.abs() - 1.0 / 9.0).abs() < 1e-15, "{spin}");
    }
    assert!(spins.iter().any(|w| *w > 0.0) && spins.iter().any(|w| *w < 0.0));
    let spread = orders["spread"].as_array().expect("a list");
    let names: Vec<&str> = spread.iter().filter_map(|q| q["quantity"].as_str()).collect();
    assert_eq!(names[..2], ["energy_ratio", "contact_velocity_n[0]"]);
    let spin = spread.iter().find(|q| q["quantity"] == "rod.angular_velocity[0]").expect("ω");
    assert!((spin["min"].as_f64().expect("a number") + 1.0 / 9.0).abs() < 1e-15);
    assert!((spin["max"].as_f64().expect("a number") - 1.0 / 9.0).abs() < 1e-15);
    assert_eq!(answer["admissible_set"]["stieltjes"], false);
}

/// Checked by the definition: W = [[2, −1], [−1, 2]], u⁻ = (−1, 0).
#[test]
fn permissible_outcomes_of_the_cradle_are_permissible() {
    let answer = json(CRADLE, &["--samples", "300", "--seed", "5", "--orders", "20"]);
    let samples = family(&answer, "admissible")["samples"].as_array().expect("a list");
    assert_eq!(samples.len(), 300);
    for sample in samples {
        let p = numbers(&sample["impulse"]);
        let u = numbers(&sample["contact_velocity"]);
        assert!((u[0] - (-1.0 + 2.0 * p[0] - p[1])).abs() < 1e-14);
        assert!((u[1] - (-p[0] + 2.0 * p[1])).abs() < 1e-14);
        assert!(p.iter().chain(&u).all(|x| *x > -1e-12), "{sample}");
        let v = numbers(&sample["velocity"]);
        assert!((v.iter().sum::<f64>() - 1.0).abs() < 1e-14, "momentum: {v:?}");
        assert!(v.iter().map(|v| v * v).sum::<f64>() < 1.0 + 1e-12, "energy: {v:?}");
    }
    // Elastic equal balls exchange velocities in whatever order.
    for sample in family(&answer, "orders")["samples"].as_array().expect("a list") {
        assert_eq!(numbers(&sample["velocity"]), [0.0, 0.0, 1.0]);
    }
    assert_eq!(answer["admissible_set"]["stieltjes"], true);
    let available = answer["energy_available"].as_f64().expect("a number");
    assert!((available - 1.0 / 3.0).abs() < 1e-15, "{available}");
}

/// Springs of the cradle, stiffer or softer: momentum and energy are kept, the answer spreads.
#[test]
fn stiffnesses_spread_the_cradle() {
    let options = ["--samples", "0", "--orders", "0", "--stiffnesses", "25"];
    let answer = json(CRADLE, &options);
    let families = answer["families"].as_array().expect("a list");
    assert_eq!(families.len(), 1, "what nobody asked for is not there");
    let stiffness = family(&answer, "stiffness");
    assert_eq!(stiffness["count"], 25);
    let last: Vec<f64> = stiffness["samples"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|sample| {
            let v = numbers(&sample["velocity"]);
            assert!((v.iter().sum::<f64>() - 1.0).abs() < 1e-12, "momentum: {v:?}");
            // lzb integrates to a millionth.
            assert!((v.iter().map(|v| v * v).sum::<f64>() - 1.0).abs() < 1e-5, "energy: {v:?}");
            v[2]
        })
        .collect();
    let (low, high) =
        last.iter().fold((f64::INFINITY, 0.0_f64), |(low, high), v| (low.min(*v), high.max(*v)));
    assert!(high - low > 1e-3 && high < 1.0 + 1e-5, "{low} {high}");
    // Equally stiff, whatever the seed.
    let equal: Vec<&str> = options.iter().chain(&["--stiffness-decades", "0"]).copied().collect();
    let equal = json(CRADLE, &equal);
    let samples = family(&equal, "stiffness")["samples"].as_array().expect("a list");
    assert!(samples.iter().all(|sample| sample == &samples[0]));
}

#[test]
fn the_same_seed_gives_the_same_answer() {
    let options = ["--samples", "20", "--orders", "5", "--csv"];
    let with = |seed: &str| {
        let options: Vec<&str> = options.iter().chain(&["--seed", seed]).copied().collect();
        outcomes(CRADLE, &options).stdout
    };
    assert_eq!(with("3"), with("3"));
    assert_ne!(with("3"), with("4"));
}

#[test]
fn csv_has_one_row_per_outcome_and_law() {
    let text = outcomes(CRADLE, &["--samples", "7", "--orders", "4", "--csv"]).stdout;
    let mut lines = text.lines();
    let header: Vec<&str> = lines.next().expect("a heading").split(',').collect();
    assert_eq!(header[..3], ["family", "item", "impulse_n[0]"]);
    assert!(header.contains(&"energy_ratio") && header.contains(&"velocity[2]"), "{header:?}");
    let rows: Vec<Vec<&str>> = lines.map(|line| line.split(',').collect()).collect();
    assert!(rows.iter().all(|row| row.len() == header.len()));
    let count = |family: &str| rows.iter().filter(|row| row[0] == family).count();
    assert_eq!((count("admissible"), count("orders")), (7, 4));
    assert!(rows.iter().any(|row| row[..2] == ["law", "newton"]));
}

#[test]
fn people_get_a_screen() {
    for problem in [ROD, CRADLE] {
        let text = outcomes(problem, &["--samples", "50", "--orders", "10"]).stdout;
        assert!(text.contains("admissible  50 drawn evenly"), "{text}");
        assert!(text.contains("E⁺/E0") && text.contains("u_n[1]⁺"), "{text}");
        assert!(text.contains("rod.ω[0]") || text.contains("v[2]"), "{text}");
        assert!(text.contains("newton"), "{text}");
        for line in text.lines() {
            assert!(line.chars().count() <= 100, "{line}");
        }
    }
    // Many contacts: the first few, and how many more there are.
    let mass = vec!["1"; 30].join(", ");
    let long = format!(
        r#"{{"chain": {{"mass": [{mass}], "velocity": [1{}], "e": 1}}}}"#,
        ", 0".repeat(29)
    );
    let text = outcomes(&long, &["--samples", "5", "--orders", "5", "--stiffnesses", "2"]).stdout;
    assert!(text.contains("more velocities"), "{text}");
}

#[test]
fn what_cannot_be_drawn_is_said_and_the_laws_answer() {
    // All separate: the laws have nothing to do.
    let long = r#"{"chain": {"count": 300, "mass": 1, "velocity": {"first": -1}, "e": 1}}"#;
    let answer = json(long, &["--samples", "5", "--stiffnesses", "0"]);
    assert_eq!(family(&answer, "admissible")["error"]["kind"], "limit");
    assert!(!answer["laws"].as_array().expect("a list").is_empty());
}

#[test]
fn bad_arguments_are_refused() {
    let file = "scenarios/newtons-cradle.toml";
    for (options, complaint) in [
        (&["--samples=-1"][..], "--samples"),
        (&["--samples", "many"], "--samples"),
        (&["--seed", "1.5"], "--seed"),
        (&["--stiffness-decades", "nan"], "--stiffness-decades"),
        (&["--stiffness-decades", "50"], "--stiffness-decades"),
        (&["--json", "--csv"], "--csv"),
    ] {
        let arguments: Vec<&str> = ["outcomes", file].iter().chain(options).copied().collect();
        let run = carom(&arguments);
        assert_eq!(run.code, 2, "{options:?}: {}", run.stderr);
        assert!(run.stderr.contains(complaint), "{options:?}: {}", run.stderr);
    }
}
