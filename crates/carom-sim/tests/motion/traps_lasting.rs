//! Places where a simulator goes wrong in contacts that last, in accumulations and in loops, each with its number.

use crate::traps::{body, disk, follow, of_kind, plane};
use carom::Material;
use carom_sim::motion::{
    Dimension, EndReason, EventKind, Motion, Options, Pair, Prescribed, Scene, SceneBody,
    SceneJoint, SceneJointKind, Shape, Spring, Turn, simulate,
};

const G: f64 = 9.81;

/// A half-space through the origin, with its normal in the x–z plane leaning by `tilt` towards −x: what slides down it goes to −x.
fn slope(tilt: f64, mu: f64, e: f64) -> Scene {
    let mut scene = Scene::new(Dimension::Space);
    let (s, c) = libm::sincos(tilt);
    let mut floor = SceneBody::fixed("floor");
    floor.orientation = Turn::Quaternion([1.0, 0.0, 0.0, 0.0]);
    floor.shapes.push(Shape::HalfSpace { normal: [-s, 0.0, c], offset: 0.0 });
    scene.bodies.push(floor);
    let material = Material::new(mu, e).expect("a surface");
    scene.pairs.push(Pair { a: None, b: None, material });
    scene
}

fn in_space(mass: f64, inertia: [f64; 3], shape: Shape, position: [f64; 3]) -> SceneBody {
    let [a, b, c] = inertia;
    let mut body = SceneBody::moving("body", mass, [[a, 0.0, 0.0], [0.0, b, 0.0], [0.0, 0.0, c]]);
    body.shapes.push(shape);
    body.position = position;
    body.orientation = Turn::Quaternion([1.0, 0.0, 0.0, 0.0]);
    body
}

/// A body of one point, which slides like a particle: its centre is in the floor.
fn particle() -> SceneBody {
    in_space(1.0, [0.1; 3], Shape::Points { points: vec![[0.0; 3]] }, [0.0; 3])
}

/// A fixed body that swings along a direction.
fn hand(position: [f64; 3], amplitude: [f64; 3], omega: f64, phase: f64) -> SceneBody {
    let mut hand = SceneBody::fixed("hand");
    hand.position = position;
    hand.kind = carom_sim::motion::BodyKind::Fixed {
        motion: Prescribed::Sine { amplitude, frequency: omega / std::f64::consts::TAU, phase },
    };
    hand
}

fn spring(a: usize, b: usize, ends: [[f64; 3]; 2], stiffness: f64, length: f64) -> Spring {
    Spring {
        a,
        b,
        point_a: ends[0],
        point_b: ends[1],
        stiffness,
        damping: 0.0,
        length: Some(length),
    }
}

/// The root of an increasing or decreasing function between two points.
fn root(mut low: f64, mut high: f64, f: impl Fn(f64) -> f64) -> f64 {
    let sign = f(high).signum();
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if f(middle) * sign > 0.0 { high = middle } else { low = middle }
    }
    0.5 * (low + high)
}

fn count(motion: &Motion, kind: &str) -> usize {
    of_kind(motion, kind).len()
}

#[track_caller]
fn near(what: &str, got: f64, expected: f64, tolerance: f64) {
    assert!((got - expected).abs() <= tolerance, "{what}: {got:e}, expected {expected:e}");
}

