//! Velocities and accelerations against differences of positions and velocities, on chains of all joints.

use super::*;
use crate::motion::vector::normalised;

/// Free or moved – ball – slider – hinge – ball – slider, with a hinge that hangs backwards, a weld, and everything that
/// acts, at random places.
pub(super) fn chain(dimension: Dimension, moved: bool, seed: u64) -> Scene {
    let random = &mut Random(seed);
    let mut scene = Scene::new(dimension);
    let planar = dimension == Dimension::Plane;
    let flat = |x: V3| if planar { [x.x, x.y, 0.0] } else { x.into() };
    let mut place = V3::zeros();
    for body in 0..8 {
        let name = format!("body {body}");
        place += random.vector() + V3::new(0.7, 0.2, -0.1);
        let [a, b] = [1.5 + random.next(), 1.5 + random.next()].map(|x| 0.05 * x);
        let mut inertia = diagonal(a, b, 0.8 * (a + b));
        (inertia[0][1], inertia[1][0]) = (0.01, 0.01);
        let moving = SceneBody::moving(name, 1.5 + random.next(), inertia);
        scene.bodies.push(SceneBody {
            position: flat(place),
            orientation: if planar {
                Turn::Angle(3.0 * random.next())
            } else {
                let [x, y] = [random.vector(), random.vector()];
                Turn::Quaternion(normalised([x.x, x.y, x.z, y.x]))
            },
            ..moving
        });
    }
    if moved {
        let motion =
            Prescribed::Sine { amplitude: flat(random.vector() * 0.3), frequency: 0.9, phase: 0.4 };
        scene.bodies[0].kind = BodyKind::Fixed { motion };
    }
    use SceneJointKind::{Ball, Hinge, Slider, Weld};
    let joints = [
        (Ball, 0, 1),
        (Slider, 1, 2),
        (Hinge, 2, 3),
        (Ball, 3, 4),
        (Slider, 5, 4),
        (Hinge, 6, 2),
        (Weld, 4, 7),
    ];
    for (kind, a, b) in joints {
        let near = V3::from(scene.bodies[b].position) + random.vector() * 0.5;
        let mut joint = SceneJoint::new(kind, a, b, flat(near), flat(random.vector()));
        if matches!(kind, Hinge | Slider) {
            joint.stiffness = 3.0 + random.next();
            joint.damping = 0.3;
            joint.rest = random.next();
            joint.torque = random.next();
        }
        scene.joints.push(joint);
    }
    for (a, b, length) in [(1, 5, Some(0.8)), (0, 6, None), (3, 6, Some(0.0))] {
        scene.springs.push(Spring {
            a,
            b,
            point_a: flat(V3::from(scene.bodies[a].position) + random.vector() * 0.3),
            point_b: flat(V3::from(scene.bodies[b].position) + random.vector() * 0.3),
            stiffness: 20.0,
            damping: 0.5,
            length,
        });
    }
    for body in [2, 5, 7] {
        let torque = random.vector();
        scene.forces.push(Force {
            body,
            force: flat(random.vector()),
            point: flat(random.vector()),
            torque: if planar { [0.0, 0.0, torque.z] } else { torque.into() },
        });
    }
    // Velocities that fit the joints: at rest, but with what moves the first body.
    if moved {
        let BodyKind::Fixed { motion } = scene.bodies[0].kind else { unreachable!() };
        let [offset, velocity, _] = prescribed(&motion, 0.0);
        let at = V3::from(scene.bodies[0].position) - offset;
        scene.bodies[0].position = at.into();
        scene.bodies.iter_mut().skip(1).for_each(|body| body.velocity = velocity.into());
    }
    scene
}

/// The same with inertia of their own for hinges and sliders.
pub(super) fn with_armatures(mut scene: Scene) -> Scene {
    use SceneJointKind::{Hinge, Slider};
    for (k, joint) in scene.joints.iter_mut().enumerate() {
        if matches!(joint.kind, Hinge | Slider) {
            joint.armature = 0.07 * (k + 1) as f64;
        }
    }
    scene
}

/// A state that is not that at t = 0.
pub(super) fn stir(assembly: &Assembly, random: &mut Random) -> (Vec<f64>, Vec<f64>) {
    let (mut q, mut v) = assembly.start();
    let delta: Vec<f64> = v.iter().map(|_| random.next()).collect();
    assembly.displace(&mut q, &delta);
    v.iter_mut().for_each(|v| *v = 2.0 * random.next());
    (q, v)
}

