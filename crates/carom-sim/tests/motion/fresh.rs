//! Kinds of motion that no other reference has: rolling disks, a linkage that strikes, many things in one scene. The
//! references are closed forms, or a few equations integrated here by Runge and Kutta's method.

use carom::Material;
use carom_sim::motion::{
    Dimension, EndReason, EventKind, Motion, Options, Pair, Scene, SceneBody, SceneJoint,
    SceneJointKind, Shape, Turn, simulate,
};
use nalgebra::{Matrix3, Vector3};

type V3 = Vector3<f64>;

const G: f64 = 9.81;

/// `n` steps of the classical method.
fn integrate<const N: usize>(
    slope: impl Fn(&[f64; N]) -> [f64; N],
    mut y: [f64; N],
    time: f64,
    n: usize,
) -> [f64; N] {
    let h = time / n as f64;
    let moved = |y: &[f64; N], s: &[f64; N], h: f64| std::array::from_fn(|i| y[i] + h * s[i]);
    for _ in 0..n {
        let a = slope(&y);
        let b = slope(&moved(&y, &a, 0.5 * h));
        let c = slope(&moved(&y, &b, 0.5 * h));
        let d = slope(&moved(&y, &c, h));
        y = std::array::from_fn(|i| y[i] + h / 6.0 * (a[i] + 2.0 * b[i] + 2.0 * c[i] + d[i]));
    }
    y
}

fn everything(mu: f64, e: f64) -> Pair {
    Pair { a: None, b: None, material: Material::new(mu, e).expect("a surface") }
}

fn floor(dimension: Dimension, tilt: f64) -> SceneBody {
    let (s, c) = libm::sincos(tilt);
    let mut floor = SceneBody::fixed("floor");
    let normal = if dimension == Dimension::Plane { [-s, c, 0.0] } else { [-s, 0.0, c] };
    floor.shapes = vec![Shape::HalfSpace { normal, offset: 0.0 }];
    floor
}

fn follow(scene: &Scene, times: &[f64]) -> Motion {
    let motion = simulate(scene, &Options::at(times)).expect("a motion");
    assert!(matches!(motion.end.reason, EndReason::Duration | EndReason::Rest), "{:?}", motion.end);
    let size = motion.samples.iter().map(|s| s.kinetic + s.potential.abs()).fold(0.0, f64::max);
    assert!(motion.ledger.residual.abs() <= 1e-9 * size, "{:?}", motion.ledger);
    motion
}

fn near(name: &str, seen: f64, expected: f64, tolerance: f64) {
    let off = (seen - expected).abs();
    assert!(off <= tolerance, "{name}: {seen} is not {expected}, off by {off:e}");
}

/// A disk sent up an incline with backspin: it slides, then rolls, comes to a stand and rolls back.
#[test]
fn a_disk_rolls_up_an_incline_and_back() {
    let (tilt, mu, radius, mass) = (0.3, 0.4, 0.08, 1.7);
    let (inertia, speed, spin) = (0.5 * mass * radius * radius, 2.0, 5.0);
    let (s, c) = libm::sincos(tilt);
    let mut disk = SceneBody::moving("disk", mass, [[0.0; 3], [0.0; 3], [0.0, 0.0, inertia]]);
    disk.shapes = vec![Shape::Sphere { radius, center: [0.0; 3] }];
    disk.position = [-radius * s, radius * c, 0.0];
    // Rolling up has a negative spin.
    disk.velocity = [speed * c, speed * s, 0.0];
    disk.angular_velocity = [0.0, 0.0, spin];
    let mut scene = Scene::new(Dimension::Plane);
    scene.bodies = vec![floor(Dimension::Plane, tilt), disk];
    scene.pairs = vec![everything(mu, 0.0)];
    scene.duration = 1.5;
    // While it slides: v' = −g (sin + μ cos), R ω' = −2 μ g cos; slip v + R ω ends.
    let (slides, spins) = (G * (s + mu * c), 2.0 * mu * G * c);
    let stick = (speed + radius * spin) / (slides + spins);
    let v = speed - slides * stick;
    let x = speed * stick - 0.5 * slides * stick * stick;
    let rolls = 2.0 / 3.0 * G * s;
    assert!(v > 0.0 && v / rolls + stick < 1.0, "it turns back");
    let motion = follow(&scene, &[0.5 * stick, 0.4, 1.5]);
    let along = |k: usize| {
        let [x, y, _] = motion.samples[k].bodies[1].position;
        c * x + s * y
    };
    near("sliding", along(0), 0.5 * speed * stick - 0.125 * slides * stick * stick, 1e-11);
    for (k, t) in [(1, 0.4), (2, 1.5)] {
        let t: f64 = t - stick;
        near("rolling", along(k), x + v * t - 0.5 * rolls * t * t, 1e-10);
        let spin = motion.samples[k].bodies[1].angular_velocity[2];
        near("spin", spin, -(v - rolls * t) / radius, 1e-9);
    }
    let told: Vec<_> = motion.events.iter().filter(|e| e.kind == EventKind::Stick).collect();
    assert_eq!(told.len(), 1, "{:?}", motion.events);
    near("time of zero slip", told[0].time, stick, 1e-11);
}

