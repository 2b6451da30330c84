//! What must not matter: order of bodies, mirrors, the origin of time, a constant velocity of everything, tolerances, the
//! speed at which accumulations are captured. And what two models of one thing agree on.

use crate::traps::{body, disk, follow, of_kind, plane};
use carom::system::{Bodies, Body, BodyContact, Inertia, Orientation};
use carom::{ContactSpec, Law, Material, Unobserved};
use carom_sim::compliant::{Compliance, Exponent, RunSettings, Spring, run_bodies};
use carom_sim::motion::{
    BodyKind, BodyState, Dimension, EndReason, Motion, Options, Pair, Prescribed, Scene, SceneBody,
    SceneJoint, SceneJointKind, Shape, Turn, simulate,
};
use std::f64::consts::TAU;

/// Of states, between motions that are the same but for rounding \[1\].
const SAME: f64 = 1e-9;

fn angle(turn: Turn) -> f64 {
    match turn {
        Turn::Angle(angle) => angle,
        Turn::Quaternion(_) => panic!("in the plane"),
    }
}

fn largest(x: [f64; 3]) -> f64 {
    x.into_iter().fold(0.0, |most, x| f64::max(most, x.abs()))
}

fn difference(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|k| a[k] - b[k])
}

/// A disk, a block and a pendulum with a disk at its end above a table that moves up and down; they bounce, slide and strike
/// each other.
fn mixed(phase: f64) -> Scene {
    let mut scene = plane(0.3, 0.4);
    scene.duration = 1.2;
    scene.bodies[0].kind = BodyKind::Fixed {
        motion: Prescribed::Sine { amplitude: [0.0, 0.02, 0.0], frequency: 2.0, phase },
    };
    let mut ball = body(1.0, 0.005, disk(0.1), [-0.45, 0.5, 0.0]);
    ball.name = "ball".into();
    ball.velocity = [0.8, 0.0, 0.0];
    let points = vec![[-0.15, -0.1, 0.0], [0.15, -0.1, 0.0], [0.15, 0.1, 0.0], [-0.15, 0.1, 0.0]];
    let mut block = body(2.0, 0.03, Shape::Polygon { points }, [0.1, 0.35, 0.0]);
    block.name = "block".into();
    block.orientation = Turn::Angle(0.2);
    let mut bob = body(0.5, 0.002, disk(0.08), [0.9, 0.7, 0.0]);
    bob.name = "bob".into();
    bob.velocity = [0.0, -0.5, 0.0];
    bob.angular_velocity = [0.0, 0.0, -0.5 / 0.4];
    let mut post = SceneBody::fixed("post");
    post.position = [0.5, 0.7, 0.0];
    scene.bodies.extend([ball, block, bob, post]);
    scene.joints.push(SceneJoint::new(
        SceneJointKind::Hinge,
        4,
        3,
        [0.5, 0.7, 0.0],
        [0.0, 0.0, 1.0],
    ));
    // The bob turns about the post: v = ω × r with r = (0.4, 0).
    scene.bodies[3].angular_velocity = [0.0, 0.0, -1.25];
    scene
}

fn named<'a>(scene: &Scene, motion: &'a Motion, sample: usize, name: &str) -> &'a BodyState {
    let place = scene.bodies.iter().position(|body| body.name == name).expect("a body");
    &motion.samples[sample].bodies[place]
}

const TIMES: [f64; 4] = [0.2, 0.5, 0.8, 1.2];
const NAMES: [&str; 3] = ["ball", "block", "bob"];

/// Compares bodies by name; `turned` says what the other's state should be.
fn same(
    scene: &Scene,
    motion: &Motion,
    other: &Scene,
    moved: &Motion,
    turned: fn(BodyState) -> BodyState,
) {
    assert_eq!(motion.events.len(), moved.events.len());
    for (a, b) in motion.events.iter().zip(&moved.events) {
        assert!(a.kind.name() == b.kind.name() && (a.time - b.time).abs() < SAME, "{a:?} {b:?}");
    }
    assert!(motion.events.len() >= 6, "{}", motion.events.len());
    for (sample, time) in TIMES.iter().enumerate() {
        for name in NAMES {
            let a = turned(*named(scene, motion, sample, name));
            let b = named(other, moved, sample, name);
            let apart = [
                largest(difference(a.position, b.position)),
                largest(difference(a.velocity, b.velocity)),
                largest(difference(a.angular_velocity, b.angular_velocity)),
                (angle(a.orientation) - angle(b.orientation)).abs(),
            ];
            assert!(apart.iter().all(|x| *x < 10.0 * SAME), "{name} at {time}: {apart:?}");
        }
    }
}

