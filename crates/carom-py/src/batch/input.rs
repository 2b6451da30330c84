//! Arrays of a batch: looked up, checked, borrowed where they are.

use super::order::Order;
use crate::arrays::{Argument, Numbers, is_readable, numpy_module, spelled};
use crate::errors::{OrRaise, bad_argument, refusal};
use carom::ImpactError;
use carom_batch::{Columns, ContactRows, MassColumn, Mechanism, OF_PROBLEM, Parameter, RowHints};
use numpy::ndarray::Axis;
use numpy::{
    PyArray1, PyArrayDescrMethods, PyArrayDyn, PyArrayMethods, PyReadonlyArrayDyn, PyUntypedArray,
    PyUntypedArrayMethods,
};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// An array that is not as it should be in memory is copied, up to so many numbers: a gigabyte \[1\].
const COPY_LIMIT: usize = 1 << 27;

/// What the mapping may hold besides columns: how many rows each contact owns.
const ROWS: &str = "rows";

/// An array of doubles, in one of the [`Order`]s.
struct Column<'py> {
    name: &'static str,
    array: PyReadonlyArrayDyn<'py, f64>,
}

impl<'py> Column<'py> {
    /// An entry of the mapping, if it is there, row by row: it is borrowed if it is an array of doubles that stands so;
    /// otherwise it is copied once.
    fn find(arrays: &Bound<'py, PyDict>, name: &'static str) -> PyResult<Option<Self>> {
        Self::in_any_order(arrays, name)?.map(Self::in_rows).transpose()
    }

    /// An entry of the mapping, if it is there, borrowed in whichever order it has; copied once if it has none.
    fn in_any_order(arrays: &Bound<'py, PyDict>, name: &'static str) -> PyResult<Option<Self>> {
        let py = arrays.py();
        let Some(value) = arrays.get_item(name)?.filter(|value| !value.is_none()) else {
            return Ok(None);
        };
        let masked = value.hasattr(intern!(py, "mask"))?;
        if let Ok(array) = value.cast::<PyArrayDyn<f64>>()
            && [Order::Rows, Order::Components].iter().any(|order| order.is_that_of(array))
            && is_readable(array)
            && !masked
        {
            return Ok(Some(Self { name, array: array.try_readonly()? }));
        }
        let argument = Argument::new(name, &value);
        let array = match value.cast::<PyUntypedArray>() {
            Ok(array) if !masked && b"iuf".contains(&array.dtype().kind()) => copied(name, array)?,
            _ => {
                let Numbers { shape, values } = argument.numbers()?;
                PyArray1::from_vec(py, values).reshape(shape)?
            }
        };
        Ok(Some(Self { name, array: array.readonly() }))
    }

    /// Itself, or a copy that stands row by row.
    fn in_rows(self) -> PyResult<Self> {
        if self.is_in(Order::Rows) {
            return Ok(self);
        }
        let array = copied(self.name, self.array.as_untyped())?.readonly();
        Ok(Self { array, ..self })
    }

    fn is_in(&self, order: Order) -> bool {
        order.is_that_of(&self.array)
    }

    fn required(arrays: &Bound<'py, PyDict>, name: &'static str, why: &str) -> PyResult<Self> {
        Self::required_in_any_order(arrays, name, why)?.in_rows()
    }

    fn required_in_any_order(
        arrays: &Bound<'py, PyDict>,
        name: &'static str,
        why: &str,
    ) -> PyResult<Self> {
        let found = Self::in_any_order(arrays, name)?;
        found.ok_or_else(|| bad_argument(arrays.py(), name, "(absent)", why))
    }

    fn shape(&self) -> &[usize] {
        self.array.shape()
    }

    fn refuse(&self, py: Python, reason: &str) -> PyErr {
        let value = format!("an array of shape {}", spelled(self.shape()));
        bad_argument(py, self.name, value, reason)
    }

    /// The numbers of an array that stands row by row.
    fn values(&self) -> PyResult<&[f64]> {
        Ok(self.array.as_slice()?)
    }

    /// The K components of an array that stands component by component, the last index moving first.
    fn components<const K: usize>(&self) -> PyResult<[&[f64]; K]> {
        let component = |mut k: usize| {
            let mut view = self.array.as_array();
            while view.ndim() > 1 {
                let last = Axis(view.ndim() - 1);
                let length = view.len_of(last);
                view = view.index_axis_move(last, k % length);
                k /= length;
            }
            view.to_slice()
        };
        let components: Option<Vec<&[f64]>> = (0..K).map(component).collect();
        let components = components.and_then(|components| components.try_into().ok());
        components.ok_or_else(|| self.refuse(self.array.py(), "has gaps"))
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

/// A copy, row by row.
fn copied<'py>(
    name: &str,
    array: &Bound<'py, PyUntypedArray>,
) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
    let py = array.py();
    let size = array.shape().iter().try_fold(1_usize, |n, length| n.checked_mul(*length));
    if size.is_none_or(|size| size > COPY_LIMIT) {
        let message = format!(
            "{name} has shape {} and would have to be copied; only arrays of float64 in C order, or for one contact in \
             space in F order, may have more than {COPY_LIMIT} numbers",
            spelled(array.shape())
        );
        return Err(refusal(py, &ImpactError::Limit(message)));
    }
    let numpy = numpy_module(py)?;
    // Fields of records stand where processors do not read: `ascontiguousarray` alone would leave them.
    let copy = numpy.call_method1(intern!(py, "array"), (array, intern!(py, "float64")))?;
    Ok(numpy.call_method1(intern!(py, "ascontiguousarray"), (copy,))?.cast_into()?)
}

