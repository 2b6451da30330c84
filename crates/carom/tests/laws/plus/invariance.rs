//! What must not change when an impact with friction is posed otherwise, for `plus`.
//!
//! Where a remedy acts, or contacts change together, an answer can hang on the last digit; what the published algorithm
//! answers by itself must not.

use carom::laws::{Plus, PlusHandler};
use carom::outcome::{Effort, ProblemOutcome, RoundsEffort};
use carom::{ContactKind, ContactProblem, ContactSpec, Law};
use carom_testkit::generate::frictional::{
    FrictionalKind, FrictionalSample, frictional_of, landing,
};
use carom_testkit::judge::speed_scale;
use carom_testkit::laws::{law, try_several};
use carom_testkit::{Mechanism, Rng};

const SEED: u64 = 0x91a5;
/// Impacts per kind.
const IMPACTS: u64 = 200;
/// How far two ways to the same velocity may lead apart, relative to the terms that make it up.
const SAME: f64 = 1e-9;
/// How exactly symmetric impacts have symmetric answers, relative to the largest impulse.
const SYMMETRIC: f64 = 1e-12;

fn effort(outcome: &ProblemOutcome) -> &RoundsEffort {
    match &outcome.effort {
        Effort::Rounds(effort) => effort,
        other => panic!("plus goes by rounds: {other:?}"),
    }
}

/// Whether the published algorithm answered by itself.
fn is_plain(outcome: &ProblemOutcome) -> bool {
    let effort = effort(outcome);
    effort.fallbacks == 0 && effort.remedies.named().iter().all(|(_, times)| *times == 0)
}

/// Runs both and says where the velocities of rows `i` of the one are not those of rows `map(i)`, times a sign, of the
/// other. Nothing where the published algorithm needs help.
fn difference(
    law: &Law,
    one: &ContactProblem,
    two: &ContactProblem,
    map: impl Fn(usize, &[f64]) -> f64,
) -> Option<Option<String>> {
    difference_beside(0.0, law, one, two, map)
}

/// The same where velocities of this size cancelled before [m/s].
fn difference_beside(
    speed: f64,
    law: &Law,
    one: &ContactProblem,
    two: &ContactProblem,
    map: impl Fn(usize, &[f64]) -> f64,
) -> Option<Option<String>> {
    let first = try_several(law, one).ok().filter(is_plain)?;
    let second = match try_several(law, two) {
        Ok(second) => second,
        Err(error) => return Some(Some(format!("only one has an answer: {error}"))),
    };
    let scale = speed + speed_scale(one, &first.impulse);
    let worst = (0..one.rows())
        .map(|i| (first.velocity[i] - map(i, &second.velocity)).abs())
        .fold(0.0, f64::max);
    Some((worst > SAME * scale).then(|| format!("off by {:.1e}", worst / scale)))
}

/// Collects what differs over random impacts of some kinds, and fails if anything does.
fn survey(
    kinds: &[FrictionalKind],
    check: impl Fn(&FrictionalSample, &mut Rng) -> Option<Option<String>>,
) {
    let (mut compared, mut faults) = (0, Vec::new());
    for &kind in kinds {
        for index in 0..IMPACTS {
            let mut rng = Rng::for_item(SEED, index);
            let sample = frictional_of(kind, &mut rng);
            let Some(fault) = check(&sample, &mut rng) else { continue };
            compared += 1;
            if let Some(fault) = fault {
                faults.push(format!("{kind:?}, seed {SEED:#x}, impact {index}: {fault}"));
            }
        }
    }
    let shown: Vec<&str> = faults.iter().take(10).map(String::as_str).collect();
    assert!(faults.is_empty(), "{} of {compared}\n{}", faults.len(), shown.join("\n"));
    // Whoever compares nothing has shown nothing.
    assert!(2 * compared > IMPACTS * kinds.len() as u64, "only {compared} compared");
}

const EVERYDAY: [FrictionalKind; 6] = [
    FrictionalKind::Brick,
    FrictionalKind::Pair,
    FrictionalKind::Linked,
    FrictionalKind::Matrix,
    FrictionalKind::Duplicated,
    FrictionalKind::Mixed,
];