#[test]
fn the_order_of_bodies_does_not_matter() {
    let scene = mixed(0.0);
    let motion = follow(&scene, &TIMES);
    let order = [3, 1, 4, 0, 2];
    let mut other = scene.clone();
    other.bodies = order.iter().map(|&k| scene.bodies[k].clone()).collect();
    let place = |body: usize| order.iter().position(|&k| k == body).expect("a place");
    for joint in &mut other.joints {
        (joint.a, joint.b) = (place(joint.a), place(joint.b));
    }
    let moved = follow(&other, &TIMES);
    same(&scene, &motion, &other, &moved, |state| state);
}

#[test]
fn a_mirrored_scene_moves_as_in_a_mirror() {
    let scene = mixed(0.7);
    let motion = follow(&scene, &TIMES);
    let mut other = scene.clone();
    for body in &mut other.bodies {
        body.position[0] = -body.position[0];
        body.velocity[0] = -body.velocity[0];
        body.angular_velocity[2] = -body.angular_velocity[2];
        body.orientation = Turn::Angle(-angle(body.orientation));
    }
    for joint in &mut other.joints {
        joint.point[0] = -joint.point[0];
    }
    let moved = follow(&other, &TIMES);
    same(&scene, &motion, &other, &moved, |state| BodyState {
        position: [-state.position[0], state.position[1], 0.0],
        velocity: [-state.velocity[0], state.velocity[1], 0.0],
        angular_velocity: [0.0, 0.0, -state.angular_velocity[2]],
        orientation: Turn::Angle(-angle(state.orientation)),
    });
}

/// A ball on a shaken table, begun a quarter of a second later with the phase of then.
#[test]
fn the_origin_of_time_does_not_matter() {
    let (frequency, amplitude, later) = (2.0, 0.02, 0.25);
    let scene = |phase: f64, place: f64, velocity: f64| {
        let mut scene = plane(0.0, 0.6);
        scene.bodies[0].kind = BodyKind::Fixed {
            motion: Prescribed::Sine { amplitude: [0.0, amplitude, 0.0], frequency, phase },
        };
        scene.bodies.push(body(1.0, 0.005, disk(0.1), [0.0, place, 0.0]));
        scene.bodies[1].velocity[1] = velocity;
        scene.duration = 1.5;
        scene
    };
    let (g, start) = (9.81, 0.6);
    let early = scene(0.3, start, 0.0);
    let late = scene(0.3 + TAU * frequency * later, start - 0.5 * g * later * later, -g * later);
    let first = follow(&early, &[0.9, 1.4]);
    let second = follow(&late, &[0.9 - later, 1.4 - later]);
    let times: Vec<f64> = of_kind(&first, "impact").iter().map(|event| event.time).collect();
    let others: Vec<f64> = of_kind(&second, "impact").iter().map(|event| event.time).collect();
    let count = times.iter().filter(|time| **time < 1.4).count();
    assert!(count >= 4, "{times:?}");
    for (a, b) in times.iter().zip(&others).take(count) {
        assert!((a - b - later).abs() < SAME, "{times:?} {others:?}");
    }
    for k in 0..2 {
        let (a, b) = (first.samples[k].bodies[1], second.samples[k].bodies[1]);
        assert!((a.position[1] - b.position[1]).abs() < SAME);
        assert!((a.velocity[1] - b.velocity[1]).abs() < 10.0 * SAME);
    }
}

