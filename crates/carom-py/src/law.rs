//! A law from its id or table, and from keywords.

use crate::errors::{OrRaise, bad_argument};
use crate::node;
use carom::catalog::Settings;
use carom::{ContactProblem, ImpactError, Law};
use carom_io::format::{LawSpec, Node};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

/// Whether a call names a law that takes one contact only, and so tells that there is one.
pub fn takes_one_contact(choice: &Choice) -> bool {
    matches!(choice, Choice::Named(law) if !law.info().takes_several())
}

/// A law that was named, or settings for the one that a problem gets by default.
#[expect(clippy::large_enum_variant, reason = "made once for each call")]
pub enum Choice {
    Named(Law),
    Default(Settings),
}

impl Choice {
    /// What a call says: a law, settings, both, or nothing.
    pub fn of(
        py: Python,
        law: Option<&Bound<PyAny>>,
        settings: Option<&Bound<PyDict>>,
    ) -> PyResult<Self> {
        let Some(law) = law else {
            // The id is replaced by that of the problem's default law.
            return Ok(Self::Default(spec(intern!(py, ""), settings)?.settings));
        };
        build(law, settings).map(Self::Named)
    }

    /// The law for this problem.
    pub fn law(self, problem: &ContactProblem) -> Result<Law, ImpactError> {
        match self {
            Self::Named(law) => Ok(law),
            Self::Default(settings) => {
                Law::with_settings(Law::default_for(problem).id(), &settings)
            }
        }
    }
}

/// A law by id, or as a table with its id and settings, with further settings beside.
pub fn build(law: &Bound<PyAny>, settings: Option<&Bound<PyDict>>) -> PyResult<Law> {
    let py = law.py();
    let settings = settings.filter(|settings| !settings.is_empty());
    // The common case, in a hurry.
    if let (Ok(id), None) = (law.cast::<PyString>(), settings) {
        return Law::from_id(&id.to_cow()?).or_raise(py);
    }
    spec(law, settings)?.build().or_raise(py)
}

/// The same, not built yet.
pub fn spec(law: &Bound<PyAny>, settings: Option<&Bound<PyDict>>) -> PyResult<LawSpec> {
    let py = law.py();
    let mut entries = match node::read("law", law)? {
        Node::Text(id) => vec![("id".to_owned(), Node::Text(id))],
        Node::Table(entries) => entries,
        other => {
            let reason = "must be a law's id, a Law, or a dict with the `id` and settings";
            return Err(bad_argument(py, "law", other.brief(), reason));
        }
    };
    if let Some(settings) = settings
        && settings.contains("id")?
    {
        return Err(bad_argument(py, "id", "(given)", "a law is named by `law`"));
    }
    if let Some(settings) = settings
        && let Node::Table(more) = node::read("", settings)?
    {
        entries.retain(|(name, _)| !more.iter().any(|(other, _)| other == name));
        entries.extend(more);
    }
    LawSpec::read(&Node::Table(entries)).or_raise(py)
}
