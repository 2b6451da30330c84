//! Where text comes from, and how much of it is taken.

use crate::failure::Failure;
use crate::format::{Language, Node, Problem, locate};
use carom::ImpactError;
use std::fs::File;
use std::io::{self, BufRead, Read};
use std::ops::Range;
use std::path::Path;

/// No file and no line of a stream may be longer than this \[bytes\].
pub const SIZE_LIMIT: u64 = 64 << 20;

/// A problem file, read.
#[derive(Debug)]
pub struct Source {
    /// Its name in messages.
    pub name: String,
    /// Its text.
    pub text: String,
    /// The language it is written in.
    pub language: Language,
}

impl Source {
    /// Reads a file, or standard input if `path` is `-`.
    pub fn open(path: &Path) -> Result<Self, Failure> {
        if path == Path::new("-") {
            return Self::read("standard input", io::stdin().lock());
        }
        let name = path.display().to_string();
        let unreadable = |error: io::Error| Failure::Io { name: name.clone(), error };
        let file = File::open(path).map_err(unreadable)?;
        // Before reading: megabytes that are refused in the end take time.
        let size = file.metadata().map_err(unreadable)?.len();
        if size > SIZE_LIMIT {
            return Err(too_long(&name, Some(size)));
        }
        Self::read(&name, file)
    }

    /// Reads text to its end, or to the limit.
    pub fn read(name: &str, reader: impl Read) -> Result<Self, Failure> {
        let mut bytes = Vec::new();
        reader
            .take(SIZE_LIMIT + 1)
            .read_to_end(&mut bytes)
            .map_err(|error| Failure::Io { name: name.into(), error })?;
        if bytes.len() as u64 > SIZE_LIMIT {
            return Err(too_long(name, None));
        }
        let text = String::from_utf8(bytes).map_err(|error| Failure::Parse {
            message: format!(
                "{name} is not UTF-8 text (byte {})",
                error.utf8_error().valid_up_to()
            ),
            span: None,
        })?;
        let text = match text.strip_prefix(BYTE_ORDER_MARK) {
            Some(rest) => rest.to_owned(),
            None => text,
        };
        Ok(Self { name: name.into(), language: language_of(name, &text), text })
    }

    /// The document in it.
    pub fn parse(&self) -> Result<Node, Failure> {
        match self.language {
            Language::Json => serde_json::from_str(&self.text).map_err(|error| Failure::Parse {
                span: Some(self.position(error.line(), error.column())),
                message: without_position(&error),
            }),
            Language::Toml => toml::from_str(&self.text).map_err(|error| Failure::Parse {
                span: error.span(),
                message: error.message().to_owned(),
            }),
        }
    }

    /// The problem in it.
    pub fn problem(&self) -> Result<Problem, Failure> {
        Problem::read(&self.parse()?).map_err(Failure::Impact)
    }

    /// Where the value that an error is about stands, if it stands in this text.
    pub fn place_of(&self, failure: &Failure) -> Option<Range<usize>> {
        match failure {
            Failure::Parse { span, .. } => span.clone(),
            Failure::Impact(ImpactError::BadProblem { field, .. }) => {
                locate(&self.text, self.language, field)
            }
            Failure::Impact(ImpactError::UnknownLaw { .. }) => {
                locate(&self.text, self.language, "law.id")
            }
            Failure::Impact(ImpactError::BadSetting { setting, .. }) => {
                locate(&self.text, self.language, &format!("law.{setting}"))
            }
            _ => None,
        }
    }

    /// The byte of a line and column, both counted from 1.
    fn position(&self, line: usize, column: usize) -> Range<usize> {
        let start: usize =
            self.text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
        let mut at = (start + column.saturating_sub(1)).min(self.text.len());
        // Columns count bytes, and may point into the middle of a character.
        while !self.text.is_char_boundary(at) {
            at -= 1;
        }
        at..at
    }
}

fn language_of(name: &str, text: &str) -> Language {
    match Path::new(name).extension().and_then(|e| e.to_str()) {
        Some(e) if e.eq_ignore_ascii_case("json") => Language::Json,
        Some(e) if e.eq_ignore_ascii_case("toml") => Language::Toml,
        _ if text.trim_start().starts_with('{') => Language::Json,
        _ => Language::Toml,
    }
}

fn too_long(name: &str, size: Option<u64>) -> Failure {
    let limit = SIZE_LIMIT >> 20;
    let size = size.map_or_else(String::new, |s| format!(" ({} MiB)", s >> 20));
    Failure::Impact(ImpactError::Limit(format!("{name} is longer than {limit} MiB{size}")))
}

/// What serde_json says, without the position that the diagnostic shows anyway.
pub fn without_position(error: &serde_json::Error) -> String {
    let text = error.to_string();
    match text.rsplit_once(" at line ") {
        Some((message, _)) => message.to_owned(),
        None => text,
    }
}

/// The mark that some editors put in front of UTF-8 text; no parser wants it.
const BYTE_ORDER_MARK: &str = "\u{feff}";

/// The same bytes without a mark in front.
pub fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(BYTE_ORDER_MARK.as_bytes()).unwrap_or(bytes)
}

/// The next line of a stream, without its end. `None` at the end of the stream; lines over the limit are skipped
/// without being kept and reported as [`ImpactError::Limit`].
pub fn next_line<'a>(
    reader: &mut impl BufRead,
    buffer: &'a mut Vec<u8>,
) -> Option<Result<&'a [u8], Failure>> {
    let failed = |error| Failure::Io { name: "standard input".into(), error };
    buffer.clear();
    if let Err(error) = reader.by_ref().take(SIZE_LIMIT + 1).read_until(b'\n', buffer) {
        return Some(Err(failed(error)));
    }
    if buffer.is_empty() {
        return None;
    }
    if buffer.last() == Some(&b'\n') {
        buffer.pop();
    } else if buffer.len() as u64 > SIZE_LIMIT {
        return Some(match reader.skip_until(b'\n') {
            Ok(_) => Err(too_long("a line", None)),
            Err(error) => Err(failed(error)),
        });
    }
    Some(Ok(buffer))
}
