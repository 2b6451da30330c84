//! The accuracies that a prototype reached, scene by scene: each with a reference that is closed or found by other means, to ten
//! times its error (times to 1e-9 at the least).
//!
//! Rows of the same table elsewhere: the disk over an edge and the onset of slip in space are `trap_8` and `trap_13` (`traps_lasting`);
//! Painlevé's rod, and the rod whose slip turns before it lifts off, are the reference motions `k12` and `k11` (`carom-scene`).

use crate::traps::{body, disk, follow, of_kind, plane};
use carom::Law;
use carom_sim::motion::{
    BodyKind, EndReason, Motion, Options, Prescribed, Scene, SceneBody, Shape, Spring, Turn,
    simulate,
};

const G: f64 = 9.81;
const TAU: f64 = std::f64::consts::TAU;
const PI: f64 = std::f64::consts::PI;

#[track_caller]
fn near(what: &str, got: f64, expected: f64, tolerance: f64) {
    println!("{what}: error {:.1e}", (got - expected).abs());
    assert!((got - expected).abs() <= tolerance, "{what}: {got:e}, expected {expected:e}");
}

#[track_caller]
fn closes(motion: &Motion, tolerance: f64) {
    println!("ledger: {:.1e} J", motion.ledger.residual.abs());
    assert!(motion.ledger.residual.abs() <= tolerance, "{:e} J", motion.ledger.residual);
}

/// A flat floor in space.
fn floor(mu: f64, e: f64) -> Scene {
    let mut scene = plane(mu, e);
    scene.dimension = carom_sim::motion::Dimension::Space;
    scene.gravity = [0.0, 0.0, -G];
    scene.bodies[0].orientation = Turn::Quaternion([1.0, 0.0, 0.0, 0.0]);
    scene.bodies[0].shapes = vec![Shape::HalfSpace { normal: [0.0, 0.0, 1.0], offset: 0.0 }];
    scene
}

fn angle(turn: Turn) -> f64 {
    let Turn::Angle(angle) = turn else { unreachable!() };
    angle
}

/// Simpson's rule.
fn integral(from: f64, to: f64, f: impl Fn(f64) -> f64) -> f64 {
    let n = 40_000;
    let h = (to - from) / f64::from(n);
    let weight = |i: i32| match i {
        0 => 1.0,
        i if i == n => 1.0,
        i => [2.0, 4.0][(i % 2) as usize],
    };
    (0..=n).map(|i| weight(i) * f(from + h * f64::from(i))).sum::<f64>() * h / 3.0
}

fn root(mut low: f64, mut high: f64, f: impl Fn(f64) -> f64) -> f64 {
    let sign = f(high).signum();
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if f(middle) * sign > 0.0 { high = middle } else { low = middle }
    }
    0.5 * (low + high)
}

#[test]
fn a_ball_bounces_to_rest() {
    let (h, e) = (1.0, 0.6);
    let mut scene = plane(0.0, e);
    scene.duration = 3.0;
    scene.bodies.push(body(1.0, 0.005, disk(0.1), [0.0, 0.1 + h, 0.0]));
    let motion = follow(&scene, &[2.9]);
    assert_eq!(motion.end.reason, EndReason::Rest);
    near("end", motion.end.time, f64::sqrt(2.0 * h / G) * (1.0 + e) / (1.0 - e), 1e-9);
    near("height", motion.samples[0].bodies[1].position[1], 0.1, 1e-15);
    closes(&motion, 9e-13);
}

/// v(t) and x(t) do not know of the bounces; see `trap_10`. At any speed of capture, which the accuracy asked for sets.
#[test]
fn a_ball_slides_through_its_accumulation() {
    let (h, v, mu, e): (f64, f64, f64, f64) = (0.2, 6.0, 0.25, 0.6);
    let rolls = v / (3.0 * mu * G);
    for accuracy in [1e-4, 1e-6, 1e-8] {
        let mut scene = plane(mu, e);
        scene.duration = 3.1;
        scene.accuracy.state = accuracy;
        let mut ball = body(1.0, 0.005, disk(0.1), [0.0, 0.1 + h, 0.0]);
        ball.velocity[0] = v;
        scene.bodies.push(ball);
        let motion = follow(&scene, &[3.0]);
        let x = v * rolls - mu * (0.5 * G * rolls * rolls - h) + 2.0 / 3.0 * v * (3.0 - rolls);
        // The prototype captured by hand and integrated more finely: 7e-14 m there, 0.1 of what is asked for here.
        near(
            "x",
            motion.samples[0].bodies[1].position[0],
            x,
            if accuracy < 1e-7 { 1e-12 } else { 0.1 * accuracy },
        );
    }
}