/// A spring whose upper end rises with v lifts a disk when k v t = m g; then x = v τ − (v/ω) sin ωτ ~ τ³.
#[test]
fn trap_2_a_contact_that_lifts_off_is_not_found_again() {
    let (k, v): (f64, f64) = (200.0, 0.5);
    let mut scene = plane(0.4, 0.5);
    scene.duration = 0.3;
    scene.bodies.push(body(1.0, 0.005, disk(0.1), [0.0, 0.1, 0.0]));
    let mut hook = SceneBody::fixed("hook");
    hook.position = [0.0, 1.1, 0.0];
    hook.kind = carom_sim::motion::BodyKind::Fixed {
        motion: Prescribed::Uniform { velocity: [0.0, v, 0.0] },
    };
    scene.bodies.push(hook);
    scene.springs.push(spring(2, 1, [[0.0, 1.1, 0.0], [0.0, 0.1, 0.0]], k, 1.0));
    let lifts = G / (k * v);
    let at = [lifts + 1e-3, lifts + 0.1];
    let motion = follow(&scene, &at);
    let separations = of_kind(&motion, "separation");
    assert_eq!(separations.len(), 1);
    near("lift-off", separations[0].time, lifts, 1e-9);
    assert_eq!(count(&motion, "impact"), 0);
    let omega = f64::sqrt(k);
    for (sample, t) in motion.samples.iter().zip(at) {
        let tau = t - lifts;
        let rises = v * tau - v / omega * libm::sin(omega * tau);
        near("height", sample.bodies[1].position[1] - 0.1, rises, 1e-10);
    }
    assert!(motion.effort.slopes < 1500, "{}", motion.effort.slopes);
}

/// A rolling sphere: with the material's acceleration it would be pressed by r ω² = 160 m/s² and roll on elsewhere.
#[test]
fn trap_4_a_rolling_sphere_feels_no_acceleration_of_the_point_it_rolls_on() {
    let (tilt, r, v) = (0.3, 0.1, 4.0);
    let (s, c) = libm::sincos(tilt);
    let mut scene = slope(tilt, 0.5, 0.0);
    scene.duration = 1.0;
    let mut ball = in_space(1.0, [0.4 * r * r; 3], disk(r), [-r * s, 0.0, r * c]);
    // Up the slope, and across it.
    ball.velocity = [v * c, 1.0, v * s];
    // ω = n × v / r.
    ball.angular_velocity = [-c / r, v / r, -s / r];
    scene.bodies.push(ball);
    let motion = follow(&scene, &[0.4, 1.0]);
    assert_eq!(motion.events.len(), 0, "{:?}", motion.events);
    for sample in &motion.samples {
        let t = sample.time;
        let up = v * t - 0.5 * (5.0 / 7.0) * G * s * t * t;
        let [x, y, z] = sample.bodies[1].position;
        near("up the slope", x * c + z * s, up, 1e-9);
        near("across", y, t, 1e-9);
        near("height", z * c - x * s, r, 1e-11);
    }
}

/// A block on two corners is pulled by a spring: F = k A sin ωt. It slips when F = μ m g, not when the share of one corner
/// reaches its cone.
#[test]
fn trap_5_redundant_corners_slip_together() {
    let (mu, omega): (f64, f64) = (0.3, 3.0);
    let mut scene = plane(mu, 0.0);
    scene.duration = 0.4;
    let points = vec![[-0.1, -0.05, 0.0], [0.1, -0.05, 0.0]];
    scene.bodies.push(body(1.0, 0.01, Shape::Points { points }, [0.0, 0.05, 0.0]));
    scene.bodies.push(hand([1.0, 0.05, 0.0], [0.1, 0.0, 0.0], omega, 0.0));
    scene.springs.push(spring(2, 1, [[1.0, 0.05, 0.0], [0.0, 0.05, 0.0]], 40.0, 1.0));
    let slips = libm::asin(mu * G / 4.0) / omega;
    let motion = follow(&scene, &[0.99 * slips]);
    near("it sticks", motion.samples[0].bodies[1].position[0], 0.0, 1e-15);
    assert_eq!(motion.events[0].kind, EventKind::Slip, "{:?}", motion.events);
    near("slip", motion.events[0].time, slips, 1e-9);
    assert_eq!(motion.events.len(), 1, "{:?}", motion.events);
}

