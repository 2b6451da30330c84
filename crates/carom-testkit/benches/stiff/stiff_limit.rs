//! Bricks on four and eight contacts, sliding or sticking and slipping, and a row of balls that spin.

use crate::table;
use carom::catalog::{SettingValue, Settings};
use carom::outcome::Effort;
use carom::{ContactProblem, ContactSpec, Law, Material};
use carom_testkit::generate::frictional::landing;
use carom_testkit::laws::try_several;
use carom_testkit::{Mechanism, Rng};
use std::hint::black_box;
use std::time::Instant;

const SEED: u64 = 6;
/// Impacts per line.
const IMPACTS: u64 = 200;
/// An impact's time is its fastest of so many, so that the spread is that of the impacts and not that of the machine.
const ROUNDS: usize = 5;
/// The accuracy asked for, relative to the speed \[1\].
const ACCURACY: f64 = 1e-8;

fn law() -> Law {
    let settings: Settings = [("accuracy".into(), SettingValue::Number(ACCURACY))].into();
    Law::with_settings("stiff-limit", &settings).unwrap_or_else(|error| panic!("{error}"))
}

fn material(mu: f64, e: f64) -> Material {
    Material::new(mu, e).unwrap_or_else(|error| panic!("{error}"))
}

/// Bricks that land on a grid of points of their face; `faster` times the slip that they have.
fn bricks(contacts: usize, mu: [f64; 2], faster: f64) -> Vec<ContactProblem> {
    let brick = |i: u64| {
        let mut rng = Rng::for_item(SEED, i);
        let mut mechanism = landing(&mut rng, contacts);
        let material = material(rng.uniform(mu[0], mu[1]), 0.8);
        mechanism.contacts.iter_mut().for_each(|contact| contact.material = material);
        // Along the ground.
        mechanism.velocity[..2].iter_mut().for_each(|v| *v *= faster);
        mechanism.problem()
    };
    (0..IMPACTS).map(brick).collect()
}

/// Equal balls in a row along x, the first of which arrives, all of them spinning.
fn balls(count: usize) -> Vec<ContactProblem> {
    let row = |i: u64| {
        let mut rng = Rng::for_item(SEED, i);
        // Three velocities and three spins each; radius 1, so that the inertia is 2/5.
        let masses: Vec<f64> = (0..count).flat_map(|_| [1.0, 1.0, 1.0, 0.4, 0.4, 0.4]).collect();
        let velocity: Vec<f64> = (0..6 * count)
            .map(|k| match k {
                0 => 1.0,
                k if k % 6 >= 3 => rng.uniform(-1.0, 1.0),
                _ => 0.0,
            })
            .collect();
        let mut jacobian = Vec::new();
        for left in 0..count - 1 {
            // (a, b) are the coordinates of both balls; the spin of either moves the touching points the same way.
            let (a, b) = (6 * left, 6 * left + 6);
            let mut rows = vec![vec![0.0; 6 * count]; 3];
            for (axis, row) in rows.iter_mut().enumerate() {
                (row[a + axis], row[b + axis]) = (-1.0, 1.0);
            }
            // ω × (−x) at B minus ω × x at A: along y −ω_z, along z ω_y.
            (rows[1][a + 5], rows[1][b + 5]) = (-1.0, -1.0);
            (rows[2][a + 4], rows[2][b + 4]) = (1.0, 1.0);
            jacobian.extend(rows);
        }
        let contacts = vec![ContactSpec::new(3, material(0.3, 1.0)); count - 1];
        Mechanism::new(&masses, velocity, jacobian, contacts).problem()
    };
    (0..IMPACTS).map(row).collect()
}

/// Half of the impacts are faster than what is told.
fn tell(name: &str, set: &[ContactProblem], target: f64) {
    let law = law();
    let mut fastest = vec![f64::INFINITY; set.len()];
    let (mut refused, mut smoothed) = (0, 0);
    for round in 0..ROUNDS {
        for (problem, time) in set.iter().zip(&mut fastest) {
            let begin = Instant::now();
            let answer = black_box(try_several(&law, black_box(problem)));
            *time = time.min(1e6 * begin.elapsed().as_secs_f64());
            if round == 0 {
                match answer.map(|outcome| outcome.effort) {
                    Ok(Effort::Springs(effort)) => {
                        smoothed += usize::from(effort.smoothed > 0);
                    }
                    Ok(_) => {}
                    Err(_) => refused += 1,
                }
            }
        }
    }
    fastest.sort_by(f64::total_cmp);
    let last = fastest.len() - 1;
    table::at_most(&format!("{name}, median"), fastest[last / 2], "µs", target);
    table::line(&format!("{name}, p99"), fastest[last * 99 / 100], "µs");
    for (what, count) in [("smoothed", smoothed), ("refused", refused)] {
        if count > 0 {
            table::line(&format!("{name}, {what}"), count as f64, "1");
        }
    }
}

pub fn lines() {
    tell("stiff-limit, 4 contacts, stick and slip", &bricks(4, [0.2, 0.8], 1.0), 150.0);
    tell("stiff-limit, 4 contacts, all slide", &bricks(4, [0.02, 0.1], 10.0), 60.0);
    tell("stiff-limit, 8 contacts, stick and slip", &bricks(8, [0.2, 0.8], 1.0), 1000.0);
    tell("stiff-limit, 5 balls in a row, spinning", &balls(5), 300.0);
}
