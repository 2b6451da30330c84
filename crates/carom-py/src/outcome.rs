//! What a law answered.

use crate::certificate::Certificate;
use crate::errors::OrRaise;
use crate::interpreter::Interpreter;
use crate::value::{array, json, object};
use carom::{ImpactError, Law, Recorder, Unjudged};
use carom_io::answer::{LawAnswer, Path, ResolutionAnswer, verdict_name};
use carom_io::format::{AnySystem, Problem};
use carom_io::progress::Monitor;
use carom_io::resolution::Resolution;
use numpy::PyArray1;
use pyo3::exceptions::PyAttributeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde_json::Value;
use std::sync::{Arc, OnceLock};

/// A law's certified answer to one impact. Attributes are computed when they are asked for, the certificate among them;
/// arrays are copies.
#[pyclass(frozen, module = "carom")]
pub struct Outcome {
    system: ImpactSystem,
    law: Law,
    answered: Unjudged,
    judged: OnceLock<Resolution>,
    trace: Option<Recorder>,
}

/// The system of the impact.
pub enum ImpactSystem {
    /// Made for one impact.
    Own(Box<AnySystem>),
    /// Of a problem that may be resolved again.
    Shared(Arc<Problem>),
}

impl ImpactSystem {
    /// The system itself.
    pub fn system(&self) -> &AnySystem {
        match self {
            Self::Own(system) => system,
            Self::Shared(problem) => &problem.system,
        }
    }
}

impl Outcome {
    /// Resolves the impact, and keeps the trace if it is wanted.
    pub fn of(
        system: ImpactSystem,
        law: Law,
        trace: bool,
        interpreter: &Interpreter,
    ) -> Result<Self, ImpactError> {
        /// More steps than this are counted and not kept \[1\].
        const STEPS: usize = 100_000;
        let mut trace = trace.then(|| Recorder::new(STEPS));
        let mut monitor = match &mut trace {
            Some(recorder) => Monitor::recording(interpreter, recorder),
            None => Monitor::new(interpreter),
        };
        let answered = Unjudged::of(system.system(), &law, &mut monitor)?;
        Ok(Self { system, law, answered, judged: OnceLock::new(), trace })
    }

    /// The answer with its certificate. Judging may cost more than answering, so it waits until it is needed.
    fn resolution(&self, py: Python) -> PyResult<&Resolution> {
        if let Some(resolution) = self.judged.get() {
            return Ok(resolution);
        }
        let judged = py
            .detach(|| Resolution::judged(self.system.system(), self.law, self.answered.clone()))
            .or_raise(py)?;
        Ok(self.judged.get_or_init(|| judged))
    }

    /// The answer as the command line writes it.
    fn answer(&self, py: Python) -> PyResult<Value> {
        let trace = self.trace.as_ref().map(Path);
        Ok(json(&ResolutionAnswer { id: None, resolution: self.resolution(py)?, trace }))
    }

    /// One entry of the answer, or None.
    fn entry<'py>(&self, py: Python<'py>, key: &str) -> PyResult<Bound<'py, PyAny>> {
        object(py, self.answer(py)?.get(key).unwrap_or(&Value::Null))
    }
}

#[pymethods]
impl Outcome {
    /// Generalized velocities after the impact, one per coordinate [m/s or rad/s].
    #[getter]
    fn velocity<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let after = &self.answered.after;
        match (&after.velocity, &after.bodies) {
            (Some(velocity), _) => Ok(array(py, velocity)),
            (None, Some(_)) => Err(PyAttributeError::new_err(
                "a problem of bodies has no generalized velocity; its velocities stand in `bodies`",
            )),
            (None, None) => Err(PyAttributeError::new_err(
                "a problem in contact space has no generalized velocity; see `contact_velocity`",
            )),
        }
    }

    /// Impulses at the contacts, contact by contact, normal first [N·s].
    #[getter]
    fn impulse<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        array(py, &self.answered.outcome.impulse)
    }

    /// Contact velocities after the impact, contact by contact, normal first [m/s].
    #[getter]
    fn contact_velocity<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        array(py, &self.answered.outcome.velocity)
    }

    /// Impulses of the bilateral rows (joints); empty where there are none [N·s].
    #[getter]
    fn bilateral_impulse<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        let inertial = self.answered.after.inertial.as_ref();
        array(py, inertial.map_or(&[], |inertial| &inertial.bilateral_impulse))
    }

    /// Velocities of bodies by name: {"velocity": array, "angular_velocity": array}; empty if the problem has none.
    #[getter]
    fn bodies<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let bodies = PyDict::new(py);
        for body in self.answered.after.bodies.iter().flatten() {
            let motion = PyDict::new(py);
            motion.set_item("velocity", array(py, &body.velocity))?;
            motion.set_item("angular_velocity", array(py, &body.angular_velocity))?;
            bodies.set_item(&body.name, motion)?;
        }
        Ok(bodies)
    }

    /// Work on the relative motion of the contacts, at most zero in a physical impact [J].
    #[getter]
    fn energy_change(&self, py: Python) -> PyResult<f64> {
        Ok(self.resolution(py)?.certificate.energy_change)
    }

    /// The same as `energy_change` [J].
    #[getter]
    fn energy(&self, py: Python) -> PyResult<f64> {
        self.energy_change(py)
    }

    /// Change of kinetic energy; None where masses are unknown [J].
    #[getter]
    fn kinetic_energy_change(&self) -> Option<f64> {
        self.answered.after.inertial.as_ref().map(|inertial| inertial.kinetic_energy_change)
    }

    /// The judgement on this impulse.
    #[getter]
    fn certificate(&self, py: Python) -> PyResult<Certificate> {
        Ok(Certificate(self.resolution(py)?.certificate.clone()))
    }

    /// How the law came to its answer, if `trace=True` asked for it: {"events", "samples"} or {"steps", "left_out"}.
    #[getter]
    fn trace<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.entry(py, "trace")
    }

    /// The law with every setting, as a problem file would name it.
    #[getter]
    fn law<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let law = &self.law;
        let settings = law.settings(Some(self.system.system().problem()));
        object(py, &json(&LawAnswer(law, &settings)))
    }

    /// The work that the law did.
    #[getter]
    fn effort<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.entry(py, "effort")
    }

    /// What the reader should know besides.
    #[getter]
    fn notes(&self) -> Vec<&'static str> {
        self.answered.outcome.notes.iter().map(|note| note.text()).collect()
    }

    /// The answer as the command line writes it in JSON: plain lists, infinity as "inf".
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        object(py, &self.answer(py)?)
    }

    fn __repr__(&self, py: Python) -> PyResult<String> {
        let Resolution { law, certificate, .. } = self.resolution(py)?;
        Ok(format!(
            "<Outcome of {}: {} contacts, {}, energy change {:.6} J>",
            law.id(),
            certificate.e_kinematic.len(),
            verdict_name(&certificate.verdict),
            certificate.energy_change
        ))
    }
}
