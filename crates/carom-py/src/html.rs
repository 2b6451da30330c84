//! What notebooks show; the pages themselves are written in `carom/_html.py`.

use pyo3::prelude::*;

/// The HTML of an object, by the function of `carom._html` that makes it.
pub fn of<'py, T>(function: &str, object: &Bound<'py, T>) -> PyResult<Bound<'py, PyAny>> {
    object.py().import("carom._html")?.call_method1(function, (object.as_any(),))
}
