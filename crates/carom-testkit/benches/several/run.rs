//! One run of a law, with its time.

use carom::outcome::{MultiEffort, NoWatch, ProblemEffort, ProblemOutcome};
use carom::{ContactProblem, ImpactError, MultiImpactLaw, MultiLaw, Tolerances};
use std::time::Instant;

/// An outcome and how long it took [s].
pub struct Run {
    pub outcome: ProblemOutcome,
    pub seconds: f64,
}

impl Run {
    /// What the law says of its work.
    pub fn effort(&self) -> MultiEffort {
        match self.outcome.effort {
            ProblemEffort::Several(effort) => effort,
            _ => MultiEffort::default(),
        }
    }
}

/// The law with this id, or a line that says there is none.
pub fn law(id: &str) -> Option<MultiLaw> {
    match MultiLaw::from_id(id) {
        Ok(law) => Some(law),
        Err(error) => {
            println!("{id}: skipped, {error}");
            None
        }
    }
}

/// Resolves once.
pub fn resolve(law: &MultiLaw, problem: &ContactProblem) -> Result<Run, ImpactError> {
    let begin = Instant::now();
    let outcome = law.resolve(problem, &Tolerances::NOMINAL, &mut NoWatch)?;
    Ok(Run { outcome, seconds: begin.elapsed().as_secs_f64() })
}

/// Resolves once; an error becomes a line of its own.
pub fn resolve_or_tell(name: &str, law: &MultiLaw, problem: &ContactProblem) -> Option<Run> {
    resolve(law, problem).map_err(|error| println!("{name}: FAILED, {error}")).ok()
}
