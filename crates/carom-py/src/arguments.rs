//! Contacts from arguments that hold one number for all of them, or one for each.

use crate::arrays::{Argument, Numbers};
use crate::errors::{OrRaise, bad_argument, refusal};
use carom::{ContactSpec, ImpactError, Material, Restitution};
use carom_batch::{RowHints, contact_rows};
use carom_io::format::Node;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};

/// What a curve of restitution over the approach speed has.
const CURVE: [&str; 3] = ["minimum", "capture_speed", "plastic_speed"];

/// What belongs to contacts, as a caller gives it.
pub struct Surfaces<'a, 'py> {
    pub mu: Option<&'a Bound<'py, PyAny>>,
    pub e: &'a Bound<'py, PyAny>,
    pub e_t: Option<&'a Bound<'py, PyAny>>,
    pub stiffness: Option<&'a Bound<'py, PyAny>>,
    pub gap: Option<&'a Bound<'py, PyAny>>,
    pub rows: Option<&'a Bound<'py, PyAny>>,
}

/// One value for all contacts, or one for each.
enum PerContact<T> {
    Common(T),
    Each(Vec<T>),
}

impl<T: Copy> PerContact<T> {
    fn len(&self) -> Option<usize> {
        match self {
            Self::Common(_) => None,
            Self::Each(values) => Some(values.len()),
        }
    }

    fn at(&self, k: usize) -> Option<T> {
        match self {
            Self::Common(value) => Some(*value),
            Self::Each(values) => values.get(k).copied(),
        }
    }
}

impl Surfaces<'_, '_> {
    /// The contacts that share `total` rows of the argument `sized_by`; `one_contact` if the law takes no more.
    pub fn contacts(
        &self,
        py: Python,
        total: usize,
        sized_by: &str,
        one_contact: bool,
    ) -> PyResult<Vec<ContactSpec>> {
        if total == 0 {
            return Err(bad_argument(py, sized_by, "0 rows", "there must be at least one contact"));
        }
        let mu = numbers("mu", self.mu, 0.0)?;
        let e = restitution(self.e)?;
        let e_t = numbers("e_t", self.e_t, 0.0)?;
        let stiffness = numbers("stiffness", self.stiffness, 1.0)?;
        let gap = numbers("gap", self.gap, 0.0)?;
        let lengths = [
            ("mu", mu.len()),
            ("e", e.len()),
            ("e_t", e_t.len()),
            ("stiffness", stiffness.len()),
            ("gap", gap.len()),
        ];
        let some = |given: &PerContact<f64>| matches!(given, PerContact::Common(x) if *x != 0.0);
        let tangents = some(&mu) || some(&e_t);
        let rows = self.rows(py, total, sized_by, &lengths, (tangents, one_contact))?;
        let wrong = lengths.iter().find(|(_, length)| length.is_some_and(|n| n != rows.len()));
        if let Some((name, Some(length))) = wrong {
            let reason = format!("must be one number, or one for each of {} contacts", rows.len());
            return Err(bad_argument(py, name, format!("{length} numbers"), &reason));
        }
        let named = |error: ImpactError, k: usize| match error {
            ImpactError::BadProblem { field, value, reason } => {
                let (name, rest) = field.split_at(field.find('.').unwrap_or(field.len()));
                let each = lengths.iter().any(|(n, length)| *n == name && length.is_some());
                let index = if each { format!("[{k}]") } else { String::new() };
                ImpactError::BadProblem { field: format!("{name}{index}{rest}"), value, reason }
            }
            other => other,
        };
        let spec = |(k, rows): (usize, &usize)| {
            // Lengths were compared above, so every contact has its numbers.
            let material = Material {
                mu: mu.at(k)?,
                restitution: e.at(k)?,
                e_t: e_t.at(k)?,
                stiffness: stiffness.at(k)?,
                ..Material::default()
            };
            let contact = ContactSpec { gap: gap.at(k)?, ..ContactSpec::new(*rows, material) };
            Some(contact.validated().map_err(|error| named(error, k)))
        };
        let specs: Result<Vec<ContactSpec>, ImpactError> =
            rows.iter().enumerate().filter_map(spec).collect();
        specs.or_raise(py)
    }

    /// How many rows each contact owns.
    fn rows(
        &self,
        py: Python,
        total: usize,
        sized_by: &str,
        lengths: &[(&str, Option<usize>)],
        (tangents, one_contact): (bool, bool),
    ) -> PyResult<Vec<usize>> {
        let known = lengths.iter().find_map(|(name, length)| Some((*name, (*length)?)));
        let refuse = |value: String, reason: &str| bad_argument(py, "rows", value, reason);
        let Some(rows) = self.rows else {
            let materials = known.map(|(_, count)| count);
            let hints = RowHints { materials, tangents, one_contact };
            return contact_rows(total, hints).map_err(|error| match (error, known) {
                (ImpactError::BadProblem { reason, .. }, known) => {
                    let reason = format!("the {total} rows of `{sized_by}` {reason}");
                    match known {
                        Some((name, k)) => bad_argument(py, name, format!("{k} numbers"), &reason),
                        None => refuse("None".into(), &reason),
                    }
                }
                (other, _) => refusal(py, &other),
            });
        };
        let argument = Argument::new("rows", rows);
        let Numbers { shape, values } = argument.numbers()?;
        let whole = |x: f64| match x {
            1.0 => Ok(1),
            2.0 => Ok(2),
            3.0 => Ok(3),
            _ => Err(refuse(x.to_string(), "must be 1, 2 or 3")),
        };
        match (&shape[..], &values[..]) {
            ([], [common]) => {
                let common = whole(*common)?;
                if !total.is_multiple_of(common) {
                    let reason =
                        format!("`{sized_by}` has {total} rows, which this does not divide");
                    return Err(refuse(common.to_string(), &reason));
                }
                Ok(vec![common; total / common])
            }
            ([_], each) => {
                let rows = each.iter().map(|x| whole(*x)).collect::<PyResult<Vec<usize>>>()?;
                let sum: usize = rows.iter().sum();
                if sum != total {
                    let reason = format!("`{sized_by}` has {total} rows");
                    return Err(refuse(format!("{sum} rows together"), &reason));
                }
                Ok(rows)
            }
            _ => Err(argument.refuse_shape(&shape, "must be one number, or one per contact")),
        }
    }
}