/// A brick on a grid of contacts that falls, slides along x and turns about y: its mirror image in y is itself.
#[test]
fn symmetric_impacts_have_symmetric_answers() {
    let law = law("plus");
    for (contacts, across, along) in [(4, 2, 2), (6, 3, 2), (9, 3, 3), (12, 4, 3), (16, 4, 4)] {
        for index in 0..IMPACTS {
            let mut rng = Rng::for_item(SEED, index);
            let mut brick = landing(&mut rng, contacts);
            // Coordinates are (x, y, z) and the angles about them: what the mirror turns round is not there.
            for i in [1, 3, 5] {
                brick.velocity[i] = 0.0;
            }
            let problem = brick.problem();
            let outcome = try_several(&law, &problem)
                .unwrap_or_else(|error| panic!("{contacts} contacts, impact {index}: {error}"));
            let largest = outcome.impulse.iter().fold(0.0, |m: f64, p| m.max(p.abs()));
            for k in 0..contacts {
                let image = (along - 1 - k / across) * across + k % across;
                for (c, sign) in [1.0, 1.0, -1.0].into_iter().enumerate() {
                    let (p, q) = (outcome.impulse[3 * k + c], outcome.impulse[3 * image + c]);
                    assert!(
                        (p - sign * q).abs() <= SYMMETRIC * largest,
                        "{contacts} contacts, impact {index}, contact {k}, component {c}: {p} and {q} of {largest}; {:?}",
                        effort(&outcome)
                    );
                }
            }
        }
    }
}

#[test]
fn the_order_of_contacts_does_not_matter() {
    let law = law("plus");
    survey(&EVERYDAY, |sample, rng| {
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
        difference(&law, &one, &two, |i, u| u[place(i)])
    });
}

#[test]
fn tangents_may_be_turned() {
    let law = law("plus");
    survey(&EVERYDAY, |sample, rng| {
        let one = sample.problem();
        let mut turned = sample.mechanism.clone();
        let mut turns = Vec::new();
        for (k, contact) in sample.mechanism.contacts.iter().enumerate() {
            let angle = if contact.rows == 3 { rng.uniform(0.0, 6.3) } else { 0.0 };
            let (sin, cos) = (angle.sin(), angle.cos());
            turns.push((sin, cos));
            if contact.rows == 3 {
                let first = one.row_range(k).start + 1;
                let [a, b] = [0, 1].map(|i| &sample.mechanism.jacobian[first + i]);
                let mix = |x: f64, y: f64| a.iter().zip(b).map(|(a, b)| x * a + y * b).collect();
                let (s, t): (Vec<f64>, Vec<f64>) = (mix(cos, sin), mix(-sin, cos));
                (turned.jacobian[first], turned.jacobian[first + 1]) = (s, t);
            }
        }
        difference(&law, &one, &turned.problem(), |row, u| {
            let k = (0..one.len()).find(|&k| one.row_range(k).contains(&row)).unwrap_or(0);
            let (rows, (sin, cos)) = (one.row_range(k), turns[k]);
            match (rows.len(), row - rows.start) {
                (3, 1) => cos * u[row] - sin * u[row + 1],
                (3, 2) => sin * u[row - 1] + cos * u[row],
                _ => u[row],
            }
        })
    });
}

#[test]
fn bodies_coordinates_and_contact_space_agree() {
    let law = law("plus");
    let kinds = [FrictionalKind::Brick, FrictionalKind::Pair, FrictionalKind::Linked];
    survey(&kinds, |sample, _| {
        let one = sample.problem();
        let bodies = sample.scene.as_ref()?.bodies().problem().clone();
        let through_bodies = difference(&law, &one, &bodies, |i, u| u[i])?;
        let n = one.rows();
        let w: Vec<f64> = (0..n * n).map(|k| one.delassus_at(k / n, k % n)).collect();
        let bare = ContactProblem::new(&w, one.velocity(), one.contacts())
            .unwrap_or_else(|error| panic!("{error}"));
        Some(through_bodies.or(difference(&law, &one, &bare, |i, u| u[i])?))
    });
}

/// The handler that simulators call is the law; what it did before does not matter.
#[test]
fn the_handler_answers_as_the_law() {
    let law = law("plus");
    let handler = std::cell::RefCell::new(PlusHandler::new(Plus::default()));
    survey(&[FrictionalKind::Brick, FrictionalKind::Pair, FrictionalKind::Mixed], |sample, _| {
        let problem = sample.problem();
        let outcome = try_several(&law, &problem).ok().filter(is_plain)?;
        let mechanism = &sample.mechanism;
        let mut velocity = mechanism.velocity.clone();
        let jacobian = mechanism.jacobian.concat();
        let mut handler = handler.borrow_mut();
        let answer =
            handler.resolve(&mechanism.mass, &jacobian, &mut velocity, &mechanism.contacts);
        if let Err(error) = answer {
            return Some(Some(error.to_string()));
        }
        let scale = speed_scale(&problem, &outcome.impulse);
        let u = |row: &Vec<f64>| row.iter().zip(&velocity).map(|(j, v)| j * v).sum::<f64>();
        let off =
            mechanism.jacobian.iter().zip(&outcome.velocity).map(|(row, w)| (u(row) - w).abs());
        let worst = off.fold(0.0, f64::max);
        Some((worst > SAME * scale).then(|| format!("off by {:.1e}", worst / scale)))
    });
}

