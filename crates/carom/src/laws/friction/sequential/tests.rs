//! Sequences that can be followed by hand, and those that a paper or an exact computation has followed.

use super::colliders::ColliderSet;
use super::pairwise::Pairwise;
use super::sequence::Sequence;
use crate::island::Context;
use crate::laws::friction::{JointImpacts, Sequential};
use crate::laws::several::SeveralLaw;
use crate::outcome::{Effort, Ending, Note, ProblemOutcome, SolverEffort, Unobserved};
use crate::system::{
    Bodies, Body, BodyContact, Chain, Generalized, Inertia, Joint, JointKind, MassMatrix, Motion,
    Orientation,
};
use crate::{ContactSpec, Material, Tolerances};

fn resolve(chain: &Chain) -> (ProblemOutcome, SolverEffort) {
    let law = SeveralLaw::from(Sequential::default());
    let outcome = law.resolve(chain.problem(), &Tolerances::NOMINAL, &mut Unobserved).unwrap();
    let Effort::Solver(effort) = outcome.effort else { panic!("{outcome:?}") };
    (outcome, effort)
}

/// Velocities after, and the work.
fn chain(mass: &[f64], velocity: &[f64], e: &[f64]) -> (Vec<f64>, SolverEffort, ProblemOutcome) {
    let chain = Chain::new(mass.to_vec(), velocity.to_vec(), e.to_vec()).unwrap();
    let (outcome, effort) = resolve(&chain);
    (chain.after(&outcome.impulse).unwrap().velocity, effort, outcome)
}

fn equal(count: usize, moving: usize, e: f64) -> (Vec<f64>, SolverEffort, ProblemOutcome) {
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
    let law = SeveralLaw::from(Sequential::default());
    let outcome = law.resolve(system.problem(), &Tolerances::NOMINAL, &mut Unobserved).unwrap();
    let after = system.after(&outcome.impulse).unwrap();
    assert_near(&after.velocity, &[0.0, 1.0]);
    assert!(outcome.impulse.iter().all(|p| *p >= 0.0));
    assert!(outcome.notes.contains(Note::ImpulseNotUnique));
}

/// A sequence is cut off where it is told to be: at (0, 0, 1, 0, 0), from where the nearest velocities without approach are
/// (0, 0, 1/3, 1/3, 1/3), away by √(4/9 + 1/9 + 1/9).
#[test]
fn cut_off_sequences_say_so() {
    let chain = Chain::new(vec![1.0; 5], vec![1.0, 0.0, 0.0, 0.0, 0.0], vec![1.0; 4]).unwrap();
    let law = SeveralLaw::from(Sequential::default().max_collisions(2));
    let outcome = law.resolve(chain.problem(), &Tolerances::NOMINAL, &mut Unobserved).unwrap();
    let Effort::Solver(effort) = outcome.effort else { panic!("{outcome:?}") };
    assert_eq!((effort.collisions, effort.ending), (2, Ending::Truncated));
    assert_near(&[effort.truncation], &[f64::sqrt(6.0) / 3.0]);
    assert!(outcome.notes.contains(Note::Truncated));
    let third = 1.0 / 3.0;
    let after = chain.after(&outcome.impulse).unwrap().velocity;
    assert_near(&after, &[0.0, 0.0, third, third, third]);
}

/// A grain between two bodies ten million times as heavy collides hundreds of millions of times. That is foreseen: they end
/// together, as the bound allows.
#[test]
fn hopeless_sequences_are_not_followed() {
    let (v, effort, _) = chain(&[1e4, 1e-3, 1e4], &[1.0, 0.0, -1.0], &[0.5, 0.5]);
    assert_eq!(effort.ending, Ending::Truncated);
    assert!(effort.collisions < 10_000_000, "{effort:?}");
    assert!(v.iter().all(|v| v.abs() < 1e-9), "{v:?}");
    assert!(effort.truncation < f64::sqrt(2e4));
}