#[test]
fn a_block_slides_to_rest_on_a_slope() {
    let (mu, v, tilt): (f64, f64, f64) = (0.5, 2.0, 0.2);
    let (s, c) = libm::sincos(tilt);
    let mut scene = plane(mu, 0.0);
    scene.duration = 2.0;
    scene.bodies[0].shapes = vec![Shape::HalfSpace { normal: [-s, c, 0.0], offset: 0.0 }];
    let points = vec![[-0.1, -0.05, 0.0], [0.1, -0.05, 0.0]];
    let mut block = body(1.0, 0.01, Shape::Points { points }, [-0.05 * s, 0.05 * c, 0.0]);
    block.orientation = Turn::Angle(tilt);
    block.velocity = [-v * c, -v * s, 0.0];
    scene.bodies.push(block);
    let brake = G * (mu * c - s);
    let motion = follow(&scene, &[1.9]);
    assert_eq!(motion.end.reason, EndReason::Rest);
    near("end", motion.end.time, v / brake, 1e-9);
    let [x, y, _] = motion.samples[0].bodies[1].position;
    near("place", x * c + y * s, -0.5 * v * v / brake, 3e-14);
    closes(&motion, 4e-13);
}

/// A disk rolls after v/(3 μ g); a sphere with skew spin after 2 |u|/(7 μ g), with v + (2/7)(−u).
#[test]
fn sliding_turns_into_rolling() {
    let (mu, r, v) = (0.3, 0.1, 2.0);
    let mut scene = plane(mu, 0.0);
    scene.duration = 2.0;
    let mut wheel = body(1.0, 0.5 * r * r, disk(r), [0.0, r, 0.0]);
    wheel.velocity[0] = v;
    scene.bodies.push(wheel);
    let rolls = v / (3.0 * mu * G);
    let motion = follow(&scene, &[2.0]);
    near("disk, time", of_kind(&motion, "stick")[0].time, rolls, 1e-9);
    let x = v * rolls - 0.5 * mu * G * rolls * rolls + 2.0 / 3.0 * v * (2.0 - rolls);
    near("disk, place", motion.samples[0].bodies[1].position[0], x, 3e-14);

    let mut scene = floor(mu, 0.0);
    scene.duration = 2.0;
    let inertia = 0.4 * r * r;
    let mut ball = body(1.0, inertia, disk(r), [0.0, 0.0, r]);
    ball.orientation = Turn::Quaternion([1.0, 0.0, 0.0, 0.0]);
    ball.velocity = [1.5, -0.5, 0.0];
    ball.angular_velocity = [20.0, -8.0, 5.0];
    scene.bodies.push(ball);
    // u = v + ω × (−r e_z).
    let u = [1.5 + 8.0 * r, -0.5 + 20.0 * r];
    let slip = u[0].hypot(u[1]);
    let rolls = slip / (3.5 * mu * G);
    let motion = follow(&scene, &[2.0]);
    near("sphere, time", of_kind(&motion, "stick")[0].time, rolls, 1e-9);
    for (i, v) in [1.5, -0.5].into_iter().enumerate() {
        let brake = -mu * G * u[i] / slip;
        let x = v * rolls + 0.5 * brake * rolls * rolls + (v + brake * rolls) * (2.0 - rolls);
        near("sphere, place", motion.samples[0].bodies[1].position[i], x, 4e-14);
    }
    near("sphere, spin", motion.samples[0].bodies[1].angular_velocity[2], 5.0, 1e-12);
}

/// See `trap_14`: c |u| + a·u falls evenly.
#[test]
fn a_sphere_on_a_slope_slips_in_a_curve_and_rolls() {
    let (tilt, mu, r): (f64, f64, f64) = (0.3, 0.5, 0.1);
    let (s, c) = libm::sincos(tilt);
    let mut scene = floor(mu, 0.0);
    scene.bodies[0].shapes = vec![Shape::HalfSpace { normal: [-s, 0.0, c], offset: 0.0 }];
    scene.duration = 2.0;
    let mut ball = body(1.0, 0.4 * r * r, disk(r), [-r * s, 0.0, r * c]);
    ball.orientation = Turn::Quaternion([1.0, 0.0, 0.0, 0.0]);
    ball.velocity = [0.6 * c, 2.5, 0.6 * s];
    scene.bodies.push(ball);
    let (pull, brake) = (G * s, 3.5 * mu * G * c);
    let ends = (brake * f64::hypot(0.6, 2.5) - pull * 0.6) / (brake * brake - pull * pull);
    let motion = follow(&scene, &[]);
    near("end of slip", of_kind(&motion, "stick")[0].time, ends, 1e-9);
    closes(&motion, 1e-10);
}

