//! Joints as rows against the same joints in trees, redundant loops, drift, and the ledger.

use super::differences::{chain, difference, stir, with_armatures};
use super::*;
use crate::motion::vector::{normalised, product};

/// The same bodies with all joints as rows, at the same place and with the same velocities.
fn maximal(scene: &Scene, tree: &Kinematics, bodies: &[usize]) -> (Assembly, Vec<f64>, Vec<f64>) {
    let cut: Vec<usize> = (0..scene.joints.len()).collect();
    let mut all = build::all(scene, &cut).expect("a good scene");
    assert_eq!(all.len(), 1);
    let assembly = all.remove(0);
    let (mut q, mut v) = (Vec::new(), Vec::new());
    for body in assembly.bodies() {
        let at = bodies.iter().position(|other| other == body).expect("the same bodies");
        let state = tree.state(at);
        match state.orientation {
            Turn::Angle(angle) => {
                q.extend([state.position[0], state.position[1], angle]);
                v.extend([state.velocity[0], state.velocity[1], state.angular_velocity[2]]);
            }
            Turn::Quaternion(p) => {
                q.extend(state.position.iter().chain(&p));
                v.extend(state.velocity.iter().chain(&state.angular_velocity));
            }
        }
    }
    (assembly, q, v)
}

/// Accelerations of the centre and angular ones of each body of the scene, and energies.
pub(super) fn accelerations(
    assembly: &Assembly,
    q: &[f64],
    v: &[f64],
    t: f64,
) -> (Vec<[V3; 2]>, [f64; 5]) {
    let (mut kinematics, mut dynamics) = (Kinematics::default(), Dynamics::default());
    assembly.kinematics(q, v, t, &mut kinematics);
    assembly.dynamics(q, v, t, &kinematics, &[], &mut dynamics).expect("it moves");
    let last = assembly.bodies().iter().max().expect("bodies");
    let mut out = vec![[V3::zeros(); 2]; last + 1];
    for (at, &body) in assembly.bodies().iter().enumerate() {
        for k in 0..3 {
            let mut axis = V3::zeros();
            axis[k] = 1.0;
            let zero = V3::zeros();
            for (part, [x, y]) in [[axis, zero], [zero, axis]].into_iter().enumerate() {
                let mut row = vec![0.0; v.len()];
                assembly.add_columns(&kinematics, at, &x, &y, &mut row);
                out[body][part][k] =
                    row.iter().zip(&dynamics.free).map(|(j, a)| j * a).sum::<f64>()
                        + kinematics.bias[at][part][k];
            }
        }
    }
    let energy = assembly.energy(q, t, &kinematics);
    let powers = dynamics.powers;
    (out, [energy.kinetic, energy.potential, energy.elastic, powers.damping, powers.forces])
}

#[test]
fn joints_as_rows_accelerate_like_joints_in_trees() {
    let mut largest: f64 = 0.0;
    for seed in 1..8 {
        for dimension in [Dimension::Plane, Dimension::Space] {
            for moved in [false, true] {
                let scene = chain(dimension, moved, seed);
                let tree = only(&scene);
                let (q, v) = stir(&tree, &mut Random(seed));
                let mut kinematics = Kinematics::default();
                tree.kinematics(&q, &v, 0.4, &mut kinematics);
                let (rows, p, u) = maximal(&scene, &kinematics, tree.bodies());
                assert!(rows.velocities() > tree.velocities() && rows.loops.len() == 7);
                let (a, energy_a) = accelerations(&tree, &q, &v, 0.4);
                let (b, energy_b) = accelerations(&rows, &p, &u, 0.4);
                let size = a.iter().flatten().map(|x| x.amax()).fold(0.0, f64::max);
                for (a, b) in a.iter().flatten().zip(b.iter().flatten()) {
                    largest = largest.max((a - b).amax() / size);
                }
                for (a, b) in energy_a.iter().zip(energy_b) {
                    assert!((a - b).abs() < 1e-11 * (1.0 + a.abs()), "{energy_a:?} {energy_b:?}");
                }
            }
        }
    }
    println!("largest relative difference {largest:.1e}");
    assert!(largest < 1e-10, "{largest}");
}

