//! Exploration.

use crate::support::{RADIUS, example_1, sphere};
use carom::outcome::NoWatch;
use carom::system::Chain;
use carom::{ContactProblem, ContactSpec, ImpactError, Material};
use carom_sim::compliant::{
    self, CompliantContact, Exponent, Frozen, Pendulum, RigidBodies, RunSettings, Stribeck,
};

#[test]
fn glitches() -> Result<(), ImpactError> {
    let mut worst: f64 = 0.0;
    for i in 0..60 {
        let modulus = 1e7 * 10f64.powf(0.1 * i as f64);
        for mu in [0.2, 0.225, 0.325, 0.5] {
            for vt in [1e-2, 1e-5] {
                let bodies = example_1(mu)?;
                let mechanism = RigidBodies::new(&bodies, RADIUS);
                let settings = RunSettings::default();
                let t = std::time::Instant::now();
                match compliant::run(
                    &mechanism,
                    &[sphere(modulus, RADIUS, mu, vt, 0.0)],
                    Exponent::Hertz,
                    &settings,
                    &mut NoWatch,
                ) {
                    Ok(out) => {
                        let r = out.energy.relative_residual();
                        worst = worst.max(r);
                        if r > 1e-9 || (i % 20 == 0) {
                            println!(
                                "{modulus:e} {mu} {vt} res {r:.1e} {:?} {:?} {:?}",
                                out.effort,
                                out.contact_velocity,
                                t.elapsed()
                            );
                        }
                    }
                    Err(e) => println!("{modulus:e} {mu} {vt} {e}"),
                }
            }
        }
    }
    println!("worst {worst:e}");
    Ok(())
}

#[test]
fn pendulum() -> Result<(), ImpactError> {
    for modulus in [1e7, 1e8, 1e9, 1e10, 1e11, 1e12] {
        let p = Pendulum::uchida_sherman_delp();
        let out = compliant::run(
            &p,
            &[sphere(modulus, 0.25, 0.1, 0.01, 0.0)],
            Exponent::Hertz,
            &RunSettings::default(),
            &mut NoWatch,
        )?;
        let d: Vec<f64> = out.at_touch.0.iter().map(|a| a.to_degrees()).collect();
        let u = &out.contact_velocity;
        let err = ((u[0] - 2.76070).powi(2) + (-u[1] + 0.47676).powi(2)).sqrt()
            / (2.9364f64.powi(2) + 2.7607f64.powi(2)).sqrt();
        println!(
            "{modulus:e} t {:.6} {d:?} u+ {u:?} err {err:.2e} p {:?} res {:.1e} dur {:.3e} {:?}",
            out.first_touch,
            out.impulse,
            out.energy.relative_residual(),
            out.duration,
            out.effort
        );
    }
    Ok(())
}

#[test]
fn chains() -> Result<(), ImpactError> {
    let chain = Chain::new(vec![1.0; 5], vec![1.0, 0.0, 0.0, 0.0, 0.0], vec![1.0; 4])?;
    for exponent in [Exponent::Linear, Exponent::Hertz] {
        let c = CompliantContact {
            stiffness: 1e6,
            dissipation: 0.0,
            friction: Stribeck::coulomb(0.0, 1.0),
        };
        let out = compliant::run(
            &Frozen::new(chain.problem())?,
            &[c; 4],
            exponent,
            &RunSettings::default(),
            &mut NoWatch,
        )?;
        println!(
            "{:?} res {:e} {:?} {:?}",
            chain.after(&out.impulse)?.velocity,
            out.energy.relative_residual(),
            out.effort,
            out.contacts
        );
    }
    let w = [[4.0, 4.0, -7.0], [4.0, 20.0, -23.0], [-7.0, -23.0, 31.0]];
    let problem = ContactProblem::new(
        &w.concat(),
        &[-0.22, 630.0, -780.0],
        &[ContactSpec::new(3, Material::new(0.5, 1.0)?)],
    )?;
    for exponent in [Exponent::Linear, Exponent::Hertz] {
        for vt in [1.0, 1e-1, 1e-2, 1e-3, 1e-4] {
            let c = CompliantContact {
                stiffness: 1e6,
                dissipation: 0.0,
                friction: Stribeck::coulomb(0.5, vt),
            };
            let t = std::time::Instant::now();
            let out = compliant::run(
                &Frozen::new(&problem)?,
                &[c],
                exponent,
                &RunSettings::default(),
                &mut NoWatch,
            )?;
            println!(
                "{:?} {:?} res {:e} {:?} {:?}",
                out.impulse,
                out.contact_velocity,
                out.energy.relative_residual(),
                out.effort,
                t.elapsed()
            );
        }
    }
    Ok(())
}

#[test]
fn one_edge() -> Result<(), ImpactError> {
    use carom_testkit::generate::frictional::Landing;
    for (kind, index) in [(Landing::Edge, 11), (Landing::Face, 140)] {
        let scene = kind.scene(&mut carom_testkit::Rng::for_item(7, index));
        eprintln!("CASE {kind:?} mu {}", scene.contacts[0].spec.material.mu);
        let run = compliant::run_bodies(
            &scene.bodies(),
            &compliant::Compliance::of_modulus(1e12),
            &RunSettings::default(),
            &mut NoWatch,
        )?;
        eprintln!("{:e}", run.outcome.energy.relative_residual());
    }
    Ok(())
}
