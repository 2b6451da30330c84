//! Many impacts at once: NumPy's memory goes in and out as it is.

mod input;
mod order;
mod output;

use crate::errors::bad_argument;
use crate::interpreter::Interpreter;
use crate::law;
use carom::{ImpactError, Law};
use carom_batch::{BatchError, Judgement, RowError, arrow, resolve};
use carom_io::progress::ProgressSink;
use input::{Input, contact_rows};
use numpy::{PyArray1, PyArrayDyn};
use order::Order;
use output::{Output, admitted, admitted_by, answers};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use pyo3_arrow::PyRecordBatch;
use std::ops::ControlFlow;

/// See `carom.batch.resolve`, which gives the answers a shape.
#[pyfunction(name = "_batch_resolve")]
#[pyo3(signature = (arrays, law, settings, threads, certify, out=None))]
pub fn batch_resolve<'py>(
    py: Python<'py>,
    arrays: &Bound<'py, PyDict>,
    law: &Bound<'py, PyAny>,
    settings: Option<&Bound<'py, PyDict>>,
    threads: Option<i64>,
    certify: bool,
    out: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyDict>> {
    let law = law::build(law, settings)?;
    let threads = thread_count(py, threads)?;
    let input = Input::read(arrays, admitted(out)?)?;
    let columns = input.columns(py)?;
    let output = Output::new(py, columns.shape(), input.order, certify, out)?;
    let mut verdicts = vec![Judgement::Unanswered; if certify { columns.shape().count } else { 0 }];
    let errors = {
        let mut borrowed = output.borrow(py)?;
        let answers = answers(input.order, &mut borrowed, certify, &mut verdicts)?;
        work(py, |poll| resolve(&columns, &law, answers, threads, poll))?
    };
    let result = PyDict::new(py);
    for (name, array) in output.arrays {
        result.set_item(name, array)?;
    }
    if certify {
        let codes: Vec<u8> = verdicts.iter().map(|verdict| *verdict as u8).collect();
        result.set_item("verdict", PyArray1::from_vec(py, codes))?;
    }
    let errors: Vec<(usize, String)> =
        errors.iter().map(|error: &RowError| (error.row, error.text())).collect();
    result.set_item("failures", errors)?;
    Ok(result)
}

/// See `carom.batch.impulses`.
#[pyfunction(name = "_batch_impulses")]
#[pyo3(signature = (arrays, law, settings, threads, out=None))]
pub fn batch_impulses<'py>(
    py: Python<'py>,
    arrays: &Bound<'py, PyDict>,
    law: &Bound<'py, PyAny>,
    settings: Option<&Bound<'py, PyDict>>,
    threads: Option<i64>,
    out: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
    let law = law::build(law, settings)?;
    let threads = thread_count(py, threads)?;
    let input = Input::read(arrays, out.map_or(Order::Components, admitted_by))?;
    let columns = input.columns(py)?;
    let mut output = Output::impulses(py, columns.shape(), input.order, out)?;
    {
        let mut borrowed = output.borrow(py)?;
        let answers = answers(input.order, &mut borrowed, false, &mut [])?;
        work(py, |poll| resolve(&columns, &law, answers, threads, poll))?;
    }
    Ok(output.arrays.swap_remove(0).1)
}

/// See `carom.batch.resolve_arrow`.
#[pyfunction(name = "_batch_resolve_arrow")]
#[pyo3(signature = (batch, law, settings, threads, rows))]
pub fn batch_resolve_arrow(
    py: Python,
    batch: PyRecordBatch,
    law: &Bound<PyAny>,
    settings: Option<&Bound<PyDict>>,
    threads: Option<i64>,
    rows: Option<&Bound<PyAny>>,
) -> PyResult<PyRecordBatch> {
    let law: Law = law::build(law, settings)?;
    let threads = thread_count(py, threads)?;
    let rows = contact_rows(rows)?;
    let batch = batch.into_inner();
    work(py, |poll| arrow::resolve(&batch, &law, &rows, threads, poll)).map(PyRecordBatch::new)
}

fn thread_count(py: Python, threads: Option<i64>) -> PyResult<usize> {
    match threads {
        None => Ok(0),
        Some(threads) => usize::try_from(threads)
            .ok()
            .filter(|threads| *threads > 0)
            .ok_or_else(|| bad_argument(py, "threads", threads, "must be at least 1, or None")),
    }
}

/// Works without the interpreter's lock, but hears of Ctrl-C.
fn work<T: Send>(
    py: Python,
    batch: impl FnOnce(&mut dyn FnMut(usize) -> ControlFlow<()>) -> Result<T, BatchError> + Send,
) -> PyResult<T> {
    Interpreter::watching(py, |interpreter| {
        let mut poll = |_done: usize| match interpreter.interrupted() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        };
        batch(&mut poll).map_err(|error| match error {
            BatchError::Columns(error) => error,
            interrupted => ImpactError::Limit(interrupted.to_string()),
        })
    })
}
