//! `Mosterman2003`: its tables and figures.

use crate::support::*;
use carom::outcome::{Ending, Note};
use serde_json::Value;
use std::path::Path;

/// Exact fractions, computed in some tens of roundings.
const ROUNDING: f64 = 1e-14;

fn mosterman() -> Law {
    law("mosterman", [])
}

type Sets = Vec<[Vec<usize>; 3]>;

/// The sets of every step: fresh, unfinished, ahead.
fn sets(seen: &Seen) -> Sets {
    let sets = |step: &StepRecord| match step {
        StepRecord::Round { fresh, unfinished, ahead } => {
            [fresh.clone(), unfinished.clone(), ahead.clone()]
        }
        other => panic!("{other:?}"),
    };
    seen.steps.iter().map(sets).collect()
}

/// Table 2 and Eq. (30), four equal masses, e = (1, 1/2, 1). Contacts count from 0 here, from 1 in the paper.
#[test]
fn table_2() {
    let seen = chain(&mosterman(), &[1.0; 4], &[1.0, 0.0, 0.0, 0.0], &[1.0, 0.5, 1.0]);
    assert_close(&seen.velocity, &[-1.0 / 7.0, 6.0 / 49.0, 12.0 / 49.0, 38.0 / 49.0], ROUNDING);
    let printed: Sets = vec![
        [vec![0], vec![], vec![1]],
        [vec![], vec![1], vec![2]],
        [vec![], vec![2], vec![1]],
        [vec![], vec![1], vec![]],
    ];
    assert_eq!(sets(&seen), printed);
    assert_eq!(seen.effort().ending, Ending::Finite);
}

/// The text below Table 2, e₂₃ = 0: a contact ahead that does not go on to collide, and no energy lost.
#[test]
fn a_contact_ahead_may_be_done() {
    let seen = chain(&mosterman(), &[1.0; 4], &[1.0, 0.0, 0.0, 0.0], &[1.0, 0.0, 1.0]);
    assert_close(&seen.velocity, &[-1.0 / 3.0, 2.0 / 9.0, 2.0 / 9.0, 8.0 / 9.0], ROUNDING);
    let expected: Sets = vec![[vec![0], vec![], vec![1]], [vec![2], vec![], vec![1]]];
    assert_eq!(sets(&seen), expected);
    assert!((seen.ratio - 1.0).abs() < ROUNDING);
}

/// Table 3, m₂ = 0.1, e = (1, 3/5, 1).
#[test]
fn table_3() {
    let seen = chain(&mosterman(), &[1.0, 0.1, 1.0, 1.0], &[1.0, 0.0, 0.0, 0.0], &[1.0, 0.6, 1.0]);
    let under = 39_493_575.0;
    let exact = [
        3_990_439.0 / under,
        11_328_352.0 / under,
        10_304.0 / 26_595.0,
        8_667_664.0 / 17_951_625.0,
    ];
    assert_close(&seen.velocity, &exact, ROUNDING);
    let printed: Sets = vec![
        [vec![0], vec![], vec![1]],
        [vec![], vec![1], vec![0, 2]],
        [vec![], vec![0, 2], vec![1]],
        [vec![], vec![1], vec![0]],
        [vec![], vec![0], vec![1]],
        [vec![], vec![1], vec![0, 2]],
        [vec![], vec![0, 2], vec![]],
    ];
    assert_eq!(sets(&seen), printed);
}

/// Eq. (27) in the reading of its footnote 4: a sequence is finished before new collisions begin. The other reading
/// gives (−14/17, 31/110, 273/935, 58/187, 58/187, 8/11).
#[test]
fn a_sequence_is_finished_first() {
    let mass = [1.0, 2.0, 1.0, 1.0, 3.0, 1.0];
    let seen =
        chain(&mosterman(), &mass, &[2.0, 0.0, 0.0, 0.0, 0.0, 0.0], &[1.0, 0.5, 0.5, 0.0, 1.0]);
    let exact = [
        -14.0 / 17.0,
        12_543.0 / 46_750.0,
        273.0 / 935.0,
        7398.0 / 23_375.0,
        7398.0 / 23_375.0,
        3408.0 / 4675.0,
    ];
    assert_close(&seen.velocity, &exact, ROUNDING);
    assert_eq!(seen.steps.len(), 8);
}

