//! The judgement on an impulse.

use crate::html;
use crate::value::{json as written, number, object, value};
use carom_io::answer::CertificateAnswer;
use pyo3::exceptions::PyAttributeError;
use pyo3::prelude::*;
use serde_json::{Value, json};

/// The judgement on an impulse: is it physical, and by how much? From problem and impulse alone; no law judges itself.
#[pyclass(frozen, module = "carom")]
pub struct Certificate(
    /// As the command line writes it, which is also how it travels between processes.
    Value,
);

impl From<&carom::Certificate> for Certificate {
    fn from(certificate: &carom::Certificate) -> Self {
        let mut answer = written(&CertificateAnswer(certificate));
        if let Value::Object(entries) = &mut answer {
            // Streams have them beside the certificate; here nothing stands beside it.
            let notes: Vec<&str> = certificate.notes.iter().map(|note| note.text()).collect();
            entries.insert("notes".to_owned(), notes.into());
        }
        Self(answer)
    }
}

impl From<Value> for Certificate {
    fn from(answer: Value) -> Self {
        Self(answer)
    }
}

impl Certificate {
    fn entry(&self, key: &str) -> &Value {
        self.0.get(key).unwrap_or(&Value::Null)
    }

    fn number(&self, key: &str) -> PyResult<f64> {
        // Only a pickle that somebody has written by hand lacks one.
        let lacks = || PyAttributeError::new_err(format!("this certificate has no {key}"));
        number(self.entry(key)).ok_or_else(lacks)
    }
}

/// A certificate from what `Certificate.to_dict` gave.
#[pyfunction(name = "_certificate")]
pub fn restored_certificate(answer: &Bound<PyAny>) -> PyResult<Certificate> {
    value(answer).map(Certificate)
}

#[pymethods]
impl Certificate {
    /// "permissible", "boundary" (some condition holds with equality) or "violates".
    #[getter]
    pub fn verdict(&self) -> &str {
        self.entry("verdict").as_str().unwrap_or("violates")
    }

    /// Whether every condition holds.
    #[getter]
    fn permissible(&self) -> bool {
        self.verdict() != "violates"
    }

    /// The conditions that fail: "energy", "separation", "normal_impulse", "cone", "bilateral".
    #[getter]
    fn violations(&self) -> Vec<&str> {
        let which = self.entry("verdict").get("violates").and_then(Value::as_array);
        which.into_iter().flatten().filter_map(Value::as_str).collect()
    }

    /// What fails and where: {"inequality", "contact" or "island", "margin", "scale"} each; contacts and islands by their
    /// index.
    #[getter]
    fn failures<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        match self.entry("violations") {
            Value::Null => object(py, &json!([])),
            failures => object(py, failures),
        }
    }

    /// By how much each unilateral contact holds, in lists: "cone_margin" and "normal_margin" [N·s], "separation_margin"
    /// [m/s].
    #[getter]
    fn contacts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        const MARGINS: [&str; 3] = ["cone_margin", "normal_margin", "separation_margin"];
        match self.entry("contacts") {
            // The margins of one contact are those of all.
            Value::Null => {
                let alone = MARGINS.map(|key| (key.to_owned(), json!([self.entry(key)])));
                object(py, &Value::Object(alone.into_iter().collect()))
            }
            contacts => object(py, contacts),
        }
    }

    /// Contacts that exchange no energy with others: {"contacts", "energy_change", "energy_available"} of each island,
    /// contacts by their index [J].
    #[getter]
    fn islands<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        match self.entry("islands") {
            Value::Null => {
                let contacts: Vec<usize> = (0..self.e_kinematic().len()).collect();
                let (change, available) =
                    (self.entry("energy_change"), self.entry("energy_available"));
                let all = json!([{
                    "contacts": contacts, "energy_change": change, "energy_available": available,
                }]);
                object(py, &all)
            }
            islands => object(py, islands),
        }
    }

    /// What is odd about the problem, or about judging it.
    #[getter]
    fn notes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        match self.entry("notes") {
            Value::Null => object(py, &json!([])),
            notes => object(py, notes),
        }
    }

    /// Work on the relative motion; above zero, energy was created [J].
    #[getter]
    pub fn energy_change(&self) -> PyResult<f64> {
        self.number("energy_change")
    }

    /// All that the contacts could take away; None where too many rows are coupled [J].
    #[getter]
    fn energy_available(&self) -> Option<f64> {
        number(self.entry("energy_available"))
    }

    /// The smallest mu p_n − |p_t| over the contacts [N·s].
    #[getter]
    fn cone_margin(&self) -> PyResult<f64> {
        self.number("cone_margin")
    }

    /// The smallest p_n over the contacts [N·s].
    #[getter]
    fn normal_margin(&self) -> PyResult<f64> {
        self.number("normal_margin")
    }

    /// The smallest normal velocity after the impact [m/s].
    #[getter]
    fn separation_margin(&self) -> PyResult<f64> {
        self.number("separation_margin")
    }

    /// The error of momentum balance, relative to the terms balanced [1].
    #[getter]
    fn momentum_residual(&self) -> PyResult<f64> {
        self.number("momentum_residual")
    }

    /// How fast the worst bilateral row still moves [m/s].
    #[getter]
    fn bilateral_residual(&self) -> PyResult<f64> {
        self.number("bilateral_residual")
    }

    /// −u_n⁺/u_n⁻ per contact; None where the contact did not approach [1].
    #[getter]
    pub fn e_kinematic(&self) -> Vec<Option<f64>> {
        self.entry("e_kinematic").as_array().into_iter().flatten().map(number).collect()
    }

    /// Work of the normal impulse, where the path is known [J].
    #[getter]
    fn normal_work(&self) -> Option<f64> {
        number(self.entry("normal_work"))
    }

    /// Work of friction, where the path is known [J].
    #[getter]
    fn tangential_work(&self) -> Option<f64> {
        number(self.entry("tangential_work"))
    }

    /// Poisson's coefficient, where the path is known [1].
    #[getter]
    fn e_kinetic(&self) -> Option<f64> {
        number(self.entry("e_kinetic"))
    }

    /// Stronge's coefficient, where the path is known [1].
    #[getter]
    fn e_energetic(&self) -> Option<f64> {
        number(self.entry("e_energetic"))
    }

    /// Everything, as the command line writes it in JSON, and the notes.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        object(py, &self.0)
    }

    fn __bool__(&self) -> bool {
        self.permissible()
    }

    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyAny>,))> {
        let py = slf.py();
        let restore = py.import("carom._carom")?.getattr("_certificate")?;
        Ok((restore, (slf.get().to_dict(py)?,)))
    }

    fn _repr_html_<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        html::of("certificate", slf)
    }

    fn __repr__(&self) -> PyResult<String> {
        let why = match self.violations()[..] {
            [] => String::new(),
            ref which => format!(" {}", which.join(", ")),
        };
        let energy_change = self.energy_change()?;
        Ok(format!("<Certificate: {}{why}, energy change {energy_change:.6} J>", self.verdict()))
    }
}
