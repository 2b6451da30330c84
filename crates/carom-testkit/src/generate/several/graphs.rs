//! Systems given by masses and a Jacobian.

use super::{dot, integer, spec};
use crate::{Mechanism, Rng};

/// Masses on a line, the gaps closing: integers, fractions of them, equal, or spread over decades.
pub(super) fn chain(rng: &mut Rng) -> Mechanism {
    let n = 2 + rng.index(7) as usize;
    let choice = rng.index(5);
    let masses: Vec<f64> = (0..n)
        .map(|_| match choice {
            0 => 1.0,
            1 | 2 => (1 + rng.index(5)) as f64 / (1 + rng.index(3)) as f64,
            3 => rng.log_uniform(0.1, 10.0),
            _ => rng.log_uniform(1e-4, 1e4),
        })
        .collect();
    let smooth = rng.chance(0.3);
    let mut velocity = vec![integer(rng, 3)];
    for k in 1..n {
        let closing = if smooth { rng.unit() } else { rng.index(4).saturating_sub(1) as f64 };
        velocity.push(velocity[k - 1] - closing);
    }
    let jacobian = (1..n)
        .map(|k| {
            let mut row = vec![0.0; n];
            (row[k - 1], row[k]) = (-1.0, 1.0);
            row
        })
        .collect();
    let contacts = (1..n).map(|_| spec(rng, 1)).collect();
    Mechanism::new(&masses, velocity, jacobian, contacts)
}

/// Rows of small integers, turned so that they approach.
fn integer_rows(rng: &mut Rng, count: usize, velocity: &[f64]) -> Vec<Vec<f64>> {
    (0..count)
        .map(|_| {
            let mut row: Vec<f64> = velocity.iter().map(|_| integer(rng, 2)).collect();
            if row.iter().all(|x| *x == 0.0) {
                row[0] = 1.0;
            }
            approaching(row, velocity)
        })
        .collect()
}

fn approaching(row: Vec<f64>, velocity: &[f64]) -> Vec<f64> {
    if dot(&row, velocity) > 0.0 { row.into_iter().map(|x| -x).collect() } else { row }
}

/// The part of a row at right angles to the velocity, times its square: exact for small integers. Nothing if none is
/// left.
fn idle(row: &[f64], velocity: &[f64]) -> Option<Vec<f64>> {
    let (vv, rv) = (dot(velocity, velocity), dot(row, velocity));
    let row: Vec<f64> = match vv == 0.0 {
        true => row.to_vec(),
        false => row.iter().zip(velocity).map(|(r, v)| r * vv - v * rv).collect(),
    };
    // In units near one, again exactly.
    let largest = row.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
    let unit = libm::exp2(libm::floor(libm::log2(largest.max(1.0))));
    (largest > 0.0).then(|| row.iter().map(|x| x / unit).collect())
}

fn integer_masses(rng: &mut Rng, f: usize) -> Vec<f64> {
    (0..f).map(|_| (1 + rng.index(5)) as f64).collect()
}

fn integer_velocity(rng: &mut Rng, f: usize) -> Vec<f64> {
    (0..f).map(|_| integer(rng, 3)).collect()
}

/// One to five freedoms and two to six contacts: often more contacts than freedoms.
pub(super) fn graph(rng: &mut Rng) -> Mechanism {
    let (f, m) = (1 + rng.index(5) as usize, 2 + rng.index(5) as usize);
    let masses = integer_masses(rng, f);
    let velocity = integer_velocity(rng, f);
    let jacobian = integer_rows(rng, m, &velocity);
    let contacts = (0..m).map(|_| spec(rng, 1)).collect();
    Mechanism::new(&masses, velocity, jacobian, contacts)
}

/// Numbers without pattern, masses over decades, sometimes a full mass matrix.
pub(super) fn continuous(rng: &mut Rng) -> Mechanism {
    let (f, m) = (2 + rng.index(5) as usize, 2 + rng.index(5) as usize);
    let decades = [1.0, 1.0, 3.0, 6.0][rng.index(4) as usize];
    let masses: Vec<f64> = (0..f)
        .map(|_| libm::exp2(rng.uniform(-decades, decades) * std::f64::consts::LOG2_10))
        .collect();
    let velocity: Vec<f64> = (0..f).map(|_| rng.normal()).collect();
    let jacobian =
        (0..m).map(|_| approaching((0..f).map(|_| rng.normal()).collect(), &velocity)).collect();
    let contacts = (0..m).map(|_| spec(rng, 1)).collect();
    let mut mechanism = Mechanism::new(&masses, velocity, jacobian, contacts);
    if rng.chance(0.3) && decades == 1.0 {
        // diag(m) + a aᵀ is a mass matrix whatever a is.
        let a: Vec<f64> = (0..f).map(|_| rng.normal()).collect();
        for k in 0..f * f {
            mechanism.mass[k] += a[k / f] * a[k % f];
        }
    }
    mechanism
}

