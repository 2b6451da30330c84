//! What following a motion costs: slopes, events, impacts, and how it grows. Ratios are taken in one run.
//!
//! `cargo bench --package carom-sim --bench motion`, and `-- NAME …` for some of the lines. Times are those that the
//! processor spent on this thread, where the system tells them (Linux); elsewhere what elapsed.

use carom::Material;
use carom::{Law, resolve};
use carom_ode::{Dop853, StepControl, Verdict};
use carom_sim::motion::{
    BareMotion, BodyKind, BodyLoad, BodyState, Dimension, Joints, Mode, Motion, Options, Pair,
    Scene, SceneBody, SceneJoint, SceneJointKind, Shape, Turn, next_impact, simulate,
};
use std::hint::black_box;
use std::time::Instant;

fn main() {
    let lines: [(&str, fn()); 14] = [
        ("smooth", smooth_motion),
        ("far", far_pairs),
        ("bounces", bounces),
        ("events", events),
        ("pendulum", triple_pendulum),
        ("decide", decide),
        ("tree", tree_against_rows),
        ("stepping", stepping),
        ("galperin", galperin),
        ("box", tumbling_box),
        ("walker", walker),
        ("growth", growth),
        ("billiards", billiards),
        ("pooltool", pooltool),
    ];
    let wanted: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with('-')).collect();
    for (name, line) in lines {
        if wanted.is_empty() || wanted.iter().any(|wanted| wanted == name) {
            line();
        }
    }
}

/// Time that the processor has spent \[s\].
fn now() -> f64 {
    let spent = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let spent = spent.and_then(|text| text.split(' ').next()?.parse::<f64>().ok());
    match spent {
        Some(nanoseconds) => 1e-9 * nanoseconds,
        None => {
            static START: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
            START.get_or_init(Instant::now).elapsed().as_secs_f64()
        }
    }
}

/// The shortest of some runs of the same work, each made often enough to be measured \[s\].
fn timed<T>(runs: usize, mut work: impl FnMut() -> T) -> f64 {
    let mut repeats = 1;
    let mut best = f64::INFINITY;
    let mut run = 0;
    while run < runs {
        let begin = now();
        for _ in 0..repeats {
            black_box(work());
        }
        let spent = now() - begin;
        if spent < 2e-3 && repeats < 1 << 20 {
            repeats *= 2;
            continue;
        }
        best = best.min(spent / f64::from(repeats));
        run += 1;
    }
    best
}

/// The shortest of some runs \[s\], and the last motion.
fn shortest(runs: usize, scene: &Scene) -> (f64, Motion) {
    let mut last = None;
    let best = timed(runs, || {
        last = Some(simulate(scene, &Options::default()).expect("a scene that can be followed"));
    });
    (best, last.expect("at least one run"))
}

fn pair(mu: f64, e: f64) -> Pair {
    Pair { a: None, b: None, material: Material::new(mu, e).expect("in range") }
}

fn floor(dimension: Dimension) -> SceneBody {
    let normal = if dimension == Dimension::Plane { [0.0, 1.0, 0.0] } else { [0.0, 0.0, 1.0] };
    let mut floor = SceneBody::fixed("floor");
    floor.orientation = upright(dimension);
    floor.shapes = vec![Shape::HalfSpace { normal, offset: 0.0 }];
    floor
}

fn upright(dimension: Dimension) -> Turn {
    match dimension {
        Dimension::Plane => Turn::Angle(0.0),
        Dimension::Space => Turn::Quaternion([1.0, 0.0, 0.0, 0.0]),
    }
}

fn moving(
    name: String,
    mass: f64,
    inertia: [f64; 3],
    position: [f64; 3],
    dimension: Dimension,
) -> SceneBody {
    let [x, y, z] = inertia;
    let mut body = SceneBody::moving(name, mass, [[x, 0.0, 0.0], [0.0, y, 0.0], [0.0, 0.0, z]]);
    body.position = position;
    body.orientation = upright(dimension);
    body
}

fn disk(name: String, mass: f64, radius: f64, position: [f64; 2], velocity: [f64; 2]) -> SceneBody {
    let inertia = 0.5 * mass * radius * radius;
    let mut body =
        moving(name, mass, [inertia; 3], [position[0], position[1], 0.0], Dimension::Plane);
    body.velocity = [velocity[0], velocity[1], 0.0];
    body.shapes = vec![Shape::Sphere { radius, center: [0.0; 3] }];
    body
}

