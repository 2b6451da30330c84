//! Stepping against motion from event to event, and piles.

use crate::motion::report::{EndReason, EventKind, Motion};
use crate::motion::run::{Options, simulate};
use crate::motion::scene::{
    Dimension, Mode, Pair, Scene, SceneBody, SceneJoint, SceneJointKind, Shape, Turn,
};
use carom::{Law, Material};

mod heaps;

fn material(mu: f64, e: f64) -> Material {
    Material::new(mu, e).unwrap()
}

fn any(mu: f64, e: f64) -> Pair {
    Pair { a: None, b: None, material: material(mu, e) }
}

fn floor(normal: [f64; 3], offset: f64) -> SceneBody {
    let mut body = SceneBody::fixed(format!("wall {normal:?} {offset}"));
    body.shapes.push(Shape::HalfSpace { normal, offset });
    body
}

fn diagonal(x: f64, y: f64, z: f64) -> [[f64; 3]; 3] {
    [[x, 0.0, 0.0], [0.0, y, 0.0], [0.0, 0.0, z]]
}

fn rectangle(half: [f64; 2]) -> Shape {
    let [a, b] = half;
    let points = vec![[-a, -b, 0.0], [a, -b, 0.0], [a, b, 0.0], [-a, b, 0.0]];
    Shape::Polygon { points }
}

fn disk(name: String, radius: f64, position: [f64; 3]) -> SceneBody {
    let mut body = SceneBody::moving(name, 1.0, diagonal(0.0, 0.0, 0.5 * radius * radius));
    body.position = position;
    body.shapes.push(Shape::Sphere { radius, center: [0.0; 3] });
    body
}

fn stepped(scene: &Scene, h: f64, at: &[f64]) -> Motion {
    let mut scene = scene.clone();
    scene.mode = Mode::Stepping { h, theta: 0.5 };
    simulate(&scene, &Options::at(at)).unwrap()
}

/// The largest difference of positions and, times a second, velocities.
fn difference(one: &Motion, other: &Motion) -> f64 {
    let mut most: f64 = 0.0;
    for (p, q) in one.samples.iter().zip(&other.samples) {
        for (a, b) in p.bodies.iter().zip(&q.bodies) {
            for k in 0..3 {
                most = most.max((a.position[k] - b.position[k]).abs());
                most = most.max((a.velocity[k] - b.velocity[k]).abs());
                most = most.max((a.angular_velocity[k] - b.angular_velocity[k]).abs());
            }
        }
    }
    most
}

/// Errors against the motion from event to event at `h`, `h/2`, `h/4`; each the mean of eight lengths near it, as an error
/// depends on where in a step an impact falls.
fn errors(scene: &Scene, h: f64, at: &[f64]) -> [f64; 3] {
    let exact = simulate(scene, &Options::at(at)).unwrap();
    assert!(!matches!(exact.end.reason, EndReason::Failed(_)), "{:?}", exact.end);
    [1.0, 0.5, 0.25].map(|part| {
        let mean: f64 = (0..8)
            .map(|k| {
                let motion = stepped(scene, part * h * (1.0 + 0.037 * f64::from(k)), at);
                assert!(!matches!(motion.end.reason, EndReason::Failed(_)), "{:?}", motion.end);
                difference(&motion, &exact)
            })
            .sum();
        mean / 8.0
    })
}

fn first_order(errors: [f64; 3]) {
    for k in 0..2 {
        let ratio = errors[k] / errors[k + 1];
        assert!((1.5..=2.8).contains(&ratio), "{errors:?}");
    }
}