/// The same bodies followed for a while, with drift of the rows put right after each step.
#[test]
fn joints_as_rows_move_like_joints_in_trees() {
    for dimension in [Dimension::Plane, Dimension::Space] {
        for seed in [2, 5] {
            let scene = chain(dimension, true, seed);
            let cut: Vec<usize> = (0..scene.joints.len()).collect();
            let mut by_rows = build::all(&scene, &cut).expect("a good scene");
            assert_eq!(by_rows.len(), 1);
            let (mut tree, mut rows) = (Run::new(only(&scene)), Run::new(by_rows.remove(0)));
            let mut moved: f64 = 0.0;
            for k in 1..=4 {
                let end = 0.1 * f64::from(k);
                tree.to(end, 1e-12);
                rows.to(end, 1e-12);
                for &body in &tree.assembly.bodies().to_vec() {
                    let (a, b) = (tree.body(body), rows.body(body));
                    let apart = |x: [f64; 3], y: [f64; 3]| (V3::from(x) - V3::from(y)).amax();
                    moved = moved.max(apart(a.position, scene.bodies[body].position));
                    let errors = [
                        apart(a.position, b.position),
                        apart(a.velocity, b.velocity),
                        apart(a.angular_velocity, b.angular_velocity),
                    ];
                    assert!(errors.iter().all(|x| *x < 1e-8), "{body} at {end}: {errors:?}");
                }
            }
            assert!(moved > 0.1, "{moved}");
        }
    }
}

/// Residuals change by rates, and rates by biases at `v̇ = 0`, on velocities that need not fit the joints.
#[test]
fn rows_are_rates_of_residuals() {
    for seed in 1..6 {
        for dimension in [Dimension::Plane, Dimension::Space] {
            let scene = chain(dimension, true, seed);
            let tree = only(&scene);
            let random = &mut Random(seed);
            let (q, v) = stir(&tree, random);
            let t = 0.3;
            let mut kinematics = Kinematics::default();
            tree.kinematics(&q, &v, t, &mut kinematics);
            let (rows, p, _) = maximal(&scene, &kinematics, tree.bodies());
            let u: Vec<f64> = (0..rows.velocities()).map(|_| random.next()).collect();
            let closure = |s: f64| {
                let mut q = p.clone();
                let step: Vec<f64> = u.iter().map(|u| u * s).collect();
                // Exactly: a free body's quaternion turns about a fixed axis.
                for (node, body) in rows.nodes.iter().zip(0..) {
                    let _: usize = body;
                    let (q, step) = (&mut q[node.q..], &step[node.v..]);
                    (0..3).for_each(|k| q[k] += step[k]);
                    if !rows.planar {
                        let turn = V3::new(step[3], step[4], step[5]);
                        let angle = f64::sqrt(turn.dot(&turn)).max(1e-300);
                        let axis = turn * (libm::sin(0.5 * angle) / angle);
                        let by = [libm::cos(0.5 * angle), axis.x, axis.y, axis.z];
                        let now = product(by, normalised([q[3], q[4], q[5], q[6]]));
                        q[3..7].copy_from_slice(&now);
                    }
                }
                let (mut kinematics, mut dynamics) = (Kinematics::default(), Dynamics::default());
                rows.kinematics(&q, &u, t + s, &mut kinematics);
                rows.factored_mass(&kinematics, &mut dynamics);
                rows.prepare_loops(&kinematics, &mut dynamics);
                let all = dynamics.closure.all();
                let pad =
                    |x: &[f64]| std::array::from_fn::<f64, 40, _>(|k| *x.get(k).unwrap_or(&0.0));
                all.map(pad)
            };
            let [residuals, rates, biases] = closure(0.0);
            assert!(residuals.iter().all(|x| x.abs() < 1e-13), "{residuals:?}");
            let by_residuals = difference(|s| closure(s)[0]);
            let by_rates = difference(|s| closure(s)[1]);
            for k in 0..40 {
                assert!((by_residuals[k] - rates[k]).abs() < 1e-10, "row {k} of {dimension:?}");
                assert!((by_rates[k] - biases[k]).abs() < 1e-10, "row {k} of {dimension:?}");
            }
        }
    }
}

