//! How a failure is shown: with the line it is about.

use carom_io::failure::Failure;
use carom_io::input::Source;
use carom_io::plain;
use miette::{Diagnostic, GraphicalReportHandler, GraphicalTheme, LabeledSpan, SourceCode};
use std::fmt;
use std::io::{self, IsTerminal};
use std::ops::Range;

/// The error for people: with the line it is about, and in colour on a terminal.
pub fn report(failure: &Failure, source: Option<&Source>) -> String {
    let terminal = io::stderr().is_terminal();
    let colour = terminal && std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty());
    let theme = match (colour, terminal) {
        (true, _) => GraphicalTheme::unicode(),
        (false, true) => GraphicalTheme::unicode_nocolor(),
        (false, false) => GraphicalTheme::none(),
    };
    let shown = source.map(|source| Source {
        // Places are counted in bytes, so that characters that are not shown keep theirs.
        text: plain::of_same_length(&source.text).into_owned(),
        name: plain::name(&source.name).into_owned(),
        language: source.language,
    });
    let place = source.and_then(|source| source.place_of(failure));
    let report = Report { failure, place: shown.as_ref().zip(place) };
    if let Some((line, column)) = report.place_in_a_long_line() {
        return format!("{report}\n  at line {line}, column {column}\n");
    }
    let mut text = String::new();
    let handler = GraphicalReportHandler::new_themed(theme).with_width(100).with_links(false);
    match handler.render_report(&mut text, &report) {
        Ok(()) => text,
        Err(fmt::Error) => format!("{report}\n"),
    }
}

/// A failure together with its place, as the renderer wants it.
#[derive(Debug)]
struct Report<'a> {
    failure: &'a Failure,
    place: Option<(&'a Source, Range<usize>)>,
}

impl Report<'_> {
    /// Line and column of the place, counted from 1, if the line is too long to be shown.
    fn place_in_a_long_line(&self) -> Option<(usize, usize)> {
        const LONGEST: usize = 400;
        let (source, range) = self.place.as_ref()?;
        let before = source.text.get(..range.start)?;
        let start = before.rfind('\n').map_or(0, |i| i + 1);
        let length = source.text[start..].find('\n').unwrap_or(source.text.len() - start);
        let line = before.matches('\n').count() + 1;
        let column = before[start..].chars().count() + 1;
        (length > LONGEST).then_some((line, column))
    }
}

impl fmt::Display for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}: {}", self.failure.kind(), plain::message(&self.failure.to_string()))
    }
}

impl std::error::Error for Report<'_> {}

impl Diagnostic for Report<'_> {
    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.place.as_ref().map(|_| self as &dyn SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let (_, range) = self.place.as_ref()?;
        let label = LabeledSpan::new(Some("here".into()), range.start, range.len());
        Some(Box::new(std::iter::once(label)))
    }
}

impl SourceCode for Report<'_> {
    fn read_span<'b>(
        &'b self,
        span: &miette::SourceSpan,
        before: usize,
        after: usize,
    ) -> Result<Box<dyn miette::SpanContents<'b> + 'b>, miette::MietteError> {
        let Some((source, _)) = &self.place else {
            return Err(miette::MietteError::OutOfBounds);
        };
        let contents = source.text.read_span(span, before, after)?;
        Ok(Box::new(miette::MietteSpanContents::new_named(
            source.name.clone(),
            contents.data(),
            *contents.span(),
            contents.line(),
            contents.column(),
            contents.line_count(),
        )))
    }
}
