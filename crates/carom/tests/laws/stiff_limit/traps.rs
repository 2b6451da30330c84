//! The traps on the way of a law that goes from event to event, each with the problem that falls into it.

use super::support::{
    FINE, Raw, accuracy, assert_close, chain, distance, effort, exponent, gaps, material, norm, of,
    resolve, stiff,
};
use carom::{ContactSpec, Restitution};
use carom_testkit::Rng;
use carom_testkit::generate::frictional::{FrictionalKind, frictional_of, landing};
use carom_testkit::laws::{resolve_several, try_several};
use carom_testkit::oracle::smoothed::{Springs, limit};
use carom_testkit::reference;

/// Steps that an impact of four contacts may take at [`FINE`]: some hundreds are usual, a collapse takes hundreds of
/// thousands \[1\].
const STEPS: u64 = 5_000;
/// What elimination leaves of the smoothing of the oracle, relative to the speed \[1\].
const LEFT: f64 = 1e-7;

fn brick(seed: u64, i: u64, contacts: usize, mu: f64, e: f64) -> Raw {
    let mut raw = Raw::of(&landing(&mut Rng::for_item(seed, i), contacts).problem());
    raw.specs.iter_mut().for_each(|spec| spec.material = material(mu, e));
    raw
}

#[track_caller]
fn assert_oracle(raw: &Raw, got: &[f64]) {
    let Some(wanted) = limit(&raw.problem(), &Springs::default()) else {
        panic!("the oracle has no answer")
    };
    let off = distance(got, &wanted.velocity) / norm(&raw.u);
    assert!(off <= LEFT, "{off:.1e}");
}

/// Trap 1: All points of a body stop at the same instant: one by one they would creep for ever.
#[test]
fn points_of_a_body_stop_together() {
    for i in 0..6 {
        let raw = brick(0x96, i, 4, 2.0, 0.7);
        let outcome = resolve(&stiff([]), &raw);
        assert!(effort(&outcome).steps < STEPS, "{i}: {:?}", effort(&outcome));
        assert_oracle(&raw, &outcome.velocity);
    }
}

/// Trap 2: Slip that begins turns fast: an explicit method would need a hundred thousand steps.
#[test]
fn leaving_stick_is_stiff() {
    let mut stiff_steps = 0;
    for i in 0..20 {
        let raw = brick(0x1ea, i, 2, 0.4, 0.8);
        let outcome = resolve(&stiff([]), &raw);
        let effort = effort(&outcome);
        assert!(effort.steps < STEPS, "{i}: {effort:?}");
        stiff_steps += effort.stiff_steps;
    }
    assert!(stiff_steps > 0, "no contact began to slip");
}

/// Trap 3: The slip at which it begins is far below what the whole answer is asked for: its direction must be found all the
/// same, else the answer is off by 2e-4 at any accuracy.
#[test]
fn accuracy_is_that_of_the_answer() {
    for i in 0..30 {
        let raw = brick(0xa70, i, [2, 4][i as usize % 2], 0.5, 0.8);
        let exact = resolve(&stiff([]), &raw).velocity;
        for asked in [1e-4, 1e-6, 1e-8] {
            let got = resolve(&stiff([accuracy(asked)]), &raw).velocity;
            let off = distance(&got, &exact) / norm(&raw.u);
            assert!(off <= 30.0 * asked, "{i}, asked {asked:.0e}: {off:.1e}");
        }
    }
}

/// Trap 4: A step may jump over a stop: slip that would turn round by more than a right angle has stopped in between.
#[test]
fn stops_are_not_jumped_over() {
    for i in 0..30 {
        // Slip that friction just about stops.
        let mut raw = brick(0x57, i, 2, 0.3, 0.9);
        for row in raw.first() {
            raw.u[row + 1] *= 0.05;
            raw.u[row + 2] *= 0.05;
        }
        let exact = resolve(&stiff([]), &raw).velocity;
        let rough = resolve(&stiff([accuracy(1e-3)]), &raw).velocity;
        let off = distance(&rough, &exact) / norm(&raw.u);
        assert!(off <= 3e-2, "{i}: {off:.1e}");
    }
}

/// Trap 5: Contacts that rest are loaded with nothing from the start, or a row of balls is a cascade of events at one instant.
#[test]
fn resting_contacts_take_part() {
    let velocity = [1.0, 0.0, 0.0, 0.0, 0.0];
    let raw = Raw::chain(&[1.0; 5], &velocity, &[material(0.0, 1.0); 4]);
    let outcome = resolve(&stiff([]), &raw);
    assert!(effort(&outcome).events < 40, "{:?}", effort(&outcome));
    assert!(outcome.impulse.iter().all(|p| *p > 0.5), "{:?}", outcome.impulse);
}

/// Trap 6: The least friction that holds redundant points may leave a disk where another holds them all inside.
#[test]
fn redundant_points_hold_if_any_friction_holds() {
    for i in 0..6 {
        let mut raw = brick(0x4e1d, i, 8, 1.0, 0.6);
        // Springs that differ make the least friction leave its disks first at the soft ones.
        let mut rng = Rng::for_item(0x4e1e, i);
        raw.specs.iter_mut().for_each(|s| s.material.stiffness = rng.log_uniform(0.03, 30.0));
        let outcome = resolve(&stiff([]), &raw);
        assert_oracle(&raw, &outcome.velocity);
    }
}

