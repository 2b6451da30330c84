//! Examples 2 and 4 of the PLUS paper.

use crate::support::{Tested, agrees, example_4_bodies, golden, numbers, run, spheres};
use carom::outcome::Unobserved;
use carom::{ContactSpec, Material};
use carom_sim::compliant::{
    self, Compliance, CompliantContact, CompliantOutcome, Exponent, Pendulum, RigidBodies,
    RunSettings, Stribeck, rigid_problem,
};
use carom_testkit::cases::plus_examples::example_2;

#[test]
fn four_spheres_stop_together() -> Tested {
    let golden = golden("compliant.json")?;
    let example = &golden["example_2"];
    let number = |key: &str| example[key].as_f64().ok_or(key.to_owned());
    let compliance =
        spheres(number("modulus")?, number("dissipation")?, number("transition_speed")?);
    let outcome = run(&example_2(1.0)?, &compliance)?.outcome;
    let tolerance = number("tolerance")?;
    // Contacts 0 and 2 trail; rows are n, x, y.
    for (k, side) in [(0, "trailing"), (1, "leading"), (2, "trailing"), (3, "leading")] {
        let expected = numbers(&example[side]["impulse"]);
        let found = &outcome.impulse[3 * k..][..3];
        for (found, expected) in found.iter().zip([expected[2], expected[0], expected[1]]) {
            assert!((found - expected).abs() < tolerance, "contact {k}: {found} {expected}");
        }
        let velocity = example[side]["normal_velocity"].as_f64().ok_or("velocity")?;
        assert!((outcome.contact_velocity[3 * k] - velocity).abs() < tolerance);
    }
    assert!(outcome.energy.relative_residual() < 1e-8);
    Ok(())
}

/// The pendulum falls, strikes and rebounds.
fn pendulum(modulus: f64) -> Result<CompliantOutcome, carom::ImpactError> {
    let pendulum = Pendulum::uchida_sherman_delp().validated()?;
    let contact = CompliantContact {
        stiffness: 4.0 / 3.0 * pendulum.ball_radius.sqrt() * modulus,
        dissipation: 0.0,
        friction: Stribeck::coulomb(0.1, 0.01),
    };
    let settings = RunSettings::default();
    compliant::run(&pendulum, &[contact], Exponent::Hertz, &settings, &mut Unobserved)
}

#[test]
fn the_pendulum_strikes_where_the_paper_lets_it() -> Tested {
    let golden = golden("compliant.json")?;
    let fall = &golden["example_4"]["fall"];
    let tolerance = fall["tolerance"].as_f64().ok_or("tolerance")?;
    let outcome = pendulum(1e10)?;
    let close = |found: f64, expected: f64| (found - expected).abs() < tolerance * expected.abs();
    assert!(close(outcome.first_touch, fall["time"].as_f64().ok_or("time")?));
    let (angles, rates) = &outcome.at_touch;
    for (angle, expected) in angles.iter().zip(numbers(&fall["angles_degrees"])) {
        assert!(close(angle.to_degrees(), expected), "{angle}");
    }
    // The ball's lowest point: its centre and a quarter of a metre below it.
    let velocity = numbers(&fall["velocity"]);
    let along = |part: fn(f64) -> f64| -> f64 {
        angles.iter().zip(rates).map(|(angle, rate)| rate * part(*angle)).sum()
    };
    assert!(close(along(f64::cos) + 0.25 * rates[2], velocity[0]));
    assert!(close(along(f64::sin), velocity[2]));
    let kinetic = fall["kinetic_energy"].as_f64().ok_or("energy")?;
    assert!(close(outcome.energy.scale, kinetic), "{}", outcome.energy.scale);
    assert!(outcome.energy.relative_residual() < 1e-8);
    Ok(())
}

#[test]
fn the_pendulum_tends_to_its_rigid_rebound() -> Tested {
    let golden = golden("compliant.json")?;
    let example = &golden["example_4"];
    let rigid = numbers(&example["rigid_velocity"]);
    let fastest =
        numbers(&example["fall"]["velocity"]).iter().fold(0.0, |m: f64, v| m.max(v.abs()));
    let moduli = numbers(&example["moduli"]);
    assert_eq!(moduli.len(), 6);
    for (modulus, printed) in moduli.into_iter().zip(numbers(&example["errors"])) {
        let u = pendulum(modulus)?.contact_velocity;
        // The tangent is the normal turned by 90°: −x.
        let error = (u[0] - rigid[2]).abs().max((-u[1] - rigid[0]).abs()) / fastest;
        assert!(agrees(error, printed), "E = {modulus:e}: {error:e} {printed:e}");
    }
    Ok(())
}

/// Rigid laws see the same contact whether the pendulum is given by its angles or by bodies on hinges.
#[test]
fn rigid_laws_see_the_pendulum() -> Tested {
    let mut striking = Pendulum::uchida_sherman_delp();
    striking.rates = vec![0.3, -1.2, 0.7];
    let spec = ContactSpec::new(2, Material::new(0.1, 1.0)?);
    let problem = rigid_problem(&striking, vec![spec])?;
    let bodies = example_4_bodies(&striking)?;
    // The ground is a gap below the ball, which turns the tangential rows apart; the normal one is the same.
    let (a, b) = (problem.delassus_at(0, 0), bodies.problem().delassus_at(0, 0));
    assert!((a - b).abs() < 1e-12, "{a} {b}");
    let rate: f64 = striking.angles.iter().zip(&striking.rates).map(|(a, r)| r * a.sin()).sum();
    assert!((problem.velocity()[0] - rate).abs() < 1e-14);
    let held = RigidBodies::new(&bodies, 0.25);
    assert!(rigid_problem(&held, vec![spec]).is_err(), "joints are not left out");
    Ok(())
}

/// Two descriptions of one mechanism, angles and bodies on hinges, move alike.
#[test]
fn hinged_bodies_are_a_pendulum() -> Tested {
    let angles = pendulum(1e10)?;
    let bodies = example_4_bodies(&Pendulum::uchida_sherman_delp())?;
    let compliance =
        Compliance { radius: 0.25, gravity: [0.0, -9.81, 0.0], ..spheres(1e10, 0.0, 0.01) };
    let hinged = run(&bodies, &compliance)?.outcome;
    assert!((angles.first_touch - hinged.first_touch).abs() < 1e-8);
    for (a, b) in angles.contact_velocity.iter().zip(&hinged.contact_velocity) {
        assert!((a - b).abs() < 1e-7, "{a} {b}");
    }
    assert!(hinged.energy.relative_residual() < 1e-8);
    Ok(())
}
