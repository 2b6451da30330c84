//! Many impacts at once: NumPy's memory goes in and out as it is.

use crate::arrays::{Argument, Numbers, is_readable, numpy_module, spelled};
use crate::errors::{OrRaise, bad_argument, refusal};
use crate::interpreter::Interpreter;
use crate::law;
use carom::{AnyLaw, ImpactError};
use carom_batch::{
    Answers, BatchError, CertificateColumns, Columns, ContactRows, Judgement, MassColumn,
    Mechanism, OF_PROBLEM, Parameter, RowError, Shape, arrow, resolve,
};
use carom_io::spectator::Spectator;
use numpy::{
    PyArray1, PyArrayDescrMethods, PyArrayDyn, PyArrayMethods, PyReadonlyArrayDyn,
    PyReadwriteArrayDyn, PyUntypedArray, PyUntypedArrayMethods,
};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use pyo3_arrow::PyRecordBatch;
use std::ops::ControlFlow;

/// An array that is not as it should be in memory is copied, up to so many numbers: a gigabyte \[1\].
const COPY_LIMIT: usize = 1 << 27;

/// What the mapping may hold besides columns: how many rows each contact owns.
const ROWS: &str = "rows";

/// An array of doubles without gaps, row by row.
struct Column<'py> {
    name: &'static str,
    array: PyReadonlyArrayDyn<'py, f64>,
}

impl<'py> Column<'py> {
    /// An entry of the mapping, if it is there. It is borrowed as it is if it is an array of doubles without gaps, row by
    /// row; otherwise it is copied once.
    fn find(arrays: &Bound<'py, PyDict>, name: &'static str) -> PyResult<Option<Self>> {
        let py = arrays.py();
        let Some(value) = arrays.get_item(name)?.filter(|value| !value.is_none()) else {
            return Ok(None);
        };
        let masked = value.hasattr(intern!(py, "mask"))?;
        if let Ok(array) = value.cast::<PyArrayDyn<f64>>()
            && array.is_c_contiguous()
            && is_readable(array)
            && !masked
        {
            return Ok(Some(Self { name, array: array.try_readonly()? }));
        }
        let argument = Argument::new(name, &value);
        let array = match value.cast::<PyUntypedArray>() {
            Ok(array) if !masked && b"iuf".contains(&array.dtype().kind()) => {
                let size =
                    array.shape().iter().try_fold(1_usize, |n, length| n.checked_mul(*length));
                if size.is_none_or(|size| size > COPY_LIMIT) {
                    let message = format!(
                        "{name} has shape {} and would have to be copied; only arrays of float64 in C order may have \
                         more than {COPY_LIMIT} numbers",
                        spelled(array.shape())
                    );
                    return Err(refusal(py, &ImpactError::Limit(message)));
                }
                let numpy = numpy_module(py)?;
                let float = intern!(py, "float64");
                // Fields of records stand where processors do not read: `ascontiguousarray` alone would leave them.
                let copy = numpy.call_method1(intern!(py, "array"), (array, float))?;
                numpy.call_method1(intern!(py, "ascontiguousarray"), (copy,))?.cast_into()?
            }
            _ => {
                let Numbers { shape, values } = argument.numbers()?;
                PyArray1::from_vec(py, values).reshape(shape)?
            }
        };
        Ok(Some(Self { name, array: array.readonly() }))
    }

    fn required(arrays: &Bound<'py, PyDict>, name: &'static str, why: &str) -> PyResult<Self> {
        let found = Self::find(arrays, name)?;
        found.ok_or_else(|| bad_argument(arrays.py(), name, "(absent)", why))
    }

    fn shape(&self) -> &[usize] {
        self.array.shape()
    }

    fn refuse(&self, py: Python, reason: &str) -> PyErr {
        let value = format!("an array of shape {}", spelled(self.shape()));
        bad_argument(py, self.name, value, reason)
    }

    /// The numbers. An array whose shape was accepted has no gaps.
    fn values(&self) -> PyResult<&[f64]> {
        Ok(self.array.as_slice()?)
    }

