//! Record batches in, record batches out.
//!
//! | column | type | what |
//! |---|---|---|
//! | `delassus`, `contact_velocity` | lists of R·R and R | contact space |
//! | `mass`, `jacobian`, `velocity` | lists of f·f or f, R·f, f | generalized coordinates |
//! | `bilateral`, `drive` | lists of b·f, R | optional, generalized coordinates only |
//! | `mu`, `e`, `e_t` | numbers, or lists of k | of each contact; `mu` and `e_t` are 0 where absent |
//!
//! Numbers are read where they are if they are `Float64`, and converted if they are whole or short; lists have one length
//! throughout, as `FixedSizeList`, `List` or `LargeList`. Matrices stand row by row, contacts one after another, normal
//! first. The caller's columns come back as they were, in front of the answers: `impulse`, `contact_velocity` (after),
//! `velocity` (after, generalized coordinates only), `energy_change`, with certificates `energy_available`, `cone_margin`,
//! `separation_margin`, `e_kinematic`, `verdict`, and `error`. What the caller has of `contact_velocity` and `velocity` is
//! then called `contact_velocity_before` and `velocity_before`. Where `error` is set, the other answers are null.

mod input;
mod output;

pub use output::{columns as answer_columns, fields as answer_fields};

use crate::work::{BatchError, RowError, resolve as resolve_columns};
use crate::{Columns, ContactRows, OwnedAnswers};
use arrow_array::RecordBatch;
use arrow_schema::{ArrowError, Schema};
use carom::{ImpactError, Law};
use input::Input;
use std::ops::ControlFlow;
use std::sync::Arc;

/// How a record batch is answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// The rows each contact owns, where the columns do not tell.
    pub contacts: ContactRows,
    /// That of [`crate::resolve`].
    pub threads: usize,
    /// Whether answers are judged.
    pub certify: bool,
    /// Whether the columns of the problem come back, too.
    pub keep_problem: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { contacts: ContactRows::Unsaid, threads: 0, certify: true, keep_problem: true }
    }
}

/// Resolves every row of a record batch under one law; `poll` is that of [`crate::resolve`].
pub fn resolve(
    batch: &RecordBatch,
    law: &Law,
    options: &Options,
    poll: &mut dyn FnMut(usize) -> ControlFlow<()>,
) -> Result<RecordBatch, BatchError> {
    let input = Input::read(batch)?;
    let (mut fields, mut arrays) = input.kept(options.keep_problem)?;
    let columns: Columns = input.columns(&options.contacts, !law.info().takes_several())?;
    let mut answers = OwnedAnswers::of(columns.shape(), options.certify);
    let errors = resolve_columns(&columns, law, answers.borrow(), options.threads, poll)?;
    let mut errors: Vec<Option<String>> = texts(&errors, batch.num_rows());
    for (row, name) in input.missing() {
        let error = ImpactError::bad_problem(name, "null", "must be given in every row");
        errors[row] = Some(RowError { row, error }.text());
    }
    fields.extend(output::fields(columns.shape(), options.certify));
    arrays.extend(output::columns(columns.shape(), answers, &errors).map_err(refused)?);
    let schema = Schema::new_with_metadata(fields, batch.schema().metadata().clone());
    RecordBatch::try_new(Arc::new(schema), arrays).map_err(|error| refused(error).into())
}

/// One text per row, where there is an error.
pub fn texts(errors: &[RowError], rows: usize) -> Vec<Option<String>> {
    let mut texts = vec![None; rows];
    for error in errors {
        texts[error.row] = Some(error.text());
    }
    texts
}

fn refused(error: ArrowError) -> ImpactError {
    ImpactError::bad_problem("columns", "record batch", error.to_string())
}
