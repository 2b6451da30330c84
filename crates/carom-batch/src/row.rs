//! One impact of a batch, with full care: any number of contacts, any law, every check.

use crate::answers::{Answer, Answers};
use crate::columns::Shape;
use carom::outcome::Observer;
use carom::{ImpactError, Law, Tolerances, certify};
use carom_io::format::AnySystem;

/// Resolves a system and writes the answer to row `i`.
pub(crate) fn resolve(
    system: &AnySystem,
    law: &Law,
    (i, shape): (usize, &Shape),
    answers: &mut Answers,
    watch: &mut dyn Observer,
) -> Result<(), ImpactError> {
    let problem = system.problem();
    let outcome = law.resolve(problem, &Tolerances::NOMINAL, watch)?;
    let (certificate, after) = match answers.certificate {
        Some(_) => {
            let (certificate, after) = certify(system, &outcome.impulse)?;
            (Some(certificate), after)
        }
        None => (None, system.after(&outcome.impulse)?),
    };
    let energy_change = match &certificate {
        Some(certificate) => certificate.energy_change,
        None => energy_change(&outcome.impulse, problem.velocity(), &outcome.velocity),
    };
    let answer = Answer {
        impulse: &outcome.impulse,
        contact_velocity: &outcome.velocity,
        velocity: after.velocity.as_deref().filter(|_| shape.coordinates.is_some()).unwrap_or(&[]),
        energy_change,
        certificate: certificate.as_ref(),
    };
    answers.put(i, shape, &answer);
    Ok(())
}

/// `½ p·(u⁻ + u⁺)`, the work of the impulse on the relative motion \[J\].
#[inline(always)]
pub(crate) fn energy_change(impulse: &[f64], before: &[f64], after: &[f64]) -> f64 {
    let terms =
        impulse.iter().zip(before).zip(after).map(|((p, before), after)| p * (before + after));
    0.5 * terms.sum::<f64>()
}
