//! One impact from arrays: the straight way, without documents.

use crate::arguments::{Surfaces, documented};
use crate::arrays::{Argument, Numbers};
use crate::errors::bad_argument;
use crate::interpreter::Interpreter;
use crate::law::{Choice, takes_one_contact};
use crate::outcome::{ImpactSystem, Outcome};
use carom::contact::Separating;
use carom::system::{Generalized, MassMatrix};
use carom::{ContactProblem, ContactSpec};
use carom_io::format::{AnySystem, Node};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

/// The contact Jacobian, as it came.
enum Jacobian {
    Dense(Vec<f64>),
    Triplets(Vec<(usize, usize, f64)>),
}

/// A mechanism in generalized coordinates, read and checked.
pub struct Mechanism {
    mass: MassMatrix,
    jacobian: Jacobian,
    velocity: Vec<f64>,
    contacts: Vec<ContactSpec>,
    bilateral: Option<Vec<f64>>,
    drive: Option<Vec<f64>>,
}

impl Mechanism {
    /// Reads mass, Jacobian and velocity, and what belongs to them.
    pub fn read(
        py: Python,
        (mass, jacobian, velocity): (&Bound<PyAny>, &Bound<PyAny>, &Bound<PyAny>),
        surfaces: &Surfaces,
        bilateral: Option<&Bound<PyAny>>,
        drive: Option<&Bound<PyAny>>,
        one_contact: bool,
    ) -> PyResult<Self> {
        let velocity = Argument::new("velocity", velocity).list()?;
        let coordinates = velocity.len();
        let why = format!("`velocity` has {coordinates} numbers");
        let mass = read_mass(&Argument::new("mass", mass), coordinates, &why)?;
        let (total, jacobian) =
            read_jacobian(&Argument::new("jacobian", jacobian), coordinates, &why)?;
        let contacts = surfaces.contacts(py, total, "jacobian", one_contact)?;
        let bilateral = match bilateral {
            Some(rows) => Some(Argument::new("bilateral", rows).matrix(coordinates, &why)?.1),
            None => None,
        };
        let drive = match drive {
            Some(drive) => Some(read_drive(&Argument::new("drive", drive), total)?),
            None => None,
        };
        Ok(Self { mass, jacobian, velocity, contacts, bilateral, drive })
    }

    /// The same as a problem file has it.
    pub fn documented(self) -> Vec<(String, Node)> {
        let coordinates = self.velocity.len();
        let rows = |entries: Vec<f64>| {
            let rows = entries.chunks_exact(coordinates.max(1));
            Node::List(rows.map(|row| Node::Numbers(row.to_vec())).collect())
        };
        let mass = match self.mass {
            MassMatrix::Diagonal(entries) => Node::Numbers(entries),
            MassMatrix::Dense(entries) => rows(entries),
        };
        let jacobian = match self.jacobian {
            Jacobian::Dense(entries) => rows(entries),
            Jacobian::Triplets(entries) => {
                let part = |of: fn(&(usize, usize, f64)) -> f64| {
                    Node::Numbers(entries.iter().map(of).collect())
                };
                Node::Table(vec![
                    ("rows".to_owned(), part(|(row, _, _)| *row as f64)),
                    ("cols".to_owned(), part(|(_, column, _)| *column as f64)),
                    ("values".to_owned(), part(|(_, _, x)| *x)),
                ])
            }
        };
        let contacts = documented(&self.contacts);
        let entries = [
            ("mass", Some(mass)),
            ("jacobian", Some(jacobian)),
            ("velocity", Some(Node::Numbers(self.velocity))),
            ("bilateral", self.bilateral.filter(|rows| !rows.is_empty()).map(rows)),
            ("drive", self.drive.map(Node::Numbers)),
            ("contacts", Some(contacts)),
        ];
        let present = entries.into_iter().filter_map(|(key, node)| Some((key.to_owned(), node?)));
        present.collect()
    }
}

