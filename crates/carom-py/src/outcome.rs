//! What a law answered.

use crate::certificate::Certificate;
use crate::value::{array, json, object};
use carom::Recorder;
use carom::outcome::StepRecorder;
use carom_io::answer::{LawAnswer, Path, ResolutionAnswer};
use carom_io::resolution::Resolution;
use numpy::PyArray1;
use pyo3::exceptions::PyAttributeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// A law's certified answer to one impact. Attributes are converted when they are asked for; arrays are copies.
#[pyclass(frozen, module = "carom")]
pub struct Outcome {
    pub resolution: Resolution,
    pub way: Option<Way>,
}

/// How a law came to its answer.
pub struct Way {
    pub recorder: Recorder,
    pub steps: StepRecorder,
}

impl Way {
    /// More steps than this are counted and not kept \[1\].
    const STEPS: usize = 100_000;

    /// Nothing yet.
    pub fn new() -> Self {
        Self { recorder: Recorder::default(), steps: StepRecorder::new(Self::STEPS) }
    }
}

impl Outcome {
    fn answer(&self) -> ResolutionAnswer<'_> {
        let trace =
            self.way.as_ref().map(|way| Path { recorder: &way.recorder, steps: &way.steps });
        ResolutionAnswer { id: None, resolution: &self.resolution, trace }
    }

    /// One entry of the answer, or None.
    fn entry<'py>(&self, py: Python<'py>, key: &str) -> PyResult<Bound<'py, PyAny>> {
        match json(&self.answer()).get(key) {
            Some(value) => object(py, value),
            None => Ok(py.None().into_bound(py)),
        }
    }
}

#[pymethods]
impl Outcome {
    /// Generalized velocities after the impact, one per coordinate [m/s or rad/s].
    #[getter]
    fn velocity<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let after = &self.resolution.after;
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
        array(py, &self.resolution.outcome.impulse)
    }

    /// Contact velocities after the impact, contact by contact, normal first [m/s].
    #[getter]
    fn contact_velocity<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        array(py, &self.resolution.outcome.velocity)
    }

    /// Impulses of the bilateral rows (joints); empty where there are none [N·s].
    #[getter]
    fn bilateral_impulse<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        let inertial = self.resolution.after.inertial.as_ref();
        array(py, inertial.map_or(&[], |inertial| &inertial.bilateral_impulse))
    }

    /// Velocities of bodies by name: {"velocity": array, "angular_velocity": array}; empty if the problem has none.
    #[getter]
    fn bodies<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let bodies = PyDict::new(py);
        for body in self.resolution.after.bodies.iter().flatten() {
            let motion = PyDict::new(py);
            motion.set_item("velocity", array(py, &body.velocity))?;
            motion.set_item("angular_velocity", array(py, &body.angular_velocity))?;
            bodies.set_item(&body.name, motion)?;
        }
        Ok(bodies)
    }

    /// Work on the relative motion of the contacts, at most zero in a physical impact [J].
    #[getter]
    fn energy_change(&self) -> f64 {
        self.resolution.certificate.energy_change
    }

    /// The same as `energy_change` [J].
    #[getter]
    fn energy(&self) -> f64 {
        self.energy_change()
    }

    /// Change of kinetic energy; None where masses are unknown [J].
    #[getter]
    fn kinetic_energy_change(&self) -> Option<f64> {
        self.resolution.after.inertial.as_ref().map(|inertial| inertial.kinetic_energy_change)
    }

    /// The judgement on this impulse.
    #[getter]
    fn certificate(&self) -> Certificate {
        Certificate(self.resolution.certificate.clone())
    }

    /// How the law came to its answer, if `trace=True` asked for it: {"events", "samples"} or {"steps", "left_out"}.
    #[getter]
    fn trace<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.entry(py, "trace")
    }

    /// The law with every setting, as a problem file would name it.
    #[getter]
    fn law<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        object(py, &json(&LawAnswer(&self.resolution.law, &self.resolution.settings)))
    }

    /// The work that the law did.
    #[getter]
    fn effort<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.entry(py, "effort")
    }

    /// What the reader should know besides.
    #[getter]
    fn notes(&self) -> Vec<&'static str> {
        self.resolution.outcome.notes.iter().map(|note| note.text()).collect()
    }

    /// The answer as the command line writes it in JSON: plain lists, infinity as "inf".
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        object(py, &json(&self.answer()))
    }

    fn __repr__(&self) -> String {
        let certificate = &self.resolution.certificate;
        format!(
            "<Outcome of {}: {} contacts, {}, energy change {:.6} J>",
            self.resolution.law.id(),
            certificate.e_kinematic.len(),
            carom_io::answer::verdict_name(&certificate.verdict),
            certificate.energy_change
        )
    }
}
