//! Numbers from whatever Python calls an array.

use crate::errors::{bad_argument, refusal};
use carom::ImpactError;
use carom_io::format::MATRIX_LIMIT;
use numpy::{
    PyArrayDescrMethods, PyArrayDyn, PyArrayMethods, PyUntypedArray, PyUntypedArrayMethods,
};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyFloat, PyInt};

/// An argument of a function and its name.
#[derive(Clone, Copy)]
pub struct Argument<'a, 'py> {
    /// What its caller knows it as.
    pub name: &'a str,
    /// What was given.
    pub value: &'a Bound<'py, PyAny>,
}

/// Numbers row by row, whatever their order in memory was.
pub struct Numbers {
    /// Their lengths, outermost first; none for a single number.
    pub shape: Vec<usize>,
    /// All of them.
    pub values: Vec<f64>,
}

impl<'a, 'py> Argument<'a, 'py> {
    /// An argument.
    pub fn new(name: &'a str, value: &'a Bound<'py, PyAny>) -> Self {
        Self { name, value }
    }

    /// Why it is not accepted.
    pub fn refuse(&self, value: impl ToString, reason: &str) -> PyErr {
        bad_argument(self.value.py(), self.name, value, reason)
    }

    /// Why its shape is not accepted.
    pub fn refuse_shape(&self, shape: &[usize], reason: &str) -> PyErr {
        self.refuse(format!("an array of shape {}", spelled(shape)), reason)
    }

    /// A plain number, if it is one: the common case of `mu` and `e`.
    pub fn scalar(&self) -> Option<f64> {
        let value = self.value;
        let plain = value.is_instance_of::<PyFloat>()
            || value.is_instance_of::<PyInt>() && !value.is_instance_of::<PyBool>();
        plain.then(|| value.extract().ok()).flatten()
    }

    /// Numbers of any shape and layout. Whole numbers become floats; what is no number is refused.
    pub fn numbers(&self) -> PyResult<Numbers> {
        match self.value.cast::<PyArrayDyn<f64>>() {
            Ok(array) if is_readable(array) => {
                // Numbers that are hidden must not be read.
                if array.hasattr(intern!(array.py(), "mask"))? {
                    return Err(self.refuse("a masked array", "must be real numbers, all of them"));
                }
                self.copied(array)
            }
            _ => self.copied(&self.converted()?),
        }
    }

    /// A list of numbers.
    pub fn list(&self) -> PyResult<Vec<f64>> {
        let Numbers { shape, values } = self.numbers()?;
        match shape.len() {
            1 => Ok(values),
            _ => Err(self.refuse_shape(&shape, "must be one list of numbers")),
        }
    }

    /// A matrix with this many columns: its rows, and its entries row by row.
    pub fn matrix(&self, columns: usize, why: &str) -> PyResult<(usize, Vec<f64>)> {
        let Numbers { shape, values } = self.numbers()?;
        match shape[..] {
            [rows, found] if found == columns => Ok((rows, values)),
            _ => Err(self.refuse_shape(&shape, &format!("must be (rows, {columns}): {why}"))),
        }
    }

    /// What is no array of floats yet.
    fn converted(&self) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
        let py = self.value.py();
        let numpy = numpy_module(py)?;
        let described = || {
            let name = self.value.get_type().name();
            name.map_or_else(|_| "an object".to_owned(), |name| format!("a {name}"))
        };
        let wanted = "must be real numbers";
        let array = numpy.call_method1(intern!(py, "asarray"), (self.value,)).map_err(|error| {
            self.refuse(described(), &format!("is no array: {}", error.value(py)))
        })?;
        let untyped =
            array.cast::<PyUntypedArray>().map_err(|_| self.refuse(described(), wanted))?;
        let dtype = untyped.dtype();
        if !b"iuf".contains(&dtype.kind()) {
            let value = format!("an array of dtype {dtype}");
            return Err(self.refuse(value, wanted));
        }
        self.check_size(untyped.shape())?;
        let floats = array.call_method1(intern!(py, "astype"), (intern!(py, "float64"),))?;
        Ok(floats.cast_into::<PyArrayDyn<f64>>()?)
    }

    fn copied(&self, array: &Bound<PyArrayDyn<f64>>) -> PyResult<Numbers> {
        let shape = array.shape().to_vec();
        self.check_size(&shape)?;
        let borrowed = array.try_readonly()?;
        let values = match borrowed.as_slice() {
            // Numbers without gaps may still stand column by column.
            Ok(values) if array.is_c_contiguous() => values.to_vec(),
            _ => borrowed.as_array().iter().copied().collect(),
        };
        Ok(Numbers { shape, values })
    }

    /// A view of one row may pretend to be more rows than there is memory: refused before anything is copied.
    fn check_size(&self, shape: &[usize]) -> PyResult<()> {
        check_size(self.value.py(), self.name, shape)
    }
}

/// Refuses an array that no problem of sensible size has, before memory is asked for.
pub fn check_size(py: Python, name: &str, shape: &[usize]) -> PyResult<()> {
    let size = shape.iter().try_fold(1_usize, |size, length| size.checked_mul(*length));
    match size {
        Some(size) if size <= MATRIX_LIMIT => Ok(()),
        _ => {
            let shape = spelled(shape);
            let message =
                format!("{name} has shape {shape}; an array may have {MATRIX_LIMIT} entries");
            Err(refusal(py, &ImpactError::Limit(message)))
        }
    }
}

/// Whether every number stands where the processor reads numbers from: fields of records may not.
pub fn is_readable(array: &Bound<PyArrayDyn<f64>>) -> bool {
    const SIZE: usize = size_of::<f64>();
    let aligned = |distance: isize| distance.unsigned_abs().is_multiple_of(SIZE);
    array.data().is_aligned() && array.strides().iter().all(|stride| aligned(*stride))
}

/// NumPy itself, looked up once.
pub fn numpy_module(py: Python<'_>) -> PyResult<&Bound<'_, PyModule>> {
    static NUMPY: PyOnceLock<Py<PyModule>> = PyOnceLock::new();
    let numpy = NUMPY.get_or_try_init(py, || py.import("numpy").map(Bound::unbind))?;
    Ok(numpy.bind(py))
}

/// A shape as Python writes it.
pub fn spelled(shape: &[usize]) -> String {
    match shape {
        [length] => format!("({length},)"),
        _ => {
            let lengths: Vec<String> = shape.iter().map(usize::to_string).collect();
            format!("({})", lengths.join(", "))
        }
    }
}
