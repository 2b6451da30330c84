//! Problems of every form, as files have them.

use crate::arguments::Surfaces;
use crate::arrays::{Argument, check_size};
use crate::certificate::Certificate;
use crate::errors::{OrRaise, failure};
use crate::html;
use crate::interpreter::Interpreter;
use crate::law::{self, Choice};
use crate::node;
use crate::outcome::{ImpactSystem, Outcome};
use crate::resolve::{Mechanism, read_separating};
use crate::value::{array, document, locked, matrix};
use carom_io::format::Node;
use carom_io::input::Source;
use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::PathBuf;
use std::sync::Arc;

/// An impact in any form of the problem format: contact space, generalized coordinates, bodies, or a chain.
///
/// Values are those of problem files; NumPy arrays may stand for lists, and SciPy's sparse matrices for a Jacobian.
/// A problem does not change: its arrays are closed to writing. ``to_dict()`` gives the values to make another one of.
///
/// Examples
/// --------
/// Newton's cradle, one ball coming in:
///
/// >>> import carom
/// >>> cradle = carom.Problem({"chain": {"mass": [1, 1, 1], "velocity": [1, 0, 0], "e": 1}})
/// >>> print(cradle.resolve("sequential").velocity)
/// [0. 0. 1.]
#[pyclass(frozen, module = "carom")]
pub struct Problem {
    /// What it says.
    pub inner: Arc<carom_io::format::Problem>,
    /// The problem as it was given.
    pub document: Node,
}

impl Problem {
    fn read(py: Python, document: Node) -> PyResult<Self> {
        let inner = py.detach(|| carom_io::format::Problem::read(&document)).or_raise(py)?;
        Ok(Self { inner: Arc::new(inner), document })
    }

    /// The judgement on an impulse.
    pub fn judged(&self, py: Python, impulse: &[f64]) -> PyResult<carom::Certificate> {
        let judged = py.detach(|| carom::certify(&self.inner.system, impulse));
        judged.map(|(certificate, _)| certificate).or_raise(py)
    }

    /// The contacts.
    pub fn contacts(&self) -> &carom::ContactProblem {
        self.inner.system.problem()
    }
}

#[pymethods]
impl Problem {
    #[new]
    #[pyo3(signature = (problem, /))]
    fn new(py: Python, problem: &Bound<PyAny>) -> PyResult<Self> {
        Self::read(py, node::read("", problem)?)
    }

