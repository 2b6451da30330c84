//! A table in memory as one Parquet file, whole or not at all, with carom's mark.

use crate::sweep::parquet_unwritable;
use arrow_array::{ArrayRef, Float64Array, RecordBatch, StringArray};
use carom_io::failure::Failure;
use carom_io::output::{CHECKSUM_BLANK, CHECKSUM_KEY, Target, install, seal_parquet, unwritable};
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use std::sync::Arc;

/// A column.
#[derive(Clone, Copy, Debug)]
pub enum Column<'a> {
    /// Numbers.
    Numbers(&'a [f64]),
    /// Texts.
    Texts(&'a [&'a str]),
}

/// Writes named columns of equal length. Replaces only what carom wrote, as `target` says.
pub fn write(target: Target, columns: &[(&str, Column)]) -> Result<(), Failure> {
    target.check()?;
    let path = target.path;
    let failed = parquet_unwritable(path);
    let arrays = columns.iter().map(|(name, column)| {
        let array: ArrayRef = match column {
            Column::Numbers(items) => Arc::new(Float64Array::from(items.to_vec())),
            Column::Texts(items) => Arc::new(StringArray::from(items.to_vec())),
        };
        (*name, array)
    });
    let batch = RecordBatch::try_from_iter(arrays)
        .map_err(|error| unwritable(path)(std::io::Error::other(error)))?;
    let mark = KeyValue::new(CHECKSUM_KEY.to_owned(), CHECKSUM_BLANK.to_owned());
    let properties = WriterProperties::builder()
        .set_created_by(concat!("carom ", env!("CARGO_PKG_VERSION")).into())
        .set_compression(Compression::SNAPPY)
        .set_key_value_metadata(Some(vec![mark]))
        .build();
    install(path, None, |file| {
        let mut writer =
            ArrowWriter::try_new(&mut *file, batch.schema(), Some(properties)).map_err(&failed)?;
        writer.write(&batch).map_err(&failed)?;
        writer.close().map_err(&failed)?;
        seal_parquet(file).map_err(unwritable(path))
    })
}
