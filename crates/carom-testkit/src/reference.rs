//! Reference answers of `golden/` as problems that tests in any crate can use.

use crate::Mechanism;
use crate::generate::material;
use crate::oracle::smoothed::Springs;
use carom::{ContactProblem, ContactSpec};
use nalgebra::{DMatrix, DVector};
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
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../golden/stiff.ndjson");
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{path}: {error}"));
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}")))
        .map(|line: Value| stiff_line(&line))
        .collect()
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

/// A problem in contact space or in generalized coordinates, contacts of equally many rows.
fn problem(json: &Value) -> ContactProblem {
    let contacts = json["contacts"].as_array().map(Vec::as_slice).unwrap_or_default();
    let list = if json["delassus"].is_array() { &json["delassus"] } else { &json["jacobian"] };
    let rows = list.as_array().map(Vec::len).unwrap_or_default() / contacts.len();
    let spec = |contact: &Value| {
        let mut material = material(number(&contact["mu"]), number(&contact["e"]), 0.0);
        material.stiffness = contact["stiffness"].as_f64().unwrap_or(1.0);
        ContactSpec::new(rows, material)
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
        hold(&mut mechanism);
    }
    mechanism.problem()
}

/// Lets joints take at once what breaks them: `v − M⁻¹Bᵀ (B M⁻¹ Bᵀ)⁻¹ B v`.
fn hold(mechanism: &mut Mechanism) {
    let (f, b) = (mechanism.size(), mechanism.bilateral.len());
    let rows = DMatrix::from_fn(b, f, |i, j| mechanism.bilateral[i][j]);
    let mass = DMatrix::from_row_slice(f, f, &mechanism.mass);
    let velocity = DVector::from_column_slice(&mechanism.velocity);
    let change = mass.lu().solve(&rows.transpose()).and_then(|across| {
        let held = (&rows * &across).lu().solve(&(&rows * &velocity))?;
        Some(across * held)
    });
    let change = change.unwrap_or_else(|| panic!("masses and joints are regular"));
    mechanism.velocity = (velocity - change).as_slice().to_vec();
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is not a number"))
}

/// All numbers of a list, of lists in it too.
fn numbers(value: &Value) -> Vec<f64> {
    let all = value.as_array().into_iter().flatten();
    all.flat_map(|x| if x.is_array() { numbers(x) } else { vec![number(x)] }).collect()
}
