//! Rows of other kinds: joints, contacts that hold, contacts that are there twice, contacts that nothing loads.

use super::support::{Raw, assert_close, distance, effort, material, norm, resolve, stiff};
use carom::outcome::Note;
use carom::{ContactKind, ContactSpec};
use carom_testkit::Rng;
use carom_testkit::generate::frictional::{FrictionalKind, frictional_of, landing};
use carom_testkit::laws::{resolve_several, try_several};
use carom_testkit::oracle::smoothed::{Springs, limit};

/// A contact that holds both ways is the same as a joint that is folded into `W`.
#[test]
fn contacts_that_hold_are_joints() {
    let mut compared = 0;
    for i in 0..10 {
        let mut raw = Raw::of(&landing(&mut Rng::for_item(0xb11, i), 4).problem());
        // Three directions are enough to hold a brick at one point.
        raw.specs[0].kind = ContactKind::Bilateral;
        raw.specs.iter_mut().for_each(|spec| spec.material.stiffness = 1.0);
        let problem = raw.problem();
        let got = resolve_several(&stiff([]), &problem);
        let held = &got.velocity[..3];
        assert!(norm(held) <= 1e-9 * norm(&raw.u), "{i}: {held:?}");
        // Smoothed friction never quite holds a body that is wedged.
        let Some(wanted) = limit(&problem, &Springs::default()) else { continue };
        compared += 1;
        let off = distance(&got.velocity[3..], &wanted.velocity[3..]) / norm(&raw.u);
        assert!(off <= 1e-7, "{i}: {off:.1e}");
    }
    assert!(compared >= 7, "{compared}");
}

/// Bodies on joints, some of them redundant.
#[test]
fn mechanisms_with_joints() {
    let mut answered = 0;
    for i in 0..12 {
        let sample = frictional_of(FrictionalKind::Linked, &mut Rng::for_item(0x107, i));
        let problem = sample.problem();
        let Ok(got) = try_several(&stiff([]), &problem) else { continue };
        let Some(wanted) = limit(&problem, &Springs::default()) else { continue };
        answered += 1;
        let off = distance(&got.velocity, &wanted.velocity) / norm(problem.velocity());
        assert!(off <= 1e-6, "{i}: {off:.1e}; {sample:?}");
    }
    assert!(answered >= 6, "{answered}");
}

/// Normal impulses of redundant contacts are determined by their springs; friction impulses are not, and that is said.
#[test]
fn redundant_contacts() {
    for i in 0..3 {
        let mut raw = Raw::of(&landing(&mut Rng::for_item(0x5e1f, i), 4).problem());
        raw.specs.iter_mut().for_each(|spec| spec.material = material(3.0, 0.5));
        let outcome = resolve(&stiff([]), &raw);
        assert!(outcome.notes.iter().any(|note| note == Note::ImpulseNotUnique), "{i}");
        assert_eq!(effort(&outcome).impulse_unique, Some(false), "{i}");
        let wanted = limit(&raw.problem(), &Springs::default()).unwrap_or_else(|| panic!("{i}"));
        for row in raw.first() {
            let off = (outcome.impulse[row] - wanted.impulse[row]).abs();
            assert!(off <= 1e-7 * norm(&wanted.impulse), "{i}: {off:.1e}");
        }
        for row in raw.first() {
            let friction = norm(&outcome.impulse[row + 1..row + 3]);
            let normal = outcome.impulse[row];
            assert!(friction <= 3.0 * normal + 1e-9 * norm(&outcome.impulse), "{i}");
        }
    }
}

/// All slide: friction impulses are determined.
#[test]
fn sliding_faces_have_one_impulse() {
    let mut raw = Raw::of(&landing(&mut Rng::for_item(0x511d, 0), 4).problem());
    raw.specs.iter_mut().for_each(|spec| spec.material = material(0.02, 0.8));
    for row in raw.first() {
        raw.u[row + 1] += 5.0;
    }
    let outcome = resolve(&stiff([]), &raw);
    assert_ne!(effort(&outcome).impulse_unique, Some(false));
    assert!(outcome.notes.iter().all(|note| note != Note::ImpulseNotUnique));
}

/// Contacts that part from the start only watch, unless they are pushed back; if all do, nothing happens.
#[test]
fn contacts_that_part() {
    let coupled = vec![vec![1.0, 0.3], vec![0.3, 1.0]];
    let specs = vec![ContactSpec::new(1, material(0.0, 0.5)); 2];
    let part = Raw { w: coupled.clone(), u: vec![1.0, 0.5], specs: specs.clone() };
    assert_eq!(resolve(&stiff([]), &part).impulse, [0.0, 0.0]);
    // Pushed further away.
    let away = Raw { w: coupled, u: vec![-1.0, 0.5], specs: specs.clone() };
    assert_close(&resolve(&stiff([]), &away).impulse, &[1.5, 0.0], 1e-9);
    // Pulled back by more than it parts with.
    let back = Raw { w: vec![vec![1.0, -0.8], vec![-0.8, 1.0]], u: vec![-1.0, 0.1], specs };
    let outcome = resolve(&stiff([]), &back);
    assert!(outcome.impulse[1] > 0.1, "{:?}", outcome.impulse);
    assert!(outcome.velocity.iter().all(|u| *u >= 0.0), "{:?}", outcome.velocity);
}