/// Positions after a time `s` in which velocities grow evenly: a step of order 8, much shorter than anything changes.
fn after(
    assembly: &Assembly,
    q: &[f64],
    v: &[f64],
    growth: &[f64],
    s: f64,
) -> (Vec<f64>, Vec<f64>) {
    let at = |s: f64| -> Vec<f64> { v.iter().zip(growth).map(|(v, a)| v + a * s).collect() };
    let n = q.len();
    let mut slope = |y: &[f64], out: &mut [f64]| {
        assembly.position_rates(&y[..n], &at(y[n]), &mut out[..n]);
        out[n] = 1.0;
    };
    let mut method = Dop853::default();
    method.resize(n + 1);
    method.start[..n].copy_from_slice(q);
    method.begin(&mut slope);
    method.step(s, &mut slope);
    (method.end[..n].to_vec(), at(s))
}

/// The rate of something by four of its values. The error is h⁴/30 times the fifth derivative, which is up to 1e5 where
/// things turn with 10 rad/s: 3e-11; and that of rounding, ε/h times the size: 1e-12.
pub(super) fn difference<const N: usize>(mut at: impl FnMut(f64) -> [f64; N]) -> [f64; N] {
    let h = 3e-4;
    let [a, b, c, d] = [2.0 * h, h, -h, -2.0 * h].map(&mut at);
    std::array::from_fn(|k| (8.0 * (b[k] - c[k]) - (a[k] - d[k])) / (12.0 * h))
}

const EXACT: f64 = 1e-9;

