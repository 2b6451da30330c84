//! A law of one's own: implement `ImpactLaw`, and it goes through the same front door and the same certificate.

use carom::outcome::ProblemOutcome;
use carom::{
    ContactProblem, ContactSpec, ImpactError, ImpactLaw, Material, Observer, Tolerances, resolve,
};

/// Newton's restitution along the normal of one contact, and a friction impulse that is always `ratio` of the normal one.
struct FixedRatio {
    ratio: f64,
}

impl ImpactLaw for FixedRatio {
    fn resolve(
        &self,
        problem: &ContactProblem,
        _tolerances: &Tolerances,
        _observer: &mut dyn Observer,
    ) -> Result<ProblemOutcome, ImpactError> {
        // The contact with its two rows known to the compiler; an error if the problem is another.
        let contact = problem.contact::<2>(0)?;
        let w = contact.delassus();
        let u = contact.velocity();
        let normal = -(1.0 + contact.e()) * u[0] / (w.at(0, 0) + self.ratio * w.at(0, 1));
        ProblemOutcome::from_impulse(problem, vec![normal, self.ratio * normal])
    }
}

#[allow(missing_docs, reason = "run by the tests, too")]
pub fn main() -> Result<(), ImpactError> {
    let floor = ContactSpec::new(2, Material::new(0.25, 0.5)?);
    let disk = ContactProblem::new(&[1.0, 0.0, 0.0, 3.0], &[-1.0, 2.0], &[floor])?;

    let against_the_slip = resolve(&disk, &FixedRatio { ratio: -0.25 })?;
    assert!(against_the_slip.certificate.verdict.is_permissible());

    // The certificate is not the law's own: friction along the slip is found out.
    let along_the_slip = resolve(&disk, &FixedRatio { ratio: 0.25 })?;
    println!("{:?}", along_the_slip.certificate.verdict);
    assert!(!along_the_slip.certificate.verdict.is_permissible());
    Ok(())
}