    /// A mechanism in generalized coordinates as a problem; arguments as for :func:`resolve`. `law` is the one it names.
    /// Contacts whose `gap`, a number or one per contact [m], is larger than `proximity` take no part; by default that is a
    /// millimetre.
    ///
    /// >>> import carom
    /// >>> wall = carom.Problem.from_arrays([2.0], [[1.0]], [-3.0], e=0.5)
    /// >>> print(wall.resolve().velocity)
    /// [1.5]
    #[staticmethod]
    #[pyo3(
        signature = (mass, jacobian, velocity, *, mu=None, e, e_t=None, rows=None, bilateral=None, drive=None,
                     stiffness=None, gap=None, proximity=None, separating=None, law=None, title=None),
        text_signature = "(mass, jacobian, velocity, *, mu=0.0, e, e_t=0.0, rows=None, bilateral=None, drive=None, stiffness=None, gap=0.0, proximity=0.001, separating='observe', law=None, title=None)"
    )]
    #[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
    fn from_arrays(
        py: Python,
        mass: &Bound<PyAny>,
        jacobian: &Bound<PyAny>,
        velocity: &Bound<PyAny>,
        mu: Option<&Bound<PyAny>>,
        e: &Bound<PyAny>,
        e_t: Option<&Bound<PyAny>>,
        rows: Option<&Bound<PyAny>>,
        bilateral: Option<&Bound<PyAny>>,
        drive: Option<&Bound<PyAny>>,
        stiffness: Option<&Bound<PyAny>>,
        gap: Option<&Bound<PyAny>>,
        proximity: Option<&Bound<PyAny>>,
        separating: Option<&Bound<PyAny>>,
        law: Option<&Bound<PyAny>>,
        title: Option<String>,
    ) -> PyResult<Self> {
        let surfaces = Surfaces { mu, e, e_t, stiffness, gap, rows };
        let one_contact = law::takes_one_contact(&Choice::of(py, law, None)?);
        let arrays = (mass, jacobian, velocity);
        let mechanism = Mechanism::read(py, arrays, &surfaces, bilateral, drive, one_contact)?;
        let mut entries = mechanism.documented();
        // Words other than these two are refused.
        if let Some(word) = separating {
            read_separating(py, Some(word))?;
            entries.push(("separating".to_owned(), node::read("separating", word)?));
        }
        if let Some(proximity) = proximity {
            entries.push(("proximity".to_owned(), node::read("proximity", proximity)?));
        }
        if let Some(law) = law {
            entries.push(("law".to_owned(), node::read("law", law)?));
        }
        if let Some(title) = title {
            entries.push(("title".to_owned(), Node::Text(title)));
        }
        Self::read(py, Node::Table(entries))
    }

    /// Asks a law: by id, as a dict with ``id`` and settings, or the one that the problem names, or else the default
    /// of :func:`resolve`. Further settings as keywords.
    #[pyo3(
        signature = (law=None, *, trace=false, **settings),
        text_signature = "($self, law=None, *, trace=False, **settings)"
    )]
    fn resolve(
        &self,
        py: Python,
        law: Option<&Bound<PyAny>>,
        trace: bool,
        settings: Option<&Bound<PyDict>>,
    ) -> PyResult<Outcome> {
        let named = self.document.get("law").map(|law| document(py, law)).transpose()?;
        let law = Choice::of(py, law.or(named.as_ref()), settings)?;
        let system = ImpactSystem::Shared(Arc::clone(&self.inner));
        Interpreter::watching(py, move |watch| {
            let law = law.law(system.system().problem())?;
            Outcome::of(system, law, trace, watch)
        })
    }

    /// Judges an impulse, whoever computed it (one number per row, contact by contact, normal first [N·s]).
    #[pyo3(text_signature = "($self, impulse)")]
    fn certify(&self, py: Python, impulse: &Bound<PyAny>) -> PyResult<Certificate> {
        let impulse = Argument::new("impulse", impulse).list()?;
        self.judged(py, &impulse).map(|certificate| Certificate::from(&certificate))
    }

    /// The problem as plain dicts and lists, as a file would have it.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        document(py, &self.document)
    }

    /// One line that names it, or None.
    #[getter]
    fn title(&self) -> Option<&str> {
        self.inner.title.as_deref()
    }

    /// What it shows, or None.
    #[getter]
    fn description(&self) -> Option<&str> {
        self.inner.description.as_deref()
    }

    /// The law it names, or None.
    #[getter]
    fn law<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        document(py, self.document.get("law").unwrap_or(&Node::Null))
    }

    /// The Delassus matrix W = J M⁻¹ Jᵀ, joints folded in, (R, R) [1/kg].
    #[getter]
    fn delassus<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let problem = self.contacts();
        let n = problem.rows();
        check_size(py, "delassus", &[n, n])?;
        let entries: Vec<f64> = (0..n * n).map(|k| problem.delassus_at(k / n, k % n)).collect();
        matrix(py, n, n, entries).map(locked)
    }

    /// Contact velocities before the impact, contact by contact, normal first [m/s].
    #[getter]
    fn contact_velocity<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        array(py, self.contacts().velocity())
    }

    /// Friction of each contact [1].
    #[getter]
    fn mu<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        self.each(py, |k| self.contacts().contacts()[k].material.mu)
    }

    /// Restitution of each contact; a curve is read at the contact's approach speed [1].
    #[getter]
    fn e<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        let problem = self.contacts();
        self.each(py, |k| {
            let approach = -problem.velocity()[problem.row_range(k).start];
            problem.contacts()[k].material.restitution.at(approach.max(0.0))
        })
    }

    /// Tangential restitution of each contact [1].
    #[getter]
    fn e_t<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        self.each(py, |k| self.contacts().contacts()[k].material.e_t)
    }

    /// How many rows each contact owns: 1, 2 or 3.
    #[getter]
    fn rows(&self) -> Vec<usize> {
        self.contacts().contacts().iter().map(|contact| contact.rows).collect()
    }

    fn __len__(&self) -> usize {
        self.contacts().len()
    }

    fn __getnewargs__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>,)> {
        Ok((self.to_dict(py)?,))
    }

    fn _repr_html_<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        html::of("problem", slf)
    }

    fn __repr__(&self) -> String {
        let title = self.title().map_or_else(String::new, |title| format!(" {title:?}"));
        format!(
            "<Problem{title}: {} contacts, {} rows>",
            self.contacts().len(),
            self.contacts().rows()
        )
    }
}

impl Problem {
    fn each<'py>(&self, py: Python<'py>, of: impl Fn(usize) -> f64) -> Bound<'py, PyArray1<f64>> {
        locked(PyArray1::from_iter(py, (0..self.contacts().len()).map(of)))
    }
}

/// A problem, or what makes one.
pub fn problem<'py>(value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, Problem>> {
    match value.cast::<Problem>() {
        Ok(problem) => Ok(problem.clone()),
        Err(_) => Bound::new(value.py(), Problem::new(value.py(), value)?),
    }
}

/// Reads a problem file, JSON or TOML.
///
/// Examples
/// --------
/// >>> import carom
/// >>> problem = carom.load("scenarios/cradle.json")  # doctest: +SKIP
#[pyfunction]
#[pyo3(signature = (path, /))]
pub fn load(py: Python, path: PathBuf) -> PyResult<Problem> {
    let read = py.detach(|| Source::open(&path).and_then(|source| source.parse()));
    Problem::read(py, read.map_err(|error| failure(py, error))?)
}

/// Judges an impulse of any engine on a problem (a :class:`Problem`, or what makes one).
///
/// Examples
/// --------
/// >>> import carom
/// >>> wall = {"delassus": [[1.0]], "contact_velocity": [-1.0], "contacts": [{"e": 0.5}]}
/// >>> carom.certify(wall, [3.0]).violations
/// ['energy']
#[pyfunction]
#[pyo3(signature = (problem, impulse))]
pub fn certify(problem: &Bound<PyAny>, impulse: &Bound<PyAny>) -> PyResult<Certificate> {
    let py = problem.py();
    self::problem(problem)?.get().certify(py, impulse)
}
