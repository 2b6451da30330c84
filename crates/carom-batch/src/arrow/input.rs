//! From a record batch to columns.

use super::output::ANSWERS;
use crate::columns::{
    Columns, ContactRows, MassColumn, Mechanism, OF_PROBLEM, Parameter, RowHints,
};
use arrow_array::cast::AsArray;
use arrow_array::types::{self, Float64Type};
use arrow_array::{Array, ArrayRef, OffsetSizeTrait, RecordBatch};
use arrow_buffer::NullBuffer;
use arrow_schema::{DataType, FieldRef};
use carom::ImpactError;
use std::borrow::Cow;
use std::sync::Arc;

/// The numbers of one column.
struct Numbers<'a> {
    values: Cow<'a, [f64]>,
    /// Numbers per row; absent for a column that is no list.
    size: Option<usize>,
    /// Rows that are null, or have a null inside.
    missing: Vec<usize>,
}

/// A record batch, its columns sorted out.
pub(super) struct Input<'a> {
    batch: &'a RecordBatch,
    numbers: Vec<(&'static str, Numbers<'a>)>,
}

impl<'a> Input<'a> {
    pub(super) fn read(batch: &'a RecordBatch) -> Result<Self, ImpactError> {
        let mut numbers = Vec::new();
        for name in OF_PROBLEM {
            if let Some(array) = batch.column_by_name(name) {
                numbers.push((name, Numbers::read(name, array)?));
            }
        }
        Ok(Self { batch, numbers })
    }