/// On an incline steeper than three times the friction a disk rolls and slides.
#[test]
fn a_disk_slides_and_spins_down_a_steep_incline() {
    let (tilt, mu, radius, mass) = (0.9, 0.3, 0.1, 0.6);
    let (s, c) = libm::sincos(tilt);
    assert!(s / c > 3.0 * mu);
    let inertia = 0.5 * mass * radius * radius;
    let mut disk = SceneBody::moving("disk", mass, [[0.0; 3], [0.0; 3], [0.0, 0.0, inertia]]);
    disk.shapes = vec![Shape::Sphere { radius, center: [0.0; 3] }];
    disk.position = [-radius * s, radius * c, 0.0];
    let mut scene = Scene::new(Dimension::Plane);
    scene.bodies = vec![floor(Dimension::Plane, tilt), disk];
    scene.pairs = vec![everything(mu, 0.0)];
    scene.duration = 0.8;
    let motion = follow(&scene, &[0.8]);
    let state = &motion.samples[0].bodies[1];
    let along = c * state.position[0] + s * state.position[1];
    near("place", along, -0.5 * G * (s - mu * c) * 0.64, 1e-10);
    near("spin", state.angular_velocity[2], 2.0 * mu * G * c / radius * 0.8, 1e-9);
}

/// The axis and the spin of a disk that rolls on its rim without slip, and its centre.
struct Rolling {
    mass: f64,
    radius: f64,
    /// Half of its thickness.
    half: f64,
    /// About its axis and across.
    inertia: [f64; 2],
}

impl Rolling {
    /// From the contact to the centre, and its rate.
    fn arm(&self, axis: V3, spin: V3) -> [V3; 2] {
        let up = V3::z();
        // The axis of the cap that touches.
        let below = if axis.z > 0.0 { -axis } else { axis };
        let turned = spin.cross(&below);
        let w = up - below * below.z;
        let size = w.norm();
        let h = w / size;
        let rate = -(turned * below.z + below * turned.z);
        let h_rate = (rate - h * h.dot(&rate)) / size;
        [h * self.radius - below * self.half, h_rate * self.radius - turned * self.half]
    }

    /// Unknowns: axis, spin, centre.
    fn slope(&self, y: &[f64; 9]) -> [f64; 9] {
        let part = |k: usize| V3::new(y[k], y[k + 1], y[k + 2]);
        let (axis, spin) = (part(0), part(3));
        let [r, rate] = self.arm(axis, spin);
        let [own, across] = self.inertia;
        let inertia = Matrix3::identity() * across + axis * axis.transpose() * (own - across);
        // The force at the contact gives the centre its acceleration ω' × r + ω × r', and turns the disk.
        let about =
            inertia + (Matrix3::identity() * r.norm_squared() - r * r.transpose()) * self.mass;
        let given = spin.cross(&rate) + V3::z() * G;
        let moment = -spin.cross(&(inertia * spin)) - r.cross(&given) * self.mass;
        let turned = about.lu().solve(&moment).expect("an inertia");
        let (axis_rate, velocity) = (spin.cross(&axis), spin.cross(&r));
        let mut out = [0.0; 9];
        for k in 0..3 {
            (out[k], out[3 + k], out[6 + k]) = (axis_rate[k], turned[k], velocity[k]);
        }
        out
    }
}

