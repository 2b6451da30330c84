//! Many motions of one scene.

use crate::batch::thread_count;
use crate::errors::failure;
use crate::interpreter::Interpreter;
use crate::motion::wanted_law;
use crate::node;
use crate::scene::Scene;
use carom::ImpactError;
use carom_batch::ensemble::{COUNTS, ENERGIES, Ensemble};
use carom_batch::sweep::Design;
use carom_io::progress::ProgressSink;
use numpy::{PyArray1, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::ops::ControlFlow;

/// See `carom.ensembles.simulate`, which gives the answer a shape. `points` is a range of the design's points, or all.
#[pyfunction(name = "_ensemble")]
#[pyo3(signature = (scene, design, count, seed, law, settings, duration, threads, points, progress))]
#[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
pub fn ensemble<'py>(
    py: Python<'py>,
    scene: &Scene,
    design: &Bound<'py, PyAny>,
    count: Option<u64>,
    seed: u64,
    law: Option<&Bound<'py, PyAny>>,
    settings: Option<&Bound<'py, PyDict>>,
    duration: Option<f64>,
    threads: Option<i64>,
    points: Option<(usize, usize)>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    let law = wanted_law(py, scene, law, settings)?.map(|(_, law)| law);
    let threads = thread_count(py, threads)?;
    let design = node::read("design", design)?;
    let ensemble = Design::read(&design, count, seed)
        .and_then(|design| Ensemble::new(scene.document.clone(), design, law, duration))
        .map_err(|error| failure(py, error))?;
    let out = PyDict::new(py);
    out.set_item("points", ensemble.points())?;
    out.set_item("parameters", ensemble.parameters().collect::<Vec<_>>())?;
    let points = points.map_or(0..ensemble.points(), |(first, end)| first..end);
    let ended = Interpreter::reporting(py, progress, |interpreter| {
        let mut poll = |done: usize| {
            interpreter.tell(done);
            match interpreter.interrupted() {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        };
        ensemble.run(points, threads, &mut poll)?.map_err(|stopped| {
            ImpactError::Limit(format!("interrupted after {} motions", stopped.done))
        })
    })?;
    let rows = ended.end_times.len();
    let table = |numbers: Vec<f64>| -> PyResult<_> {
        let columns = numbers.len().checked_div(rows).unwrap_or(0);
        PyArray1::from_vec(py, numbers).reshape([rows, columns])
    };
    out.set_item("values", table(ended.values)?)?;
    out.set_item("states", table(ended.states)?)?;
    out.set_item("energies", table(ended.energies)?)?;
    out.set_item("energy_names", ENERGIES.to_vec())?;
    let counts = PyArray1::from_iter(py, ended.counts.iter().map(|count| *count as i64));
    out.set_item("counts", counts.reshape([rows, COUNTS.len()])?)?;
    out.set_item("end_times", PyArray1::from_vec(py, ended.end_times))?;
    out.set_item("end_reasons", ended.end_reasons)?;
    out.set_item("errors", ended.errors)?;
    Ok(out)
}
