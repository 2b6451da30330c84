//! Forces of the caller's own: closed answers, the ledger, and what may not be asked of them.

use carom::Material;
use carom_sim::motion::{
    BodyLoad, BodyState, Dimension, EndReason, FailureKind, Mode, Motion, Options, Pair, Scene,
    SceneBody, SceneJoint, SceneJointKind, Shape, Turn, simulate,
};

const MASS: f64 = 2.0;

fn ball(name: &str, position: [f64; 3]) -> SceneBody {
    let mut body =
        SceneBody::moving(name, MASS, [[0.008, 0.0, 0.0], [0.0, 0.008, 0.0], [0.0, 0.0, 0.008]]);
    body.position = position;
    body.orientation = Turn::Quaternion([1.0, 0.0, 0.0, 0.0]);
    body.shapes = vec![Shape::Sphere { radius: 0.1, center: [0.0; 3] }];
    body
}

fn floor() -> SceneBody {
    let mut floor = SceneBody::fixed("floor");
    floor.orientation = Turn::Quaternion([1.0, 0.0, 0.0, 0.0]);
    floor.shapes = vec![Shape::HalfSpace { normal: [0.0, 0.0, 1.0], offset: 0.0 }];
    floor
}

fn space(bodies: Vec<SceneBody>, duration: f64) -> Scene {
    let mut scene = Scene::new(Dimension::Space);
    scene.bodies = bodies;
    scene.duration = duration;
    let material = Material::new(0.3, 0.5).expect("in range");
    scene.pairs = vec![Pair { a: None, b: None, material }];
    scene
}

fn closes(motion: &Motion) {
    let ledger = &motion.ledger;
    let works = [ledger.impacts, ledger.friction, ledger.damping, ledger.forces, ledger.drives];
    let scale = ledger.start.abs() + works.iter().map(|w| w.abs()).sum::<f64>();
    assert!(ledger.residual.abs() <= 1e-9 * scale, "{ledger:?}");
}

#[test]
fn drag_slows_a_falling_ball_as_the_closed_answer_says() {
    const DRAG: f64 = 3.0;
    let mut body = ball("ball", [0.0, 0.0, 50.0]);
    body.velocity = [4.0, 0.0, 1.0];
    let scene = space(vec![body], 1.5);
    let drag = |_: f64, bodies: &[BodyState], loads: &mut [BodyLoad]| {
        loads[0].force = bodies[0].velocity.map(|v| -DRAG * v);
    };
    let motion = simulate(&scene, &Options::at([1.5]).with_forces(drag)).expect("a scene");
    let (rate, t) = (DRAG / MASS, 1.5);
    let left = libm::exp(-rate * t);
    let end = -9.81 / rate;
    let [x, _, z] = motion.samples[0].bodies[0].velocity;
    assert!((x - 4.0 * left).abs() < 1e-9, "{x}");
    assert!((z - (end + (1.0 - end) * left)).abs() < 1e-9, "{z}");
    closes(&motion);
    assert!(motion.ledger.forces < 0.0);
}

#[test]
fn a_ball_is_shaken_on_a_floor_and_the_ledger_closes() {
    let scene = space(vec![floor(), ball("ball", [0.0, 0.0, 0.3])], 2.0);
    let shaken = |t: f64, _: &[BodyState], loads: &mut [BodyLoad]| {
        loads[1].force = [3.0 * libm::cos(5.0 * t), 0.0, 25.0 * libm::sin(9.0 * t)];
        loads[1].torque = [0.0, 0.0, 0.01];
    };
    let motion = simulate(&scene, &Options::at([2.0]).with_forces(shaken)).expect("a scene");
    assert_eq!(motion.end.reason, EndReason::Duration);
    assert!(motion.effort.impacts > 3);
    closes(&motion);
    // Other samples change no bit.
    let again =
        simulate(&scene, &Options::at([0.3, 0.9, 2.0]).with_forces(shaken)).expect("a scene");
    assert_eq!(motion.samples[0].bodies, again.samples[2].bodies);
}