    /// Refuses a shape that does not begin with the number of impacts and go on with these lengths.
    fn check(&self, py: Python, count: usize, lengths: &[usize], why: &str) -> PyResult<()> {
        let wanted: Vec<usize> = [count].into_iter().chain(lengths.iter().copied()).collect();
        if self.shape() == wanted {
            return Ok(());
        }
        Err(self.refuse(py, &format!("must be {}: {why}", spelled(&wanted))))
    }
}

/// The mapping, its entries looked up and their shapes checked.
struct Input<'py> {
    count: usize,
    contacts: Vec<usize>,
    coordinates: Option<usize>,
    /// `delassus` and `contact_velocity`, or `mass`, `jacobian`, `velocity`, `bilateral`, `drive`.
    space: Option<[Column<'py>; 2]>,
    generalized: Option<GeneralizedColumns<'py>>,
    parameters: [Given<'py>; 3],
}

struct GeneralizedColumns<'py> {
    mass: Column<'py>,
    jacobian: Column<'py>,
    velocity: Column<'py>,
    bilateral: Option<Column<'py>>,
    drive: Option<Column<'py>>,
}

/// A number of contacts.
enum Given<'py> {
    Common(f64),
    PerImpact(Column<'py>),
    PerContact(Column<'py>),
}

impl<'py> Given<'py> {
    fn read(
        arrays: &Bound<'py, PyDict>,
        name: &'static str,
        default: Option<f64>,
    ) -> PyResult<Self> {
        let py = arrays.py();
        let value = arrays.get_item(name)?.filter(|value| !value.is_none());
        match (&value, default) {
            (None, Some(default)) => return Ok(Self::Common(default)),
            (None, None) => return Err(bad_argument(py, name, "(absent)", "required")),
            (Some(value), _) => {
                if let Some(number) = Argument::new(name, value).scalar() {
                    return Ok(Self::Common(number));
                }
            }
        }
        let column = Column::required(arrays, name, "required")?;
        match column.shape() {
            [] => Ok(Self::Common(column.values()?[0])),
            [_] => Ok(Self::PerImpact(column)),
            [_, _] => Ok(Self::PerContact(column)),
            _ => Err(column.refuse(py, "must be one number, (N,), or (N, k) for k contacts")),
        }
    }

    /// How many contacts it knows of.
    fn contacts(&self) -> Option<usize> {
        match self {
            Self::PerContact(column) => column.shape().get(1).copied(),
            _ => None,
        }
    }

    fn check(&self, py: Python, count: usize, contacts: usize) -> PyResult<()> {
        match self {
            Self::Common(_) => Ok(()),
            Self::PerImpact(column) => column.check(py, count, &[], "one per impact"),
            Self::PerContact(column) => {
                column.check(py, count, &[contacts], "one per contact of each impact")
            }
        }
    }

    fn parameter(&self) -> PyResult<Parameter<'_>> {
        Ok(match self {
            Self::Common(x) => Parameter::Common(*x),
            Self::PerImpact(column) => Parameter::PerImpact(column.values()?),
            Self::PerContact(column) => Parameter::PerContact(column.values()?),
        })
    }
}

impl<'py> Input<'py> {
    fn read(arrays: &Bound<'py, PyDict>) -> PyResult<Self> {
        let py = arrays.py();
        for key in arrays.keys() {
            let key = key.str()?.to_string();
            let known = || OF_PROBLEM.into_iter().chain([ROWS]);
            if !known().any(|name| name == key) {
                let near = carom::law::nearest(&key, known());
                let reason = near.map_or_else(
                    || {
                        format!(
                            "unknown; the arrays are {}",
                            known().collect::<Vec<_>>().join(", ")
                        )
                    },
                    |near| format!("unknown; did you mean `{near}`?"),
                );
                return Err(bad_argument(py, &key, "(given)", &reason));
            }
        }
        let given = |name: &str| -> PyResult<bool> {
            Ok(arrays.get_item(name)?.is_some_and(|value| !value.is_none()))
        };
        let generalized = given("mass")? || given("jacobian")?;
        if generalized && (given("delassus")? || given("contact_velocity")?) {
            let reason = "give `delassus` and `contact_velocity`, or `mass`, `jacobian` and `velocity`, not both";
            return Err(bad_argument(py, "arrays", "delassus and mass", reason));
        }
        let parameters = [
            Given::read(arrays, "mu", Some(0.0))?,
            Given::read(arrays, "e", None)?,
            Given::read(arrays, "e_t", Some(0.0))?,
        ];
        let materials = parameters.iter().find_map(Given::contacts);
        let contacts_of = |rows: usize| -> PyResult<Vec<usize>> {
            let said = arrays.get_item("rows")?.filter(|value| !value.is_none());
            contact_rows(said.as_ref())?.of(rows, materials).or_raise(py)
        };
        let input = if generalized {
            Self::generalized(arrays, parameters, contacts_of)?
        } else {
            Self::contact_space(arrays, parameters, contacts_of)?
        };
        for parameter in &input.parameters {
            parameter.check(py, input.count, input.contacts.len())?;
        }
        Ok(input)
    }

