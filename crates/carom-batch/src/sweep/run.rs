//! A sweep from its first row to its file.

use super::files::{Claim, Files, Identity};
use super::spec::{Spec, SweptLaw};
use crate::answers::{Answers, OwnedAnswers};
use crate::columns::Shape;
use crate::work::{BatchError, RowError, distribute};
use crate::{arrow, row};
use arrow_array::{ArrayRef, Float64Array, RecordBatch, StringArray, UInt64Array};
use arrow_schema::{ArrowError, DataType, Field, FieldRef, Schema};
use carom::ImpactError;
use carom::outcome::Observer;
use carom_io::failure::Failure;
use carom_io::format::{AnySystem, Node, Problem};
use carom_io::memory;
use carom_io::output::Target;
use std::ops::{ControlFlow, Range};
use std::path::PathBuf;
use std::sync::Arc;

/// Rows that a thread takes at a time \[1\].
const CHUNK: usize = 32;

/// Numbers of a row that every sweep has, with room for texts \[1\].
const NUMBERS: usize = 16;

/// A sweep that could begin.
pub struct Sweep {
    spec: Spec,
    /// Of every impact; the count is that of a whole row group.
    shape: Shape,
    points: u64,
    group: usize,
}

/// How far a sweep is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pace {
    /// Rows that are finished, in this run or before it \[1\].
    pub done: u64,
    /// Rows that were there before this run \[1\].
    pub before: u64,
    /// Rows in all \[1\].
    pub of: u64,
}

/// How a sweep ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finish {
    /// The result is written.
    Written {
        /// Rows that had to be computed \[1\].
        computed: u64,
    },
    /// The result was there already.
    AlreadyThere,
    /// It was stopped, and can go on.
    Interrupted {
        /// Rows that are kept \[1\].
        kept: u64,
        /// Where.
        parts: PathBuf,
    },
}

impl Sweep {
    /// Checks that the problem is one, that it has the numbers, and that the rows can be counted. `group` rows of a law
    /// stand together in the file, and are what an interruption costs at most.
    pub fn new(spec: Spec, group: usize) -> Result<Self, Failure> {
        let base = Problem::read(&spec.problem)?;
        let problem = base.system.problem();
        let coordinates = base.system.after(&vec![0.0; problem.rows()])?.velocity.map(|v| v.len());
        let shape = Shape {
            count: group,
            contacts: problem.contacts().iter().map(|contact| contact.rows).collect(),
            rows: problem.rows(),
            coordinates,
        };
        let mut values = Vec::new();
        spec.design.values(0, &mut values);
        put(&spec, &mut spec.problem.clone(), &values)?;
        let laws = spec.laws.len() as u64;
        let points = spec.design.points().filter(|points| points.checked_mul(laws).is_some());
        let points = points
            .ok_or_else(|| Failure::Usage("design: more points than can be counted".into()))?;
        let sweep = Self { spec, shape, points, group: group.max(1) };
        sweep.check_memory()?;
        Ok(sweep)
    }

    /// Refuses row groups that no memory holds, before it is asked for.
    fn check_memory(&self) -> Result<(), Failure> {
        let shape = &self.shape;
        let numbers =
            2 * shape.rows + shape.coordinates.unwrap_or(0) + shape.contacts.len() + NUMBERS;
        let numbers = numbers + self.spec.design.parameters.len();
        let rows = self.points.min(self.group as u64);
        // The answers, their columns, and the bytes of the file.
        let bytes = 3 * 8 * u128::from(rows) * numbers as u128;
        memory::check(bytes, &format!("a row group of {rows} rows; --row-group makes it smaller"))
            .map_err(Failure::from)
    }

    /// How many rows there are: every point under every law.
    pub fn rows(&self) -> u64 {
        self.points * self.spec.laws.len() as u64
    }

    /// What the sweep was read from.
    pub fn inputs(&self) -> &[PathBuf] {
        &self.spec.inputs
    }

    /// Computes what is not there yet, and writes the result when all is. `pace` is asked every few milliseconds whether
    /// to go on.
    pub fn run(
        &self,
        target: Target,
        threads: usize,
        pace: &mut dyn FnMut(Pace) -> ControlFlow<()>,
    ) -> Result<Finish, Failure> {
        let Claim::Open(files) = Files::claim(target, self.identity())? else {
            return Ok(Finish::AlreadyThere);
        };
        let (groups, of) = (self.group_count(), self.rows());
        let rows = |g: u64| self.group(g).size() as u64;
        let before = files.kept(groups, rows)?;
        let mut done = before;
        let mut computed = 0;
        for g in 0..groups {
            let kept = || Finish::Interrupted { kept: done, parts: files.parts().to_owned() };
            if files.has(g, rows(g))? {
                if pace(Pace { done, before, of }).is_break() {
                    return Ok(kept());
                }
                continue;
            }
            let mut poll = |rows: usize| pace(Pace { done: done + rows as u64, before, of });
            match self.compute(&self.group(g), threads, &mut poll) {
                Ok(batch) => files.keep(g, &batch)?,
                Err(BatchError::Interrupted { .. }) => return Ok(kept()),
                Err(BatchError::Columns(error)) => return Err(error.into()),
            }
            done += rows(g);
            computed += rows(g);
        }
        let mut look = || pace(Pace { done, before, of });
        match files.finish(groups, rows, &mut look)? {
            ControlFlow::Continue(()) => Ok(Finish::Written { computed }),
            ControlFlow::Break(()) => {
                Ok(Finish::Interrupted { kept: done, parts: files.parts().to_owned() })
            }
        }
    }