    fn get(&self, name: &str) -> Option<&Numbers<'a>> {
        self.numbers.iter().find(|(key, _)| *key == name).map(|(_, numbers)| numbers)
    }

    /// A list that must be there, and its length.
    fn list(&self, name: &'static str) -> Result<(&[f64], usize), ImpactError> {
        let numbers = self.get(name).ok_or_else(|| {
            let reason =
                "give `delassus` and `contact_velocity`, or `mass`, `jacobian` and `velocity`";
            ImpactError::bad_problem(name, "no such column", reason)
        })?;
        match numbers.size {
            Some(size) => Ok((&numbers.values, size)),
            None => Err(ImpactError::bad_problem(name, "a column of numbers", "must be lists")),
        }
    }

    fn optional_list(&self, name: &'static str) -> Result<Option<&[f64]>, ImpactError> {
        match self.get(name) {
            Some(_) => self.list(name).map(|(values, _)| Some(values)),
            None => Ok(None),
        }
    }

    /// The impacts.
    pub(super) fn columns(
        &self,
        contacts: &ContactRows,
        one_contact: bool,
    ) -> Result<Columns<'_>, ImpactError> {
        let count = self.batch.num_rows();
        let some = |name| self.get(name).is_some_and(|x| x.values.iter().any(|x| *x != 0.0));
        let hints = RowHints {
            materials: ["mu", "e", "e_t"].iter().find_map(|name| self.get(name)?.size),
            // A batch without rows misreads none.
            tangents: count == 0 || some("mu") || some("e_t"),
            one_contact,
        };
        let contact_space =
            self.get("delassus").is_some() || self.get("contact_velocity").is_some();
        let generalized = self.get("mass").is_some() || self.get("jacobian").is_some();
        if contact_space && generalized {
            let reason =
                "these are the columns of contact space and of generalized coordinates at once";
            return Err(ImpactError::bad_problem("columns", "delassus and mass", reason));
        }
        let (mechanism, rows) = if generalized {
            let (velocity, f) = self.list("velocity")?;
            let (mass, size) = self.list("mass")?;
            let (jacobian, entries) = self.list("jacobian")?;
            if f == 0 || !entries.is_multiple_of(f) {
                let reason = format!("must be whole rows of {f} coordinates, as velocity has them");
                let value = format!("lists of {entries}");
                return Err(ImpactError::bad_problem("jacobian", value, reason));
            }
            let mechanism = Mechanism::Generalized {
                coordinates: f,
                mass: match size == f {
                    true => MassColumn::Diagonal(mass),
                    false => MassColumn::Full(mass),
                },
                jacobian,
                velocity,
                bilateral: self.optional_list("bilateral")?,
                drive: self.optional_list("drive")?,
            };
            (mechanism, entries / f)
        } else {
            let (contact_velocity, rows) = self.list("contact_velocity")?;
            let (delassus, _) = self.list("delassus")?;
            (Mechanism::ContactSpace { delassus, contact_velocity }, rows)
        };
        let contacts = contacts.of(rows, hints)?;
        let parameters = [
            self.parameter("mu", Some(0.0), contacts.len())?,
            self.parameter("e", None, contacts.len())?,
            self.parameter("e_t", Some(0.0), contacts.len())?,
        ];
        Columns::new(count, contacts, mechanism, parameters)
    }

    fn parameter(
        &self,
        name: &'static str,
        default: Option<f64>,
        contacts: usize,
    ) -> Result<Parameter<'_>, ImpactError> {
        match (self.get(name), default) {
            (Some(Numbers { values, size: None, .. }), _) => Ok(Parameter::PerImpact(values)),
            (Some(Numbers { values, size: Some(size), .. }), _) if *size == contacts => {
                Ok(Parameter::PerContact(values))
            }
            (Some(Numbers { size, .. }), _) => {
                let value = format!("lists of {}", size.unwrap_or(1));
                let reason = format!("there are {contacts} contacts");
                Err(ImpactError::bad_problem(name, value, reason))
            }
            (None, Some(default)) => Ok(Parameter::Common(default)),
            (None, None) => {
                let reason = "restitution must be given, for every row or for each of its contacts";
                Err(ImpactError::bad_problem(name, "no such column", reason))
            }
        }
    }

    /// Rows in which a column of the problem is null, and which.
    pub(super) fn missing(&self) -> impl Iterator<Item = (usize, &'static str)> {
        // Backwards, so that the first column has the last word.
        let columns = self.numbers.iter().rev();
        columns.flat_map(|(name, numbers)| numbers.missing.iter().map(|row| (*row, *name)))
    }

    /// The caller's columns, all of them or those that are not of the problem. Columns of the problem that answers have
    /// too are called by what they hold: `contact_velocity_before`, `velocity_before`.
    pub(super) fn kept(&self, all: bool) -> Result<(Vec<FieldRef>, Vec<ArrayRef>), ImpactError> {
        let schema = self.batch.schema();
        let (mut fields, mut arrays): (Vec<FieldRef>, Vec<ArrayRef>) = Default::default();
        for (field, array) in schema.fields().iter().zip(self.batch.columns()) {
            let (name, of_problem) = (field.name(), OF_PROBLEM.contains(&field.name().as_str()));
            let field = match (ANSWERS.contains(&name.as_str()), of_problem) {
                (_, true) if !all => continue,
                (true, true) => {
                    let name = format!("{name}_before");
                    Arc::new(field.as_ref().clone().with_name(name))
                }
                (true, false) => {
                    let reason = "answers have a column of this name; rename yours";
                    return Err(ImpactError::bad_problem(name, "a column", reason));
                }
                (false, _) => field.clone(),
            };
            if fields.iter().any(|other| other.name() == field.name()) {
                let reason = "two columns would have this name; rename yours";
                return Err(ImpactError::bad_problem(field.name(), "a column", reason));
            }
            fields.push(field);
            arrays.push(array.clone());
        }
        Ok((fields, arrays))
    }
}

impl<'a> Numbers<'a> {
    fn read(name: &str, array: &'a ArrayRef) -> Result<Self, ImpactError> {
        let wrong = |inside: &DataType| {
            let reason = format!("must hold numbers, or lists of one length of them, not {inside}");
            ImpactError::bad_problem(name, array.data_type(), reason)
        };
        match array.data_type() {
            DataType::FixedSizeList(field, size) => {
                let lists = array.as_fixed_size_list();
                let inner = floats(lists.values()).ok_or_else(|| wrong(field.data_type()))?;
                let size = usize::try_from(*size).unwrap_or(0);
                let mut missing = nulls(lists.nulls(), 1);
                missing.extend(nulls(lists.values().nulls(), size));
                let values = match inner {
                    Cow::Borrowed(x) => Cow::Borrowed(x.get(..lists.len() * size).unwrap_or(x)),
                    owned => owned,
                };
                Ok(Self { values, size: Some(size), missing })
            }
            DataType::List(field) => Self::lists::<i32>(name, array, || wrong(field.data_type())),
            DataType::LargeList(field) => {
                Self::lists::<i64>(name, array, || wrong(field.data_type()))
            }
            other => {
                let values = floats(array).ok_or_else(|| wrong(other))?;
                Ok(Self { values, size: None, missing: nulls(array.nulls(), 1) })
            }
        }
    }