/// A box of 40 × 30 × 20 cm and 2 kg.
fn brick(name: String, position: [f64; 3]) -> SceneBody {
    let half = [0.2, 0.15, 0.1];
    let square = half.map(|h| h * h);
    let third = 2.0 / 3.0;
    let inertia = [
        third * (square[1] + square[2]),
        third * (square[0] + square[2]),
        third * (square[0] + square[1]),
    ];
    let mut body = moving(name, 2.0, inertia, position, Dimension::Space);
    body.shapes = vec![Shape::Box { half, center: [0.0; 3], orientation: [1.0, 0.0, 0.0, 0.0] }];
    body
}

/// A scene without contacts against a bare integrator: on the same slope, and on Euler's equations by hand.
fn smooth_motion() {
    let mut scene = Scene::new(Dimension::Space);
    let mut body = brick("brick".into(), [0.0; 3]);
    body.shapes.clear();
    body.angular_velocity = [3.0, 0.2, 1.0];
    scene.bodies = vec![body];
    scene.duration = 50.0;
    let (time, motion) = shortest(5, &scene);
    let inertia = match scene.bodies[0].kind {
        BodyKind::Moving { inertia, .. } => [inertia[0][0], inertia[1][1], inertia[2][2]],
        BodyKind::Fixed { .. } => unreachable!("it moves"),
    };
    let mut bare = BareMotion::new(&scene, Joints::InTrees).expect("a good scene");
    let mut same = 0;
    let by_hand = timed(5, || bare_top(inertia, scene.duration));
    let on_same = timed(5, || same = follow_bare(&mut bare, scene.duration));
    let per = |time: f64, slopes: u64| 1e9 * time / slopes as f64;
    println!(
        "free body in space: {:.0} ns per slope of {}; a bare integrator on the same slope {:.0} ns of {same}: {:.2} times \
         (at most 1.2 wanted); with the equations of this body by hand {:.0} ns",
        per(time, motion.effort.slopes),
        motion.effort.slopes,
        per(on_same, same),
        per(time, motion.effort.slopes) / per(on_same, same),
        per(by_hand, bare_top(inertia, scene.duration)),
    );
}

/// Follows a motion without contacts by nothing but an integrator: slopes.
fn follow_bare(bare: &mut BareMotion, duration: f64) -> u64 {
    let (n, integrals) = (bare.start().len(), bare.integrals());
    let mut method = Dop853::default();
    method.resize_with_integrals(n, integrals);
    method.start[..n].copy_from_slice(bare.start());
    let mut slopes = 0;
    let mut scale = vec![f64::INFINITY; n + integrals];
    scale[..n - 1].fill(1e-11);
    let mut control = StepControl::dop853(0.0, f64::INFINITY);
    let (mut time, mut h) = (0.0, 1e-3);
    let mut slope = |bare: &mut BareMotion, y: &[f64], out: &mut [f64]| {
        slopes += 1;
        bare.slope(y, out);
    };
    method.begin(|y, out| slope(bare, y, out));
    while time < duration {
        h = f64::min(h, duration - time);
        method.step(h, |y, out| slope(bare, y, out));
        match control.judge(h, method.error(&scale)) {
            Verdict::Reject(shorter) => h = shorter,
            Verdict::Accept(next) => {
                method.accept();
                (time, h) = (time + h, next);
            }
            Verdict::Stuck => unreachable!("nothing jumps"),
        }
    }
    slopes
}

