//! Sequences that can be followed by hand, and those that a paper or an exact computation has followed.

use crate::multi::{MultiImpactLaw, Sequential};
use crate::outcome::{Ending, MultiEffort, NoWatch, Note, ProblemEffort, ProblemOutcome};
use crate::system::{Chain, Generalized, MassMatrix};
use crate::{ContactSpec, Material, Tolerances};

fn resolve(chain: &Chain) -> (ProblemOutcome, MultiEffort) {
    let law = crate::MultiLaw::from(Sequential::default());
    let outcome = law.resolve(chain.problem(), &Tolerances::NOMINAL, &mut NoWatch).unwrap();
    let ProblemEffort::Several(effort) = outcome.effort else { panic!("{outcome:?}") };
    (outcome, effort)
}

/// Velocities after, and the work.
fn chain(mass: &[f64], velocity: &[f64], e: &[f64]) -> (Vec<f64>, MultiEffort, ProblemOutcome) {
    let chain = Chain::new(mass.to_vec(), velocity.to_vec(), e.to_vec()).unwrap();
    let (outcome, effort) = resolve(&chain);
    (chain.after(&outcome.impulse).unwrap().velocity, effort, outcome)
}

fn equal(count: usize, moving: usize, e: f64) -> (Vec<f64>, MultiEffort, ProblemOutcome) {
    let velocity: Vec<f64> = (0..count).map(|k| if k < moving { 1.0 } else { 0.0 }).collect();
    chain(&vec![1.0; count], &velocity, &vec![e; count - 1])
}

fn assert_near(found: &[f64], expected: &[f64]) {
    for (x, y) in found.iter().zip(expected) {
        assert!((x - y).abs() < 1e-13, "{found:?} instead of {expected:?}");
    }
}

/// (1, 0, 0) → (1/4, 3/4, 0) → (1/4, 3/16, 9/16) → (13/64, 15/64, 9/16), since 1/4 − 3/16 = 1/16 and
/// (1 + e)/2 of it, 3/64, changes hands.
#[test]
fn three_equal_balls_collide_three_times() {
    let (v, effort, _) = equal(3, 1, 0.5);
    assert_near(&v, &[13.0 / 64.0, 15.0 / 64.0, 9.0 / 16.0]);
    assert_eq!((effort.collisions, effort.ending, effort.truncation), (3, Ending::Finite, 0.0));
    assert_eq!(equal(3, 1, 0.1).1.collisions, 6);
}

/// Three equal balls collide for ever if e ≤ 7 − 4√3 = 0.0718: then all three move together in the end.
#[test]
fn little_restitution_keeps_three_balls_together() {
    let (v, effort, outcome) = equal(3, 1, 0.07);
    assert_near(&v, &[1.0 / 3.0; 3]);
    assert_eq!(effort.ending, Ending::Projected);
    assert!(effort.truncation < 1e-11 && effort.truncation > 0.0);
    assert!(outcome.notes.contains(Note::Projection));
    // Just above, the 63 collisions of exact arithmetic end at speeds of 1e-34: here too the bound holds.
    let (v, effort, _) = equal(3, 1, 0.072);
    assert!(v.iter().all(|v| (v - 1.0 / 3.0).abs() <= effort.truncation));
    assert!(effort.ending == Ending::Projected && effort.truncation < 1e-11);
    // Well above, few collisions are enough.
    assert_eq!(equal(3, 1, 0.08).1.ending, Ending::Finite);
}

/// As many leave as came.
#[test]
fn cradles() {
    for (count, moving) in [(5, 1), (5, 2), (5, 3), (6, 4)] {
        let (v, effort, _) = equal(count, moving, 1.0);
        let left: Vec<f64> =
            (0..count).map(|k| if k >= count - moving { 1.0 } else { 0.0 }).collect();
        assert_eq!(v, left);
        assert_eq!(effort.collisions, (moving * (count - moving)) as u64);
    }
}

/// The two sides tie. The left one is first: 8/5·½·(1 + ½) = 6/5 leaves (−1/5, 3/10, −1); then 13/10 at the right gives
/// 1.56: (−1/5, −9/100, 14/25).
#[test]
fn the_order_decides() {
    let (v, effort, outcome) = chain(&[1.0, 4.0, 1.0], &[1.0, 0.0, -1.0], &[0.5, 0.5]);
    assert_near(&v, &[-0.2, -0.09, 0.56]);
    assert_eq!((effort.collisions, effort.ties), (2, 1));
    assert!(outcome.notes.contains(Note::Ties));
}

/// Fifty balls at e = 0.9 look for a long time as if they would stay together, and do not.
#[test]
fn fifty_balls_part_in_the_end() {
    let (_, effort, _) = equal(50, 1, 0.9);
    assert_eq!((effort.collisions, effort.ending), (2161, Ending::Finite));
}

/// A body between two walls that comes with a velocity at e = 1 would bounce for ever: it stops. A second body that flies
/// onto it finds it as immovable as the walls.
#[test]
fn between_two_walls_nothing_moves() {
    let contact = |e: f64| ContactSpec::new(1, Material::new(0.0, e).unwrap());
    // Normals of body 1 at the left wall, of body 1 at the right wall, and of body 2 on body 1.
    let jacobian = vec![1.0, 0.0, -1.0, 0.0, -1.0, 1.0];
    let mass = MassMatrix::Diagonal(vec![1.0, 2.0]);
    let contacts = vec![contact(1.0), contact(1.0), contact(1.0)];
    let system = Generalized::new(mass, vec![-0.5, -1.0], jacobian, contacts).unwrap();
    let law = crate::MultiLaw::from(Sequential::default());
    let outcome = law.resolve(system.problem(), &Tolerances::NOMINAL, &mut NoWatch).unwrap();
    let after = system.after(&outcome.impulse).unwrap();
    assert_near(&after.velocity, &[0.0, 1.0]);
    assert!(outcome.impulse.iter().all(|p| *p >= 0.0));
    assert!(outcome.notes.contains(Note::ImpulseNotUnique));
}

/// A sequence is cut off where it is told to be.
#[test]
fn cut_off_sequences_say_so() {
    let chain = Chain::new(vec![1.0; 5], vec![1.0, 0.0, 0.0, 0.0, 0.0], vec![1.0; 4]).unwrap();
    let law = crate::MultiLaw::from(Sequential { max_collisions: 2, ..Sequential::default() });
    let outcome = law.resolve(chain.problem(), &Tolerances::NOMINAL, &mut NoWatch).unwrap();
    let ProblemEffort::Several(effort) = outcome.effort else { panic!("{outcome:?}") };
    assert_eq!((effort.collisions, effort.ending, effort.truncation), (2, Ending::Truncated, 12.0));
    assert!(outcome.notes.contains(Note::Truncated));
    assert_eq!(chain.after(&outcome.impulse).unwrap().velocity, [0.0, 0.0, 1.0, 0.0, 0.0]);
}
