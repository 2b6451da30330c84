//! Symptom: Whittaker's law parted a pendulum that cannot yield with an impulse of 1e15 N·s, and the certificate passed it.
//! Cause: pressed hard enough, rounding of `W p` looks like a rebound; and energy was judged against that rounding.
//! Mend: a contact that locks is not searched beyond what brings it to rest; certificates sum in twice the precision.

use carom::certify::Inequality;
use carom::{
    Certificate, ContactProblem, ContactSpec, ImpactError, Law, Material, Tolerances, Unobserved,
    Verdict,
};

/// `W = g gᵀ/2` of a pendulum at 50°, rounded as a projection rounds it, and a velocity along `g`.
fn pendulum() -> ContactProblem {
    let g = [0.6427876096865394, 0.766044443118978];
    let w: Vec<f64> = (0..4).map(|i| 3.0 * g[i / 2] * g[i % 2]).collect();
    let contact = ContactSpec::new(2, Material::new(2.0, 0.7).unwrap());
    ContactProblem::new(&w, &[-g[0], -g[1]], &[contact]).unwrap()
}

#[test]
fn a_locked_pendulum_does_not_rebound() {
    let law = Law::from_id("whittaker").unwrap();
    let refused = law.resolve(&pendulum(), &Tolerances::default(), &mut Unobserved);
    assert!(matches!(refused, Err(ImpactError::NoSolution { .. })), "{refused:?}");
}

#[test]
fn a_certificate_sees_the_energy_of_a_huge_impulse() {
    let impulse = [1.072e15, -8.993e14];
    let certificate = Certificate::of(&pendulum(), &impulse, &Tolerances::default()).unwrap();
    let Verdict::Violates(violated) = &certificate.verdict else {
        panic!("{certificate:?}");
    };
    assert!(violated.contains(&Inequality::Energy), "{certificate:?}");
}
