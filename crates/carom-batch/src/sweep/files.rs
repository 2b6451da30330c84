//! Where a sweep is kept while it runs, and how its file comes about.
//!
//! Beside `results.parquet` stands a folder `results.parquet.parts`: the marker `carom-sweep.json`, which says that the
//! folder is carom's and what the sweep is, a lock, and one Parquet file for each finished row group. Files come about
//! whole or not at all, whenever the program or the machine was stopped. Each part knows its number and carries a checksum
//! of all its bytes. When all are there, the result is put together from their row groups, byte by byte; then what carom
//! put into the folder goes, and the folder if nothing else is in it.
//! Every byte depends on the spec and on the build: neither on threads nor on interruptions.

use crate::guard::guarded;
use arrow_array::RecordBatch;
use carom_io::failure::Failure;
use carom_io::output::{
    CHECKSUM_BLANK, CHECKSUM_KEY, Mark, Target, UNFINISHED, Unfinished, create_folder, install,
    mark_of, open_to_append, seal_parquet, unwritable,
};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, Encoding};
use parquet::column::writer::ColumnCloseResult;
use parquet::errors::ParquetError;
use parquet::file::metadata::{KeyValue, ParquetMetaData};
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::ColumnPath;
use std::collections::BTreeMap;
use std::fs::{self, File, TryLockError};
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What a sweep is: two that agree in this have the same bytes. It is also the metadata of the result.
pub type Identity = BTreeMap<&'static str, String>;

/// The file that makes a folder carom's.
const MARKER: &str = "carom-sweep.json";
const LOCK: &str = "lock";
/// The number of a part, in its metadata.
const PART: &str = "carom.part";

/// The files of a running sweep.
pub struct Files {
    out: PathBuf,
    parts: PathBuf,
    identity: Identity,
    /// Held while it lives, so that no second sweep writes to the same place.
    _lock: File,
}

/// What is there already.
pub enum Claim {
    /// The whole result.
    Finished,
    /// Nothing, or some of it.
    Open(Files),
}