/// A coupler of 1 m on three cranks of 0.3 m, at rest.
fn parallelogram(angle: f64, tilt: Option<[f64; 4]>) -> Scene {
    let (sin, cos) = libm::sincos(angle);
    let [x, y] = [0.3 * cos, 0.3 * sin];
    let mut scene = Scene::new(Dimension::Plane);
    scene.bodies = vec![
        SceneBody::fixed("ground"),
        planar_body("crank 1", 0.5, 0.004, [0.5 * x, 0.5 * y], angle),
        planar_body("crank 2", 0.4, 0.003, [0.4 + 0.5 * x, 0.5 * y], angle),
        planar_body("crank 3", 0.6, 0.005, [1.0 + 0.5 * x, 0.5 * y], angle),
        planar_body("coupler", 1.5, 0.1, [0.5 + x, y], 0.0),
    ];
    scene.joints = vec![
        hinge(0, 1, [0.0, 0.0]),
        hinge(0, 2, [0.4, 0.0]),
        hinge(0, 3, [1.0, 0.0]),
        hinge(1, 4, [x, y]),
        hinge(2, 4, [0.4 + x, y]),
        hinge(3, 4, [1.0 + x, y]),
    ];
    if let Some(tilt) = tilt { in_space(scene, tilt) } else { scene }
}

/// A planar scene in a plane of space.
fn in_space(mut scene: Scene, tilt: [f64; 4]) -> Scene {
    let rotation = crate::motion::vector::rotation(tilt);
    let turned = |x: [f64; 3]| -> [f64; 3] { (rotation * V3::from(x)).into() };
    scene.dimension = Dimension::Space;
    scene.gravity = turned(scene.gravity);
    for body in &mut scene.bodies {
        body.position = turned(body.position);
        body.velocity = turned(body.velocity);
        body.angular_velocity = turned(body.angular_velocity);
        let Turn::Angle(angle) = body.orientation else { unreachable!() };
        let (sin, cos) = libm::sincos(0.5 * angle);
        body.orientation = Turn::Quaternion(product(tilt, [cos, 0.0, 0.0, sin]));
        if let BodyKind::Moving { inertia, .. } = &mut body.kind {
            let across = 0.5 * inertia[2][2];
            *inertia = diagonal(across, across, inertia[2][2]);
        }
    }
    for joint in &mut scene.joints {
        joint.point = turned(joint.point);
        joint.axis = turned(joint.axis);
    }
    scene
}

/// Four rows of rank 3, for 10 s: closed, in parallel, and of the right energy. It is a pendulum: the cranks about their
/// pins, and the coupler's mass at their tips, which does not turn.
fn swing(angle: f64, end: f64, exact: f64) {
    let mut run = Run::new(only(&parallelogram(angle, None)));
    let start = run.energy();
    run.to(end, 1e-11);
    let angles = [1, 2, 3, 4].map(|body| match run.body(body).orientation {
        Turn::Angle(angle) => angle,
        Turn::Quaternion(_) => unreachable!(),
    });
    let inertia = [0.5, 0.4, 0.6].map(|m| m * 0.0225).iter().sum::<f64>() + 0.012 + 1.5 * 0.09;
    let moment = (0.15 * 1.5 + 0.3 * 1.5) * 9.81;
    let slope = |y: &[f64], out: &mut [f64]| {
        (out[0], out[1]) = (y[1], -moment / inertia * libm::cos(y[0]));
    };
    let mut pendulum = Dop853::default();
    pendulum.resize(2);
    pendulum.start.copy_from_slice(&[angle, 0.0]);
    for _ in 0..2000 {
        pendulum.begin(slope);
        pendulum.step(end / 2000.0, slope);
        pendulum.accept();
    }
    let expected = pendulum.start[0];
    println!(
        "angles off by {:.1e}, {:.1e} apart, coupler {:.1e}; energy {:.1e}; drift {:.1e} m, open {:.1e} m",
        angles[0] - expected,
        angles[1] - angles[0],
        angles[3],
        run.energy() - start,
        run.closed,
        run.open
    );
    assert!(run.open < 1e-12);
    for angle in &angles[..3] {
        assert!((angle - expected).abs() < exact, "{angle} {expected}");
        assert!((angle - angles[0]).abs() < 1e-12, "{angles:?}");
    }
    assert!(angles[3].abs() < 1e-12, "{angles:?}");
}

#[test]
fn three_cranks_stay_parallel() {
    swing(-0.3, 10.0, 1e-8);
}

