//! Places where a simulator goes wrong, each with its number where there is one.
//!
//! Those of contacts that last, of accumulations and of loops are in `traps_lasting`.

use carom::Material;
use carom_sim::motion::{
    Dimension, EndReason, Event, EventKind, Motion, Options, Pair, Scene, SceneBody, SceneJoint,
    SceneJointKind, Shape, Turn, simulate,
};

pub fn plane(mu: f64, e: f64) -> Scene {
    let mut scene = Scene::new(Dimension::Plane);
    let mut floor = SceneBody::fixed("floor");
    floor.shapes.push(Shape::HalfSpace { normal: [0.0, 1.0, 0.0], offset: 0.0 });
    scene.bodies.push(floor);
    let material = Material::new(mu, e).expect("a surface");
    scene.pairs.push(Pair { a: None, b: None, material });
    scene
}

pub fn body(mass: f64, inertia: f64, shape: Shape, position: [f64; 3]) -> SceneBody {
    let mut body = SceneBody::moving(
        "body",
        mass,
        [[inertia, 0.0, 0.0], [0.0, inertia, 0.0], [0.0, 0.0, inertia]],
    );
    body.shapes.push(shape);
    body.position = position;
    body
}

pub fn disk(radius: f64) -> Shape {
    Shape::Sphere { radius, center: [0.0; 3] }
}

fn rod(half: f64) -> Shape {
    Shape::Points { points: vec![[-half, 0.0, 0.0], [half, 0.0, 0.0]] }
}

pub fn follow(scene: &Scene, at: &[f64]) -> Motion {
    simulate(scene, &Options::at(at)).expect("a scene")
}

pub fn of_kind<'a>(motion: &'a Motion, kind: &str) -> Vec<&'a Event> {
    motion.events.iter().filter(|event| event.kind.name() == kind).collect()
}

#[test]
fn trap_1_a_bounce_is_not_found_again_where_it_starts() {
    let mut scene = plane(0.0, 0.8);
    scene.duration = 1.5;
    scene.bodies.push(body(1.0, 0.1, disk(0.1), [0.0, 1.1, 0.0]));
    let motion = follow(&scene, &[]);
    let first = f64::sqrt(2.0 / 9.81);
    let impacts = of_kind(&motion, "impact");
    assert_eq!(impacts.len(), 2);
    assert!((impacts[0].time - first).abs() < 1e-12);
    assert!((impacts[1].time - first * 2.6).abs() < 1e-11);
    assert!(motion.effort.slopes < 800, "{}", motion.effort.slopes);
}

#[test]
fn trap_3_the_tips_of_a_rod_that_turns_many_times_in_a_step_are_not_missed() {
    for k in 0..20 {
        let mut scene = plane(0.0, 0.5);
        scene.gravity = [0.0; 3];
        scene.duration = 0.3;
        let mut rod = body(1.0, 0.08, rod(0.5), [0.0, 0.55 + 0.05 * f64::from(k), 0.0]);
        rod.velocity[1] = -2.0;
        rod.angular_velocity[2] = 80.0;
        let (height, phase) = (rod.position[1], 0.1 * f64::from(k));
        rod.orientation = Turn::Angle(phase);
        scene.bodies.push(rod);
        let tip = |t: f64| height - 2.0 * t - 0.5 * libm::sin(phase + 80.0 * t).abs();
        let brute = (0..300_000).map(|i| 1e-6 * f64::from(i)).find(|t| tip(*t) <= 0.0);
        let motion = follow(&scene, &[]);
        let found = motion.events.first().map(|event| event.time);
        match (brute, found) {
            (Some(brute), Some(found)) => {
                assert!((brute - found).abs() < 2e-6, "{k}: {brute} {found}")
            }
            (None, None) => {}
            _ => panic!("{k}: {brute:?} {found:?}"),
        }
    }
}

#[test]
fn trap_17_a_block_on_a_belt_slips_where_it_is_at_rest_and_never_comes_to_rest() {
    let mut scene = plane(0.2, 0.0);
    scene.duration = 2.0;
    scene.bodies[0].surface_velocity = [1.0, 0.0, 0.0];
    let points = vec![[-0.1, -0.05, 0.0], [0.1, -0.05, 0.0]];
    scene.bodies.push(body(1.0, 0.01, Shape::Points { points }, [0.0, 0.05, 0.0]));
    let stops = 1.0 / (0.2 * 9.81);
    let motion = follow(&scene, &[0.5 * stops, 1.9]);
    assert!((motion.samples[0].bodies[1].velocity[0] - 0.5).abs() < 1e-9);
    assert!((motion.samples[1].bodies[1].velocity[0] - 1.0).abs() < 1e-9);
    let sticks = of_kind(&motion, "stick");
    assert!((sticks[0].time - stops).abs() < 1e-9);
    assert_eq!(motion.end.reason, EndReason::Duration);
}

#[test]
fn trap_18_grazing_is_told_apart_at_a_hundredth_of_a_nanometre() {
    for (gap, strikes) in [(1e-11, false), (-1e-11, true)] {
        let mut scene = plane(0.0, 0.5);
        scene.gravity = [0.0; 3];
        scene.duration = 0.06;
        let mut rod = body(1.0, 0.08, rod(0.5), [0.0, 0.5 + gap, 0.0]);
        rod.angular_velocity[2] = 30.0;
        scene.bodies.push(rod);
        let motion = follow(&scene, &[]);
        let impacts = of_kind(&motion, "impact");
        assert_eq!(impacts.len(), usize::from(strikes), "gap {gap:e}");
    }
}

