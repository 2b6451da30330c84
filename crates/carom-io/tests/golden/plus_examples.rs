//! The four examples of the paper on PLUS, from their scenario files to the numbers of their figures and tables.

use crate::{answer, distance, norm, numbers, read, repository, traced};
use serde_json::{Value, json};

/// Sums of a few numbers of the size of 2.
const ROUNDING: f64 = 16.0 * f64::EPSILON;

fn golden() -> Value {
    serde_json::from_str(&read("plus_examples.json")).expect("JSON")
}

/// The paper writes (x, y, z), z being the normal; carom (n, t1, t2).
fn normal_first(value: &Value) -> Vec<f64> {
    match numbers(value)[..] {
        [x, y, z] => vec![z, x, y],
        ref other => panic!("three numbers instead of {other:?}"),
    }
}

/// As many digits agree as are written down.
#[track_caller]
fn close(what: &str, got: &[f64], wanted: &[f64], half: f64) {
    assert!(
        got.len() == wanted.len() && distance(got, wanted) <= half,
        "{what}: {got:?}, expected {wanted:?}"
    );
}

fn scenario(name: &str) -> Value {
    let path = repository().join("scenarios").join(name);
    let text = std::fs::read_to_string(path).expect("the file is there");
    toml::from_str(&text).expect("TOML")
}

/// What each round adds up to, and the intervals that it has.
struct Round {
    impulse: Vec<f64>,
    intervals: Vec<Value>,
}

/// The rounds of a trace, in a problem of so many contacts of three rows.
fn rounds(answer: &Value, contacts: usize) -> Vec<Round> {
    let mut rounds: Vec<Round> = Vec::new();
    for step in answer["trace"]["steps"].as_array().expect("steps") {
        if step["step"] == "phases" {
            rounds.push(Round { impulse: vec![0.0; 3 * contacts], intervals: vec![] });
            continue;
        }
        let round = rounds.last_mut().expect("a round begins with its phases");
        let impulse = numbers(&step["impulse"]);
        for (i, k) in step["contacts"].as_array().expect("contacts").iter().enumerate() {
            let k = k.as_u64().expect("a number") as usize;
            for c in 0..3 {
                round.impulse[3 * k + c] += impulse[3 * i + c];
            }
        }
        round.intervals.push(step.clone());
    }
    rounds
}

/// The published settings, with a largest change of direction.
fn published(theta: f64) -> Value {
    json!({"id": "plus", "max_direction_change": theta, "energy_guard": false})
}

#[test]
fn example_1_turns_while_it_slides() {
    for case in golden()["example_1"].as_array().expect("three frictions") {
        let mut problem = scenario("brick-corner.toml");
        problem["contacts"][0]["mu"] = case["mu"].clone();
        problem["contacts"][0]["e"]["minimum"] = case["minimum"].clone();
        for (theta, count) in case["intervals"].as_object().expect("counts") {
            let theta: f64 = theta.parse().expect("an angle");
            let answer = traced(&problem, &published(theta));
            let name = format!("mu {}, theta {theta}", case["mu"]);
            assert_eq!(answer["effort"]["intervals"], *count, "{name}");
            if theta > 0.01 {
                continue;
            }
            let rounds = rounds(&answer, 1);
            let [compression, expansion] = &rounds[..] else { panic!("{} rounds", rounds.len()) };
            // Five digits after the point are given; three numbers are off by half of the last each.
            let half = 1e-5;
            close(&name, &compression.impulse, &normal_first(&case["compression"]), half);
            close(&name, &numbers(&answer["impulse"]), &normal_first(&case["total"]), half);
            close(
                &name,
                &numbers(&answer["contact_velocity"]),
                &normal_first(&case["velocity"]),
                half,
            );
            let rolls = |round: &Round| {
                round.intervals.iter().any(|interval| interval["modes"][0] == "rolling")
            };
            let phase = match (rolls(compression), rolls(expansion)) {
                (true, _) => "compressing",
                (false, true) => "expanding",
                (false, false) => "never",
            };
            assert_eq!(case["rolls"], phase, "{name}");
        }
    }
}

#[test]
fn example_2_stops_in_unison() {
    let (golden, problem) = (&golden()["example_2"], scenario("brick-on-four-vertices.toml"));
    let answer = traced(&problem, &published(0.01));
    let rounds = rounds(&answer, 4);
    assert_eq!(answer["effort"]["intervals_per_round"], golden["intervals_per_round"]);
    let (total, velocity) = (numbers(&answer["impulse"]), numbers(&answer["contact_velocity"]));
    for (k, side) in ["trailing", "leading", "trailing", "leading"].into_iter().enumerate() {
        let golden = &golden[side];
        // Three or four digits after the point are given.
        let own = 3 * k..3 * k + 3;
        close(side, &rounds[0].impulse[own.clone()], &normal_first(&golden["compression"]), 1e-3);
        close(side, &total[own], &normal_first(&golden["total"]), 1e-4);
        let normal = golden["normal_velocity"].as_f64().expect("a number");
        close(side, &velocity[3 * k..=3 * k], &[normal], 5e-4);
    }
    let stop = &rounds[1].intervals[0];
    let length = stop["length"].as_f64().expect("a number");
    close("length", &[length], &[golden["closest_point"].as_f64().expect("a number")], 5e-4);
    assert_eq!(stop["limit"], "closest point");
    assert_eq!(
        rounds[1].intervals[1]["modes"],
        json!(["rolling", "rolling", "rolling", "rolling"])
    );
}

