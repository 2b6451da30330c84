//! Contacts whose configuration stays: rows of balls, and one contact without smoothing errors.

use crate::support::Tested;
use carom::system::Chain;
use carom::{
    Contact, ContactProblem, ContactSpec, ContactVec, Delassus, Law, Material, Tolerances,
    Unobserved,
};
use carom_sim::compliant::{Compliance, Exponent, RunSettings, Spring, Transition, run_frozen};
use carom_testkit::generate::{MIRTICH_DELASSUS, MIRTICH_VELOCITY};

fn springs(exponent: Exponent, stiffness: f64) -> Compliance {
    Compliance { spring: Spring::Power { exponent, stiffness }, ..Compliance::default() }
}

/// Velocities of five balls that the first one strikes at 1 m/s, from an independent integration, to seven digits.
#[test]
fn five_balls_leave_as_known() -> Tested {
    let chain = Chain::new(vec![1.0; 5], vec![1.0, 0.0, 0.0, 0.0, 0.0], vec![1.0; 4])?;
    for (exponent, expected) in [
        (Exponent::Linear, [-0.1322795, -0.0753292, -0.0310108, 0.2962178, 0.9424017]),
        (Exponent::Hertz, [-0.0710850, -0.0302738, -0.0144636, 0.1270450, 0.9887774]),
    ] {
        for stiffness in [1e3, 1e9] {
            let compliance = springs(exponent, stiffness);
            let settings = RunSettings::default();
            let outcome = run_frozen(chain.problem(), &compliance, &settings, &mut Unobserved)?;
            let after = chain.after(&outcome.impulse)?.velocity;
            for (found, expected) in after.iter().zip(expected) {
                assert!((found - expected).abs() < 6e-8, "{exponent:?}: {after:?}");
            }
            assert!(outcome.energy.relative_residual() < 1e-8);
        }
    }
    Ok(())
}

/// A configuration that stays leaves no error but that of smoothing, and there is none while a contact slides: the
/// corrected-Mirtich example, which compresses twice, is Stronge's at any stiffness.
#[test]
fn two_compressions_are_stronges() -> Tested {
    let material = Material::new(0.5, 1.0)?;
    let spec = ContactSpec::new(3, material);
    let problem = ContactProblem::new(&MIRTICH_DELASSUS.concat(), &MIRTICH_VELOCITY, &[spec])?;
    let contact = Contact::new(
        Delassus::new(MIRTICH_DELASSUS)?,
        ContactVec::new(MIRTICH_VELOCITY),
        material,
    )?;
    let law = Law::from_id("routh-stronge")?;
    let exact = law.resolve_contact(&contact, &Tolerances::default(), &mut Unobserved)?;
    for exponent in [Exponent::Linear, Exponent::Hertz] {
        let compliance = springs(exponent, 1e6);
        let outcome = run_frozen(&problem, &compliance, &RunSettings::default(), &mut Unobserved)?;
        for (p, q) in outcome.impulse.iter().zip(exact.impulse.as_slice()) {
            assert!((p - q).abs() < 1e-7 * outcome.impulse[0], "{exponent:?}: {p} {q}");
        }
    }
    Ok(())
}

/// Contacts that touch without approaching take part as soon as a neighbour pushes, and count as closed once.
#[test]
fn resting_contacts_take_part() -> Tested {
    let chain = Chain::new(vec![1.0, 2.0, 1.0], vec![1.0, 0.0, 0.0], vec![1.0; 2])?;
    let compliance = springs(Exponent::Hertz, 1e6);
    let settings = RunSettings::default();
    let outcome = run_frozen(chain.problem(), &compliance, &settings, &mut Unobserved)?;
    assert!(outcome.contacts.iter().all(|contact| contact.closures >= 1));
    assert!(outcome.contacts[1].peak_penetration > 0.0);
    Ok(())
}

/// A light ball flies to and fro between two heavy ones until it has brought them apart: contacts open and close.
#[test]
fn contacts_close_again() -> Tested {
    let (heavy, light): (f64, f64) = (10.0, 0.1);
    let (own, between) = (1.0 / heavy + 1.0 / light, -1.0 / light);
    let touching = ContactSpec::new(1, Material::new(0.0, 1.0)?);
    let apart = ContactSpec { gap: 0.05, ..touching };
    let matrix = [own, between, between, own];
    let problem = ContactProblem::new(&matrix, &[-1.0, 0.0], &[touching, apart])?;
    let compliance = springs(Exponent::Hertz, 1e8);
    let outcome = run_frozen(&problem, &compliance, &RunSettings::default(), &mut Unobserved)?;
    let reclosures: u32 = outcome.contacts.iter().map(|contact| contact.reclosures()).sum();
    assert!(reclosures > 2, "{:?}", outcome.contacts);
    assert!(outcome.contact_velocity.iter().all(|u| *u >= 0.0), "{:?}", outcome.contact_velocity);
    assert!(outcome.energy.relative_residual() < 1e-8);
    for contact in &outcome.contacts {
        let e = contact.energetic_restitution().ok_or("no compression")?;
        assert!((e - 1.0).abs() < 1e-9, "{e}");
    }
    Ok(())
}

/// In a jam friction presses a sliding contact together until it sticks; the energetic restitution rules its end.
#[test]
fn a_jam_is_stronges() -> Tested {
    let (w, u) = ([[1.0, -1.2], [-1.2, 2.0]], [-0.1, -1.0]);
    let material = Material::new(1.2, 1.0)?;
    let problem = ContactProblem::new(&w.concat(), &u, &[ContactSpec::new(2, material)])?;
    let contact = Contact::new(Delassus::new(w)?, ContactVec::new(u), material)?;
    let law = Law::from_id("routh-stronge")?;
    let exact = law.resolve_contact(&contact, &Tolerances::default(), &mut Unobserved)?;
    let mut last = f64::INFINITY;
    for transition in [1e-3, 1e-5, 1e-7] {
        let compliance = Compliance {
            transition: Transition::Speed(transition),
            ..springs(Exponent::Linear, 1e6)
        };
        let outcome = run_frozen(&problem, &compliance, &RunSettings::default(), &mut Unobserved)?;
        let error = (outcome.impulse[0] - exact.impulse.as_slice()[0]).abs();
        assert!(error < 0.1 * last, "{transition}: {error} after {last}");
        last = error;
    }
    assert!(last < 1e-6, "{last}");
    Ok(())
}

/// Bodies that overlap at the start are driven apart by what their spring holds.
#[test]
fn an_overlap_is_stored_energy() -> Tested {
    let spec = ContactSpec { gap: -1e-3, ..ContactSpec::new(1, Material::new(0.0, 1.0)?) };
    let problem = ContactProblem::new(&[0.5], &[0.0], &[spec])?;
    let compliance = springs(Exponent::Linear, 1e6);
    let outcome = run_frozen(&problem, &compliance, &RunSettings::default(), &mut Unobserved)?;
    // ½ K δ² = ½ u²/W
    let expected = 1e-3 * (1e6_f64 * 0.5).sqrt();
    assert!((outcome.contact_velocity[0] - expected).abs() < 1e-9, "{outcome:?}");
    assert!(outcome.energy.relative_residual() < 1e-8);
    // A quarter of a period.
    let quarter = std::f64::consts::FRAC_PI_2 / (1e6_f64 * 0.5).sqrt();
    assert!((outcome.duration - quarter).abs() < 1e-9, "{} {quarter}", outcome.duration);
    Ok(())
}
