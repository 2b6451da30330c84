//! `carom compare`: every law on one problem, on one screen.

use super::resolve::shown;
use super::{Exit, Loaded, Refusal, print, print_json};
use crate::answer::{ComparisonAnswer, verdict_name};
use crate::cli::Compare;
use crate::comparison::{Comparison, Entry, Range};
use crate::landmarks::Landmarks;
use crate::table::{Cell, Table, column, denoised, significant, vector};
use crate::words::{self, BAD, GOOD};
use anstyle::Style;
use carom::outcome::ProblemEffort;
use carom::{ContactProblem, ImpactError, Verdict};
use std::path::Path;

/// No line is longer [characters].
const WIDTH: usize = 100;
/// Where text stands behind its keyword [characters].
const INDENT: usize = 9;

pub fn run(args: &Compare) -> Result<Exit, Refusal> {
    let loaded = Loaded::open(&args.file)?;
    let comparison = Comparison::of(&loaded.problem);
    if args.json {
        print_json(&ComparisonAnswer { problem: &loaded.problem, comparison: &comparison })?;
    } else if args.csv {
        print(&csv(loaded.problem.system.problem(), &comparison))?;
    } else {
        print(&screen(&loaded, &comparison, &args.file))?;
    }
    Ok(match comparison.answers.is_empty() {
        true => Exit::Unanswered,
        false => Exit::Answered,
    })
}

fn screen(loaded: &Loaded, comparison: &Comparison, path: &Path) -> String {
    let problem = loaded.problem.system.problem();
    let mut lines = Vec::new();
    let bold = Style::new().bold();
    if let Some(title) = &loaded.problem.title {
        lines.push(format!("{bold}{title}{bold:#}"));
    }
    lines.extend(problem_lines(problem));
    lines.push(String::new());
    if !comparison.answers.is_empty() {
        lines.extend(law_table(comparison, problem));
        lines.push(String::new());
    }
    lines.extend(remarks(comparison, problem));
    lines.extend(next_steps(comparison, path));
    lines.join("\n") + "\n"
}

/// The problem in two lines.
fn problem_lines(problem: &ContactProblem) -> Vec<String> {
    const DIGITS: usize = 5;
    let rows = problem.rows();
    let mut facts = Vec::new();
    if let [contact] = problem.contacts() {
        let dimension = match rows {
            1 => "along the normal",
            2 => "in the plane",
            _ => "in space",
        };
        facts.push(format!("1 contact {dimension}"));
        facts.push(format!("mu {}", significant(contact.material.mu, DIGITS)));
        let approach = (-problem.velocity()[0]).max(0.0);
        let e = words::restitution(&contact.material.restitution, approach, DIGITS);
        facts.push(format!("e {e}"));
        if contact.material.e_t != 0.0 {
            facts.push(format!("e_t {}", significant(contact.material.e_t, DIGITS)));
        }
    } else {
        facts.push(format!("{} contacts, {rows} rows", problem.len()));
    }
    let zero = vec![0.0; rows];
    if let Ok(c) = carom::Certificate::of(problem, &zero, &carom::Tolerances::default()) {
        let available = c.energy_available;
        facts.extend(available.map(|e| format!("E0 {} J", significant(e, DIGITS))));
    }
    if let Some(landmarks) = Landmarks::of(problem) {
        facts.extend(match (landmarks.stopping_mu(), landmarks.staying_mu) {
            (Some(stops), Some(stays)) => {
                Some(format!("sticks if mu ≥ {}", significant(stops.max(stays), 4)))
            }
            (None, Some(stays)) => Some(format!("stays stuck if mu ≥ {}", significant(stays, 4))),
            (_, None) => None,
        });
    }
    // As many digits as fit; the matrix of several contacts does not fit at all.
    let numbers = |digits: usize| {
        let velocity = format!("u⁻ = {} m/s", vector(problem.velocity(), digits));
        let row = |i: usize| {
            let entries = (0..rows).map(|j| significant(problem.delassus_at(i, j), digits));
            entries.collect::<Vec<_>>().join(" ")
        };
        match rows {
            1..=3 => {
                let matrix: Vec<String> = (0..rows).map(row).collect();
                format!("W = [{}] 1/kg · {velocity}", matrix.join("; "))
            }
            _ => velocity,
        }
    };
    let fits = |line: &String| line.chars().count() <= WIDTH;
    let second = [5, 4].map(numbers).into_iter().find(fits);
    let second = second.unwrap_or_else(|| numbers(3));
    vec![clip(&facts.join(" · ")), clip(&second)]
}

/// One row per law, with as many digits as fit. If it has to be narrow, what is wrong with a law stands below it.
fn law_table(comparison: &Comparison, problem: &ContactProblem) -> Vec<String> {
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
        let table = build_table(comparison, problem, digits, narrow);
        lines = with_reasons_below(comparison, table.lines(gap), narrow);
        if table.width(gap) <= WIDTH {
            break;
        }
    }
    lines
}