/// A plate that spins on four corners: all four press, and ω̇ = −μ m g R/I until it stops.
#[test]
fn trap_6_redundant_corners_that_slide_all_press() {
    let (mu, half, spin): (f64, f64, f64) = (0.3, 0.2, 6.0);
    let reach = half * f64::sqrt(2.0);
    let inertia = 2.0 * half * half / 3.0;
    let mut scene = slope(0.0, mu, 0.0);
    scene.duration = 2.0;
    let corner = |x: f64, y: f64| [x * half, y * half, -0.05];
    let points = vec![corner(1.0, 1.0), corner(-1.0, 1.0), corner(-1.0, -1.0), corner(1.0, -1.0)];
    let mut plate =
        in_space(1.0, [0.02, 0.02, inertia], Shape::Points { points }, [0.0, 0.0, 0.05]);
    plate.angular_velocity[2] = spin;
    scene.bodies.push(plate);
    let slows = mu * G * reach / inertia;
    let stops = spin / slows;
    let motion = follow(&scene, &[0.5 * stops, 2.0]);
    assert_eq!(count(&motion, "separation"), 0, "{:?}", motion.events);
    near("half of it", motion.samples[0].bodies[1].angular_velocity[2], 0.5 * spin, 1e-9);
    assert_eq!(motion.end.reason, EndReason::Rest);
    near("stop", motion.end.time, stops, 1e-9);
    let [x, y, z] = motion.samples[1].bodies[1].position;
    assert!(x.hypot(y) < 1e-10 && (z - 0.05).abs() < 1e-12, "{x:e} {y:e} {z}");
}

/// A rod with tan θ = 2 that is pushed along by its lower end: A < 0 for μ > 4/3.
fn painleve(mu: f64, spin: f64) -> Motion {
    let mut scene = plane(mu, 0.5);
    scene.duration = 0.05;
    let theta = libm::atan(2.0);
    let (s, c) = libm::sincos(theta);
    let points = vec![[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0]];
    let mut rod = body(1.0, 1.0 / 3.0, Shape::Points { points }, [0.0, s, 0.0]);
    rod.orientation = Turn::Angle(theta);
    rod.angular_velocity[2] = spin;
    // The lower end at (−c, −s) from the centre moves to the left, away from the rod, with its height at rest.
    rod.velocity = [-1.0 - spin * s, spin * c, 0.0];
    scene.bodies.push(rod);
    simulate(&scene, &Options::at([0.04])).expect("a scene")
}

#[test]
fn trap_7_a_rod_that_would_press_or_separate_separates_and_is_told() {
    let motion = painleve(1.6, 5.0);
    assert_eq!(count(&motion, "impact"), 0, "{:?}", motion.events);
    assert!(
        motion.notes.iter().any(|note| note.starts_with("indeterminate")),
        "{:?}",
        motion.notes
    );
    let theta = libm::atan(2.0);
    let (state, t) = (motion.samples[0].bodies[1], 0.04);
    near("spin", state.angular_velocity[2], 5.0, 1e-11);
    near("x", state.position[0], (-1.0 - 5.0 * libm::sin(theta)) * t, 1e-11);
    near(
        "y",
        state.position[1],
        libm::sin(theta) + 5.0 * libm::cos(theta) * t - 0.5 * G * t * t,
        1e-11,
    );
    // Without spin nothing pulls it off: it jams.
    let jams = painleve(1.6, 0.0);
    assert_eq!(jams.events[0].kind, EventKind::Impact { collision: false }, "{:?}", jams.events);
    assert_eq!(jams.events[0].time, 0.0);
    // Below 4/3 it slides on.
    assert_eq!(count(&painleve(1.3, 0.0), "impact"), 0);
}

