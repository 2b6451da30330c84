//! The laws of the catalogue, ready to run.

use carom::catalog::{self, LawInfo, Setting, SettingValue, Settings};
use carom::outcome::{Effort, Ending, Note, ProblemOutcome};
use carom::{Contact, ContactProblem, ImpactError, Law, Outcome, Tolerances, Unobserved};

/// The law with this id, its settings at their defaults. Panics with carom's own words if there is none.
pub fn law(id: &str) -> Law {
    Law::from_id(id).unwrap_or_else(|error| panic!("{error}"))
}

/// The law with this id and these numbers or words as settings.
pub fn law_with<const N: usize>(id: &str, settings: [(&str, SettingValue); N]) -> Law {
    let settings: Settings = settings.map(|(name, value)| (name.into(), value)).into();
    Law::with_settings(id, &settings).unwrap_or_else(|error| panic!("{error}"))
}

fn built(row: &LawInfo, settings: &Settings) -> Law {
    Law::with_settings(row.id, settings).unwrap_or_else(|error| panic!("{error}"))
}

/// Every law that resolves contacts of `D` rows. A required setting that no contact can supply is filled in:
/// the impulse that `permissible-projected` is to project. `permissible-spherical` is led to the boundary, away from
/// the point without friction that its defaults name.
pub fn every_law<const D: usize>() -> Vec<(&'static LawInfo, Law)> {
    catalog::all()
        .filter(|row| !row.takes_several() && row.dimensions.contains(&D))
        .map(|row| {
            let mut settings = Settings::new();
            if row.settings().iter().any(|s| s.name == "impulse") {
                let impulse = [1.0, 0.5, -0.25].map(SettingValue::Number);
                settings.insert("impulse".into(), SettingValue::List(impulse[..D].to_vec()));
            }
            if row.settings().iter().any(|s| s.name == "rho") {
                for (name, value) in [("psi1", 0.9), ("rho", 1.0)] {
                    settings.insert(name.into(), SettingValue::Number(value));
                }
            }
            (row, built(row, &settings))
        })
        .collect()
}

/// The law's answer, or a panic that tells contact and error.
pub fn resolve<const D: usize>(law: &Law, contact: &Contact<D>) -> Outcome<D> {
    law.resolve_contact(contact, &Tolerances::NOMINAL, &mut Unobserved)
        .unwrap_or_else(|error| panic!("{error}; {contact:?}"))
}

/// Collisions after which the tests let a sequence be cut off: with the default a sequence without end takes half a minute.
const COLLISIONS: f64 = 1e5;

/// Steps after which the tests let a law that follows springs be cut off: with the default it takes a second.
const STEPS: f64 = 1e4;

/// The accuracy of laws that are not exact: two ways to the same answer are compared to nine digits.
const ACCURACY: f64 = 1e-12;

/// Every law for several contacts. Those with one coefficient for the whole impact take this one; sequences are cut off
/// after a hundred thousand collisions, springs after ten thousand steps.
pub fn every_multi_law(restitution: f64) -> Vec<(&'static LawInfo, Law)> {
    catalog::all()
        .filter(|row| row.takes_several())
        .map(|row| {
            let mut settings = Settings::new();
            let takes_number = |s: &Setting| s.name == "restitution" && !s.range.contains('"');
            if row.settings().iter().any(takes_number) {
                settings.insert("restitution".into(), SettingValue::Number(restitution));
            }
            let numbers =
                [("max_collisions", COLLISIONS), ("max_steps", STEPS), ("accuracy", ACCURACY)];
            for (name, limit) in numbers {
                if row.settings().iter().any(|s| s.name == name) {
                    settings.insert(name.into(), SettingValue::Number(limit));
                }
            }
            (row, built(row, &settings))
        })
        .collect()
}

/// The law's answer to several contacts.
pub fn try_several(law: &Law, problem: &ContactProblem) -> Result<ProblemOutcome, ImpactError> {
    law.resolve(problem, &Tolerances::NOMINAL, &mut Unobserved)
}

/// Whether an outcome says of itself that it is not the end of its sequence, or another law's answer.
pub fn is_cut_off(outcome: &ProblemOutcome) -> bool {
    match &outcome.effort {
        Effort::Solver(effort) => effort.ending == Ending::Truncated || is_near(outcome),
        Effort::Rounds(effort) => effort.truncated || effort.fallbacks > 0,
        Effort::Springs(_) => {
            outcome.notes.contains(Note::Truncated) || outcome.notes.contains(Note::BudgetSpent)
        }
        Effort::Contact(_) => false,
    }
}

/// Whether an outcome says of itself that it is only near the law's answer, or one of simpler friction.
pub fn is_near(outcome: &ProblemOutcome) -> bool {
    outcome.notes.contains(Note::Nearly) || outcome.notes.contains(Note::Relaxed)
}

/// The law's answer to several contacts, or a panic that tells problem and error.
pub fn resolve_several(law: &Law, problem: &ContactProblem) -> ProblemOutcome {
    try_several(law, problem).unwrap_or_else(|error| panic!("{error}; {problem:?}"))
}
