//! Judgements in colour.

use anstyle::{AnsiColor, Style};
use carom::{Certificate, Verdict};
use carom_io::plain;
use carom_report::words::reasons;
use std::borrow::Cow;

/// The verdict with its reasons, in colour.
pub fn verdict(c: &Certificate) -> String {
    let (style, text) = match &c.verdict {
        Verdict::Permissible => (GOOD, "permissible".to_owned()),
        Verdict::Boundary => (GOOD, "permissible, on the boundary".to_owned()),
        Verdict::Violates(_) => (BAD, format!("not permissible: {}", reasons(c).join(", "))),
    };
    format!("{style}{text}{style:#}")
}

/// The same text with none but carom's own styles in it: other sequences that act on a terminal are shown.
pub fn nothing_else(text: &str) -> Cow<'_, str> {
    if !text.contains(plain::acts) {
        return Cow::Borrowed(text);
    }
    let styles = [GOOD, BAD, Style::new().bold(), Style::new().dimmed()];
    let own: Vec<String> =
        styles.iter().flat_map(|style| [format!("{style}"), format!("{style:#}")]).collect();
    let mut shown = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(plain::acts) {
        shown.push_str(&rest[..at]);
        rest = &rest[at..];
        let first = rest.chars().next().map_or(0, char::len_utf8);
        let style = own.iter().find(|style| rest.starts_with(style.as_str()));
        let length = style.map_or(first, String::len);
        match style {
            Some(style) => shown.push_str(style),
            None => shown.push_str(&plain::message(&rest[..length])),
        }
        rest = &rest[length..];
    }
    Cow::Owned(shown + rest)
}

/// The colour of what is permissible.
pub const GOOD: Style = AnsiColor::Green.on_default();
/// The colour of what is not.
pub const BAD: Style = AnsiColor::Red.on_default();
