//! What is wrong with a robot file, and what of it is not taken over: with the place.

use std::fmt;
use std::ops::Range;

/// Where something stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Which of the files that were read.
    pub file: usize,
    /// From 1.
    pub line: u32,
    /// From 1, in characters.
    pub column: u32,
    /// The first byte, and the one after the last.
    pub span: (usize, usize),
}

/// An error while it is on its way to who knows the files.
#[derive(Clone, Debug)]
pub struct Fault {
    pub place: Option<Place>,
    pub element: String,
    pub message: String,
}

pub type Result<T> = std::result::Result<T, Fault>;

impl Fault {
    pub fn new(place: Place, element: impl Into<String>, message: impl Into<String>) -> Self {
        Self { place: Some(place), element: element.into(), message: message.into() }
    }

    /// Of the call, not of a file.
    pub fn of_call(message: impl Into<String>) -> Self {
        Self { place: None, element: String::new(), message: message.into() }
    }
}

/// Why a robot file is no scene.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ImportError {
    /// Which file and where in it; none if the call is at fault, as by a joint that is not there.
    pub at: Option<At>,
    /// What it is about, as `joint "knee"`; empty where that is the whole file.
    pub element: String,
    /// What is wrong, and what would be right.
    pub message: String,
}

/// A place in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct At {
    /// The file, as it was called.
    pub file: String,
    /// Its text.
    pub text: String,
    /// From 1.
    pub line: u32,
    /// From 1, in characters.
    pub column: u32,
    /// In bytes.
    pub span: Range<usize>,
}

impl fmt::Display for ImportError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        if let Some(at) = &self.at {
            write!(f, "{}:{}:{}: ", at.file, at.line, at.column)?;
        }
        if !self.element.is_empty() {
            write!(f, "{}: ", self.element)?;
        }
        f.write_str(&self.message)
    }
}

impl std::error::Error for ImportError {}

/// Something of a robot file that the scene does not have, or has otherwise.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Note {
    /// The file, as it was called.
    pub file: String,
    /// From 1.
    pub line: u32,
    /// What it is about, as `joint "knee"`.
    pub element: String,
    /// What became of it.
    pub what: String,
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}:{}: {}: {}", self.file, self.line, self.element, self.what)
    }
}

/// Notes while the files are read.
#[derive(Debug, Default)]
pub struct Notes {
    pub list: Vec<(Place, String, String)>,
    /// How many elements and attributes only say how something looks.
    pub looks: usize,
}

impl Notes {
    pub fn add(&mut self, place: Place, element: impl Into<String>, what: impl Into<String>) {
        self.list.push((place, element.into(), what.into()));
    }
}