/// A slender block from a lean of 0.1: times by quadrature, ratio 1 − (3/2) sin²α.
#[test]
fn a_block_rocks_to_rest() {
    let (b, h, lean): (f64, f64, f64) = (0.1, 0.3, 0.1);
    let reach = b.hypot(h);
    let alpha = libm::atan2(b, h);
    let mut scene = plane(3.0, 0.0);
    scene.duration = 12.0;
    let points = vec![[-b, -h, 0.0], [b, -h, 0.0], [b, h, 0.0], [-b, h, 0.0]];
    let position = [-reach * libm::sin(alpha - lean), reach * libm::cos(alpha - lean), 0.0];
    let mut block = body(1.0, reach * reach / 3.0, Shape::Polygon { points }, position);
    block.orientation = Turn::Angle(-lean);
    scene.bodies.push(block);
    // ω² = p (cos(α − θ) − cos(α − lean …)), with p = (3/2) g/R.
    let p = 1.5 * G / reach;
    let ratio = 1.0 - 1.5 * libm::sin(alpha) * libm::sin(alpha);
    // θ = lean (1 − x²) takes the root off the end where it turns; a half swing from the highest lean.
    let swing = |lean: f64| {
        integral(0.0, 1.0, |x| {
            let theta = lean * (1.0 - x * x);
            let mean = alpha - 0.5 * (theta + lean);
            let half = 0.5 * lean * x * x;
            // cos(α − lean) − cos(α − θ) = 2 sin(mean) sin(half), and half ~ x².
            let over = if half > 0.0 { libm::sin(half) / half } else { 1.0 };
            lean * 2.0 / f64::sqrt(2.0 * p * libm::sin(mean) * over * 0.5 * lean)
        })
    };
    let motion = follow(&scene, &[11.9]);
    let impacts = of_kind(&motion, "impact");
    let (mut time, mut lean) = (swing(lean), lean);
    for (k, impact) in impacts.iter().enumerate().take(7) {
        near(&format!("impact {k}"), impact.time, time, 5e-9);
        // The next lean has ratio² of the energy.
        let energy = ratio * ratio * (libm::cos(alpha - lean) - libm::cos(alpha));
        lean = alpha - libm::acos(energy + libm::cos(alpha));
        time += 2.0 * swing(lean);
    }
    assert!(impacts.len() >= 7, "{}", impacts.len());
    // Swings end like a geometric series with this ratio; the rest of it beyond where quadrature stops is far below 1e-9.
    let (mut end, mut left) = (time - 2.0 * swing(lean), lean);
    while left > 1e-18 {
        end += 2.0 * swing(left);
        let raised = 2.0 * libm::sin(alpha - 0.5 * left) * libm::sin(0.5 * left) * ratio * ratio;
        left = root(0.0, left, |x| 2.0 * libm::sin(alpha - 0.5 * x) * libm::sin(0.5 * x) - raised);
    }
    near("end", motion.end.time, end, 1.4e-8);
}

fn shaken(gamma: f64, omega: f64, phase: f64, e: f64) -> Scene {
    let amplitude = gamma * G / (omega * omega);
    let mut scene = plane(0.0, e);
    scene.bodies[0].position[1] = -amplitude * libm::sin(phase);
    scene.bodies[0].kind = BodyKind::Fixed {
        motion: Prescribed::Sine {
            amplitude: [0.0, amplitude, 0.0],
            frequency: omega / TAU,
            phase,
        },
    };
    scene
}

