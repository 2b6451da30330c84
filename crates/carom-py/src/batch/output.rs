//! Arrays that answers are written to.

use super::order::Order;
use crate::arrays::{is_readable, numpy_module, spelled};
use crate::errors::bad_argument;
use carom_batch::{Answers, CertificateColumns, Judgement, Shape, Vectors};
use numpy::{PyArrayDyn, PyArrayMethods, PyReadwriteArrayDyn, PyUntypedArrayMethods};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Answers with as many numbers per impact as contacts have rows.
const VECTORS: [&str; 2] = ["impulse", "contact_velocity"];

/// Columns for the answers, in NumPy's memory.
pub(super) struct Output<'py> {
    pub(super) arrays: Vec<(&'static str, Bound<'py, PyArrayDyn<f64>>)>,
}

impl<'py> Output<'py> {
    /// Impulses alone.
    pub(super) fn impulses(
        py: Python<'py>,
        shape: &Shape,
        order: Order,
        given: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Self> {
        let size = vec![shape.count, shape.rows];
        let impulse = match given {
            Some(value) => reused(value, "out", &size, order)?,
            None => fresh(py, size, order)?,
        };
        Ok(Self { arrays: vec![("impulse", impulse)] })
    }

    /// Takes the arrays that are given, and asks for memory where none are.
    pub(super) fn new(
        py: Python<'py>,
        shape: &Shape,
        order: Order,
        certify: bool,
        given: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Self> {
        let n = shape.count;
        let mut sizes = vec![
            ("impulse", vec![n, shape.rows]),
            ("contact_velocity", vec![n, shape.rows]),
            ("energy_change", vec![n]),
        ];
        sizes.extend(shape.coordinates.map(|f| ("velocity", vec![n, f])));
        if certify {
            sizes.extend([
                ("energy_available", vec![n]),
                ("cone_margin", vec![n]),
                ("separation_margin", vec![n]),
                ("e_kinematic", vec![n, shape.contacts.len()]),
            ]);
        }
        let array = |(name, size): (&'static str, Vec<usize>)| {
            let order = if VECTORS.contains(&name) { order } else { Order::Rows };
            let given = given.map(|given| given.get_item(name)).transpose()?.flatten();
            let array = match given.filter(|value| !value.is_none()) {
                Some(value) => reused(&value, &format!("out.{name}"), &size, order)?,
                None => fresh(py, size, order)?,
            };
            Ok((name, array))
        };
        Ok(Self { arrays: sizes.into_iter().map(array).collect::<PyResult<_>>()? })
    }

    /// The arrays, to be written to here alone.
    pub(super) fn borrow(
        &self,
        py: Python,
    ) -> PyResult<Vec<(&'static str, PyReadwriteArrayDyn<'py, f64>)>> {
        let borrow = |(name, array): &(&'static str, Bound<'py, PyArrayDyn<f64>>)| {
            let array = array.try_readwrite().map_err(|_| {
                let reason = "must be writeable and share no memory with another array";
                bad_argument(py, "out", name, reason)
            })?;
            Ok((*name, array))
        };
        self.arrays.iter().map(borrow).collect()
    }
}

/// The order that arrays of an earlier batch admit: components, unless one of them stands otherwise.
pub(super) fn admitted(given: Option<&Bound<PyDict>>) -> PyResult<Order> {
    let Some(given) = given else { return Ok(Order::Components) };
    for value in VECTORS.map(|name| given.get_item(name)) {
        if value?.is_some_and(|value| admitted_by(&value) == Order::Rows) {
            return Ok(Order::Rows);
        }
    }
    Ok(Order::Components)
}

/// The same for one array, or none.
pub(super) fn admitted_by(value: &Bound<PyAny>) -> Order {
    let array = value.cast::<PyArrayDyn<f64>>();
    match value.is_none() || array.is_ok_and(|array| Order::Components.without_gaps(array)) {
        true => Order::Components,
        false => Order::Rows,
    }
}

/// NumPy's own way of asking for memory says in Python's words that there is none.
fn fresh(py: Python, size: Vec<usize>, order: Order) -> PyResult<Bound<PyArrayDyn<f64>>> {
    let empty = numpy_module(py)?.getattr(intern!(py, "empty"))?;
    Ok(empty.call1((size, intern!(py, "float64"), order.letter()))?.cast_into()?)
}

/// An array that answers may be written to.
fn reused<'py>(
    value: &Bound<'py, PyAny>,
    name: &str,
    size: &[usize],
    order: Order,
) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
    let py = value.py();
    let (letter, size_spelled) = (order.letter(), spelled(size));
    let wanted = format!("must be an array of float64 in {letter} order of shape {size_spelled}");
    match value.cast::<PyArrayDyn<f64>>() {
        Ok(array) if array.shape() != size => {
            let given = format!("an array of shape {}", spelled(array.shape()));
            Err(bad_argument(py, name, given, &wanted))
        }
        Ok(array) if order.without_gaps(array) && is_readable(array) => Ok(array.clone()),
        Ok(_) => Err(bad_argument(py, name, "an array with gaps", &wanted)),
        Err(_) => Err(bad_argument(py, name, value.get_type().name()?, &wanted)),
    }
}

/// The columns of an [`Output`]; those it does not have are empty.
pub(super) fn answers<'a>(
    order: Order,
    arrays: &'a mut [(&'static str, PyReadwriteArrayDyn<f64>)],
    certify: bool,
    verdict: &'a mut [Judgement],
) -> PyResult<Answers<'a>> {
    let mut answers = Answers::default();
    let mut judged = CertificateColumns { verdict, ..CertificateColumns::default() };
    for (name, array) in arrays {
        let column = array.as_slice_mut()?;
        match *name {
            "impulse" => answers.impulse = vectors(order, column),
            "contact_velocity" => answers.contact_velocity = vectors(order, column),
            "velocity" => answers.velocity = column,
            "energy_change" => answers.energy_change = column,
            "energy_available" => judged.energy_available = column,
            "cone_margin" => judged.cone_margin = column,
            "separation_margin" => judged.separation_margin = column,
            _ => judged.e_kinematic = column,
        }
    }
    answers.certificate = certify.then_some(judged);
    Ok(answers)
}

fn vectors(order: Order, column: &mut [f64]) -> Vectors<'_> {
    match order {
        Order::Rows => Vectors::Rows(column),
        Order::Components => {
            let count = column.len() / 3;
            let (normal, tangential) = column.split_at_mut(count);
            let (first, second) = tangential.split_at_mut(count);
            Vectors::Components([normal, first, second])
        }
    }
}