/// A box strikes, slides and comes to rest on a floor; the same with everything moving at a constant velocity.
#[test]
fn a_constant_velocity_of_everything_changes_nothing() {
    let scene = |velocity: [f64; 3]| {
        let mut scene = plane(0.4, 0.3);
        scene.bodies[0].kind = BodyKind::Fixed { motion: Prescribed::Uniform { velocity } };
        let points = vec![[-0.2, -0.1, 0.0], [0.2, -0.1, 0.0], [0.2, 0.1, 0.0], [-0.2, 0.1, 0.0]];
        let mut block = body(2.0, 0.04, Shape::Polygon { points }, [0.0, 0.4, 0.0]);
        block.orientation = Turn::Angle(0.3);
        block.velocity = [1.0 + velocity[0], velocity[1], 0.0];
        scene.bodies.push(block);
        scene.duration = 1.0;
        scene
    };
    let velocity = [0.7, 0.4, 0.0];
    let at = [0.3, 0.6, 1.0];
    let (still, carried) = (follow(&scene([0.0; 3]), &at), follow(&scene(velocity), &at));
    for (a, b) in still.samples.iter().zip(&carried.samples) {
        let (p, q) = (a.bodies[1], b.bodies[1]);
        let place: [f64; 3] = std::array::from_fn(|k| p.position[k] + velocity[k] * a.time);
        let speed: [f64; 3] = std::array::from_fn(|k| p.velocity[k] + velocity[k]);
        assert!(largest(difference(place, q.position)) < 10.0 * SAME, "{p:?} {q:?}");
        assert!(largest(difference(speed, q.velocity)) < 10.0 * SAME, "{p:?} {q:?}");
    }
    let count = |motion: &Motion| of_kind(motion, "impact").len();
    assert!(count(&still) >= 3 && count(&still) == count(&carried));
    // What moves never rests, and what moves it works on what strikes it.
    assert_eq!(carried.end.reason, EndReason::Duration);
    assert!(carried.ledger.drives.abs() > 1.0 && still.ledger.drives == 0.0);
    let scale = carried.ledger.start.abs() + carried.ledger.drives.abs();
    assert!(carried.ledger.residual.abs() < 1e-9 * scale, "{:?}", carried.ledger);
}

/// The rest height, stop and end of a ball that slides through its accumulation, at the promised accuracy and at a tenth of it.
#[test]
fn errors_grow_no_faster_than_tolerances() {
    let (height, speed, mu, e, g) = (0.5, 2.0, 0.05, 0.5, 9.81);
    let mut scene = plane(mu, e);
    // A point: friction does not turn it.
    let points = Shape::Points { points: vec![[0.0; 3]] };
    scene.bodies.push(body(1.0, 1.0, points, [0.0, height, 0.0]));
    scene.bodies[1].velocity = [speed, 0.0, 0.0];
    scene.duration = 2.0;
    let fall = f64::sqrt(2.0 * height / g);
    let end = fall * (1.0 + e) / (1.0 - e);
    let error = |factor: f64| {
        let mut options = Options::at([2.0]);
        options.tolerance_factor = factor;
        let motion = simulate(&scene, &options).expect("a motion");
        let told = of_kind(&motion, "accumulation");
        // Friction has taken μ (v₁ (1 + e) + μ-free flights …): all normal impulse is weight times time.
        let state = motion.samples[0].bodies[1];
        let left = speed - mu * g * 2.0;
        (told[0].time - end)
            .abs()
            .max((state.velocity[0] - left).abs())
            .max(state.position[1].abs())
    };
    let (fine, coarse) = (error(1.0), error(10.0));
    println!("errors {fine:e} {coarse:e}");
    assert!(coarse <= 30.0 * fine.max(1e-10), "{fine:e} {coarse:e}");
    assert!(fine <= 1e-9 && error(1000.0) <= 1e-6);
}

/// A coarser promise captures accumulations at a higher speed; states behind them stay within the promise.
#[test]
fn the_speed_of_capture_does_not_matter() {
    let captured = |state: f64| {
        let mut scene = plane(0.2, 0.6);
        scene.accuracy.state = state;
        scene.bodies.push(body(1.0, 0.005, disk(0.1), [0.0, 0.6, 0.0]));
        scene.bodies[1].velocity = [3.0, 0.0, 0.0];
        scene.duration = 2.0;
        let motion = follow(&scene, &[2.0]);
        let end = of_kind(&motion, "accumulation")[0].clone();
        let impacts = of_kind(&motion, "impact").len();
        (motion.samples[0].bodies[1], end.time, impacts)
    };
    let (fine, end, many) = captured(1e-9);
    for state in [8e-9, 6.4e-8, 5e-7] {
        let (coarse, time, few) = captured(state);
        assert!(few < many, "{few} impacts, {many}");
        let apart = largest(difference(coarse.position, fine.position))
            .max(largest(difference(coarse.velocity, fine.velocity)));
        // The extent of the ball is 0.2 m, its speed 3 m/s.
        assert!(apart < 3.0 * state, "{state:e}: {apart:e}");
        assert!((time - end).abs() < state.max(1e-9), "{state:e}: {time} {end}");
    }
}

