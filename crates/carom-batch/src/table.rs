//! A table in memory as one Parquet file, whole or not at all, with carom's mark.

use crate::sweep::parquet_unwritable;
use arrow_array::{ArrayRef, Float64Array, RecordBatch, StringArray};
use carom_io::failure::Failure;
use carom_io::output::{CHECKSUM_BLANK, CHECKSUM_KEY, Target, install, seal_parquet, unwritable};
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::reader::{FileReader, SerializedFileReader};
use std::fs::File;
use std::path::Path;
use std::sync::Arc;

/// A column.
#[derive(Clone, Copy, Debug)]
pub enum Column<'a> {
    /// Numbers.
    Numbers(&'a [f64]),
    /// Texts.
    Texts(&'a [&'a str]),
    /// Numbers that may be absent.
    SomeNumbers(&'a [Option<f64>]),
    /// Texts that may be absent.
    SomeTexts(&'a [Option<String>]),
}

/// Writes named columns of equal length, and texts under keys into the file's metadata. Replaces only what carom wrote, as
/// `target` says.
pub fn write(
    target: Target,
    columns: &[(&str, Column)],
    metadata: &[(&str, String)],
) -> Result<(), Failure> {
    target.check()?;
    let path = target.path;
    let failed = parquet_unwritable(path);
    let arrays = columns.iter().map(|(name, column)| {
        let array: ArrayRef = match column {
            Column::Numbers(items) => Arc::new(Float64Array::from(items.to_vec())),
            Column::Texts(items) => Arc::new(StringArray::from(items.to_vec())),
            Column::SomeNumbers(items) => Arc::new(Float64Array::from(items.to_vec())),
            Column::SomeTexts(items) => Arc::new(StringArray::from_iter(items.iter())),
        };
        (*name, array)
    });
    let batch = RecordBatch::try_from_iter(arrays)
        .map_err(|error| unwritable(path)(std::io::Error::other(error)))?;
    let said = metadata.iter().map(|(key, text)| KeyValue::new((*key).to_owned(), text.clone()));
    let mark = KeyValue::new(CHECKSUM_KEY.to_owned(), CHECKSUM_BLANK.to_owned());
    let said = said.chain([mark]).collect();
    let properties = WriterProperties::builder()
        .set_created_by(concat!("carom ", env!("CARGO_PKG_VERSION")).into())
        .set_compression(Compression::SNAPPY)
        .set_key_value_metadata(Some(said))
        .build();
    install(path, None, |file| {
        let mut writer =
            ArrowWriter::try_new(&mut *file, batch.schema(), Some(properties)).map_err(&failed)?;
        writer.write(&batch).map_err(&failed)?;
        writer.close().map_err(&failed)?;
        seal_parquet(file).map_err(unwritable(path))
    })
}

/// The text under a key in the metadata of a Parquet file.
pub fn metadata(path: &Path, key: &str) -> Result<Option<String>, Failure> {
    let name = path.display().to_string();
    let file = File::open(path).map_err(|error| Failure::Io { name: name.clone(), error })?;
    let reader = SerializedFileReader::new(file).map_err(|error| Failure::Parse {
        message: format!("{name} is no Parquet file that can be read: {error}"),
        span: None,
    })?;
    let said = reader.metadata().file_metadata().key_value_metadata();
    let found = said.into_iter().flatten().find(|entry| entry.key == key);
    Ok(found.and_then(|entry| entry.value.clone()))
}
