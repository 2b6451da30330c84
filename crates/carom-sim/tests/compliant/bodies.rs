//! Bodies in flight and under way.

use crate::support::{Tested, example_1, run, spheres};
use carom::system::{Bodies, Body};
use carom::{ContactSpec, Material};
use carom_testkit::cases::plus_examples::{brick, example_1_turn, ground, on_ground};

/// Of the paper's brick about its own axes [kg·m²].
const MOMENTS: [f64; 3] = [0.167, 0.133, 0.0867];

/// A tumbling brick keeps its energy and the length of its angular momentum until it touches.
#[test]
fn a_body_in_flight_keeps_energy_and_momentum() -> Tested {
    let spin = [1.0, 7.0, 2.0];
    let mut body = brick(MOMENTS, [0.3, 0.0, -8.0], [0.0, 0.0, 20.5], [1.0, 0.0, 0.0, 0.0]);
    body.angular_velocity = spin.to_vec();
    let mut far = on_ground([0.1, 0.2, 20.0], 0.3, 1.0)?;
    far.spec = ContactSpec { gap: 20.0, ..ContactSpec::new(3, Material::new(0.3, 1.0)?) };
    let bodies = Bodies::new(vec![ground(), body], vec![], vec![far])?;
    let outcome = run(&bodies, &spheres(1e8, 0.0, 0.01))?.outcome;
    assert!(outcome.first_touch > 1.0, "{}", outcome.first_touch);
    let (_, v) = &outcome.at_touch;
    let sum = |w: &[f64], power: i32| -> f64 {
        w.iter().zip(MOMENTS).map(|(w, i)| w * w * i.powi(power)).sum()
    };
    for power in [1, 2] {
        let (before, after) = (sum(&spin, power), sum(&v[3..], power));
        assert!((before - after).abs() < 1e-8 * before, "{before} {after}");
    }
    // A turn about the middle axis does not last.
    assert!((v[4] - spin[1]).abs() > 1.0, "{v:?}");
    assert!(outcome.energy.relative_residual() < 1e-8);
    Ok(())
}

/// A ground that moves as prescribed is a ground at rest for whoever moves along.
#[test]
fn prescribed_motion_is_a_matter_of_the_frame() -> Tested {
    let still = example_1(0.225)?;
    let drift = [0.7, -0.4, 0.3];
    let shifted = |body: carom::system::PlacedBody, original: &Body| Body {
        velocity: body.velocity.iter().zip(drift).map(|(v, d)| v + d).collect(),
        ..original.clone()
    };
    let placed: Vec<_> = still.placed_bodies().collect();
    let own = brick(MOMENTS, [0.0; 3], placed[1].position, example_1_turn());
    let bodies = vec![shifted(placed[0].clone(), &ground()), shifted(placed[1].clone(), &own)];
    let moving = Bodies::new(bodies, vec![], vec![on_ground([0.0; 3], 0.225, 1.0)?])?;
    let compliance = spheres(1e9, 0.1, 0.01);
    let (one, other) = (run(&still, &compliance)?, run(&moving, &compliance)?);
    for (p, q) in one.outcome.impulse.iter().zip(&other.outcome.impulse) {
        assert!((p - q).abs() < 1e-8 * one.outcome.impulse[0], "{p} {q}");
    }
    for (i, d) in drift.iter().enumerate() {
        let (v, w) = (one.bodies[1].velocity[i], other.bodies[1].velocity[i]);
        assert!((v + d - w).abs() < 1e-8, "{v} {w}");
    }
    assert!(other.outcome.energy.supplied.abs() > 0.1, "the ground does work");
    assert!(other.outcome.energy.relative_residual() < 1e-8);
    Ok(())
}

/// The history ends with the outcome, and its impulses grow with its forces.
#[test]
fn a_history_is_the_run() -> Tested {
    use carom_sim::compliant::{RunSettings, run_bodies};
    let settings = RunSettings { history: true, ..RunSettings::default() };
    let bodies = example_1(0.225)?;
    let compliance = spheres(1e9, 0.1, 0.01);
    let outcome =
        run_bodies(&bodies, &compliance, &settings, &mut carom::outcome::Unobserved)?.outcome;
    let history = &outcome.history;
    let (first, last) = (history.first().ok_or("empty")?, history.last().ok_or("empty")?);
    assert_eq!((first.time, first.contacts[0].impulse), (0.0, [0.0; 3]));
    assert_eq!(last.contacts[0].impulse[..], outcome.impulse[..]);
    assert_eq!(last.contacts[0].velocity[..], outcome.contact_velocity[..]);
    assert!((last.time - outcome.duration).abs() < 1e-15);
    for pair in history.windows(2) {
        let (before, after) = (&pair[0].contacts[0], &pair[1].contacts[0]);
        assert!(pair[1].time > pair[0].time);
        assert!(after.impulse[0] >= before.impulse[0]);
        // Friction keeps inside its cone.
        let friction = after.force[1].hypot(after.force[2]);
        assert!(friction <= 0.225 * after.force[0].max(0.0) * (1.0 + 1e-12) + 1e-12);
    }
    let deepest = history.iter().fold(0.0, |m: f64, x| m.max(x.contacts[0].penetration));
    let peak = outcome.contacts[0].peak_penetration;
    assert!(deepest <= peak && peak < 1.01 * deepest, "{deepest} {peak}");
    Ok(())
}
