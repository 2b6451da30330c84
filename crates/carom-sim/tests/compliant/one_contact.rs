//! One contact tends to Stronge's law, and with a damper to Routh's path that ends elsewhere.

use crate::support::{Tested, agrees, apart, example_1, golden, numbers, run, spheres};
use carom::{Contact, Law, Material, Tolerances, Unobserved};
use carom_sim::compliant::{Compliance, Exponent, Spring};

/// Slower than any slip that matters: friction is Coulomb's [m/s].
const SHARP: f64 = 1e-7;

/// Impulse and velocity by a law for one contact, with its own coefficient of restitution.
fn rigid(law: &str, mu: f64, e: f64) -> Result<[Vec<f64>; 2], carom::ImpactError> {
    let contact = example_1(mu)?.problem().contact::<3>(0)?;
    let contact = Contact::new(*contact.delassus(), *contact.velocity(), Material::new(mu, e)?)?;
    let outcome =
        Law::from_id(law)?.resolve_contact(&contact, &Tolerances::default(), &mut Unobserved)?;
    Ok([outcome.impulse.as_slice().to_vec(), outcome.velocity.as_slice().to_vec()])
}

/// Relative error of the velocities after against `routh-stronge` with e = 1.
fn elastic_error(mu: f64, compliance: &Compliance) -> Result<f64, carom::ImpactError> {
    let bodies = example_1(mu)?;
    let found = run(&bodies, compliance)?.outcome;
    let [_, expected] = rigid("routh-stronge", mu, 1.0)?;
    let balance = found.energy.relative_residual();
    assert!(balance < 1e-8, "energy is off by {balance}");
    let stronge = found.contacts[0].energetic_restitution().unwrap_or(f64::NAN);
    assert!((stronge - 1.0).abs() < 1e-12, "an elastic contact gives back its work: {stronge}");
    Ok(apart(&found.contact_velocity, &expected, bodies.problem().velocity()))
}

/// With the exponent η the error falls as K^{−1/(1+η)}: penetration is what moves the configuration.
#[test]
fn the_error_falls_with_the_penetration() -> Tested {
    for mu in [0.125, 0.225, 0.325] {
        for exponent in [Exponent::Hertz, Exponent::Linear] {
            let error = |stiffness: f64| {
                let spring = Spring::Power { exponent, stiffness };
                elastic_error(mu, &Compliance { spring, ..spheres(1.0, 0.0, SHARP) })
            };
            let (soft, hard) = match exponent {
                Exponent::Hertz => (1e9, 1e13),
                Exponent::Linear => (1e8, 1e12),
            };
            let order = (error(soft)? / error(hard)?).log10() / 4.0;
            let expected = 1.0 / (1.0 + exponent.value());
            assert!((order - expected).abs() < 0.02, "mu = {mu}, {exponent:?}: {order}");
        }
    }
    Ok(())
}

/// Smoothed friction lets a contact that sticks creep: an error of its own, whatever the stiffness.
#[test]
fn smoothing_leaves_a_floor() -> Tested {
    for mu in [0.225, 0.325] {
        let floor = [1e12, 1e13].map(|modulus| elastic_error(mu, &spheres(modulus, 0.0, 0.01)));
        let [at, beyond] = floor;
        let (at, beyond) = (at?, beyond?);
        assert!((at / beyond - 1.0).abs() < 0.02, "{at} {beyond}");
        assert!((5e-4..9e-4).contains(&beyond), "{beyond}");
        let lower = elastic_error(mu, &spheres(1e13, 0.0, 0.001))?;
        assert!(lower < 0.4 * beyond, "{lower} {beyond}");
    }
    Ok(())
}

#[test]
fn errors_with_dissipation_are_those_of_an_independent_integration() -> Tested {
    let golden = golden("compliant.json")?;
    let example = &golden["example_1"];
    let constant = |key: &str| example[key].as_f64().ok_or(key.to_owned());
    let (c, transition) = (constant("dissipation")?, constant("transition_speed")?);
    let moduli = numbers(&example["moduli"]);
    let rows = example["errors"].as_array().ok_or("errors")?;
    assert_eq!((moduli.len(), rows.len()), (6, 3));
    for row in rows {
        let mu = row["mu"].as_f64().ok_or("mu")?;
        let bodies = example_1(mu)?;
        let (impulses, velocities) = (numbers(&row["impulse"]), numbers(&row["velocity"]));
        for (i, modulus) in moduli.iter().enumerate() {
            let found = run(&bodies, &spheres(*modulus, c, transition))?.outcome;
            let e = found.contacts[0].kinetic_restitution().ok_or("no compression")?;
            let [impulse, velocity] = rigid("routh-poisson", mu, e)?;
            let by_impulse = apart(&found.impulse, &impulse, &impulse);
            let by_velocity =
                apart(&found.contact_velocity, &velocity, bodies.problem().velocity());
            let place = format!("mu = {mu}, E = {modulus:e}");
            assert!(agrees(by_impulse, impulses[i]), "{place}: impulse {by_impulse:e}");
            assert!(agrees(by_velocity, velocities[i]), "{place}: velocity {by_velocity:e}");
            let balance = found.energy.relative_residual();
            assert!(balance < 1e-8, "{place}: energy is off by {balance:e}");
        }
    }
    Ok(())
}

/// Poisson's ratio of an elastic contact is not 1: what it gives back is work.
#[test]
fn an_elastic_contact_is_not_poissons() -> Tested {
    let golden = golden("compliant.json")?;
    let elastic = &golden["example_1"]["elastic_kinetic_restitution"];
    let modulus = elastic["modulus"].as_f64().ok_or("modulus")?;
    let tolerance = elastic["tolerance"].as_f64().ok_or("tolerance")?;
    for (mu, expected) in [0.125, 0.225, 0.325].into_iter().zip(numbers(&elastic["values"])) {
        let outcome = run(&example_1(mu)?, &spheres(modulus, 0.0, 0.01))?.outcome;
        let e = outcome.contacts[0].kinetic_restitution().ok_or("no compression")?;
        assert!((e - expected).abs() < tolerance, "mu = {mu}: {e}");
    }
    Ok(())
}

/// Hunt and Crossley's force must not pull: a strongly damped contact falls slack before it opens.
#[test]
fn a_strong_damper_falls_slack() -> Tested {
    let outcome = run(&example_1(0.225)?, &spheres(1e9, 3.0, 0.01))?.outcome;
    assert!(outcome.history.is_empty());
    assert!(outcome.effort.events >= 1);
    let balance = outcome.energy.relative_residual();
    assert!(balance < 1e-8, "{balance:e}");
    let e = outcome.contacts[0].kinetic_restitution().ok_or("no compression")?;
    assert!((0.0..0.2).contains(&e), "{e}");
    assert!(outcome.impulse[0] > 0.0);
    Ok(())
}