fn fraction(value: &Value) -> f64 {
    let text = value.as_str().expect("a fraction");
    let (over, under) = text.split_once('/').unwrap_or((text, "1"));
    over.parse::<f64>().expect("a number") / under.parse::<f64>().expect("a number")
}

/// Figs. 3, 4, 6 and 8 in exact fractions, those of Fig. 8 with the sets of every step.
#[test]
fn figures() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../golden/mosterman_figures.json");
    let text = std::fs::read_to_string(path).expect("the golden file");
    let file: Value = serde_json::from_str(&text).expect("JSON");
    let mut points = 0;
    for curve in file["curves"].as_array().expect("curves") {
        let law = Law::from_id(curve["law"].as_str().expect("a law")).expect("a law");
        let mass: Vec<f64> =
            curve["mass"].as_array().expect("masses").iter().filter_map(Value::as_f64).collect();
        let contact = curve["contact"].as_u64().expect("a contact") as usize;
        for point in curve["points"].as_array().expect("points") {
            let mut e = vec![1.0; mass.len() - 1];
            e[contact] = fraction(&point["e"]);
            let mut velocity = vec![0.0; mass.len()];
            velocity[0] = 1.0;
            let seen = chain(&law, &mass, &velocity, &e);
            let exact: Vec<f64> =
                point["velocity"].as_array().expect("velocities").iter().map(fraction).collect();
            assert_close(&seen.velocity, &exact, ROUNDING);
            if let Some(steps) = point.get("sets") {
                let printed: Sets = serde_json::from_value(steps.clone()).expect("sets");
                assert_eq!(sets(&seen), printed, "{law:?} at {e:?}");
            }
            points += 1;
        }
    }
    assert_eq!(points, 15 * 11);
}

fn figure_9(law: &Law, e: f64) -> Vec<f64> {
    chain(law, &[1.0, 0.1, 1.0, 1.0], &[1.0, 0.0, 0.0, 0.0], &[1.0, e, 1.0]).velocity
}

