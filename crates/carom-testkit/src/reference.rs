//! Reference answers of `golden/` as problems that tests in any crate can use.

use crate::Mechanism;
use crate::generate::material;
use crate::joints::keep_joints;
use crate::oracle::smoothed::Springs;
use carom::{ContactProblem, ContactSpec, Restitution};
use serde_json::Value;

/// A line of `golden/stiff.ndjson`.
#[derive(Clone, Debug)]
pub struct StiffLine {
    /// Its name.
    pub id: String,
    /// What collides; joints that the given velocity breaks have been held.
    pub problem: ContactProblem,
    /// The springs behind the contacts, in the words of the oracle.
    pub springs: Springs,
    /// Row by row [N·s].
    pub impulse: Vec<f64>,
    /// After the impact, row by row [m/s].
    pub velocity: Vec<f64>,
    /// How exact the answer is, relative to its size \[1\].
    pub tolerance: f64,
    /// Whether friction impulses are determined; normal impulses always are.
    pub friction_unique: bool,
}

/// All lines of `golden/stiff.ndjson`. Panics if the file is not what it should be.
pub fn stiff() -> Vec<StiffLine> {
    lines("stiff.ndjson").iter().map(stiff_line).collect()
}

/// The states of `golden/resting.ndjson`. Panics if the file is not what it should be.
pub fn resting() -> Vec<ContactProblem> {
    lines("resting.ndjson").iter().map(|line| problem(&line["problem"])).collect()
}

fn lines(file: &str) -> Vec<Value> {
    let path = format!("{}/../../golden/{file}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let parse = |line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}"));
    text.lines().map(parse).collect()
}

fn stiff_line(line: &Value) -> StiffLine {
    let (law, expect) = (&line["law"], &line["expect"]);
    StiffLine {
        id: line["id"].as_str().unwrap_or_default().to_string(),
        problem: problem(&line["problem"]),
        springs: Springs {
            exponent: number(&law["exponent"]),
            remember: law["gaps"] != "forget",
            hunt_crossley: law["hunt_crossley"].as_f64(),
        },
        impulse: numbers(&expect["impulse"]),
        velocity: numbers(&expect["contact_velocity"]),
        tolerance: number(&line["tolerance"]["relative"]),
        friction_unique: line["check_impulse"] == true,
    }
}

/// A problem in contact space or in generalized coordinates, contacts of equally many rows if they do not say how many.
fn problem(json: &Value) -> ContactProblem {
    let contacts = json["contacts"].as_array().map(Vec::as_slice).unwrap_or_default();
    let list = if json["delassus"].is_array() { &json["delassus"] } else { &json["jacobian"] };
    let rows = list.as_array().map(Vec::len).unwrap_or_default() / contacts.len();
    let spec = |contact: &Value| {
        let mut material = material(number(&contact["mu"]), 0.0, 0.0);
        material.restitution = restitution(&contact["e"]);
        material.stiffness = contact["stiffness"].as_f64().unwrap_or(1.0);
        let own = contact["rows"].as_u64().map_or(rows, |rows| rows as usize);
        ContactSpec::new(own, material)
    };
    let specs: Vec<ContactSpec> = contacts.iter().map(spec).collect();
    if json["delassus"].is_array() {
        let (w, u) = (numbers(&json["delassus"]), numbers(&json["contact_velocity"]));
        return ContactProblem::new(&w, &u, &specs).unwrap_or_else(|error| panic!("{error}"));
    }
    let matrix = |name: &str| json[name].as_array().map(|rows| rows.iter().map(numbers).collect());
    let velocity = numbers(&json["velocity"]);
    let mut mechanism = Mechanism::new(
        &vec![1.0; velocity.len()],
        velocity,
        matrix("jacobian").unwrap_or_default(),
        specs,
    );
    let (mass, f) = (numbers(&json["mass"]), mechanism.size());
    if mass.len() == f {
        (0..f).for_each(|i| mechanism.mass[i * f + i] = mass[i]);
    } else {
        mechanism.mass = mass;
    }
    mechanism.bilateral = matrix("bilateral").unwrap_or_default();
    if !mechanism.bilateral.is_empty() {
        keep_joints(&mut mechanism);
    }
    mechanism.problem()
}

/// A number, or a curve that falls with the speed.
fn restitution(e: &Value) -> Restitution {
    match e.as_f64() {
        Some(e) => Restitution::Constant(e),
        None => Restitution::Curve {
            minimum: number(&e["minimum"]),
            capture_speed: number(&e["capture_speed"]),
            plastic_speed: number(&e["plastic_speed"]),
        },
    }
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is not a number"))
}

/// All numbers of a list, of lists in it too.
fn numbers(value: &Value) -> Vec<f64> {
    let all = value.as_array().into_iter().flatten();
    all.flat_map(|x| if x.is_array() { numbers(x) } else { vec![number(x)] }).collect()
}