impl Files {
    /// Takes the place of a result, if no other run has it.
    pub fn claim(target: Target, identity: Identity) -> Result<Claim, Failure> {
        target.check_inputs()?;
        let out = target.path;
        let mut name = out.as_os_str().to_owned();
        name.push(".parts");
        let parts = PathBuf::from(name);
        if out.exists() && Self::is_finished(target, &identity)? {
            // What was left if it was stopped after its last step but one.
            if marker_of(&parts).is_some_and(|found| found == named(&identity)) {
                clear(&parts)?;
            }
            // Or after its last: it goes if it is empty.
            let _ = fs::remove_dir(&parts);
            return Ok(Claim::Finished);
        }
        match create_folder(&parts) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => check_owner(&parts)?,
            made => made.map_err(unwritable(&parts))?,
        }
        let lock_path = parts.join(LOCK);
        let lock = open_to_append(&lock_path).map_err(unwritable(&lock_path))?;
        // Some file systems know no locks: they are trusted.
        if let Err(TryLockError::WouldBlock) = lock.try_lock() {
            let message = format!("another sweep is writing to {} right now", parts.display());
            return Err(Failure::Usage(message));
        }
        let files = Self { out: out.to_owned(), parts, identity, _lock: lock };
        files.check_identity()?;
        Ok(Claim::Open(files))
    }

    /// Whether the result is there; refuses to replace anything else without force.
    fn is_finished(target: Target, identity: &Identity) -> Result<bool, Failure> {
        let out = target.path;
        let ours = metadata_of(out).is_some_and(|found| identity_in(&found) == named(identity));
        let mark = mark_of(out).map_err(io_failure(out))?;
        let refuse = |what: &str| {
            Err(Failure::Usage(format!(
                "{} is there already and {what}; remove it, give another --out, or --force to replace it",
                out.display()
            )))
        };
        match (ours, mark) {
            (true, Mark::Whole) => Ok(true),
            _ if target.force => Ok(false),
            (_, Mark::Changed) => refuse("was changed since carom wrote it"),
            (_, Mark::Whole) => refuse("holds another sweep, or that of another build of carom"),
            (_, Mark::Absent) => refuse("holds something else"),
        }
    }

    /// Refuses parts of another sweep; signs an empty folder.
    fn check_identity(&self) -> Result<(), Failure> {
        let path = self.parts.join(MARKER);
        let own = named(&self.identity);
        if !path.exists() {
            let text =
                serde_json::to_vec_pretty(&own).map_err(|error| unwritable(&path)(error.into()))?;
            return install(&path, None, |file| file.write_all(&text).map_err(unwritable(&path)));
        }
        let found = marker_of(&self.parts).unwrap_or_default();
        if found == own {
            return Ok(());
        }
        let differs = own.iter().find(|(key, value)| found.get(*key) != Some(*value));
        let what = differs.map_or("spec", |(key, _)| key.trim_start_matches("carom."));
        Err(Failure::Usage(format!(
            "{} holds parts of another sweep (another {what}); give the old one again to finish it, remove the \
             folder to begin anew, or give another --out",
            self.parts.display()
        )))
    }

    fn part(&self, index: u64) -> PathBuf {
        self.parts.join(part_name(index))
    }

    /// How many rows the finished row groups have together; `rows` says how many one has. Nothing is kept of them.
    pub fn kept(&self, groups: u64, rows: impl Fn(u64) -> u64) -> Result<u64, Failure> {
        let entries = fs::read_dir(&self.parts).map_err(io_failure(&self.parts))?;
        let mut kept = 0;
        for entry in entries {
            let name = entry.map_err(io_failure(&self.parts))?.file_name();
            let index = name.to_str().and_then(part_number).filter(|index| *index < groups);
            kept += index.map_or(0, &rows);
        }
        Ok(kept)
    }

    /// Whether this row group is finished. A part that is not as it was written is an error.
    pub fn has(&self, index: u64, rows: u64) -> Result<bool, Failure> {
        match self.part(index).exists() {
            true => self.read_part(index, rows).map(|_| true),
            false => Ok(false),
        }
    }

    /// Opens a part that is this sweep's, has this number, and whose bytes are those that were written.
    fn read_part(
        &self,
        index: u64,
        rows: u64,
    ) -> Result<(File, SerializedFileReader<File>), Failure> {
        let path = self.part(index);
        let damaged = |what: &str| {
            let name = path.display();
            Failure::Usage(format!("{name}: {what}; remove it, and run the sweep again"))
        };
        match mark_of(&path).map_err(io_failure(&path))? {
            Mark::Whole => {}
            Mark::Changed => return Err(damaged("it was changed since it was written")),
            Mark::Absent => return Err(damaged("it is no part of a sweep")),
        }
        let file = File::open(&path).map_err(io_failure(&path))?;
        let again = file.try_clone().map_err(io_failure(&path))?;
        let reader = SerializedFileReader::new(file).map_err(|e| damaged(&e.to_string()))?;
        let metadata = reader.metadata();
        if identity_in(metadata) != named(&self.identity) {
            return Err(damaged("it belongs to another sweep, or to another build of carom"));
        }
        let number = entries_of(metadata).find(|(key, _)| *key == PART).map(|(_, value)| value);
        if number != Some(&index.to_string()) {
            let number = number.unwrap_or("?");
            return Err(damaged(&format!("it is part {number} instead of {index}")));
        }
        match metadata.row_groups() {
            [group] if group.num_rows() == rows as i64 => Ok((again, reader)),
            _ => Err(damaged(&format!("it must have one row group of {rows} rows"))),
        }
    }

    /// The folder of the parts.
    pub fn parts(&self) -> &Path {
        &self.parts
    }

    /// Keeps a row group.
    pub fn keep(&self, index: u64, batch: &RecordBatch) -> Result<(), Failure> {
        let path = self.part(index);
        install(&path, None, |file| {
            let failed = parquet_unwritable(&path);
            let properties = self.properties(index, batch);
            let mut writer = ArrowWriter::try_new(&mut *file, batch.schema(), Some(properties))
                .map_err(&failed)?;
            writer.write(batch).map_err(&failed)?;
            writer.close().map_err(&failed)?;
            seal_parquet(file).map_err(unwritable(&path))
        })
    }

    fn properties(&self, index: u64, batch: &RecordBatch) -> WriterProperties {
        let entry = |key: &str, value: &str| KeyValue::new(key.to_owned(), value.to_owned());
        let mut metadata: Vec<KeyValue> =
            self.identity.iter().map(|(key, value)| entry(key, value)).collect();
        metadata.push(entry(PART, &index.to_string()));
        metadata.push(entry(CHECKSUM_KEY, CHECKSUM_BLANK));
        let builder = WriterProperties::builder()
            .set_created_by(concat!("carom ", env!("CARGO_PKG_VERSION")).into())
            .set_compression(Compression::SNAPPY)
            .set_statistics_enabled(EnabledStatistics::Chunk)
            .set_offset_index_disabled(true)
            .set_max_row_group_row_count(Some(batch.num_rows().max(1)))
            .set_key_value_metadata(Some(metadata));
        // Row numbers never repeat, and differ by one.
        ["row", "point"]
            .into_iter()
            .map(ColumnPath::from)
            .fold(builder, |builder, column| {
                builder
                    .set_column_dictionary_enabled(column.clone(), false)
                    .set_column_encoding(column, Encoding::DELTA_BINARY_PACKED)
            })
            .build()
    }

    /// Puts the result together from all parts, of so many rows each. `look` is asked after each of them whether to go
    /// on; nothing comes about if not.
    pub fn finish(
        &self,
        groups: u64,
        rows: impl Fn(u64) -> u64,
        look: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, Failure> {
        let mut stopped = false;
        let written = install(&self.out, Some(&self.parts), |file| {
            stopped = self.assemble(file, groups, rows, look)?.is_break();
            match stopped {
                // What was written goes.
                true => Err(Failure::Usage("interrupted".into())),
                false => seal_parquet(file).map_err(unwritable(&self.out)),
            }
        });
        if stopped {
            return Ok(ControlFlow::Break(()));
        }
        written?;
        clear(&self.parts)?;
        Ok(ControlFlow::Continue(()))
    }

    /// Writes the row groups of all parts to one file.
    fn assemble(
        &self,
        file: &mut Unfinished,
        groups: u64,
        rows: impl Fn(u64) -> u64,
        look: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, Failure> {
        let failed = parquet_unwritable(&self.out);
        let mut writer: Option<SerializedFileWriter<&mut Unfinished>> = None;
        let mut unused = Some(file);
        for index in 0..groups {
            if look().is_break() {
                return Ok(ControlFlow::Break(()));
            }
            let (part, reader) = self.read_part(index, rows(index))?;
            let metadata = reader.metadata();
            if let Some(file) = unused.take() {
                let schema = metadata.file_metadata().schema_descr().root_schema_ptr();
                let properties = Arc::new(result_properties(metadata));
                let created = SerializedFileWriter::new(file, schema, properties);
                writer = Some(created.map_err(&failed)?);
            }
            let (Some(writer), [group]) = (&mut writer, metadata.row_groups()) else { continue };
            let mut target = writer.next_row_group().map_err(&failed)?;
            for column in group.columns() {
                let close = ColumnCloseResult {
                    bytes_written: column.compressed_size() as u64,
                    rows_written: rows(index),
                    metadata: column.clone(),
                    bloom_filter: None,
                    column_index: None,
                    offset_index: None,
                };
                target.append_column(&part, close).map_err(&failed)?;
            }
            target.close().map_err(&failed)?;
        }
        match writer {
            Some(writer) => writer.close().map(|_| ControlFlow::Continue(())).map_err(&failed),
            None => Err(Failure::Usage("a sweep without rows has no result".into())),
        }
    }
}

/// The metadata of a result: those of its parts, without their number.
fn result_properties(part: &ParquetMetaData) -> WriterProperties {
    let about = part.file_metadata();
    let entries = about.key_value_metadata().into_iter().flatten().filter(|e| e.key != PART);
    let entries = entries.map(|entry| match entry.key.as_str() {
        CHECKSUM_KEY => KeyValue::new(CHECKSUM_KEY.to_owned(), CHECKSUM_BLANK.to_owned()),
        _ => entry.clone(),
    });
    WriterProperties::builder()
        .set_created_by(about.created_by().unwrap_or_default().to_owned())
        .set_offset_index_disabled(true)
        .set_key_value_metadata(Some(entries.collect()))
        .build()
}

fn named(identity: &Identity) -> BTreeMap<String, String> {
    identity.iter().map(|(key, value)| ((*key).to_owned(), value.clone())).collect()
}

/// What a folder's marker says, if it has one.
fn marker_of(parts: &Path) -> Option<BTreeMap<String, String>> {
    serde_json::from_slice(&fs::read(parts.join(MARKER)).ok()?).ok()
}

fn part_name(index: u64) -> String {
    format!("{index:08}.parquet")
}

/// The number of the part of this name.
fn part_number(name: &str) -> Option<u64> {
    let number = name.strip_suffix(".parquet")?.parse().ok()?;
    (part_name(number) == name).then_some(number)
}

/// Whether carom puts files of this name into a folder of parts.
fn is_own_name(name: &str) -> bool {
    name == MARKER
        || name == LOCK
        || part_number(name).is_some()
        || (name.starts_with('.') && name.ends_with(UNFINISHED))
}

/// Refuses a folder that has no marker, unless it is empty but for what a start that was stopped leaves.
fn check_owner(parts: &Path) -> Result<(), Failure> {
    if parts.join(MARKER).is_file() {
        return Ok(());
    }
    for entry in fs::read_dir(parts).map_err(io_failure(parts))? {
        let name = entry.map_err(io_failure(parts))?.file_name();
        let left = name.to_str().is_some_and(|name| {
            name == LOCK || (name.starts_with('.') && name.ends_with(UNFINISHED))
        });
        if !left {
            return Err(Failure::Usage(format!(
                "{} is no folder of carom's: it holds {} and no {MARKER}; give another --out",
                parts.display(),
                name.to_string_lossy()
            )));
        }
    }
    Ok(())
}

/// Removes what carom put into a folder, and the folder if nothing else is in it. The marker goes last.
fn clear(parts: &Path) -> Result<(), Failure> {
    let failed = unwritable(parts);
    let mut foreign = false;
    for entry in fs::read_dir(parts).map_err(&failed)? {
        let entry = entry.map_err(&failed)?;
        let name = entry.file_name();
        match name.to_str() {
            Some(MARKER) => {}
            Some(name) if is_own_name(name) => fs::remove_file(entry.path()).map_err(&failed)?,
            _ => foreign = true,
        }
    }
    fs::remove_file(parts.join(MARKER)).map_err(&failed)?;
    match foreign {
        true => Ok(()),
        false => fs::remove_dir(parts).map_err(&failed),
    }
}

fn metadata_of(path: &Path) -> Option<ParquetMetaData> {
    let file = File::open(path).ok()?;
    let reader = guarded(|| SerializedFileReader::new(file)).ok()?.ok()?;
    Some(reader.metadata().clone())
}

fn entries_of(metadata: &ParquetMetaData) -> impl Iterator<Item = (&str, &str)> {
    let entries = metadata.file_metadata().key_value_metadata().into_iter().flatten();
    entries.map(|entry| (entry.key.as_str(), entry.value.as_deref().unwrap_or_default()))
}

/// What sweep a file belongs to.
fn identity_in(metadata: &ParquetMetaData) -> BTreeMap<String, String> {
    entries_of(metadata)
        .filter(|(key, _)| key.starts_with("carom.") && ![PART, CHECKSUM_KEY].contains(key))
        .map(|(key, value)| (key.to_owned(), value.to_owned()))
        .collect()
}

pub(crate) fn io_failure(path: &Path) -> impl Fn(io::Error) -> Failure + use<> {
    let name = path.display().to_string();
    move |error| Failure::Io { name: name.clone(), error }
}

pub(crate) fn parquet_failure(path: &Path) -> impl Fn(ParquetError) -> Failure + use<> {
    let name = path.display().to_string();
    move |error| Failure::Io { name: name.clone(), error: io::Error::other(error.to_string()) }
}

/// A Parquet file that cannot be written: what the operating system said, where it was that.
pub(crate) fn parquet_unwritable(path: &Path) -> impl Fn(ParquetError) -> Failure + use<> {
    let failed = unwritable(path);
    move |error| {
        failed(match error {
            ParquetError::External(error) => match error.downcast::<io::Error>() {
                Ok(error) => *error,
                Err(error) => io::Error::other(error),
            },
            other => io::Error::other(other),
        })
    }
}
