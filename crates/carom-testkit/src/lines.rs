//! Random problems with laws, as `carom resolve --ndjson` reads them: every law, every setting of every law and every way
//! to state a problem occur. Some are refused, because not every law takes every problem.

use crate::generate::frictional::{Landing, frictional};
use crate::generate::several::{Scene, mirrored, several, several_separating};
use crate::generate::{Blow, claims_contact, generic_set, hard_set, hexagonal_pack, slab};
use crate::{Mechanism, Rng};
use carom::system::{Inertia, JointKind, Motion, Orientation};
use carom::{ContactProblem, ContactSpec, Restitution};
use serde_json::{Value, json};

/// Line `index` of a seed: `{"id", "problem", "law"}`. It depends on these two numbers alone.
pub fn problem_line(seed: u64, index: u64) -> Value {
    let rng = &mut Rng::for_item(seed, index);
    let (family, laws, mut problem) = match index % 5 {
        0 | 1 => {
            let (family, problem) = one_contact(rng);
            (family, ONE_CONTACT, problem)
        }
        2 | 3 => {
            let (family, problem) = several_contacts(rng);
            (family, SEVERAL, problem)
        }
        _ => {
            let (family, problem) = with_friction(rng);
            (family, FRICTIONAL, problem)
        }
    };
    // Now and then a law meets a problem that was not made for it.
    let laws = match rng.index(12) {
        0 => ONE_CONTACT,
        1 => SEVERAL,
        2 => FRICTIONAL,
        _ => laws,
    };
    if rng.chance(0.03) {
        problem["separating"] = json!("refuse");
    }
    let id = laws[rng.index(laws.len() as u64) as usize];
    suit(id, &mut problem, rng);
    let mut law = if rng.chance(0.4) { json!({}) } else { settings(id, rng) };
    if id == "permissible-projected" {
        let rows = problem["contacts"][0]["rows"].as_u64().unwrap_or(1) as usize;
        let impulse = [rng.unit(), rng.normal(), rng.normal()];
        law["impulse"] = json!(impulse[..rows]);
    }
    let bare = law.as_object().is_some_and(serde_json::Map::is_empty);
    law["id"] = json!(id);
    if bare && rng.chance(0.2) {
        law = json!(id);
    }
    let id = format!("{family}-{seed}-{index}");
    match rng.index(20) {
        // No law: the default one answers.
        0 => json!({ "id": id, "problem": problem }),
        // The problem's own law.
        1 => {
            problem["law"] = law;
            json!({ "id": id, "problem": problem })
        }
        _ => json!({ "id": id, "problem": problem, "law": law }),
    }
}

/// Changes most problems for laws that refuse nearly all others.
fn suit(id: &str, problem: &mut Value, rng: &mut Rng) {
    let one = problem["delassus"].is_array()
        && problem["contacts"].as_array().is_some_and(|c| c.len() == 1);
    if !one || rng.chance(0.3) {
        return;
    }
    let rows = problem["delassus"].as_array().map_or(0, Vec::len);
    match id {
        // Normal and tangent not coupled, sliding along a principal axis.
        "bilinear" => {
            for i in 0..rows {
                for j in (0..rows).filter(|j| *j != i) {
                    problem["delassus"][i][j] = json!(0.0);
                }
            }
            if rows == 3 {
                problem["contact_velocity"][2] = json!(0.0);
            }
        }
        // In the plane, tangential restitution not negative.
        "pfeiffer-glocker" => {
            let e_t = problem["contacts"][0]["e_t"].as_f64().map_or(0.0, f64::abs);
            problem["contacts"][0]["e_t"] = json!(e_t);
            if rows == 3 {
                problem["contacts"][0]["rows"] = json!(2);
                problem["contacts"][0]["impulse_ratio"] = json!([0.1]);
                for key in ["delassus", "contact_velocity"] {
                    let kept = problem[key].as_array().map_or(vec![], |rows| rows[..2].to_vec());
                    problem[key] = json!(kept);
                }
                for i in 0..2 {
                    let row =
                        problem["delassus"][i].as_array().map_or(vec![], |row| row[..2].to_vec());
                    problem["delassus"][i] = json!(row);
                }
            }
        }
        _ => {}
    }
}

