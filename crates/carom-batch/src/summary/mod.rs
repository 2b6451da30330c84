//! What people want to know first of a file of answers.
//!
//! Everything is exact, quantiles included: they are found digit by digit in six passes over the few columns they need,
//! with some kilobytes of counters, so that a file of any size takes the same memory. (The mean is a running sum, good to
//! rounding.)

mod select;

pub use select::{Distribution, LEVELS};

use crate::guard::guarded;
use crate::sweep::{io_failure, parquet_failure};
use arrow_array::cast::AsArray;
use arrow_array::types::Float64Type;
use arrow_array::{Array, ArrayRef, Float64Array, RecordBatch, StringArray};
use arrow_schema::DataType;
use carom_io::failure::Failure;
use carom_io::output::{Mark, mark_of};
use carom_io::rounding;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use select::{PASSES, Selector};
use std::collections::BTreeMap;
use std::fs::File;
use std::ops::ControlFlow;
use std::path::Path;

/// Rows that are looked at together \[1\].
const BATCH: usize = 8192;

/// What a file holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    /// Rows in all \[1\].
    pub rows: u64,
    /// Whether a checksum says that the file is as carom wrote it; files of others have none.
    pub checked: bool,
    /// Law by law, in the order in which they come; one without a name where the file names none.
    pub laws: Vec<LawSummary>,
}

/// What a file says of one law.
#[derive(Clone, Debug, PartialEq)]
pub struct LawSummary {
    /// Its name in the file.
    pub law: Option<String>,
    /// Its rows \[1\].
    pub rows: u64,
    /// Rows without an answer, by the kind of their error \[1\].
    pub errors: BTreeMap<String, u64>,
    /// Answers by their verdict \[1\].
    pub verdicts: BTreeMap<String, u64>,
    /// `E⁺/E0`, what is left of the energy that the contacts could take away; absent where there is none \[1\].
    pub energy_ratio: Option<Distribution>,
    /// `−u_n⁺/u_n⁻` of every contact that approached \[1\].
    pub e: Option<Distribution>,
}

/// One law while its rows go by.
#[derive(Default)]
struct Tally {
    rows: u64,
    errors: BTreeMap<String, u64>,
    verdicts: BTreeMap<String, u64>,
    energy_ratio: Selector,
    e: Selector,
}

impl Summary {
    /// Reads a file. `look` is asked every few thousand rows, with the part that is done, whether to go on; nothing comes
    /// back if not.
    pub fn of(
        path: &Path,
        look: &mut dyn FnMut(f64) -> ControlFlow<()>,
    ) -> Result<Option<Self>, Failure> {
        let checked = match mark_of(path).map_err(io_failure(path))? {
            Mark::Whole => true,
            Mark::Absent => false,
            Mark::Changed => {
                let name = path.display();
                let message =
                    format!("{name}: its checksum is wrong: it was changed since it was written");
                return Err(Failure::Usage(message));
            }
        };
        guarded(|| Self::read(path, checked, look)).unwrap_or_else(|panic| {
            let name = path.display();
            Err(Failure::Usage(format!("{name}: it is no sound Parquet file: {panic}")))
        })
    }

    fn read(
        path: &Path,
        checked: bool,
        look: &mut dyn FnMut(f64) -> ControlFlow<()>,
    ) -> Result<Option<Self>, Failure> {
        let mut order: Vec<Option<String>> = Vec::new();
        let mut tallies: Vec<Tally> = Vec::new();
        let mut rows = 0;
        for pass in 0..PASSES {
            let file = File::open(path).map_err(io_failure(path))?;
            let failed = parquet_failure(path);
            let builder = ParquetRecordBatchReaderBuilder::try_new(file).map_err(&failed)?;
            check_columns(path, builder.schema())?;
            let total = builder.metadata().file_metadata().num_rows().max(1) as f64;
            let wanted: &[&str] = if pass == 0 { &COLUMNS } else { &MEASURED };
            let roots = builder.schema().fields().iter().enumerate();
            let roots =
                roots.filter(|(_, field)| wanted.contains(&field.name().as_str())).map(|(i, _)| i);
            let mask = ProjectionMask::roots(builder.parquet_schema(), roots.collect::<Vec<_>>());
            let reader =
                builder.with_projection(mask).with_batch_size(BATCH).build().map_err(&failed)?;
            let mut seen: u64 = 0;
            for batch in reader {
                let batch = batch.map_err(|error| failed(error.into()))?;
                let columns = Rows::of(&batch);
                for i in 0..batch.num_rows() {
                    let law = columns.law.map(|laws| laws.value(i));
                    // Rows of a law stand together: it is nearly always the one before.
                    let place = order.iter().rposition(|name| name.as_deref() == law);
                    let place = place.unwrap_or_else(|| {
                        order.push(law.map(str::to_owned));
                        tallies.push(Tally::default());
                        order.len() - 1
                    });
                    columns.count(i, pass, &mut tallies[place]);
                }
                seen += batch.num_rows() as u64;
                let part = (f64::from(pass) + seen as f64 / total) / f64::from(PASSES);
                if look(part).is_break() {
                    return Ok(None);
                }
            }
            for tally in &mut tallies {
                tally.energy_ratio.next(pass);
                tally.e.next(pass);
            }
            rows = seen;
        }
        let laws = order.into_iter().zip(tallies).map(|(law, tally)| LawSummary {
            law,
            rows: tally.rows,
            errors: tally.errors,
            verdicts: tally.verdicts,
            energy_ratio: tally.energy_ratio.distribution(),
            e: tally.e.distribution(),
        });
        Ok(Some(Self { rows, checked, laws: laws.collect() }))
    }
}

