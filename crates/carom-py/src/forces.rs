//! Forces that a function of Python says.

use crate::motion::StateArrays;
use carom_sim::motion::{AppliedForces, BodyLoad, BodyState, Dimension};
use numpy::{PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use std::sync::{Arc, Mutex, PoisonError};

/// A function of time and of the states of all bodies: arrays of positions, orientations, velocities and angular velocities
/// go in; one row of force and torque for each body comes out, six numbers each.
#[derive(Clone)]
pub struct PythonForces {
    function: Arc<Py<PyAny>>,
    dimension: Dimension,
    /// What it raised first; it is not called again.
    raised: Arc<Mutex<Option<PyErr>>>,
}

impl PythonForces {
    /// Forces of a function.
    pub fn new(function: Py<PyAny>, dimension: Dimension) -> Self {
        Self { function: Arc::new(function), dimension, raised: Arc::default() }
    }

    /// Whether it has raised anything.
    pub fn failed(&self) -> bool {
        self.raised.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }

    /// What it raised.
    pub fn take(&self) -> Option<PyErr> {
        self.raised.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    fn ask(&self, time: f64, bodies: &[BodyState], loads: &mut [BodyLoad]) -> PyResult<()> {
        Python::attach(|py| {
            let state = StateArrays::of(py, self.dimension, bodies.iter(), bodies.len())?;
            let StateArrays { positions, orientations, velocities, angular_velocities } = state;
            let arguments = (time, positions, orientations, velocities, angular_velocities);
            let answer = self.function.bind(py).call1(arguments)?;
            let rows = answer.cast_into::<PyArray2<f64>>()?;
            let rows = rows.readonly();
            for (load, row) in loads.iter_mut().zip(rows.as_slice()?.as_chunks::<6>().0) {
                let [fx, fy, fz, tx, ty, tz] = *row;
                (load.force, load.torque) = ([fx, fy, fz], [tx, ty, tz]);
            }
            Ok(())
        })
    }
}

impl AppliedForces for PythonForces {
    fn apply(&self, time: f64, bodies: &[BodyState], loads: &mut [BodyLoad]) {
        let answered = match self.failed() {
            true => false,
            false => match self.ask(time, bodies, loads) {
                Ok(()) => true,
                Err(error) => {
                    *self.raised.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                    false
                }
            },
        };
        if !answered {
            // No step can be made with this: the run ends, and what was raised goes on from there.
            loads.fill(BodyLoad { force: [f64::NAN; 3], torque: [f64::NAN; 3] });
        }
    }
}