    fn contact_space(
        arrays: &Bound<'py, PyDict>,
        parameters: [Given<'py>; 3],
        contacts_of: impl Fn(usize) -> PyResult<Vec<usize>>,
    ) -> PyResult<Self> {
        let py = arrays.py();
        let why = "give `delassus` and `contact_velocity`, or `mass`, `jacobian` and `velocity`";
        let velocity = Column::required(arrays, "contact_velocity", why)?;
        let delassus = Column::required(arrays, "delassus", why)?;
        let [count, rows] = velocity.shape()[..] else {
            return Err(velocity.refuse(py, "must be (N, R)"));
        };
        let why = "as contact_velocity is (N, R)";
        delassus.check(py, count, &[rows, rows], why)?;
        let contacts = contacts_of(rows)?;
        let space = Some([delassus, velocity]);
        Ok(Self { count, contacts, coordinates: None, space, generalized: None, parameters })
    }

    fn generalized(
        arrays: &Bound<'py, PyDict>,
        parameters: [Given<'py>; 3],
        contacts_of: impl Fn(usize) -> PyResult<Vec<usize>>,
    ) -> PyResult<Self> {
        let py = arrays.py();
        let why = "give `mass`, `jacobian` and `velocity`";
        let velocity = Column::required(arrays, "velocity", why)?;
        let mass = Column::required(arrays, "mass", why)?;
        let jacobian = Column::required(arrays, "jacobian", why)?;
        let [count, f] = velocity.shape()[..] else {
            return Err(velocity.refuse(py, "must be (N, f)"));
        };
        let why = "as velocity is (N, f)";
        match mass.shape() {
            [n, m] if (*n, *m) == (count, f) => {}
            _ => mass.check(py, count, &[f, f], &format!("{why}; or (N, f) for diagonals"))?,
        }
        let rows = jacobian.shape().get(1).copied().unwrap_or(0);
        jacobian.check(py, count, &[rows, f], why)?;
        let bilateral = Column::find(arrays, "bilateral")?;
        if let Some(bilateral) = &bilateral {
            let rows = bilateral.shape().get(1).copied().unwrap_or(0);
            bilateral.check(py, count, &[rows, f], why)?;
        }
        let drive = Column::find(arrays, "drive")?;
        if let Some(drive) = &drive {
            drive.check(py, count, &[rows], "as jacobian is (N, R, f)")?;
        }
        let contacts = contacts_of(rows)?;
        let generalized = Some(GeneralizedColumns { mass, jacobian, velocity, bilateral, drive });
        Ok(Self { count, contacts, coordinates: Some(f), space: None, generalized, parameters })
    }

    fn columns(&self, py: Python) -> PyResult<Columns<'_>> {
        let mechanism = match (&self.space, &self.generalized) {
            (Some([delassus, velocity]), _) => Mechanism::ContactSpace {
                delassus: delassus.values()?,
                contact_velocity: velocity.values()?,
            },
            (None, Some(columns)) => Mechanism::Generalized {
                coordinates: self.coordinates.unwrap_or(0),
                mass: match columns.mass.shape().len() {
                    2 => MassColumn::Diagonal(columns.mass.values()?),
                    _ => MassColumn::Full(columns.mass.values()?),
                },
                jacobian: columns.jacobian.values()?,
                velocity: columns.velocity.values()?,
                bilateral: columns.bilateral.as_ref().map(Column::values).transpose()?,
                drive: columns.drive.as_ref().map(Column::values).transpose()?,
            },
            (None, None) => return Err(bad_argument(py, "arrays", "{}", "nothing impacts")),
        };
        let [mu, e, e_t] = &self.parameters;
        let parameters = [mu.parameter()?, e.parameter()?, e_t.parameter()?];
        Columns::new(self.count, self.contacts.clone(), mechanism, parameters).or_raise(py)
    }
}

/// Rows of contacts as a caller gives them: one number for all, or one for each.
fn contact_rows(value: Option<&Bound<PyAny>>) -> PyResult<ContactRows> {
    let Some(value) = value else { return Ok(ContactRows::Unsaid) };
    let argument = Argument::new("rows", value);
    let Numbers { shape, values } = argument.numbers()?;
    if let Some(x) = values.iter().find(|x| ![1.0, 2.0, 3.0].contains(x)) {
        return Err(argument.refuse(x, "must be 1, 2 or 3"));
    }
    let rows: Vec<usize> = values.iter().map(|x| *x as usize).collect();
    match (&shape[..], &rows[..]) {
        ([], [each]) => Ok(ContactRows::Common(*each)),
        ([_], _) => Ok(ContactRows::Each(rows)),
        _ => Err(argument.refuse_shape(&shape, "must be one number, or one per contact")),
    }
}

/// Columns for the answers, in NumPy's memory.
struct Output<'py> {
    arrays: Vec<(&'static str, Bound<'py, PyArrayDyn<f64>>)>,
}