/// A coin that rolls in curves on its rim, and wobbles.
#[test]
fn a_thin_disk_rolls_on_its_rim() {
    let (mass, radius, half): (f64, f64, f64) = (0.3, 0.12, 0.004);
    let own = 0.5 * mass * radius * radius;
    let across = 0.25 * mass * radius * radius + mass * half * half / 3.0;
    let coin = Rolling { mass, radius, half, inertia: [own, across] };
    for (tilt, spin) in [(0.25, V3::new(0.0, 14.0, 0.5)), (0.6, V3::new(0.8, 9.0, 3.0))] {
        // The axis leans from the y axis towards z.
        let (s, c) = libm::sincos(tilt);
        let axis = V3::new(0.0, c, s);
        let [arm, _] = coin.arm(axis, spin);
        let mut disk = SceneBody::moving(
            "coin",
            mass,
            [[across, 0.0, 0.0], [0.0, across, 0.0], [0.0, 0.0, own]],
        );
        let shape =
            Shape::Cylinder { radius, half_height: half, axis: [0.0, 0.0, 1.0], center: [0.0; 3] };
        disk.shapes = vec![shape];
        disk.position = arm.into();
        disk.velocity = spin.cross(&arm).into();
        disk.angular_velocity = spin.into();
        // About x, so that z becomes the axis.
        let (s, c) = libm::sincos(0.5 * (tilt - 0.5 * std::f64::consts::PI));
        disk.orientation = Turn::Quaternion([c, s, 0.0, 0.0]);
        let mut scene = Scene::new(Dimension::Space);
        scene.bodies = vec![floor(Dimension::Space, 0.0), disk];
        scene.pairs = vec![everything(5.0, 0.0)];
        scene.duration = 1.2;
        let times = [0.3, 0.7, 1.2];
        let motion = follow(&scene, &times);
        assert!(motion.events.is_empty(), "it rolls all the time: {:?}", motion.events);
        let start: [f64; 9] = std::array::from_fn(|k| {
            if k < 3 {
                axis[k]
            } else if k < 6 {
                spin[k - 3]
            } else {
                arm[k - 6]
            }
        });
        for (sample, time) in motion.samples.iter().zip(times) {
            let expected = integrate(|y| coin.slope(y), start, time, 6000);
            for k in 0..3 {
                near("spin", sample.bodies[1].angular_velocity[k], expected[3 + k], 1e-8);
                near("place", sample.bodies[1].position[k], expected[6 + k], 1e-9);
            }
        }
    }
}