/// Euler's equations and the quaternion's, in a bare integrator: slopes.
fn bare_top(inertia: [f64; 3], duration: f64) -> u64 {
    let mut slopes = 0;
    let mut slope = |y: &[f64], out: &mut [f64]| {
        slopes += 1;
        let [w, x, v, z] = [y[3], y[4], y[5], y[6]];
        let s = 2.0 / (w * w + x * x + v * v + z * z);
        let r = [
            [1.0 - s * (v * v + z * z), s * (x * v - w * z), s * (x * z + w * v)],
            [s * (x * v + w * z), 1.0 - s * (x * x + z * z), s * (v * z - w * x)],
            [s * (x * z - w * v), s * (v * z + w * x), 1.0 - s * (x * x + v * v)],
        ];
        let spin = [y[10], y[11], y[12]];
        let local: [f64; 3] = std::array::from_fn(|i| (0..3).map(|k| r[k][i] * spin[k]).sum());
        let momentum: [f64; 3] = std::array::from_fn(|i| inertia[i] * local[i]);
        let torque = [
            momentum[1] * local[2] - momentum[2] * local[1],
            momentum[2] * local[0] - momentum[0] * local[2],
            momentum[0] * local[1] - momentum[1] * local[0],
        ];
        let turned: [f64; 3] = std::array::from_fn(|i| torque[i] / inertia[i]);
        out[..3].copy_from_slice(&y[7..10]);
        out[3] = -0.5 * (spin[0] * x + spin[1] * v + spin[2] * z);
        out[4] = 0.5 * (spin[0] * w + spin[1] * z - spin[2] * v);
        out[5] = 0.5 * (spin[1] * w + spin[2] * x - spin[0] * z);
        out[6] = 0.5 * (spin[2] * w + spin[0] * v - spin[1] * x);
        out[7..10].copy_from_slice(&[0.0, 0.0, -9.81]);
        for i in 0..3 {
            out[10 + i] = (0..3).map(|k| r[i][k] * turned[k]).sum();
        }
    };
    let mut method = Dop853::default();
    method.resize(13);
    method
        .start
        .copy_from_slice(&[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 3.0, 0.2, 1.0]);
    method.begin(&mut slope);
    let mut control = StepControl::dop853(1e-12, duration);
    let (mut time, mut h) = (0.0, 1e-3);
    let scale = [1e-11; 13];
    while time < duration {
        h = f64::min(h, duration - time);
        method.step(h, &mut slope);
        match control.judge(h, method.error(&scale)) {
            Verdict::Reject(shorter) => h = shorter,
            Verdict::Accept(next) => {
                method.accept();
                (time, h) = (time + h, next);
            }
            Verdict::Stuck => unreachable!("nothing jumps"),
        }
    }
    slopes
}

/// A hundred pairs that never come near each other.
fn far_pairs() {
    let mut scene = Scene::new(Dimension::Space);
    scene.gravity = [0.0; 3];
    let mut spinning = brick("brick".into(), [0.0; 3]);
    spinning.angular_velocity = [3.0, 0.2, 1.0];
    scene.bodies = vec![spinning];
    for k in 0..100 {
        let mut wall = floor(Dimension::Space);
        wall.name = format!("wall {k}");
        wall.shapes = vec![Shape::HalfSpace { normal: [0.0, 0.0, 1.0], offset: -1000.0 }];
        scene.bodies.push(wall);
    }
    scene.duration = 20.0;
    let (alone, _) = shortest(5, &scene);
    scene.pairs = vec![pair(0.3, 0.5)];
    let (with, _) = shortest(5, &scene);
    println!("100 pairs far away: {:+.1} % (at most 10 wanted)", 100.0 * (with / alone - 1.0));
}

/// A ball that bounces to rest.
fn bounces() {
    let mut scene = Scene::new(Dimension::Plane);
    scene.bodies =
        vec![floor(Dimension::Plane), disk("ball".into(), 2.0, 0.1, [0.0, 1.1], [0.0; 2])];
    scene.pairs = vec![pair(0.0, 0.8)];
    scene.duration = 6.0;
    let (time, motion) = shortest(20, &scene);
    let per = motion.effort.slopes as f64 / motion.effort.impacts as f64;
    println!(
        "ball to rest: {} impacts, {per:.0} slopes (at most 50 wanted) and {:.1} µs per impact, ended {} at {:.6} s",
        motion.effort.impacts,
        1e6 * time / motion.effort.impacts as f64,
        motion.end.reason.name(),
        motion.end.time,
    );
}

