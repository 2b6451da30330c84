//! Many laws on one problem, functions of Python among them.

use crate::arrays::Argument;
use crate::errors::OrRaise;
use crate::interpreter::Interpreter;
use crate::law;
use crate::problem::{Problem, problem};
use crate::value::numbered;
use carom::catalog::{self, AnyRow};
use carom::{AnyLaw, Certificate, ContactProblem, Verdict};
use carom_io::answer::verdict_name;
use carom_io::format::{After, LawSpec};
use carom_io::resolution::judge;
use carom_report::comparison::{COMPLIANT_LIMIT, Comparison};
use carom_report::words::row_names;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// One line of the comparison.
struct Line<'a> {
    law: &'a str,
    reads_e: &'a str,
    impulse: &'a [f64],
    velocity: &'a [f64],
    certificate: &'a Certificate,
    after: &'a After,
    distance: Option<f64>,
}

/// Rows of numbers, one per law that answers, and why the others do not: law → message.
#[pyfunction]
#[pyo3(signature = (problem, laws=None, extra=None))]
pub fn compare_rows<'py>(
    problem: &Bound<'py, PyAny>,
    laws: Option<Vec<Bound<'py, PyAny>>>,
    extra: Option<&Bound<'py, PyDict>>,
) -> PyResult<(Vec<Bound<'py, PyDict>>, Bound<'py, PyDict>)> {
    let py = problem.py();
    let problem = self::problem(problem)?;
    let posed = problem.get();
    let contacts = posed.contacts();
    let comparison = ask(py, posed, laws)?;
    let (mut rows, absent) = (Vec::new(), PyDict::new(py));
    for entry in &comparison.answers {
        let r = &entry.resolution;
        let line = Line {
            law: r.law.id(),
            reads_e: r.law.row().reads_e().name(),
            impulse: &r.outcome.impulse,
            velocity: &r.outcome.velocity,
            certificate: &r.certificate,
            after: &r.after,
            distance: comparison.distance_to(COMPLIANT_LIMIT, contacts, &r.outcome.impulse),
        };
        rows.push(line.written(py, contacts)?);
    }
    for (row, error) in &comparison.absent {
        absent.set_item(row.id(), error.to_string())?;
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
        let (certificate, after) = judge(&posed.inner.system, &impulse).or_raise(py)?;
        let line = Line {
            law: &name,
            reads_e: "",
            impulse: &impulse,
            velocity: &contacts.velocity_after(&impulse),
            certificate: &certificate,
            after: &after,
            distance: comparison.distance_to(COMPLIANT_LIMIT, contacts, &impulse),
        };
        rows.push(line.written(py, contacts)?);
    }
    Ok((rows, absent))
}

/// Asks the laws that were named, or all of them.
fn ask(py: Python, problem: &Problem, laws: Option<Vec<Bound<PyAny>>>) -> PyResult<Comparison> {
    let laws: Option<Vec<(AnyRow, LawSpec)>> = match laws {
        None => None,
        Some(laws) => {
            let named = laws.iter().map(|law| {
                let spec = law::spec(law, None)?;
                let row = catalog::all().find(|row| row.id() == spec.id);
                match row {
                    Some(row) => Ok((row, spec)),
                    // The catalogue knows what to say of a law that it does not have.
                    None => AnyLaw::from_id(&spec.id).map(|law| (law.row(), spec)).or_raise(py),
                }
            });
            Some(named.collect::<PyResult<_>>()?)
        }
    };
    let inner = &problem.inner;
    Interpreter::watching(py, |interpreter| {
        Ok(match laws {
            Some(laws) => Comparison::of_laws(inner, laws, interpreter),
            None => Comparison::shown(inner, interpreter),
        })
    })
}

fn is_no_answer(py: Python, error: &PyErr) -> PyResult<bool> {
    error.value(py).is_instance(&py.import("carom._errors")?.getattr("NoAnswer")?)
}

impl Line<'_> {
    /// The columns of `carom compare --csv`.
    fn written<'py>(
        &self,
        py: Python<'py>,
        problem: &ContactProblem,
    ) -> PyResult<Bound<'py, PyDict>> {
        let names = row_names(problem);
        let c = self.certificate;
        let row = PyDict::new(py);
        row.set_item("law", self.law)?;
        row.set_item("reads_e", self.reads_e)?;
        for (name, p) in names.iter().zip(self.impulse) {
            row.set_item(format!("impulse_{name}"), p)?;
        }
        for (name, u) in names.iter().zip(self.velocity) {
            row.set_item(format!("contact_velocity_{name}"), u)?;
        }
        for (k, e) in c.e_kinematic.iter().enumerate() {
            row.set_item(numbered("e_kinematic", k, problem.len()), e)?;
        }
        row.set_item("energy_change", c.energy_change)?;
        row.set_item("energy_available", c.energy_available)?;
        row.set_item("verdict", verdict_name(&c.verdict))?;
        let violated = match &c.verdict {
            Verdict::Violates(which) => which.iter().map(|i| i.name()).collect::<Vec<_>>(),
            Verdict::Permissible | Verdict::Boundary => vec![],
        };
        row.set_item("violates", violated.join(" "))?;
        if let Some(distance) = self.distance {
            row.set_item("distance_to_stiff_limit", distance)?;
        }
        for (name, x) in self.after.columns() {
            row.set_item(name, x)?;
        }
        Ok(row)
    }
}
