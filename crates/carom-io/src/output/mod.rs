//! How files come about: whole or not at all, and never in the place of something that carom did not write.
//!
//! Everything is written under another name in the same folder, forced to the disk and renamed. What goes wrong before
//! leaves the old file and nothing else.

mod disk;
mod mark;

pub use disk::{
    UNFINISHED, Unfinished, create_folder, create_folders, open_to_append, with_full_disk,
};
pub use mark::{CHECKSUM_BLANK, CHECKSUM_KEY, Mark, mark_of, seal_parquet, signed};

use crate::failure::Failure;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

/// Where something is written to, and what may be replaced there.
#[derive(Clone, Copy, Debug)]
pub struct Target<'a> {
    /// The file.
    pub path: &'a Path,
    /// What the work read: never replaced without force.
    pub inputs: &'a [&'a Path],
    /// Replaces whatever is there.
    pub force: bool,
}

impl Target<'_> {
    /// Refuses what must not be replaced. Worth asking before the work; [`Target::write`] asks again.
    pub fn check(&self) -> Result<(), Failure> {
        self.check_inputs()?;
        if self.force || !is_there(self.path) {
            return Ok(());
        }
        let name = self.path.display();
        match mark_of(self.path).map_err(unwritable(self.path))? {
            Mark::Whole => Ok(()),
            Mark::Changed => Err(Failure::Usage(format!(
                "{name} is there already and was changed since carom wrote it; give another name, or --force to replace it"
            ))),
            Mark::Absent => Err(Failure::Usage(format!(
                "{name} is there already, and nothing says that carom wrote it; give another name, or --force to replace it"
            ))),
        }
    }

    /// Refuses to replace what the work reads.
    pub fn check_inputs(&self) -> Result<(), Failure> {
        match self.inputs.iter().any(|input| is_same(input, self.path)) && !self.force {
            true => Err(Failure::Usage(format!(
                "{} is what this is made from; give another name, or --force to replace it",
                self.path.display()
            ))),
            false => Ok(()),
        }
    }

    /// Writes a file, with a mark where there is a place for it. The same bytes may always be written again.
    pub fn write(&self, bytes: impl Into<Vec<u8>>) -> Result<(), Failure> {
        let bytes = signed(bytes.into());
        if !self.force && holds(self.path, &bytes) {
            return Ok(());
        }
        self.check()?;
        install(self.path, None, |file| file.write_all(&bytes).map_err(unwritable(self.path)))
    }
}

/// Writes a file under another name, in `scratch` or else beside it, forces it to the disk and renames it: it is there
/// whole, or not at all. What is no file, as a pipe, is written to as it is.
pub fn install(
    path: &Path,
    scratch: Option<&Path>,
    write: impl FnOnce(&mut Unfinished) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let failed = unwritable(path);
    // A link stays a link, and what it names is replaced.
    let real = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let name = real.file_name().unwrap_or_default().to_string_lossy();
    // With room for what is added to it.
    let name: String = name.chars().take(48).collect();
    match fs::metadata(&real) {
        Ok(found) if found.is_file() && found.permissions().readonly() => {
            // Renaming would not ask.
            return Err(failed(io::ErrorKind::PermissionDenied.into()));
        }
        Ok(found) if found.is_dir() => return Err(failed(io::ErrorKind::IsADirectory.into())),
        Ok(found) if !found.is_file() => {
            let folder = std::env::temp_dir();
            let mut file = Unfinished::begin(&folder, &name).map_err(&failed)?;
            write(&mut file)?;
            return copy(file, &real).map_err(&failed);
        }
        _ => {}
    }
    let folder = scratch.unwrap_or(disk::folder_of(&real));
    let mut file = Unfinished::begin(folder, &name).map_err(&failed)?;
    write(&mut file)?;
    file.keep(&real).map_err(&failed)
}

/// To a pipe or a device.
fn copy(mut file: Unfinished, to: &Path) -> io::Result<()> {
    let (_, bytes) = file.tail(u64::MAX)?;
    OpenOptions::new().write(true).open(to)?.write_all(&bytes)
}

/// Whether there is a file, or a link that leads nowhere.
fn is_there(path: &Path) -> bool {
    match fs::metadata(path) {
        Ok(found) => found.is_file(),
        Err(_) => fs::symlink_metadata(path).is_ok(),
    }
}

fn holds(path: &Path, bytes: &[u8]) -> bool {
    fs::metadata(path).is_ok_and(|found| found.is_file() && found.len() == bytes.len() as u64)
        && fs::read(path).is_ok_and(|found| found == bytes)
}

/// Whether two names are one file.
fn is_same(input: &Path, path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        // Standard input may be a file, too.
        let input = if input == Path::new("-") { Path::new("/dev/stdin") } else { input };
        let place = |path: &Path| fs::metadata(path).map(|found| (found.dev(), found.ino()));
        matches!((place(input), place(path)), (Ok(a), Ok(b)) if a == b)
    }
    #[cfg(not(unix))]
    {
        let real = |path: &Path| fs::canonicalize(path);
        matches!((real(input), real(path)), (Ok(a), Ok(b)) if a == b)
    }
}

/// What is said where a file cannot be written.
pub fn unwritable(path: &Path) -> impl Fn(io::Error) -> Failure + use<> {
    let name = path.display().to_string();
    move |error| Failure::Write { name: name.clone(), error }
}
