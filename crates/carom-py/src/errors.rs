//! carom's refusals as exceptions of Python.
//!
//! The classes stand in `carom/_errors.py`: there they can have two bases each, attributes, and survive pickling.

use carom::ImpactError;
use carom_io::failure::Failure;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyTuple;

static CLASSES: PyOnceLock<Py<PyModule>> = PyOnceLock::new();

/// An exception of `carom/_errors.py`: its message first, then what its class keeps besides.
fn exception<'py>(
    py: Python<'py>,
    class: &str,
    arguments: impl IntoPyObject<'py, Target = PyTuple, Output = Bound<'py, PyTuple>, Error = PyErr>,
) -> PyErr {
    let make = || {
        let classes =
            CLASSES.get_or_try_init(py, || Ok::<_, PyErr>(py.import("carom._errors")?.unbind()))?;
        classes.bind(py).getattr(class)?.call1(arguments.into_pyobject(py)?)
    };
    match make() {
        Ok(value) => PyErr::from_value(value),
        Err(error) => error,
    }
}

/// What the library refused.
pub fn refusal(py: Python, error: &ImpactError) -> PyErr {
    let message = error.to_string();
    match error {
        ImpactError::BadProblem { field, value, reason } => {
            exception(py, "BadProblem", (message, field, value, reason))
        }
        ImpactError::UnknownLaw { id, suggestion } => {
            exception(py, "UnknownLaw", (message, id, suggestion))
        }
        ImpactError::BadSetting { law, setting, reason } => {
            exception(py, "BadSetting", (message, law, setting, reason))
        }
        ImpactError::NotApplicable { law, reason } => {
            exception(py, "NotApplicable", (message, law, reason))
        }
        ImpactError::NoSolution { law, reason } => {
            exception(py, "NoSolution", (message, law, reason))
        }
        ImpactError::NotConverged { law, residual, iterations } => {
            exception(py, "NotConverged", (message, law, residual, iterations))
        }
        ImpactError::Limit(_) => exception(py, "LimitError", (message,)),
    }
}

/// What went wrong with a file.
pub fn failure(py: Python, failure: Failure) -> PyErr {
    match failure {
        Failure::Impact(error) => refusal(py, &error),
        Failure::Io { name, error } | Failure::Write { name, error } => {
            std::io::Error::new(error.kind(), format!("{name}: {error}")).into()
        }
        Failure::Parse { message, .. } => exception(py, "ParseError", (message,)),
        Failure::Usage(message) => exception(py, "InputError", (message,)),
    }
}

/// An argument that is not acceptable.
pub fn bad_argument(py: Python, field: &str, value: impl ToString, reason: &str) -> PyErr {
    refusal(py, &ImpactError::bad_problem(field, value, reason))
}

/// What a function of Python is told where the library refuses.
pub trait OrRaise<T> {
    /// The value, or the exception that says why there is none.
    fn or_raise(self, py: Python) -> PyResult<T>;
}

impl<T> OrRaise<T> for Result<T, ImpactError> {
    fn or_raise(self, py: Python) -> PyResult<T> {
        self.map_err(|error| refusal(py, &error))
    }
}
