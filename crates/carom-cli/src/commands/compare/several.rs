//! The table for several contacts: velocities if they are few, what matters about them if they are many.

use super::{distance_cell, energy_cell, verdict_cell, with_reasons};
use crate::table::{Cell, Table};
use anstyle::Style;
use carom::ContactProblem;
use carom_io::format::BodyAfter;
use carom_io::rounding::denoised;
use carom_report::comparison::{COMPLIANT_LIMIT, Comparison, Entry};
use carom_report::numbers::column;
use carom_report::summary::WIDTH;
use carom_report::words;

/// No more velocities than this get a column each \[1\].
const MOST_COLUMNS: usize = 8;

/// What stands in the columns between the law and its energy.
struct Columns {
    names: Vec<String>,
    /// One list per law, one number per column.
    values: Vec<Vec<f64>>,
}

/// One row per law. Velocities of everything that moves, if they fit; else those of the contacts; else sums.
pub fn table(comparison: &Comparison, problem: &ContactProblem) -> Vec<String> {
    let choices =
        [velocities(comparison), contacts(comparison, problem), sums(comparison, problem)];
    let mut lines = Vec::new();
    for columns in choices.iter().flatten() {
        for (digits, gap, narrow) in
            [(5, 2, false), (4, 2, false), (4, 1, false), (4, 2, true), (4, 1, true), (3, 1, true)]
        {
            let table = build(comparison, problem, columns, digits, narrow);
            lines = with_reasons(comparison.answers.iter(), table.lines(gap), narrow);
            if table.width(gap) <= WIDTH {
                return lines;
            }
        }
    }
    lines
}

/// Generalized velocities, or those of the bodies that laws disagree on.
fn velocities(comparison: &Comparison) -> Option<Columns> {
    let first = &comparison.answers.first()?.resolution.after;
    if let Some(velocity) = &first.velocity {
        let names = (0..velocity.len()).map(|i| format!("v{i}⁺")).collect();
        let of = |entry: &Entry| entry.resolution.after.velocity.clone().unwrap_or_default();
        let values = comparison.answers.iter().map(of).collect();
        return few(names, values);
    }
    let bodies = first.bodies.as_ref()?;
    let names = bodies.iter().flat_map(|body| {
        let axes = match body.velocity.len() {
            2 => &["x", "y", "ω"][..],
            _ => &["x", "y", "z", "ωx", "ωy", "ωz"],
        };
        axes.iter().map(move |axis| format!("{}.{axis}", body.name))
    });
    let of = |entry: &Entry| -> Vec<f64> {
        entry.resolution.after.bodies.iter().flatten().flat_map(components).collect()
    };
    let values: Vec<Vec<f64>> = comparison.answers.iter().map(of).collect();
    // A component that all laws agree on, as of a wall, says nothing here.
    let size = values.iter().flatten().fold(0.0, |m: f64, v| m.max(v.abs()));
    let telling = |i: &usize| {
        let differs = |v: &Vec<f64>| denoised(v[*i] - values[0][*i], size) != 0.0;
        values.len() == 1 || values.iter().any(differs)
    };
    let (kept, names): (Vec<usize>, Vec<String>) =
        names.enumerate().filter(|(i, _)| telling(i)).unzip();
    let values = values.iter().map(|v| kept.iter().map(|&i| v[i]).collect()).collect();
    few(names, values)
}

fn components(body: &BodyAfter) -> Vec<f64> {
    body.velocity.iter().chain(&body.angular_velocity).copied().collect()
}

/// Normal velocities of the contacts.
fn contacts(comparison: &Comparison, problem: &ContactProblem) -> Option<Columns> {
    let names = (0..problem.len()).map(|k| format!("u_n[{k}]⁺")).collect();
    let values = comparison.answers.iter().map(|entry| normals(entry, problem)).collect();
    few(names, values)
}

fn few(names: Vec<String>, values: Vec<Vec<f64>>) -> Option<Columns> {
    (1..=MOST_COLUMNS).contains(&names.len()).then_some(Columns { names, values })
}