/// A rigid slab above a grid of supports, dropped flat, on an edge or on a corner.
pub(super) fn slab(rng: &mut Rng) -> Mechanism {
    let (columns, rows) = (2 + rng.index(2), 2 + rng.index(3));
    let centred = |i: u64, n: u64| 2.0 * i as f64 - (n - 1) as f64;
    let supports: Vec<[f64; 2]> = (0..columns * rows)
        .map(|k| [centred(k % columns, columns), centred(k / columns, rows)])
        .collect();
    let jacobian: Vec<Vec<f64>> = supports.iter().map(|[x, y]| vec![1.0, *y, -x]).collect();
    let spin = match rng.index(3) {
        0 => [0.0, 0.0],
        1 => [integer(rng, 2), integer(rng, 2)],
        _ => [rng.normal(), rng.normal()],
    };
    // No support separates; the slowest one rests or approaches.
    let fastest = jacobian.iter().map(|row| dot(&row[1..], &spin)).fold(0.0, f64::max);
    let more = if rng.chance(0.3) { 0.0 } else { (1 + rng.index(3)) as f64 };
    let velocity = vec![-fastest - more, spin[0], spin[1]];
    let masses = [(1 + rng.index(3)) as f64, (1 + rng.index(4)) as f64, (1 + rng.index(4)) as f64];
    let contacts = supports.iter().map(|_| spec(rng, 1)).collect();
    let mut slab = Mechanism::new(&masses, velocity, jacobian, contacts);
    // Rounding of the fastest support's own velocity must not make it separate.
    let u = |slab: &Mechanism, k: usize| dot(&slab.jacobian[k], &slab.velocity);
    while (0..slab.jacobian.len()).any(|k| u(&slab, k) > 0.0) {
        slab.velocity[0] -= f64::EPSILON * slab.velocity[0].abs();
    }
    slab
}

/// A graph some of whose contacts are there twice or three times, sometimes in other units.
pub(super) fn duplicated(rng: &mut Rng) -> Mechanism {
    let mut mechanism = if rng.chance(0.5) { chain(rng) } else { graph(rng) };
    for _ in 0..1 + rng.index(2) {
        let k = rng.index(mechanism.jacobian.len() as u64) as usize;
        let factor = if rng.chance(0.2) { 2.0 } else { 1.0 };
        let row = mechanism.jacobian[k].iter().map(|x| factor * x).collect();
        mechanism.jacobian.push(row);
        mechanism.contacts.push(mechanism.contacts[k]);
        mechanism.drive.push(0.0);
    }
    mechanism
}

/// Contacts that can only push against each other: rows whose sum, or sum with positive weights, is nothing. They are
/// at rest, as they must be, and other contacts strike the same bodies.
pub(super) fn self_stressed(rng: &mut Rng) -> Mechanism {
    let mut mechanism = graph(rng);
    let f = mechanism.size();
    let row = |rng: &mut Rng, mechanism: &Mechanism| {
        let row: Vec<f64> = (0..f).map(|_| integer(rng, 2)).collect();
        idle(&row, &mechanism.velocity)
    };
    let first = row(rng, &mechanism);
    let second = row(rng, &mechanism).filter(|_| rng.chance(0.4));
    let Some(first) = first else {
        return mechanism;
    };
    let mut rows = vec![first.clone()];
    let mut opposed: Vec<f64> = first.iter().map(|x| -x).collect();
    if let Some(second) = second {
        opposed.iter_mut().zip(&second).for_each(|(x, y)| *x -= y);
        rows.push(second);
    }
    if opposed.iter().any(|x| *x != 0.0) {
        rows.push(opposed);
    }
    for row in rows {
        mechanism.jacobian.push(row);
        mechanism.contacts.push(spec(rng, 1));
        mechanism.drive.push(0.0);
    }
    mechanism
}

/// A graph with joints that its velocity keeps; some of them say the same.
pub(super) fn jointed(rng: &mut Rng) -> Mechanism {
    let f = 3 + rng.index(4) as usize;
    let masses = integer_masses(rng, f);
    let velocity = integer_velocity(rng, f);
    let m = 2 + rng.index(4) as usize;
    let jacobian = integer_rows(rng, m, &velocity);
    let contacts = (0..m).map(|_| spec(rng, 1)).collect();
    let mut mechanism = Mechanism::new(&masses, velocity, jacobian, contacts);
    for _ in 0..1 + rng.index(2) {
        let row: Vec<f64> = (0..f).map(|_| integer(rng, 2)).collect();
        mechanism.bilateral.extend(idle(&row, &mechanism.velocity));
    }
    if rng.chance(0.3)
        && let Some(row) = mechanism.bilateral.first().cloned()
    {
        mechanism.bilateral.push(row);
    }
    mechanism
}

/// Contacts of one, two and three rows side by side, now and then on a moving ground.
pub(super) fn stops(rng: &mut Rng) -> Mechanism {
    let f = 3 + rng.index(4) as usize;
    let masses = integer_masses(rng, f);
    let velocity = integer_velocity(rng, f);
    // Every body could move along with the ground: contacts that it squeezes together would have no answer.
    let ground = if rng.chance(0.3) { integer_velocity(rng, f) } else { vec![0.0; f] };
    let relative: Vec<f64> = velocity.iter().zip(&ground).map(|(v, w)| v - w).collect();
    let (mut jacobian, mut contacts) = (Vec::new(), Vec::new());
    for _ in 0..2 + rng.index(3) {
        let rows = 1 + rng.index(3) as usize;
        jacobian.extend(integer_rows(rng, 1, &relative));
        jacobian.extend((1..rows).map(|_| (0..f).map(|_| integer(rng, 2)).collect::<Vec<f64>>()));
        contacts.push(spec(rng, rows));
    }
    let mut mechanism = Mechanism::new(&masses, velocity, jacobian, contacts);
    mechanism.drive = mechanism.jacobian.iter().map(|row| -dot(row, &ground)).collect();
    mechanism
}
