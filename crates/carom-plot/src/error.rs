//! Why a figure cannot be drawn.

use carom::ImpactError;
use thiserror::Error;

/// Why a figure cannot be drawn.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum PlotError {
    /// This kind of figure does not show problems of this class.
    #[error("no figure of kind `{kind}`: {reason}")]
    NotDrawable {
        /// The kind of figure.
        kind: &'static str,
        /// The condition that failed.
        reason: String,
    },
    /// A law or the region has no answer.
    #[error(transparent)]
    Impact(#[from] ImpactError),
}

impl PlotError {
    pub(crate) fn new(kind: &'static str, reason: String) -> Self {
        Self::NotDrawable { kind, reason }
    }
}