/// Steps that an event costs: slips and sticks of a block under a swinging force, against the same block without friction,
/// whose motion is as long and has no events.
fn events() {
    let follow = |mu: f64| {
        let mut scene = Scene::new(Dimension::Plane);
        let mut block = moving("block".into(), 1.0, [0.01; 3], [0.0, 0.05, 0.0], Dimension::Plane);
        let corners = [[-0.1, -0.05], [0.1, -0.05], [0.1, 0.05], [-0.1, 0.05]];
        let points = corners.map(|[x, y]| [x, y, 0.0]).to_vec();
        block.shapes = vec![Shape::Polygon { points }];
        scene.bodies = vec![floor(Dimension::Plane), block];
        scene.pairs = vec![pair(mu, 0.0)];
        scene.duration = 20.0;
        let swing = |time: f64, _: &[BodyState], loads: &mut [BodyLoad]| {
            loads[1].force = [4.0 * libm::sin(3.0 * time), 0.0, 0.0];
        };
        simulate(&scene, &Options::default().with_forces(swing)).expect("a motion")
    };
    let (rough, smooth) = (follow(0.3), follow(0.0));
    assert!(smooth.events.is_empty());
    let count = rough.events.len() as f64;
    println!(
        "block that sticks and slips: {} events, {:.1} steps for each (at most 8 wanted): {} steps, {} without friction",
        rough.events.len(),
        (rough.effort.steps as f64 - smooth.effort.steps as f64) / count,
        rough.effort.steps,
        smooth.effort.steps,
    );
}

/// The pendulum of `scenarios/triple-pendulum-fall.toml` in the second after it strikes the floor, with e = 0.5.
fn triple_pendulum() {
    let scene = |duration: f64| {
        let mut scene = Scene::new(Dimension::Plane);
        scene.bodies = vec![floor(Dimension::Plane)];
        let inertia = [0.08583333333333333; 3];
        let (mut x, mut y) = (0.0, 2.0);
        for (k, angle) in [45.0, 90.0, 60.0_f64].into_iter().enumerate() {
            let (dx, dy) = (libm::sin(angle.to_radians()), -libm::cos(angle.to_radians()));
            let place = [x + 0.5 * dx, y + 0.5 * dy, 0.0];
            scene.bodies.push(moving(format!("{k}"), 1.0, inertia, place, Dimension::Plane));
            scene.joints.push(hinge_at(k, k + 1, [x, y, 0.0]));
            (x, y) = (x + dx, y + dy);
        }
        let mut ball = moving("ball".into(), 1.0, [0.025; 3], [x, y, 0.0], Dimension::Plane);
        ball.shapes = vec![Shape::Sphere { radius: 0.25, center: [0.0; 3] }];
        scene.bodies.push(ball);
        let weld = SceneJoint::new(SceneJointKind::Weld, 3, 4, [x, y, 0.0], [0.0; 3]);
        scene.joints.push(weld);
        scene.pairs = vec![Pair { a: Some(0), b: Some(4), ..pair(0.1, 0.5) }];
        scene.duration = duration;
        scene
    };
    let fall = 0.37;
    let (before, fallen) = shortest(5, &scene(fall));
    let (after, struck) = shortest(5, &scene(fall + 1.0));
    let mut kinds: Vec<(&str, u32)> = Vec::new();
    for event in &struck.events {
        match kinds.iter_mut().find(|(kind, _)| *kind == event.kind.name()) {
            Some((_, count)) => *count += 1,
            None => kinds.push((event.kind.name(), 1)),
        }
    }
    println!(
        "triple pendulum, the second after it strikes: {} slopes (at most 2000 wanted) in {:.2} ms, {} impacts, {kinds:?}",
        struck.effort.slopes - fallen.effort.slopes,
        1e3 * (after - before),
        struck.effort.impacts,
    );
}

fn hinge_at(a: usize, b: usize, point: [f64; 3]) -> SceneJoint {
    SceneJoint::new(SceneJointKind::Hinge, a, b, point, [0.0, 0.0, 1.0])
}

/// A box that slides on four corners from the start: what deciding about them costs beside a slope. The same box high above
/// the floor takes away what making the scene ready costs.
fn decide() {
    let scene = |height: f64, duration: f64| {
        let mut scene = Scene::new(Dimension::Space);
        let mut body = brick("box".into(), [0.0, 0.0, 0.1 + height]);
        body.velocity = [20.0, 0.0, 0.0];
        body.angular_velocity = [0.0, 0.0, 1.0];
        scene.bodies = vec![floor(Dimension::Space), body];
        scene.pairs = vec![pair(0.05, 0.0)];
        scene.duration = duration;
        scene
    };
    let (short, few) = shortest(9, &scene(0.0, 0.5));
    let (long, many) = shortest(9, &scene(0.0, 20.0));
    assert_eq!(many.effort.decisions, 1);
    let slope = (long - short) / (many.effort.slopes - few.effort.slopes) as f64;
    let [on, above] = [0.0, 100.0].map(|height| {
        let scene = scene(height, 0.0);
        timed(9, || simulate(&scene, &Options::default()))
    });
    println!(
        "box on four corners: a slope {:.2} µs, with its share of steps; finding contacts, deciding and the first slope \
         {:.1} µs: {:.1} slopes (3 wanted for deciding)",
        1e6 * slope,
        1e6 * (on - above),
        (on - above) / slope,
    );
}

