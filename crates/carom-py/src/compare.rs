//! Many laws on one problem, functions of Python among them.

use crate::arrays::Argument;
use crate::errors::OrRaise;
use crate::interpreter::Interpreter;
use crate::law;
use crate::problem::{Problem, problem};
use carom::catalog::{self, LawInfo};

use carom::Law;
use carom_io::format::LawSpec;
use carom_report::columns::{Foreign, Line, Table, Value};
use carom_report::comparison::Comparison;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Rows of numbers, one per law that answers, and why the others do not: law → message.
#[pyfunction]
#[pyo3(signature = (problem, laws=None, extra=None, progress=None))]
pub fn compare_rows<'py>(
    problem: &Bound<'py, PyAny>,
    laws: Option<Vec<Bound<'py, PyAny>>>,
    extra: Option<&Bound<'py, PyDict>>,
    progress: Option<Py<PyAny>>,
) -> PyResult<(Vec<Bound<'py, PyDict>>, Bound<'py, PyDict>)> {
    let py = problem.py();
    let problem = self::problem(problem)?;
    let posed = problem.get();
    let contacts = posed.contacts();
    let comparison = ask(py, posed, laws, progress)?;
    let (mut foreign, absent) = (Vec::new(), PyDict::new(py));
    for (row, error) in &comparison.absent {
        absent.set_item(row.id, error.to_string())?;
    }
    for (name, function) in extra.into_iter().flatten() {
        let name = name.str()?.to_string();
        let impulse = match function.call1((&problem,)) {
            Ok(impulse) => impulse,
            // A law may have no answer; anything else that it raises is a fault of its own.
            Err(error) if is_no_answer(py, &error)? => {
                absent.set_item(&name, error.value(py).str()?)?;
                continue;
            }
            Err(error) => return Err(error),
        };
        let impulse = Argument::new(&format!("impulse of `{name}`"), &impulse).list()?;
        let (certificate, after) = carom::certify(&posed.inner.system, &impulse).or_raise(py)?;
        let velocity = contacts.velocity_after(&impulse);
        foreign.push(Foreign { law: name, impulse, velocity, certificate, after });
    }
    let table = Table::of(&comparison, contacts).with_foreign(&comparison, &foreign);
    let data = table.data();
    let row = |line: &Line| {
        let row = PyDict::new(py);
        for (names, values) in &data {
            for (name, value) in names.iter().zip(values(line)) {
                match value {
                    Value::Number(x) => row.set_item(name, x)?,
                    Value::Text(text) => row.set_item(name, text)?,
                }
            }
        }
        Ok(row)
    };
    let rows = table.lines.iter().map(row).collect::<PyResult<_>>()?;
    Ok((rows, absent))
}

/// The answers of the laws that were named, or of all.
fn ask(
    py: Python,
    problem: &Problem,
    laws: Option<Vec<Bound<PyAny>>>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Comparison> {
    let laws: Option<Vec<(&'static LawInfo, LawSpec)>> = match laws {
        None => None,
        Some(laws) => {
            let named = laws.iter().map(|law| {
                let spec = law::spec(law, None)?;
                let row = catalog::all().find(|row| row.id == spec.id);
                match row {
                    Some(row) => Ok((row, spec)),
                    // The catalogue knows what to say of a law that it does not have.
                    None => Law::from_id(&spec.id).map(|law| (law.info(), spec)).or_raise(py),
                }
            });
            Some(named.collect::<PyResult<_>>()?)
        }
    };
    let inner = &problem.inner;
    Interpreter::reporting(py, progress, |interpreter| {
        Ok(match laws {
            Some(laws) => Comparison::of_laws(inner, laws, interpreter),
            None => Comparison::with_progress(inner, interpreter),
        })
    })
}

fn is_no_answer(py: Python, error: &PyErr) -> PyResult<bool> {
    error.value(py).is_instance(&py.import("carom._errors")?.getattr("NoAnswer")?)
}