fn build_table(
    comparison: &Comparison,
    problem: &ContactProblem,
    digits: usize,
    narrow: bool,
) -> Table {
    let bold = Style::new().bold();
    let mut table = Table::default();
    let names = words::row_names(problem);
    let mut heading = vec![Cell::left("law"), Cell::left("e of")];
    heading.extend(names.iter().map(|n| Cell::right(format!("p_{n}"))));
    heading.extend(names.iter().map(|n| Cell::right(format!("u_{n}⁺"))));
    heading.extend([Cell::right("E⁺/E0"), Cell::right("e seen"), Cell::left("verdict")]);
    table.push(heading.into_iter().map(|cell| cell.styled(bold)).collect());

    let vectors: Vec<Vec<f64>> = comparison.answers.iter().map(Entry::denoised).collect();
    let columns: Vec<Vec<String>> = (0..2 * problem.rows())
        .map(|i| {
            let values: Vec<f64> = vectors.iter().filter_map(|v| v.get(i).copied()).collect();
            column(&values, digits)
        })
        .collect();
    for (i, entry) in comparison.answers.iter().enumerate() {
        let row = entry.resolution.law.row();
        let c = &entry.resolution.certificate;
        let mut cells = vec![Cell::left(row.id()), Cell::left(words::e_means(row.reads_e()))];
        cells.extend(columns.iter().filter_map(|c| c.get(i)).map(Cell::right));
        let or_dash = |text: Option<String>| Cell::right(text.unwrap_or_else(|| "–".into()));
        cells.push(or_dash(words::energy_ratio(c).map(|r| match r {
            r if (5e-4..1e3).contains(&r) => format!("{r:.4}"),
            r => significant(r, 3),
        })));
        let seen = c.e_kinematic.iter().flatten().next();
        cells.push(or_dash(seen.map(|e| significant(*e, 4))));
        cells.push(verdict_cell(entry, narrow));
        table.push(cells);
    }
    table
}

/// Where the impulse lies in the permissible region and how the contact ends; or what is wrong with it.
fn verdict_cell(entry: &Entry, narrow: bool) -> Cell {
    let c = &entry.resolution.certificate;
    let place = match &c.verdict {
        Verdict::Violates(_) if narrow => return Cell::left("✗ violates").styled(BAD),
        Verdict::Violates(_) => {
            let reasons = words::reasons(c).join(", ");
            return Cell::left(format!("✗ {reasons}")).styled(BAD);
        }
        Verdict::Permissible => "✓ inside",
        Verdict::Boundary => "✓ boundary",
    };
    let ending = match entry.resolution.outcome.effort {
        ProblemEffort::Single(effort) => words::ending(effort.final_mode),
        ProblemEffort::Several(_) => None,
    };
    let text = match ending.filter(|_| !narrow) {
        Some(ending) => format!("{place}, {ending}"),
        None => place.to_owned(),
    };
    Cell::left(text).styled(GOOD)
}

fn with_reasons_below(comparison: &Comparison, lines: Vec<String>, narrow: bool) -> Vec<String> {
    if !narrow {
        return lines;
    }
    let mut lines = lines.into_iter();
    let mut all: Vec<String> = lines.next().into_iter().collect();
    for (line, entry) in lines.zip(&comparison.answers) {
        all.push(line);
        let reasons = words::reasons(&entry.resolution.certificate);
        if !reasons.is_empty() {
            all.push(format!("  {BAD}↳ {}{BAD:#}", reasons.join(", ")));
        }
    }
    all
}

/// Path, spread, and the laws that are not in the table.
fn remarks(comparison: &Comparison, problem: &ContactProblem) -> Vec<String> {
    let mut lines = Vec::new();
    for (path, laws) in comparison.paths() {
        lines.extend(wrap("path", &format!("{}: {path}", laws.join(", "))));
    }
    if let Some(spread) = comparison.spread().filter(|s| s.laws > 1) {
        let speed = problem.velocity().iter().fold(0.0, |m: f64, u| m.max(u.abs()));
        let shown = |x: f64| significant(denoised(x, speed), 4);
        let range = |r: &Range| match (shown(r.low), shown(r.high)) {
            (low, high) if low == high => low,
            (low, high) => format!("{low} … {high}"),
        };
        let mut parts: Vec<String> = Vec::new();
        parts.extend(spread.energy_ratio.as_ref().map(|r| format!("E⁺/E0 {}", range(r))));
        let names = words::row_names(problem);
        parts.extend(
            names.iter().zip(&spread.velocity).map(|(name, r)| format!("u_{name}⁺ {}", range(r))),
        );
        let text = format!("{} permissible laws: {}", spread.laws, parts.join(", "));
        lines.extend(wrap("spread", &text));
    }
    if !comparison.absent.is_empty() {
        let absent: Vec<String> = comparison
            .absent
            .iter()
            .map(|(row, error)| format!("{} ({})", row.id(), why_absent(error)))
            .collect();
        lines.extend(wrap("skipped", &absent.join(", ")));
    }
    let mut notes: Vec<(&str, Vec<&str>)> = Vec::new();
    for entry in &comparison.answers {
        let id = entry.resolution.law.id();
        for note in entry.resolution.outcome.notes.iter() {
            match notes.iter_mut().find(|(text, _)| *text == note.text()) {
                Some((_, laws)) => laws.push(id),
                None => notes.push((note.text(), vec![id])),
            }
        }
    }
    for (text, laws) in notes {
        let all = laws.len() == comparison.answers.len();
        let laws = if all { "all".into() } else { laws.join(", ") };
        lines.extend(wrap("note", &format!("{laws}: {text}")));
    }
    lines
}