/// A parallelogram whose coupler carries a disk that bounces on the floor: one coordinate, in closed form but for time.
#[test]
fn a_linkage_strikes_the_floor() {
    let (crank, span, height) = (0.2, 0.4, 0.3);
    let (bar, inertia, coupler, radius, e) = (0.5, 0.002, 1.2, 0.04, 0.6);
    let angle: f64 = 0.9;
    let mut scene = Scene::new(Dimension::Plane);
    scene.bodies.push(floor(Dimension::Plane, 0.0));
    let planar = |i: f64| [[0.0; 3], [0.0; 3], [0.0, 0.0, i]];
    let (s, c) = libm::sincos(angle);
    for k in 0..2 {
        let mut body = SceneBody::moving(format!("crank {k}"), bar, planar(inertia));
        body.position = [span * f64::from(k) + 0.5 * crank * c, height + 0.5 * crank * s, 0.0];
        scene.bodies.push(body);
    }
    let mut body = SceneBody::moving("coupler", coupler, planar(0.01));
    body.position = [0.5 * span + crank * c, height + crank * s, 0.0];
    body.shapes = vec![Shape::Sphere { radius, center: [0.0; 3] }];
    scene.bodies.push(body);
    let axis = [0.0, 0.0, 1.0];
    for k in 0..2 {
        let x = span * f64::from(k as u32);
        let (foot, top) = ([x, height, 0.0], [x + crank * c, height + crank * s, 0.0]);
        scene.joints.push(SceneJoint::new(SceneJointKind::Hinge, 0, 1 + k, foot, axis));
        scene.joints.push(SceneJoint::new(SceneJointKind::Hinge, 1 + k, 3, top, axis));
    }
    scene.pairs = vec![everything(0.0, e)];
    scene.duration = 1.6;
    // M θ'' = −Q cos θ.
    let whole = 2.0 * (inertia + 0.25 * bar * crank * crank) + coupler * crank * crank;
    let pull = (bar + coupler) * G * crank / whole;
    let slope = |y: &[f64; 2]| [y[1], -pull * libm::cos(y[0])];
    let gap = |y: &[f64; 2]| height + crank * libm::sin(y[0]) - radius;
    assert!(gap(&[-0.5 * std::f64::consts::PI, 0.0]) > 0.0, "it passes over the floor");
    scene.bodies[0].shapes =
        vec![Shape::HalfSpace { normal: [0.0, 1.0, 0.0], offset: height - 0.5 * crank - radius }];
    let gap = |y: &[f64; 2]| gap(y) - (height - 0.5 * crank - radius);
    // Steps of a millisecond; the last one to an impact by bisection.
    let mut impacts = Vec::new();
    let (mut y, mut t) = ([angle, 0.0], 0.0);
    let mut at_end = y;
    while t < scene.duration && impacts.len() < 6 {
        let h = 1e-3_f64.min(scene.duration - t);
        let next = integrate(slope, y, h, 4);
        if gap(&next) >= 0.0 {
            (y, t) = (next, t + h);
            at_end = y;
            continue;
        }
        let (mut low, mut high) = (0.0, h);
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            if gap(&integrate(slope, y, middle, 4)) > 0.0 { low = middle } else { high = middle }
        }
        let struck = integrate(slope, y, low, 4);
        t += low;
        impacts.push(t);
        y = [struck[0], -e * struck[1]];
        // Off the floor before it is looked at again.
        y = integrate(slope, y, 1e-9, 1);
        t += 1e-9;
    }
    let motion = follow(&scene, &[scene.duration]);
    let seen: Vec<f64> = (motion.events.iter())
        .filter(|event| matches!(event.kind, EventKind::Impact { .. }))
        .map(|event| event.time)
        .collect();
    assert!(impacts.len() >= 3 && seen.len() >= impacts.len(), "{impacts:?} {seen:?}");
    for (seen, expected) in seen.iter().zip(&impacts) {
        near("impact", *seen, *expected, 1e-8);
    }
    if seen.len() == impacts.len() {
        let place = motion.samples[0].bodies[3].position;
        near("coupler", place[1], height + crank * libm::sin(at_end[0]), 1e-8);
    }
}