/// The orbit of period one has Γ cos φ = π (1 − e)/(1 + e); it loses stability where (Γ sin φ) (1 + e)² = 2 (1 + e²).
#[test]
fn a_ball_on_a_shaking_table_doubles_its_period() {
    let (e, omega): (f64, f64) = (0.6, 50.0);
    let upright = PI * (1.0 - e) / (1.0 + e);
    let launch = PI * G / omega;
    let period = TAU / omega;
    // Starts on the orbit, moved by δt along the phase and δv in speed; ends as far from it after the next impact.
    let map = |gamma: f64, dt: f64, dv: f64| {
        let phase = libm::acos(upright / gamma);
        let mut scene = shaken(gamma, omega, phase + omega * dt, e);
        let amplitude = gamma * G / (omega * omega);
        scene.bodies[0].position[1] = -amplitude * libm::sin(phase + omega * dt);
        let mut ball = body(1.0, 0.005, disk(0.01), [0.0, 0.01, 0.0]);
        ball.velocity[1] = launch + dv;
        scene.bodies.push(ball);
        scene.duration = 1.5 * period;
        let first = follow(&scene, &[]);
        let time = of_kind(&first, "impact")[0].time;
        let motion = follow(&scene, &[time]);
        [time + dt - period, motion.samples[0].bodies[1].velocity[1] - launch]
    };
    let closing = map(1.1, 0.0, 0.0);
    near("period", closing[0], 0.0, 1e-12);
    near("speed", closing[1], 0.0, 1e-12);
    // 1 + trace + determinant of the map, by differences of the fourth order.
    let flips = |gamma: f64| {
        let column = |i: usize| {
            let d = [2e-4 * period, 2e-4 * launch][i];
            let at = |x: f64| if i == 0 { map(gamma, x * d, 0.0) } else { map(gamma, 0.0, x * d) };
            let (one, minus, two, less) = (at(1.0), at(-1.0), at(2.0), at(-2.0));
            std::array::from_fn::<f64, 2, _>(|j| {
                (8.0 * (one[j] - minus[j]) - (two[j] - less[j])) / (12.0 * d)
            })
        };
        let (a, b) = (column(0), column(1));
        1.0 + a[0] + b[1] + a[0] * b[1] - a[1] * b[0]
    };
    let steep = 2.0 * (1.0 + e * e) / ((1.0 + e) * (1.0 + e));
    let expected = upright.hypot(steep);
    let (mut low, mut high) = (expected - 0.02, expected + 0.03);
    let (mut at_low, mut at_high) = (flips(low), flips(high));
    assert!(at_low * at_high < 0.0);
    for _ in 0..5 {
        let next = low - at_low * (high - low) / (at_high - at_low);
        (low, at_low) = (high, at_high);
        (high, at_high) = (next, flips(next));
        if (high - low).abs() < 1e-11 {
            break;
        }
    }
    near("Γ of period doubling", high, expected, 4e-9);
}

#[test]
fn a_ball_rests_on_a_shaking_table_and_leaves_it_each_period() {
    let (gamma, omega, e) = (1.2, 60.0, 0.2);
    let mut scene = shaken(gamma, omega, 0.0, e);
    scene.duration = 0.6;
    let mut ball = body(1.0, 0.005, disk(0.1), [0.0, 0.1, 0.0]);
    ball.velocity[1] = gamma * G / omega;
    scene.bodies.push(ball);
    let motion = follow(&scene, &[]);
    let leaves = of_kind(&motion, "separation");
    assert_eq!(leaves.len(), 6, "{}", leaves.len());
    for (k, event) in leaves.iter().enumerate() {
        near("separation", event.time, (libm::asin(1.0 / gamma) + TAU * k as f64) / omega, 1e-9);
    }
    // All periods are alike.
    let ends: Vec<f64> = of_kind(&motion, "accumulation").iter().map(|event| event.time).collect();
    for pair in ends.windows(2) {
        near("period", pair[1] - pair[0], TAU / omega, 1e-9);
    }
    closes(&motion, 8e-11);
}