fn worst(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

fn check(scene: &Scene, seed: u64) -> f64 {
    let assembly = only(scene);
    let random = &mut Random(seed);
    let (q, v) = stir(&assembly, random);
    let growth: Vec<f64> = v.iter().map(|_| random.next()).collect();
    let t = 0.7;
    let at = |s: f64| {
        let (q, v) = after(&assembly, &q, &v, &growth, s);
        let mut kinematics = Kinematics::default();
        assembly.kinematics(&q, &v, t + s, &mut kinematics);
        kinematics
    };
    let now = at(0.0);
    let mut largest = 0.0;
    for body in 0..assembly.bodies().len() {
        let twist = now.twists[body];
        let velocity = difference(|s| at(s).poses[body].centre.into());
        let turning = difference(|s| {
            let rotation: [[f64; 3]; 3] = at(s).poses[body].rotation.into();
            std::array::from_fn::<f64, 9, _>(|k| rotation[k / 3][k % 3])
        });
        let rotation = now.poses[body].rotation;
        let expected: [[f64; 3]; 3] = (twist.spin.cross_matrix() * rotation).into();
        // The Jacobian gives the acceleration.
        let along = |linear: bool| -> [f64; 3] {
            std::array::from_fn(|k| {
                let mut row = vec![0.0; v.len()];
                let mut axis = V3::zeros();
                axis[k] = 1.0;
                let zero = V3::zeros();
                let (x, y) = if linear { (axis, zero) } else { (zero, axis) };
                assembly.add_columns(&now, body, &x, &y, &mut row);
                row.iter().zip(&growth).map(|(j, a)| j * a).sum::<f64>()
                    + now.bias[body][usize::from(!linear)][k]
            })
        };
        let acceleration = difference(|s| at(s).twists[body].velocity.into());
        let angular = difference(|s| at(s).twists[body].spin.into());
        let errors = [
            worst(&velocity, twist.velocity.as_slice()),
            worst(&turning, expected.as_flattened()),
            worst(&acceleration, &along(true)),
            worst(&angular, &along(false)),
        ];
        largest = errors.iter().fold(largest, |most: f64, x| most.max(*x));
        assert!(largest < EXACT, "body {body}: {errors:?}");
        // A point's row, and the velocity itself.
        let (rho, direction) = (random.vector(), random.vector());
        let mut row = vec![0.0; v.len()];
        let flat = |x: V3| if assembly.planar { V3::new(x.x, x.y, 0.0) } else { x };
        let (rho, direction) = (flat(rho), flat(direction));
        assembly.add_row(&now, body, &rho, &direction, &mut row);
        let product: f64 = row.iter().zip(&v).map(|(j, v)| j * v).sum();
        let drive = assembly.drive_of(&now, tree::Side::Body(body));
        let expected = direction.dot(&(twist.at(&rho) - drive));
        assert!((product - expected).abs() < 1e-12, "{product} {expected}");
    }
    largest
}

#[test]
fn velocities_and_accelerations_are_those_of_poses() {
    let mut largest: f64 = 0.0;
    for seed in 1..6 {
        for dimension in [Dimension::Plane, Dimension::Space] {
            for moved in [false, true] {
                largest =
                    largest.max(check(&with_armatures(chain(dimension, moved, seed)), seed + 100));
            }
        }
    }
    println!("largest error {largest:.1e}");
}

#[test]
fn the_mass_matrix_is_that_of_the_kinetic_energy() {
    for seed in 1..6 {
        for dimension in [Dimension::Plane, Dimension::Space] {
            let assembly = only(&with_armatures(chain(dimension, false, seed)));
            let (q, v) = stir(&assembly, &mut Random(seed));
            let mut kinematics = Kinematics::default();
            assembly.kinematics(&q, &v, 0.0, &mut kinematics);
            let n = v.len();
            let mass = nalgebra::DMatrix::from_row_slice(
                n,
                n,
                &assembly.matrices(&q, 0.0, &kinematics).mass,
            );
            assert_eq!(mass, mass.transpose());
            assert!(mass.clone().cholesky().is_some(), "not positive");
            let v = nalgebra::DVector::from_vec(v);
            let kinetic = assembly.energy(&q, 0.0, &kinematics).kinetic;
            let half = 0.5 * v.dot(&(mass * &v));
            assert!((half - kinetic).abs() < 1e-13 * kinetic, "{half} {kinetic}");
        }
    }
}

/// `transform` and `response` are those of the mass matrix, and `W` that of rows.
#[test]
fn transformed_rows_solve_the_mass_matrix() {
    for dimension in [Dimension::Plane, Dimension::Space] {
        let assembly = only(&with_armatures(chain(dimension, true, 3)));
        let random = &mut Random(9);
        let (q, v) = stir(&assembly, random);
        let (mut kinematics, mut dynamics) = (Kinematics::default(), Dynamics::default());
        assembly.kinematics(&q, &v, 0.3, &mut kinematics);
        assembly.dynamics(&q, &v, 0.3, &kinematics, &[], &mut dynamics).expect("it moves");
        let n = v.len();
        let mass = assembly.matrices(&q, 0.3, &kinematics).mass;
        let row: Vec<f64> = (0..n).map(|_| random.next()).collect();
        let mut x = row.clone();
        dynamics.transform(&mut x);
        dynamics.response(&mut x);
        for i in 0..n {
            let back: f64 = (0..n).map(|j| mass[i * n + j] * x[j]).sum();
            assert!((back - row[i]).abs() < 1e-12, "{back} {}", row[i]);
        }
    }
}

/// With loops: what impulses change fits the joints, and is that of multipliers solved densely.
#[test]
fn transformed_rows_keep_loops_closed() {
    use nalgebra::{DMatrix, DVector};
    for dimension in [Dimension::Plane, Dimension::Space] {
        let scene = chain(dimension, true, 3);
        let assembly = build::all(&scene, &[1, 2, 5]).expect("a good scene").remove(0);
        let random = &mut Random(9);
        let (q, v) = assembly.start();
        let (mut kinematics, mut dynamics) = (Kinematics::default(), Dynamics::default());
        assembly.kinematics(&q, &v, 0.0, &mut kinematics);
        assembly.dynamics(&q, &v, 0.0, &kinematics, &[], &mut dynamics).expect("it moves");
        let n = v.len();
        let told = assembly.matrices(&q, 0.0, &kinematics);
        let mass = DMatrix::from_row_slice(n, n, &told.mass).try_inverse().expect("positive");
        let b = DMatrix::from_row_slice(told.loops.len() / n, n, &told.loops);
        let row = DVector::from_fn(n, |_, _| random.next());
        let mut x = row.as_slice().to_vec();
        dynamics.transform(&mut x);
        dynamics.response(&mut x);
        let x = DVector::from_vec(x);
        assert!((&b * &x).amax() < 1e-12 * x.amax());
        let held = (&b * &mass * b.transpose()).pseudo_inverse(1e-9).expect("it has one");
        let free = &mass * &row;
        let expected = &free - &mass * b.transpose() * held * (&b * &free);
        assert!((&x - &expected).amax() < 1e-10 * free.amax(), "{x} {expected}");
    }
}