fn normals(entry: &Entry, problem: &ContactProblem) -> Vec<f64> {
    let velocity = &entry.resolution.outcome.velocity;
    (0..problem.len()).map(|k| velocity[problem.row_range(k).start]).collect()
}

/// What many contacts have in common: how many push, the sum of what they push with, the fastest parting.
fn sums(comparison: &Comparison, problem: &ContactProblem) -> Option<Columns> {
    let names = ["pushing", "Σ p_n", "max u_n⁺"].map(String::from).to_vec();
    let of = |entry: &Entry| {
        let impulse = &entry.resolution.outcome.impulse;
        let pushes: Vec<f64> =
            (0..problem.len()).map(|k| impulse[problem.row_range(k).start]).collect();
        let largest = pushes.iter().fold(0.0, |m: f64, p| m.max(p.abs()));
        let pushing = pushes.iter().filter(|p| denoised(**p, largest) != 0.0).count();
        let fastest = normals(entry, problem).into_iter().fold(f64::NEG_INFINITY, f64::max);
        vec![pushing as f64, pushes.iter().sum(), fastest]
    };
    Some(Columns { names, values: comparison.answers.iter().map(of).collect() })
}

fn build(
    comparison: &Comparison,
    problem: &ContactProblem,
    columns: &Columns,
    digits: usize,
    narrow: bool,
) -> Table {
    let bold = Style::new().bold();
    let mut table = Table::default();
    let mut heading = vec![Cell::left("law")];
    if !narrow {
        heading.push(Cell::left("e of"));
    }
    heading.extend(columns.names.iter().map(Cell::right));
    heading.extend(["min u_n⁺", "max p_n", "E⁺/E0"].map(Cell::right));
    heading.extend(comparison.compliant.iter().map(|_| Cell::right("springs")));
    // The law that is the limit of ever stiffer contacts, where it is there to measure by.
    let distances = comparison.distances_to(COMPLIANT_LIMIT, problem);
    heading.extend(distances.is_some().then(|| Cell::right("to stiff")));
    heading.push(Cell::left("verdict"));
    table.push(heading.into_iter().map(|cell| cell.styled(bold)).collect());

    let extremes = |entry: &Entry| {
        let impulse = &entry.resolution.outcome.impulse;
        let largest = (0..problem.len())
            .map(|k| impulse[problem.row_range(k).start])
            .fold(f64::NEG_INFINITY, f64::max);
        [entry.resolution.certificate.separation_margin, largest]
    };
    let numbers: Vec<Vec<f64>> = comparison
        .answers
        .iter()
        .zip(&columns.values)
        .map(|(entry, values)| {
            let size = |x: &[f64]| x.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
            let speed = size(&entry.resolution.outcome.velocity).max(size(problem.velocity()));
            values.iter().chain(&extremes(entry)).map(|x| denoised(*x, speed)).collect()
        })
        .collect();
    let count = columns.names.len() + 2;
    let texts: Vec<Vec<String>> = (0..count)
        .map(|i| {
            let values: Vec<f64> = numbers.iter().filter_map(|v| v.get(i).copied()).collect();
            match columns.names.get(i).is_some_and(|name| name == "pushing") {
                true => values.iter().map(|x| format!("{x:.0}")).collect(),
                false => column(&values, digits),
            }
        })
        .collect();
    for (i, entry) in comparison.answers.iter().enumerate() {
        let row = entry.resolution.law.row();
        let c = &entry.resolution.certificate;
        let mut cells = vec![Cell::left(row.id())];
        if !narrow {
            cells.push(Cell::left(words::e_means(row.reads_e())));
        }
        cells.extend(texts.iter().filter_map(|text| text.get(i)).map(Cell::right));
        cells.push(energy_cell(c));
        cells.extend(comparison.compliant.iter().map(|_| distance_cell(entry)));
        let distance = distances.as_ref().and_then(|all| all.get(i));
        cells.extend(distance.map(|x| Cell::right(format!("{:.4}", denoised(*x, 1.0)))));
        cells.push(verdict_cell(c, None, narrow));
        table.push(cells);
    }
    table
}
