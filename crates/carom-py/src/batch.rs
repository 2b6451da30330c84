//! Many impacts at once: NumPy's memory goes in and out as it is.

mod input;
mod order;
mod output;

use crate::errors::bad_argument;
use crate::interpreter::Interpreter;
use crate::law;
use arrow_array::RecordBatch;
use arrow_select::concat::concat_batches;
use carom::{ImpactError, Law};
use carom_batch::{BatchError, Judgement, RowError, arrow, resolve};
use carom_io::progress::ProgressSink;
use input::{Input, contact_rows};
use numpy::{PyArray1, PyArrayDyn};
use order::Order;
use output::{Output, admitted, admitted_by, answers};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use pyo3_arrow::input::AnyRecordBatch;
use pyo3_arrow::{PyRecordBatch, PyTable};
use std::ops::ControlFlow;

/// See `carom.batch.resolve`, which gives the answers a shape.
#[pyfunction(name = "_batch_resolve")]
#[pyo3(signature = (arrays, law, settings, threads, certify, out=None, progress=None))]
#[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
pub fn batch_resolve<'py>(
    py: Python<'py>,
    arrays: &Bound<'py, PyDict>,
    law: &Bound<'py, PyAny>,
    settings: Option<&Bound<'py, PyDict>>,
    threads: Option<i64>,
    certify: bool,
    out: Option<&Bound<'py, PyDict>>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    let law = law::build(law, settings)?;
    let threads = thread_count(py, threads)?;
    let input = Input::read(arrays, admitted(out)?, one_contact(&law))?;
    let columns = input.columns(py)?;
    let output = Output::new(py, columns.shape(), input.order, certify, out)?;
    let mut verdicts = vec![Judgement::Unanswered; if certify { columns.shape().count } else { 0 }];
    let errors = {
        let mut borrowed = output.borrow(py)?;
        let answers = answers(input.order, &mut borrowed, certify, &mut verdicts)?;
        work(py, progress, |poll| resolve(&columns, &law, answers, threads, poll))?
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
#[pyo3(signature = (arrays, law, settings, threads, out=None, progress=None))]
pub fn batch_impulses<'py>(
    py: Python<'py>,
    arrays: &Bound<'py, PyDict>,
    law: &Bound<'py, PyAny>,
    settings: Option<&Bound<'py, PyDict>>,
    threads: Option<i64>,
    out: Option<&Bound<'py, PyAny>>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
    let law = law::build(law, settings)?;
    let threads = thread_count(py, threads)?;
    let order = out.map_or(Order::Components, admitted_by);
    let input = Input::read(arrays, order, one_contact(&law))?;
    let columns = input.columns(py)?;
    let mut output = Output::impulses(py, columns.shape(), input.order, out)?;
    {
        let mut borrowed = output.borrow(py)?;
        let answers = answers(input.order, &mut borrowed, false, &mut [])?;
        work(py, progress, |poll| resolve(&columns, &law, answers, threads, poll))?;
    }
    Ok(output.arrays.swap_remove(0).1)
}

/// See `carom.batch.resolve_arrow`. A record batch is answered by one, a stream of them by a table.
#[pyfunction(name = "_batch_resolve_arrow")]
#[pyo3(signature = (batch, law, settings, threads, rows, certify=true, keep_problem=true, progress=None))]
#[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
pub fn batch_resolve_arrow<'py>(
    py: Python<'py>,
    batch: AnyRecordBatch,
    law: &Bound<PyAny>,
    settings: Option<&Bound<PyDict>>,
    threads: Option<i64>,
    rows: Option<&Bound<PyAny>>,
    certify: bool,
    keep_problem: bool,
    progress: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let law: Law = law::build(law, settings)?;
    let options = arrow::Options {
        contacts: contact_rows(rows)?,
        threads: thread_count(py, threads)?,
        certify,
        keep_problem,
    };
    let is_stream = matches!(batch, AnyRecordBatch::Stream(_));
    let batch = whole(batch)?;
    let answer = work(py, progress, |poll| arrow::resolve(&batch, &law, &options, poll))?;
    match is_stream {
        true => {
            let schema = answer.schema();
            Ok(Bound::new(py, PyTable::try_new(vec![answer], schema)?)?.into_any())
        }
        false => Ok(Bound::new(py, PyRecordBatch::new(answer))?.into_any()),
    }
}

/// All rows in one piece, copied only if there are several pieces.
fn whole(batches: AnyRecordBatch) -> PyResult<RecordBatch> {
    let unreadable = |error: arrow_schema::ArrowError| PyValueError::new_err(error.to_string());
    let reader = batches.into_reader()?;
    let schema = reader.schema();
    let mut batches = reader.collect::<Result<Vec<_>, _>>().map_err(unreadable)?;
    match batches.len() {
        1 => Ok(batches.swap_remove(0)),
        _ => concat_batches(&schema, &batches).map_err(unreadable),
    }
}

fn one_contact(law: &Law) -> bool {
    !law.info().takes_several()
}

/// Threads that a call asks for; 0 stands for as many as there are cores.
pub fn thread_count(py: Python, threads: Option<i64>) -> PyResult<usize> {
    match threads {
        None => Ok(0),
        Some(threads) => usize::try_from(threads)
            .ok()
            .filter(|threads| *threads > 0)
            .ok_or_else(|| bad_argument(py, "threads", threads, "must be at least 1, or None")),
    }
}

/// Works without the interpreter's lock, but hears of Ctrl-C, and tells `progress` now and then how many impacts are done.
fn work<T: Send>(
    py: Python,
    progress: Option<Py<PyAny>>,
    batch: impl FnOnce(&mut dyn FnMut(usize) -> ControlFlow<()>) -> Result<T, BatchError> + Send,
) -> PyResult<T> {
    Interpreter::reporting(py, progress, |interpreter| {
        let mut poll = |done: usize| {
            interpreter.tell(done);
            match interpreter.interrupted() {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        };
        batch(&mut poll).map_err(|error| match error {
            BatchError::Columns(error) => error,
            interrupted => ImpactError::Limit(interrupted.to_string()),
        })
    })
}