#[test]
fn a_block_slides_to_rest_on_an_incline() {
    let mut scene = Scene::new(Dimension::Plane);
    let (sin, cos) = (0.28, 0.96);
    scene.bodies.push(floor([-sin, cos, 0.0], 0.0));
    let mut block = SceneBody::moving("block", 2.0, diagonal(0.0, 0.0, 0.05));
    // Up the incline; friction holds it where it stops.
    block.position = [-0.1 * sin, 0.1 * cos, 0.0];
    block.orientation = Turn::Angle(f64::atan2(sin, cos));
    block.velocity = [2.0 * cos, 2.0 * sin, 0.0];
    block.shapes.push(rectangle([0.2, 0.1]));
    scene.bodies.push(block);
    scene.pairs.push(any(0.5, 0.0));
    scene.duration = 1.0;
    // Sliding is uniformly decelerated, which steps follow exactly: only the stop is off, by less than order 1.
    let errors = errors(&scene, 4e-3, &[0.1, 0.2, 0.6]);
    println!("incline {errors:?}");
    assert!(
        errors[0] <= 1e-3 && errors[1] <= 0.6 * errors[0] && errors[2] <= 0.6 * errors[1],
        "{errors:?}"
    );
    let motion = stepped(&scene, 1e-3, &[0.6]);
    assert_eq!(motion.end.reason, EndReason::Rest);
    assert!(motion.ledger.residual.abs() < 1e-6, "{:?}", motion.ledger);
    assert!(motion.ledger.friction < 0.0);
}

#[test]
fn a_ball_bounces() {
    let mut scene = Scene::new(Dimension::Plane);
    scene.bodies.push(floor([0.0, 1.0, 0.0], 0.0));
    scene.bodies.push(disk("ball".into(), 0.1, [0.0, 1.1, 0.0]));
    scene.pairs.push(any(0.0, 0.5));
    scene.duration = 1.2;
    // Impacts at 0.4515, 0.9030, 1.1288 s.
    let errors = errors(&scene, 4e-3, &[0.3, 0.7, 1.0]);
    println!("ball {errors:?}");
    first_order(errors);
    let motion = stepped(&scene, 1e-3, &[]);
    let impacts =
        motion.events.iter().filter(|event| event.kind == EventKind::Impact { collision: true });
    assert_eq!(impacts.count(), 3);
}

#[test]
fn a_plate_slides_and_spins_on_four_corners() {
    let mut scene = Scene::new(Dimension::Space);
    scene.bodies.push(floor([0.0, 0.0, 1.0], 0.0));
    let half = [0.2, 0.15, 0.02];
    let mut plate = SceneBody::moving("plate", 1.0, diagonal(0.02, 0.03, 0.05));
    plate.position = [0.0, 0.0, half[2]];
    plate.velocity = [1.0, 0.3, 0.0];
    plate.angular_velocity = [0.0, 0.0, 6.0];
    plate.shapes.push(Shape::Box { half, center: [0.0; 3], orientation: [1.0, 0.0, 0.0, 0.0] });
    scene.bodies.push(plate);
    scene.pairs.push(any(0.3, 0.0));
    scene.duration = 0.3;
    let errors = errors(&scene, 8e-3, &[0.25]);
    println!("plate {errors:?}");
    first_order(errors);
}

#[test]
fn a_double_pendulum_falls_onto_a_floor() {
    let mut scene = Scene::new(Dimension::Plane);
    scene.bodies.push(floor([0.0, 1.0, 0.0], -1.5));
    for (name, x) in [("upper", 0.5), ("lower", 1.5)] {
        let mut link = SceneBody::moving(name, 1.0, diagonal(0.0, 0.0, 1.0 / 12.0));
        link.position = [x, 0.0, 0.0];
        link.shapes.push(Shape::Points { points: vec![[-0.5, 0.0, 0.0], [0.5, 0.0, 0.0]] });
        scene.bodies.push(link);
    }
    let hinge =
        |a, b, x: f64| SceneJoint::new(SceneJointKind::Hinge, a, b, [x, 0.0, 0.0], [0.0, 0.0, 1.0]);
    scene.joints.push(hinge(0, 1, 0.0));
    scene.joints.push(hinge(1, 2, 1.0));
    scene.pairs.push(any(0.3, 0.0));
    scene.duration = 1.0;
    let exact = simulate(&scene, &Options::at([])).unwrap();
    println!("{:?}", exact.events.iter().map(|e| (e.time, e.kind.name())).collect::<Vec<_>>());
    let errors = errors(&scene, 2e-3, &[0.3, 0.8]);
    println!("pendulum {errors:?}");
    first_order(errors);
}