/// From 60° the cranks pass the line of their pins, where another branch begins and the rank drops.
#[test]
fn three_cranks_pass_the_line_of_their_pins() {
    // Not the promise of regular motion: close to the line a row is missing for a microsecond, and where steps end there is
    // chance. 2e-8 was seen, and 5e-10 with other constants.
    swing(PI / 3.0, 5.0, 1e-6);
}

/// The same in a skew plane of space: ten rows of rank 3.
#[test]
fn three_cranks_in_a_skew_plane() {
    let mut plane = Run::new(only(&parallelogram(-0.3, None)));
    let tilt = normalised([0.8, 0.3, -0.4, 0.2]);
    let mut space = Run::new(only(&parallelogram(-0.3, Some(tilt))));
    plane.to(3.0, 1e-11);
    space.to(3.0, 1e-11);
    let rotation = crate::motion::vector::rotation(tilt);
    let mut dynamics = Dynamics::default();
    let assembly = &space.assembly;
    assembly
        .dynamics(&space.q, &space.v, 3.0, &space.kinematics, &[], &mut dynamics)
        .expect("it moves");
    assert_eq!((dynamics.loop_rank(), assembly.loops.len()), (3, 2));
    let mut largest: f64 = 0.0;
    for body in 1..5 {
        let [a, b] = [plane.body(body), space.body(body)];
        let far = rotation * V3::from(a.position) - V3::from(b.position);
        largest = largest.max(far.amax());
    }
    println!("position {largest:.1e} m, open {:.1e} m", space.open);
    assert!(largest < 1e-9 && space.open < 1e-12);
}

/// Sarrus' linkage with legs of unequal links: two legs in two vertical planes carry a platform straight up and down. The
/// loop has five rows of rank 4, only where it is closed; between projections the dependent row is one of rounding and of
/// the error of stages. The angles depend on each other by no linear equation.
#[test]
fn a_loop_that_is_redundant_only_where_it_is_closed() {
    let mut scene = Scene::new(Dimension::Space);
    let height = 0.5;
    // A leg in the plane of `out` and the third axis: from the ground at 0.4 out, to an elbow, to the platform at 0.3 out.
    let elbow = |lower: f64, upper: f64| -> [f64; 2] {
        // On circles about (0.4, 0) and (0.3, height), outside.
        let (a, b) = ([0.4, 0.0], [0.3, height]);
        let d = [b[0] - a[0], b[1] - a[1]];
        let distance = f64::sqrt(d[0] * d[0] + d[1] * d[1]);
        let along = (distance * distance + lower * lower - upper * upper) / (2.0 * distance);
        let across = f64::sqrt(lower * lower - along * along);
        [
            a[0] + (along * d[0] + across * d[1]) / distance,
            a[1] + (along * d[1] - across * d[0]) / distance,
        ]
    };
    let sphere = |name: &str, mass: f64, position: [f64; 3]| SceneBody {
        position,
        orientation: Turn::Quaternion([1.0, 0.0, 0.0, 0.0]),
        ..SceneBody::moving(name, mass, diagonal(0.01, 0.012, 0.009))
    };
    scene.bodies.push(SceneBody::fixed("ground"));
    scene.bodies.push(sphere("platform", 2.0, [0.0, 0.0, height]));
    for (leg, (lower, upper)) in [(0.35, 0.45), (0.5, 0.3)].into_iter().enumerate() {
        let at = |x: f64, z: f64| if leg == 0 { [x, 0.0, z] } else { [0.0, x, z] };
        let axis = if leg == 0 { [0.0, 1.0, 0.0] } else { [1.0, 0.0, 0.0] };
        let [x, z] = elbow(lower, upper);
        let first = scene.bodies.len();
        scene.bodies.push(sphere("lower", 0.5, at(0.5 * (0.4 + x), 0.5 * z)));
        scene.bodies.push(sphere("upper", 0.4, at(0.5 * (0.3 + x), 0.5 * (z + height))));
        let joint = |a, b, x, z| SceneJoint::new(SceneJointKind::Hinge, a, b, at(x, z), axis);
        scene.joints.push(joint(0, first, 0.4, 0.0));
        scene.joints.push(joint(first, first + 1, x, z));
        scene.joints.push(joint(first + 1, 1, 0.3, height));
    }
    scene.gravity = [0.0, 0.0, -1.0];
    let mut run = Run::new(only(&scene));
    let start = run.energy();
    assert_eq!(run.assembly.loops.len(), 1);
    run.to(0.6, 1e-11);
    let platform = run.body(1);
    println!(
        "height {}, off {:?}, energy {:.1e}, drift {:.1e}, open {:.1e}",
        platform.position[2],
        &platform.position[..2],
        run.energy() - start,
        run.closed,
        run.open
    );
    assert!(platform.position[2] < 0.45, "it falls");
    assert!(platform.position[..2].iter().all(|x| x.abs() < 1e-10), "straight");
    assert!(platform.angular_velocity.iter().all(|x| x.abs() < 1e-10), "upright");
    assert!((run.energy() - start).abs() < 1e-10);
    assert!(run.open < 1e-12 && run.closed > run.open, "{} {}", run.open, run.closed);
}