/// Contacts as a problem file has them.
pub fn documented(contacts: &[ContactSpec]) -> Node {
    let document = |contact: &ContactSpec| {
        let Material { mu, restitution, e_t, stiffness, .. } = contact.material;
        let e = match restitution {
            Restitution::Curve { minimum, capture_speed, plastic_speed } => {
                let speeds = [minimum, capture_speed, plastic_speed];
                let entries = CURVE.iter().zip(speeds);
                Node::Table(entries.map(|(key, x)| ((*key).to_owned(), Node::Number(x))).collect())
            }
            constant => Node::Number(constant.at(0.0)),
        };
        let numbers = [
            ("mu", mu, 0.0),
            ("e_t", e_t, 0.0),
            ("stiffness", stiffness, 1.0),
            ("gap", contact.gap, 0.0),
        ];
        let mut entries =
            vec![("rows".to_owned(), Node::Number(contact.rows as f64)), ("e".to_owned(), e)];
        let said = numbers.iter().filter(|(_, x, default)| x != default);
        entries.extend(said.map(|(key, x, _)| ((*key).to_owned(), Node::Number(*x))));
        Node::Table(entries)
    };
    Node::List(contacts.iter().map(document).collect())
}

fn numbers(name: &str, value: Option<&Bound<PyAny>>, default: f64) -> PyResult<PerContact<f64>> {
    let Some(value) = value else { return Ok(PerContact::Common(default)) };
    let argument = Argument::new(name, value);
    if let Some(number) = argument.scalar() {
        return Ok(PerContact::Common(number));
    }
    let Numbers { shape, values } = argument.numbers()?;
    match (&shape[..], &values[..]) {
        ([], [common]) => Ok(PerContact::Common(*common)),
        ([_], _) => Ok(PerContact::Each(values)),
        _ => Err(argument.refuse_shape(&shape, "must be one number, or one per contact")),
    }
}

/// `e`: numbers, or curves over the approach speed, as tables of the problem format.
fn restitution(e: &Bound<PyAny>) -> PyResult<PerContact<Restitution>> {
    if let Ok(curve) = e.cast::<PyDict>() {
        return read_curve("e", curve).map(PerContact::Common);
    }
    let list = e.is_instance_of::<PyList>() || e.is_instance_of::<PyTuple>();
    if list && e.try_iter()?.any(|item| item.is_ok_and(|item| item.is_instance_of::<PyDict>())) {
        let each = e.try_iter()?.enumerate().map(|(k, item)| {
            let (item, name) = (item?, format!("e[{k}]"));
            match item.cast::<PyDict>() {
                Ok(curve) => read_curve(&name, curve),
                Err(_) => match Argument::new(&name, &item).scalar() {
                    Some(number) => Ok(Restitution::Constant(number)),
                    None => Err(Argument::new(&name, &item).refuse(
                        item.str()?,
                        "must be a number or a dict {minimum, capture_speed, plastic_speed}",
                    )),
                },
            }
        });
        return Ok(PerContact::Each(each.collect::<PyResult<_>>()?));
    }
    Ok(match numbers("e", Some(e), 0.0)? {
        PerContact::Common(e) => PerContact::Common(Restitution::Constant(e)),
        PerContact::Each(e) => PerContact::Each(e.into_iter().map(Restitution::Constant).collect()),
    })
}

fn read_curve(name: &str, curve: &Bound<PyDict>) -> PyResult<Restitution> {
    let py = curve.py();
    for key in curve.keys() {
        let key = key.str()?.to_string();
        if !CURVE.contains(&key.as_str()) {
            let reason = format!("unknown key; a curve has: {}", CURVE.join(", "));
            return Err(bad_argument(py, &format!("{name}.{key}"), "(given)", &reason));
        }
    }
    let number = |key: &str| {
        let field = format!("{name}.{key}");
        match curve.get_item(key)? {
            Some(value) => Argument::new(&field, &value)
                .scalar()
                .ok_or_else(|| bad_argument(py, &field, &value, "must be a number")),
            None => Err(bad_argument(py, &field, "(absent)", "required")),
        }
    };
    let [minimum, capture_speed, plastic_speed] = CURVE.map(number);
    Ok(Restitution::Curve {
        minimum: minimum?,
        capture_speed: capture_speed?,
        plastic_speed: plastic_speed?,
    })
}