#[test]
fn a_pendulum_on_a_moving_support_is_driven_by_a_torque_and_the_ledger_closes() {
    let mut support = SceneBody::fixed("support");
    support.kind = carom_sim::motion::BodyKind::Fixed {
        motion: carom_sim::motion::Prescribed::Sine {
            amplitude: [0.05, 0.0, 0.0],
            frequency: 1.3,
            phase: 0.0,
        },
    };
    support.position = [0.0, 0.0, 2.0];
    support.orientation = Turn::Quaternion([1.0, 0.0, 0.0, 0.0]);
    let mut bob = ball("bob", [0.0, 0.0, 1.0]);
    // The support moves at t = 0, and the bob with it.
    bob.velocity = [0.05 * 2.0 * std::f64::consts::PI * 1.3, 0.0, 0.0];
    let mut scene = space(vec![support, bob], 3.0);
    scene.joints =
        vec![SceneJoint::new(SceneJointKind::Hinge, 0, 1, [0.0, 0.0, 2.0], [0.0, 1.0, 0.0])];
    let held = |_: f64, bodies: &[BodyState], loads: &mut [BodyLoad]| {
        loads[1].torque = [0.0, -0.7 * bodies[1].angular_velocity[1], 0.0];
        loads[1].force = [0.4, 0.0, 0.2];
    };
    let motion = simulate(&scene, &Options::at([3.0]).with_forces(held)).expect("a scene");
    closes(&motion);
    assert!(motion.ledger.drives.abs() > 1e-3 && motion.ledger.forces.abs() > 1e-3);
}

#[test]
fn bodies_far_apart_feel_each_other() {
    const PULL: f64 = 8.0;
    let mut scene = space(vec![ball("one", [-3.0, 0.0, 0.0]), ball("other", [3.0, 0.0, 0.0])], 1.0);
    scene.gravity = [0.0; 3];
    let spring = |_: f64, bodies: &[BodyState], loads: &mut [BodyLoad]| {
        let apart = bodies[1].position[0] - bodies[0].position[0];
        loads[0].force[0] = PULL * apart;
        loads[1].force[0] = -PULL * apart;
    };
    let motion = simulate(&scene, &Options::at([0.4]).with_forces(spring)).expect("a scene");
    let expected = 3.0 * libm::cos(f64::sqrt(2.0 * PULL / MASS) * 0.4);
    assert!((motion.samples[0].bodies[1].position[0] - expected).abs() < 1e-9);
    closes(&motion);
}

#[test]
fn forces_that_are_not_numbers_end_the_run() {
    let scene = space(vec![ball("ball", [0.0, 0.0, 5.0])], 1.0);
    let broken = |t: f64, _: &[BodyState], loads: &mut [BodyLoad]| {
        loads[0].force[2] = f64::sqrt(0.5 - t);
    };
    let motion = simulate(&scene, &Options::at([0.2]).with_forces(broken)).expect("a scene");
    let EndReason::Failed(failure) = &motion.end.reason else { panic!("{:?}", motion.end.reason) };
    assert_eq!(failure.kind, FailureKind::Step);
    assert!(failure.message.contains("applied force on bodies[0]"), "{}", failure.message);
    assert!((motion.end.time - 0.5).abs() < 1e-6);
}

#[test]
fn stepping_takes_them_too() {
    let mut scene = space(vec![ball("ball", [0.0, 0.0, 5.0])], 1.0);
    let drag = |_: f64, bodies: &[BodyState], loads: &mut [BodyLoad]| {
        loads[0].force = bodies[0].velocity.map(|v| -v);
    };
    let error = |h: f64, scene: &mut Scene| {
        scene.mode = Mode::Stepping { h, theta: 0.5 };
        let motion = simulate(scene, &Options::at([1.0]).with_forces(drag)).expect("a scene");
        let rate = 1.0 / MASS;
        let exact = -9.81 / rate * (1.0 - libm::exp(-rate));
        (motion.samples[0].bodies[0].velocity[2] - exact).abs()
    };
    let (coarse, fine) = (error(1e-2, &mut scene), error(1e-3, &mut scene));
    assert!(coarse < 0.1 && fine < 0.15 * coarse, "{coarse} {fine}");
}
