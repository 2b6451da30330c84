//! Laws for several contacts, and sequences.

use crate::{answers, distance, law, lines, norm, numbers, problem, report};
use carom::outcome::{Recorder, StepRecord};
use carom::{Tolerances, catalog};
use serde_json::Value;

/// Rows of a matrix.
fn rows(value: &Value) -> Vec<Vec<f64>> {
    value.as_array().into_iter().flatten().map(numbers).collect()
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// A mechanism with diagonal mass, as the lines pose it.
struct Mechanism {
    mass: Vec<f64>,
    jacobian: Vec<Vec<f64>>,
    velocity: Vec<f64>,
}

impl Mechanism {
    fn of(line: &Value) -> Option<Self> {
        let problem = &line["problem"];
        let mass = numbers(&problem["mass"]);
        (!mass.is_empty()).then(|| Self {
            mass,
            jacobian: rows(&problem["jacobian"]),
            velocity: numbers(&problem["velocity"]),
        })
    }

    fn energy(&self, v: &[f64]) -> f64 {
        0.5 * self.mass.iter().zip(v).map(|(m, v)| m * v * v).sum::<f64>()
    }

    /// `v⁻ + M⁻¹ Jᵀ p`, and the sizes of the terms.
    fn after(&self, p: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let change = |i: usize, size: bool| {
            let terms = self.jacobian.iter().zip(p).map(|(row, p)| row[i] * p / self.mass[i]);
            terms.map(|x| if size { x.abs() } else { x }).sum::<f64>()
        };
        let all = 0..self.velocity.len();
        (
            all.clone().map(|i| self.velocity[i] + change(i, false)).collect(),
            all.map(|i| self.velocity[i].abs() + change(i, true)).collect(),
        )
    }
}

/// What is wrong with an answer, in words.
fn fault(line: &Value, answer: &Value) -> Option<String> {
    if let Some(error) = answer.get("error") {
        return Some(error.to_string());
    }
    let value = line["check"] == "value";
    let tolerance = line["tolerance"]["relative"].as_f64()?;
    let expect = &line["expect"];
    let far = |name: &str, got: &Value, wanted: &Value, scale: f64| {
        let (got, wanted) = (numbers(got), numbers(wanted));
        let off = distance(&got, &wanted);
        (off > tolerance * norm(&wanted).max(scale))
            .then(|| format!("{name} {got:?}, expected {wanted:?}"))
    };
    if value && line["check_impulse"] == true {
        let fault = far("impulse", &answer["impulse"], &expect["impulse"], 0.0);
        if fault.is_some() {
            return fault;
        }
    }
    if value {
        let before = numbers(&line["problem"]["velocity"]);
        for (name, scale) in [("velocity", norm(&before)), ("contact_velocity", start(line))] {
            if expect.get(name).is_some() {
                let fault = far(name, &answer[name], &expect[name], scale);
                if fault.is_some() {
                    return fault;
                }
            }
        }
        if let Some(fault) = bodies_fault(line, answer, tolerance) {
            return Some(fault);
        }
        if let Some(change) = expect["energy_change"].as_f64() {
            let got = answer["energy_change"].as_f64().unwrap_or(f64::NAN);
            let allowed = tolerance * change.abs().max(start_energy(line));
            if (got - change).abs().total_cmp(&allowed).is_gt() {
                return Some(format!("energy change {got}, expected {change}"));
            }
        }
    }
    effort_fault(line, answer).or_else(|| certificate_fault(line, answer))
}

/// Velocities of bodies.
pub fn bodies_fault(line: &Value, answer: &Value, tolerance: f64) -> Option<String> {
    let bodies = line["expect"]["bodies"].as_object()?;
    let posed = line["problem"]["bodies"].as_array()?;
    for (name, expected) in bodies {
        let before = posed.iter().find(|body| body["name"] == **name)?;
        let got = &answer["bodies"][name];
        for part in ["velocity", "angular_velocity"] {
            let list = |value: &Value| match value.as_f64() {
                Some(x) => vec![x],
                None => numbers(value),
            };
            let (x, y) = (list(&got[part]), list(&expected[part]));
            let scale = norm(&y).max(norm(&list(&before[part]))).max(start(line));
            if x.len() != y.len() || distance(&x, &y) > tolerance * scale {
                return Some(format!("{part} of {name} {x:?}, expected {y:?}"));
            }
        }
    }
    None
}

/// The size of the velocities at the start.
fn start(line: &Value) -> f64 {
    let problem = &line["problem"];
    match Mechanism::of(line) {
        Some(m) => norm(&m.jacobian.iter().map(|row| dot(row, &m.velocity)).collect::<Vec<_>>()),
        None => {
            let bodies = problem["bodies"].as_array().into_iter().flatten();
            let speeds = bodies.map(|body| norm(&numbers(&body["velocity"])));
            speeds.fold(0.0, f64::max)
        }
    }
}

fn start_energy(line: &Value) -> f64 {
    let Some(bodies) = line["problem"]["bodies"].as_array() else {
        return 0.0;
    };
    let of = |body: &Value| {
        let speed = norm(&numbers(&body["velocity"]));
        0.5 * body["mass"].as_f64().unwrap_or(0.0) * speed * speed
    };
    bodies.iter().map(of).sum()
}

/// Counts of sequences that end by themselves.
fn effort_fault(line: &Value, answer: &Value) -> Option<String> {
    let (expect, effort) = (&line["expect"], &answer["effort"]);
    if expect["kind"] == "infinite" {
        let endless = ["projected", "tolerance"].contains(&effort["ending"].as_str()?);
        return (!endless).then(|| format!("ending {}", effort["ending"]));
    }
    if expect["kind"] != "finite" {
        return None;
    }
    let collisions = expect.get("n").unwrap_or(&expect["collisions"]);
    for (key, wanted) in [("collisions", collisions), ("ties", &expect["ties"])] {
        if effort[key] != *wanted {
            return Some(format!("{key} {}, expected {wanted}", effort[key]));
        }
    }
    (effort["ending"] != "finite").then(|| format!("ending {}", effort["ending"]))
}

/// The certificate's numbers against the same sums done here, and what it must say of this law.
fn certificate_fault(line: &Value, answer: &Value) -> Option<String> {
    let certificate = &answer["certificate"];
    let law = line["law"]["id"].as_str().unwrap_or_default();
    let row = catalog::all().find(|row| row.id == law)?;
    let violated = certificate["verdict"].is_object();
    if row.claims.energy && violated {
        return Some(format!("verdict {}", certificate["verdict"]));
    }
    let m = Mechanism::of(line)?;
    let p = numbers(&answer["impulse"]);
    let (after, terms) = m.after(&p);
    let rounding = 64.0 * f64::EPSILON;
    let u = |v: &[f64]| m.jacobian.iter().map(|row| dot(row, v)).collect::<Vec<f64>>();
    let (u0, u1) = (u(&m.velocity), u(&after));
    let size = |row: &Vec<f64>| row.iter().zip(&terms).map(|(j, t)| (j * t).abs()).sum::<f64>();
    let sizes: Vec<f64> = m.jacobian.iter().map(size).collect();
    let speed = sizes.iter().fold(0.0, |m: f64, x| m.max(*x));
    let work: f64 = (0..p.len()).map(|i| 0.5 * p[i] * (u0[i] + u1[i])).sum();
    let work_terms: f64 = (0..p.len()).map(|i| p[i].abs() * sizes[i]).sum();
    // Contacts own equally many rows in every line, normal first.
    let share = p.len() / line["problem"]["contacts"].as_array()?.len();
    let least = |v: &[f64]| v.iter().step_by(share).fold(f64::INFINITY, |m: f64, x| m.min(*x));
    let (separation, normal) = (least(&u1), least(&p));
    let change = m.energy(&after) - m.energy(&m.velocity);
    let energy_terms: f64 =
        m.mass.iter().zip(&terms).map(|(m, t)| m * t * t).sum::<f64>() + work_terms;
    for (name, there, here, allowed) in [
        ("energy_change", &certificate["energy_change"], work, rounding * work_terms),
        ("separation_margin", &certificate["separation_margin"], separation, rounding * speed),
        ("normal_margin", &certificate["normal_margin"], normal, 0.0),
        (
            "kinetic_energy_change",
            &answer["kinetic_energy_change"],
            change,
            rounding * energy_terms,
        ),
    ] {
        let there = there.as_f64().unwrap_or(f64::NAN);
        // NaN is larger than anything.
        if (there - here).abs().total_cmp(&allowed).is_gt() {
            return Some(format!("{name} {there}, computed here {here}"));
        }
    }
    let residual = certificate["momentum_residual"].as_f64().unwrap_or(f64::NAN);
    if residual.total_cmp(&rounding).is_gt() {
        return Some(format!("momentum residual {residual}"));
    }
    available_fault(certificate, &m, &u0)
}

/// `E0 = ½ u⁻ᵀ W⁺ u⁻` is at most the kinetic energy, and all of what any impulse can take.
fn available_fault(certificate: &Value, m: &Mechanism, u0: &[f64]) -> Option<String> {
    let available = certificate["energy_available"].as_f64().unwrap_or(f64::NAN);
    let kinetic = m.energy(&m.velocity);
    let fine = 0.0 <= available && available <= kinetic * (1.0 + 1e-12);
    let nothing = u0.iter().all(|u| *u == 0.0);
    (!fine || (nothing && available != 0.0))
        .then(|| format!("energy available {available} of {kinetic}"))
}

fn check(file: &str, lines: usize) {
    let pairs = answers(file);
    assert_eq!(pairs.len(), lines);
    report(pairs.iter().filter_map(|(line, answer)| Some((line, fault(line, answer)?))));
}

#[test]
fn several_contacts() {
    check("multi.ndjson", 419);
}

#[test]
fn sequences_with_friction_and_bodies() {
    check("sequences.ndjson", 21);
}

/// Sets of rounds, and the order of collisions, as far as the lines tell.
#[test]
fn steps_are_those_of_the_reference() {
    let mut compared = 0;
    let mut faults: Vec<(Value, String)> = Vec::new();
    for line in lines("multi.ndjson").into_iter().chain(lines("sequences.ndjson")) {
        let Some(expected) = expected_steps(&line["expect"]) else {
            continue;
        };
        if line["check"] != "value" || line["fragile"] == true {
            continue;
        }
        let steps = steps(&line, expected.len());
        let mut expected = expected;
        if line["expect"]["kind"] == "infinite" {
            // Where an endless sequence is ended is not part of the law.
            expected.truncate(steps.len());
        }
        compared += 1;
        if steps != expected {
            faults.push((line, format!("steps {steps:?}, expected {expected:?}")));
        }
    }
    report(faults.iter().map(|(line, fault)| (line, fault.clone())));
    assert!(compared >= 100, "only {compared} lines tell their steps");
}

/// One step: the contacts that collide, those that finish, those that collide in anticipation.
type Sets = [Vec<usize>; 3];

/// The steps that a line tells, counted from 0.
fn expected_steps(expect: &Value) -> Option<Vec<Sets>> {
    let list = |value: &Value, first: usize| -> Vec<usize> {
        let items = value.as_array().into_iter().flatten().filter_map(Value::as_u64);
        items.map(|i| i as usize - first).collect()
    };
    if let Some(steps) = expect["steps"].as_array() {
        let sets = |step: &Value| ["N1", "N2", "P"].map(|set| list(&step[set], 1));
        return Some(steps.iter().map(sets).collect());
    }
    if let Some(sets) = expect["sets"].as_array() {
        return Some(sets.iter().map(|set| [list(set, 1), vec![], vec![]]).collect());
    }
    // Sequences of the multi-contact file count from 1, those with friction from 0.
    let (order, first) = match (expect.get("seq"), expect.get("sequence")) {
        (Some(seq), _) => (seq, 1),
        (None, Some(sequence)) => (sequence, 0),
        (None, None) => (expect.get("first")?, 0),
    };
    Some(list(order, first).into_iter().map(|k| [vec![k], vec![], vec![]]).collect())
}

/// The first steps that the law makes.
fn steps(line: &Value, count: usize) -> Vec<Sets> {
    let system = problem(&line["problem"]).system;
    let problem = system.problem();
    let mut recorder = Recorder::new(count);
    let tolerances = Tolerances::default();
    law(&line["law"]).resolve(problem, &tolerances, &mut recorder).expect("an answer");
    let contacts = problem.len();
    let sets = |step: StepRecord| match step {
        StepRecord::Collision { contact, .. } => [vec![contact], vec![], vec![]],
        // The reference numbers joints behind the contacts.
        StepRecord::Joint { joint } => [vec![contacts + joint], vec![], vec![]],
        StepRecord::Round { fresh, unfinished, ahead } => [fresh, unfinished, ahead],
        StepRecord::Reflection { contacts } => [contacts, vec![], vec![]],
        _ => [vec![], vec![], vec![]],
    };
    recorder.steps.into_iter().map(sets).collect()
}
