//! What robot files become, what is said of the rest, and what is refused.

mod bad;
mod mass;
mod mutations;
mod taken;

use carom_import::{ImportError, Imported, Options, import, import_text};
use std::path::PathBuf;

/// A robot of the repository.
fn robot(name: &str) -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../robots")).join(name)
}

fn read(name: &str, options: &Options) -> Imported {
    import(&robot(name), options).unwrap_or_else(|error| panic!("{error}"))
}

/// A text as the file of that name, beside the robots.
fn text(name: &str, text: &str) -> Result<Imported, ImportError> {
    import_text(text, &robot(name), &Options::default())
}