const ONE_CONTACT: &[&str] = &[
    "frictionless",
    "chatterjee-ruina",
    "bilinear",
    "routh-poisson",
    "routh-stronge",
    "routh-newton",
    "whittaker",
    "smith",
    "brach",
    "pfeiffer-glocker",
    "anitescu-potra",
    "composite",
    "permissible-spherical",
    "permissible-projected",
    "newton-coulomb",
    "poisson-coulomb",
    "plus",
    "plus-exact",
    "stiff-limit",
    "sequential",
];

const SEVERAL: &[&str] = &[
    "newton-equality",
    "newton",
    "poisson",
    "moreau",
    "max-dissipation",
    "mosterman",
    "sequential",
    "generalized-reflections",
    "lzb",
    "newton-coulomb",
    "poisson-coulomb",
    "plus",
    "plus-exact",
    "stiff-limit",
];

const FRICTIONAL: &[&str] =
    &["sequential", "newton-coulomb", "poisson-coulomb", "plus", "plus-exact", "stiff-limit"];

/// One or two settings of this law, drawn from all that it has.
fn settings(id: &str, rng: &mut Rng) -> Value {
    let mut chosen = json!({});
    for _ in 0..1 + rng.index(2) {
        if let Some((name, value)) = setting(id, rng) {
            chosen[name] = value;
        }
    }
    // Without an end of its own a sequence may take half a minute.
    if id == "sequential" {
        chosen["max_collisions"] = json!([100, 5000][rng.index(2) as usize]);
    }
    chosen
}