impl<'py> Output<'py> {
    /// Impulses alone.
    fn impulses(
        py: Python<'py>,
        shape: &Shape,
        given: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Self> {
        let size = vec![shape.count, shape.rows];
        let impulse = match given {
            Some(value) => reused(value, "out", &size)?,
            None => fresh(py, size)?,
        };
        Ok(Self { arrays: vec![("impulse", impulse)] })
    }

    /// Takes the arrays that are given, and asks for memory where none are.
    fn new(
        py: Python<'py>,
        shape: &Shape,
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
            let given = given.map(|given| given.get_item(name)).transpose()?.flatten();
            let array = match given.filter(|value| !value.is_none()) {
                Some(value) => reused(&value, &format!("out.{name}"), &size)?,
                None => fresh(py, size)?,
            };
            Ok((name, array))
        };
        Ok(Self { arrays: sizes.into_iter().map(array).collect::<PyResult<_>>()? })
    }

    /// The arrays, to be written to by nobody else.
    fn borrow(&self, py: Python) -> PyResult<Vec<(&'static str, PyReadwriteArrayDyn<'py, f64>)>> {
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

/// NumPy's own way of asking for memory says in Python's words that there is none.
fn fresh(py: Python, size: Vec<usize>) -> PyResult<Bound<PyArrayDyn<f64>>> {
    let empty = numpy_module(py)?.getattr(intern!(py, "empty"))?;
    Ok(empty.call1((size,))?.cast_into()?)
}

/// An array that answers may be written to.
fn reused<'py>(
    value: &Bound<'py, PyAny>,
    name: &str,
    size: &[usize],
) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
    let py = value.py();
    let wanted = format!("must be an array of float64 in C order of shape {}", spelled(size));
    match value.cast::<PyArrayDyn<f64>>() {
        Ok(array) if array.shape() != size => {
            let given = format!("an array of shape {}", spelled(array.shape()));
            Err(bad_argument(py, name, given, &wanted))
        }
        Ok(array) if array.is_c_contiguous() && is_readable(array) => Ok(array.clone()),
        Ok(_) => Err(bad_argument(py, name, "an array with gaps", &wanted)),
        Err(_) => Err(bad_argument(py, name, value.get_type().name()?, &wanted)),
    }
}