/// Thirty links in a chain, as a tree and with all joints as rows.
fn tree_against_rows() {
    let mut scene = Scene::new(Dimension::Plane);
    scene.bodies = vec![floor(Dimension::Plane)];
    for k in 0..30 {
        let x = k as f64 + 0.5;
        let mut link =
            moving(format!("{k}"), 1.0, [1.0 / 12.0; 3], [x, 0.0, 0.0], Dimension::Plane);
        link.shapes.clear();
        scene.bodies.push(link);
        let place = [k as f64, 0.0, 0.0];
        scene.joints.push(hinge_at(k, k + 1, place));
    }
    let [tree, rows] = [Joints::InTrees, Joints::AsRows].map(|joints| {
        let mut bare = BareMotion::new(&scene, joints).expect("a good scene");
        let n = bare.start().len();
        let mut out = vec![0.0; n + bare.integrals()];
        let mut y = bare.start().to_vec();
        let slope = timed(3, || bare.slope(&y, &mut out));
        // Twelve slopes, and joints put back together where they are rows.
        let close = timed(3, || bare.close(&mut y));
        (slope, 12.0 * slope + close)
    });
    println!(
        "chain of 30 links: {:.1} µs per slope as a tree, {:.1} µs with joints as rows: {:.1} times; a step {:.1} times (10 wanted)",
        1e6 * tree.0,
        1e6 * rows.0,
        rows.0 / tree.0,
        rows.1 / tree.1,
    );
}

/// A step in time against the impact it asks for and a slope.
fn stepping() {
    let mut scene = Scene::new(Dimension::Space);
    let mut body = brick("box".into(), [0.0, 0.0, 0.1]);
    body.velocity = [2.0, 0.5, 0.0];
    body.angular_velocity = [0.0, 0.0, 1.0];
    scene.bodies = vec![floor(Dimension::Space), body];
    scene.pairs = vec![pair(0.3, 0.0)];
    let steps = 200;
    let h = 1e-4;
    scene.mode = Mode::Stepping { h, theta: 0.5 };
    scene.duration = h * f64::from(steps);
    let (time, motion) = shortest(9, &scene);
    assert_eq!(motion.effort.decisions, steps as u64);
    let step = time / f64::from(steps);
    // The same box meets the floor with the same four corners.
    let mut falls = scene.clone();
    falls.mode = Mode::Events;
    falls.bodies[1].position = [0.0, 0.0, 0.1 + 1e-6];
    falls.bodies[1].velocity = [2.0, 0.5, -1e-3];
    falls.bodies[1].angular_velocity = [0.0; 3];
    let impact = next_impact(&falls, 0.0).expect("a motion").expect("an impact");
    let law = Law::from_id("newton-coulomb").expect("in the catalogue");
    let asked = timed(9, || resolve(&impact.system, &law).expect("an answer"));
    let mut bare = BareMotion::new(&scene, Joints::InTrees).expect("a good scene");
    let y = bare.start().to_vec();
    let mut out = vec![0.0; y.len() + bare.integrals()];
    let slope = timed(9, || bare.slope(&y, &mut out));
    println!(
        "step in time of a box on four corners: {:.1} µs; newton-coulomb {:.1} µs, a slope {:.2} µs: {:.2} times both (at most 1.5 wanted)",
        1e6 * step,
        1e6 * asked,
        1e6 * slope,
        step / (asked + slope),
    );
}

