//! The certificate of an impulse from elsewhere: another engine's answer to a body's impact, judged.

use carom::system::{Generalized, MassMatrix};
use carom::{ContactSpec, ImpactError, Material, Verdict, certify};

#[allow(missing_docs, reason = "run by the tests, too")]
pub fn main() -> Result<(), ImpactError> {
    // A ball of 2 kg and radius 0.1 m falls on the floor at 3 m/s and skids at 1 m/s: x, z and spin about y.
    let mass = MassMatrix::Diagonal(vec![2.0, 2.0, 0.008]);
    let jacobian = vec![0.0, 1.0, 0.0, 1.0, 0.0, -0.1]; // normal, then tangent
    let contact = ContactSpec::new(2, Material::new(0.3, 0.6)?);
    let ball = Generalized::new(mass, vec![1.0, -3.0, 0.0], jacobian, vec![contact])?;

    // Restitution by a penalty that is too stiff: the ball leaves faster than it came.
    let (certificate, after) = certify(&ball, &[13.0, -0.5])?;
    println!("{:?}, ΔE = {} J", certificate.verdict, certificate.energy_change);
    println!("velocity after {:?}", after.velocity);
    assert!(matches!(certificate.verdict, Verdict::Violates(_)));

    // Momentum balances to rounding where the velocities follow from the impulse.
    let (certificate, _) = certify(&ball, &[9.6, -0.5])?;
    assert!(certificate.verdict.is_permissible());
    assert!(certificate.momentum_residual < 1e-12);
    assert!((certificate.e_kinematic[0].unwrap_or(0.0) - 0.6).abs() < 1e-12);
    Ok(())
}
