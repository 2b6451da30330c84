//! `carom summarize`: what a file of answers holds.

use super::{Exit, Refusal, print, print_json};
use crate::cli::Summarize as Arguments;
use crate::progress::{self, Display};
use crate::table::{Cell, Table};
use anstyle::Style;
use carom::outcome::Progress;
use carom_batch::summary::{Distribution, LEVELS, LawSummary, Summary};
use carom_io::plain;
use carom_io::progress::ProgressSink;
use carom_report::numbers::significant;
use serde_json::{Map, Value, json};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::ControlFlow;

/// Digits of a number that people see \[1\].
const DIGITS: usize = 4;

pub fn run(args: &Arguments) -> Result<Exit, Refusal> {
    let _working = progress::working();
    let summary = {
        let display = Display::of("summarize");
        let mut look = |part: f64| {
            let done = (100.0 * part) as u64;
            display.update(Progress { what: "percent", done, of: Some(100) });
            match progress::interrupted() {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        };
        Summary::of(&args.file, &mut look)?
    };
    match summary {
        None => Ok(Exit::Interrupted),
        Some(summary) if args.json => print_json(&as_json(&summary)),
        Some(summary) => print(&screen(&summary)),
    }
}

fn as_json(summary: &Summary) -> Value {
    let laws: Vec<Value> = summary
        .laws
        .iter()
        .map(|law| {
            json!({
                "law": law.law,
                "rows": law.rows,
                "errors": law.errors,
                "verdicts": law.verdicts,
                "energy_ratio": law.energy_ratio.as_ref().map(distribution),
                "e_kinematic": law.e.as_ref().map(distribution),
            })
        })
        .collect();
    json!({ "rows": summary.rows, "checked": summary.checked, "laws": laws })
}

fn distribution(of: &Distribution) -> Value {
    let quantiles: Map<String, Value> =
        LEVELS.iter().zip(of.quantiles).map(|(level, x)| (level.to_string(), json!(x))).collect();
    json!({
        "count": of.count,
        "mean": of.mean,
        "smallest": of.smallest,
        "largest": of.largest,
        "quantiles": quantiles,
    })
}

/// What is measured of a law's answers.
type Quantity = fn(&LawSummary) -> Option<&Distribution>;

fn screen(summary: &Summary) -> String {
    let mut lines = vec![format!("{} rows", summary.rows), String::new()];
    let mut counts = Table::default();
    counts.push(headings(&[
        "law",
        "rows",
        "answered",
        "permissible",
        "boundary",
        "violates",
        "errors",
    ]));
    for law in &summary.laws {
        let failed: u64 = law.errors.values().sum();
        let answered = law.rows - failed;
        let share =
            |verdict: &str| share(law.verdicts.get(verdict).copied().unwrap_or(0), answered);
        counts.push(
            [Cell::left(name(law))]
                .into_iter()
                .chain([law.rows.to_string(), answered.to_string()].map(Cell::right))
                .chain(["permissible", "boundary", "violates"].map(|v| Cell::right(share(v))))
                .chain([Cell::left(errors(&law.errors))])
                .collect(),
        );
    }
    lines.extend(counts.lines(2));
    let quantities: [(&str, Quantity); 2] = [
        ("E⁺/E0, the energy left", |law| law.energy_ratio.as_ref()),
        ("−u_n⁺/u_n⁻, the restitution observed at contacts that approached", |law| {
            law.e.as_ref()
        }),
    ];
    for (title, of) in quantities {
        if summary.laws.iter().any(|law| of(law).is_some()) {
            lines.extend([String::new(), title.to_owned()]);
            lines.extend(spread(summary, of).lines(2));
        }
    }
    if !summary.checked {
        lines.extend([String::new(), UNCHECKED.to_owned()]);
    }
    lines.join("\n") + "\n"
}

/// Said of files that others wrote.
const UNCHECKED: &str = "The file has no checksum: whether it is as it was written cannot be told.";

/// Quantiles, law by law.
fn spread(summary: &Summary, of: Quantity) -> Table {
    let mut table = Table::default();
    let levels = LEVELS.map(|level| format!("{}%", significant(100.0 * level, 3)));
    let mut names = vec!["law", "count", "mean", "least"];
    names.extend(levels.iter().map(String::as_str));
    names.push("most");
    table.push(headings(&names));
    for law in &summary.laws {
        let Some(of) = of(law) else { continue };
        let numbers = [of.mean, of.smallest].into_iter().chain(of.quantiles).chain([of.largest]);
        let cells = numbers.map(|x| Cell::right(significant(x, DIGITS)));
        let first = [Cell::left(name(law)), Cell::right(of.count.to_string())];
        table.push(first.into_iter().chain(cells).collect());
    }
    table
}

fn headings(names: &[&str]) -> Vec<Cell> {
    let dim = Style::new().dimmed();
    let cell = |name: &&str| match *name {
        "law" | "errors" => Cell::left(*name).styled(dim),
        name => Cell::right(name).styled(dim),
    };
    names.iter().map(cell).collect()
}

fn name(law: &LawSummary) -> Cow<'_, str> {
    plain::name(law.law.as_deref().unwrap_or("all rows"))
}

fn share(part: u64, of: u64) -> String {
    match of {
        0 => "–".into(),
        _ => format!("{}%", significant(100.0 * part as f64 / of as f64, DIGITS)),
    }
}

fn errors(errors: &BTreeMap<String, u64>) -> String {
    let each: Vec<String> =
        errors.iter().map(|(kind, count)| format!("{count} {}", plain::name(kind))).collect();
    if each.is_empty() { "none".into() } else { each.join(", ") }
}
