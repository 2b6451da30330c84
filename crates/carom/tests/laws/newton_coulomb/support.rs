//! Impacts and answers.

use carom::outcome::{Note, ProblemOutcome};
use carom::{Certificate, ContactProblem, ContactSpec, Material, Restitution, Tolerances};
use carom_testkit::Mechanism;
use carom_testkit::laws::try_several;

pub const LAWS: [&str; 2] = ["newton-coulomb", "poisson-coulomb"];

pub fn material(mu: f64, e: f64, e_t: f64) -> Material {
    Material::new(mu, e).and_then(|m| m.with_e_t(e_t)).unwrap_or_else(|error| panic!("{error}"))
}

/// The law's own answer, if its equations were solved.
pub fn answer(law: &str, problem: &ContactProblem) -> Option<ProblemOutcome> {
    let outcome = try_several(&carom_testkit::laws::law(law), problem).ok()?;
    (!is_replaced(&outcome)).then_some(outcome)
}

/// Whether the law's equations were not solved, and another answer stands in.
pub fn is_replaced(outcome: &ProblemOutcome) -> bool {
    let replaced = [Note::Nearly, Note::Relaxed, Note::PlasticInstead];
    replaced.into_iter().any(|note| outcome.notes.contains(note))
}

pub fn certificate(problem: &ContactProblem, impulse: &[f64]) -> Certificate {
    Certificate::of(problem, impulse, &Tolerances::NOMINAL)
        .unwrap_or_else(|error| panic!("{error}"))
}

pub fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |m: f64, x| m.max(x.abs()))
}

/// The largest difference of two lists, relative to a scale.
pub fn apart(a: &[f64], b: &[f64], scale: f64) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max) / scale
}

/// The impact with another material at every contact.
pub fn with_materials(
    mechanism: &Mechanism,
    change: impl Fn(usize, &ContactSpec) -> Material,
) -> Mechanism {
    let mut other = mechanism.clone();
    for (k, contact) in mechanism.contacts.iter().enumerate() {
        other.contacts[k].material = change(k, contact);
    }
    other
}

/// The same restitution at every contact, at all speeds.
pub fn with_e(mechanism: &Mechanism, e: f64, e_t: f64) -> Mechanism {
    with_materials(mechanism, |_, contact| Material {
        restitution: Restitution::Constant(e),
        e_t,
        ..contact.material
    })
}

/// A point of unit mass that falls into a groove whose walls stand `half_angle` off the vertical.
pub fn groove(half_angle: f64, mu: f64, e: f64, e_t: f64) -> Mechanism {
    let (sin, cos) = half_angle.sin_cos();
    // The normal of the left wall points to the right and up; tangents are the normals turned by 90°.
    let rows = vec![vec![cos, sin], vec![-sin, cos], vec![-cos, sin], vec![-sin, -cos]];
    let contacts = vec![ContactSpec::new(2, material(mu, e, e_t)); 2];
    Mechanism::new(&[1.0, 1.0], vec![0.0, -1.0], rows, contacts)
}
