//! One contact tends to Stronge's law.

use crate::support::{RADIUS, example_1, run, sphere};
use carom::{ImpactError, ImpactLaw, Law, NoTrace, Tolerances};
use carom_sim::compliant::RigidBodies;

#[test]
fn explore() -> Result<(), ImpactError> {
    for mu in [0.125, 0.225, 0.325] {
        let bodies = example_1(mu)?;
        for modulus in [1e7, 1e8, 1e9, 1e10, 1e11, 1e12] {
            let mechanism = RigidBodies::new(&bodies, RADIUS);
            let started = std::time::Instant::now();
            let out = run(&mechanism, sphere(modulus, RADIUS, mu, 0.01, 0.0), 1)?;
            let elapsed = started.elapsed();
            let stronge = Law::from_id("routh-stronge")?;
            let c = bodies.problem().contact::<3>(0)?;
            let exact = stronge.resolve(&c, &Tolerances::default(), &mut NoTrace)?;
            let p = exact.impulse.as_slice();
            let dp: f64 = p.iter().zip(&out.impulse).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt();
            let np: f64 = p.iter().map(|a| a * a).sum::<f64>().sqrt();
            let u = exact.velocity.as_slice();
            let du: f64 = u.iter().zip(&out.contact_velocity).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt();
            let nu: f64 = bodies.problem().velocity().iter().map(|a| a * a).sum::<f64>().sqrt();
            println!(
                "mu {mu} E {modulus:e}: {:.2e} {:.2e} e_k {:.4?} e_e {:?} peak {:.3e} dur {:.3e} res {:.1e} {:?} {elapsed:?}",
                dp / np, du / nu, out.contacts[0].kinetic_restitution(), out.contacts[0].energetic_restitution(),
                out.contacts[0].peak_penetration, out.duration, out.energy.relative_residual(), out.effort
            );
        }
    }
    Ok(())
}
