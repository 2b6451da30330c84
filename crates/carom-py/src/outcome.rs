//! What a law answered.

use crate::certificate::Certificate;
use crate::errors::OrRaise;
use crate::html;
use crate::interpreter::Interpreter;
use crate::value::{array, json, number, numbers, object, value};
use carom::{ImpactError, Law, Recorder, Unjudged};
use carom_io::answer::{LawAnswer, Path, ResolutionAnswer};
use carom_io::format::{AnySystem, Problem};
use carom_io::progress::Monitor;
use carom_io::resolution::Resolution;
use numpy::PyArray1;
use pyo3::exceptions::PyAttributeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde_json::Value;
use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

/// A law's certified answer to one impact. Attributes are computed when they are asked for, the certificate among them;
/// arrays are new ones each time, and closed to writing.
#[pyclass(frozen, module = "carom")]
pub struct Outcome(Answer);

/// Where an outcome is from.
#[expect(clippy::large_enum_variant, reason = "nearly all are of the large kind")]
enum Answer {
    /// A law.
    Found(Found),
    /// Another process: the answer as the command line writes it.
    Sent(Value),
}

/// What a law has answered, judged when that is asked for.
struct Found {
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
        let found = Found { system, law, answered, judged: OnceLock::new(), trace };
        Ok(Self(Answer::Found(found)))
    }

    /// The answer as the command line writes it.
    fn answer<'a>(&'a self, py: Python) -> PyResult<Cow<'a, Value>> {
        match &self.0 {
            Answer::Found(found) => found.answer(py).map(Cow::Owned),
            Answer::Sent(answer) => Ok(Cow::Borrowed(answer)),
        }
    }

    /// One entry of the answer, or None.
    fn entry<'py>(&self, py: Python<'py>, key: &str) -> PyResult<Bound<'py, PyAny>> {
        object(py, self.answer(py)?.get(key).unwrap_or(&Value::Null))
    }

    /// Numbers of the answer: where a law has left them, or under their key.
    fn numbers<'py>(
        &self,
        py: Python<'py>,
        found: impl FnOnce(&Found) -> &[f64],
        key: &str,
    ) -> Bound<'py, PyArray1<f64>> {
        match &self.0 {
            Answer::Found(answer) => array(py, found(answer)),
            Answer::Sent(answer) => array(py, &answer.get(key).map_or_else(Vec::new, numbers)),
        }
    }
}

impl Found {
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

    fn answer(&self, py: Python) -> PyResult<Value> {
        let trace = self.trace.as_ref().map(Path);
        Ok(json(&ResolutionAnswer { id: None, resolution: self.resolution(py)?, trace }))
    }
}

/// An outcome from what `Outcome.to_dict` gave.
#[pyfunction(name = "_outcome")]
pub fn restored_outcome(answer: &Bound<PyAny>) -> PyResult<Outcome> {
    Ok(Outcome(Answer::Sent(value(answer)?)))
}

