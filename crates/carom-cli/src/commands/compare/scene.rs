//! The impact of a scene that comes next after some time, as a problem.

use super::super::resolve::quoted;
use super::super::{Loaded, Refusal};
use super::labelled;
use crate::progress;
use carom::ImpactError;
use carom_io::failure::Failure;
use carom_io::format::{AnySystem, CompliantSpec, Problem};
use carom_io::input::Source;
use carom_report::comparison::Comparison;
use carom_report::motion::sentence;
use carom_scene::SceneFile;
use carom_sim::motion::next_impact;
use std::path::Path;

/// Reads a problem; where the file is a scene, says what is missing.
pub(super) fn open_problem(path: &Path) -> Result<Loaded, Refusal> {
    Loaded::open(path).map_err(|refusal| {
        let is_scene =
            refusal.source.as_ref().is_some_and(|source| SceneFile::of(source).is_ok());
        match is_scene {
            true => {
                let file = quoted(path);
                Failure::Usage(format!(
                    "{file} is a scene, not an impact: --at T compares on the impact that comes next after T, as in \
                     carom compare {file} --at 0"
                ))
                .into()
            }
            false => refusal,
        }
    })
}

/// Follows a scene to its next impact after a time; the impact, and one sentence about it.
pub(super) fn open(path: &Path, at: f64) -> Result<(Loaded, String), Refusal> {
    let source = Box::new(Source::open(path)?);
    let file = match SceneFile::of(&source) {
        Ok(file) => file,
        Err(failure) => return Err(Refusal { failure, source: Some(source) }),
    };
    let _working = progress::working();
    let found = match next_impact(&file.scene, at) {
        Ok(found) => found,
        Err(ImpactError::BadProblem { field, value, reason }) if field == "at" => {
            return Err(Failure::Usage(format!("--at: {value}: {reason}")).into());
        }
        Err(error) => return Err(Refusal { failure: error.into(), source: Some(source) }),
    };
    let Some(impact) = found else {
        return Err(Failure::Usage(format!(
            "--at: no impact follows t = {at} s within the scene's duration, {} s; `carom simulate {}` lists its events",
            file.scene.duration,
            quoted(path)
        ))
        .into());
    };
    let told = sentence(&file.scene, &impact);
    let problem = Problem {
        title: file.title,
        description: Some(told.clone()),
        law: file.law,
        compliant: CompliantSpec::default(),
        system: AnySystem::Generalized(impact.system),
    };
    Ok((Loaded { source, problem }, told))
}

/// What to try next with a scene.
pub(super) fn next_steps(comparison: &Comparison, path: &Path) -> Vec<String> {
    let law =
        comparison.permissible().next().map_or("newton-coulomb", |entry| entry.resolution.law.id());
    vec![labelled("next", &format!("carom simulate {} --law {law}", quoted(path)))]
}