#[test]
fn a_moving_observer_sees_the_same_impact() {
    let law = law("plus");
    let kinds = [FrictionalKind::Brick, FrictionalKind::Pair, FrictionalKind::Linked];
    survey(&kinds, |sample, rng| {
        let one = sample.problem();
        let mut moving = sample.mechanism.clone();
        let wind: [f64; 3] = std::array::from_fn(|_| rng.normal());
        // Every body moves along, and so does the ground.
        for (i, v) in moving.velocity.iter_mut().enumerate().filter(|(i, _)| i % 6 < 3) {
            *v += wind[i % 6];
        }
        for (row, drive) in moving.jacobian.iter().zip(&mut moving.drive) {
            let along = row.iter().enumerate().filter(|(i, _)| i % 6 < 3);
            *drive -= along.map(|(i, j)| j * wind[i % 6]).sum::<f64>();
        }
        // The wind cancels: its size is that of what was rounded.
        let speed = wind.iter().map(|w| w * w).sum::<f64>().sqrt();
        difference_beside(speed, &law, &one, &moving.problem(), |i, u| u[i])
    });
}

#[test]
fn an_unrelated_impact_changes_no_bit() {
    let law = law("plus");
    for index in 0..IMPACTS {
        let mut rng = Rng::for_item(SEED, index);
        let kind = |rng: &mut Rng| EVERYDAY[rng.index(EVERYDAY.len() as u64) as usize];
        let (one, two) = (kind(&mut rng), kind(&mut rng));
        let (one, two) = (frictional_of(one, &mut rng), frictional_of(two, &mut rng));
        let Ok(alone) = try_several(&law, &one.problem()) else { continue };
        if try_several(&law, &two.problem()).is_err() {
            continue;
        }
        let (one, two) = (&one.mechanism, &two.mechanism);
        for (both, skipped) in [(one.beside(two), 0), (two.beside(one), two.jacobian.len())] {
            let together = try_several(&law, &both.problem())
                .unwrap_or_else(|error| panic!("impact {index}: {error}"));
            let own = &together.impulse[skipped..skipped + alone.impulse.len()];
            assert_eq!(own, alone.impulse, "impact {index}");
        }
    }
}

#[test]
fn copies_of_a_contact_share_equally() {
    let law = law("plus");
    for index in 0..IMPACTS {
        let mut rng = Rng::for_item(SEED, index);
        let brick = landing(&mut rng, 1);
        let alone = try_several(&law, &brick.problem()).unwrap_or_else(|e| panic!("{index}: {e}"));
        for copies in 2..=4 {
            let several = brick.reordered(&vec![0; copies]).problem();
            let outcome =
                try_several(&law, &several).unwrap_or_else(|e| panic!("{index}, {copies}: {e}"));
            let largest = alone.impulse.iter().fold(0.0, |m: f64, p| m.max(p.abs()));
            for (i, p) in outcome.impulse.iter().enumerate() {
                let share = alone.impulse[i % 3] / copies as f64;
                assert!(
                    (p - share).abs() <= SAME * largest,
                    "impact {index}, {copies} copies: {:?}, alone {:?}",
                    outcome.impulse,
                    alone.impulse
                );
            }
        }
    }
}

/// A contact of one row is one of three without friction.
#[test]
fn one_row_is_three_without_friction() {
    let law = law("plus");
    survey(&[FrictionalKind::Brick, FrictionalKind::Matrix], |sample, rng| {
        let mut smooth = sample.mechanism.clone();
        let chosen: Vec<bool> = smooth.contacts.iter().map(|_| rng.chance(0.5)).collect();
        for (contact, _) in smooth.contacts.iter_mut().zip(&chosen).filter(|(_, chosen)| **chosen) {
            contact.material.mu = 0.0;
        }
        let mut short = smooth.clone();
        let first = smooth.normals();
        let keep = |k: usize| if chosen[k] { 1 } else { 3 };
        let rows = || (0..chosen.len()).flat_map(|k| first[k]..first[k] + keep(k));
        short.jacobian = rows().map(|i| smooth.jacobian[i].clone()).collect();
        short.drive = rows().map(|i| smooth.drive[i]).collect();
        for (k, contact) in short.contacts.iter_mut().enumerate() {
            contact.rows = keep(k);
        }
        let places: Vec<usize> = rows().collect();
        difference(&law, &short.problem(), &smooth.problem(), |i, u| u[places[i]])
    });
}

#[test]
fn bilateral_contacts_are_joints() {
    let law = law("plus");
    survey(&[FrictionalKind::Linked], |sample, _| {
        let one = sample.problem();
        let mut held: Mechanism = sample.mechanism.clone();
        let joints = std::mem::take(&mut held.bilateral);
        for row in joints {
            let spec = ContactSpec::new(1, sample.mechanism.contacts[0].material);
            held.contacts.push(ContactSpec { kind: ContactKind::Bilateral, ..spec });
            held.jacobian.push(row);
            held.drive.push(0.0);
        }
        difference(&law, &one, &held.problem(), |i, u| u[i])
    });
}