/// Loops that are open by a little, and velocities that open them, are put right.
#[test]
fn what_is_open_is_closed() {
    let assembly = only(&parallelogram(-0.3, None));
    let (mut q, mut v) = assembly.start();
    let random = &mut Random(4);
    let delta: Vec<f64> = v.iter().map(|_| 1e-7 * random.next()).collect();
    assembly.displace(&mut q, &delta);
    v.iter_mut().for_each(|v| *v += random.next());
    let moved = assembly.close_loops(&mut q, &mut v, 0.0);
    assert!((1e-9..1e-6).contains(&moved), "{moved}");
    let (mut kinematics, mut dynamics) = (Kinematics::default(), Dynamics::default());
    assembly.kinematics(&q, &v, 0.0, &mut kinematics);
    assembly.dynamics(&q, &v, 0.0, &kinematics, &[], &mut dynamics).expect("closed");
    let [residuals, rates, _] = dynamics.closure.all();
    assert!(residuals.iter().all(|x| x.abs() < 1e-12), "{residuals:?}");
    assert!(rates.iter().all(|x| x.abs() < 1e-12), "{rates:?}");
}

/// A force and a torque on each body.
fn besides(assembly: &Assembly) -> Vec<Wrench> {
    let random = &mut Random(12);
    let flat = |x: V3| if assembly.planar { V3::new(x.x, x.y, 0.0) } else { x };
    assembly
        .bodies()
        .iter()
        .map(|_| {
            let torque = random.vector();
            let torque = if assembly.planar { V3::new(0.0, 0.0, torque.z) } else { torque };
            Wrench { force: flat(random.vector()), torque }
        })
        .collect()
}

/// Everything acts, and a fixed body moves: energies and works agree.
#[test]
fn the_ledger_closes() {
    for dimension in [Dimension::Plane, Dimension::Space] {
        for (moved, end) in [(false, 1.0), (true, 1.0)] {
            let mut run = Run::new(only(&with_armatures(chain(dimension, moved, 5))));
            run.extra = besides(&run.assembly);
            let start = run.energy();
            run.to(end, 1e-11);
            let works: f64 = run.works.iter().sum();
            let size = run.works.iter().map(|x| x.abs()).sum::<f64>() + start.abs();
            let residual = start + works - run.energy();
            println!("works {:?}, residual {residual:.1e} J of {size:.1e}", run.works);
            assert!(residual.abs() < 1e-9 * size, "{residual}");
            assert!(run.works[0] < -1e-3 && run.works[1].abs() > 1e-3);
            assert_eq!(run.works[2].abs() > 1e-3, moved);
        }
    }
}

