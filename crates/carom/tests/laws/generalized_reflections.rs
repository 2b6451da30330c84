//! `Smith2012`: reflections.

use crate::support::*;
use carom::outcome::Ending;

const ROUNDING: f64 = 1e-14;

fn reflections(c: f64) -> Law {
    law("generalized-reflections", [number("restitution", c)])
}

/// a of n equal balls arrive, a leave.
#[test]
fn the_cradle() {
    for (n, a) in [(5, 1), (5, 2), (6, 4)] {
        let arrive: Vec<f64> = (0..n).map(|k| if k < a { 1.0 } else { 0.0 }).collect();
        let leave: Vec<f64> = (0..n).map(|k| if k < n - a { 0.0 } else { 1.0 }).collect();
        let seen = chain(&reflections(1.0), &vec![1.0; n], &arrive, &vec![1.0; n - 1]);
        assert_close(&seen.velocity, &leave, 4.0 * ROUNDING);
        assert_eq!(seen.effort().ending, Ending::Finite);
    }
}

/// Masses (1, 2, 1, 1): reflections, then their mixture with the inelastic answer.
#[test]
fn reflections_and_their_relaxation() {
    let (mass, velocity, e) = ([1.0, 2.0, 1.0, 1.0], [2.0, 1.0, 0.0, 0.0], [1.0; 3]);
    let full = chain(&reflections(1.0), &mass, &velocity, &e);
    assert_close(&full.velocity, &[0.0, 1.0 / 3.0, 4.0 / 3.0, 2.0], ROUNDING);
    assert!((full.ratio - 1.0).abs() < ROUNDING);
    let sets: Vec<&[usize]> = full
        .steps
        .iter()
        .map(|step| match step {
            StepRecord::Reflection { contacts } => contacts.as_slice(),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(sets[0], [0, 1]);
    // Inelastic: all move with their common velocity 4/5.
    let half = chain(&reflections(0.5), &mass, &velocity, &e);
    let mixed = full.velocity.iter().map(|v| 0.5 * v + 0.4).collect::<Vec<_>>();
    assert_close(&half.velocity, &mixed, ROUNDING);
}

/// Rows 1 and 2 oppose each other: reflections that treat them as if they could open come back to where they were.
#[test]
fn opposed_contacts_hold() -> Result<(), ImpactError> {
    let rows: [&[f64]; 4] =
        [&[1.0, 0.0, -2.0], &[0.0, -2.0, 2.0], &[0.0, 2.0, -2.0], &[-2.0, 0.0, 0.0]];
    let e = materials(&[1.0; 4]);
    let seen = graph(&reflections(1.0), &[3.0, 5.0, 4.0], &rows, &[2.0; 3], &e)?;
    assert_close(&seen.velocity, &[-2.0; 3], 4.0 * ROUNDING);
    assert_eq!((seen.effort().iterations, seen.steps.len()), (1, 1));
    // Any multiple of (0, 1, 1, 0) may be added: the smallest push at the opposed contacts.
    assert_close(&seen.outcome.impulse, &[18.0, 10.0, 0.0, 15.0], 1e-13);
    Ok(())
}

/// A body between two walls goes nowhere, and the walls push, not pull.
#[test]
fn a_body_between_walls_stops() -> Result<(), ImpactError> {
    let rows: [&[f64]; 2] = [&[1.0], &[-1.0]];
    let seen = graph(&reflections(1.0), &[1.0], &rows, &[-1.0], &materials(&[1.0; 2]))?;
    assert_close(&seen.velocity, &[0.0], ROUNDING);
    assert_close(&seen.outcome.impulse, &[1.0, 0.0], ROUNDING);
    Ok(())
}