    fn identity(&self) -> Identity {
        let laws: Vec<&str> = self.spec.laws.iter().map(|law| law.name.as_str()).collect();
        Identity::from([
            ("carom.version", env!("CARGO_PKG_VERSION").to_owned()),
            ("carom.build", carom_io::build::identity()),
            ("carom.spec", self.spec.text.clone()),
            ("carom.problem", self.spec.problem_text.clone().unwrap_or_default()),
            ("carom.laws", laws.join("\n")),
            ("carom.row_group", self.group.to_string()),
        ])
    }

    /// How many row groups there are.
    fn group_count(&self) -> u64 {
        self.points.div_ceil(self.group as u64) * self.spec.laws.len() as u64
    }

    /// A row group by its number: they stand law by law.
    fn group(&self, number: u64) -> Group<'_> {
        let step = self.group as u64;
        let each = self.points.div_ceil(step).max(1);
        let law = number / each;
        let first = (number % each) * step;
        Group {
            law: &self.spec.laws[law as usize],
            first_row: law * self.points,
            points: first..self.points.min(first + step),
        }
    }

    /// The rows of one row group alone, which no file needs.
    pub fn rows_of(
        &self,
        number: u64,
        threads: usize,
        poll: &mut dyn FnMut(usize) -> ControlFlow<()>,
    ) -> Result<RecordBatch, BatchError> {
        self.compute(&self.group(number % self.group_count().max(1)), threads, poll)
    }

    fn compute(
        &self,
        group: &Group,
        threads: usize,
        poll: &mut dyn FnMut(usize) -> ControlFlow<()>,
    ) -> Result<RecordBatch, BatchError> {
        let shape = Shape { count: group.size(), ..self.shape.clone() };
        let mut answers = OwnedAnswers::of(&shape, true);
        let chunk = |first: usize,
                     mut answers: Answers,
                     failures: &mut Vec<RowError>,
                     watch: &mut dyn Observer| {
            // Every number that changes is put anew for every point, so one copy does for all of them.
            let mut problem = self.spec.problem.clone();
            let mut values = Vec::new();
            for i in 0..answers.count(&shape) {
                self.spec.design.values(group.points.start + (first + i) as u64, &mut values);
                let result = self.system(&mut problem, &values).and_then(|system| {
                    row::resolve(&system, &group.law.law, (i, &shape), &mut answers, watch)
                });
                if let Err(error) = result {
                    answers.clear(i, &shape);
                    failures.push(RowError { row: first + i, error });
                }
            }
        };
        let errors = distribute(&shape, CHUNK, answers.borrow(), threads, poll, &chunk)?;
        let errors = arrow::texts(&errors, shape.count);
        self.batch(group, &shape, answers, &errors).map_err(|error| {
            ImpactError::bad_problem("columns", "row group", error.to_string()).into()
        })
    }

    fn system(&self, problem: &mut Node, values: &[f64]) -> Result<AnySystem, ImpactError> {
        put(&self.spec, problem, values).map_err(|failure| match failure {
            Failure::Impact(error) => error,
            other => ImpactError::bad_problem("design", "a place", other.to_string()),
        })?;
        let system = Problem::read(problem)?.system;
        let contacts = system.problem().contacts().iter().map(|contact| contact.rows);
        if !contacts.eq(self.shape.contacts.iter().copied()) {
            let reason = "the rows of contacts must be the same throughout a sweep";
            return Err(ImpactError::bad_problem("contacts", "other rows", reason));
        }
        Ok(system)
    }

    fn batch(
        &self,
        group: &Group,
        shape: &Shape,
        answers: OwnedAnswers,
        errors: &[Option<String>],
    ) -> Result<RecordBatch, ArrowError> {
        let parameters = &self.spec.design.parameters;
        let mut swept: Vec<Vec<f64>> =
            parameters.iter().map(|_| Vec::with_capacity(shape.count)).collect();
        let mut values = Vec::new();
        for point in group.points.clone() {
            self.spec.design.values(point, &mut values);
            swept.iter_mut().zip(&values).for_each(|(column, value)| column.push(*value));
        }
        let field =
            |name: &str, kind: DataType| -> FieldRef { Arc::new(Field::new(name, kind, false)) };
        let mut fields = vec![field("row", DataType::UInt64), field("point", DataType::UInt64)];
        let rows = group.points.clone().map(|point| group.first_row + point);
        let mut arrays: Vec<ArrayRef> = vec![
            Arc::new(UInt64Array::from_iter_values(rows)),
            Arc::new(UInt64Array::from_iter_values(group.points.clone())),
        ];
        for (parameter, column) in parameters.iter().zip(swept) {
            fields.push(field(&parameter.name, DataType::Float64));
            arrays.push(Arc::new(Float64Array::from(column)));
        }
        fields.push(field("law", DataType::Utf8));
        arrays.push(Arc::new(StringArray::from_iter_values(std::iter::repeat_n(
            &group.law.name,
            shape.count,
        ))));
        fields.extend(arrow::answer_fields(shape, true));
        arrays.extend(arrow::answer_columns(shape, answers, errors)?);
        RecordBatch::try_new(Arc::new(Schema::new(fields)), arrays)
    }
}

/// Rows that stand together in the file: some points under one law.
struct Group<'a> {
    law: &'a SweptLaw,
    /// The number of the law's first row.
    first_row: u64,
    points: Range<u64>,
}

impl Group<'_> {
    fn size(&self) -> usize {
        (self.points.end - self.points.start) as usize
    }
}

/// Puts the values of a point into a problem.
fn put(spec: &Spec, problem: &mut Node, values: &[f64]) -> Result<(), Failure> {
    spec.design
        .parameters
        .iter()
        .zip(values)
        .try_for_each(|(parameter, value)| parameter.put(problem, *value))
}
