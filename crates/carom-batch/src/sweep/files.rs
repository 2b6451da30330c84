//! Where a sweep is kept while it runs, and how its file comes about.
//!
//! Beside `results.parquet` stands a folder `results.parquet.parts`: what the sweep is (`identity.json`), a lock, and one
//! Parquet file for each finished row group. A part is written under another name, forced to the disk and only then
//! renamed, so that a part that is there is whole, whenever the program or the machine was stopped. When all are there, the
//! result is put together from their row groups, byte by byte, and renamed in the same way; then the folder goes.
//! Every byte depends on the spec alone: neither on threads nor on interruptions.

use arrow_array::RecordBatch;
use carom_io::failure::Failure;
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, Encoding};
use parquet::column::writer::ColumnCloseResult;
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::ColumnPath;
use std::collections::BTreeMap;
use std::fs::{self, File, TryLockError};
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What a sweep is: two that agree in this have the same bytes. It is also the metadata of the result.
pub type Identity = BTreeMap<&'static str, String>;

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
    pub fn claim(out: &Path, identity: Identity) -> Result<Claim, Failure> {
        let mut name = out.as_os_str().to_owned();
        name.push(".parts");
        let parts = PathBuf::from(name);
        if out.exists() {
            return match identity_of(out) {
                Some(found) if found == named(&identity) => {
                    // What was left if it was stopped after its last step but one.
                    if parts.exists() {
                        fs::remove_dir_all(&parts).map_err(io_failure(&parts))?;
                    }
                    Ok(Claim::Finished)
                }
                _ => Err(Failure::Usage(format!(
                    "{} is there already and holds something else; remove it, or give another --out",
                    out.display()
                ))),
            };
        }
        match fs::create_dir(&parts) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
                return Err(io_failure(&parts)(error));
            }
            _ => {}
        }
        let lock_path = parts.join("lock");
        let lock = File::create(&lock_path).map_err(io_failure(&lock_path))?;
        // Some file systems know no locks: they are trusted.
        if let Err(TryLockError::WouldBlock) = lock.try_lock() {
            let message = format!("another sweep is writing to {} right now", parts.display());
            return Err(Failure::Usage(message));
        }
        let files = Self { out: out.to_owned(), parts, identity, _lock: lock };
        files.check_identity()?;
        Ok(Claim::Open(files))
    }

    /// Refuses parts of another sweep; signs an empty folder.
    fn check_identity(&self) -> Result<(), Failure> {
        let path = self.parts.join("identity.json");
        let own = named(&self.identity);
        match fs::read(&path) {
            Ok(text) => {
                let found: BTreeMap<String, String> =
                    serde_json::from_slice(&text).unwrap_or_default();
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
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let text = serde_json::to_vec_pretty(&own)
                    .map_err(|error| io_failure(&path)(error.into()))?;
                self.install(&path, |temporary| {
                    fs::write(temporary, &text).map_err(io_failure(&path))
                })
            }
            Err(error) => Err(io_failure(&path)(error)),
        }
    }

    fn part(&self, index: usize) -> PathBuf {
        self.parts.join(format!("{index:08}.parquet"))
    }

    /// Whether this row group is finished.
    pub fn has(&self, index: usize) -> bool {
        self.part(index).exists()
    }

    /// The folder of the parts.
    pub fn parts(&self) -> &Path {
        &self.parts
    }

    /// Keeps a row group.
    pub fn keep(&self, index: usize, batch: &RecordBatch) -> Result<(), Failure> {
        let path = self.part(index);
        self.install(&path, |temporary| {
            let file = File::create(temporary).map_err(io_failure(&path))?;
            let properties = self.properties(batch);
            let mut writer =
                ArrowWriter::try_new(BufWriter::new(file), batch.schema(), Some(properties))
                    .map_err(parquet_failure(&path))?;
            writer.write(batch).map_err(parquet_failure(&path))?;
            writer.close().map(drop).map_err(parquet_failure(&path))
        })
    }

    fn properties(&self, batch: &RecordBatch) -> WriterProperties {
        let metadata = self
            .identity
            .iter()
            .map(|(key, value)| KeyValue::new((*key).to_owned(), value.clone()));
        let builder = WriterProperties::builder()
            .set_created_by(concat!("carom ", env!("CARGO_PKG_VERSION")).into())
            .set_compression(Compression::SNAPPY)
            .set_statistics_enabled(EnabledStatistics::Chunk)
            .set_offset_index_disabled(true)
            .set_max_row_group_row_count(Some(batch.num_rows().max(1)))
            .set_key_value_metadata(Some(metadata.collect()));
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

    /// Puts the result together from all parts, of so many rows each.
    pub fn finish(&self, rows: &[usize]) -> Result<(), Failure> {
        self.install(&self.out, |temporary| {
            let failed = parquet_failure(&self.out);
            let mut writer = None;
            for (index, rows) in rows.iter().enumerate() {
                let path = self.part(index);
                let damaged = |what: String| {
                    Failure::Usage(format!(
                        "{}: {what}; remove it, and run the sweep again",
                        path.display()
                    ))
                };
                let file = File::open(&path).map_err(io_failure(&path))?;
                let again = file.try_clone().map_err(io_failure(&path))?;
                let reader =
                    SerializedFileReader::new(file).map_err(|error| damaged(error.to_string()))?;
                let metadata = reader.metadata();
                let [group] = metadata.row_groups() else {
                    return Err(damaged("it must have one row group".into()));
                };
                if group.num_rows() != *rows as i64 {
                    return Err(damaged(format!(
                        "it has {} rows instead of {rows}",
                        group.num_rows()
                    )));
                }
                if writer.is_none() {
                    let about = metadata.file_metadata();
                    let properties = WriterProperties::builder()
                        .set_created_by(about.created_by().unwrap_or_default().to_owned())
                        .set_offset_index_disabled(true)
                        .set_key_value_metadata(about.key_value_metadata().cloned())
                        .build();
                    let file = File::create(temporary).map_err(io_failure(&self.out))?;
                    let schema = about.schema_descr().root_schema_ptr();
                    let created = SerializedFileWriter::new(
                        BufWriter::new(file),
                        schema,
                        Arc::new(properties),
                    );
                    writer = Some(created.map_err(&failed)?);
                }
                let Some(writer) = &mut writer else { continue };
                let mut target = writer.next_row_group().map_err(&failed)?;
                for column in group.columns() {
                    let close = ColumnCloseResult {
                        bytes_written: column.compressed_size() as u64,
                        rows_written: *rows as u64,
                        metadata: column.clone(),
                        bloom_filter: None,
                        column_index: None,
                        offset_index: None,
                    };
                    target.append_column(&again, close).map_err(&failed)?;
                }
                target.close().map_err(&failed)?;
            }
            match writer {
                Some(writer) => writer.close().map(drop).map_err(&failed),
                None => Err(Failure::Usage("a sweep without rows has no result".into())),
            }
        })?;
        fs::remove_dir_all(&self.parts).map_err(io_failure(&self.parts))
    }

    /// Writes a file under another name, forces it to the disk and renames it: it is there whole, or not at all.
    fn install(
        &self,
        path: &Path,
        write: impl FnOnce(&Path) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let mut temporary = self.parts.join(path.file_name().unwrap_or_default());
        temporary.set_extension("unfinished");
        write(&temporary)?;
        let failed = io_failure(path);
        File::open(&temporary).and_then(|file| file.sync_all()).map_err(&failed)?;
        fs::rename(&temporary, path).map_err(&failed)?;
        // The name, too, must be on the disk. Where folders cannot be opened, the system sees to it.
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        match File::open(folder.unwrap_or(Path::new("."))) {
            Ok(folder) if cfg!(unix) => folder.sync_all().map_err(&failed),
            _ => Ok(()),
        }
    }
}

fn named(identity: &Identity) -> BTreeMap<String, String> {
    identity.iter().map(|(key, value)| ((*key).to_owned(), value.clone())).collect()
}

/// What sweep a file is the result of.
fn identity_of(path: &Path) -> Option<BTreeMap<String, String>> {
    let reader = SerializedFileReader::new(File::open(path).ok()?).ok()?;
    let metadata = reader.metadata().file_metadata().key_value_metadata()?;
    let ours = metadata.iter().filter(|entry| entry.key.starts_with("carom."));
    Some(ours.map(|entry| (entry.key.clone(), entry.value.clone().unwrap_or_default())).collect())
}

pub(crate) fn io_failure(path: &Path) -> impl Fn(io::Error) -> Failure {
    let name = path.display().to_string();
    move |error| Failure::Io { name: name.clone(), error }
}

pub(crate) fn parquet_failure(path: &Path) -> impl Fn(ParquetError) -> Failure {
    let name = path.display().to_string();
    move |error| Failure::Io { name: name.clone(), error: io::Error::other(error.to_string()) }
}
