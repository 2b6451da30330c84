//! Values of the limit found by other programs.

use super::support::{distance, law, norm, resolve};
use carom::system::{Generalized, MassMatrix};
use carom::{ContactProblem, ContactSpec, Material, Restitution};
use serde_json::Value;

/// The published values come from a prototype with steps of 1e-9 or so.
const PROTOTYPE: f64 = 2e-8;

pub fn lines() -> Vec<Value> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../golden/plus.ndjson");
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{path}: {error}"));
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}")))
        .collect()
}

fn numbers(value: &Value) -> Vec<f64> {
    let all = value.as_array().into_iter().flatten();
    all.flat_map(|x| if x.is_array() { numbers(x) } else { x.as_f64().into_iter().collect() })
        .collect()
}

/// A problem given by its mass matrix and Jacobian.
pub fn problem(line: &Value) -> Option<ContactProblem> {
    let problem = &line["problem"];
    problem.get("jacobian")?;
    let contact = |contact: &Value| {
        let e = &contact["e"];
        let number = |name: &str| e[name].as_f64().unwrap_or_else(|| panic!("{name} of {e}"));
        let restitution = match e.as_f64() {
            Some(e) => Restitution::Constant(e),
            None => Restitution::Curve {
                minimum: number("minimum"),
                capture_speed: number("capture_speed"),
                plastic_speed: number("plastic_speed"),
            },
        };
        let mu = contact["mu"].as_f64().unwrap_or_else(|| panic!("mu of {contact}"));
        let material = Material::new(mu, 0.0).unwrap_or_else(|error| panic!("{error}"));
        ContactSpec::new(3, Material { restitution, ..material })
    };
    let contacts = problem["contacts"].as_array()?.iter().map(contact).collect();
    let mut system = Generalized::new(
        MassMatrix::Dense(numbers(&problem["mass"])),
        numbers(&problem["velocity"]),
        numbers(&problem["jacobian"]),
        contacts,
    );
    if let Some(rows) = problem.get("bilateral") {
        system = system.and_then(|system| system.with_bilateral(numbers(rows)));
    }
    Some(system.unwrap_or_else(|error| panic!("{error}")).problem().clone())
}

pub fn line(id: &str) -> Value {
    lines().into_iter().find(|line| line["id"] == id).unwrap_or_else(|| panic!("no case {id}"))
}

#[test]
fn the_limit_is_that_of_the_prototype() {
    let exact = law("plus-exact", []);
    let mut seen = 0;
    let mut faults = Vec::new();
    for line in lines() {
        let Some(limit) = line["expect"].get("exact_limit").filter(|limit| limit.is_object())
        else {
            continue;
        };
        let Some(problem) = problem(&line) else { continue };
        seen += 1;
        let id = &line["id"];
        let outcome = match resolve(&exact, &problem) {
            Ok(outcome) => outcome,
            Err(error) => {
                faults.push(format!("{id}: {error}"));
                continue;
            }
        };
        let (u, p) = (numbers(&limit["contact_velocity"]), numbers(&limit["impulse"]));
        let joints = problem.rows() - u.len();
        let (got_u, got_p) = (&outcome.velocity[joints..], &outcome.impulse[joints..]);
        let off = [distance(got_u, &u) / norm(problem.velocity()), distance(got_p, &p) / norm(&p)];
        if !off.iter().all(|off| *off <= PROTOTYPE) {
            faults.push(format!("{id}: {off:?} {got_u:.6?} {u:.6?} {got_p:.6?} {p:.6?}"));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert_eq!(seen, 21);
}

#[test]
fn a_jam_ends_where_slip_does() {
    let line = line("trap_jam_single");
    let problem = problem(&line).unwrap_or_else(|| panic!("generalized coordinates"));
    let outcome =
        resolve(&law("plus-exact", []), &problem).unwrap_or_else(|error| panic!("{error}"));
    let expected = numbers(&line["expect"]["darboux_keller"]["impulse"]);
    let off = distance(&outcome.impulse, &expected) / norm(&expected);
    assert!(off <= PROTOTYPE, "{off:e}: {:?} {:?}", outcome.impulse, outcome.effort);
}
