//! Everything that can go wrong.

use carom::ImpactError;
use std::io;
use std::ops::Range;
use thiserror::Error;

/// Why there is no answer.
#[derive(Debug, Error)]
pub enum Failure {
    /// The text is no JSON or TOML.
    #[error("{message}")]
    Parse {
        /// What the parser says.
        message: String,
        /// Where \[bytes\].
        span: Option<Range<usize>>,
    },
    /// The text is fine and what it says is not.
    #[error(transparent)]
    Impact(#[from] ImpactError),
    /// A file cannot be read.
    #[error("{name}: {error}")]
    Io {
        /// Which one.
        name: String,
        /// What the operating system says.
        error: io::Error,
    },
    /// A file cannot be written.
    #[error("{name}: {error}")]
    Write {
        /// Which one.
        name: String,
        /// What the operating system says.
        error: io::Error,
    },
    /// Something is asked for that does not exist.
    #[error("{0}")]
    Usage(String),
}

impl Failure {
    /// The error's class, as written in answers.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Parse { .. } => "parse",
            Self::Impact(error) => error.kind(),
            Self::Io { .. } | Self::Write { .. } => "io",
            Self::Usage(_) => "usage",
        }
    }

    /// Whether the machine is at fault, as a full disk or a folder that must not be written to, and neither input nor
    /// command line. A place that is no place is the command line's.
    pub fn is_the_machines(&self) -> bool {
        use io::ErrorKind::{InvalidFilename, InvalidInput, IsADirectory, NotADirectory, NotFound};
        matches!(self, Self::Write { error, .. } if !matches!(
            error.kind(),
            NotFound | NotADirectory | IsADirectory | InvalidFilename | InvalidInput
        ))
    }

    /// Whether the input is fine and the law has no answer to it, rather than the input being at fault.
    pub fn is_the_laws(&self) -> bool {
        matches!(
            self,
            Self::Impact(
                ImpactError::NotApplicable { .. }
                    | ImpactError::NoSolution { .. }
                    | ImpactError::NotConverged { .. }
            )
        )
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Write { name: "standard output".into(), error }
    }
}
