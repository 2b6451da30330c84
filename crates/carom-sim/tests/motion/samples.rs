//! What samples tell besides states: works up to then, contacts that last with their forces; impacts kept for later.

use carom::Material;
use carom_sim::motion::{
    Between, ConvexHull, Dimension, EventKind, Mode, Options, Pair, Scene, SceneBody, Shape,
    impacts_at, simulate,
};

const G: f64 = 9.81;
const MASS: f64 = 2.0;
const RADIUS: f64 = 0.1;

/// A disk over a floor in the plane.
fn disk(height: f64, mu: f64, e: f64) -> Scene {
    let mut floor = SceneBody::fixed("floor");
    floor.shapes = vec![Shape::HalfSpace { normal: [0.0, 1.0, 0.0], offset: 0.0 }];
    let inertia = 0.5 * MASS * RADIUS * RADIUS;
    let mut ball = SceneBody::moving("ball", MASS, [[0.0; 3], [0.0; 3], [0.0, 0.0, inertia]]);
    ball.position = [0.0, RADIUS + height, 0.0];
    ball.shapes = vec![Shape::Sphere { radius: RADIUS, center: [0.0; 3] }];
    let mut scene = Scene::new(Dimension::Plane);
    scene.bodies = vec![floor, ball];
    let material = Material::new(mu, e).expect("a surface");
    scene.pairs = vec![Pair { a: None, b: None, material }];
    scene.duration = 2.0;
    scene
}

fn grid(end: f64, count: usize) -> Vec<f64> {
    (0..=count).map(|k| end * k as f64 / count as f64).collect()
}

#[test]
fn the_ledger_closes_at_every_sample() {
    // A belt under a disk that falls on it: impacts, sliding and drive, all at once.
    let mut scene = disk(0.2, 0.01, 0.6);
    scene.bodies[0].surface_velocity = [1.5, 0.0, 0.0];
    scene.bodies[1].angular_velocity = [0.0, 0.0, 20.0];
    let motion = simulate(&scene, &Options::at(grid(2.0, 200))).expect("a motion");
    let energy = |k: usize| {
        let sample = &motion.samples[k];
        sample.kinetic + sample.potential + sample.elastic
    };
    for (k, sample) in motion.samples.iter().enumerate() {
        let works: f64 = sample.works.numbers().iter().sum();
        let open = energy(0) + works - energy(k);
        assert!(open.abs() < 1e-8 * energy(0).abs(), "t = {}: {open:e} J", sample.time);
    }
    let last = motion.samples[200].works;
    for (seen, told) in [
        (last.impacts, motion.ledger.impacts),
        (last.friction, motion.ledger.friction),
        (last.drives, motion.ledger.drives),
    ] {
        assert!(told != 0.0 && (seen - told).abs() < 1e-12, "{seen} is not {told}");
    }
}

#[test]
fn contacts_that_last_tell_their_forces() {
    // Thrown along the floor without rotation: slides for v/(3 μ g), then rolls.
    let (mu, speed) = (0.25, 1.0);
    let mut scene = disk(0.0, mu, 0.0);
    scene.bodies[1].velocity = [speed, 0.0, 0.0];
    let mut options = Options::at([0.05, 1.0]);
    options.contacts = true;
    let motion = simulate(&scene, &options).expect("a motion");
    assert!(0.05 < speed / (3.0 * mu * G) && speed / (3.0 * mu * G) < 1.0);
    for (sample, friction, slides) in
        [(&motion.samples[0], -mu * MASS * G, true), (&motion.samples[1], 0.0, false)]
    {
        let [contact] = &sample.contacts[..] else { panic!("{:?}", sample.contacts) };
        assert_eq!(contact.between, Between::Bodies(0, 1));
        assert_eq!(contact.slides, slides, "t = {}", sample.time);
        assert!((contact.force[1] - MASS * G).abs() < 1e-9, "{:?}", contact.force);
        assert!((contact.force[0] - friction).abs() < 1e-9, "{:?}", contact.force);
    }
    // Asking changes no bit of the motion.
    options.contacts = false;
    let without = simulate(&scene, &options).expect("a motion");
    for (a, b) in motion.samples.iter().zip(&without.samples) {
        assert_eq!(a.bodies, b.bodies);
        assert!(b.contacts.is_empty());
    }
}

#[test]
fn stepping_tells_works_too() {
    // It slides on after its impact.
    let mut scene = disk(0.2, 0.03, 0.0);
    scene.bodies[1].velocity = [1.0, 0.0, 0.0];
    scene.mode = Mode::Stepping { h: 1e-3, theta: 0.5 };
    let motion = simulate(&scene, &Options::at([0.0, 1.0, 2.0])).expect("a motion");
    assert_eq!(motion.samples[0].works.impacts, 0.0);
    assert!(motion.samples[1].works.friction < 0.0);
    assert_eq!(motion.samples[2].works.impacts, motion.ledger.impacts);
}

#[test]
fn impacts_are_kept_as_problems() {
    let scene = disk(1.0, 0.0, 0.5);
    let motion = simulate(&scene, &Options::default()).expect("a motion");
    let times: Vec<f64> = (motion.events.iter())
        .filter(|event| matches!(event.kind, EventKind::Impact { .. }))
        .map(|event| event.time)
        .take(4)
        .collect();
    assert_eq!(times.len(), 4);
    let wanted = [times[3], times[0], times[2], 0.1];
    let found = impacts_at(&scene, &wanted).expect("impacts");
    let seen: Vec<f64> = found.iter().map(|impact| impact.time).collect();
    assert_eq!(seen, [times[0], times[2], times[3]]);
    for (impact, k) in found.iter().zip([0, 2, 3]) {
        let speed = f64::sqrt(2.0 * G) * 0.5_f64.powi(k);
        assert!((impact.contacts[0].approach - speed).abs() < 1e-8, "{:?}", impact.contacts);
    }
}

#[test]
fn hulls_are_there_for_those_who_draw() {
    let corner = |k: usize, bit: usize| if k >> bit & 1 == 1 { 1.0 } else { -1.0 };
    let mut points: Vec<[f64; 3]> =
        (0..8).map(|k| [corner(k, 0), corner(k, 1), corner(k, 2)]).collect();
    points.push([0.0; 3]);
    let hull = ConvexHull::of(&points).expect("a cube");
    assert_eq!((hull.corners.len(), hull.faces.len()), (8, 6));
    assert!(hull.faces.iter().all(|face| face.len() == 4));
    assert!(ConvexHull::of(&points[..3]).is_err());
    assert!(ConvexHull::of(&[]).is_err());
}
