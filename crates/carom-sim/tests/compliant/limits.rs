//! Runs that do not begin, do not end, or are asked for in vain.

use crate::support::{Tested, example_1, run, spheres};
use carom::outcome::{Observer, Progress, Unobserved};
use carom::{ContactKind, ContactProblem, ContactSpec, Material};
use carom_sim::compliant::{Compliance, RunSettings, Spring, Transition, run_frozen};
use std::ops::ControlFlow;

/// A mass between two walls.
fn caught() -> Result<ContactProblem, carom::ImpactError> {
    let spec = ContactSpec::new(1, Material::new(0.0, 1.0)?);
    ContactProblem::new(&[1.0, -1.0, -1.0, 1.0], &[-1.0, 1.0], &[spec; 2])
}

#[test]
fn a_caught_body_rings_until_the_cap() -> Tested {
    let problem = caught()?;
    let settings = RunSettings { max_steps: 500, ..RunSettings::default() };
    let error = run_frozen(&problem, &Compliance::default(), &settings, &mut Unobserved)
        .err()
        .ok_or("it ended")?;
    assert_eq!(error.kind(), "limit");
    assert!(error.to_string().contains("not over"), "{error}");
    let settings = RunSettings { max_time: Some(1e-2), ..RunSettings::default() };
    let error = run_frozen(&problem, &Compliance::default(), &settings, &mut Unobserved)
        .err()
        .ok_or("it ended")?;
    assert!(error.to_string().contains("after 0.01"), "{error}");
    Ok(())
}

#[test]
fn a_watcher_may_stop_it() -> Tested {
    struct Stop;
    impl Observer for Stop {
        fn progress(&mut self, _progress: Progress) -> ControlFlow<()> {
            ControlFlow::Break(())
        }
    }
    let stopped =
        run_frozen(&caught()?, &Compliance::default(), &RunSettings::default(), &mut Stop);
    let error = stopped.err().ok_or("it ended")?;
    assert!(error.to_string().contains("interrupted"), "{error}");
    Ok(())
}

#[test]
fn what_separates_is_left_alone() -> Tested {
    let spec = ContactSpec::new(2, Material::new(0.3, 1.0)?);
    let problem = ContactProblem::new(&[1.0, 0.2, 0.2, 3.0], &[0.5, 1.0], &[spec])?;
    let settings = RunSettings::default();
    let outcome = run_frozen(&problem, &Compliance::default(), &settings, &mut Unobserved)?;
    assert_eq!((outcome.impulse, outcome.duration), (vec![0.0; 2], 0.0));
    assert!(outcome.contact_velocity[0] > 0.0);
    Ok(())
}

#[test]
fn what_is_wrong_is_named() -> Tested {
    let bodies = example_1(0.3)?;
    let sphere = spheres(1e9, 0.0, 0.01);
    let message = |compliance: Compliance| {
        run(&bodies, &compliance).err().map(|error| error.to_string()).unwrap_or_default()
    };
    for (compliance, expected) in [
        (Compliance { spring: Spring::Hertz { modulus: 0.0 }, ..sphere }, "modulus = 0:"),
        (Compliance { radius: -0.1, ..sphere }, "radius = -0.1:"),
        (Compliance { dissipation: f64::NAN, ..sphere }, "dissipation = NaN:"),
        (Compliance { static_ratio: 0.5, ..sphere }, "static_ratio = 0.5:"),
        (Compliance { viscous: -1.0, ..sphere }, "viscous = -1:"),
        (Compliance { transition: Transition::Speed(0.0), ..sphere }, "transition_speed = 0:"),
        (Compliance { gravity: [0.0, f64::INFINITY, 0.0], ..sphere }, "gravity[1] = inf:"),
    ] {
        let message = message(compliance);
        assert!(message.starts_with(expected), "{message}");
    }
    let rough = run(&example_1(f64::INFINITY)?, &sphere).err().ok_or("it ran")?.to_string();
    assert!(rough.starts_with("contacts[0].mu = inf:"), "{rough}");
    let mut spec = ContactSpec::new(1, Material::new(0.0, 1.0)?);
    spec.kind = ContactKind::Bilateral;
    let held = ContactProblem::new(&[1.0], &[-1.0], &[spec])?;
    let error = run_frozen(&held, &sphere, &RunSettings::default(), &mut Unobserved);
    let error = error.err().ok_or("it ran")?.to_string();
    assert!(error.starts_with("contacts[0].kind = bilateral:"), "{error}");
    Ok(())
}