/// A hundred points, all of them redundant but three.
#[test]
fn a_slab_on_a_hundred_points_rests_from_the_start() {
    let mut scene = Scene::new(Dimension::Space);
    let mut floor = SceneBody::fixed("floor");
    floor.orientation = Turn::Quaternion([1.0, 0.0, 0.0, 0.0]);
    floor.shapes.push(Shape::HalfSpace { normal: [0.0, 0.0, 1.0], offset: 0.0 });
    let points = (0..100)
        .map(|k| [0.1 * f64::from(k % 10) - 0.45, 0.1 * f64::from(k / 10) - 0.45, -0.05])
        .collect();
    let mut slab = body(20.0, 2.0, Shape::Points { points }, [0.0, 0.0, 0.05]);
    slab.orientation = Turn::Quaternion([1.0, 0.0, 0.0, 0.0]);
    scene.bodies = vec![floor, slab];
    scene.pairs =
        vec![Pair { a: None, b: None, material: Material::new(0.4, 0.0).expect("a surface") }];
    scene.duration = 10.0;
    let mut options = Options::at([10.0]);
    options.contacts = true;
    let motion = simulate(&scene, &options).expect("a motion");
    assert_eq!((motion.end.reason, motion.end.time), (EndReason::Rest, 0.0));
    assert!(motion.events.is_empty(), "{:?}", motion.events);
    assert_eq!(motion.samples[0].bodies[1].position, [0.0, 0.0, 0.05]);
    let contacts = &motion.samples[0].contacts;
    let weight: f64 = contacts.iter().map(|contact| contact.force[2]).sum();
    assert!(contacts.len() == 100 && (weight - 20.0 * 9.81).abs() < 1e-9, "{weight}");
}

/// The first touch of thrown boxes, by looking every microsecond. `CAROM_BOXES` sets how many (40 if absent).
#[test]
fn thrown_boxes_touch_when_they_touch() {
    let count: u64 = std::env::var("CAROM_BOXES")
        .map_or(40, |text| text.replace('_', "").parse().expect("a number"));
    let mut seed: u64 = 11;
    let mut chance = move || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 11) as f64 / (1_u64 << 53) as f64
    };
    let mut touched = 0;
    for item in 0..count {
        let half: [f64; 3] = std::array::from_fn(|_| 0.05 + 0.25 * chance());
        let mut normal: [f64; 3] = std::array::from_fn(|_| chance() - 0.5);
        let length = normal.iter().map(|x| x * x).sum::<f64>().sqrt();
        normal = normal.map(|x| x / length);
        // A cube's inertia: its angular velocity stays, and places are closed forms.
        let mut thrown = body(
            1.0,
            0.1,
            Shape::Box { half, center: [0.0; 3], orientation: [1.0, 0.0, 0.0, 0.0] },
            [0.0; 3],
        );
        let reach = half.iter().map(|x| x * x).sum::<f64>().sqrt();
        let away = reach + 0.3 * chance();
        thrown.position = normal.map(|x| x * away);
        let mut axis: [f64; 3] = std::array::from_fn(|_| chance() - 0.5);
        let size = axis.iter().map(|x| x * x).sum::<f64>().sqrt();
        axis = axis.map(|x| x / size);
        let spin = 1.0 + 99.0 * chance();
        thrown.angular_velocity = axis.map(|x| x * spin);
        thrown.velocity = std::array::from_fn(|k| -normal[k] * (0.5 + 2.0 * chance()));
        thrown.orientation = Turn::Quaternion([1.0, 0.0, 0.0, 0.0]);
        let mut scene = Scene::new(Dimension::Space);
        scene.gravity = normal.map(|x| -2.0 * x);
        let mut wall = SceneBody::fixed("wall");
        wall.orientation = Turn::Quaternion([1.0, 0.0, 0.0, 0.0]);
        wall.shapes.push(Shape::HalfSpace { normal, offset: 0.0 });
        let (start, velocity, gravity) = (thrown.position, thrown.velocity, scene.gravity);
        scene.bodies = vec![wall, thrown];
        scene.pairs =
            vec![Pair { a: None, b: None, material: Material::new(0.0, 0.5).expect("a surface") }];
        scene.duration = 0.12;
        let dot = |a: [f64; 3], b: [f64; 3]| (0..3).map(|k| a[k] * b[k]).sum::<f64>();
        // The lowest corner: the wall's normal in the frame of the box, turned back about the axis.
        let lowest = |t: f64| {
            let (sin, cos) = libm::sincos(-spin * t);
            let along = dot(axis, normal) * (1.0 - cos);
            let cross = [
                axis[1] * normal[2] - axis[2] * normal[1],
                axis[2] * normal[0] - axis[0] * normal[2],
                axis[0] * normal[1] - axis[1] * normal[0],
            ];
            let corner: f64 = (0..3)
                .map(|k| half[k] * (normal[k] * cos + cross[k] * sin + axis[k] * along).abs())
                .sum();
            let centre: [f64; 3] =
                std::array::from_fn(|k| start[k] + velocity[k] * t + 0.5 * gravity[k] * t * t);
            dot(centre, normal) - corner
        };
        let brute = (0..120_000).map(|i| 1e-6 * f64::from(i)).find(|t| lowest(*t) <= 0.0);
        let motion = follow(&scene, &[]);
        let found = motion.events.first().map(|event| event.time);
        match (brute, found) {
            (Some(brute), Some(found)) => {
                // A corner may dip in and out again between two looks: earlier, and then really there.
                let late = found - brute;
                assert!(late < 1e-9 && lowest(found).abs() < 1e-9, "{item}: {brute} {found}");
                assert!(late > -1.1e-6 || lowest(found + 1e-9) < 0.0, "{item}: {brute} {found}");
                touched += 1;
            }
            (None, None) => {}
            (None, Some(found)) => assert!(lowest(found).abs() < 1e-9, "{item}: {found}"),
            (Some(brute), None) => panic!("{item}: touches at {brute}, missed"),
        }
    }
    assert!(2 * touched >= count, "{touched} of {count} touched");
}

