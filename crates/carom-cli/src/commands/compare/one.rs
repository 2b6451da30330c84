//! The table for one contact: every component of every law.

use super::{distance_cell, energy_cell, or_dash, verdict_cell, with_reasons};
use crate::table::{Cell, Table};
use anstyle::Style;
use carom::ContactProblem;
use carom::outcome::ProblemEffort;
use carom_io::rounding::denoised;
use carom_report::comparison::{Comparison, Entry};
use carom_report::numbers::{column, significant};
use carom_report::summary::WIDTH;
use carom_report::words;

/// One row per law, with as many digits as fit. If it has to be narrow, what is wrong with a law stands below it.
pub fn table(comparison: &Comparison, problem: &ContactProblem) -> Vec<String> {
    let layouts = [
        (5, 2, false),
        (4, 2, false),
        (4, 1, false),
        (4, 2, true),
        (4, 1, true),
        (3, 2, true),
        (3, 1, true),
    ];
    let mut lines = Vec::new();
    for (digits, gap, narrow) in layouts {
        let table = build(comparison, problem, digits, narrow);
        lines = with_reasons(shown(comparison).into_iter(), table.lines(gap), narrow);
        if table.width(gap) <= WIDTH {
            break;
        }
    }
    lines
}

/// Laws for several contacts whose answer another law of the table gives as well, and that law. With one contact and
/// no friction most of them are Newton's law.
pub fn alike(comparison: &Comparison) -> Vec<(Vec<&'static str>, &'static str)> {
    let mut groups: Vec<(Vec<&'static str>, &'static str)> = Vec::new();
    for (i, entry) in comparison.answers.iter().enumerate() {
        if let Some(model) = model(comparison, i) {
            let model = model.resolution.law.id();
            match groups.iter_mut().find(|(_, other)| *other == model) {
                Some((laws, _)) => laws.push(entry.resolution.law.id()),
                None => groups.push((vec![entry.resolution.law.id()], model)),
            }
        }
    }
    groups
}

/// The earlier law that answers like the law for several contacts at this place.
fn model(comparison: &Comparison, i: usize) -> Option<&Entry> {
    let entry = &comparison.answers[i];
    let several = entry.resolution.law.row().takes_several();
    let earlier = comparison.answers[..i].iter();
    several.then(|| earlier.into_iter().find(|other| other.is_like(entry))).flatten()
}

fn shown(comparison: &Comparison) -> Vec<&Entry> {
    let all = comparison.answers.iter().enumerate();
    all.filter(|(i, _)| model(comparison, *i).is_none()).map(|(_, entry)| entry).collect()
}

fn build(comparison: &Comparison, problem: &ContactProblem, digits: usize, narrow: bool) -> Table {
    let bold = Style::new().bold();
    let mut table = Table::default();
    let names = words::row_names(problem);
    let mut heading = vec![Cell::left("law"), Cell::left("e of")];
    heading.extend(names.iter().map(|n| Cell::right(format!("p_{n}"))));
    heading.extend(names.iter().map(|n| Cell::right(format!("u_{n}⁺"))));
    heading.extend([Cell::right("E⁺/E0"), Cell::right("e seen")]);
    heading.extend(comparison.compliant.iter().map(|_| Cell::right("springs")));
    heading.push(Cell::left("verdict"));
    table.push(heading.into_iter().map(|cell| cell.styled(bold)).collect());

    let entries = shown(comparison);
    let vectors: Vec<Vec<f64>> = entries.iter().map(|entry| entry.denoised()).collect();
    let columns: Vec<Vec<String>> = (0..2 * problem.rows())
        .map(|i| {
            let values: Vec<f64> = vectors.iter().filter_map(|v| v.get(i).copied()).collect();
            column(&values, digits)
        })
        .collect();
    for (i, entry) in entries.iter().enumerate() {
        let row = entry.resolution.law.row();
        let c = &entry.resolution.certificate;
        let mut cells = vec![Cell::left(row.id()), Cell::left(words::e_means(row.reads_e()))];
        cells.extend(columns.iter().filter_map(|c| c.get(i)).map(Cell::right));
        cells.push(energy_cell(c));
        let seen = c.e_kinematic.iter().flatten().next();
        cells.push(or_dash(seen.map(|e| significant(denoised(*e, 1.0), 4))));
        cells.extend(comparison.compliant.iter().map(|_| distance_cell(entry)));
        let ends = match entry.resolution.outcome.effort {
            ProblemEffort::Single(effort) => words::ending(effort.final_mode),
            _ => None,
        };
        cells.push(verdict_cell(c, ends, narrow));
        table.push(cells);
    }
    table
}