/// A disk rolls over the edge of a table and leaves it where cos θ = 4/7 + 3 v²/(7 g r).
#[test]
fn trap_8_a_disk_goes_over_an_edge_and_leaves_it_at_the_right_angle() {
    let (r, v) = (0.1, 0.4);
    let mut scene = plane(f64::INFINITY, 0.0);
    scene.bodies[0].shapes = vec![Shape::Polygon {
        points: vec![[-1.0, -1.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, 0.0], [-1.0, 0.0, 0.0]],
    }];
    scene.duration = 0.6;
    let mut wheel = body(1.0, 0.5 * r * r, disk(r), [-0.05, r, 0.0]);
    wheel.velocity[0] = v;
    wheel.angular_velocity[2] = -v / r;
    scene.bodies.push(wheel);
    let mut options = Options::at([]);
    options.features = true;
    let motion = simulate(&scene, &options).expect("a scene");
    let features = of_kind(&motion, "feature");
    assert_eq!(features.len(), 1, "{:?}", motion.events);
    near("over the edge", features[0].time, 0.05 / v, 1e-10);
    let leaves = of_kind(&motion, "separation");
    assert_eq!(leaves.len(), 1);
    near("cos θ", leaves[0].contacts[0].normal[1], 4.0 / 7.0 + 3.0 * v * v / (7.0 * G * r), 1e-9);
    // Simpson's rule for the time on the corner: ω² = (v/r)² + 4 g (1 − cos θ)/(3 r).
    let end = libm::acos(4.0 / 7.0 + 3.0 * v * v / (7.0 * G * r));
    let rate =
        |angle: f64| f64::sqrt(v * v / (r * r) + 4.0 * G * (1.0 - libm::cos(angle)) / (3.0 * r));
    let n = 20_000;
    let h = end / f64::from(n);
    let sum: f64 = (0..=n)
        .map(|i| {
            let weight = if i == 0 || i == n {
                1.0
            } else if i % 2 == 1 {
                4.0
            } else {
                2.0
            };
            weight / rate(h * f64::from(i))
        })
        .sum();
    near("time on the corner", leaves[0].time - features[0].time, sum * h / 3.0, 1e-9);
}

/// A block with h = 2 b that rocks: each plastic impact leaves 1 − (3/2) sin²α = 0.7 of ω, and infinitely many end it.
#[test]
fn trap_9_a_block_rocks_although_nothing_bounces() {
    let (b, h, lean): (f64, f64, f64) = (0.1, 0.2, 0.1);
    let mut scene = plane(2.0, 0.0);
    scene.duration = 6.0;
    let points = vec![[-b, -h, 0.0], [b, -h, 0.0], [b, h, 0.0], [-b, h, 0.0]];
    let reach = b.hypot(h);
    let alpha = libm::atan2(b, h);
    let inertia = reach * reach / 3.0;
    let position = [-reach * libm::sin(alpha - lean), reach * libm::cos(alpha - lean), 0.0];
    let mut block = body(1.0, inertia, Shape::Polygon { points }, position);
    block.orientation = Turn::Angle(-lean);
    scene.bodies.push(block);
    // From energy: ½ I ω² = m g R (cos(α − θ) − cos α).
    let falls =
        2.0 * G * (libm::cos(alpha - lean) - libm::cos(alpha)) * reach / (inertia + reach * reach);
    let first = follow(&scene, &[]);
    let impacts = of_kind(&first, "impact");
    assert!(impacts.len() > 6, "{}", impacts.len());
    let times: Vec<f64> = impacts.iter().take(5).map(|event| event.time).collect();
    let motion = follow(&scene, &times);
    for (k, sample) in motion.samples.iter().enumerate() {
        let expected = f64::sqrt(falls) * libm::pow(0.7, k as f64 + 1.0);
        near("ω", sample.bodies[1].angular_velocity[2].abs(), expected, 1e-8);
    }
    assert_eq!(count(&motion, "accumulation"), 1);
    assert_eq!(motion.end.reason, EndReason::Rest);
}