    /// Lists that could differ in length, but must not.
    fn lists<O: OffsetSizeTrait>(
        name: &str,
        array: &'a ArrayRef,
        wrong: impl Fn() -> ImpactError,
    ) -> Result<Self, ImpactError> {
        let lists = array.as_list::<O>();
        let inner = lists.values();
        let numbers = floats(inner).ok_or_else(wrong)?;
        let missing = nulls(lists.nulls(), 1);
        let present: Vec<usize> = (0..lists.len()).filter(|i| lists.is_valid(*i)).collect();
        let ranges = lists.offsets().windows(2).map(|pair| pair[0].as_usize()..pair[1].as_usize());
        let ranges: Vec<_> = ranges.collect();
        let size = present.first().map_or(0, |first| ranges[*first].len());
        if let Some(row) = present.iter().find(|row| ranges[**row].len() != size) {
            let field = format!("{name}[{row}]");
            let value = format!("a list of {}", ranges[*row].len());
            return Err(ImpactError::bad_problem(field, value, format!("the others have {size}")));
        }
        let mut missing_inside = Vec::new();
        for &row in present.iter().filter(|_| inner.null_count() > 0) {
            if ranges[row].clone().any(|k| inner.is_null(k)) {
                missing_inside.push(row);
            }
        }
        let values = match (numbers, missing.is_empty(), ranges.first(), ranges.last()) {
            (Cow::Borrowed(numbers), true, Some(first), Some(last)) => {
                Cow::Borrowed(&numbers[first.start..last.end])
            }
            (numbers, ..) => {
                let mut values = vec![f64::NAN; lists.len() * size];
                for row in present {
                    values[row * size..][..size].copy_from_slice(&numbers[ranges[row].clone()]);
                }
                Cow::Owned(values)
            }
        };
        let missing = missing.into_iter().chain(missing_inside).collect();
        Ok(Self { values, size: Some(size), missing })
    }
}

/// An array of numbers, where it is if they are `Float64`; frames keep whole numbers and short floats as such.
fn floats(array: &ArrayRef) -> Option<Cow<'_, [f64]>> {
    macro_rules! converted {
        ($($type:ident => $arrow:ty),*) => {
            match array.data_type() {
                DataType::Float64 => {
                    Some(Cow::Borrowed(&array.as_primitive::<Float64Type>().values()[..]))
                }
                $(DataType::$type => {
                    let numbers = array.as_primitive::<$arrow>().values();
                    Some(Cow::Owned(numbers.iter().map(|x| *x as f64).collect()))
                })*
                _ => None,
            }
        };
    }
    converted!(
        Float32 => types::Float32Type,
        Int8 => types::Int8Type, Int16 => types::Int16Type, Int32 => types::Int32Type,
        Int64 => types::Int64Type, UInt8 => types::UInt8Type, UInt16 => types::UInt16Type,
        UInt32 => types::UInt32Type, UInt64 => types::UInt64Type
    )
}

/// The rows in which an array of `size` entries per row has nulls.
fn nulls(buffer: Option<&NullBuffer>, size: usize) -> Vec<usize> {
    let Some(buffer) = buffer.filter(|buffer| buffer.null_count() > 0 && size > 0) else {
        return Vec::new();
    };
    let mut rows: Vec<usize> =
        (0..buffer.len()).filter(|i| buffer.is_null(*i)).map(|i| i / size).collect();
    rows.dedup();
    rows
}