/// A square box stands on one lower corner, leans and turns over it; it slips when the friction that holds it is used up.
#[test]
fn a_box_tips_and_then_slips() {
    let (mu, reach, lean, spin): (f64, f64, f64, f64) = (0.25, 0.2, 0.1, 0.5);
    let half = reach / f64::sqrt(2.0);
    let mut scene = plane(mu, 0.0);
    scene.duration = 1.0;
    let points =
        vec![[-half, -half, 0.0], [half, -half, 0.0], [half, half, 0.0], [-half, half, 0.0]];
    let inertia = reach * reach / 3.0;
    let (s, c) = libm::sincos(lean);
    let mut cube = body(1.0, inertia, Shape::Polygon { points }, [reach * s, reach * c, 0.0]);
    // Its corner (−half, −half) is below: turned by 45° from upright, and by the lean.
    cube.orientation = Turn::Angle(PI / 4.0 - lean);
    cube.angular_velocity[2] = -spin;
    cube.velocity = [reach * c * spin, -reach * s * spin, 0.0];
    scene.bodies.push(cube);
    // From the vertical: ψ̈ = (3/4)(g/R) sin ψ.
    let p = 0.75 * G / reach;
    let rate2 = |psi: f64| spin * spin + 2.0 * p * (libm::cos(lean) - libm::cos(psi));
    let room = |psi: f64| {
        let (s, c) = libm::sincos(psi);
        let along = reach * (p * s * c - rate2(psi) * s);
        let normal = G - reach * (p * s * s + rate2(psi) * c);
        mu * normal - along.abs()
    };
    // The first place, by small steps.
    let mut psi = lean;
    while room(psi) > 0.0 {
        psi += 1e-3;
    }
    let slips = root(psi - 1e-3, psi, room);
    let time = integral(lean, slips, |psi| 1.0 / f64::sqrt(rate2(psi)));
    let motion = follow(&scene, &[]);
    assert_eq!(motion.events[0].kind.name(), "slip", "{:?}", motion.events);
    near("slip", motion.events[0].time, time, 1e-9);
    closes(&motion, 3e-12);
}

/// F = k (A sin ωt − x) on a block of two corners: it slips at k A sin ωt = μ m g, x'' = ω₀² (A sin ωt − x) − μ g until ẋ = 0.
#[test]
fn a_block_sticks_and_slips_under_a_swinging_force() {
    let (mu, omega, k, a): (f64, f64, f64, f64) = (0.3, 3.0, 40.0, 0.1);
    let mut scene = plane(mu, 0.0);
    scene.duration = 1.4;
    let points = vec![[-0.1, -0.05, 0.0], [0.1, -0.05, 0.0]];
    scene.bodies.push(body(1.0, 0.01, Shape::Points { points }, [0.0, 0.05, 0.0]));
    let mut hand = SceneBody::fixed("hand");
    hand.position = [1.0, 0.05, 0.0];
    hand.kind = BodyKind::Fixed {
        motion: Prescribed::Sine { amplitude: [a, 0.0, 0.0], frequency: omega / TAU, phase: 0.0 },
    };
    scene.bodies.push(hand);
    scene.springs.push(Spring {
        a: 2,
        b: 1,
        point_a: [1.0, 0.05, 0.0],
        point_b: [0.0, 0.05, 0.0],
        stiffness: k,
        damping: 0.0,
        length: Some(1.0),
    });
    let slips = libm::asin(mu * G / (k * a)) / omega;
    let own = f64::sqrt(k);
    let forced = k * a / (k - omega * omega);
    let sag = mu * G / k;
    let c = sag - forced * libm::sin(omega * slips);
    let d = -forced * omega * libm::cos(omega * slips) / own;
    let rate = |t: f64| {
        let (s, co) = libm::sincos(own * (t - slips));
        own * (d * co - c * s) + forced * omega * libm::cos(omega * t)
    };
    let mut t = slips + 1e-3;
    while rate(t) > 0.0 {
        t += 1e-3;
    }
    let sticks = root(t - 1e-3, t, rate);
    let (s, co) = libm::sincos(own * (sticks - slips));
    let place = c * co + d * s + forced * libm::sin(omega * sticks) - sag;
    let motion = follow(&scene, &[sticks]);
    near("slip", of_kind(&motion, "slip")[0].time, slips, 1e-9);
    near("stick", of_kind(&motion, "stick")[0].time, sticks, 1e-9);
    near("place", motion.samples[0].bodies[1].position[0], place, 1e-11);
    // Where it sticks at `place`, the other way: k (A sin ωt − x) = −μ m g.
    let back =
        root(sticks, 0.75 * TAU / omega, |t| k * (a * libm::sin(omega * t) - place) + mu * G);
    near("second slip", of_kind(&motion, "slip")[1].time, back, 1e-9);
}