#[pymethods]
impl Outcome {
    /// Generalized velocities after the impact, one per coordinate [m/s or rad/s].
    #[getter]
    fn velocity<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let (velocity, bodies) = match &self.0 {
            Answer::Found(found) => {
                let after = &found.answered.after;
                (after.velocity.as_deref().map(|v| array(py, v)), after.bodies.is_some())
            }
            Answer::Sent(answer) => {
                let velocity = answer.get("velocity").map(|v| array(py, &numbers(v)));
                (velocity, answer.get("bodies").is_some())
            }
        };
        velocity.ok_or_else(|| {
            PyAttributeError::new_err(match bodies {
                true => "a problem of bodies has no generalized velocity; its velocities stand in `bodies`",
                false => "a problem in contact space has no generalized velocity; see `contact_velocity`",
            })
        })
    }

    /// Impulses at the contacts, contact by contact, normal first [N·s].
    #[getter]
    fn impulse<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        self.numbers(py, |found| &found.answered.outcome.impulse, "impulse")
    }

    /// Contact velocities after the impact, contact by contact, normal first [m/s].
    #[getter]
    fn contact_velocity<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        self.numbers(py, |found| &found.answered.outcome.velocity, "contact_velocity")
    }

    /// Impulses of the bilateral rows (joints); empty where there are none [N·s].
    #[getter]
    fn bilateral_impulse<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        fn of(found: &Found) -> &[f64] {
            let inertial = found.answered.after.inertial.as_ref();
            inertial.map_or(&[], |inertial| &inertial.bilateral_impulse)
        }
        self.numbers(py, of, "bilateral_impulse")
    }

    /// Velocities of bodies by name: {"velocity": array, "angular_velocity": array}; empty if the problem has none.
    #[getter]
    fn bodies<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let bodies = PyDict::new(py);
        let set = |name: &str, velocity: &[f64], spin: &[f64]| {
            let motion = PyDict::new(py);
            motion.set_item("velocity", array(py, velocity))?;
            motion.set_item("angular_velocity", array(py, spin))?;
            bodies.set_item(name, motion)
        };
        match &self.0 {
            Answer::Found(found) => {
                for body in found.answered.after.bodies.iter().flatten() {
                    set(&body.name, &body.velocity, &body.angular_velocity)?;
                }
            }
            Answer::Sent(answer) => {
                let sent = answer.get("bodies").and_then(Value::as_object);
                for (name, body) in sent.into_iter().flatten() {
                    let part = |key: &str| body.get(key).map_or_else(Vec::new, numbers);
                    set(name, &part("velocity"), &part("angular_velocity"))?;
                }
            }
        }
        Ok(bodies)
    }

    /// Work on the relative motion of the contacts, at most zero in a physical impact [J].
    #[getter]
    fn energy_change(&self, py: Python) -> PyResult<f64> {
        match &self.0 {
            Answer::Found(found) => Ok(found.resolution(py)?.certificate.energy_change),
            Answer::Sent(_) => self.certificate(py)?.energy_change(),
        }
    }

    /// The same as `energy_change` [J].
    #[getter]
    fn energy(&self, py: Python) -> PyResult<f64> {
        self.energy_change(py)
    }

    /// Change of kinetic energy; None where masses are unknown [J].
    #[getter]
    fn kinetic_energy_change(&self, py: Python) -> PyResult<Option<f64>> {
        Ok(match &self.0 {
            Answer::Found(found) => {
                // The judgement computes it more precisely than the way back to velocities does.
                let inertial = found.resolution(py)?.after.inertial.as_ref();
                inertial.map(|inertial| inertial.kinetic_energy_change)
            }
            Answer::Sent(answer) => answer.get("kinetic_energy_change").and_then(number),
        })
    }

    /// The judgement on this impulse.
    #[getter]
    fn certificate(&self, py: Python) -> PyResult<Certificate> {
        match &self.0 {
            Answer::Found(found) => Ok(Certificate::from(&found.resolution(py)?.certificate)),
            Answer::Sent(answer) => {
                Ok(Certificate::from(answer.get("certificate").cloned().unwrap_or_default()))
            }
        }
    }

    /// How the law came to its answer, if `trace=True` asked for it: {"events", "samples"} or {"steps", "left_out"}.
    #[getter]
    fn trace<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.entry(py, "trace")
    }

    /// The law with every setting, as a problem file would name it.
    #[getter]
    fn law<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        match &self.0 {
            Answer::Found(Found { law, system, .. }) => {
                let settings = law.settings(Some(system.system().problem()));
                object(py, &json(&LawAnswer(law, &settings)))
            }
            Answer::Sent(_) => self.entry(py, "law"),
        }
    }

    /// The work that the law did.
    #[getter]
    fn effort<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.entry(py, "effort")
    }

    /// What the reader should know besides.
    #[getter]
    fn notes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.entry(py, "notes")
    }

    /// The answer as the command line writes it in JSON: plain lists, infinity as "inf".
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        object(py, self.answer(py)?.as_ref())
    }

    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyAny>,))> {
        let py = slf.py();
        let restore = py.import("carom._carom")?.getattr("_outcome")?;
        Ok((restore, (slf.get().to_dict(py)?,)))
    }

    fn _repr_html_<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        html::of("outcome", slf)
    }

    fn __repr__(&self, py: Python) -> PyResult<String> {
        let (answer, certificate) = (self.answer(py)?, self.certificate(py)?);
        let law = answer.get("law").and_then(|law| law.get("id")).and_then(Value::as_str);
        Ok(format!(
            "<Outcome of {}: {} contacts, {}, energy change {:.6} J>",
            law.unwrap_or_default(),
            certificate.e_kinematic().len(),
            certificate.verdict(),
            certificate.energy_change()?
        ))
    }
}
