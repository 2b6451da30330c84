//! What must not change when an impact is posed otherwise.

use super::support::{LAWS, apart};
use carom::{ContactProblem, Law};
use carom_testkit::Rng;
use carom_testkit::generate::frictional::{FrictionalKind, FrictionalSample, frictional_of};
use carom_testkit::judge::speed_scale;
use carom_testkit::laws::{law, try_several};

const SEED: u64 = 0xc0_14;
const IMPACTS: u64 = 300;
/// How far two ways to the same velocity may lead apart, relative to the terms that make it up: the limit of ever harder
/// springs is known to about this.
const SAME: f64 = 1e-7;

const EVERYDAY: [FrictionalKind; 7] = [
    FrictionalKind::Brick,
    FrictionalKind::Stack,
    FrictionalKind::Pair,
    FrictionalKind::Linked,
    FrictionalKind::Matrix,
    FrictionalKind::Duplicated,
    FrictionalKind::Mixed,
];

/// Compares both laws over random impacts; `check` says how far apart two ways are, if both have answers.
fn survey(allowed: f64, check: impl Fn(&Law, &FrictionalSample, &mut Rng) -> Option<f64>) {
    for id in LAWS {
        let law = law(id);
        let (mut compared, mut faults) = (0_u32, Vec::new());
        for kind in EVERYDAY {
            for index in 0..IMPACTS {
                let mut rng = Rng::for_item(SEED, index);
                let sample = frictional_of(kind, &mut rng);
                let Some(off) = check(&law, &sample, &mut rng) else { continue };
                compared += 1;
                if off > SAME || off.is_nan() {
                    faults
                        .push(format!("{id}, {kind:?}, seed {SEED:#x}, impact {index}: {off:.1e}"));
                }
            }
        }
        let part = faults.len() as f64 / f64::from(compared);
        println!("{id}: {} of {compared}", faults.len());
        assert!(part <= allowed, "{} of {compared}\n{}", faults.len(), faults.join("\n"));
        assert!(u64::from(compared) > 3 * IMPACTS, "only {compared} compared");
    }
}

/// How far apart the velocities of rows `i` of the one and `map(i)` of the other are.
fn difference(
    law: &Law,
    one: &ContactProblem,
    two: &ContactProblem,
    map: impl Fn(usize, &[f64]) -> f64,
) -> Option<f64> {
    let (first, second) = (try_several(law, one).ok()?, try_several(law, two).ok()?);
    let mapped: Vec<f64> = (0..one.rows()).map(|i| map(i, &second.velocity)).collect();
    Some(apart(&first.velocity, &mapped, speed_scale(one, &first.impulse)))
}

/// Where solutions stand apart, which is found may hang on the order of sums: once in hundreds of random impacts.
const APART: f64 = 0.005;

#[test]
fn the_order_of_contacts_does_not_matter() {
    survey(APART, |law, sample, rng| {
        let one = sample.problem();
        let mut order: Vec<usize> = (0..one.len()).collect();
        for i in (1..order.len()).rev() {
            order.swap(i, rng.index(i as u64 + 1) as usize);
        }
        let two = sample.mechanism.reordered(&order).problem();
        let place = |row: usize| {
            let k = (0..one.len()).find(|&k| one.row_range(k).contains(&row)).unwrap_or(0);
            let new = order.iter().position(|&old| old == k).unwrap_or(0);
            two.row_range(new).start + row - one.row_range(k).start
        };
        difference(law, &one, &two, |i, u| u[place(i)])
    });
}

#[test]
fn tangents_may_be_turned() {
    survey(APART, |law, sample, rng| {
        let one = sample.problem();
        let mut turned = sample.mechanism.clone();
        let mut turns = vec![(0.0, 1.0); one.rows()];
        for k in 0..one.len() {
            let rows = one.row_range(k);
            if rows.len() < 3 {
                continue;
            }
            let (sin, cos) = rng.uniform(0.0, 6.3).sin_cos();
            let [a, b] = [1, 2].map(|j| sample.mechanism.jacobian[rows.start + j].clone());
            for (i, (a, b)) in a.iter().zip(&b).enumerate() {
                turned.jacobian[rows.start + 1][i] = cos * a + sin * b;
                turned.jacobian[rows.start + 2][i] = cos * b - sin * a;
            }
            turns[rows.start + 1] = (-sin, cos);
            turns[rows.start + 2] = (sin, cos);
        }
        let two = turned.problem();
        difference(law, &one, &two, |i, u| {
            let (sin, cos) = turns[i];
            let other = if sin == 0.0 { 0.0 } else { sin * u[partner(&one, i)] };
            cos * u[i] + other
        })
    });
}

/// The other tangent of a row's contact.
fn partner(problem: &ContactProblem, row: usize) -> usize {
    let k = (0..problem.len()).find(|&k| problem.row_range(k).contains(&row)).unwrap_or(0);
    let first = problem.row_range(k).start;
    if row == first + 1 { first + 2 } else { first + 1 }
}

/// `p(α u⁻) = α p` and `p(α W) = p/α`: exactly, for powers of two.
#[test]
fn units_do_not_matter() {
    survey(0.0, |law, sample, _| {
        let one = sample.problem();
        let mut faster = sample.mechanism.clone();
        // A curve of restitution has speeds of its own.
        let curved = |m: &carom_testkit::Mechanism| {
            m.contacts
                .iter()
                .any(|c| c.material.restitution.at(1.0) != c.material.restitution.at(0.05))
        };
        if curved(&faster) {
            return None;
        }
        faster.velocity.iter_mut().for_each(|v| *v *= 16.0);
        faster.mass.iter_mut().for_each(|m| *m *= 0.25);
        difference(law, &one, &faster.problem(), |i, u| u[i] / 16.0)
    });
}

/// Bodies, coordinates and contact space are the same problem.
#[test]
fn bodies_coordinates_and_contact_space_agree() {
    survey(APART, |law, sample, _| {
        let one = sample.problem();
        let bodies = sample.scene.as_ref()?.bodies().problem().clone();
        difference(law, &one, &bodies, |i, u| u[i])
    });
}