#[test]
fn example_3_is_table_2() {
    let golden = &golden()["example_3"];
    let problem = scenario("row-of-five-balls.toml");
    for law in [published(0.1), json!({"id": "plus"})] {
        let answer = traced(&problem, &law);
        close("velocity", &numbers(&answer["velocity"]), &numbers(&golden["velocity"]), ROUNDING);
        let steps = answer["trace"]["steps"].as_array().expect("steps");
        let rounds: Vec<&Value> = steps.iter().filter(|step| step["step"] == "phases").collect();
        let has = |list: &Value, k: usize| list.as_array().expect("contacts").contains(&json!(k));
        let state = |k: usize, round: &Value| match (
            has(&round["compressing"], k),
            has(&round["expanding"], k),
        ) {
            (true, false) => "compressing",
            (false, true) => "expanding",
            _ => "observing",
        };
        let table: Vec<Vec<&str>> =
            (0..4).map(|k| rounds.iter().map(|round| state(k, round)).collect()).collect();
        assert_eq!(json!(table), golden["table_2"]);
        // Velocities after each round: half of the blow has arrived, and half has left.
        let mut after = vec![2.0, 0.0, 0.0, 0.0, 0.0];
        for (round, interval) in steps.iter().filter(|step| step["step"] == "interval").enumerate()
        {
            let contacts = interval["contacts"].as_array().expect("contacts");
            for (i, k) in contacts.iter().enumerate() {
                let (k, p) = (k.as_u64().expect("a number") as usize, &interval["impulse"][3 * i]);
                after[k] -= p.as_f64().expect("a number");
                after[k + 1] += p.as_f64().expect("a number");
            }
            let mut expected = vec![0.0; 5];
            expected[round] = if round == 4 { 2.0 } else { 1.0 };
            if round < 4 {
                expected[round + 1] = 1.0;
            }
            close(&format!("round {round}"), &after, &expected, ROUNDING);
        }
    }
}

/// Row C: everything is compressed at once. That is Poisson's law, and what the published algorithm does if every pair
/// approaches, however slowly, and restitution does not depend on the speed.
#[test]
fn example_3_in_a_single_phase() {
    let golden = &golden()["example_3"];
    let wanted = numbers(&golden["single_phase"]);
    let problem = scenario("row-of-five-balls.toml");
    close(
        "poisson",
        &numbers(&traced(&problem, &json!({"id": "poisson"}))["velocity"]),
        &wanted,
        1e-14,
    );
    let mut moving = problem;
    let slow = 1e-8;
    let velocities: Vec<f64> =
        (0..5).map(|k| if k == 0 { 2.0 } else { -slow * k as f64 }).collect();
    moving["chain"]["velocity"] = json!(velocities);
    let answer = traced(&moving, &published(0.1));
    close("plus", &numbers(&answer["velocity"]), &wanted, 32.0 * slow);
    assert_eq!(answer["effort"]["rounds"], 2);
    // Taken for noise, the same blow travels.
    let answer = traced(&moving, &json!({"id": "plus"}));
    close("noise", &numbers(&answer["velocity"]), &numbers(&golden["velocity"]), 32.0 * slow);
}

#[test]
fn example_3_with_less_restitution() {
    let golden = &golden()["example_3"];
    let cases = golden["less_than_one"].as_array().expect("a table");
    let row = |k: usize| -> Vec<f64> {
        (0..5)
            .map(|i| {
                if i == k {
                    -1.0
                } else if i == k + 1 {
                    1.0
                } else {
                    0.0
                }
            })
            .collect()
    };
    for guard in [false, true] {
        let answer_to = |case: &Value| {
            let e = json!({"minimum": case["minimum"], "capture_speed": golden["capture_speed"],
                "plastic_speed": golden["plastic_speed"]});
            let contacts: Vec<Value> = (0..4).map(|_| json!({"e": e})).collect();
            let jacobian: Vec<_> = (0..4).map(row).collect();
            let problem = json!({"mass": [1, 1, 1, 1, 1], "velocity": [2, 0, 0, 0, 0],
                "jacobian": jacobian, "contacts": contacts});
            answer(&problem, &json!({"id": "plus", "energy_guard": guard}))
        };
        for case in cases {
            let answer = answer_to(case);
            let name = format!("e = {}, guard {guard}", case["minimum"]);
            assert_eq!(answer["effort"]["rounds"], case["rounds"], "{name}: {answer}");
            close(&name, &numbers(&answer["velocity"]), &numbers(&case["velocity"]), 2e-6);
            let change = answer["energy_change"].as_f64().expect("a number");
            close(&name, &[change], &[case["energy_change"].as_f64().expect("a number")], 5e-6);
        }
    }
}

#[test]
fn example_4_slides_throughout() {
    let (golden, problem) = (&golden()["example_4"], scenario("triple-pendulum.toml"));
    let answer = traced(&problem, &published(0.01));
    // In the plane the tangent is the normal turned by 90°: it points along −x.
    let planar = |value: &Value| match numbers(value)[..] {
        [x, _, z] => vec![z, -x],
        ref other => panic!("three numbers instead of {other:?}"),
    };
    close("impulse", &numbers(&answer["impulse"]), &planar(&golden["impulse"]), 1e-4);
    close("velocity", &numbers(&answer["contact_velocity"]), &planar(&golden["velocity"]), 1e-5);
    for name in ["rounds", "intervals"] {
        assert_eq!(answer["effort"][name], golden[name]);
    }
    let change = answer["energy_change"].as_f64().expect("a number");
    close("energy", &[change], &[golden["energy_change"].as_f64().expect("a number")], 5e-6);
    let residual = answer["certificate"]["bilateral_residual"].as_f64().expect("a number");
    assert!(residual <= 1e-12 * norm(&numbers(&golden["before"])), "{residual}");
}
