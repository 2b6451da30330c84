//! Reference answers: the two laws that are this problem once or twice, and an interval of PLUS.

use super::conditions::violation;
use super::*;
use crate::factor::Factor;
use carom::system::{
    Bodies, Body, BodyContact, Generalized, Inertia, Joint, JointKind, MassMatrix, Motion,
    Orientation,
};
use carom::{ContactProblem, ContactSpec, Material};
use nalgebra::DMatrix;
use serde_json::Value;
use std::path::Path;

fn read(file: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../golden").join(file);
    std::fs::read_to_string(path).unwrap()
}

fn numbers(value: &Value) -> Vec<f64> {
    match value.as_array() {
        Some(list) => list.iter().flat_map(numbers).collect(),
        None => value.as_f64().into_iter().collect(),
    }
}

fn three(value: &Value) -> [f64; 3] {
    numbers(value).try_into().unwrap()
}

fn spec(contact: &Value, rows: usize) -> ContactSpec {
    let number = |key: &str| contact[key].as_f64();
    let material = Material::new(number("mu").unwrap_or(0.0), number("e").unwrap()).unwrap();
    ContactSpec::new(rows, material.with_e_t(number("e_t").unwrap_or(0.0)).unwrap())
}

fn contact_problem(problem: &Value) -> ContactProblem {
    let contacts = problem["contacts"].as_array().unwrap();
    if problem["bodies"].is_array() {
        return bodies(problem).problem().clone();
    }
    let rows = problem["jacobian"].as_array().or(problem["delassus"].as_array()).unwrap().len();
    let specs: Vec<ContactSpec> = contacts.iter().map(|c| spec(c, rows / contacts.len())).collect();
    if problem["delassus"].is_array() {
        let [w, u] = ["delassus", "contact_velocity"].map(|key| numbers(&problem[key]));
        return ContactProblem::new(&w, &u, &specs).unwrap();
    }
    let [mass, velocity, jacobian] =
        ["mass", "velocity", "jacobian"].map(|key| numbers(&problem[key]));
    let mass = match mass.len() == velocity.len() {
        true => MassMatrix::Diagonal(mass),
        false => MassMatrix::Dense(mass),
    };
    let system = Generalized::new(mass, velocity, jacobian, specs).unwrap();
    system.with_bilateral(numbers(&problem["bilateral"])).unwrap().problem().clone()
}

fn bodies(problem: &Value) -> Bodies {
    let all = problem["bodies"].as_array().unwrap();
    let index = |name: &Value| all.iter().position(|body| body["name"] == *name).unwrap();
    let planar = numbers(&problem["contacts"][0]["normal"]).len() == 2;
    let body = |body: &Value| {
        let inertia = match planar {
            true => body["inertia"].as_f64().map_or(Inertia::Point, Inertia::Planar),
            false if body["inertia"].is_array() => Inertia::Principal(three(&body["inertia"])),
            false => Inertia::Point,
        };
        let quaternion = numbers(&body["orientation"]);
        Body {
            name: body["name"].to_string(),
            motion: match body["mass"].as_f64() {
                Some(mass) => Motion::Free { mass, inertia },
                None => Motion::Fixed,
            },
            position: match body["position"].is_array() {
                true => numbers(&body["position"]),
                false => vec![0.0; if planar { 2 } else { 3 }],
            },
            orientation: match quaternion[..].try_into() {
                Ok(quaternion) => Orientation::Quaternion(quaternion),
                Err(_) => Orientation::Identity,
            },
            velocity: numbers(&body["velocity"]),
            angular_velocity: numbers(&body["angular_velocity"]),
        }
    };
    let joint = |joint: &Value| Joint {
        kind: match joint["type"].as_str() {
            Some("ball") => JointKind::Ball,
            Some("hinge") => JointKind::Hinge,
            Some("slider") => JointKind::Slider,
            _ => JointKind::Weld,
        },
        a: index(&joint["a"]),
        b: index(&joint["b"]),
        point: numbers(&joint["point"]),
        axis: joint["axis"].is_array().then(|| numbers(&joint["axis"])),
    };
    let contact = |contact: &Value| BodyContact {
        a: index(&contact["a"]),
        b: index(&contact["b"]),
        point: numbers(&contact["point"]),
        normal: numbers(&contact["normal"]),
        tangent: None,
        spec: spec(contact, if planar { 2 } else { 3 }),
    };
    let joints = problem["joints"].as_array().map_or(vec![], |all| all.iter().map(joint).collect());
    let contacts = problem["contacts"].as_array().unwrap().iter().map(contact).collect();
    Bodies::new(all.iter().map(body).collect(), joints, contacts).unwrap()
}

/// The problem with restitution zero, and the matrix `W`.
fn case(problem: &ContactProblem) -> (Case, DMatrix<f64>) {
    let rows = problem.rows();
    let w = DMatrix::from_fn(rows, rows, |i, j| problem.delassus_at(i, j));
    let factor = Factor::new(&w, 1e-13);
    let blocks = problem.contacts().iter().map(|c| cone(c.rows, c.material.mu)).collect();
    let offset = problem.velocity().to_vec();
    (Case { factor: factor_rows(&factor), freedoms: factor.rank(), offset, blocks }, w)
}

/// Solves and shares, by the rule of the laws.
fn unique(solver: &mut Solver, case: &Case) -> Result<Vec<f64>, Failure> {
    solver.solve(&case.problem(), Choice::Limit)?;
    solver.least_norm(&case.problem(), Weights::Normal).ok_or(Failure::NoSolution)?;
    let off = violation(case, solver.impulse());
    assert!(off < 1e-11, "{off:e}");
    Ok(solver.impulse().to_vec())
}