fn setting(id: &str, rng: &mut Rng) -> Option<(&'static str, Value)> {
    let flag = json!(rng.chance(0.5));
    let numbers =
        |values: &[f64], rng: &mut Rng| json!(values[rng.index(values.len() as u64) as usize]);
    let words =
        |values: &[&str], rng: &mut Rng| json!(values[rng.index(values.len() as u64) as usize]);
    let speed = json!(rng.log_uniform(1e-8, 1e-1));
    Some(match id {
        "routh-poisson" | "routh-stronge" | "routh-newton" => {
            ("phases", words(&["cumulative", "first"], rng))
        }
        "brach" => {
            let ratios = [rng.uniform(-0.5, 0.5), rng.uniform(-0.5, 0.5)];
            ("ratios", json!(ratios[..1 + rng.index(2) as usize]))
        }
        "pfeiffer-glocker" => ("nu", json!(rng.unit())),
        "composite" => match rng.index(3) {
            0 => ("sigma", json!(rng.unit())),
            1 => (
                "incremental",
                match rng.index(3) {
                    0 => json!("routh-poisson"),
                    1 => json!("anitescu-potra"),
                    _ => json!({ "id": "routh-stronge", "phases": "first" }),
                },
            ),
            _ => {
                let weight = rng.unit();
                let weights = json!([
                    { "law": "whittaker", "weight": weight },
                    { "law": "frictionless", "weight": 1.0 - weight },
                ]);
                ("weights", weights)
            }
        },
        "permissible-spherical" => match rng.index(3) {
            0 => ("psi1", json!(rng.uniform(-7.0, 7.0))),
            1 => ("psi2", json!(rng.uniform(-7.0, 7.0))),
            _ => ("rho", json!(rng.unit())),
        },
        "moreau" | "generalized-reflections" => ("restitution", json!(rng.unit())),
        "mosterman" => match rng.index(2) {
            0 => ("energy_clamp", flag),
            _ => ("coupling_speed", json!(rng.log_uniform(1e-3, 1.0))),
        },
        "sequential" => match rng.index(4) {
            0 => {
                let laws = ["routh-stronge", "chatterjee-ruina", "frictionless", "anitescu-potra"];
                ("pairwise", words(&laws, rng))
            }
            1 => ("ties", words(&["index", "perturb", "random"], rng)),
            2 => ("seed", json!(rng.index(1000))),
            _ => ("hinges", words(&["fold", "impact"], rng)),
        },
        "lzb" => match rng.index(4) {
            0 => ("exponent", numbers(&[1.0, 1.5, 2.0, 3.0], rng)),
            1 => ("gaps", words(&["forget", "remember"], rng)),
            2 => ("hunt_crossley", json!(rng.log_uniform(1e-3, 1.0))),
            _ => ("max_steps", numbers(&[10.0, 2000.0], rng)),
        },
        "plus" => match rng.index(14) {
            0 => ("max_direction_change", numbers(&[0.01, 0.5, 1.5], rng)),
            1 => ("transition_speed", numbers(&[0.0, 1e-3, 1.0], rng)),
            2 => ("min_step", numbers(&[0.0, 1e-2, 1.0], rng)),
            3 => ("max_rounds", numbers(&[1.0, 3.0, 50.0], rng)),
            4 => ("max_intervals", numbers(&[2.0, 100.0], rng)),
            5 => ("midpoint", flag),
            6 => ("energy_guard", flag),
            7 => ("limit", flag),
            8 => ("jam_advance", flag),
            9 => ("coulomb_fallback", flag),
            10 => ("readd", flag),
            11 => ("observe_speed", speed),
            12 => ("proximity", numbers(&[0.0, 0.05], rng)),
            _ => ("truncate", flag),
        },
        "plus-exact" => match rng.index(7) {
            0 => ("restitution", words(&["poisson", "stronge"], rng)),
            1 => ("max_rounds", numbers(&[1.0, 3.0, 50.0], rng)),
            2 => ("max_solutions", numbers(&[5.0, 500.0], rng)),
            3 => ("energy_guard", flag),
            4 => ("observe_speed", speed),
            5 => ("proximity", numbers(&[0.0, 0.05], rng)),
            _ => ("truncate", flag),
        },
        "stiff-limit" => match rng.index(4) {
            0 => ("exponent", numbers(&[1.0, 1.5, 2.0, 3.0], rng)),
            1 => ("gaps", words(&["forget", "remember"], rng)),
            2 => ("hunt_crossley", json!(rng.log_uniform(1e-3, 1.0))),
            _ => ("accuracy", numbers(&[1e-12, 1e-6, 1e-3], rng)),
        },
        _ => return None,
    })
}

fn one_contact(rng: &mut Rng) -> (&'static str, Value) {
    let seed = rng.bits();
    match rng.index(6) {
        0 => ("one-1d", contact_space(&claims_contact::<1>(rng).contact)),
        1 => ("one-2d", contact_space(&claims_contact::<2>(rng).contact)),
        2 => ("one-3d", contact_space(&claims_contact::<3>(rng).contact)),
        3 => ("one-generic", contact_space(&generic_set(seed, 1)[0])),
        4 => ("one-hard", contact_space(&hard_set(seed, 2)[rng.index(2) as usize])),
        _ => ("one-body", bodies(&Landing::Vertex.scene(rng))),
    }
}

fn several_contacts(rng: &mut Rng) -> (&'static str, Value) {
    match rng.index(12) {
        0..=5 => {
            let sample = several(rng);
            match sample.scene {
                Some(scene) => ("several-bodies", bodies(&scene)),
                None => ("several", generalized(&sample.mechanism, rng)),
            }
        }
        6 | 7 => ("separating", generalized(&several_separating(rng).mechanism, rng)),
        8 => ("mirrored", generalized(&mirrored(rng).mechanism, rng)),
        9 => ("chain", chain(rng)),
        10 => ("pack", pack(rng)),
        _ => ("contact-space", delassus(&several(rng).problem())),
    }
}

fn with_friction(rng: &mut Rng) -> (&'static str, Value) {
    match rng.index(4) {
        0 => ("landing", bodies(&Landing::ALL[rng.index(6) as usize].scene(rng))),
        1 => ("friction-space", delassus(&frictional(rng).problem())),
        _ => {
            let sample = frictional(rng);
            match sample.scene.filter(|_| rng.chance(0.5)) {
                Some(scene) => ("friction-bodies", bodies(&scene)),
                None => ("friction", generalized(&sample.mechanism, rng)),
            }
        }
    }
}