const COLUMNS: [&str; 6] =
    ["law", "energy_change", "energy_available", "e_kinematic", "verdict", "error"];
const MEASURED: [&str; 4] = ["law", "energy_change", "energy_available", "e_kinematic"];

fn check_columns(path: &Path, schema: &arrow_schema::Schema) -> Result<(), Failure> {
    for name in &COLUMNS[1..] {
        let kind = schema.field_with_name(name).map(|field| field.data_type()).ok();
        let fits = match (*name, kind) {
            ("e_kinematic", Some(DataType::FixedSizeList(item, _) | DataType::List(item))) => {
                item.data_type() == &DataType::Float64
            }
            ("verdict" | "error", Some(kind)) => kind == &DataType::Utf8,
            (_, Some(kind)) => kind == &DataType::Float64,
            (_, None) => false,
        };
        if !fits {
            let found =
                kind.map_or_else(|| "no such column".to_owned(), |kind| format!("it is {kind}"));
            return Err(Failure::Usage(format!(
                "{}: column `{name}`: {found}; a file of answers is wanted, as `carom sweep` writes it",
                path.display()
            )));
        }
    }
    match schema.field_with_name("law").map(|field| field.data_type()) {
        Ok(kind) if kind != &DataType::Utf8 => {
            Err(Failure::Usage(format!("{}: column `law`: it is {kind}", path.display())))
        }
        _ => Ok(()),
    }
}

/// The columns of a batch of rows.
struct Rows<'a> {
    law: Option<&'a StringArray>,
    energy_change: Option<&'a Float64Array>,
    energy_available: Option<&'a Float64Array>,
    e: Option<&'a ArrayRef>,
    verdict: Option<&'a StringArray>,
    error: Option<&'a StringArray>,
}

impl<'a> Rows<'a> {
    fn of(batch: &'a RecordBatch) -> Self {
        let text = |name: &str| batch.column_by_name(name).and_then(|c| c.as_string_opt::<i32>());
        let number = |name: &str| {
            batch.column_by_name(name).and_then(|c| c.as_primitive_opt::<Float64Type>())
        };
        Self {
            law: text("law"),
            energy_change: number("energy_change"),
            energy_available: number("energy_available"),
            e: batch.column_by_name("e_kinematic"),
            verdict: text("verdict"),
            error: text("error"),
        }
    }

    fn count(&self, i: usize, pass: u32, tally: &mut Tally) {
        if pass == 0 {
            tally.rows += 1;
            let present = |column: Option<&'a StringArray>| {
                column.filter(|column| column.is_valid(i)).map(|column| column.value(i))
            };
            if let Some(error) = present(self.error) {
                let kind = error.split_once(':').map_or(error, |(kind, _)| kind);
                increment(&mut tally.errors, kind);
            }
            if let Some(verdict) = present(self.verdict) {
                increment(&mut tally.verdicts, verdict);
            }
        }
        let number = |column: Option<&Float64Array>| {
            column.filter(|column| column.is_valid(i)).map(|column| column.value(i))
        };
        let ratio = number(self.energy_change)
            .and_then(|change| rounding::energy_ratio(number(self.energy_available), change));
        if let Some(ratio) = ratio {
            tally.energy_ratio.take(pass, ratio);
        }
        let Some(e) = self.e.filter(|e| e.is_valid(i)) else { return };
        let (values, range) = match e.as_fixed_size_list_opt() {
            Some(lists) => {
                let size = lists.value_length().max(0) as usize;
                (lists.values(), i * size..(i + 1) * size)
            }
            None => {
                let Some(lists) = e.as_list_opt::<i32>() else { return };
                let offsets = lists.value_offsets();
                (lists.values(), offsets[i] as usize..offsets[i + 1] as usize)
            }
        };
        let Some(values) = values.as_primitive_opt::<Float64Type>() else { return };
        for k in range.filter(|k| values.is_valid(*k)) {
            tally.e.take(pass, values.value(k));
        }
    }
}

fn increment(counts: &mut BTreeMap<String, u64>, key: &str) {
    match counts.get_mut(key) {
        Some(count) => *count += 1,
        None => drop(counts.insert(key.to_owned(), 1)),
    }
}