/// The mapping, its entries looked up and their shapes checked.
pub(super) struct Input<'py> {
    count: usize,
    contacts: Vec<usize>,
    coordinates: Option<usize>,
    /// That of `space`, and of the answers.
    pub(super) order: Order,
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

    /// Whether an impact has a number other than zero.
    fn is_somewhere_set(&self) -> PyResult<bool> {
        Ok(match self {
            Self::Common(x) => *x != 0.0,
            Self::PerImpact(column) | Self::PerContact(column) => {
                column.values()?.iter().any(|x| *x != 0.0)
            }
        })
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
    /// Answers stand as these arrays do; `wanted` is what the caller's own arrays for answers admit, `one_contact` whether
    /// the law takes no more.
    pub(super) fn read(
        arrays: &Bound<'py, PyDict>,
        wanted: Order,
        one_contact: bool,
    ) -> PyResult<Self> {
        let py = arrays.py();
        for key in arrays.keys() {
            let key = key.str()?.to_string();
            let known = || OF_PROBLEM.into_iter().chain([ROWS]);
            if !known().any(|name| name == key) {
                let near = carom::catalog::nearest(&key, known());
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
        let [mu, _, e_t] = &parameters;
        let hints = RowHints {
            materials: parameters.iter().find_map(Given::contacts),
            tangents: mu.is_somewhere_set()? || e_t.is_somewhere_set()?,
            one_contact,
        };
        let contacts_of = |count: usize, rows: usize| -> PyResult<Vec<usize>> {
            // A batch without impacts misreads none.
            let hints = RowHints { tangents: hints.tangents || count == 0, ..hints };
            let said = arrays.get_item("rows")?.filter(|value| !value.is_none());
            contact_rows(said.as_ref())?.of(rows, hints).or_raise(py)
        };
        let input = if generalized {
            Self::generalized(arrays, parameters, contacts_of)?
        } else {
            Self::contact_space(arrays, parameters, contacts_of, wanted)?
        };
        for parameter in &input.parameters {
            parameter.check(py, input.count, input.contacts.len())?;
        }
        Ok(input)
    }

    fn contact_space(
        arrays: &Bound<'py, PyDict>,
        parameters: [Given<'py>; 3],
        contacts_of: impl Fn(usize, usize) -> PyResult<Vec<usize>>,
        wanted: Order,
    ) -> PyResult<Self> {
        let py = arrays.py();
        let why = "give `delassus` and `contact_velocity`, or `mass`, `jacobian` and `velocity`";
        let velocity = Column::required_in_any_order(arrays, "contact_velocity", why)?;
        let delassus = Column::required_in_any_order(arrays, "delassus", why)?;
        let [count, rows] = velocity.shape()[..] else {
            return Err(velocity.refuse(py, "must be (N, R)"));
        };
        let why = "as contact_velocity is (N, R)";
        delassus.check(py, count, &[rows, rows], why)?;
        let contacts = contacts_of(count, rows)?;
        let both_in = |order| delassus.is_in(order) && velocity.is_in(order);
        let by_component = wanted == Order::Components
            && contacts == [3]
            && both_in(Order::Components)
            && !both_in(Order::Rows);
        let (order, space) = match by_component {
            true => (Order::Components, [delassus, velocity]),
            false => (Order::Rows, [delassus.in_rows()?, velocity.in_rows()?]),
        };
        let (space, generalized) = (Some(space), None);
        Ok(Self { count, contacts, coordinates: None, order, space, generalized, parameters })
    }

    fn generalized(
        arrays: &Bound<'py, PyDict>,
        parameters: [Given<'py>; 3],
        contacts_of: impl Fn(usize, usize) -> PyResult<Vec<usize>>,
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
        let contacts = contacts_of(count, rows)?;
        let generalized = Some(GeneralizedColumns { mass, jacobian, velocity, bilateral, drive });
        let (coordinates, order, space) = (Some(f), Order::Rows, None);
        Ok(Self { count, contacts, coordinates, order, space, generalized, parameters })
    }

    pub(super) fn columns(&self, py: Python) -> PyResult<Columns<'_>> {
        let mechanism = match (&self.space, &self.generalized) {
            (Some([delassus, velocity]), _) if self.order == Order::Components => {
                Mechanism::Components {
                    delassus: delassus.components()?,
                    contact_velocity: velocity.components()?,
                }
            }
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
pub(super) fn contact_rows(value: Option<&Bound<PyAny>>) -> PyResult<ContactRows> {
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