/// A disk bounces with e = 0.5 and slides all the while, until it rolls. Normal impulses of bounces have the sum and the first moment
/// of lasting contact, so x = v t − μ (½ g t² − h) after the bounces, and slip ends at v/(3 μ g).
fn bounces_and_slides(height: f64, v: f64, mu: f64, e: f64, at: &[f64]) -> Motion {
    let mut scene = plane(mu, e);
    scene.duration = 3.0;
    let mut ball = body(1.0, 0.005, disk(0.1), [0.0, 0.1 + height, 0.0]);
    ball.velocity[0] = v;
    scene.bodies.push(ball);
    follow(&scene, at)
}

#[test]
fn trap_10_an_accumulation_is_captured_before_its_impact() {
    let (h, v, mu, e): (f64, f64, f64, f64) = (0.2, 8.0, 0.2, 0.5);
    let first = f64::sqrt(2.0 * h / G);
    let ends = first * (1.0 + e) / (1.0 - e);
    let rolls = v / (3.0 * mu * G);
    assert!(rolls > ends + 0.1);
    let at = [ends + 0.01, 2.9];
    let motion = bounces_and_slides(h, v, mu, e, &at);
    let slides = |t: f64| v * t - mu * (0.5 * G * t * t - h);
    near("sliding", motion.samples[0].bodies[1].position[0], slides(at[0]), 1e-10);
    let rolling = slides(rolls) + 2.0 / 3.0 * v * (2.9 - rolls);
    near("rolling", motion.samples[1].bodies[1].position[0], rolling, 1e-10);
    near("end of the bounces", of_kind(&motion, "accumulation")[0].time, ends, 1e-9);
    near("end of slip", of_kind(&motion, "stick")[0].time, rolls, 1e-9);
    assert!(motion.ledger.residual.abs() < 1e-10, "{:e}", motion.ledger.residual);
}

/// A point bounces on a slope, and friction stops its slide in each impact: it creeps ½ g sin α ΣT².
#[test]
fn trap_11_what_sticks_in_its_bounces_creeps_between_them() {
    let (tilt, e, u): (f64, f64, f64) = (0.2618, 0.5, 1.0);
    let (s, c) = libm::sincos(tilt);
    let mut scene = slope(tilt, 0.8, e);
    scene.duration = 1.0;
    let mut point = particle();
    point.velocity = [-u * s, 0.0, u * c];
    scene.bodies.push(point);
    let flight = 2.0 * u / (G * c);
    let motion = follow(&scene, &[0.9]);
    let [x, _, z] = motion.samples[0].bodies[1].position;
    near("creep", -(x * c + z * s), 0.5 * G * s * flight * flight / (1.0 - e * e), 1e-9);
    near("end", motion.end.time, flight / (1.0 - e), 1e-9);
    assert_eq!(motion.end.reason, EndReason::Rest);
}

/// Slip ends a few microseconds after the bounces do: the rest of them must not be taken away too early.
#[test]
fn trap_12_an_event_at_the_end_of_an_accumulation_keeps_its_time() {
    for late in [9e-6, 1e-4, 1e-3] {
        let (h, mu, e): (f64, f64, f64) = (0.05, 0.2, 0.5);
        let ends = f64::sqrt(2.0 * h / G) * (1.0 + e) / (1.0 - e);
        let v = 3.0 * mu * G * (ends + late);
        let motion = bounces_and_slides(h, v, mu, e, &[2.0]);
        near("end of the bounces", of_kind(&motion, "accumulation")[0].time, ends, 1e-9);
        near("end of slip", of_kind(&motion, "stick")[0].time, ends + late, 1e-9);
        let rolls = ends + late;
        let x = v * rolls - mu * (0.5 * G * rolls * rolls - h) + 2.0 / 3.0 * v * (2.0 - rolls);
        near("rolling", motion.samples[0].bodies[1].position[0], x, 1e-9);
    }
}

