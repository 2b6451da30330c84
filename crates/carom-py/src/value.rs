//! Answers as objects of Python.

use carom_io::format::Node;
use numpy::{PyArray, PyArray1, PyArray2, PyArrayMethods};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyInt, PyList};
use serde::Serialize;
use serde_json::Value;

/// What a pickle asks for: a function, and what it is called with.
pub type Reduced<'py, T> = PyResult<(Bound<'py, PyAny>, T)>;

/// Numbers as a new array that refuses to be written to: whoever writes to a copy believes to have changed what it is of.
pub fn array<'py>(py: Python<'py>, numbers: &[f64]) -> Bound<'py, PyArray1<f64>> {
    locked(PyArray1::from_slice(py, numbers))
}

/// The same array, closed to writing.
pub fn locked<D: numpy::ndarray::Dimension>(
    array: Bound<'_, PyArray<f64, D>>,
) -> Bound<'_, PyArray<f64, D>> {
    drop(array.readwrite().make_nonwriteable());
    array
}

/// An answer as it would be written in JSON.
pub fn json(answer: &impl Serialize) -> Value {
    // Answers have nothing that JSON lacks: their keys are texts, their infinities words.
    serde_json::to_value(answer).unwrap_or(Value::Null)
}

/// JSON as dicts, lists, numbers and texts.
pub fn object<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    Ok(match value {
        Value::Null => py.None().into_bound(py),
        Value::Bool(x) => x.into_pyobject(py)?.to_owned().into_any(),
        Value::Number(number) => match (number.as_i64(), number.as_f64()) {
            (Some(x), _) => x.into_pyobject(py)?.into_any(),
            (None, Some(x)) => x.into_pyobject(py)?.into_any(),
            (None, None) => py.None().into_bound(py),
        },
        Value::String(text) => text.into_pyobject(py)?.into_any(),
        Value::Array(items) => {
            let list = PyList::empty(py);
            for item in items {
                list.append(object(py, item)?)?;
            }
            list.into_any()
        }
        Value::Object(entries) => {
            let dict = PyDict::new(py);
            for (key, value) in entries {
                dict.set_item(key, object(py, value)?)?;
            }
            dict.into_any()
        }
    })
}

/// The way back: what [`object`] made, as it comes out of a pickle.
pub fn value(object: &Bound<PyAny>) -> PyResult<Value> {
    if object.is_none() {
        return Ok(Value::Null);
    }
    if let Ok(switch) = object.cast::<PyBool>() {
        return Ok(Value::Bool(switch.is_true()));
    }
    if object.is_instance_of::<PyInt>() {
        return Ok(Value::from(object.extract::<i64>()?));
    }
    if let Ok(text) = object.extract::<String>() {
        return Ok(Value::String(text));
    }
    if let Ok(list) = object.cast::<PyList>() {
        return list.iter().map(|item| value(&item)).collect::<PyResult<_>>().map(Value::Array);
    }
    if let Ok(dict) = object.cast::<PyDict>() {
        let entry = |(key, item): (Bound<PyAny>, Bound<PyAny>)| Ok((key.extract()?, value(&item)?));
        return dict.iter().map(entry).collect::<PyResult<_>>().map(Value::Object);
    }
    match serde_json::Number::from_f64(object.extract::<f64>()?) {
        Some(number) => Ok(Value::Number(number)),
        None => Err(PyTypeError::new_err("answers have no NaN")),
    }
}

/// A number of an answer, infinity as the word that answers have for it.
pub fn number(value: &Value) -> Option<f64> {
    match value {
        Value::String(word) if word == "inf" => Some(f64::INFINITY),
        Value::String(word) if word == "-inf" => Some(f64::NEG_INFINITY),
        value => value.as_f64(),
    }
}

/// A list of numbers of an answer; a number by itself is a list of one.
pub fn numbers(value: &Value) -> Vec<f64> {
    match value {
        Value::Array(items) => items.iter().filter_map(number).collect(),
        value => number(value).into_iter().collect(),
    }
}

/// A document as dicts, lists, numbers and texts.
pub fn document<'py>(py: Python<'py>, node: &Node) -> PyResult<Bound<'py, PyAny>> {
    Ok(match node {
        Node::Null => py.None().into_bound(py),
        Node::Switch(x) => x.into_pyobject(py)?.to_owned().into_any(),
        // Infinity as files write it, so that what comes out can go into JSON.
        Node::Number(x) if *x == f64::INFINITY => "inf".into_pyobject(py)?.into_any(),
        Node::Number(x) => x.into_pyobject(py)?.into_any(),
        Node::Text(text) => text.into_pyobject(py)?.into_any(),
        Node::Numbers(items) => PyList::new(py, items)?.into_any(),
        Node::List(items) => {
            let list = PyList::empty(py);
            for item in items {
                list.append(document(py, item)?)?;
            }
            list.into_any()
        }
        Node::Table(entries) => {
            let dict = PyDict::new(py);
            for (key, value) in entries {
                dict.set_item(key, document(py, value)?)?;
            }
            dict.into_any()
        }
    })
}

/// Rows of equal length as a new array.
pub fn matrix<'py>(
    py: Python<'py>,
    rows: usize,
    columns: usize,
    entries: Vec<f64>,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    PyArray1::from_vec(py, entries).reshape([rows, columns])
}
