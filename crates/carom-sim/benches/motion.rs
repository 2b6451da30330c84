//! What following a motion costs: slopes, events, impacts, and how it grows. Ratios are taken in one run.
//!
//! `cargo bench --package carom-sim --bench motion`

use carom::Material;
use carom_ode::{Dop853, StepControl, Verdict};
use carom_sim::motion::{
    BodyKind, Dimension, Motion, Options, Pair, Scene, SceneBody, SceneJoint, SceneJointKind,
    Shape, Turn, simulate,
};
use std::time::Instant;

fn main() {
    smooth_motion();
    far_pairs();
    bounces();
    galperin();
    tumbling_box();
    walker();
    growth();
    billiards();
}

/// The shortest of some runs \[s\], and the last motion.
fn shortest(runs: usize, scene: &Scene) -> (f64, Motion) {
    let mut best = f64::INFINITY;
    let mut last = None;
    for _ in 0..runs {
        let begin = Instant::now();
        let motion = simulate(scene, &Options::default()).expect("a scene that can be followed");
        best = best.min(begin.elapsed().as_secs_f64());
        last = Some(motion);
    }
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

/// A scene without contacts against the same equations in a bare integrator.
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
    let mut bare = f64::INFINITY;
    let mut slopes = 0;
    for _ in 0..5 {
        let begin = Instant::now();
        slopes = bare_top(inertia, scene.duration);
        bare = bare.min(begin.elapsed().as_secs_f64());
    }
    let per = |time: f64, slopes: u64| 1e9 * time / slopes as f64;
    println!(
        "free body in space: {:.0} ns per slope, {} slopes; bare integrator {:.0} ns, {slopes} slopes; time ratio {:.2}",
        per(time, motion.effort.slopes),
        motion.effort.slopes,
        per(bare, slopes),
        time / bare,
    );
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
    println!("100 pairs far away: {:+.1} %", 100.0 * (with / alone - 1.0));
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
        "ball to rest: {} impacts, {per:.0} slopes and {:.1} µs per impact, ended {} at {:.6} s",
        motion.effort.impacts,
        1e6 * time / motion.effort.impacts as f64,
        motion.end.reason.name(),
        motion.end.time,
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
        "Galperin: {} impacts in {:.3} s, {:.1} µs and {:.0} slopes each, {:.0} ns per slope; ended {}",
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
        "box to rest in space: {} impacts, ended {} at {:.3} s, {:.1} ms: {:.0} times real time",
        motion.effort.impacts,
        motion.end.reason.name(),
        motion.end.time,
        1e3 * time,
        motion.end.time / time,
    );
}

/// Seven links in the plane, two legs of three and a trunk, that fall.
fn walker() {
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
        scene.pairs.push(Pair { a: Some(0), b: Some(b), ..pair(0.6, 0.2) });
    }
    scene.duration = 4.0;
    let (time, motion) = shortest(1, &scene);
    println!(
        "walker of 7 links: {} impacts, {} slopes, ended {} at {:.3} s, {:.1} ms: {:.0} times real time",
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
        "boxes far apart: 4 in {:.1} ms, 40 in {:.1} ms: ratio {:.1}",
        1e3 * few,
        1e3 * many,
        many / few
    );
}

/// Fifteen balls in a triangle and a cue ball, on a table with cushions, without friction.
fn billiards() {
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
    let gap = 1e-5;
    for row in 0..5 {
        for place in 0..=row {
            let x = 1.5 + row as f64 * (2.0 * radius + gap) * 0.5 * f64::sqrt(3.0);
            let y = (place as f64 - 0.5 * row as f64) * (2.0 * radius + gap);
            scene.bodies.push(disk(format!("ball {row} {place}"), 0.17, radius, [x, y], [0.0; 2]));
        }
    }
    scene.bodies.push(disk("cue".into(), 0.17, radius, [0.2, 0.003], [8.0, 0.0]));
    scene.pairs = vec![pair(0.0, 0.95)];
    scene.duration = 2.0;
    let (time, motion) = shortest(1, &scene);
    println!(
        "billiards break: {} impacts in {:.1} ms, {:.1} µs each, ended {}",
        motion.effort.impacts,
        1e3 * time,
        1e6 * time / motion.effort.impacts as f64,
        motion.end.reason.name(),
    );
}