/// A loop between a fixed body that moves and one that does not: its force works, too.
#[test]
fn the_ledger_closes_where_a_loop_is_driven() {
    let mut scene = parallelogram(-0.3, None);
    let motion = Prescribed::Sine { amplitude: [0.02, 0.03, 0.0], frequency: 1.5, phase: PI / 2.0 };
    scene.bodies.push(SceneBody {
        kind: BodyKind::Fixed { motion },
        position: [0.4 - 0.02, -0.03, 0.0],
        ..SceneBody::fixed("shaker")
    });
    // Crank 3 is left out, crank 2 hangs on the shaker.
    scene.joints.remove(5);
    scene.joints.remove(2);
    scene.bodies.remove(3);
    for joint in &mut scene.joints {
        (joint.a, joint.b) = (joint.a.min(3), joint.b.min(3));
    }
    scene.joints[1].a = 4;
    let mut run = Run::new(only(&scene));
    run.extra = besides(&run.assembly);
    let start = run.energy();
    run.to(1.9, 1e-11);
    let residual = start + run.works.iter().sum::<f64>() - run.energy();
    println!("works {:?}, residual {residual:.1e} J", run.works);
    assert!(run.works[2].abs() > 1e-2 && residual.abs() < 1e-9, "{residual}");
    assert!(run.open < 1e-12);
    // Contacts that the equations of motion were not told of give the same force in the loop.
    let (mut with, mut without) = (Dynamics::default(), Dynamics::default());
    let (assembly, kinematics) = (&run.assembly, &run.kinematics);
    assembly.dynamics(&run.q, &run.v, 1.9, kinematics, &run.extra, &mut with).expect("moves");
    assembly.dynamics(&run.q, &run.v, 1.9, kinematics, &[], &mut without).expect("moves");
    let told = assembly.loop_drive_power(kinematics, &with, &with.free, &[]);
    let contacts = assembly.loop_drive_power(kinematics, &without, &with.free, &run.extra);
    assert!(told.abs() > 1e-3 && (told - contacts).abs() < 1e-12, "{told} {contacts}");
}

/// Springs and a slider with a spring, in a loop, reach from what is driven to what is not.
#[test]
fn the_ledger_closes_where_springs_are_driven() {
    let mut scene = Scene::new(Dimension::Plane);
    let motion = Prescribed::Sine { amplitude: [0.02, 0.03, 0.0], frequency: 1.5, phase: PI / 2.0 };
    let link = |name: &str, x: f64, y: f64| planar_body(name, 0.5, 0.01, [x, y], 0.0);
    scene.bodies = vec![
        SceneBody::fixed("ground"),
        SceneBody {
            kind: BodyKind::Fixed { motion },
            position: [-0.02, -0.03, 0.0],
            ..SceneBody::fixed("shaker")
        },
        link("first", 0.2, 0.1),
        link("second", 0.6, 0.1),
        link("block", 0.8, 0.0),
        link("alone", 0.4, 0.5),
    ];
    scene.joints = vec![
        hinge(0, 2, [0.0, 0.0]),
        hinge(2, 3, [0.4, 0.2]),
        hinge(3, 4, [0.8, 0.0]),
        SceneJoint::new(SceneJointKind::Slider, 1, 4, [0.8, 0.0, 0.0], [1.0, 0.3, 0.0]),
    ];
    for (joint, stiffness) in scene.joints.iter_mut().zip([0.5, 0.4, 0.6, 30.0]) {
        joint.stiffness = stiffness;
        joint.damping = 0.02 * stiffness;
        joint.torque = 0.1;
    }
    for (a, b) in [(1, 5), (3, 5), (2, 1)] {
        let ends = [a, b].map(|body: usize| scene.bodies[body].position);
        scene.springs.push(Spring {
            a,
            b,
            point_a: ends[0],
            point_b: [ends[1][0] + 0.05, ends[1][1], 0.0],
            stiffness: 25.0,
            damping: 0.3,
            length: None,
        });
    }
    // With either joint of the block as rows.
    for cut in [2, 3] {
        let all = build::all(&scene, &[cut]).expect("a good scene");
        let mut run = Run::new(all.into_iter().next().expect("one"));
        assert_eq!(run.assembly.loops.iter().map(|joint| joint.index).collect::<Vec<_>>(), [cut]);
        let start = run.energy();
        run.to(1.9, 1e-11);
        let residual = start + run.works.iter().sum::<f64>() - run.energy();
        println!("works {:?}, residual {residual:.1e} J", run.works);
        assert!(run.works[..3].iter().all(|work| work.abs() > 1e-3), "{:?}", run.works);
        assert!(residual.abs() < 1e-9, "{residual}");
    }
}

