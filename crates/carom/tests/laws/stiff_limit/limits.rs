//! Where its parameters end: no restitution, stiffnesses far apart, velocities that vanish.

use super::support::{accuracy, assert_close, chain, distance, exponent, material, stiff};

/// Three equal balls: the first contact plastic, the second elastic.
#[test]
fn a_plastic_contact_that_its_neighbour_presses() {
    for (power, expected) in
        [(1.0, [0.223316, 0.223316, 0.553368]), (1.5, [0.233003, 0.233003, 0.533994])]
    {
        let materials = [material(0.0, 0.0), material(0.0, 1.0)];
        let got = chain(&stiff([exponent(power)]), &[1.0; 3], &[1.0, 0.0, 0.0], &materials);
        assert_close(&got, &expected, 1.5e-6);
    }
}

/// Restitution that vanishes tends to none, with its first power, on chains of all kinds.
#[test]
fn restitution_may_vanish() {
    let chains: [(&[f64], &[f64], usize); 4] = [
        (&[1.0, 1.0, 1.0], &[1.0, 0.0, 0.0], 0),
        (&[1.0, 2.0, 0.5], &[1.0, 0.0, -0.5], 1),
        (&[1.0, 1.0, 1.0, 1.0], &[1.0, 0.0, 0.0, 0.0], 1),
        (&[3.0, 1.0, 2.0, 1.0], &[1.0, 0.0, 0.0, -1.0], 0),
    ];
    for (mass, velocity, plastic) in chains {
        for power in [1.0, 1.5] {
            let law = stiff([exponent(power), accuracy(1e-10)]);
            let after = |e: f64| {
                let mut materials = vec![material(0.0, 1.0); mass.len() - 1];
                materials[plastic] = material(0.0, e);
                chain(&law, mass, velocity, &materials)
            };
            let limit = after(0.0);
            let off = [0.3, 0.1, 0.03, 0.01].map(|e| distance(&after(e), &limit) / e);
            // Of three equal balls these are 0.37, 0.3, 0.27, 0.2; the last chain tends to 1.67.
            assert!(off.iter().all(|off| *off < 2.0), "{mass:?}, exponent {power}: {off:?}");
        }
    }
}

/// Ratios of stiffness lead from a sequence of collisions to a rigid pair.
#[test]
fn stiffness_leads_to_both_ends() {
    let with = |first: f64, second: f64| {
        let mut materials = [material(0.0, 1.0); 2];
        (materials[0].stiffness, materials[1].stiffness) = (first, second);
        chain(&stiff([exponent(1.0)]), &[1.0; 3], &[1.0, 0.0, 0.0], &materials)
    };
    assert_close(&with(1.0, 1.0), &[-0.1303, 0.1502, 0.9800], 2e-4);
    assert_close(&with(10.0, 1.0), &[-0.0118, 0.0120, 0.9999], 1e-4);
    assert_close(&with(100.0, 1.0), &[-0.0012, 0.0012, 1.0], 1e-4);
    assert_close(&with(1e4, 1.0), &[0.0, 0.0, 1.0], 1e-4);
    assert_close(&with(1.0, 1e8), &[-1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0], 1e-3);
}

/// Balls that are about to part, or nearly so: small changes of what they do lead to small changes of what comes out.
#[test]
fn answers_depend_continuously_on_velocities() {
    let sweep = |h: f64| {
        let velocity = [2.0, 0.0, -h, -2.0 * h, -3.0 * h];
        let got = chain(&stiff([]), &[1.0; 5], &velocity, &[material(0.0, 1.0); 4]);
        let energy = |v: &[f64]| v.iter().map(|v| 0.5 * v * v).sum::<f64>();
        assert!((energy(&got) - energy(&velocity)).abs() < 1e-9, "{h}");
        got
    };
    let still = sweep(0.0);
    assert_close(&still, &[-0.14217, -0.060548, -0.028927, 0.25409, 1.977555], 1e-5);
    assert_close(&sweep(1e-12), &still, 1e-9);
    assert_close(&sweep(1e-9), &still, 1e-7);
    let off = distance(&sweep(1e-6), &still);
    assert!((1e-6..1e-5).contains(&off), "{off:e}");
    assert_close(&sweep(5e-3), &[-0.145, -0.0716, -0.0446, 0.2545, 1.9767], 1e-4);
    assert_close(&sweep(2e-2), &[-0.1539, -0.1067, -0.0880, 0.2542, 1.9744], 1e-4);
}
