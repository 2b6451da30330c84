//! Bricks that fall on one, two or four of their vertices: what must hold of any answer.

use super::support::{distance, law, norm, resolve, word};
use carom::outcome::{Effort, RoundsEffort};
use carom::{ContactProblem, ContactSpec, Law, Material};
use carom_testkit::{Mechanism, Rng};

const SEED: u64 = 0xb71c;
/// Bricks of each kind.
const BRICKS: u64 = 400;
/// The integration leaves 1e-14 per step.
const SAME: f64 = 1e-9;

/// A brick with a vertex, an edge or a face on the ground.
pub fn brick(rng: &mut Rng, contacts: usize) -> Mechanism {
    let half: [f64; 3] = std::array::from_fn(|_| rng.uniform(0.1, 0.5));
    let mass = rng.uniform(0.5, 5.0);
    let angle = rng.uniform(0.2, 1.3);
    let (s, c) = angle.sin_cos();
    let tilt = rng.uniform(0.2, 1.3);
    let (st, ct) = tilt.sin_cos();
    // Rotation about x by `angle`, after one about y by `tilt`.
    let rotation = match contacts {
        4 => [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        2 => [[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]],
        _ => [[ct, 0.0, st], [s * st, c, -s * ct], [-c * st, s, c * ct]],
    };
    let turned = |v: [f64; 3]| -> [f64; 3] {
        std::array::from_fn(|i| (0..3).map(|j| rotation[i][j] * v[j]).sum())
    };
    let mut vertices: Vec<[f64; 3]> = (0..8)
        .map(|i| turned(std::array::from_fn(|a| if i >> a & 1 == 0 { half[a] } else { -half[a] })))
        .collect();
    vertices.sort_by(|a, b| a[2].total_cmp(&b[2]));
    vertices.truncate(contacts);
    // Inertia about the centre in space: R diag R^T.
    let own: [f64; 3] = std::array::from_fn(|a| {
        let (b, c) = ((a + 1) % 3, (a + 2) % 3);
        mass / 3.0 * (half[b] * half[b] + half[c] * half[c])
    });
    let mut matrix = vec![0.0; 36];
    for i in 0..3 {
        matrix[7 * i] = mass;
        for j in 0..3 {
            matrix[6 * (3 + i) + 3 + j] =
                (0..3).map(|a| rotation[i][a] * own[a] * rotation[j][a]).sum();
        }
    }
    let e = rng.unit();
    let mu = rng.uniform(0.05, 1.0);
    let material = Material::new(mu, e).unwrap_or_else(|error| panic!("{error}"));
    let mut jacobian = Vec::new();
    for [x, y, z] in vertices {
        jacobian.push(vec![0.0, 0.0, 1.0, y, -x, 0.0]);
        jacobian.push(vec![1.0, 0.0, 0.0, 0.0, z, -y]);
        jacobian.push(vec![0.0, 1.0, 0.0, -z, 0.0, x]);
    }
    let drive = vec![0.0; jacobian.len()];
    let mut velocity: Vec<f64> = (0..6).map(|_| 2.0 * rng.normal()).collect();
    velocity[2] = -rng.uniform(0.2, 3.0);
    Mechanism {
        mass: matrix,
        velocity,
        jacobian,
        contacts: vec![ContactSpec::new(3, material); contacts],
        bilateral: Vec::new(),
        drive,
    }
}

/// Whether any contact approaches so that there is an impact.
pub fn approaches(problem: &ContactProblem) -> bool {
    (0..problem.len()).any(|k| problem.velocity()[problem.row_range(k).start] < -1e-3)
}

fn bricks(contacts: usize) -> impl Iterator<Item = Mechanism> {
    let all = (0..BRICKS).map(move |i| brick(&mut Rng::for_item(SEED, i), contacts));
    all.filter(|brick| approaches(&brick.problem()))
}

fn effort(effort: &Effort) -> &RoundsEffort {
    match effort {
        Effort::Rounds(effort) => effort,
        other => panic!("{other:?}"),
    }
}

/// By how much an answer breaks what must hold: energy, cones and separation, each relative to its scale.
fn broken(brick: &Mechanism, impulse: &[f64], velocity: &[f64]) -> f64 {
    let after = brick.system().after(impulse).unwrap_or_else(|error| panic!("{error}"));
    let f = brick.size();
    let momentum =
        |i: usize| (0..f).map(|j| brick.mass[i * f + j] * brick.velocity[j]).sum::<f64>();
    let energy = (0..f).map(|i| 0.5 * brick.velocity[i] * momentum(i)).sum::<f64>();
    let mut worst = after.kinetic_energy_change / energy;
    for k in 0..brick.contacts.len() {
        let [p, x, y] = [0, 1, 2].map(|c| impulse[3 * k + c]);
        let outside = x.hypot(y) - brick.contacts[k].material.mu * p;
        worst = worst.max(outside.max(-p) / norm(impulse));
        worst = worst.max(-velocity[3 * k] / norm(brick.problem().velocity()));
    }
    worst
}

fn check(exact: &Law, contacts: usize) {
    let mut fallbacks = 0;
    for brick in bricks(contacts) {
        let problem = brick.problem();
        let outcome = resolve(exact, &problem).unwrap_or_else(|error| panic!("{error}: {brick:?}"));
        fallbacks += effort(&outcome.effort).fallbacks;
        let worst = broken(&brick, &outcome.impulse, &outcome.velocity);
        assert!(worst <= SAME, "{worst:e}: {brick:?} {:?}", outcome.effort);
    }
    assert_eq!(fallbacks, 0, "{contacts} contacts");
}

#[test]
fn every_brick_is_answered_and_nothing_is_broken() {
    for contacts in [1, 2, 4] {
        check(&law("plus-exact", []), contacts);
    }
}

/// As Poisson's, with the work of restitution in place of its impulse.
#[test]
fn every_brick_is_answered_with_energetic_restitution() {
    for contacts in [1, 2, 4] {
        check(&law("plus-exact", [("restitution", word("stronge"))]), contacts);
    }
}

/// Tangents turned about their normals, each contact's by another angle.
pub fn turned(brick: &Mechanism, rng: &mut Rng) -> Mechanism {
    let mut turned = brick.clone();
    for k in 0..brick.contacts.len() {
        let (s, c) = rng.uniform(0.0, 6.0).sin_cos();
        let (x, y) = (&brick.jacobian[3 * k + 1], &brick.jacobian[3 * k + 2]);
        let combined = |a: f64, b: f64| x.iter().zip(y).map(|(x, y)| a * x + b * y).collect();
        (turned.jacobian[3 * k + 1], turned.jacobian[3 * k + 2]) =
            (combined(c, s), combined(-s, c));
    }
    turned
}

#[test]
fn neither_order_nor_frames_matter() {
    let exact = law("plus-exact", []);
    let after = |brick: &Mechanism| {
        let outcome = resolve(&exact, &brick.problem()).unwrap_or_else(|error| panic!("{error}"));
        // Where the implicit Coulomb problem had to help there may be several answers.
        let unique = effort(&outcome.effort).remedies.coulomb == 0;
        let after =
            brick.system().after(&outcome.impulse).unwrap_or_else(|error| panic!("{error}"));
        (after.velocity, unique)
    };
    for contacts in [2, 4] {
        for (i, brick) in bricks(contacts).enumerate() {
            let mut rng = Rng::for_item(SEED + 1, i as u64);
            let (expected, unique) = after(&brick);
            let order: Vec<usize> = (0..contacts).rev().collect();
            for other in [brick.reordered(&order), turned(&brick, &mut rng)] {
                let off = distance(&after(&other).0, &expected) / norm(&brick.velocity);
                assert!(!unique || off <= SAME, "{off:e}: {brick:?}");
            }
        }
    }
}
