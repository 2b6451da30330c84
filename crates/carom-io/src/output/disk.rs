//! The operations on files that writing needs, each of which may be made to fail.

use crate::checksum::Checksum;
use std::cell::Cell;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

thread_local! {
    /// How many operations of this thread still succeed, and how many there were.
    static FAULT: Cell<(u64, u64)> = const { Cell::new((u64::MAX, 0)) };
}

/// Does some work whose operations on the disk fail as on a full one, but for the first `succeeding`. Also says how many
/// operations there were. For tests: what writes does so on the caller's thread.
pub fn with_full_disk<T>(succeeding: u64, work: impl FnOnce() -> T) -> (T, u64) {
    FAULT.set((succeeding, 0));
    let result = work();
    let (_, count) = FAULT.replace((u64::MAX, 0));
    (result, count)
}

/// Counts an operation that may fail.
fn step() -> io::Result<()> {
    let (left, count) = FAULT.get();
    FAULT.set((left.saturating_sub(u64::from(left != u64::MAX)), count + 1));
    match left {
        0 => Err(io::ErrorKind::StorageFull.into()),
        _ => Ok(()),
    }
}

/// Makes a folder.
pub fn create_folder(path: &Path) -> io::Result<()> {
    step()?;
    fs::create_dir(path)
}

/// Makes a folder and those above it.
pub fn create_folders(path: &Path) -> io::Result<()> {
    match path.is_dir() {
        true => Ok(()),
        false => step().and_then(|()| fs::create_dir_all(path)),
    }
}

/// Opens a file for writing, new or not, and leaves what it holds.
pub fn open_to_append(path: &Path) -> io::Result<File> {
    step()?;
    OpenOptions::new().create(true).append(true).open(path)
}

/// A file that is being written under another name. It goes unless it is kept.
pub struct Unfinished {
    path: PathBuf,
    file: BufWriter<Counted>,
    checksum: Checksum,
    kept: bool,
}

impl Unfinished {
    /// Begins a file in a folder.
    pub(super) fn begin(folder: &Path, name: &str) -> io::Result<Self> {
        let mut attempt = 0;
        loop {
            let path = folder.join(format!(".{name}.{}-{attempt}{UNFINISHED}", std::process::id()));
            step()?;
            match OpenOptions::new().read(true).write(true).create_new(true).open(&path) {
                Ok(file) => {
                    let file = BufWriter::new(Counted(file));
                    return Ok(Self { path, file, checksum: Checksum::default(), kept: false });
                }
                // Left by a program of the same number that was killed.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists && attempt < 1000 => {
                    attempt += 1;
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// The checksum of what was written.
    pub fn checksum(&self) -> Checksum {
        self.checksum
    }

    /// The last bytes, at most so many, and where they begin.
    pub(super) fn tail(&mut self, most: u64) -> io::Result<(u64, Vec<u8>)> {
        self.file.flush()?;
        let file = &mut self.file.get_mut().0;
        let length = file.seek(SeekFrom::End(0))?;
        let start = file.seek(SeekFrom::Start(length.saturating_sub(most)))?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        Ok((start, bytes))
    }

    /// Writes over some of the bytes, which the checksum does not see.
    pub(super) fn overwrite(&mut self, at: u64, bytes: &[u8]) -> io::Result<()> {
        self.file.flush()?;
        let file = self.file.get_mut();
        file.0.seek(SeekFrom::Start(at))?;
        file.write_all(bytes)?;
        file.0.seek(SeekFrom::End(0)).map(drop)
    }

    /// Forces it to the disk and gives it its name, whatever had that name before.
    pub(super) fn keep(mut self, path: &Path) -> io::Result<()> {
        self.file.flush()?;
        if let Ok(before) = fs::metadata(path) {
            // Whoever could read the file before still can, and nobody else.
            self.file.get_ref().0.set_permissions(before.permissions())?;
        }
        step()?;
        self.file.get_ref().0.sync_all()?;
        step()?;
        fs::rename(&self.path, path)?;
        self.kept = true;
        // The name, too, must be on the disk. Where folders cannot be opened, the system sees to it.
        step()?;
        match File::open(folder_of(path)) {
            Ok(folder) if cfg!(unix) => folder.sync_all(),
            _ => Ok(()),
        }
    }
}

impl Write for Unfinished {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.file.write(bytes)?;
        self.checksum.update(&bytes[..count]);
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        if !self.kept {
            // Whoever dropped it has an error to tell already.
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// How the names of unfinished files end.
pub const UNFINISHED: &str = ".unfinished";

/// The folder a file stands in.
pub(super) fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// A file whose every write is counted.
struct Counted(File);

impl Write for Counted {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        step()?;
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}
