//! What the tests of laws that work step by step share.

pub use carom::catalog::{SettingValue, Settings};
pub use carom::outcome::{Effort, ProblemOutcome, Recorder, SolverEffort, StepRecord};
pub use carom::system::{Chain, Generalized, MassMatrix};
pub use carom::{ContactProblem, ContactSpec, ImpactError, ImpactLaw, Law, Material, Tolerances};

/// A law with settings.
pub fn law<const N: usize>(id: &str, settings: [(&str, SettingValue); N]) -> Law {
    let settings: Settings = settings.map(|(name, value)| (name.into(), value)).into();
    Law::with_settings(id, &settings).unwrap_or_else(|error| panic!("{error}"))
}

pub fn number(name: &str, value: f64) -> (&str, SettingValue) {
    (name, SettingValue::Number(value))
}

/// What became of a system.
pub struct Seen {
    pub velocity: Vec<f64>,
    pub outcome: ProblemOutcome,
    pub steps: Vec<StepRecord>,
    /// Energy after over energy before.
    pub ratio: f64,
}

impl Seen {
    pub fn effort(&self) -> SolverEffort {
        match self.outcome.effort {
            Effort::Solver(effort) => effort,
            _ => panic!("not a law for several contacts"),
        }
    }
}

pub fn watched(law: &Law, problem: &ContactProblem) -> (ProblemOutcome, Vec<StepRecord>) {
    let mut recorder = Recorder::new(100_000);
    let outcome = law
        .resolve(problem, &Tolerances::NOMINAL, &mut recorder)
        .unwrap_or_else(|error| panic!("{error}"));
    (outcome, recorder.steps)
}

pub fn energy(mass: &[f64], velocity: &[f64]) -> f64 {
    mass.iter().zip(velocity).map(|(m, v)| 0.5 * m * v * v).sum()
}

/// A row of masses.
pub fn chain(law: &Law, mass: &[f64], velocity: &[f64], e: &[f64]) -> Seen {
    let chain = Chain::new(mass.to_vec(), velocity.to_vec(), e.to_vec())
        .unwrap_or_else(|error| panic!("{error}"));
    let (outcome, steps) = watched(law, chain.problem());
    let after = chain.after(&outcome.impulse).unwrap_or_else(|error| panic!("{error}"));
    let ratio = energy(mass, &after.velocity) / energy(mass, velocity);
    Seen { velocity: after.velocity, outcome, steps, ratio }
}

/// Contacts of one row each between masses in any arrangement.
pub fn graph(
    law: &Law,
    mass: &[f64],
    rows: &[&[f64]],
    velocity: &[f64],
    materials: &[Material],
) -> Result<Seen, ImpactError> {
    let contacts = materials.iter().map(|&m| ContactSpec::new(1, m)).collect();
    let masses = MassMatrix::Diagonal(mass.to_vec());
    let system = Generalized::new(masses, velocity.to_vec(), rows.concat(), contacts)?;
    let (outcome, steps) = watched(law, system.problem());
    let after = system.after(&outcome.impulse)?;
    let ratio = energy(mass, &after.velocity) / energy(mass, velocity);
    Ok(Seen { velocity: after.velocity, outcome, steps, ratio })
}

pub fn materials(e: &[f64]) -> Vec<Material> {
    e.iter().map(|&e| Material::new(0.0, e).unwrap_or_else(|error| panic!("{error}"))).collect()
}

pub fn assert_close(actual: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(actual.len(), expected.len());
    let off = actual.iter().zip(expected).map(|(a, e)| (a - e).abs()).fold(0.0, f64::max);
    assert!(off <= tolerance, "{actual:?}, not {expected:?}: off by {off:e}");
}