/// Resolves an impact of a mechanism in generalized coordinates: M, J, v in, certified velocities and impulses out.
///
/// Parameters
/// ----------
/// mass : (f, f) array, or (f,) for a diagonal mass matrix
/// jacobian : (R, f) array or SciPy sparse matrix
///     Row by row, contact by contact, the normal first: contact velocities are ``u = J v``, and ``u_n < 0`` approaches.
/// velocity : (f,) array
/// mu, e, e_t : number, or (k,) array, one per contact
///     Friction, restitution and tangential restitution. ``e`` may be a dict with ``minimum``, ``capture_speed`` and
///     ``plastic_speed``, or a list of dicts.
/// law : str, Law or dict
///     A law's id (see :func:`laws`), a :class:`Law`, or a dict with ``id`` and settings; further settings as keywords. Default:
///     "chatterjee-ruina" for one contact, "stiff-limit" for several with friction, "sequential" for several without.
/// rows : int or (k,) ints
///     Rows of each contact: 1 (normal only), 2 (planar) or 3. May be left out where it follows from the others: R // k if
///     `mu`, `e`, `e_t` or `stiffness` is an array of k; one contact if `law` takes no more; otherwise contacts of equal size,
///     not of 1 if `mu` or `e_t` is not zero, if that leaves one size only. If it leaves two, `rows` is asked for.
/// bilateral : (b, f) array
///     Rows of joints, whose velocities stay zero.
/// drive : (R,) array
///     Prescribed motion: ``u = J v + drive``.
/// stiffness : number or (k,) array
///     Of contacts relative to each other; few laws read it.
/// separating : "observe" or "refuse"
///     What to do with contacts that separate already.
/// trace : bool
///     Keep how the law came to its answer, for ``Outcome.trace``.
///
/// Examples
/// --------
/// A ball of 2 kg falls on the floor at 3 m/s; the coordinates are those of its centre:
///
/// >>> import numpy as np, carom
/// >>> J = np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
/// >>> out = carom.resolve([2.0, 2.0, 2.0], J, [1.0, 0.0, -3.0], mu=0.1, e=0.5)
/// >>> print(out.velocity.round(6))
/// [0.55 0.   1.5 ]
/// >>> out.certificate.permissible
/// True
#[pyfunction]
#[pyo3(
    signature = (mass, jacobian, velocity, *, mu=None, e, e_t=None, law=None, rows=None, bilateral=None, drive=None,
                 stiffness=None, separating=None, trace=false, **settings),
    text_signature = "(mass, jacobian, velocity, *, mu=0.0, e, e_t=0.0, law=None, rows=None, bilateral=None, drive=None, stiffness=None, separating='observe', trace=False, **settings)"
)]
#[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
pub fn resolve(
    py: Python,
    mass: &Bound<PyAny>,
    jacobian: &Bound<PyAny>,
    velocity: &Bound<PyAny>,
    mu: Option<&Bound<PyAny>>,
    e: &Bound<PyAny>,
    e_t: Option<&Bound<PyAny>>,
    law: Option<&Bound<PyAny>>,
    rows: Option<&Bound<PyAny>>,
    bilateral: Option<&Bound<PyAny>>,
    drive: Option<&Bound<PyAny>>,
    stiffness: Option<&Bound<PyAny>>,
    separating: Option<&Bound<PyAny>>,
    trace: bool,
    settings: Option<&Bound<PyDict>>,
) -> PyResult<Outcome> {
    let law = Choice::of(py, law, settings)?;
    let surfaces = Surfaces { mu, e, e_t, stiffness, gap: None, rows };
    let one_contact = takes_one_contact(&law);
    let arrays = (mass, jacobian, velocity);
    let mechanism = Mechanism::read(py, arrays, &surfaces, bilateral, drive, one_contact)?;
    let separating = read_separating(py, separating)?;
    let work = move |interpreter: &Interpreter| {
        let Mechanism { mass, jacobian, velocity, contacts, bilateral, drive } = mechanism;
        let mut system = match jacobian {
            Jacobian::Dense(entries) => Generalized::new(mass, velocity, entries, contacts),
            Jacobian::Triplets(entries) => {
                Generalized::from_triplets(mass, velocity, &entries, contacts)
            }
        }?;
        if let Some(rows) = bilateral {
            system = system.with_bilateral(rows)?;
        }
        if let Some(drive) = drive {
            system = system.with_drive(drive)?;
        }
        if separating != Separating::default() {
            system = system.with_separating(separating)?;
        }
        let law = law.law(system.problem())?;
        Outcome::of(
            ImpactSystem::Own(Box::new(AnySystem::Generalized(system))),
            law,
            trace,
            interpreter,
        )
    };
    Interpreter::watching(py, work)
}

