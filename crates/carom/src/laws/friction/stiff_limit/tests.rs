//! Numbers that follow from the equations, and situations that stand alone.

use super::dynamics::{Dynamics, NormalMode};
use super::state::State;
use super::*;
use crate::contact::{ContactSpec, Material};
use crate::laws::normal::lzb::Gaps;
use crate::laws::several::SeveralLaw;
use crate::outcome::{ProblemOutcome, SpringEffort, Unobserved};
use crate::system::{Chain, Generalized, MassMatrix};
use crate::{ImpactError, Tolerances};

fn answer(law: StiffLimit, problem: &ContactProblem) -> Result<ProblemOutcome, ImpactError> {
    SeveralLaw::from(law).resolve(problem, &Tolerances::NOMINAL, &mut Unobserved)
}

fn effort(outcome: &ProblemOutcome) -> SpringEffort {
    match outcome.effort {
        Effort::Springs(effort) => effort,
        _ => panic!("another law's effort: {:?}", outcome.effort),
    }
}

/// Velocities after of equal balls in a row, the first of which comes at unit speed.
fn row(law: StiffLimit, e: &[f64]) -> Vec<f64> {
    let mut velocity = vec![0.0; e.len() + 1];
    velocity[0] = 1.0;
    let chain = Chain::new(vec![1.0; e.len() + 1], velocity, e.to_vec()).expect("a chain");
    let outcome = answer(law, chain.problem()).expect("an answer");
    chain.after(&outcome.impulse).expect("velocities").velocity
}

fn near(actual: &[f64], expected: &[f64], tolerance: f64) {
    for (a, b) in actual.iter().zip(expected) {
        assert!((a - b).abs() <= tolerance, "{actual:?}, not {expected:?}");
    }
}

/// A block of unit mass that cannot turn, on two points in the plane, which slides at 0.6 and falls at 1; all units are one.
pub(super) fn block() -> Dynamics {
    let contact = ContactSpec::new(2, Material::new(0.5, 0.5).expect("a material"));
    let jacobian = vec![0.0, 1.0, 1.0, 0.0, 0.0, 1.0, 1.0, 0.0];
    let mass = MassMatrix::Diagonal(vec![1.0, 1.0]);
    let system = Generalized::new(mass, vec![0.6, -1.0], jacobian, vec![contact; 2]);
    let system = system.expect("a system");
    let island = Island::new(system.problem(), &Tolerances::NOMINAL).expect("an island");
    Dynamics::new(Model::new(&StiffLimit::default(), &island))
}

/// The same pressed by 1/4 and 1/25: forces are 1/8 and 1/125.
pub(super) fn pressed_block() -> (Dynamics, State) {
    let mut dynamics = block();
    let mut state = State::new(dynamics.layout);
    dynamics.normal_mode.fill(NormalMode::Loading);
    state.indentations_mut().copy_from_slice(&[0.25, 0.04]);
    dynamics.evaluate(&state);
    (dynamics, state)
}

const LINEAR: StiffLimit = StiffLimit {
    exponent: 1.0,
    gaps: Gaps::Remember,
    hunt_crossley: None,
    accuracy: 1e-9,
    budget: f64::INFINITY,
};

/// Rows of elastic balls, by an independent integration to seven digits.
#[test]
fn rows_of_elastic_balls() {
    near(&row(LINEAR, &[1.0; 2]), &[-0.1302617, 0.1502296, 0.9800321], 1e-7);
    let hertz = StiffLimit::default();
    near(&row(hertz, &[1.0; 2]), &[-0.0709524, 0.0764030, 0.9945493], 1e-7);
    let five = [-0.0710850, -0.0302738, -0.0144636, 0.1270450, 0.9887774];
    near(&row(hertz, &[1.0; 4]), &five, 1e-7);
}

/// The first contact of three balls loses all: the limit of small `e` to six digits, and an error of the order `e`.
#[test]
fn without_restitution_it_is_the_limit_of_small_restitution() {
    let cases = [
        (LINEAR, [0.223316, 0.223316, 0.553368]),
        (StiffLimit::default(), [0.233003, 0.233003, 0.533994]),
    ];
    for (law, expected) in cases {
        let none = row(law, &[0.0, 1.0]);
        near(&none, &expected, 1e-6);
        near(&row(law, &[1e-3, 1.0]), &none, 2e-3);
    }
}