fn contact_space<const D: usize>(contact: &carom::Contact<D>) -> Value {
    let rows = contact.delassus().rows();
    json!({
        "delassus": rows.iter().map(|row| row.to_vec()).collect::<Vec<_>>(),
        "contact_velocity": contact.velocity().components().to_vec(),
        "contacts": [spec(&ContactSpec::new(D, *contact.material()))],
    })
}

/// A problem in contact space.
fn delassus(problem: &ContactProblem) -> Value {
    let n = problem.velocity().len();
    let row = |i: usize| (0..n).map(|j| problem.delassus_at(i, j)).collect::<Vec<f64>>();
    json!({
        "delassus": (0..n).map(row).collect::<Vec<_>>(),
        "contact_velocity": problem.velocity(),
        "contacts": problem.contacts().iter().map(spec).collect::<Vec<_>>(),
    })
}

/// The mechanism in generalized coordinates, its Jacobian as rows or as triplets, at times with what few contacts have:
/// gaps, stiffnesses, couplings, contacts that hold.
fn generalized(mechanism: &Mechanism, rng: &mut Rng) -> Value {
    let f = mechanism.size();
    let diagonal = (0..f * f).all(|k| k / f == k % f || mechanism.mass[k] == 0.0);
    let mass: Value = match diagonal {
        true => (0..f).map(|i| mechanism.mass[i * f + i]).collect(),
        false => mechanism.mass.chunks(f).map(<[f64]>::to_vec).collect(),
    };
    let jacobian = match rng.chance(0.1) {
        true => {
            let entries = mechanism.jacobian.iter().enumerate().flat_map(|(i, row)| {
                row.iter().enumerate().filter(|(_, x)| **x != 0.0).map(move |(j, x)| (i, j, *x))
            });
            let entries: Vec<(usize, usize, f64)> = entries.collect();
            json!({
                "rows": entries.iter().map(|entry| entry.0).collect::<Vec<_>>(),
                "cols": entries.iter().map(|entry| entry.1).collect::<Vec<_>>(),
                "values": entries.iter().map(|entry| entry.2).collect::<Vec<_>>(),
            })
        }
        false => json!(mechanism.jacobian),
    };
    let decorated = rng.chance(0.3);
    let contacts: Vec<Value> = mechanism
        .contacts
        .iter()
        .map(|contact| {
            let mut contact = spec(contact);
            if decorated {
                match rng.index(8) {
                    0 | 1 => contact["stiffness"] = json!(rng.log_uniform(0.1, 10.0)),
                    2 => contact["coupling"] = json!(rng.unit()),
                    3 => contact["gap"] = json!(rng.uniform(-0.1, 0.1)),
                    4 => contact["e_t"] = json!(rng.uniform(-1.0, 1.0)),
                    5 if rng.chance(0.3) => contact["kind"] = json!("bilateral"),
                    _ => {}
                }
            }
            contact
        })
        .collect();
    let mut problem = json!({
        "mass": mass,
        "velocity": mechanism.velocity,
        "jacobian": jacobian,
        "contacts": contacts,
    });
    if !mechanism.bilateral.is_empty() {
        problem["bilateral"] = json!(mechanism.bilateral);
    }
    if mechanism.drive.iter().any(|w| *w != 0.0) {
        problem["drive"] = json!(mechanism.drive);
    }
    problem
}

fn chain(rng: &mut Rng) -> Value {
    let n = 2 + rng.index(9) as usize;
    let e = rng.unit();
    if rng.chance(0.3) {
        let velocity = json!({ "first": 1.0, "others": 0.0 });
        return json!({ "chain": { "count": n, "mass": 1.0, "velocity": velocity, "e": e } });
    }
    let masses: Vec<f64> = (0..n).map(|_| rng.log_uniform(0.1, 10.0)).collect();
    let velocity: Vec<f64> = (0..n).map(|k| rng.unit() - k as f64).collect();
    json!({ "chain": { "mass": masses, "velocity": velocity, "e": e } })
}