#[test]
fn trap_19_a_box_that_falls_flat_does_not_turn() {
    let mut scene = plane(0.3, 0.0);
    scene.duration = 1.0;
    let points = vec![[-0.1, -0.1, 0.0], [0.1, -0.1, 0.0], [0.1, 0.1, 0.0], [-0.1, 0.1, 0.0]];
    scene.bodies.push(body(1.0, 0.01, Shape::Polygon { points }, [0.0, 0.6, 0.0]));
    let motion = follow(&scene, &[0.9]);
    assert_eq!(of_kind(&motion, "impact").len(), 1);
    let Turn::Angle(angle) = motion.samples[0].bodies[1].orientation else { unreachable!() };
    assert!(angle.abs() < 1e-12);
}

#[test]
fn trap_20_bodies_that_a_joint_holds_together_may_overlap() {
    let mut scene = plane(0.3, 0.0);
    scene.duration = 0.2;
    for (k, x) in [0.0, 0.1].into_iter().enumerate() {
        let mut link = body(1.0, 0.01, disk(0.08), [x, 2.0, 0.0]);
        link.name = format!("link {k}");
        scene.bodies.push(link);
    }
    let joint = SceneJoint::new(SceneJointKind::Hinge, 1, 2, [0.05, 2.0, 0.0], [0.0, 0.0, 1.0]);
    scene.joints.push(joint);
    assert!(follow(&scene, &[]).events.is_empty());
    let material = Material::new(0.3, 0.0).expect("a surface");
    scene.pairs.push(Pair { a: Some(1), b: Some(2), material });
    assert!(simulate(&scene, &Options::at([])).is_err(), "they overlap where a pair names both");
}

#[test]
fn trap_21_quaternions_keep_their_length() {
    let mut scene = Scene::new(Dimension::Space);
    scene.duration = 2.0;
    let mut top =
        SceneBody::moving("top", 1.0, [[0.1, 0.0, 0.0], [0.0, 0.2, 0.0], [0.0, 0.0, 0.25]]);
    top.orientation = Turn::Quaternion([1.0, 0.0, 0.0, 0.0]);
    top.angular_velocity = [1.0, 9.0, 0.1];
    scene.bodies.push(top);
    let times: Vec<f64> = (0..40).map(|k| 0.05 * f64::from(k)).collect();
    for sample in follow(&scene, &times).samples {
        let Turn::Quaternion(q) = sample.bodies[0].orientation else { unreachable!() };
        assert!((q.iter().map(|x| x * x).sum::<f64>() - 1.0).abs() < 1e-14);
    }
}

#[test]
fn trap_22_a_hinge_counts_turns() {
    let mut scene = Scene::new(Dimension::Plane);
    scene.gravity = [0.0; 3];
    scene.duration = 2.0;
    scene.bodies.push(SceneBody::fixed("wall"));
    let mut wheel =
        SceneBody::moving("wheel", 1.0, [[0.1, 0.0, 0.0], [0.0, 0.1, 0.0], [0.0, 0.0, 0.1]]);
    wheel.angular_velocity[2] = 6.0;
    scene.bodies.push(wheel);
    let mut joint = SceneJoint::new(SceneJointKind::Hinge, 0, 1, [0.0; 3], [0.0, 0.0, 1.0]);
    joint.limits = [f64::NEG_INFINITY, 3.0 * std::f64::consts::PI];
    joint.e = 0.5;
    scene.joints.push(joint);
    let motion = follow(&scene, &[1.9]);
    let limits = of_kind(&motion, "limit");
    assert_eq!(limits.len(), 1);
    assert!((limits[0].time - 0.5 * std::f64::consts::PI).abs() < 1e-12);
    assert!((motion.samples[0].bodies[1].angular_velocity[2] + 3.0).abs() < 1e-12);
}

#[test]
fn trap_23_a_ball_that_loses_nothing_never_rests() {
    let mut scene = plane(0.0, 1.0);
    scene.duration = 2.0;
    scene.bodies.push(body(1.0, 0.1, disk(0.1), [0.0, 0.11, 0.0]));
    let motion = follow(&scene, &[]);
    assert_eq!(motion.end.reason, EndReason::Duration);
    assert!(of_kind(&motion, "accumulation").is_empty());
    let flight = 2.0 * f64::sqrt(0.02 / 9.81);
    let expected = ((2.0 - 0.5 * flight) / flight) as usize + 1;
    assert_eq!(of_kind(&motion, "impact").len(), expected);
    assert!(motion.ledger.residual.abs() < 1e-12);
}

#[test]
fn trap_26_an_impact_at_the_start_comes_before_the_first_sample() {
    let mut scene = plane(0.0, 0.5);
    scene.duration = 0.1;
    let mut ball = body(1.0, 0.1, disk(0.1), [0.0, 0.1, 0.0]);
    ball.velocity[1] = -2.0;
    scene.bodies.push(ball);
    let motion = follow(&scene, &[0.0]);
    assert_eq!(
        (motion.events[0].time, motion.events[0].kind),
        (0.0, EventKind::Impact { collision: true })
    );
    assert!((motion.samples[0].bodies[1].velocity[1] - 1.0).abs() < 1e-14);
}
