//! Masses on a line, under a law.

use carom::outcome::{StepRecord, StepRecorder};
use carom::system::Chain;
use carom::{AnyLaw, ImpactError, NoTrace, Tolerances};

/// More steps than any figure shows.
const STEPS: usize = 1000;

/// The velocities after an impact [m/s].
pub(super) fn collide(
    law: &str,
    mass: &[f64],
    velocity: &[f64],
    e: &[f64],
) -> Result<Vec<f64>, ImpactError> {
    Ok(followed(law, mass, velocity, e)?.0)
}

/// The velocities after an impact [m/s] and the steps of the law.
pub(super) fn followed(
    law: &str,
    mass: &[f64],
    velocity: &[f64],
    e: &[f64],
) -> Result<(Vec<f64>, Vec<StepRecord>), ImpactError> {
    let chain = Chain::new(mass.to_vec(), velocity.to_vec(), e.to_vec())?;
    let (law, mut steps) = (AnyLaw::from_id(law)?, StepRecorder::new(STEPS));
    let tolerances = Tolerances::default();
    let outcome = law.resolve_problem(chain.problem(), &tolerances, &mut NoTrace, &mut steps)?;
    Ok((chain.after(&outcome.impulse)?.velocity, steps.steps))
}