/// A double pendulum, a bouncing ball and a block on a belt, far enough from each other, in one scene.
#[test]
fn much_in_one_scene() {
    let mut scene = Scene::new(Dimension::Plane);
    let planar = |i: f64| [[0.0; 3], [0.0; 3], [0.0, 0.0, i]];
    scene.bodies.push(floor(Dimension::Plane, 0.0));
    // Two equal rods that hang from a point, let go at rest.
    let (rod, long): (f64, f64) = (0.4, 0.3);
    let inertia = rod * long * long / 12.0;
    let from = [0.0, 2.0, 0.0];
    let angles = [1.1_f64, 0.4_f64];
    let mut end = from;
    for (k, angle) in angles.iter().enumerate() {
        let (s, c) = libm::sincos(*angle);
        let mut body = SceneBody::moving(format!("rod {k}"), rod, planar(inertia));
        body.position = [end[0] + 0.5 * long * s, end[1] - 0.5 * long * c, 0.0];
        scene.bodies.push(body);
        let joint = SceneJoint::new(SceneJointKind::Hinge, k, k + 1, end, [0.0, 0.0, 1.0]);
        scene.joints.push(joint);
        end = [end[0] + long * s, end[1] - long * c, 0.0];
    }
    let mut ball = SceneBody::moving("ball", 0.7, planar(0.002));
    ball.shapes = vec![Shape::Sphere { radius: 0.05, center: [0.0; 3] }];
    ball.position = [-2.0, 0.55, 0.0];
    ball.velocity = [0.3, 0.0, 0.0];
    scene.bodies.push(ball);
    let mut belt = SceneBody::fixed("belt");
    belt.shapes = vec![Shape::Polygon {
        points: vec![[-3.0, -0.1, 0.0], [3.0, -0.1, 0.0], [3.0, 0.0, 0.0], [-3.0, 0.0, 0.0]],
    }];
    belt.position = [5.0, 0.5, 0.0];
    belt.surface_velocity = [1.2, 0.0, 0.0];
    scene.bodies.push(belt);
    let mut block = SceneBody::moving("block", 2.0, planar(0.01));
    block.shapes = vec![Shape::Polygon {
        points: vec![[-0.1, -0.04, 0.0], [0.1, -0.04, 0.0], [0.1, 0.04, 0.0], [-0.1, 0.04, 0.0]],
    }];
    block.position = [4.0, 0.54, 0.0];
    scene.bodies.push(block);
    let (mu, e) = (0.25, 0.5);
    scene.pairs = vec![everything(mu, e)];
    scene.duration = 1.0;
    let motion = follow(&scene, &[0.5, 1.0]);
    // θ measured from straight down: M(θ) θ'' = …, rods of mass m and length l.
    let slope = |y: &[f64; 4]| {
        let [a, b, u, v] = *y;
        let (sd, cd) = libm::sincos(a - b);
        let (m11, m22, m12) = (4.0 / 3.0, 1.0 / 3.0, 0.5 * cd);
        let f1 = -0.5 * sd * v * v - 1.5 * G / long * libm::sin(a);
        let f2 = 0.5 * sd * u * u - 0.5 * G / long * libm::sin(b);
        let whole = m11 * m22 - m12 * m12;
        [u, v, (m22 * f1 - m12 * f2) / whole, (m11 * f2 - m12 * f1) / whole]
    };
    for (k, t) in [(0, 0.5), (1, 1.0)] {
        let [a, b, _, _] = integrate(slope, [angles[0], angles[1], 0.0, 0.0], t, 20_000);
        let second = motion.samples[k].bodies[2].position;
        near("rod", second[0], long * libm::sin(a) + 0.5 * long * libm::sin(b), 1e-8);
        near("rod", second[1], 2.0 - long * libm::cos(a) - 0.5 * long * libm::cos(b), 1e-8);
        let block = motion.samples[k].bodies[5].position;
        let slides = 1.2 / (mu * G);
        let x = if t < slides { 0.5 * mu * G * t * t } else { 0.6 * slides + 1.2 * (t - slides) };
        near("block", block[0], 4.0 + x, 1e-10);
        near("block", block[1], 0.54, 1e-11);
    }
    // The ball falls for √(2·0.5/g), then bounces with e; friction turns and slows it at the first impact.
    let fall = f64::sqrt(1.0 / G);
    let speed = G * fall;
    let told: Vec<_> = (motion.events.iter())
        .filter(|event| {
            event.contacts.iter().any(|c| c.between == carom_sim::motion::Between::Bodies(0, 3))
        })
        .filter(|event| matches!(event.kind, EventKind::Impact { .. }))
        .collect();
    near("first bounce", told[0].time, fall, 1e-10);
    near("second bounce", told[1].time, fall + 2.0 * e * speed / G, 1e-10);
    near("impulse", told[0].contacts[0].impulse[1], 0.7 * 1.5 * speed, 1e-9);
}
