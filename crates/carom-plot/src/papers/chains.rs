//! Masses on a line, under a law.

use carom::outcome::{Recorder, StepRecord};
use carom::system::Chain;
use carom::{ImpactError, Law, Tolerances};

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
    let (law, mut steps) = (Law::from_id(law)?, Recorder::new(STEPS));
    let tolerances = Tolerances::default();
    let outcome = law.resolve(chain.problem(), &tolerances, &mut steps)?;
    Ok((chain.after(&outcome.impulse)?.velocity, steps.steps))
}