/// Trap 7: At the start all forces are zero, and so may slips be.
#[test]
fn the_first_step_divides_by_nothing() {
    for slip in [0.0, 1e-300, 1e-20, 1e-12] {
        let mut raw = brick(0xf1, 0, 4, 0.5, 0.8);
        for row in raw.first() {
            (raw.u[row], raw.u[row + 1], raw.u[row + 2]) = (-1.0, slip, 0.0);
        }
        let outcome = resolve(&stiff([]), &raw);
        assert!(outcome.velocity.iter().all(|u| u.is_finite()), "{slip}");
        assert!(outcome.velocity.iter().step_by(3).all(|u| *u >= -1e-9), "{slip}");
    }
}

/// Trap 8: A contact that closes long after everything else: the flight there takes no steps.
///
/// The first ball is stopped by the second but for a third of its speed; the third is such that the second comes back
/// with almost that speed.
#[test]
fn late_closures_are_flown_to() {
    for slow in [1e-2, 3e-3] {
        let back = 0.25 - 0.75 * slow;
        let third = 0.5 * (1.0 - back) / (1.0 + back);
        let mut materials = [material(0.0, 1.0); 2];
        materials[0].stiffness = 1e6;
        let (mass, velocity) = ([1.0, 0.5, third], [1.0, 0.0, 0.0]);
        let outcome = resolve(&stiff([]), &Raw::chain(&mass, &velocity, &materials));
        assert!(effort(&outcome).late > 0, "{slow}: {:?}", effort(&outcome));
        assert!(effort(&outcome).steps < STEPS, "{slow}: {:?}", effort(&outcome));
        // By collisions one after the other.
        let hit = |[m, n]: [f64; 2], [v, w]: [f64; 2]| {
            let p = 2.0 * (v - w) / (1.0 / m + 1.0 / n);
            [v - p / m, w + p / n]
        };
        let [a, b] = hit([1.0, 0.5], [1.0, 0.0]);
        let [b, c] = hit([0.5, third], [b, 0.0]);
        let [a, b] = hit([1.0, 0.5], [a, b]);
        let after = chain(&stiff([]), &mass, &velocity, &materials);
        assert_close(&after, &[a, b, c], 1e-4);
    }
}

/// Trap 9: Contacts on the edge of their disks: those that slip must be told from those that do not, or they stop and slip in turn.
#[test]
fn stacks_do_not_chatter() {
    let stacks = reference::stiff().into_iter().filter(|line| line.id.contains("stack"));
    for line in stacks {
        let outcome = resolve_several(&of(&line.springs), &line.problem);
        let effort = effort(&outcome);
        assert!(effort.events < 300 && effort.smoothed <= 5, "{}: {effort:?}", line.id);
    }
}

/// Trap 10: Where contacts chatter all the same, friction is smoothed for a while, that is told, and all is answered.
#[test]
fn chatter_is_ended_and_told() {
    let mut smoothed = 0;
    for i in 0..60 {
        let sample = frictional_of(FrictionalKind::Stack, &mut Rng::for_item(0xc4a7, i));
        let mut raw = Raw::of(&sample.problem());
        for spec in &mut raw.specs {
            let e = spec.material.restitution.at(1.0).max(0.1);
            spec.material.restitution = Restitution::Constant(e);
        }
        for remember in [false, true] {
            let law = stiff([gaps(remember), accuracy(1e-8)]);
            let outcome = try_several(&law, &raw.problem())
                .unwrap_or_else(|error| panic!("{i}, {remember}: {error}; {sample:?}"));
            smoothed += u64::from(effort(&outcome).smoothed > 0);
            let p = &outcome.impulse;
            let gain = raw.energy_change(p) / (norm(p) * norm(&raw.u));
            assert!(gain <= 1e-9, "{i}, {remember}: {gain:.1e}");
        }
    }
    // Rare.
    assert!(smoothed <= 6, "{smoothed} of 120");
}

/// Trap 11: Expansion is faster by 1/e: small coefficients need no more steps for that.
#[test]
fn small_coefficients_do_not_shrink_steps() {
    for e in [0.1, 0.02, 0.01, 1e-3, 1e-6, 0.0] {
        let raw = brick(0xe5, 1, 4, 0.4, e);
        let outcome = resolve(&stiff([]), &raw);
        assert!(effort(&outcome).steps < STEPS, "{e}: {:?}", effort(&outcome));
        let p = &outcome.impulse;
        assert!(raw.energy_change(p) < 0.0 && outcome.velocity.iter().all(|u| u.is_finite()));
    }
}

/// The jam of one contact in two parts, grazing exactly: nothing happens, as springs have it.
#[test]
fn exact_grazing_stays_untouched() {
    let one = Raw {
        w: vec![vec![1.0, -1.2], vec![-1.2, 2.0]],
        u: vec![0.0, -1.0],
        specs: vec![ContactSpec::new(2, material(1.2, 0.7))],
    };
    for power in [1.0, 1.5] {
        let law = stiff([exponent(power), accuracy(FINE)]);
        assert_eq!(resolve(&law, &one.pick(&[0, 0])).impulse, [0.0; 4]);
    }
}