/// A particle is pulled by two springs whose force turns while it grows. It slips when the force is μ m g. Reference: implicit
/// steps, extrapolated twice.
#[test]
fn trap_13_slip_that_begins_under_a_turning_force_does_not_hang() {
    let (mu, k, omega, phase) = (0.3, 40.0, 2.0, 0.5);
    let mut scene = slope(0.0, mu, 0.0);
    scene.duration = 0.6;
    scene.bodies.push(particle());
    let far = 100.0;
    scene.bodies.push(hand([far, 0.0, 0.0], [0.1, 0.0, 0.0], omega, 0.0));
    scene.bodies.push(hand([0.0, far, 0.0], [0.0, -0.1, 0.0], omega, phase));
    scene.springs.push(spring(2, 1, [[far, 0.0, 0.0], [0.0; 3]], k, far));
    let start = far - 0.1 * libm::sin(phase);
    scene.springs.push(spring(3, 1, [[0.0, start, 0.0], [0.0; 3]], k, far));
    let size = |f: [f64; 2]| f[0].hypot(f[1]);
    let pull = |t: f64, [x, y]: [f64; 2]| {
        let arms = [
            [far + 0.1 * libm::sin(omega * t) - x, -y],
            [-x, far - 0.1 * libm::sin(omega * t + phase) - y],
        ];
        let [one, two] = arms.map(|d| d.map(|part| k * (1.0 - far / size(d)) * part));
        [one[0] + two[0], one[1] + two[1]]
    };
    let slips = root(0.0, 0.5, |t| size(pull(t, [0.0; 2])) - mu * G);
    let motion = follow(&scene, &[0.5]);
    assert_eq!(motion.events[0].kind, EventKind::Slip, "{:?}", motion.events);
    near("onset", motion.events[0].time, slips, 1e-9);
    let steps = |n: u32| {
        let h = (0.5 - slips) / f64::from(n);
        let (mut x, mut v) = ([0.0; 2], [0.0; 2]);
        for i in 1..=n {
            let f = pull(slips + h * f64::from(i), x);
            let free: [f64; 2] = std::array::from_fn(|i| v[i] + h * f[i]);
            let rest = size(free) - h * mu * G;
            let factor = if rest > 0.0 { rest / size(free) } else { 0.0 };
            v = free.map(|w| w * factor);
            x = std::array::from_fn(|i| x[i] + h * v[i]);
        }
        [x[0], x[1], v[0], v[1]]
    };
    let (one, two, four) = (steps(100_000), steps(200_000), steps(400_000));
    let body = motion.samples[0].bodies[1];
    let got = [body.position[0], body.position[1], body.velocity[0], body.velocity[1]];
    for i in 0..4 {
        let (a, b) = (2.0 * two[i] - one[i], 2.0 * four[i] - two[i]);
        near("state", got[i], (4.0 * b - a) / 3.0, 2e-8);
    }
}

/// Slip u of what slides on a slope in space: u̇ = a − c u/|u|, so that c |u| + a·u falls at the rate c² − a² and slip ends at
/// (c |u₀| + a·u₀)/(c² − a²).
#[test]
fn trap_14_slip_that_turns_ends_at_its_time() {
    let (tilt, mu, r): (f64, f64, f64) = (0.25, 0.4, 0.1);
    let (s, c) = libm::sincos(tilt);
    for (ball, mobility) in [(false, 1.0), (true, 3.5)] {
        let mut scene = slope(tilt, mu, 0.0);
        scene.duration = 3.0;
        let mut slider = if ball {
            in_space(1.0, [0.4 * r * r; 3], disk(r), [-r * s, 0.0, r * c])
        } else {
            particle()
        };
        // Up the slope with 1.2 m/s, across it with 0.9 m/s.
        slider.velocity = [1.2 * c, 0.9, 1.2 * s];
        scene.bodies.push(slider);
        let (pull, brake) = (G * s, mobility * mu * G * c);
        let expected = (brake * 1.5 - pull * 1.2) / (brake * brake - pull * pull);
        let motion = follow(&scene, &[]);
        let sticks = of_kind(&motion, if ball { "stick" } else { "rest" });
        assert_eq!(sticks.len(), 1, "{:?}", motion.events);
        near("end of slip", sticks[0].time, expected, 1e-9);
    }
}