/// The impulses of compression and expansion, the former zero for Newton's restitution.
type Phases = Result<[Vec<f64>; 2], Failure>;

fn newton(solver: &mut Solver, problem: &ContactProblem) -> Phases {
    let (mut case, _) = case(problem);
    for (k, contact) in problem.contacts().iter().enumerate() {
        for (j, i) in problem.row_range(k).enumerate() {
            let e =
                if j == 0 { contact.material.restitution.at(1.0) } else { contact.material.e_t };
            case.offset[i] *= 1.0 + e;
        }
    }
    Ok([vec![0.0; case.offset.len()], unique(solver, &case)?])
}

fn poisson(solver: &mut Solver, problem: &ContactProblem) -> Phases {
    let (mut case, w) = case(problem);
    let compression = unique(solver, &case)?;
    case.offset = (nalgebra::DVector::from_column_slice(&case.offset)
        + w * nalgebra::DVector::from_column_slice(&compression))
    .as_slice()
    .to_vec();
    for (k, contact) in problem.contacts().iter().enumerate() {
        let lower = contact.material.restitution.at(1.0) * compression[problem.row_range(k).start];
        case.blocks[k].kind = Kind::Cone { mu: contact.material.mu, lower };
    }
    let expansion = unique(solver, &case)?;
    Ok([compression, expansion])
}

fn norm(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum::<f64>().sqrt()
}

fn sum(a: &[f64], b: &[f64], sign: f64) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| a + sign * b).collect()
}

/// `√Σ W_nn |p|²`.
fn weighted(problem: &ContactProblem, p: &[f64]) -> f64 {
    let square = |k: usize| {
        let rows = problem.row_range(k);
        problem.delassus_at(rows.start, rows.start) * norm(&p[rows]).powi(2)
    };
    (0..problem.len()).map(square).sum::<f64>().sqrt()
}

fn distance(a: &[f64], b: &[f64]) -> f64 {
    norm(&sum(a, b, -1.0))
}

#[test]
fn laws_with_coulombs_friction() {
    let mut solver = Solver::default();
    let mut faults = Vec::new();
    for line in read("coulomb.ndjson").lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        let (id, expect) = (&line["id"], &line["expect"]);
        let problem = contact_problem(&line["problem"]);
        let answer = match line["law"]["id"].as_str() {
            Some("newton-coulomb") => newton(&mut solver, &problem),
            _ => poisson(&mut solver, &problem),
        };
        if line["check"] == "error" {
            assert_eq!(answer, Err(Failure::NoSolution), "{id}");
            continue;
        }
        let [compression, expansion] = answer.unwrap_or_else(|e| panic!("{id}: {e:?}"));
        let p = sum(&compression, &expansion, 1.0);
        let tolerance = line["tolerance"]["relative"].as_f64().unwrap();
        let (u, wanted) = (problem.velocity_after(&p), numbers(&expect["contact_velocity"]));
        let scale = norm(&wanted).max(norm(problem.velocity()));
        // In a continuum of velocities the reference is the limit as well.
        let off = distance(&u, &wanted) / scale;
        if off > tolerance {
            faults.push(format!("{id}: velocities off by {off:e}"));
        }
        let wanted = numbers(&expect["impulse"]);
        let off = distance(&p, &wanted) / norm(&wanted);
        let phases = expect["compression_impulse"].is_array();
        if phases && expect["impulses_unique"] == false {
            // The reference shares the load of compression by the rule, but not that of expansion: there it is one of
            // many, and the least is less.
            let first = numbers(&expect["compression_impulse"]);
            let off = distance(&compression, &first) / norm(&first);
            let [least, other] =
                [&expansion, &sum(&wanted, &first, -1.0)].map(|p| weighted(&problem, p));
            if off > tolerance || least > other * (1.0 + tolerance) {
                faults.push(format!("{id}: compression off by {off:e}, {least} of {other}"));
            }
        } else if line["check_impulse"] == true && off > tolerance {
            faults.push(format!("{id}: impulses off by {off:e}: {p:?}"));
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
}

/// Contacts 1 and 3 stick, contact 1 exactly on its cone: minimum norm without cones leaves it.
#[test]
fn an_interval_with_redundant_sticking_contacts() {
    let data: Value = serde_json::from_str(&read("redundant_stick.json")).unwrap();
    let mu = data["mu"].as_f64().unwrap();
    let specs = vec![ContactSpec::new(3, Material::new(mu, 0.0).unwrap()); 4];
    let mass = MassMatrix::Dense(numbers(&data["mass"]));
    let system = Generalized::new(mass, vec![0.0; 6], numbers(&data["jacobian"]), specs).unwrap();
    let (mut case, _) = case(system.problem());
    case.offset = numbers(&data["start"]);
    let mut solver = Solver::default();
    let report = solver.solve(&case.problem(), Choice::Any).unwrap();
    assert!(report.residual < 1e-13, "{report:?}");
    solver.least_norm(&case.problem(), Weights::Equal).unwrap();
    assert!(violation(&case, solver.impulse()) < 1e-12);
    // The reference converged to 1e-13, its start velocities are printed ones.
    let (end, wanted) = (solver.velocity(), numbers(&data["end"]));
    assert!(distance(end, &wanted) < 1e-11, "{end:?}");
    let wanted = numbers(&data["impulse"]);
    assert!(norm(solver.impulse()) <= norm(&wanted) * (1.0 + 1e-9), "{:?}", solver.impulse());
}