/// A plate on four corners slides and spins. Contacts that yield equally share the normal force as an affine function of the place;
/// by Runge and Kutta.
#[test]
fn a_plate_slides_and_spins_on_four_corners() {
    let (mu, half, height): (f64, f64, f64) = (0.3, 0.2, 0.05);
    let inertia = 2.0 * half * half / 3.0;
    let signs = [[1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]];
    let mut scene = floor(mu, 0.0);
    scene.duration = 0.3;
    let points = signs.map(|[x, y]| [x * half, y * half, -height]).to_vec();
    let mut plate = body(1.0, 0.02, Shape::Points { points }, [0.0, 0.0, height]);
    plate.kind = BodyKind::Moving {
        mass: 1.0,
        inertia: [[0.02, 0.0, 0.0], [0.0, 0.02, 0.0], [0.0, 0.0, inertia]],
    };
    plate.orientation = Turn::Quaternion([1.0, 0.0, 0.0, 0.0]);
    plate.velocity = [1.2, 0.3, 0.0];
    plate.angular_velocity[2] = 5.0;
    scene.bodies.push(plate);
    let slope = |y: [f64; 6]| {
        let [_, _, turn, vx, vy, spin] = y;
        let (s, c) = libm::sincos(turn);
        let corners = signs.map(|[x, y]| [half * (x * c - y * s), half * (x * s + y * c)]);
        let along = corners.map(|[x, y]| {
            let u = [vx - spin * y, vy + spin * x];
            let size = u[0].hypot(u[1]);
            [u[0] / size, u[1] / size]
        });
        // N_i = m g/4 + b·r_i; moments about the centre: Σ r N = h F, with F = −μ Σ N d. Fixed point: μ h/half is small.
        let mut normal = [0.25 * G; 4];
        let mut force = [0.0; 2];
        for _ in 0..60 {
            force = [0, 1].map(|k| -> f64 { (0..4).map(|i| -mu * normal[i] * along[i][k]).sum() });
            // Σ r rᵀ = 4 half² 1.
            let b = force.map(|f| -height * f / (4.0 * half * half));
            normal = corners.map(|[x, y]| 0.25 * G + b[0] * x + b[1] * y);
        }
        let torque: f64 = (0..4)
            .map(|i| {
                let [x, y] = corners[i];
                -mu * normal[i] * (x * along[i][1] - y * along[i][0])
            })
            .sum();
        [vx, vy, spin, force[0], force[1], torque / inertia]
    };
    let mut y = [0.0, 0.0, 0.0, 1.2, 0.3, 5.0];
    let n = 6000;
    let h = 0.3 / f64::from(n);
    for _ in 0..n {
        let add = |k: [f64; 6], h: f64| std::array::from_fn(|j| y[j] + h * k[j]);
        let k1 = slope(y);
        let k2 = slope(add(k1, 0.5 * h));
        let k3 = slope(add(k2, 0.5 * h));
        let k4 = slope(add(k3, h));
        y = std::array::from_fn(|j| y[j] + h / 6.0 * (k1[j] + 2.0 * (k2[j] + k3[j]) + k4[j]));
    }
    let motion = follow(&scene, &[0.3]);
    let state = motion.samples[0].bodies[1];
    let got = [state.position[0], state.position[1], state.velocity[0], state.velocity[1]];
    for (got, expected) in got.into_iter().zip([y[0], y[1], y[3], y[4]]) {
        near("plate", got, expected, 3e-11);
    }
    near("spin", state.angular_velocity[2], y[5], 3e-10);
    assert!(of_kind(&motion, "separation").is_empty());
}

/// A ball on a block that lies on the floor, each contact with its own e: the block stays, and the ball bounces as on the floor.
#[test]
fn a_ball_bounces_to_rest_on_a_block() {
    let (h, e): (f64, f64) = (0.3, 0.5);
    let mut scene = plane(0.4, e);
    scene.duration = 2.0;
    let points = vec![[-0.2, -0.1, 0.0], [0.2, -0.1, 0.0], [0.2, 0.1, 0.0], [-0.2, 0.1, 0.0]];
    scene.bodies.push(body(2.0, 0.03, Shape::Polygon { points }, [0.0, 0.1, 0.0]));
    scene.bodies.push(body(1.0, 0.005, disk(0.1), [0.0, 0.3 + h, 0.0]));
    let law = Law::from_id("newton-coulomb").expect("a law");
    let mut options = Options::at([1.9]);
    options.law = Some(law);
    let motion = simulate(&scene, &options).expect("a scene");
    assert_eq!(motion.end.reason, EndReason::Rest, "{:?}", motion.end);
    near("end", motion.end.time, f64::sqrt(2.0 * h / G) * (1.0 + e) / (1.0 - e), 1e-9);
    near("height", motion.samples[0].bodies[2].position[1], 0.3, 4e-13);
    near("block", angle(motion.samples[0].bodies[1].orientation), 0.0, 1e-12);
    closes(&motion, 5e-13);
}
