//! Why the book cannot be built.

use std::fmt;
use std::path::Path;

/// A sentence for the terminal.
#[derive(Debug)]
pub struct Fault(String);

impl Fault {
    /// In these words.
    pub fn new(words: impl Into<String>) -> Self {
        Self(words.into())
    }

    /// At this file.
    pub fn at(path: &Path, error: &std::io::Error) -> Self {
        Self(format!("{}: {error}", path.display()))
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
