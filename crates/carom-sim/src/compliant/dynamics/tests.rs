//! Slopes against differences, accelerations against joints.

use super::frame::dot;
use super::*;
use crate::compliant::mechanism::Mechanism;
use crate::compliant::model::Stribeck;
use crate::compliant::{Frozen, Pendulum, RigidBodies};
use carom::system::{Bodies, Body, BodyContact, Inertia, Joint, JointKind, Motion, Orientation};
use carom::{ContactSpec, ImpactError, Material};

const SOFT: CompliantContact = CompliantContact {
    stiffness: 50.0,
    dissipation: 0.1,
    friction: Stribeck { at_rest: 0.5, sliding: 0.3, viscous: 0.02, transition_speed: 0.7 },
};

/// A turning ground, a body on it, and another on a joint.
fn scene(kind: JointKind) -> Result<Bodies, ImpactError> {
    let body = |name: &str, motion: Motion, position: [f64; 3], velocity: [f64; 3]| Body {
        name: name.into(),
        motion,
        position: position.to_vec(),
        orientation: Orientation::Quaternion([0.8, 0.1, -0.5, 0.3]),
        velocity: velocity.to_vec(),
        angular_velocity: vec![0.3, -0.4, 0.9],
    };
    let free =
        |mass: f64, moments: [f64; 3]| Motion::Free { mass, inertia: Inertia::Principal(moments) };
    let bodies = vec![
        body("ground", Motion::Fixed, [0.1, 0.0, -0.2], [0.1, 0.2, 0.3]),
        body("one", free(2.0, [0.3, 0.4, 0.6]), [0.0, 0.1, 0.5], [1.0, -0.5, -2.0]),
        body("two", free(1.0, [0.2, 0.1, 0.15]), [0.8, 0.2, 0.7], [0.4, 0.6, -1.0]),
    ];
    let axis = matches!(kind, JointKind::Hinge | JointKind::Slider).then(|| vec![0.2, 1.0, -0.4]);
    let joint = Joint { kind, a: 1, b: 2, point: vec![0.5, 0.1, 0.6], axis };
    let contact = |a, b, point: [f64; 3], normal: [f64; 3]| -> Result<_, ImpactError> {
        let spec = ContactSpec::new(3, Material::new(0.5, 1.0)?);
        let (point, normal) = (point.to_vec(), normal.to_vec());
        Ok(BodyContact { a, b, point, normal, tangent: None, spec })
    };
    let contacts = vec![
        contact(0, 1, [0.1, 0.0, 0.0], [0.1, 0.2, 1.0])?,
        contact(1, 2, [0.4, 0.3, 0.6], [1.0, 0.3, 0.2])?,
    ];
    Bodies::new(bodies, vec![joint], contacts)
}

/// Slopes of everything by everything, against central differences of the right-hand side.
fn check_jacobian<M: Mechanism>(mechanism: &M, what: &str) {
    let count = mechanism.size().contacts.len();
    let contacts = vec![SOFT; count];
    for exponent in [Exponent::Linear, Exponent::Hertz] {
        let mut dynamics = Dynamics::new(mechanism, &contacts, exponent);
        let n = dynamics.layout.unknowns();
        let mechanics = dynamics.layout.mechanics();
        let (q, v) = mechanism.start();
        let mut y = vec![0.0; n];
        y[dynamics.layout.q()].copy_from_slice(&q);
        y[dynamics.layout.v()].copy_from_slice(&v);
        let mut slope = vec![0.0; n];
        // Into the contacts, along the motion.
        dynamics.slope(&y, &mut slope);
        for i in 0..mechanics {
            y[i] += 0.05 * slope[i];
        }
        dynamics.modes = vec![Mode::Loaded; count];
        dynamics.difference = vec![1e-7; mechanics];
        let mut jacobian = vec![f64::NAN; n * n];
        dynamics.system(&y, &mut slope, &mut jacobian);
        let size = jacobian.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
        let (mut more, mut less) = (vec![0.0; n], vec![0.0; n]);
        for j in 0..n {
            let step = 1e-5;
            let mut moved = y.clone();
            moved[j] = y[j] + step;
            dynamics.slope(&moved, &mut more);
            moved[j] = y[j] - step;
            dynamics.slope(&moved, &mut less);
            for i in 0..dynamics.layout.supplied() {
                let expected = (more[i] - less[i]) / (2.0 * step);
                let found = jacobian[i * n + j];
                assert!(
                    (found - expected).abs() < 1e-6 * size,
                    "{what} {exponent:?}: slope {i} by {j}: {found} {expected}"
                );
            }
        }
    }
}

