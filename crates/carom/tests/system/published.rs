//! Systems whose matrix is known: Kane's double pendulum, the corner of a box.

use crate::support::*;
use carom::ImpactError;
use carom::system::{Bodies, Body, Generalized, Inertia, JointKind, MassMatrix, Orientation};

/// Half a unit of the fifth decimal, the last one published.
const FIVE_DECIMALS: f64 = 0.5e-5;

/// Angles from the vertical \[rad\] and their rates [rad/s] in Kane's double pendulum.
const ANGLES: [f64; 2] = [std::f64::consts::PI / 9.0, std::f64::consts::PI / 6.0];
const RATES: [f64; 2] = [-0.1, -0.2];

/// Kane's double pendulum in its two angles: rods of 1 m and 1 kg, the tip strikes the floor; t = +x.
fn kane_generalized() -> Result<Generalized, ImpactError> {
    let [a, b] = ANGLES;
    let coupling = 0.5 * (a - b).cos();
    Generalized::new(
        MassMatrix::Dense(vec![4.0 / 3.0, coupling, coupling, 1.0 / 3.0]),
        RATES.to_vec(),
        vec![a.sin(), b.sin(), a.cos(), b.cos()],
        vec![spec(2)?],
    )
}

/// The same as two planar bodies, pinned to the ceiling and to each other.
fn kane_bodies() -> Result<Bodies, ImpactError> {
    let along = ANGLES.map(|a| [a.sin(), -a.cos()]);
    let across = ANGLES.map(|a| [a.cos(), a.sin()]);
    let elbow = along[0];
    let tip = [elbow[0] + along[1][0], elbow[1] + along[1][1]];
    let rod = |centre: [f64; 2], velocity: [f64; 2], rate: f64| Body {
        velocity: velocity.to_vec(),
        angular_velocity: vec![rate],
        ..free(1.0, Inertia::Planar(1.0 / 12.0), &centre)
    };
    let [first, second] = RATES;
    let upper = rod(elbow.map(|x| 0.5 * x), across[0].map(|x| 0.5 * first * x), first);
    let lower = rod(
        std::array::from_fn(|i| elbow[i] + 0.5 * along[1][i]),
        std::array::from_fn(|i| first * across[0][i] + 0.5 * second * across[1][i]),
        second,
    );
    let mut strike = contact(0, 2, &tip, &[0.0, 1.0])?;
    strike.tangent = Some(vec![1.0, 0.0]);
    Bodies::new(
        vec![ground(), upper, lower],
        vec![
            joint(JointKind::Hinge, 0, 1, &[0.0, 0.0], None),
            joint(JointKind::Ball, 1, 2, &elbow, None),
        ],
        vec![strike],
    )
}

#[track_caller]
fn assert_published(got: &[f64], published: &[f64]) {
    assert_eq!(got.len(), published.len());
    for (x, y) in got.iter().zip(published) {
        assert!((x - y).abs() <= FIVE_DECIMALS, "{got:?} {published:?}");
    }
}

#[test]
fn kane_double_pendulum_has_the_published_matrix() -> Result<(), ImpactError> {
    let kane = kane_generalized()?;
    let published = [1.00956, 1.52131, 1.52131, 2.44034];
    assert_published(&delassus(kane.problem()), &published);
    assert_published(kane.problem().velocity(), &[-0.13420, -0.26717]);
    Ok(())
}

#[test]
fn kane_double_pendulum_from_bodies_and_joints_is_the_same() -> Result<(), ImpactError> {
    let (posed, bodies) = (kane_generalized()?, kane_bodies()?);
    let (a, b) = (posed.problem(), bodies.problem());
    assert_close(&delassus(b), &delassus(a), CLOSE);
    assert_close(b.velocity(), a.velocity(), CLOSE);
    let impulse = [0.2, -0.03];
    let (x, y) = (posed.after(&impulse)?, bodies.after(&impulse)?);
    let rates = [1, 2].map(|i: usize| y.bodies[i].angular_velocity[0]);
    assert_close(&rates, &x.velocity, CLOSE);
    let difference = x.kinetic_energy_change - y.kinetic_energy_change;
    assert!(difference.abs() <= CLOSE * x.kinetic_energy_change.abs());
    assert!(y.bilateral_residual < CLOSE && y.momentum_residual < CLOSE);
    assert_eq!(y.bodies[0].velocity, [0.0, 0.0]);
    Ok(())
}

#[test]
fn the_joint_impulses_balance_each_rod() -> Result<(), ImpactError> {
    // Newton's law of each rod, from the joint impulses alone: λ acts on body B of its joint, −λ on body A.
    let bodies = kane_bodies()?;
    let (before, after) = (bodies.after(&[0.0, 0.0])?, bodies.after(&[0.2, -0.03])?);
    let pins = &after.bilateral_impulse;
    for (i, struck) in [-0.03, 0.2].into_iter().enumerate() {
        let change = |k: usize| after.bodies[k].velocity[i] - before.bodies[k].velocity[i];
        assert!((change(1) - (pins[i] - pins[2 + i])).abs() < CLOSE);
        assert!((change(2) - (pins[2 + i] + struck)).abs() < CLOSE);
    }
    Ok(())
}

#[test]
fn box_corner_has_the_published_matrix() -> Result<(), ImpactError> {
    // Square of side 0.2, m = 1, I = m a²/6, tilted by 30°; its lowest corner is struck, v = (1, −1), t = +x.
    let (sin, cos) = (0.5, 0.75_f64.sqrt());
    let corner = [0.1 * (sin - cos), -0.1 * (sin + cos)];
    let square = Body {
        orientation: Orientation::Angle(std::f64::consts::PI / 6.0),
        velocity: vec![1.0, -1.0],
        ..free(1.0, Inertia::Planar(0.04 / 6.0), &[0.0, 0.0])
    };
    let strike = |tangent| {
        let mut strike = contact(0, 1, &corner, &[0.0, 2.0])?;
        strike.tangent = tangent;
        Bodies::new(vec![ground(), square.clone()], vec![], vec![strike])
    };
    let system = strike(Some(vec![3.0, 0.0]))?;
    let published = [1.20096, -0.75, -0.75, 3.79904];
    assert_published(&delassus(system.problem()), &published);
    assert_eq!(system.problem().velocity(), &[-1.0, 1.0]);

    // By default the tangent is the normal turned by +90°: here −x.
    let system = strike(None)?;
    let mirrored = [1.20096, 0.75, 0.75, 3.79904];
    assert_published(&delassus(system.problem()), &mirrored);
    assert_eq!(system.problem().velocity(), &[-1.0, -1.0]);
    Ok(())
}