/// A ball between two walls that normal_mode it rings for ever.
#[test]
fn what_is_wedged_is_an_error() {
    let contact = ContactSpec::new(2, Material::new(0.1, 1.0).expect("a material"));
    #[rustfmt::skip]
    let delassus = [
        1.0, 0.0, -1.0, 0.0,
        0.0, 3.5, 0.0, 3.5,
        -1.0, 0.0, 1.0, 0.0,
        0.0, 3.5, 0.0, 3.5,
    ];
    let velocity = [-1.0, 0.0, 1.0, 0.0];
    let problem = ContactProblem::new(&delassus, &velocity, &[contact; 2]).expect("a problem");
    let error = answer(LINEAR, &problem).expect_err("it rings");
    assert_eq!(error.kind(), "limit", "{error}");
    // Without friction they hold both ways.
    let smooth = ContactSpec::new(1, Material::new(0.0, 1.0).expect("a material"));
    let delassus = [1.0, -1.0, -1.0, 1.0];
    let problem = ContactProblem::new(&delassus, &[-1.0, 1.0], &[smooth; 2]).expect("a problem");
    near(&answer(LINEAR, &problem).expect("an answer").velocity, &[0.0, 0.0], 1e-12);
}

/// Two contacts of a body that slides and has infinite friction at one: it sticks there, and energy is lost.
#[test]
fn infinite_friction_holds_while_it_presses() {
    let contacts = [0.2, f64::INFINITY]
        .map(|mu| ContactSpec::new(2, Material::new(mu, 0.5).expect("a material")));
    // A rod of unit mass and length two, its ends on the floor: coordinates x, y and the angle.
    let jacobian = vec![
        0.0, 1.0, -1.0, 1.0, 0.0, 0.0, //
        0.0, 1.0, 1.0, 1.0, 0.0, 0.0,
    ];
    let system = Generalized::new(
        MassMatrix::Diagonal(vec![1.0, 1.0, 1.0 / 3.0]),
        vec![0.7, -1.0, 0.0],
        jacobian,
        contacts.to_vec(),
    )
    .expect("a system");
    let outcome = answer(StiffLimit::default(), system.problem()).expect("an answer");
    assert!(outcome.velocity[3].abs() < 1e-9, "{:?}", outcome.velocity);
    assert!(outcome.velocity[0] > 0.0 && outcome.velocity[2] > 0.0, "{:?}", outcome.velocity);
}

/// One contact with damping goes its own way; without, it is Routh's. Weak damping is little less than elastic.
#[test]
fn damping_of_one_contact() {
    let contact = ContactSpec::new(3, Material::new(0.3, 1.0).expect("a material"));
    let delassus = [1.2, 0.1, 0.0, 0.1, 2.0, 0.2, 0.0, 0.2, 1.8];
    let problem =
        ContactProblem::new(&delassus, &[-1.0, 0.4, -0.3], &[contact]).expect("a problem");
    let elastic = answer(StiffLimit::default(), &problem).expect("an answer");
    let damped = |c: f64| {
        let law = StiffLimit { hunt_crossley: Some(c), ..StiffLimit::default() };
        answer(law, &problem).expect("an answer").velocity
    };
    near(&damped(0.0), &elastic.velocity, 1e-8);
    // Hunt and Crossley: e ≈ 1 − c u.
    let loss = elastic.velocity[0] - damped(0.01)[0];
    assert!((0.005..0.02).contains(&loss), "{loss}");
}

/// Two contacts of which one separates and is pushed back across the gap it has opened.
#[test]
fn gaps_are_remembered() {
    let contacts = [ContactSpec::new(1, Material::new(0.0, 1.0).expect("a material")); 2];
    let delassus = [1.0, -0.9, -0.9, 1.0];
    let problem = ContactProblem::new(&delassus, &[-1.0, 0.2], &contacts).expect("a problem");
    let after = |gaps| {
        let outcome = answer(StiffLimit { gaps, ..LINEAR }, &problem).expect("an answer");
        assert!(outcome.velocity.iter().all(|u| *u >= -1e-12), "{outcome:?}");
        outcome
    };
    let (kept, lost) = (after(Gaps::Remember), after(Gaps::Forget));
    assert!((kept.velocity[0] - lost.velocity[0]).abs() > 1e-2, "{kept:?} {lost:?}");
    assert_eq!(effort(&kept).smoothed, 0);
}