fn apart(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

/// Where a curve jumps, by bisection from steps of 1/1000: differences that do not shrink with the step.
fn jumps(law: &Law) -> Vec<f64> {
    let n = 1000;
    let mut found = Vec::new();
    for k in 0..n {
        let (mut low, mut high) = (f64::from(k) / f64::from(n), f64::from(k + 1) / f64::from(n));
        let (mut left, mut right) = (figure_9(law, low), figure_9(law, high));
        while high - low > 1e-12 {
            let middle = 0.5 * (low + high);
            let here = figure_9(law, middle);
            if apart(&left, &here) > apart(&here, &right) {
                (high, right) = (middle, here);
            } else {
                (low, left) = (middle, here);
            }
        }
        if apart(&left, &right) > 1e-6 {
            found.push(0.5 * (low + high));
        }
    }
    found
}

/// Fig. 9 jumps twice: at (√67 − 5)/20 and at 0.7361940261.
#[test]
fn figure_9_jumps_twice() {
    let found = jumps(&mosterman());
    assert_close(&found, &[(67_f64.sqrt() - 5.0) / 20.0, 0.736_194_026_1], 1e-10);
}

/// With a coupling speed it does not jump at all, and still loses no more energy than there is.
#[test]
fn a_coupling_speed_makes_figure_9_continuous() {
    assert!(jumps(&law("mosterman", [number("coupling_speed", 1.0)])).is_empty());
}

/// A coupling speed far below all speeds changes next to nothing away from the jumps.
#[test]
fn a_small_coupling_speed_is_none() {
    let small = law("mosterman", [number("coupling_speed", 1e-6)]);
    for e in [0.1, 0.3, 0.5, 0.65, 0.9] {
        assert_close(&figure_9(&small, e), &figure_9(&mosterman(), e), 1e-5);
    }
    // A single contact is Newton's at any speed.
    let slow = chain(
        &law("mosterman", [number("coupling_speed", 10.0)]),
        &[1.0, 2.0],
        &[1.0, 0.0],
        &[0.5],
    );
    assert_close(&slow.velocity, &[0.0, 0.5], ROUNDING);
}

/// `coupling` apart from `e`: three equal masses, e = 1. η = 0 is the sequence of collisions, (0, 0, 1); η = 1 glues the
/// second contact ahead of its collision: (−1/3, 2/3, 2/3), and it has nothing left to do.
#[test]
fn coupling_is_independent_of_e() -> Result<(), ImpactError> {
    let rows: [&[f64]; 2] = [&[-1.0, 1.0, 0.0], &[0.0, -1.0, 1.0]];
    for (eta, exact) in [
        (0.0, [0.0, 0.0, 1.0]),
        (1.0, [-1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0]),
        // c = W: N and P together give p = (8/7, 2/7), so (−1/7, 6/7, 2/7); then the second collides.
        (0.5, [-1.0 / 7.0, 2.0 / 7.0, 6.0 / 7.0]),
    ] {
        let mut two = materials(&[1.0, 1.0]);
        two[1].coupling = Some(eta);
        let seen = graph(&mosterman(), &[1.0; 3], &rows, &[1.0, 0.0, 0.0], &two)?;
        assert_close(&seen.velocity, &exact, ROUNDING);
    }
    Ok(())
}

/// Off chains one system in thousands gains energy; the clamp keeps it and says so.
#[test]
fn the_clamp_keeps_energy() -> Result<(), ImpactError> {
    let rows: [&[f64]; 4] =
        [&[-1.0, 1.0, 2.0], &[-1.0, -1.0, 2.0], &[1.0, -2.0, -1.0], &[2.0, 1.0, 2.0]];
    let e = materials(&[0.75, 1.0, 1.0, 1.0]);
    let (mass, velocity) = ([2.0, 1.0, 3.0], [-3.0, 0.0, -3.0]);
    let off = law("mosterman", [("energy_clamp", SettingValue::Switch(false))]);
    let seen = graph(&off, &mass, &rows, &velocity, &e)?;
    let exact = [121_527.0 / 50_836.0, -68_463.0 / 25_418.0, 38_178.0 / 12_709.0];
    assert_close(&seen.velocity, &exact, 8.0 * ROUNDING);
    assert!(!seen.outcome.notes.contains(Note::EnergyClamped));
    let seen = graph(&mosterman(), &mass, &rows, &velocity, &e)?;
    assert!((seen.ratio - 1.0).abs() < ROUNDING, "{}", seen.ratio);
    assert!(seen.outcome.notes.contains(Note::EnergyClamped));
    assert!(seen.outcome.velocity.iter().all(|u| *u > -ROUNDING));
    Ok(())
}

/// Masses (5, 1/2, 1/3, 2) collide for ever: ended on the limit, where contacts that collide do not move any more.
#[test]
fn an_endless_sequence_is_ended() {
    let seen =
        chain(&mosterman(), &[5.0, 0.5, 1.0 / 3.0, 2.0], &[3.0, 3.0, 1.0, 0.0], &[0.5, 0.25, 0.5]);
    assert_eq!(seen.effort().ending, Ending::Projected);
    assert!(seen.outcome.notes.contains(Note::Projection));
    assert!(seen.outcome.velocity.iter().all(|u| *u >= -1e-14), "{:?}", seen.outcome.velocity);
}

/// A body between two walls struck by a ball, `e = (1, 0, 1)`: rebounding from one wall contradicts the other, to which
/// it is glued. The walls hold it: the ball rebounds as from a wall.
#[test]
fn opposed_contacts_hold() -> Result<(), ImpactError> {
    let rows: [&[f64]; 3] = [&[-1.0, 1.0], &[0.0, 1.0], &[0.0, -1.0]];
    for e in [[1.0, 0.0, 1.0], [1.0, 1.0, 1.0]] {
        let seen = graph(&mosterman(), &[1.0, 1.0], &rows, &[1.0, 0.0], &materials(&e))?;
        assert_close(&seen.velocity, &[-1.0, 0.0], ROUNDING);
        assert!(seen.outcome.impulse.iter().all(|p| *p >= 0.0), "{:?}", seen.outcome.impulse);
    }
    Ok(())
}
