//! Problems, laws and distances.

use carom::law::{SettingValue, Settings};
use carom::outcome::{NoWatch, ProblemOutcome};
use carom::{ContactProblem, ImpactError, MultiImpactLaw, MultiLaw, Tolerances};

pub fn law<const N: usize>(id: &str, settings: [(&str, SettingValue); N]) -> MultiLaw {
    let settings: Settings = settings.map(|(name, value)| (name.into(), value)).into();
    MultiLaw::with_settings(id, &settings).unwrap_or_else(|error| panic!("{error}"))
}

pub fn number(x: f64) -> SettingValue {
    SettingValue::Number(x)
}

pub fn word(x: &str) -> SettingValue {
    SettingValue::Text(x.into())
}

pub fn resolve(law: &MultiLaw, problem: &ContactProblem) -> Result<ProblemOutcome, ImpactError> {
    law.resolve(problem, &Tolerances::NOMINAL, &mut NoWatch)
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
