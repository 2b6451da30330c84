//! One run of a law, with its time.

use carom::outcome::{Effort, ProblemOutcome, SolverEffort, Unobserved};
use carom::{ContactProblem, ImpactError, ImpactLaw, Law, Tolerances};
use std::time::Instant;

/// An outcome and how long it took [s].
pub struct Run {
    pub outcome: ProblemOutcome,
    pub seconds: f64,
}

impl Run {
    /// What the law says of its work.
    pub fn effort(&self) -> SolverEffort {
        match self.outcome.effort {
            Effort::Solver(effort) => effort,
            _ => SolverEffort::default(),
        }
    }
}

/// The law with this id, or a line that says there is none.
pub fn law(id: &str) -> Option<Law> {
    match Law::from_id(id) {
        Ok(law) => Some(law),
        Err(error) => {
            println!("{id}: skipped, {error}");
            None
        }
    }
}

/// Resolves once.
pub fn resolve(law: &Law, problem: &ContactProblem) -> Result<Run, ImpactError> {
    let begin = Instant::now();
    let outcome = law.resolve(problem, &Tolerances::NOMINAL, &mut Unobserved)?;
    Ok(Run { outcome, seconds: begin.elapsed().as_secs_f64() })
}

/// Resolves once; an error becomes a line of its own.
pub fn resolve_or_tell(name: &str, law: &Law, problem: &ContactProblem) -> Option<Run> {
    resolve(law, problem).map_err(|error| println!("{name}: FAILED, {error}")).ok()
}