/// A block goes up a slope that is too steep for its friction: it stops and slides back at once.
#[test]
fn trap_15_slip_that_is_zero_is_not_yet_rest() {
    let (mu, v, tilt): (f64, f64, f64) = (0.2, 2.0, 0.6);
    let (s, c) = libm::sincos(tilt);
    let turns = v / (G * (s + mu * c));
    let reach = 0.5 * v * turns;
    let back = |t: f64| reach - 0.5 * G * (s - mu * c) * (t - turns) * (t - turns);
    let mut flat = plane(mu, 0.0);
    flat.bodies[0].shapes = vec![Shape::HalfSpace { normal: [-s, c, 0.0], offset: 0.0 }];
    flat.duration = 1.0;
    let points = vec![[-0.1, -0.05, 0.0], [0.1, -0.05, 0.0]];
    let mut block = body(1.0, 0.01, Shape::Points { points }, [-0.05 * s, 0.05 * c, 0.0]);
    block.orientation = Turn::Angle(tilt);
    block.velocity = [v * c, v * s, 0.0];
    flat.bodies.push(block);
    let motion = follow(&flat, &[1.0]);
    let [x, y, _] = motion.samples[0].bodies[1].position;
    near("back, in the plane", x * c + y * s, back(1.0), 1e-9);
    assert_eq!(motion.end.reason, EndReason::Duration);
    let mut space = slope(tilt, mu, 0.0);
    space.duration = 1.0;
    let mut point = particle();
    point.velocity = [v * c, 0.0, v * s];
    space.bodies.push(point);
    let motion = follow(&space, &[1.0]);
    let [x, _, z] = motion.samples[0].bodies[1].position;
    near("back, in space", x * c + z * s, back(1.0), 1e-9);
    assert_eq!(motion.end.reason, EndReason::Duration);
}

/// A ball on a table that shakes with Γ = 1.2 leaves it at sin ωt = 1/Γ, each period, while both still move upwards.
#[test]
fn trap_16_a_ball_leaves_a_table_that_still_moves_up() {
    let (gamma, omega): (f64, f64) = (1.2, 60.0);
    let amplitude = gamma * G / (omega * omega);
    let mut scene = plane(0.3, 0.2);
    scene.duration = 0.5;
    scene.bodies[0].kind = carom_sim::motion::BodyKind::Fixed {
        motion: Prescribed::Sine {
            amplitude: [0.0, amplitude, 0.0],
            frequency: omega / std::f64::consts::TAU,
            phase: 0.0,
        },
    };
    let mut ball = body(1.0, 0.005, disk(0.1), [0.0, 0.1, 0.0]);
    ball.velocity[1] = amplitude * omega;
    scene.bodies.push(ball);
    let motion = follow(&scene, &[]);
    let leaves = of_kind(&motion, "separation");
    assert!(leaves.len() >= 4, "{:?}", motion.events.len());
    for (k, event) in leaves.iter().enumerate() {
        let expected = (libm::asin(1.0 / gamma) + std::f64::consts::TAU * k as f64) / omega;
        near("separation", event.time, expected, 1e-9);
    }
    assert!(count(&motion, "accumulation") >= 3);
    assert!(motion.ledger.residual.abs() < 1e-10, "{:e}", motion.ledger.residual);
}