#[test]
fn jacobians_are_those_of_the_motion() -> Result<(), ImpactError> {
    for kind in [JointKind::Ball, JointKind::Hinge, JointKind::Slider, JointKind::Weld] {
        let bodies = scene(kind)?;
        let moving = RigidBodies::new(&bodies, 0.2).with_gravity([0.0, 0.0, -9.81]);
        check_jacobian(&moving, &format!("{kind:?}"));
    }
    check_jacobian(&Frozen::new(scene(JointKind::Ball)?.problem())?, "frozen");
    let mut pendulum = Pendulum::uchida_sherman_delp();
    pendulum.height = 1.45;
    pendulum.rates = vec![0.5, -2.0, -1.0];
    check_jacobian(&pendulum, "pendulum");
    Ok(())
}

/// Along a free motion, gaps change as their rates say and joint rows keep their velocities.
#[test]
fn accelerations_keep_joints_and_gaps_follow_velocities() -> Result<(), ImpactError> {
    for kind in [JointKind::Ball, JointKind::Hinge, JointKind::Slider, JointKind::Weld] {
        let bodies = scene(kind)?;
        let mechanism = RigidBodies::new(&bodies, 0.2).with_gravity([0.0, 1.0, -9.81]);
        let contacts = vec![SOFT; 2];
        let mut dynamics = Dynamics::new(&mechanism, &contacts, Exponent::Hertz);
        let n = dynamics.layout.unknowns();
        let (q, v) = mechanism.start();
        let mut y = vec![0.0; n];
        y[dynamics.layout.q()].copy_from_slice(&q);
        y[dynamics.layout.v()].copy_from_slice(&v);
        let mut slope = vec![0.0; n];
        // A little on its way, so that nothing is where it was placed.
        for _ in 0..10 {
            dynamics.slope(&y, &mut slope);
            y.iter_mut().zip(&slope).for_each(|(y, s)| *y += 0.01 * s);
        }
        dynamics.slope(&y, &mut slope);
        let rates: Vec<f64> = (0..2).map(|k| dynamics.u(k)[0]).collect();
        let step = 1e-6;
        let mut sides = [-step, step].map(|h| {
            let moved: Vec<f64> = y.iter().zip(&slope).map(|(y, s)| y + h * s).collect();
            dynamics.evaluate(&moved);
            let joints = dynamics.frame.joints.rows.chunks_exact(12);
            let held: Vec<f64> = joints.map(|row| dot(row, &moved[dynamics.layout.v()])).collect();
            (held, dynamics.frame.geometry.gap.clone())
        });
        let (less, more) = (std::mem::take(&mut sides[0]), std::mem::take(&mut sides[1]));
        for (a, b) in less.0.iter().zip(&more.0) {
            assert!((b - a).abs() / (2.0 * step) < 1e-8, "{kind:?}: {a} {b}");
        }
        for (k, (a, b)) in less.1.iter().zip(&more.1).enumerate() {
            let rate = (b - a) / (2.0 * step);
            assert!((rate - rates[k]).abs() < 1e-8, "{kind:?}, gap {k}: {rate} {}", rates[k]);
        }
    }
    Ok(())
}