/// A number from 0 to 1.
fn chance(state: &mut u64) -> f64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 11) as f64 / (1_u64 << 53) as f64
}

fn pile_in_the_plane() -> Scene {
    let mut scene = Scene::new(Dimension::Plane);
    for (normal, offset) in
        [([0.0, 1.0, 0.0], 0.0), ([1.0, 0.0, 0.0], -0.8), ([-1.0, 0.0, 0.0], -0.8)]
    {
        scene.bodies.push(floor(normal, offset));
    }
    let mut seed = 1;
    for k in 0..60 {
        let position = [
            0.25 * f64::from(k % 6) - 0.63 + 0.02 * chance(&mut seed),
            0.15 + 0.26 * f64::from(k / 6),
            0.0,
        ];
        let body = disk(format!("{k}"), 0.1, position);
        scene.bodies.push(body);
    }
    scene.pairs.push(any(0.4, 0.0));
    scene.duration = 2.0;
    scene
}

fn pile_in_space() -> Scene {
    let mut scene = Scene::new(Dimension::Space);
    for (normal, offset) in [
        ([0.0, 0.0, 1.0], 0.0),
        ([1.0, 0.0, 0.0], -0.35),
        ([-1.0, 0.0, 0.0], -0.35),
        ([0.0, 1.0, 0.0], -0.35),
        ([0.0, -1.0, 0.0], -0.35),
    ] {
        scene.bodies.push(floor(normal, offset));
    }
    let mut seed = 2;
    for k in 0..30 {
        let (i, j, l) = (k % 3, k / 3 % 3, k / 9);
        let mut body = SceneBody::moving(format!("{k}"), 1.0, diagonal(4e-3, 4e-3, 4e-3));
        let mut place = |i: i32| 0.22 * f64::from(i - 1) + 0.02 * chance(&mut seed);
        body.position = [place(i), place(j), 0.15 + 0.22 * f64::from(l)];
        body.shapes.push(Shape::Sphere { radius: 0.1, center: [0.0; 3] });
        scene.bodies.push(body);
    }
    scene.pairs.push(any(0.4, 0.0));
    scene.duration = 2.0;
    scene
}

/// The deepest that bodies lie in each other at a sample, in metres.
fn deepest(scene: &Scene, sample: &crate::motion::report::Sample) -> f64 {
    use crate::motion::model::{Model, vector};
    use crate::motion::vector::{Pose, planar_rotation, rotation};
    let model = Model::new(scene, None).unwrap();
    let pose = |body: usize| {
        let state = &sample.bodies[body];
        let rotation = match state.orientation {
            Turn::Angle(angle) => planar_rotation(angle),
            Turn::Quaternion(q) => rotation(q),
        };
        Pose { centre: vector(state.position), rotation }
    };
    let mut most: f64 = 0.0;
    for a in 0..scene.bodies.len() {
        for b in a + 1..scene.bodies.len() {
            let Some(pair) = model.pair(a, b) else { continue };
            for shapes in &pair.shapes {
                if shapes.distance_bound(&pose(a), &pose(b)) < 0.0 {
                    most = most.max(shapes.overlap(&pose(a), &pose(b)));
                }
            }
        }
    }
    most
}

fn settles(scene: &Scene, h: f64) {
    let times: Vec<f64> = (0..=40).map(|k| 0.05 * f64::from(k)).collect();
    let started = std::time::Instant::now();
    let motion = stepped(scene, h, &times);
    println!("{:?} {:?} {:?} {:?}", started.elapsed(), motion.effort, motion.ledger, motion.notes);
    assert!(!matches!(motion.end.reason, EndReason::Failed(_)), "{:?}", motion.end);
    let total = |k: usize| motion.samples[k].kinetic + motion.samples[k].potential;
    let depths: Vec<f64> = motion.samples.iter().map(|sample| deepest(scene, sample)).collect();
    let grows = (1..motion.samples.len()).map(|k| total(k) - total(k - 1)).fold(0.0, f64::max);
    let last = motion.samples.len() - 1;
    let most = depths.iter().copied().fold(0.0, f64::max);
    println!(
        "grows {grows} J, kinetic {}, deepest {most} m, {} m",
        motion.samples[last].kinetic, depths[last]
    );
    // Before the first impact interpolation between the ends of steps moves energy by (h g)²/8 of each mass.
    assert!(grows <= 1e-4 * total(0), "{grows}");
    assert!(motion.samples[last].kinetic < 1e-3 * total(0), "{}", motion.samples[last].kinetic);
    // What a step brings at the fastest fall; in the end what is not moved apart.
    assert!(most <= 7.0 * h, "{most}");
    assert!(depths[last] <= 1e-5, "{}", depths[last]);
}

