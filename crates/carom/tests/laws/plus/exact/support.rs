//! Problems, laws and distances.

use carom::catalog::{SettingValue, Settings};
use carom::outcome::{ProblemOutcome, Unobserved};
use carom::{ContactProblem, ImpactError, Law, Tolerances};

pub fn law<const N: usize>(id: &str, settings: [(&str, SettingValue); N]) -> Law {
    let settings: Settings = settings.map(|(name, value)| (name.into(), value)).into();
    Law::with_settings(id, &settings).unwrap_or_else(|error| panic!("{error}"))
}

pub fn number(x: f64) -> SettingValue {
    SettingValue::Number(x)
}

pub fn word(x: &str) -> SettingValue {
    SettingValue::Text(x.into())
}

pub fn resolve(law: &Law, problem: &ContactProblem) -> Result<ProblemOutcome, ImpactError> {
    law.resolve(problem, &Tolerances::NOMINAL, &mut Unobserved)
}

pub fn norm(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum::<f64>().sqrt()
}

pub fn distance(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt()
}

pub fn switch(on: bool) -> SettingValue {
    SettingValue::Switch(on)
}
