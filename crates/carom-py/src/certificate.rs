//! The judgement on an impulse.

use crate::value::{json, object};
use carom::Verdict;
use carom_io::answer::{CertificateAnswer, verdict_name};
use pyo3::prelude::*;

/// The judgement on an impulse: is it physical, and by how much? From problem and impulse alone; no law judges itself.
#[pyclass(frozen, module = "carom")]
pub struct Certificate(pub carom::Certificate);

#[pymethods]
impl Certificate {
    /// "permissible", "boundary" (some condition holds with equality) or "violates".
    #[getter]
    fn verdict(&self) -> &'static str {
        verdict_name(&self.0.verdict)
    }

    /// Whether every condition holds.
    #[getter]
    fn permissible(&self) -> bool {
        self.0.verdict.is_permissible()
    }

    /// The conditions that fail: "energy", "separation", "normal_impulse", "cone", "bilateral".
    #[getter]
    fn violations(&self) -> Vec<&'static str> {
        match &self.0.verdict {
            Verdict::Violates(which) => which.iter().map(|inequality| inequality.name()).collect(),
            Verdict::Permissible | Verdict::Boundary => vec![],
        }
    }

    /// Work on the relative motion; above zero, energy was created [J].
    #[getter]
    fn energy_change(&self) -> f64 {
        self.0.energy_change
    }

    /// All that the contacts could take away; None where too many rows are coupled [J].
    #[getter]
    fn energy_available(&self) -> Option<f64> {
        self.0.energy_available
    }

    /// The smallest mu p_n − |p_t| over the contacts [N·s].
    #[getter]
    fn cone_margin(&self) -> f64 {
        self.0.cone_margin
    }

    /// The smallest p_n over the contacts [N·s].
    #[getter]
    fn normal_margin(&self) -> f64 {
        self.0.normal_margin
    }

    /// The smallest normal velocity after the impact [m/s].
    #[getter]
    fn separation_margin(&self) -> f64 {
        self.0.separation_margin
    }

    /// The error of momentum balance, relative to the terms balanced [1].
    #[getter]
    fn momentum_residual(&self) -> f64 {
        self.0.momentum_residual
    }

    /// How fast the worst bilateral row still moves [m/s].
    #[getter]
    fn bilateral_residual(&self) -> f64 {
        self.0.bilateral_residual
    }

    /// −u_n⁺/u_n⁻ per contact; None where the contact did not approach [1].
    #[getter]
    fn e_kinematic(&self) -> Vec<Option<f64>> {
        self.0.e_kinematic.clone()
    }

    /// Work of the normal impulse, where the path is known [J].
    #[getter]
    fn normal_work(&self) -> Option<f64> {
        self.0.path.as_ref().map(|path| path.normal_work())
    }

    /// Work of friction, where the path is known [J].
    #[getter]
    fn tangential_work(&self) -> Option<f64> {
        self.normal_work().map(|normal| self.0.energy_change - normal)
    }

    /// Poisson's coefficient, where the path is known [1].
    #[getter]
    fn e_kinetic(&self) -> Option<f64> {
        self.0.path.as_ref().and_then(|path| path.e_kinetic())
    }

    /// Stronge's coefficient, where the path is known [1].
    #[getter]
    fn e_energetic(&self) -> Option<f64> {
        self.0.path.as_ref().and_then(|path| path.e_energetic())
    }

    /// Everything, as the command line writes it in JSON.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        object(py, &json(&CertificateAnswer(&self.0)))
    }

    fn __bool__(&self) -> bool {
        self.permissible()
    }

    fn __repr__(&self) -> String {
        let why = match self.violations()[..] {
            [] => String::new(),
            ref which => format!(" {}", which.join(", ")),
        };
        format!(
            "<Certificate: {}{why}, energy change {:.6} J>",
            self.verdict(),
            self.0.energy_change
        )
    }
}