/// Stages of a step are open by the error of the stage: rows that were independent where the loops were closed are so there.
#[test]
fn the_rank_is_that_of_closed_loops() {
    let assembly = only(&parallelogram(-0.3, None));
    let (mut q, v) = assembly.start();
    let (mut kinematics, mut dynamics) = (Kinematics::default(), Dynamics::default());
    let mut rank = |q: &[f64]| {
        assembly.kinematics(q, &v, 0.0, &mut kinematics);
        assembly.dynamics(q, &v, 0.0, &kinematics, &[], &mut dynamics).expect("it moves");
        dynamics.loop_rank()
    };
    assert_eq!(rank(&q), 3);
    for size in [1e-9, 1e-6, 1e-3, 1e-1] {
        // Of crank 1, the coupler, cranks 2 and 3: no directions in common.
        let delta = [size, -0.4 * size, 0.7 * size, -0.5 * size];
        assembly.displace(&mut q, &delta);
        assert_eq!(rank(&q), 3, "open by {size}");
    }
}

/// What laws of impacts are told: `B v + drive = 0`, and where the joint is, not in metres.
#[test]
fn rows_and_drives_are_rates() {
    for dimension in [Dimension::Plane, Dimension::Space] {
        let scene = chain(dimension, true, 2);
        let mut all = build::all(&scene, &[0, 2, 4, 6]).expect("a good scene");
        let assembly = all.remove(0);
        let (q, v) = stir(&assembly, &mut Random(3));
        let (mut kinematics, mut dynamics) = (Kinematics::default(), Dynamics::default());
        assembly.kinematics(&q, &v, 0.2, &mut kinematics);
        assembly.factored_mass(&kinematics, &mut dynamics);
        assembly.prepare_loops(&kinematics, &mut dynamics);
        let [_, rates, _] = dynamics.closure.all();
        let told = assembly.matrices(&q, 0.2, &kinematics);
        assert_eq!(told.groups.iter().sum::<usize>(), rates.len());
        assert_eq!(told.groups, if assembly.planar { [2, 2, 2, 3] } else { [3, 5, 5, 6] });
        assert!(told.drive.iter().any(|drive| *drive != 0.0));
        for ((row, drive), rate) in told.loops.chunks(v.len()).zip(&told.drive).zip(rates) {
            let told = row.iter().zip(&v).map(|(b, v)| b * v).sum::<f64>() + drive;
            let [m, turned] = [told, told * assembly.length];
            assert!((m - rate).abs().min((turned - rate).abs()) < 1e-12, "{told} {rate}");
        }
    }
}

/// A joint with limits is in a tree where another joint can close the loop.
#[test]
fn limits_are_coordinates_of_trees() {
    let mut scene = parallelogram(-0.3, None);
    scene.joints[4].limits = [-1.0, 3.0 * PI];
    scene.joints[4].e = 0.5;
    let assembly = only(&scene);
    let limits = assembly.limits();
    assert_eq!(limits.iter().map(|limit| limit.joint).collect::<Vec<_>>(), [4, 4]);
    let (q, mut v) = assembly.start();
    v.iter_mut().zip(1..).for_each(|(v, k)| *v = k as f64);
    let mut row = vec![0.0; v.len()];
    let [low, rate] = assembly.limit(&limits[0], &q, &v, &mut row);
    let product = |row: &[f64]| row.iter().zip(&v).map(|(j, v)| j * v).sum::<f64>();
    assert_eq!((low, rate), (1.0, product(&row)));
    let mut row = vec![0.0; v.len()];
    let [high, back] = assembly.limit(&limits[1], &q, &v, &mut row);
    assert_eq!((high, back), (3.0 * PI, -rate));
    assert_eq!(product(&row), back);
}

/// The coordinate of a joint counts from its first body to its second, whichever hangs on the other; turns are counted.
#[test]
fn coordinates_are_of_the_second_body() {
    for reversed in [false, true] {
        let mut scene = Scene::new(Dimension::Plane);
        let mut wheel = planar_body("wheel", 1.0, 0.1, [0.0, 0.0], 0.5);
        wheel.angular_velocity[2] = 4.0;
        scene.bodies = vec![SceneBody::fixed("ground"), wheel];
        let [a, b] = if reversed { [1, 0] } else { [0, 1] };
        let mut joint = hinge(a, b, [0.0, 0.0]);
        joint.limits = [-100.0, 100.0];
        scene.joints = vec![joint];
        let mut run = Run::new(only(&scene));
        run.to(5.0, 1e-11);
        let sign = if reversed { -1.0 } else { 1.0 };
        let mut row = [0.0];
        let limit = run.assembly.limits()[0];
        let [gap, rate] = run.assembly.limit(&limit, &run.q, &run.v, &mut row);
        assert!((gap - (100.0 + sign * 20.0)).abs() < 1e-10, "{gap}");
        assert!((rate - sign * 4.0).abs() < 1e-12, "{rate}");
        let Turn::Angle(angle) = run.body(1).orientation else { unreachable!() };
        assert!((angle - 20.5).abs() < 1e-10, "{angle}");
    }
}

