//! Systems whose masses lie up to twelve decades apart.

use super::{dot, restitute, spec};
use crate::{Mechanism, Rng};

/// How far apart the masses can lie, from the lightest to the heaviest [kg].
const MASSES: [f64; 2] = [1e-6, 1e6];

/// A random system with masses over twelve decades, and the coefficient for laws that have one for the whole impact:
/// chains, any rows, bodies on joints, full mass matrices, contacts that oppose each other. Contacts may separate before.
pub fn several_over_decades(rng: &mut Rng) -> (Mechanism, f64) {
    let (size, first) = (3 + rng.index(5) as usize, rng.log_uniform(MASSES[0], MASSES[1]));
    let masses: Vec<f64> = (0..size)
        .map(|_| match rng.index(6) {
            0 => first,
            _ => rng.log_uniform(MASSES[0], MASSES[1]),
        })
        .collect();
    let fast = rng.chance(0.3);
    let velocity: Vec<f64> = (0..size)
        .map(|_| match rng.index(4) {
            0 => 0.0,
            _ if fast => rng.normal() * rng.log_uniform(1e-3, 1e3),
            _ => rng.uniform(-3.0, 3.0),
        })
        .collect();
    let form = rng.index(6);
    let mut jacobian = match form {
        0 | 1 => (1..size).map(|k| between(k - 1, k, size)).collect(),
        _ => {
            let count = 2 + rng.index(4) as usize;
            (0..count).map(|_| row(rng, size)).collect::<Vec<_>>()
        }
    };
    if form == 5 {
        let opposed = jacobian[0].iter().map(|x| -x).collect();
        jacobian.push(opposed);
    }
    let contacts = jacobian.iter().map(|_| spec(rng, 1)).collect();
    let mut mechanism = Mechanism::new(&masses, velocity, jacobian, contacts);
    match form {
        1 | 3 => joints(rng, &mut mechanism),
        4 => couple(rng, &mut mechanism),
        _ => {}
    }
    let restitution = restitute(rng, &mut mechanism.contacts);
    (mechanism, restitution)
}

fn between(left: usize, right: usize, size: usize) -> Vec<f64> {
    let mut row = vec![0.0; size];
    (row[left], row[right]) = (-1.0, 1.0);
    row
}

fn row(rng: &mut Rng, size: usize) -> Vec<f64> {
    let entry = |rng: &mut Rng| match rng.index(5) {
        0 | 1 => 0.0,
        2 => 1.0,
        3 => -1.0,
        _ => rng.uniform(-2.0, 2.0),
    };
    let mut row: Vec<f64> = (0..size).map(|_| entry(rng)).collect();
    row[rng.index(size as u64) as usize] = 1.0;
    row
}

/// One to three joints that the velocity keeps; some say the same.
fn joints(rng: &mut Rng, mechanism: &mut Mechanism) {
    let size = mechanism.size();
    for _ in 0..1 + rng.index(2) {
        let (a, b) = (rng.index(size as u64) as usize, rng.index(size as u64) as usize);
        if a == b {
            continue;
        }
        let row = match rng.index(2) {
            // Both move on together.
            0 => {
                mechanism.velocity[b] = mechanism.velocity[a];
                between(a, b, size)
            }
            // (v_b, −v_a) is exactly at right angles to (v_a, v_b).
            _ => {
                let (va, vb) = (mechanism.velocity[a], mechanism.velocity[b]);
                let mut row = vec![0.0; size];
                (row[a], row[b]) = if va == 0.0 && vb == 0.0 { (1.0, 0.7) } else { (vb, -va) };
                row
            }
        };
        mechanism.bilateral.push(row);
    }
    // A later joint may have changed a velocity that an earlier one kept.
    let v = mechanism.velocity.clone();
    mechanism.bilateral.retain(|row| dot(row, &v) == 0.0);
    if rng.chance(0.3)
        && let Some(row) = mechanism.bilateral.first()
    {
        let again = row.iter().map(|x| 3.0 * x).collect();
        mechanism.bilateral.push(again);
    }
}

/// `√m (1 + a aᵀ) √m` is a mass matrix whatever a is.
fn couple(rng: &mut Rng, mechanism: &mut Mechanism) {
    let size = mechanism.size();
    let a: Vec<f64> = (0..size).map(|_| rng.uniform(-1.0, 1.0)).collect();
    let roots: Vec<f64> = (0..size).map(|i| mechanism.mass[i * size + i].sqrt()).collect();
    for i in 0..size {
        for j in 0..=i {
            let coupled = roots[i] * roots[j] * a[i] * a[j];
            mechanism.mass[i * size + j] += coupled;
            if i != j {
                mechanism.mass[j * size + i] += coupled;
            }
        }
    }
}
