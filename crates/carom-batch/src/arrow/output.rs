//! From answers to arrays.

use crate::{Judgement, OwnedAnswers, Shape};
use arrow_array::{ArrayRef, FixedSizeListArray, Float64Array, StringArray};
use arrow_buffer::{NullBuffer, ScalarBuffer};
use arrow_schema::{ArrowError, DataType, Field, FieldRef};
use std::sync::Arc;

/// Every column that answers may have.
pub(super) const ANSWERS: [&str; 10] = [
    "impulse",
    "contact_velocity",
    "velocity",
    "energy_change",
    "energy_available",
    "cone_margin",
    "separation_margin",
    "e_kinematic",
    "verdict",
    "error",
];

/// The columns of answers to impacts of this shape, in order, with those of certificates or without.
pub fn fields(shape: &Shape, certified: bool) -> Vec<FieldRef> {
    let number = |name: &str| Field::new(name, DataType::Float64, true);
    let list = |name: &str, size: usize| {
        Field::new(name, DataType::FixedSizeList(item(), width(size)), true)
    };
    let text = |name: &str| Field::new(name, DataType::Utf8, true);
    let mut fields = vec![list("impulse", shape.rows), list("contact_velocity", shape.rows)];
    fields.extend(shape.coordinates.map(|f| list("velocity", f)));
    fields.push(number("energy_change"));
    if certified {
        fields.extend(["energy_available", "cone_margin", "separation_margin"].map(number));
        fields.push(list("e_kinematic", shape.contacts.len()));
        fields.push(text("verdict"));
    }
    fields.push(text("error"));
    fields.into_iter().map(Arc::new).collect()
}

/// The answers, with certificates if they have them, as the columns that [`fields`] names. Where there is an error, all others are null.
pub fn columns(
    shape: &Shape,
    answers: OwnedAnswers,
    errors: &[Option<String>],
) -> Result<Vec<ArrayRef>, ArrowError> {
    let answered: NullBuffer = errors.iter().map(Option::is_none).collect();
    let answered = (answered.null_count() > 0).then_some(answered);
    let list = |values: Vec<f64>, size: usize| -> Result<ArrayRef, ArrowError> {
        let values = Arc::new(numbers(values));
        let list = FixedSizeListArray::try_new(item(), width(size), values, answered.clone())?;
        Ok(Arc::new(list))
    };
    let number = |values: Vec<f64>| -> ArrayRef {
        let (_, values, present) = numbers(values).into_parts();
        let nulls = NullBuffer::union(answered.as_ref(), present.as_ref());
        Arc::new(Float64Array::new(values, nulls))
    };
    let mut arrays =
        vec![list(answers.impulse, shape.rows)?, list(answers.contact_velocity, shape.rows)?];
    if let Some(f) = shape.coordinates {
        arrays.push(list(answers.velocity, f)?);
    }
    arrays.push(number(answers.energy_change));
    if let Some(certificate) = answers.certificate {
        let margins =
            [certificate.energy_available, certificate.cone_margin, certificate.separation_margin];
        arrays.extend(margins.map(number));
        arrays.push(list(certificate.e_kinematic, shape.contacts.len())?);
        let verdicts: StringArray = certificate
            .verdict
            .iter()
            .zip(errors)
            .map(|(verdict, error)| Judgement::name(*verdict).filter(|_| error.is_none()))
            .collect();
        arrays.push(Arc::new(verdicts));
    }
    arrays.push(Arc::new(errors.iter().map(Option::as_deref).collect::<StringArray>()));
    Ok(arrays)
}

/// Numbers, null where there are none.
fn numbers(values: Vec<f64>) -> Float64Array {
    let present: NullBuffer = values.iter().map(|x| !x.is_nan()).collect();
    let nulls = (present.null_count() > 0).then_some(present);
    Float64Array::new(ScalarBuffer::from(values), nulls)
}

fn item() -> FieldRef {
    Arc::new(Field::new_list_field(DataType::Float64, true))
}

fn width(size: usize) -> i32 {
    i32::try_from(size).unwrap_or(i32::MAX)
}