/// Two cranks pass the line of their pins: rank 2 drops to 1.
#[test]
fn two_cranks_pass_the_line_of_their_pins() {
    let mut scene = parallelogram(PI / 3.0, None);
    scene.joints.remove(5);
    scene.joints.remove(2);
    scene.bodies.remove(3);
    for joint in &mut scene.joints {
        joint.b = joint.b.min(3);
    }
    let mut run = Run::new(only(&scene));
    let start = run.energy();
    run.to(5.0, 1e-11);
    let [a, b, coupler] = [1, 2, 3].map(|body| match run.body(body).orientation {
        Turn::Angle(angle) => angle,
        Turn::Quaternion(_) => unreachable!(),
    });
    println!("{a} {b} {coupler}, energy {:.1e}", run.energy() - start);
    assert!((a - b).abs() < 1e-8 && coupler.abs() < 1e-8, "{a} {b} {coupler}");
    assert!((run.energy() - start).abs() < 1e-8);
}

/// A door on three hinges and a ball in a skew line: all rows of the loops are rounding, and it swings as on one.
#[test]
fn a_door_on_three_hinges() {
    let axis = V3::new(0.3, 0.2, 1.0);
    let door = |joints: usize| {
        let mut scene = Scene::new(Dimension::Space);
        scene.bodies = vec![
            SceneBody::fixed("wall"),
            SceneBody {
                position: [0.43, -0.11, 0.97],
                ..SceneBody::moving("door", 20.0, diagonal(3.0, 2.5, 1.0))
            },
        ];
        for joint in 0..joints {
            let kind = if joint == 3 { SceneJointKind::Ball } else { SceneJointKind::Hinge };
            let at = axis * (0.1 + 0.7 * joint as f64);
            scene.joints.push(SceneJoint::new(kind, 0, 1, at.into(), axis.into()));
        }
        Run::new(only(&scene))
    };
    let [mut one, mut many] = [door(1), door(4)];
    one.to(2.0, 1e-11);
    many.to(2.0, 1e-11);
    assert_eq!((many.assembly.velocities(), many.assembly.loops.len()), (1, 3));
    assert!((one.v[0] - many.v[0]).abs() < 1e-9 && one.q[0].abs() > 0.1, "{:?}", many.q);
    assert!((one.q[0] - many.q[0]).abs() < 1e-9, "{:?} {:?}", one.q, many.q);
}

/// Welds that close a loop take nothing from a pendulum.
#[test]
fn a_pendulum_of_welded_parts() {
    let pendulum = |welds: &[(usize, usize)]| {
        let mut scene = Scene::new(Dimension::Space);
        scene.bodies.push(SceneBody::fixed("ground"));
        for body in 1..4 {
            let x = 0.3 * f64::from(body);
            scene.bodies.push(SceneBody {
                position: [x, 0.1 * x * x, -0.7 * x],
                ..SceneBody::moving("part", 0.3, diagonal(0.01, 0.012, 0.009))
            });
        }
        scene.joints.push(SceneJoint::new(SceneJointKind::Ball, 0, 1, [0.0; 3], [0.0; 3]));
        for &(a, b) in welds {
            let at = [0.21, -0.13, 0.4];
            scene.joints.push(SceneJoint::new(SceneJointKind::Weld, a, b, at, [0.0; 3]));
        }
        Run::new(only(&scene))
    };
    let [mut chain, mut ring] = [pendulum(&[(1, 2), (2, 3)]), pendulum(&[(1, 2), (2, 3), (3, 1)])];
    chain.to(1.0, 1e-11);
    ring.to(1.0, 1e-11);
    assert_eq!((ring.assembly.velocities(), ring.assembly.loops.len()), (3, 1));
    let [a, b] = [&chain, &ring].map(|run| V3::from(run.body(3).position));
    assert!((a - b).amax() < 1e-9 && (a.x - 0.9).abs() > 0.1, "{a} {b}");
}