/// A coupler on three parallel cranks of length 1 m: rods of 1 kg, the coupler 2 kg. One angle moves.
fn parallelogram(start: f64, spin: f64, gravity: f64) -> Scene {
    let mut scene = Scene::new(Dimension::Plane);
    scene.gravity = [0.0, -gravity, 0.0];
    scene.bodies.push(SceneBody::fixed("base"));
    let (s, c) = libm::sincos(start);
    let end = |x: f64| [x + s, -c, 0.0];
    let diagonal = |i: f64| [[i, 0.0, 0.0], [0.0, i, 0.0], [0.0, 0.0, i]];
    let mut coupler = SceneBody::moving("coupler", 2.0, diagonal(0.5));
    coupler.position = end(1.0);
    coupler.velocity = [spin * c, spin * s, 0.0];
    scene.bodies.push(coupler);
    for x in [0.0, 1.0, 2.0] {
        let mut crank = SceneBody::moving(format!("crank {x}"), 1.0, diagonal(1.0 / 12.0));
        crank.position = [x + 0.5 * s, -0.5 * c, 0.0];
        crank.orientation = Turn::Angle(start);
        crank.velocity = [0.5 * spin * c, 0.5 * spin * s, 0.0];
        crank.angular_velocity[2] = spin;
        let body = scene.bodies.len();
        scene.bodies.push(crank);
        let z = [0.0, 0.0, 1.0];
        scene.joints.push(SceneJoint::new(SceneJointKind::Hinge, 0, body, [x, 0.0, 0.0], z));
        scene.joints.push(SceneJoint::new(SceneJointKind::Hinge, body, 1, end(x), z));
    }
    scene
}

#[test]
fn trap_24_a_redundant_loop_holds_together_for_ten_seconds() {
    let mut scene = parallelogram(0.9, 0.0, G);
    scene.duration = 10.0;
    let motion = follow(&scene, &[5.0, 10.0]);
    assert_eq!(motion.end.reason, EndReason::Duration, "{:?}", motion.end);
    // (3 · ⅓ + 2) θ̈ = −(3 · ½ + 2) g sin θ, by Runge and Kutta.
    let slope = |[angle, rate]: [f64; 2]| [rate, -3.5 / 3.0 * G * libm::sin(angle)];
    let mut y = [0.9, 0.0];
    let n = 200_000;
    let h = 10.0 / f64::from(n);
    for i in 1..=n {
        let add = |k: [f64; 2], h: f64| [y[0] + h * k[0], y[1] + h * k[1]];
        let k1 = slope(y);
        let k2 = slope(add(k1, 0.5 * h));
        let k3 = slope(add(k2, 0.5 * h));
        let k4 = slope(add(k3, h));
        y = std::array::from_fn(|j| y[j] + h / 6.0 * (k1[j] + 2.0 * (k2[j] + k3[j]) + k4[j]));
        if i % (n / 2) == 0 {
            let sample = &motion.samples[(i / (n / 2) - 1) as usize];
            for crank in 2..5 {
                let Turn::Angle(angle) = sample.bodies[crank].orientation else { unreachable!() };
                near("angle", angle, y[0], 1e-8);
            }
            let Turn::Angle(angle) = sample.bodies[1].orientation else { unreachable!() };
            near("coupler", angle, 0.0, 1e-11);
        }
    }
}

/// Without gravity the cranks turn evenly, through the places where all are in line with the base.
#[test]
fn trap_25_a_linkage_goes_on_along_its_branch_where_its_rank_drops() {
    let mut scene = parallelogram(0.9, 2.0, 0.0);
    scene.duration = 4.0;
    let times: Vec<f64> = (1..=8).map(|k| 0.5 * f64::from(k)).collect();
    let motion = follow(&scene, &times);
    assert_eq!(motion.end.reason, EndReason::Duration, "{:?}", motion.end);
    for sample in &motion.samples {
        for crank in 2..5 {
            let Turn::Angle(angle) = sample.bodies[crank].orientation else { unreachable!() };
            near("crank", angle, 0.9 + 2.0 * sample.time, 1e-8);
        }
        let Turn::Angle(angle) = sample.bodies[1].orientation else { unreachable!() };
        near("coupler", angle, 0.0, 1e-8);
    }
}