/// Masses 1 and 1e8 and a wall.
fn galperin() {
    let mut scene = Scene::new(Dimension::Plane);
    scene.gravity = [0.0; 3];
    let mut wall = floor(Dimension::Plane);
    wall.shapes = vec![Shape::HalfSpace { normal: [1.0, 0.0, 0.0], offset: 0.0 }];
    scene.bodies = vec![
        wall,
        disk("small".into(), 1.0, 0.1, [0.5, 0.0], [0.0; 2]),
        disk("big".into(), 1e8, 0.2, [1.5, 0.0], [-1.0, 0.0]),
    ];
    scene.pairs = vec![pair(0.0, 1.0)];
    scene.duration = 1e5;
    let (time, motion) = shortest(1, &scene);
    println!(
        "Galperin: {} impacts in {:.3} s (at most 0.5 wanted), {:.1} µs and {:.0} slopes each, {:.0} ns per slope; ended {}",
        motion.effort.impacts,
        time,
        1e6 * time / motion.effort.impacts as f64,
        motion.effort.slopes as f64 / motion.effort.impacts as f64,
        1e9 * time / motion.effort.slopes as f64,
        motion.end.reason.name(),
    );
}

/// A box thrown onto a floor, until it rests.
fn tumbling_box() {
    let mut scene = Scene::new(Dimension::Space);
    let mut body = brick("box".into(), [0.0, 0.0, 0.8]);
    body.velocity = [1.0, 0.3, 0.0];
    body.angular_velocity = [2.0, 3.0, 1.0];
    scene.bodies = vec![floor(Dimension::Space), body];
    scene.pairs = vec![pair(0.4, 0.3)];
    scene.duration = 6.0;
    let (time, motion) = shortest(3, &scene);
    println!(
        "box to rest in space: {} impacts, ended {} at {:.3} s, {:.1} ms: {:.0} times real time (200 wanted)",
        motion.effort.impacts,
        motion.end.reason.name(),
        motion.end.time,
        1e3 * time,
        motion.end.time / time,
    );
}

/// Seven links in the plane, two legs of three and a trunk, that fall; with feet that rebound a little, and with plastic ones.
fn walker() {
    walker_falls(0.2, None);
    walker_falls(0.0, Law::from_id("newton-coulomb").ok());
}

fn walker_falls(e: f64, law: Option<Law>) {
    let mut scene = Scene::new(Dimension::Plane);
    scene.bodies = vec![floor(Dimension::Plane)];
    let length = 0.4;
    let link = |name: &str, centre: [f64; 2], half: [f64; 2]| {
        let mut body =
            moving(name.into(), 3.0, [0.05; 3], [centre[0], centre[1], 0.0], Dimension::Plane);
        body.shapes = vec![Shape::Capsule {
            radius: 0.04,
            from: [-half[0], -half[1], 0.0],
            to: [half[0], half[1], 0.0],
        }];
        body
    };
    let hinge = |scene: &mut Scene, a: usize, b: usize, x: f64, y: f64| {
        let mut joint = SceneJoint::new(SceneJointKind::Hinge, a, b, [x, y, 0.0], [0.0, 0.0, 1.0]);
        joint.limits = [-1.5, 1.5];
        joint.damping = 0.5;
        scene.joints.push(joint);
    };
    scene.bodies.push(link("trunk", [0.05, 1.2], [0.0, 0.2]));
    for (leg, x) in [("left", 0.0), ("right", 0.1)] {
        let first = scene.bodies.len();
        scene.bodies.push(link(&format!("{leg} thigh"), [x, 0.8], [0.0, 0.5 * length]));
        scene.bodies.push(link(&format!("{leg} shank"), [x, 0.4], [0.0, 0.5 * length]));
        scene.bodies.push(link(&format!("{leg} foot"), [x + 0.1, 0.16], [0.1, 0.0]));
        hinge(&mut scene, 1, first, x, 1.0);
        hinge(&mut scene, first, first + 1, x, 0.6);
        hinge(&mut scene, first + 1, first + 2, x, 0.2);
    }
    for body in &mut scene.bodies[1..] {
        body.velocity = [0.5, 0.0, 0.0];
    }
    for b in 1..scene.bodies.len() {
        scene.pairs.push(Pair { a: Some(0), b: Some(b), ..pair(0.6, e) });
    }
    scene.law = law;
    scene.duration = 4.0;
    let (time, motion) = shortest(1, &scene);
    println!(
        "walker of 7 links, e = {e}, {}: {} impacts, {} slopes, ended {} at {:.3} s, {:.1} ms: {:.0} times real time (20 wanted)",
        law.map_or("the default law", |law| law.id()),
        motion.effort.impacts,
        motion.effort.slopes,
        motion.end.reason.name(),
        motion.end.time,
        1e3 * time,
        motion.end.time / time,
    );
    motion.notes.iter().for_each(|note| println!("    note: {note}"));
}

