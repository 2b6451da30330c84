//! Heaps of rectangles and of boxes: what corners that go past each other in a step must not do.

use super::{any, chance, deepest, diagonal, floor, rectangle, stepped};
use crate::motion::report::EndReason;
use crate::motion::scene::{Dimension, Scene, SceneBody, Shape, Turn};

const COUNT: i32 = 60;

/// Rectangles of 12 to 24 cm by 8 to 16 cm, turned as it happens, fall into a bin of 1.6 m.
fn rectangles(mut seed: u64) -> Scene {
    let mut scene = Scene::new(Dimension::Plane);
    for (normal, offset) in
        [([0.0, 1.0, 0.0], 0.0), ([1.0, 0.0, 0.0], -0.8), ([-1.0, 0.0, 0.0], -0.8)]
    {
        scene.bodies.push(floor(normal, offset));
    }
    for k in 0..COUNT {
        let half = [0.06 + 0.06 * chance(&mut seed), 0.04 + 0.04 * chance(&mut seed)];
        let mass = 400.0 * half[0] * half[1];
        let inertia = mass / 3.0 * (half[0] * half[0] + half[1] * half[1]);
        let mut body = SceneBody::moving(format!("{k}"), mass, diagonal(0.0, 0.0, inertia));
        let place = 0.305 * f64::from(k % 5) - 0.61;
        body.position = [place, 0.16 + 0.3 * f64::from(k / 5), 0.0];
        body.orientation = Turn::Angle(6.3 * chance(&mut seed));
        body.velocity = [chance(&mut seed) - 0.5, 0.0, 0.0];
        body.shapes.push(rectangle(half));
        scene.bodies.push(body);
    }
    scene
}

/// Boxes of 12 to 20 cm, turned as it happens, fall into a bin of 96 by 96 cm.
fn boxes(mut seed: u64) -> Scene {
    let mut scene = Scene::new(Dimension::Space);
    for (normal, offset) in [
        ([0.0, 0.0, 1.0], 0.0),
        ([1.0, 0.0, 0.0], -0.48),
        ([-1.0, 0.0, 0.0], -0.48),
        ([0.0, 1.0, 0.0], -0.48),
        ([0.0, -1.0, 0.0], -0.48),
    ] {
        scene.bodies.push(floor(normal, offset));
    }
    for k in 0..COUNT {
        let half: [f64; 3] = std::array::from_fn(|_| 0.06 + 0.04 * chance(&mut seed));
        let mass = 4000.0 * half[0] * half[1] * half[2];
        let square = half.map(|h| mass / 3.0 * h * h);
        let inertia = diagonal(square[1] + square[2], square[0] + square[2], square[0] + square[1]);
        let mut body = SceneBody::moving(format!("{k}"), mass, inertia);
        let place = |i: i32| 0.31 * f64::from(i - 1);
        body.position = [place(k % 3), place(k / 3 % 3), 0.18 + 0.35 * f64::from(k / 9)];
        let turn: [f64; 4] = std::array::from_fn(|_| chance(&mut seed) - 0.5);
        let length = turn.iter().map(|x| x * x).sum::<f64>().sqrt();
        body.orientation = Turn::Quaternion(turn.map(|x| x / length));
        body.shapes.push(Shape::Box { half, center: [0.0; 3], orientation: [1.0, 0.0, 0.0, 0.0] });
        scene.bodies.push(body);
    }
    scene
}

fn comes_to_rest(mut scene: Scene, h: f64, duration: f64) {
    scene.pairs.push(any(0.5, 0.0));
    scene.duration = duration;
    let count = 100;
    let times: Vec<f64> = (0..=count).map(|k| duration * f64::from(k) / f64::from(count)).collect();
    let started = std::time::Instant::now();
    let motion = stepped(&scene, h, &times);
    let total: Vec<f64> = motion.samples.iter().map(|s| s.kinetic + s.potential).collect();
    let depths: Vec<f64> = motion.samples.iter().map(|sample| deepest(&scene, sample)).collect();
    let most = depths.iter().copied().fold(0.0, f64::max);
    let grows = total.windows(2).map(|pair| pair[1] - pair[0]).fold(0.0, f64::max);
    let last = motion.samples.last().expect("samples");
    println!(
        "{:?} {:?} {:?} {:?}\ngrows {grows:e} of {} J, kinetic {:e} J, deepest {most:e} m, {:e} m in the end; {:?}",
        started.elapsed(),
        motion.end,
        motion.effort,
        motion.ledger,
        total[0],
        last.kinetic,
        depths[depths.len() - 1],
        motion.notes,
    );
    for (k, depth) in depths.iter().enumerate().step_by(10) {
        println!(
            "  {:.2} s: kinetic {:.2e} J, depth {depth:.2e} m",
            times[k], motion.samples[k].kinetic
        );
    }
    // What two bodies approach by in a step before their contact is known, and half as much by those that push them from
    // behind.
    let reach = |body: usize| match scene.bodies[body].shapes.first() {
        Some(Shape::Box { half, .. }) => half.iter().map(|x| x * x).sum::<f64>().sqrt(),
        Some(Shape::Polygon { points }) => f64::hypot(points[0][0], points[0][1]),
        _ => 0.0,
    };
    let size = |x: [f64; 3]| x.iter().map(|x| x * x).sum::<f64>().sqrt();
    let fastest = (motion.samples.iter())
        .flat_map(|sample| sample.bodies.iter().enumerate())
        .map(|(k, body)| size(body.velocity) + reach(k) * size(body.angular_velocity))
        .fold(0.0, f64::max);
    println!("fastest {fastest} m/s");
    assert!(most <= 3.0 * fastest * h, "{most} m");
    assert!(depths[depths.len() - 1] <= 1e-5, "{} m", depths[depths.len() - 1]);
    assert!(grows <= 1e-4 * total[0], "{grows} J");
    assert!(last.kinetic == 0.0 && motion.end.reason == EndReason::Rest, "{:?}", motion.end);
}

#[test]
fn rectangles_fall_on_a_heap_and_rest() {
    comes_to_rest(rectangles(1), 2e-3, 3.0);
}

#[test]
fn boxes_fall_on_a_heap_and_rest() {
    comes_to_rest(boxes(2), 4e-3, 4.0);
}