#[test]
fn a_pile_in_the_plane_settles() {
    settles(&pile_in_the_plane(), 4e-3);
}

#[test]
fn a_pile_in_space_settles() {
    settles(&pile_in_space(), 4e-3);
}

fn boxes_apart(count: i32) -> Scene {
    let mut scene = Scene::new(Dimension::Space);
    scene.bodies.push(floor([0.0, 0.0, 1.0], 0.0));
    for k in 0..count {
        let mut body = SceneBody::moving(format!("{k}"), 1.0, diagonal(7e-3, 7e-3, 7e-3));
        body.position = [2.0 * f64::from(k % 40), 2.0 * f64::from(k / 40), 0.1];
        body.velocity = [1.0, 0.2, 0.0];
        let half = [0.1; 3];
        body.shapes.push(Shape::Box { half, center: [0.0; 3], orientation: [1.0, 0.0, 0.0, 0.0] });
        scene.bodies.push(body);
    }
    scene.pairs.push(any(0.3, 0.0));
    scene.duration = 0.02;
    scene
}

#[test]
fn boxes_that_are_far_apart_are_decided_one_by_one() {
    for count in [100, 1000] {
        let motion = stepped(&boxes_apart(count), 1e-3, &[]);
        assert_eq!(motion.effort.decisions, 20 * count as u64);
    }
}

#[test]
fn what_is_far_away_and_samples_change_no_bit() {
    let mut scene = pile_in_the_plane();
    scene.duration = 0.4;
    let at = [0.37, 0.4];
    let alone = stepped(&scene, 2e-3, &at);
    let mut more = scene.clone();
    more.bodies.push(disk("far".into(), 0.1, [0.0, 300.0, 0.0]));
    let beside = stepped(&more, 2e-3, &[0.37, 0.1, 0.4, 0.0]);
    assert_eq!(alone.samples[0].bodies[..], beside.samples[0].bodies[..63]);
    assert_eq!(alone.samples[1].bodies[..], beside.samples[2].bodies[..63]);
    // A sample inside a step lies on the line between its ends.
    let ends = stepped(&scene, 2e-3, &[0.2, 0.201, 0.202]);
    let y = |k: usize| ends.samples[k].bodies[10].position[1];
    assert!((y(1) - 0.5 * (y(0) + y(2))).abs() < 1e-15);
}

#[test]
fn lengths_of_steps_that_make_no_sense_are_refused() {
    let scene = pile_in_space();
    for (h, theta, field) in [
        (0.0, 0.5, "mode.stepping.h"),
        (-1e-3, 0.5, "mode.stepping.h"),
        (f64::NAN, 0.5, "mode.stepping.h"),
        (1e-9, 0.5, "mode.stepping.h"),
        (1e-3, 1.5, "mode.stepping.theta"),
        (1e-3, f64::NAN, "mode.stepping.theta"),
    ] {
        let mut scene = scene.clone();
        scene.mode = Mode::Stepping { h, theta };
        let error = simulate(&scene, &Options::default()).unwrap_err();
        assert!(error.to_string().contains(field), "{error}");
    }
}

#[test]
fn other_laws_step_too() {
    let mut scene = pile_in_the_plane();
    scene.bodies.truncate(3 + 12);
    scene.duration = 0.5;
    for id in ["newton-coulomb", "poisson-coulomb", "sequential"] {
        scene.law = Law::from_id(id).ok();
        let started = std::time::Instant::now();
        let motion = stepped(&scene, 2e-3, &[0.5]);
        println!("{id}: {:?} {:?} {:?}", started.elapsed(), motion.end, motion.ledger);
    }
}