/// See `carom.batch.resolve`, which gives the answers a shape.
#[pyfunction(name = "_batch_resolve")]
#[pyo3(signature = (arrays, law, settings, threads, certify, out=None))]
pub fn batch_resolve<'py>(
    py: Python<'py>,
    arrays: &Bound<'py, PyDict>,
    law: &Bound<'py, PyAny>,
    settings: Option<&Bound<'py, PyDict>>,
    threads: Option<i64>,
    certify: bool,
    out: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyDict>> {
    let law = law::build(law, settings)?;
    let threads = thread_count(py, threads)?;
    let input = Input::read(arrays)?;
    let columns = input.columns(py)?;
    let output = Output::new(py, columns.shape(), certify, out)?;
    let mut verdicts = vec![Judgement::Unanswered; if certify { columns.shape().count } else { 0 }];
    let errors = {
        let mut borrowed = output.borrow(py)?;
        let answers = answers(&mut borrowed, certify, &mut verdicts)?;
        work(py, |poll| resolve(&columns, &law, answers, threads, poll))?
    };
    let result = PyDict::new(py);
    for (name, array) in output.arrays {
        result.set_item(name, array)?;
    }
    if certify {
        let codes: Vec<u8> = verdicts.iter().map(|verdict| *verdict as u8).collect();
        result.set_item("verdict", PyArray1::from_vec(py, codes))?;
    }
    let errors: Vec<(usize, String)> =
        errors.iter().map(|error: &RowError| (error.row, error.text())).collect();
    result.set_item("failures", errors)?;
    Ok(result)
}

/// See `carom.batch.impulses`.
#[pyfunction(name = "_batch_impulses")]
#[pyo3(signature = (arrays, law, settings, threads, out=None))]
pub fn batch_impulses<'py>(
    py: Python<'py>,
    arrays: &Bound<'py, PyDict>,
    law: &Bound<'py, PyAny>,
    settings: Option<&Bound<'py, PyDict>>,
    threads: Option<i64>,
    out: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
    let law = law::build(law, settings)?;
    let threads = thread_count(py, threads)?;
    let input = Input::read(arrays)?;
    let columns = input.columns(py)?;
    let mut output = Output::impulses(py, columns.shape(), out)?;
    {
        let mut borrowed = output.borrow(py)?;
        let answers = answers(&mut borrowed, false, &mut [])?;
        work(py, |poll| resolve(&columns, &law, answers, threads, poll))?;
    }
    Ok(output.arrays.swap_remove(0).1)
}

/// See `carom.batch.resolve_arrow`.
#[pyfunction(name = "_batch_resolve_arrow")]
#[pyo3(signature = (batch, law, settings, threads, rows))]
pub fn batch_resolve_arrow(
    py: Python,
    batch: PyRecordBatch,
    law: &Bound<PyAny>,
    settings: Option<&Bound<PyDict>>,
    threads: Option<i64>,
    rows: Option<&Bound<PyAny>>,
) -> PyResult<PyRecordBatch> {
    let law: AnyLaw = law::build(law, settings)?;
    let threads = thread_count(py, threads)?;
    let rows = contact_rows(rows)?;
    let batch = batch.into_inner();
    work(py, |poll| arrow::resolve(&batch, &law, &rows, threads, poll)).map(PyRecordBatch::new)
}

fn thread_count(py: Python, threads: Option<i64>) -> PyResult<usize> {
    match threads {
        None => Ok(0),
        Some(threads) => usize::try_from(threads)
            .ok()
            .filter(|threads| *threads > 0)
            .ok_or_else(|| bad_argument(py, "threads", threads, "must be at least 1, or None")),
    }
}

/// Works without the interpreter's lock, but hears of Ctrl-C.
fn work<T: Send>(
    py: Python,
    batch: impl FnOnce(&mut dyn FnMut(usize) -> ControlFlow<()>) -> Result<T, BatchError> + Send,
) -> PyResult<T> {
    Interpreter::watching(py, |interpreter| {
        let mut poll = |_done: usize| match interpreter.interrupted() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        };
        batch(&mut poll).map_err(|error| match error {
            BatchError::Columns(error) => error,
            interrupted => ImpactError::Limit(interrupted.to_string()),
        })
    })
}

/// The columns of an [`Output`]; those it does not have are empty.
fn answers<'a>(
    arrays: &'a mut [(&'static str, PyReadwriteArrayDyn<f64>)],
    certify: bool,
    verdict: &'a mut [Judgement],
) -> PyResult<Answers<'a>> {
    let mut answers = Answers::default();
    let mut judged = CertificateColumns { verdict, ..CertificateColumns::default() };
    for (name, array) in arrays {
        let column = array.as_slice_mut()?;
        match *name {
            "impulse" => answers.impulse = column,
            "contact_velocity" => answers.contact_velocity = column,
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
