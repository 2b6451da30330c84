//! The comparison as one page that needs nothing else: the problem, every law's outcome and verdict, pictures, the
//! certificates, how to get it all again.

use crate::answer::ComparisonAnswer;
use crate::columns::{Column, Line, Per, Shown, Table, Text};
use crate::comparison::{Comparison, Entry};
use crate::numbers::{column, significant, vector};
use crate::plot;
use crate::summary::{problem_lines, why_absent};
use crate::words;
use carom::{Certificate, ContactProblem, Verdict};
use carom_io::failure::Failure;
use carom_io::format::Problem;
use carom_io::input::Source;
use carom_io::progress::ProgressSink;
use carom_plot::{Figure, Theme};
use std::fmt::Write;

/// How the page looks, on a screen and on paper.
const STYLE: &str = include_str!("html.css");
/// Of more rows than these the page shows the ends; all numbers stand in its data.
const MOST_ROWS: usize = 12;

/// The page. `file` is the file's name as commands take it.
pub fn page(
    source: &Source,
    problem: &Problem,
    comparison: &Comparison,
    file: &str,
    progress: &dyn ProgressSink,
) -> Result<String, Failure> {
    let contacts = problem.system.problem();
    let title = problem.title.as_deref().unwrap_or("An impact");
    let mut out = String::new();
    let _ = write!(
        out,
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"generator\" content=\"carom {version}\">\n<title>{title}</title>\n<style>\n{STYLE}</style>\n\
         </head>\n<body>\n<header>\n<h1>{title}</h1>\n<p class=\"muted\">Every law of carom {version} on one impact.</p>\n\
         </header>\n<main>\n",
        title = escape(title),
        version = env!("CARGO_PKG_VERSION"),
    );
    the_problem(&mut out, source, contacts, comparison);
    outcomes(&mut out, contacts, comparison, true);
    absent(&mut out, contacts, comparison);
    figures(&mut out, source, problem, progress);
    certificates(&mut out, contacts, comparison);
    reproduction(&mut out, file, comparison);
    let answer = ComparisonAnswer { problem, comparison };
    let data = serde_json::to_string(&answer)
        .map_err(|error| Failure::Io { name: "the report".into(), error: error.into() })?;
    // Inside a script only its own end is special.
    let data = data.replace("</", "<\\/");
    let _ = write!(
        out,
        "</main>\n<script type=\"application/json\" id=\"comparison\">{data}</script>\n</body>\n</html>\n"
    );
    Ok(out)
}

fn the_problem(
    out: &mut String,
    source: &Source,
    problem: &ContactProblem,
    comparison: &Comparison,
) {
    out.push_str("<section id=\"problem\">\n<h2>The problem</h2>\n");
    for line in problem_lines(problem, comparison) {
        let _ = writeln!(out, "<p>{}</p>", escape(&line));
    }
    let _ = write!(
        out,
        "<p class=\"muted\">The normal points from body A to body B; <i>u</i> is the velocity of B's contact point relative \
         to A's, negative where they approach; the impulse <i>p</i> acts on B; normal components stand first.</p>\n\
         <details><summary>The file, <code>{}</code></summary>\n<pre>{}</pre></details>\n</section>\n",
        escape(&source.name),
        escape(&source.text),
    );
}