fn why_absent(error: &ImpactError) -> String {
    match error {
        ImpactError::BadSetting { setting, reason, .. } => format!("`{setting}`: {reason}"),
        ImpactError::NotApplicable { reason, .. } | ImpactError::NoSolution { reason, .. } => {
            reason.clone()
        }
        other => other.to_string(),
    }
}

fn next_steps(comparison: &Comparison, path: &Path) -> Vec<String> {
    let file = shown(path);
    let explain = comparison
        .violating()
        .map(|entry| format!("carom explain {file} --law {}", entry.resolution.law.id()));
    let incremental = |entry: &&Entry| !entry.recorder.events.is_empty();
    let trace =
        comparison.permissible().filter(incremental).filter(|entry| entry.has_path()).map(
            |entry| format!("carom resolve {file} --law {} --trace", entry.resolution.law.id()),
        );
    let steps: Vec<String> = explain.take(1).chain(trace.take(1)).collect();
    if steps.is_empty() {
        return wrap("next", "carom laws");
    }
    let keywords = ["next", ""];
    let lines = keywords.iter().zip(&steps);
    // Commands are not wrapped: they are there to be copied.
    lines.map(|(keyword, step)| labelled(keyword, step)).collect()
}

/// A paragraph with its keyword in front, its further lines indented.
fn wrap(keyword: &str, text: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut line = String::new();
    for word in text.split(' ') {
        let length = line.chars().count() + 1 + word.chars().count();
        if !line.is_empty() && INDENT + length > WIDTH {
            lines.push(std::mem::take(&mut line));
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    lines.push(line);
    let keywords = std::iter::once(keyword).chain(std::iter::repeat(""));
    keywords.zip(&lines).map(|(keyword, line)| labelled(keyword, line)).collect()
}

fn labelled(keyword: &str, line: &str) -> String {
    let dim = Style::new().dimmed();
    format!("{dim}{keyword:<INDENT$}{dim:#}{line}")
}

fn clip(line: &str) -> String {
    if line.chars().count() <= WIDTH {
        return line.to_owned();
    }
    let start: String = line.chars().take(WIDTH - 1).collect();
    start + "…"
}

fn csv(problem: &ContactProblem, comparison: &Comparison) -> String {
    let names = words::row_names(problem);
    let mut header = vec!["law".to_owned(), "reads_e".into()];
    header.extend(names.iter().map(|n| format!("impulse_{n}")));
    header.extend(names.iter().map(|n| format!("contact_velocity_{n}")));
    header.extend((0..problem.len()).map(|k| match problem.len() {
        1 => "e_kinematic".into(),
        _ => format!("e_kinematic[{k}]"),
    }));
    header.extend(["energy_change", "energy_available", "verdict", "violates"].map(String::from));
    let mut text = header.join(",") + "\n";
    for entry in &comparison.answers {
        let r = &entry.resolution;
        let c = &r.certificate;
        let mut fields = vec![r.law.id().to_owned(), r.law.row().reads_e().name().into()];
        let numbers = r.outcome.impulse.iter().chain(&r.outcome.velocity);
        fields.extend(numbers.map(f64::to_string));
        fields.extend(c.e_kinematic.iter().map(|e| e.map_or_else(String::new, |e| e.to_string())));
        fields.push(c.energy_change.to_string());
        fields.push(c.energy_available.map_or_else(String::new, |e| e.to_string()));
        fields.push(verdict_name(&c.verdict).into());
        fields.push(match &c.verdict {
            Verdict::Violates(which) => {
                which.iter().map(|i| i.name()).collect::<Vec<_>>().join(" ")
            }
            _ => String::new(),
        });
        text.push_str(&(fields.join(",") + "\n"));
    }
    text
}
