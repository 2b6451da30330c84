//! The catalogue of laws.

use crate::errors::OrRaise;
use carom::catalog::{self, LawInfo};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::hash::{DefaultHasher, Hash, Hasher};

/// One law of the catalogue, by its id. Functions take it where they take an id.
///
/// Examples
/// --------
/// >>> import carom
/// >>> carom.Law("plus").year
/// 2015
#[pyclass(frozen, module = "carom")]
pub struct Law(&'static LawInfo);

#[pymethods]
impl Law {
    #[new]
    #[pyo3(signature = (id, /))]
    fn new(py: Python, id: &str) -> PyResult<Self> {
        match catalog::all().find(|row| row.id == id) {
            Some(row) => Ok(Self(row)),
            // The catalogue knows what to say of a law that it does not have.
            None => carom::Law::from_id(id).map(|law| Self(law.info())).or_raise(py),
        }
    }

    fn __getnewargs__(&self) -> (&'static str,) {
        (self.id(),)
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.id() == other.id()
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.id().hash(&mut hasher);
        hasher.finish()
    }

    /// Its id, which functions and files take.
    #[getter]
    pub fn id(&self) -> &'static str {
        self.0.id
    }

    /// Its name in prose.
    #[getter]
    fn name(&self) -> &'static str {
        self.0.name
    }

    /// The year of the publication it follows.
    #[getter]
    fn year(&self) -> u16 {
        self.0.year
    }

    /// What it does, in one sentence.
    #[getter]
    fn summary(&self) -> &'static str {
        self.0.summary
    }

    /// Keys into carom's bibliography.
    #[getter]
    fn references(&self) -> Vec<&'static str> {
        self.0.references.to_vec()
    }

    /// How it reads e: "kinematic", "kinetic", "energetic", …
    #[getter]
    fn reads_e(&self) -> &'static str {
        self.0.reads_e.name()
    }

    /// The largest e it accepts [1].
    #[getter]
    fn max_e(&self) -> f64 {
        self.0.max_e
    }

    /// Whether it takes more than one contact.
    #[getter]
    fn several_contacts(&self) -> bool {
        self.0.takes_several()
    }

    /// Its settings: name → {"default", "range", "meaning"}.
    #[getter]
    fn settings<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let settings = PyDict::new(py);
        for setting in self.0.settings() {
            let about = PyDict::new(py);
            about.set_item("default", setting.default)?;
            about.set_item("range", setting.range)?;
            about.set_item("meaning", setting.meaning)?;
            settings.set_item(setting.name, about)?;
        }
        Ok(settings)
    }

    /// What it promises on every valid input: name → bool.
    #[getter]
    fn claims<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let claims = PyDict::new(py);
        for (name, made) in self.0.claims() {
            claims.set_item(name, made)?;
        }
        Ok(claims)
    }

    fn __repr__(&self) -> String {
        format!("<Law {}: {} ({})>", self.id(), self.name(), self.year())
    }
}

/// Every law there is, those for one contact first.
///
/// Examples
/// --------
/// >>> import carom
/// >>> [law.id for law in carom.laws() if law.several_contacts and law.claims["energy"]][:3]
/// ['newton', 'poisson', 'moreau']
#[pyfunction]
pub fn laws() -> Vec<Law> {
    catalog::all().map(Law).collect()
}