/// One row per law: impulse, velocity after, energy, verdict.
/// `linked`: the certificates stand on the same page.
pub(crate) fn outcomes(
    out: &mut String,
    problem: &ContactProblem,
    comparison: &Comparison,
    linked: bool,
) {
    out.push_str("<section id=\"laws\">\n<h2>What the laws say</h2>\n");
    if comparison.answers.is_empty() {
        out.push_str("<p>No law has an answer.</p>\n</section>\n");
        return;
    }
    let rows = problem.rows();
    let few = rows <= MOST_ROWS;
    let table = Table::of(comparison, problem);
    let columns: Vec<&Column> = table
        .columns()
        .filter(|column| column.shown_in(&[Shown::Page]) && (few || column.per != Per::Row))
        .collect();
    out.push_str("<div class=\"wide\"><table>\n<thead><tr>");
    for column in &columns {
        heading(out, column, problem);
    }
    out.push_str("</tr></thead>\n<tbody>\n");
    let aligned: Vec<Vec<Vec<String>>> =
        columns.iter().map(|column| aligned(column, &table, problem)).collect();
    for (i, line) in table.lines.iter().enumerate() {
        out.push_str("<tr>");
        for (column, aligned) in columns.iter().zip(&aligned) {
            cells(out, column, line, linked, aligned.iter().filter_map(|texts| texts.get(i)));
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody>\n</table></div>\n");
    if !few {
        let _ = writeln!(
            out,
            "<p class=\"muted\">Impulses and velocities of all {rows} rows stand in the data of this page and in <code>carom compare --csv</code>.</p>"
        );
    }
    out.push_str("</section>\n");
}

/// A column's headings: words on the left, numbers with their unit on the right, the row as an index.
fn heading(out: &mut String, column: &Column, problem: &ContactProblem) {
    let heading = column.page_heading.unwrap_or(column.heading);
    let unit = match column.unit {
        "1" => String::new(),
        unit => format!(" [{unit}]"),
    };
    let _ = match (column.text, column.per) {
        (Text::Law | Text::Word(_) | Text::Verdict, _) => {
            write!(out, "<th class=\"word\">{heading}</th>")
        }
        (_, Per::Row) => words::row_names(problem).iter().try_for_each(|row| {
            let index = format!("<sub>{}</sub>", escape(row));
            write!(out, "<th>{}{unit}</th>", heading.replace("_{}", &index))
        }),
        _ => write!(out, "<th>{heading}{unit}</th>"),
    };
}

/// The texts of numbers that share their decimals, column by column; none of others.
fn aligned(column_of: &Column, table: &Table, problem: &ContactProblem) -> Vec<Vec<String>> {
    let Text::Aligned(of) = column_of.text else { return Vec::new() };
    let values: Vec<Vec<f64>> = table.lines.iter().map(of).collect();
    let nth = |i: usize| -> Vec<f64> { values.iter().filter_map(|v| v.get(i).copied()).collect() };
    (0..column_of.headings(problem).len()).map(|i| column(&nth(i), 5)).collect()
}

fn cells<'a>(
    out: &mut String,
    column: &Column,
    line: &Line,
    linked: bool,
    mut aligned: impl Iterator<Item = &'a String>,
) {
    let law = line.law;
    let _ = match column.text {
        Text::Law if !linked => write!(out, "<td class=\"word\"><code>{law}</code></td>"),
        Text::Law => write!(
            out,
            "<td class=\"word\"><a href=\"#certificate-{law}\"><code>{law}</code></a></td>"
        ),
        Text::Word(word) => write!(out, "<td class=\"word\">{}</td>", word(line)),
        Text::Verdict => {
            write!(out, "<td class=\"word verdict\">{}</td>", verdict(line.certificate))
        }
        Text::Number(number) => write!(out, "<td>{}</td>", number(line).unwrap_or("–".into())),
        Text::Aligned(_) => aligned.try_for_each(|text| write!(out, "<td>{text}</td>")),
        Text::Velocities => Ok(()),
    };
}

/// The verdict in words, with its reasons.
fn verdict(certificate: &Certificate) -> String {
    match &certificate.verdict {
        Verdict::Permissible => "<span class=\"good\">✓ permissible</span>".to_owned(),
        Verdict::Boundary => {
            "<span class=\"good\">✓ permissible, on the boundary</span>".to_owned()
        }
        Verdict::Violates(_) => {
            let reasons = words::reasons(certificate).join(", ");
            format!("<span class=\"bad\">✗ {}</span>", escape(&reasons))
        }
    }
}

/// Laws without an answer, and why.
pub(crate) fn absent(out: &mut String, problem: &ContactProblem, comparison: &Comparison) {
    let told = |several: bool| problem.len() == 1 || several;
    let mut items = String::new();
    for (row, error) in comparison.absent.iter().filter(|(row, _)| told(row.takes_several())) {
        let _ = writeln!(items, "<li><code>{}</code>: {}</li>", row.id, escape(&why_absent(error)));
    }
    if !items.is_empty() {
        let _ = write!(
            out,
            "<section id=\"absent\">\n<h2>Laws without an answer</h2>\n<ul>\n{items}</ul>\n</section>\n"
        );
    }
}

/// Every kind of picture that shows this problem.
fn figures(out: &mut String, source: &Source, problem: &Problem, progress: &dyn ProgressSink) {
    // It was read before, and can be read again.
    let Ok(file) = source.parse() else { return };
    let drawn: Vec<Figure> = plot::all(&file, problem, progress);
    if drawn.is_empty() {
        return;
    }
    out.push_str("<section id=\"figures\">\n<h2>Pictures</h2>\n");
    for (k, figure) in drawn.iter().enumerate() {
        let svg = figure.svg_among(Theme::Adaptive, &format!("f{k}-"));
        let _ = writeln!(out, "<figure>{}</figure>", svg.trim_end());
    }
    out.push_str("</section>\n");
}

fn certificates(out: &mut String, problem: &ContactProblem, comparison: &Comparison) {
    out.push_str(
        "<section id=\"certificates\">\n<h2>Certificates</h2>\n<p class=\"muted\">Computed from the problem and the impulse alone, \
         outside the law; behind ± stands a bound on the rounding error.</p>\n",
    );
    for entry in &comparison.answers {
        certificate(out, problem, entry, false);
    }
    out.push_str("</section>\n");
}

pub(crate) fn certificate(out: &mut String, problem: &ContactProblem, entry: &Entry, open: bool) {
    let resolution = &entry.resolution;
    let (c, outcome) = (&resolution.certificate, &resolution.outcome);
    let id = resolution.law.id();
    let _ = write!(
        out,
        "<details id=\"certificate-{id}\"{}><summary><code>{}</code> {}</summary>\n<dl>\n",
        if open { " open" } else { "" },
        escape(&words::law_with_settings(&resolution.law, &resolution.settings)),
        verdict(c),
    );
    let mut item = |name: &str, text: String| {
        let _ = writeln!(out, "<dt>{name}</dt><dd>{}</dd>", escape(&text));
    };
    let bounded = |x: f64, bound: f64, unit: &str| match x.is_finite() {
        true => format!("{} ± {} {unit}", significant(x, words::DIGITS), significant(bound, 1)),
        false => "no limit".to_owned(),
    };
    if problem.rows() <= MOST_ROWS {
        item("impulse p", format!("{} N·s", vector(&outcome.impulse, words::DIGITS)));
        item("velocity u⁺", format!("{} m/s", vector(&outcome.velocity, words::DIGITS)));
    }
    item("energy change", bounded(c.energy_change, c.rounding.energy_change, "J"));
    if let Some(available) = c.energy_available {
        item("energy available", format!("{} J", significant(available, words::DIGITS)));
    }
    item("smallest μ pₙ − |pₜ|", bounded(c.cone_margin, c.rounding.cone_margin, "N·s"));
    item("smallest uₙ⁺", bounded(c.separation_margin, c.rounding.separation_margin, "m/s"));
    item("momentum residual", significant(c.momentum_residual, 2));
    if c.bilateral_residual > 0.0 {
        item("joint residual", format!("{} m/s", significant(c.bilateral_residual, 2)));
    }
    if let Some(seen) = words::restitution_seen(c) {
        item("restitution seen", seen);
    }
    item("work done", words::effort(&outcome.effort));
    for note in outcome.notes.iter() {
        item("note", note.text().to_owned());
    }
    out.push_str("</dl></details>\n");
}

fn reproduction(out: &mut String, file: &str, comparison: &Comparison) {
    let mut commands = vec![format!("carom compare {file}")];
    let example = comparison.violating().chain(&comparison.answers).next();
    commands.extend(
        example.map(|entry| format!("carom explain {file} --law {}", entry.resolution.law.id())),
    );
    commands.push(format!("carom plot {file} --out impulse-space.svg"));
    let _ = write!(
        out,
        "<section id=\"reproduce\">\n<h2>How to get this again</h2>\n<p>With carom {} and the file above:</p>\n<pre>{}</pre>\n\
         <p class=\"muted\">The same input gives the same bits on every machine. All numbers of this page stand in the element \
         <code>#comparison</code> as JSON.</p>\n</section>\n",
        env!("CARGO_PKG_VERSION"),
        escape(&commands.join("\n")),
    );
}

/// Text that a browser takes as text.
pub(crate) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c => out.push(c),
        }
    }
    out
}