/// Resolves an impact in contact space: Delassus matrix and contact velocities in, certified impulses out.
///
/// Parameters
/// ----------
/// delassus : (R, R) array
///     ``W = J M⁻¹ Jᵀ``, contact by contact, the normal first [1/kg].
/// contact_velocity : (R,) array
///     Before the impact; ``u_n < 0`` approaches [m/s].
/// mu, e, e_t, law, rows, stiffness, separating, trace :
///     As for :func:`resolve`.
///
/// Examples
/// --------
/// A disk skids onto the floor:
///
/// >>> import carom
/// >>> out = carom.resolve_contact([[1.0, 0.0], [0.0, 3.0]], [-1.0, 2.0], mu=0.25, e=0.5)
/// >>> print(out.impulse.round(6), out.contact_velocity.round(6))
/// [ 1.5   -0.375] [0.5   0.875]
#[pyfunction]
#[pyo3(
    signature = (delassus, contact_velocity, *, mu=None, e, e_t=None, law=None, rows=None, stiffness=None,
                 separating=None, trace=false, **settings),
    text_signature = "(delassus, contact_velocity, *, mu=0.0, e, e_t=0.0, law=None, rows=None, stiffness=None, separating='observe', trace=False, **settings)"
)]
#[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
pub fn resolve_contact(
    py: Python,
    delassus: &Bound<PyAny>,
    contact_velocity: &Bound<PyAny>,
    mu: Option<&Bound<PyAny>>,
    e: &Bound<PyAny>,
    e_t: Option<&Bound<PyAny>>,
    law: Option<&Bound<PyAny>>,
    rows: Option<&Bound<PyAny>>,
    stiffness: Option<&Bound<PyAny>>,
    separating: Option<&Bound<PyAny>>,
    trace: bool,
    settings: Option<&Bound<PyDict>>,
) -> PyResult<Outcome> {
    let velocity = Argument::new("contact_velocity", contact_velocity).list()?;
    let total = velocity.len();
    let why = format!("`contact_velocity` has {total} numbers");
    let argument = Argument::new("delassus", delassus);
    let (found, delassus) = argument.matrix(total, &why)?;
    if found != total {
        let reason = format!("must be ({total}, {total}): {why}");
        return Err(argument.refuse_shape(&[found, total], &reason));
    }
    let law = Choice::of(py, law, settings)?;
    let surfaces = Surfaces { mu, e, e_t, stiffness, gap: None, rows };
    let contacts = surfaces.contacts(py, total, "contact_velocity", takes_one_contact(&law))?;
    let separating = read_separating(py, separating)?;
    let work = move |interpreter: &Interpreter| {
        let problem = ContactProblem::new(&delassus, &velocity, &contacts)?;
        let problem = problem.with_separating(separating)?;
        let law = law.law(&problem)?;
        let system = Box::new(AnySystem::ContactSpace(problem));
        Outcome::of(ImpactSystem::Own(system), law, trace, interpreter)
    };
    Interpreter::watching(py, work)
}

fn read_mass(mass: &Argument, coordinates: usize, why: &str) -> PyResult<MassMatrix> {
    let Numbers { shape, values } = mass.numbers()?;
    match shape[..] {
        [n] if n == coordinates => Ok(MassMatrix::Diagonal(values)),
        [n, m] if n == coordinates && m == coordinates => Ok(MassMatrix::Dense(values)),
        _ => {
            let n = coordinates;
            Err(mass.refuse_shape(&shape, &format!("must be ({n}, {n}) or ({n},): {why}")))
        }
    }
}

/// How many rows there are, and the entries.
fn read_jacobian(
    jacobian: &Argument,
    coordinates: usize,
    why: &str,
) -> PyResult<(usize, Jacobian)> {
    let py = jacobian.value.py();
    let dense = || jacobian.matrix(coordinates, why);
    // Arrays have no such method, and asking costs little.
    if !jacobian.value.hasattr(intern!(py, "tocoo"))? {
        return dense().map(|(rows, entries)| (rows, Jacobian::Dense(entries)));
    }
    let (rows, columns): (usize, usize) =
        jacobian.value.getattr(intern!(py, "shape"))?.extract()?;
    if columns != coordinates {
        let reason = format!("must be (rows, {coordinates}): {why}");
        return Err(jacobian.refuse_shape(&[rows, columns], &reason));
    }
    let entries = jacobian.value.call_method0(intern!(py, "tocoo"))?;
    let row: Vec<usize> = entries.getattr(intern!(py, "row"))?.extract()?;
    let col: Vec<usize> = entries.getattr(intern!(py, "col"))?.extract()?;
    let data = Argument::new(jacobian.name, &entries.getattr(intern!(py, "data"))?).list()?;
    let entries = row.into_iter().zip(col).zip(data).map(|((i, j), x)| (i, j, x)).collect();
    Ok((rows, Jacobian::Triplets(entries)))
}

fn read_drive(drive: &Argument, rows: usize) -> PyResult<Vec<f64>> {
    let values = drive.list()?;
    match values.len() == rows {
        true => Ok(values),
        false => {
            Err(drive.refuse_shape(&[values.len()], &format!("must be ({rows},): one per row")))
        }
    }
}

pub fn read_separating(py: Python, separating: Option<&Bound<PyAny>>) -> PyResult<Separating> {
    let Some(separating) = separating else { return Ok(Separating::default()) };
    let word = separating.cast::<PyString>().ok().and_then(|word| word.to_cow().ok());
    match word.as_deref() {
        Some("observe") => Ok(Separating::Observe),
        Some("refuse") => Ok(Separating::Refuse),
        _ => {
            let reason = "must be \"observe\" or \"refuse\"";
            Err(bad_argument(py, "separating", separating, reason))
        }
    }
}