/// A grain between a wall and a body so heavy that in working precision it is a wall, too: but one that comes nearer, so
/// the grain is not held. `π √(M/m)` collisions send it back.
#[test]
fn a_wall_that_comes_nearer_holds_nothing() {
    let contact = ContactSpec::new(1, Material::new(0.0, 1.0).unwrap());
    let mass = MassMatrix::Diagonal(vec![1.0, 1e14]);
    let jacobian = vec![1.0, 0.0, -1.0, 1.0];
    let system = Generalized::new(mass, vec![0.0, -1.0], jacobian, vec![contact; 2]).unwrap();
    let law = SeveralLaw::from(Sequential::default());
    let outcome = law.resolve(system.problem(), &Tolerances::NOMINAL, &mut Unobserved).unwrap();
    let Effort::Solver(effort) = outcome.effort else { panic!("{outcome:?}") };
    assert_eq!(effort.ending, Ending::Finite);
    // A velocity of 1 keeps two digits of each change by `m/M`.
    let expected = 1e7 * std::f64::consts::PI;
    assert!((effort.collisions as f64 / expected - 1.0).abs() < 1e-3, "{effort:?}");
    // The heavy body is sent back as fast as it came, by its own mass and not by what `1 + m/M` leaves of it.
    let wall = system.after(&outcome.impulse).unwrap().velocity[1];
    assert!((wall - 1.0).abs() < 1e-5, "{wall}");
}

/// Two planar bodies hinged above the ground, each with a contact below it.
fn hinged(mu: f64, e: f64) -> Bodies {
    let body = |x: f64, mass: f64, velocity: [f64; 2], spin: f64| Body {
        name: format!("body at {x}"),
        motion: Motion::Free { mass, inertia: Inertia::Planar(mass / 12.0) },
        position: vec![x, 0.4],
        orientation: Orientation::Identity,
        velocity: velocity.to_vec(),
        angular_velocity: vec![spin],
    };
    let ground = Body {
        name: "ground".into(),
        motion: Motion::Fixed,
        position: vec![],
        velocity: vec![],
        angular_velocity: vec![],
        ..body(0.0, 1.0, [0.0; 2], 0.0)
    };
    // Both points of the hinge at (0, 0.8) move alike: v + ω × (∓0.3, 0.4).
    let (v, spins) = ([0.3, -1.0], [0.25, -0.5]);
    let centre = |spin: f64, rx: f64| [v[0] + spin * 0.4, v[1] - spin * rx];
    let bodies = vec![
        ground,
        body(-0.3, 0.7, centre(spins[0], 0.3), spins[0]),
        body(0.3, 1.5, centre(spins[1], -0.3), spins[1]),
    ];
    let hinge = Joint { kind: JointKind::Hinge, a: 1, b: 2, point: vec![0.0, 0.8], axis: None };
    let contact = |b: usize, x: f64| BodyContact {
        a: 0,
        b,
        point: vec![x, 0.0],
        normal: vec![0.0, 1.0],
        tangent: None,
        spec: ContactSpec::new(2, Material::new(mu, e).unwrap()),
    };
    Bodies::new(bodies, vec![hinge], vec![contact(1, -0.6), contact(2, 0.6)]).unwrap()
}

/// Joints that collide are at rest in the end, so that contacts move as they do with joints that hold.
#[test]
fn joints_that_collide_hold_in_the_end() {
    for (mu, e) in [(0.4, 0.3), (0.0, 0.5), (0.8, 0.0), (0.2, 1.0)] {
        let bodies = hinged(mu, e);
        let problem = bodies.problem();
        let law = Sequential { hinges: JointImpacts::Impact, ..Sequential::default() };
        let pairwise = Pairwise::new(law.pairwise_law(problem));
        let tolerances = &Tolerances::NOMINAL;
        let joints = problem.joints().unwrap();
        let sets = ColliderSet::with_joints(problem, joints, law.ties, tolerances).unwrap();
        assert_eq!(sets.len(), 1);
        let mut context = Context { law: super::INFO.id, tolerances, observer: &mut Unobserved };
        let sequence = Sequence::new(&sets[0], pairwise, law.order(), tolerances.approach);
        let result = sequence.run(law.max_collisions, &mut context).unwrap();
        let separate = sets[0].w.apply_to(&result.impulse, &sets[0].start);
        let folded = problem.velocity_after(&result.impulse[..problem.rows()]);
        assert_near(&separate[..4], &folded[..4]);
        assert!(separate[4..].iter().all(|u| u.abs() < 1e-12), "{separate:?}");
        let outcome = SeveralLaw::from(law).resolve(problem, tolerances, &mut Unobserved);
        assert_eq!(outcome.unwrap().impulse, result.impulse[..4]);
    }
}
