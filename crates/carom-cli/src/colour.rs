//! Judgements in colour.

use anstyle::{AnsiColor, Style};
use carom::{Certificate, Verdict};
use carom_report::words::reasons;

/// The verdict with its reasons, in colour.
pub fn verdict(c: &Certificate) -> String {
    let (style, text) = match &c.verdict {
        Verdict::Permissible => (GOOD, "permissible".to_owned()),
        Verdict::Boundary => (GOOD, "permissible, on the boundary".to_owned()),
        Verdict::Violates(_) => (BAD, format!("not permissible: {}", reasons(c).join(", "))),
    };
    format!("{style}{text}{style:#}")
}

/// The colour of what is permissible.
pub const GOOD: Style = AnsiColor::Green.on_default();
/// The colour of what is not.
pub const BAD: Style = AnsiColor::Red.on_default();
