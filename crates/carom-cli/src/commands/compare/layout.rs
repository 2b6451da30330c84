//! The table on a terminal: as many digits and words as fit.

use super::alike::differing;
use crate::colour::{BAD, GOOD};
use crate::table::{Cell, Table};
use anstyle::Style;
use carom::Verdict;
use carom_report::columns::{self, Column, Line, Shown, Text, Velocities, velocity_choices};
use carom_report::comparison::Comparison;
use carom_report::numbers::column;
use carom_report::summary::WIDTH;
use carom_report::words;

/// Digits, spaces between columns, and whether reasons stand below their law; the first that fits is taken.
type Layout = (usize, usize, bool);
const ONE: &[Layout] = &[
    (5, 2, false),
    (4, 2, false),
    (4, 1, false),
    (4, 2, true),
    (4, 1, true),
    (3, 2, true),
    (3, 1, true),
];
const SEVERAL: &[Layout] =
    &[(5, 2, false), (4, 2, false), (4, 1, false), (4, 2, true), (4, 1, true), (3, 1, true)];

/// One row per law. Of one contact every component, and laws for several contacts only where they differ from others.
pub fn table(comparison: &Comparison, answers: &columns::Table) -> Vec<String> {
    if answers.problem.len() == 1 {
        let lines: Vec<&Line> =
            differing(comparison).into_iter().map(|i| &answers.lines[i]).collect();
        let columns = |_| shown_in(answers, &[Shown::One]);
        return fitted(answers, &lines, &[None], ONE, columns);
    }
    let choices = velocity_choices(answers);
    let choices: Vec<Option<&Velocities>> = choices.iter().map(Some).collect();
    let lines: Vec<&Line> = answers.lines.iter().collect();
    fitted(answers, &lines, &choices, SEVERAL, |narrow| match narrow {
        true => shown_in(answers, &[Shown::Several]),
        false => shown_in(answers, &[Shown::Several, Shown::SeveralWide]),
    })
}

fn shown_in(answers: &columns::Table, shown: &[Shown]) -> Vec<&'static Column> {
    answers.columns().filter(|column| column.shown_in(shown)).collect()
}

fn fitted(
    answers: &columns::Table,
    lines: &[&Line],
    choices: &[Option<&Velocities>],
    layouts: &[Layout],
    columns: impl Fn(bool) -> Vec<&'static Column>,
) -> Vec<String> {
    let mut text = Vec::new();
    for velocities in choices {
        for &(digits, gap, narrow) in layouts {
            let table = build(answers, lines, &columns(narrow), *velocities, digits, narrow);
            text = with_reasons(lines, table.lines(gap), narrow);
            if table.width(gap) <= WIDTH {
                return text;
            }
        }
    }
    text
}

fn build(
    answers: &columns::Table,
    lines: &[&Line],
    columns: &[&Column],
    velocities: Option<&Velocities>,
    digits: usize,
    narrow: bool,
) -> Table {
    let mut rows: Vec<Vec<Cell>> = vec![Vec::new(); lines.len() + 1];
    let mut push = |heading: Cell, cells: Vec<Cell>| {
        let column = std::iter::once(heading.styled(Style::new().bold())).chain(cells);
        rows.iter_mut().zip(column).for_each(|(row, cell)| row.push(cell));
    };
    let each = |of: &dyn Fn(&Line) -> Cell| lines.iter().map(|line| of(line)).collect();
    let right = |texts: Vec<String>| texts.into_iter().map(Cell::right).collect();
    let nth = |i: usize, values: &[Vec<f64>]| -> Vec<f64> {
        values.iter().filter_map(|v| v.get(i).copied()).collect()
    };
    for column_of in columns {
        let heading = || column_of.heading;
        match column_of.text {
            Text::Law => push(Cell::left(heading()), each(&|line| Cell::left(line.law))),
            Text::Word(word) => push(Cell::left(heading()), each(&|line| Cell::left(word(line)))),
            Text::Verdict => {
                push(Cell::left(heading()), each(&|line| verdict_cell(line, narrow)));
            }
            Text::Number(number) => {
                let cell = |line: &Line| Cell::right(number(line).unwrap_or_else(|| "–".into()));
                push(Cell::right(heading()), each(&cell));
            }
            Text::Aligned(of) => {
                let values: Vec<Vec<f64>> = lines.iter().map(|line| of(line)).collect();
                for (i, heading) in column_of.headings(answers.problem).into_iter().enumerate() {
                    push(Cell::right(heading), right(column(&nth(i, &values), digits)));
                }
            }
            Text::Velocities => {
                let Some(chosen) = velocities else { continue };
                for (i, heading) in chosen.headings.iter().enumerate() {
                    let values = nth(i, &chosen.values);
                    let texts = match chosen.counts(i) {
                        true => values.iter().map(|x| format!("{x:.0}")).collect(),
                        false => column(&values, digits),
                    };
                    push(Cell::right(heading), right(texts));
                }
            }
        }
    }
    let mut table = Table::default();
    rows.into_iter().for_each(|row| table.push(row));
    table
}

/// Where the impulse lies in the permissible region and how it ends; or what is wrong with it.
fn verdict_cell(line: &Line, narrow: bool) -> Cell {
    let place = match &line.certificate.verdict {
        Verdict::Violates(_) if narrow => return Cell::left("✗ violates").styled(BAD),
        Verdict::Violates(_) => {
            let reasons = words::reasons(line.certificate).join(", ");
            return Cell::left(format!("✗ {reasons}")).styled(BAD);
        }
        Verdict::Permissible => "✓ inside",
        Verdict::Boundary => "✓ boundary",
    };
    let text = match line.ending.filter(|_| !narrow) {
        Some(ending) => format!("{place}, {ending}"),
        None => place.to_owned(),
    };
    Cell::left(text).styled(GOOD)
}

/// The lines of a table; if it is narrow, what is wrong with a law stands below it.
fn with_reasons(answers: &[&Line], lines: Vec<String>, narrow: bool) -> Vec<String> {
    if !narrow {
        return lines;
    }
    let mut lines = lines.into_iter();
    let mut all: Vec<String> = lines.next().into_iter().collect();
    for (line, answer) in lines.zip(answers) {
        all.push(line);
        let reasons = words::reasons(answer.certificate);
        if !reasons.is_empty() {
            all.push(format!("  {BAD}↳ {}{BAD:#}", reasons.join(", ")));
        }
    }
    all
}
