//! One impact: a spinning disk strikes the floor, under the law that carom takes where none is named.

use carom::{ContactProblem, ContactSpec, ImpactError, Law, Material, resolve};

#[allow(missing_docs, reason = "run by the tests, too")]
pub fn main() -> Result<(), ImpactError> {
    // W = diag(1/m, 3/m) of a disk of 1 kg, normal first; it falls at 1 m/s and skids at 2 m/s.
    let floor = ContactSpec::new(2, Material::new(0.25, 0.5)?); // mu, e
    let disk = ContactProblem::new(&[1.0, 0.0, 0.0, 3.0], &[-1.0, 2.0], &[floor])?;

    let law = Law::default_for(&disk);
    let answer = resolve(&disk, &law)?;

    println!("{}: impulse {:?} N·s", law.id(), answer.outcome.impulse);
    println!("velocity after {:?} m/s", answer.outcome.velocity);
    println!("energy change {} J", answer.certificate.energy_change);
    assert_eq!(answer.outcome.velocity[0], 0.5); // e times the approach speed
    assert!(answer.certificate.verdict.is_permissible());
    Ok(())
}
