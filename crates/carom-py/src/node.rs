//! Objects of Python as a document of the problem format.

use crate::arrays::{Argument, Numbers};
use crate::catalog::Law;
use crate::errors::bad_argument;
use carom_io::format::Node;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyMapping, PyString, PyTuple};

/// No document is nested deeper \[1\]; a list may contain itself.
const DEPTH: usize = 32;

/// Reads dicts, lists, NumPy arrays, numbers, texts, switches, laws, None, and sparse matrices. `path` names the value in
/// messages.
pub fn read(path: &str, value: &Bound<PyAny>) -> PyResult<Node> {
    read_at(path, value, 0)
}

fn read_at(path: &str, value: &Bound<PyAny>, depth: usize) -> PyResult<Node> {
    let py = value.py();
    if depth > DEPTH {
        return Err(bad_argument(py, path, "nested values", "they are nested too deep"));
    }
    if value.is_none() {
        Ok(Node::Null)
    } else if let Ok(switch) = value.cast::<PyBool>() {
        Ok(Node::Switch(switch.is_true()))
    } else if value.is_instance_of::<PyFloat>() || value.is_instance_of::<PyInt>() {
        Ok(Node::Number(value.extract()?))
    } else if let Ok(text) = value.cast::<PyString>() {
        Ok(Node::Text(text.to_cow()?.into_owned()))
    } else if let Ok(law) = value.cast::<Law>() {
        Ok(Node::Text(law.get().id().to_owned()))
    } else if let Ok(table) = value.cast::<PyDict>() {
        read_table(path, table.iter().map(Ok), depth)
    } else if value.is_instance_of::<PyList>() || value.is_instance_of::<PyTuple>() {
        read_list(path, value, depth)
    } else if let Ok(table) = value.cast::<PyMapping>() {
        let items: Vec<PyResult<_>> = table.items()?.iter().map(|item| item.extract()).collect();
        read_table(path, items.into_iter(), depth)
    } else if value.hasattr(intern!(py, "tocoo"))? {
        read_sparse(path, value)
    } else {
        read_array(path, value)
    }
}

fn read_table<'py>(
    path: &str,
    items: impl Iterator<Item = PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)>>,
    depth: usize,
) -> PyResult<Node> {
    let mut entries = Vec::new();
    for item in items {
        let (key, value) = item?;
        let Ok(key) = key.cast::<PyString>() else {
            return Err(bad_argument(key.py(), path, &key, "keys must be texts"));
        };
        let key = key.to_cow()?.into_owned();
        let inner = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
        let node = read_at(&inner, &value, depth + 1)?;
        entries.push((key, node));
    }
    Ok(Node::Table(entries))
}

fn read_list(path: &str, list: &Bound<PyAny>, depth: usize) -> PyResult<Node> {
    let mut items = Vec::with_capacity(list.len()?);
    for (i, item) in list.try_iter()?.enumerate() {
        items.push(read_at(&format!("{path}[{i}]"), &item?, depth + 1)?);
    }
    let number = |node: &Node| match node {
        Node::Number(x) => Some(*x),
        _ => None,
    };
    Ok(match items.iter().map(number).collect() {
        Some(numbers) => Node::Numbers(numbers),
        None => Node::List(items),
    })
}

fn read_array(path: &str, value: &Bound<PyAny>) -> PyResult<Node> {
    let argument = Argument::new(path, value);
    let Numbers { shape, values } = argument.numbers()?;
    match shape[..] {
        [] => Ok(values.first().map_or(Node::Null, |x| Node::Number(*x))),
        [_] => Ok(Node::Numbers(values)),
        [0, _] => Ok(Node::Numbers(vec![])),
        [rows, 0] => Ok(Node::List(vec![Node::Numbers(vec![]); rows])),
        [_, columns] => {
            let rows = values.chunks_exact(columns).map(|row| Node::Numbers(row.to_vec()));
            Ok(Node::List(rows.collect()))
        }
        _ => {
            Err(argument.refuse_shape(&shape, "no array of a problem has more than two dimensions"))
        }
    }
}

/// A matrix of SciPy as triplets.
fn read_sparse(path: &str, value: &Bound<PyAny>) -> PyResult<Node> {
    let py = value.py();
    let entries = value.call_method0(intern!(py, "tocoo"))?;
    let part = |attribute: &str, key: &str| {
        let part = entries.getattr(attribute)?;
        Ok::<_, PyErr>((key.to_owned(), Node::Numbers(Argument::new(path, &part).list()?)))
    };
    Ok(Node::Table(vec![part("row", "rows")?, part("col", "cols")?, part("data", "values")?]))
}