fn pack(rng: &mut Rng) -> Value {
    let e = [0.0, 0.5, 1.0][rng.index(3) as usize];
    let pack = match rng.index(3) {
        0 => hexagonal_pack(2 + rng.index(8) as usize, Blow::Implosion, e),
        1 => hexagonal_pack(4 + rng.index(6) as usize, Blow::LocalHit, e),
        _ => slab(4 + rng.index(6) as usize, e),
    };
    delassus(pack.problem())
}

fn bodies(scene: &Scene) -> Value {
    let name = |k: usize| format!("body {k}");
    let bodies = scene.bodies.iter().enumerate().map(|(k, body)| {
        let planar = body.angular_velocity.len() == 1;
        let mut value = json!({
            "name": name(k),
            "position": body.position,
            "velocity": body.velocity,
            "angular_velocity": match planar {
                true => json!(body.angular_velocity[0]),
                false => json!(body.angular_velocity),
            },
        });
        match body.orientation {
            Orientation::Identity => {}
            Orientation::Angle(angle) => value["orientation"] = json!(angle),
            Orientation::Quaternion(quaternion) => value["orientation"] = json!(quaternion),
        }
        match body.motion {
            Motion::Fixed => value["fixed"] = json!(true),
            Motion::Free { mass, inertia } => {
                value["mass"] = json!(mass);
                match inertia {
                    Inertia::Point => {}
                    Inertia::Planar(moment) => value["inertia"] = json!(moment),
                    Inertia::Principal(moments) => value["inertia"] = json!(moments),
                    Inertia::Tensor(tensor) => value["inertia"] = json!(tensor),
                }
            }
        }
        value
    });
    let joints: Vec<Value> = scene
        .joints
        .iter()
        .map(|joint| {
            let kind = match joint.kind {
                JointKind::Ball => "ball",
                JointKind::Hinge => "hinge",
                JointKind::Slider => "slider",
                JointKind::Weld => "weld",
            };
            let mut value = json!({
                "type": kind, "a": name(joint.a), "b": name(joint.b), "point": joint.point,
            });
            if let Some(axis) = &joint.axis {
                value["axis"] = json!(axis);
            }
            value
        })
        .collect();
    let contacts = scene.contacts.iter().map(|contact| {
        let mut value = spec(&contact.spec);
        value["a"] = json!(name(contact.a));
        value["b"] = json!(name(contact.b));
        value["point"] = json!(contact.point);
        value["normal"] = json!(contact.normal);
        if let Some(tangent) = &contact.tangent {
            value["tangent"] = json!(tangent);
        }
        value
    });
    let mut problem =
        json!({ "bodies": bodies.collect::<Vec<_>>(), "contacts": contacts.collect::<Vec<_>>() });
    if !joints.is_empty() {
        problem["joints"] = json!(joints);
    }
    problem
}

/// A contact's entry in the list `contacts`.
fn spec(contact: &ContactSpec) -> Value {
    let material = &contact.material;
    let e = match material.restitution {
        Restitution::Constant(e) => json!(e),
        Restitution::Curve { minimum, capture_speed, plastic_speed } => json!({
            "minimum": minimum, "capture_speed": capture_speed, "plastic_speed": plastic_speed,
        }),
    };
    let mu = if material.mu.is_finite() { json!(material.mu) } else { json!("inf") };
    let mut value = json!({ "rows": contact.rows, "mu": mu, "e": e });
    if material.e_t != 0.0 {
        value["e_t"] = json!(material.e_t);
    }
    if material.stiffness != 1.0 {
        value["stiffness"] = json!(material.stiffness);
    }
    if let Some(ratio) = material.impulse_ratio.filter(|_| contact.rows > 1) {
        value["impulse_ratio"] = json!(ratio[..contact.rows - 1]);
    }
    value
}