/// A rod that strikes a floor with its tip: elastic springs of growing stiffness in the contact, on bodies that move and turn
/// meanwhile, against the motion under `stiff-limit`.
#[test]
fn stiff_springs_tend_to_the_stiff_limit() {
    let mut scene = plane(0.3, 1.0);
    let points = Shape::Points { points: vec![[-0.5, 0.0, 0.0], [0.5, 0.0, 0.0]] };
    let mut rod = body(1.0, 1.0 / 12.0, points, [0.0, 1.0, 0.0]);
    rod.orientation = Turn::Angle(0.7);
    rod.velocity = [0.5, -1.0, 0.0];
    rod.angular_velocity = [0.0, 0.0, 0.3];
    scene.bodies.push(rod);
    scene.law = Law::from_id("stiff-limit").ok();
    scene.duration = 2.0;
    let touch = of_kind(&follow(&scene, &[]), "impact")[0].time;
    // Just before, and just after: a sample at an event is the state after it.
    let motion = follow(&scene, &[touch - 1e-9, touch]);
    let [before, after] = [0, 1].map(|k| motion.samples[k].bodies[1]);
    let tip = {
        let (sin, cos) = libm::sincos(angle(before.orientation));
        let sign = if sin > 0.0 { -0.5 } else { 0.5 };
        [before.position[0] + sign * cos, before.position[1] + sign * sin]
    };
    assert!(tip[1].abs() < 1e-8, "{tip:?}");
    let errors: Vec<f64> = [1e6, 1e8, 1e10]
        .into_iter()
        .map(|stiffness| {
            let planar = |name: &str, motion, position: [f64; 2]| Body {
                name: name.into(),
                motion,
                position: position.to_vec(),
                orientation: Orientation::Identity,
                velocity: vec![],
                angular_velocity: vec![],
            };
            let inertia = Inertia::Planar(1.0 / 12.0);
            let at = [before.position[0], before.position[1]];
            let rod = Body {
                velocity: before.velocity[..2].to_vec(),
                angular_velocity: vec![before.angular_velocity[2]],
                ..planar("rod", carom::system::Motion::Free { mass: 1.0, inertia }, at)
            };
            let floor = planar("floor", carom::system::Motion::Fixed, [0.0; 2]);
            let contact = BodyContact {
                a: 0,
                b: 1,
                point: vec![tip[0], 0.0],
                normal: vec![0.0, 1.0],
                tangent: None,
                spec: ContactSpec::new(2, Material::new(0.3, 1.0).expect("a surface")),
            };
            let bodies = Bodies::new(vec![floor, rod], vec![], vec![contact]).expect("bodies");
            let compliance = Compliance {
                spring: Spring::Power { exponent: Exponent::Linear, stiffness },
                radius: 0.0,
                dissipation: 0.0,
                ..Compliance::default()
            };
            let run = run_bodies(&bodies, &compliance, &RunSettings::default(), &mut Unobserved);
            let left = &run.expect("a collision").bodies[1];
            [
                left.velocity[0] - after.velocity[0],
                left.velocity[1] - after.velocity[1],
                left.angular_velocity[0] - after.angular_velocity[2],
            ]
            .into_iter()
            .fold(0.0, |most, x| f64::max(most, x.abs()))
        })
        .collect();
    println!("errors {errors:?}");
    // The error is of the order of the penetration, √(m/k) v.
    assert!(errors[1] < 0.2 * errors[0] && errors[2] < 0.2 * errors[1], "{errors:?}");
    assert!(errors[2] < 1e-3, "{errors:?}");
}
