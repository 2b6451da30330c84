//! Answers as objects of Python.

use carom_io::format::Node;
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use serde::Serialize;
use serde_json::Value;

/// Numbers as a new array.
pub fn array<'py>(py: Python<'py>, numbers: &[f64]) -> Bound<'py, PyArray1<f64>> {
    PyArray1::from_slice(py, numbers)
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