/// Boxes far apart on one floor.
fn growth() {
    let scene = |n: usize| {
        let mut scene = Scene::new(Dimension::Space);
        scene.bodies = vec![floor(Dimension::Space)];
        for k in 0..n {
            let mut body =
                brick(format!("box {k}"), [3.0 * k as f64, 0.0, 0.5 + 0.01 * (k % 7) as f64]);
            body.angular_velocity = [1.0, 0.5 + 0.1 * (k % 5) as f64, 0.0];
            scene.bodies.push(body);
        }
        scene.pairs = vec![pair(0.4, 0.3)];
        scene.duration = 1.5;
        scene
    };
    let (few, _) = shortest(2, &scene(4));
    let (many, _) = shortest(1, &scene(40));
    println!(
        "boxes far apart: 4 in {:.1} ms, 40 in {:.1} ms: ratio {:.1} (at most 12 wanted)",
        1e3 * few,
        1e3 * many,
        many / few
    );
}

/// Fifteen balls in a triangle and a cue ball, on a table with cushions, without friction.
fn billiards() {
    let (time, motion) = shortest(3, &break_of_15(8.0, 1e-5, 2.0));
    println!(
        "billiards break: {} impacts in {:.1} ms, {:.1} µs each, ended {}",
        motion.effort.impacts,
        1e3 * time,
        1e6 * time / motion.effort.impacts as f64,
        motion.end.reason.name(),
    );
}

fn break_of_15(speed: f64, gap: f64, duration: f64) -> Scene {
    let mut scene = Scene::new(Dimension::Plane);
    scene.gravity = [0.0; 3];
    let mut table = SceneBody::fixed("cushions");
    table.shapes = [
        ([1.0, 0.0, 0.0], -0.5),
        ([-1.0, 0.0, 0.0], -2.5),
        ([0.0, 1.0, 0.0], -0.6),
        ([0.0, -1.0, 0.0], -0.6),
    ]
    .into_iter()
    .map(|(normal, offset)| Shape::HalfSpace { normal, offset })
    .collect();
    scene.bodies = vec![table];
    let radius = 0.0286;
    for row in 0..5 {
        for place in 0..=row {
            let x = 1.5 + row as f64 * (2.0 * radius + gap) * 0.5 * f64::sqrt(3.0);
            let y = (place as f64 - 0.5 * row as f64) * (2.0 * radius + gap);
            scene.bodies.push(disk(format!("ball {row} {place}"), 0.17, radius, [x, y], [0.0; 2]));
        }
    }
    scene.bodies.push(disk("cue".into(), 0.17, radius, [0.2, 0.003], [speed, 0.0]));
    scene.pairs = vec![pair(0.0, 0.95)];
    scene.duration = duration;
    scene
}

/// The break that `crates/carom-sim/benches/billiards.py` gives to pooltool: on a cloth that holds balls back with μ g, by
/// forces of the caller's own, as balls that roll are held back there.
fn pooltool() {
    let mut scene = break_of_15(8.0, 1e-5, 4.0);
    scene.law = Law::from_id("sequential").ok();
    let (mass, deceleration) = (0.17, 0.01 * 9.81);
    let cloth = move |_: f64, bodies: &[BodyState], loads: &mut [BodyLoad]| {
        for (body, load) in bodies.iter().zip(loads).skip(1) {
            let [x, y, _] = body.velocity;
            // Smooth where a ball comes to rest.
            let speed = f64::sqrt(x * x + y * y + 1e-6);
            load.force = [-mass * deceleration * x / speed, -mass * deceleration * y / speed, 0.0];
        }
    };
    let mut told = None;
    let time = timed(3, || {
        let motion = simulate(&scene, &Options::default().with_forces(cloth)).expect("a motion");
        told = Some(motion);
    });
    let motion = told.expect("a run");
    println!(
        "billiards break on a cloth: {} impacts in {:.1} ms, {:.1} µs each, {} slopes, ended {}",
        motion.effort.impacts,
        1e3 * time,
        1e6 * time / motion.effort.impacts as f64,
        motion.effort.slopes,
        motion.end.reason.name(),
    );
}
