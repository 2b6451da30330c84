//! `carom resolve`: one problem, one law.

use super::{Exit, Loaded, Refusal, print, print_json, stream, trace};
use crate::cli::Resolve;
use crate::colour;
use crate::progress::{self, Display};
use crate::table::{Cell, Table};
use anstyle::Style;
use carom::system::After;
use carom::{ContactProblem, Recorder};
use carom_io::answer::{Path, ResolutionAnswer};
use carom_io::failure::Failure;
use carom_io::format::{LawSpec, Problem};
use carom_io::plain;
use carom_io::progress::Monitor;
use carom_io::resolution::Resolution;
use carom_io::rounding::denoised;
use carom_report::numbers::{self, ends, significant, thousands, vector};
use carom_report::words::{self, DIGITS};
use std::io;

/// A trace keeps this many steps of a law for several contacts \[1\].
const STEP_LIMIT: usize = 100_000;

pub fn run(args: &Resolve) -> Result<Exit, Refusal> {
    let Some(path) = &args.file else {
        return run_stream(args);
    };
    let loaded = Loaded::open(path)?;
    let _working = progress::working();
    let mut recorder = Recorder::new(if args.trace { STEP_LIMIT } else { 0 });
    let display = Display::of("resolving");
    let mut monitor = Monitor::recording(&display, &mut recorder);
    let resolved = loaded.resolve(&args.law, &mut monitor);
    // The bar goes before anything is printed.
    drop(display);
    let (problem, resolution) = resolved?;
    let path = Path(&recorder);
    if args.json {
        return print_json(&ResolutionAnswer {
            id: None,
            resolution: &resolution,
            trace: args.trace.then_some(path),
        });
    }
    let mut text = describe(&problem, &resolution, &recorder);
    if args.trace {
        text.push_str(&trace::table(problem.system.problem(), &resolution, path));
    }
    print(&text)
}

fn run_stream(args: &Resolve) -> Result<Exit, Refusal> {
    let law = match &args.law.law {
        None => None,
        Some(id) => {
            let mut law = LawSpec::new(id);
            for assignment in &args.law.set {
                law.set(assignment)?;
            }
            law.build()?;
            Some(law)
        }
    };
    if law.is_none() && !args.law.set.is_empty() {
        return Err(Failure::Usage("--set needs --law in a stream".into()).into());
    }
    let mut output = io::stdout().lock();
    let tally = stream::resolve(&mut io::stdin().lock(), &mut output, law.as_ref())
        .map_err(Failure::from)?;
    Ok(match tally.failed {
        _ if tally.interrupted => Exit::Interrupted,
        0 => Exit::Answered,
        _ => Exit::Unanswered,
    })
}

/// A path as a shell takes it. Standard input cannot be read again: it gets a name to fill in.
pub(crate) fn quoted(path: &std::path::Path) -> String {
    if path == std::path::Path::new("-") {
        return "FILE".into();
    }
    let text = path.display().to_string();
    if text.contains(plain::acts) {
        // No name to be copied from a screen.
        return "FILE".into();
    }
    match text.contains(|c: char| c.is_whitespace() || "'\"$&|;<>()*?`\\".contains(c)) {
        true => format!("'{}'", text.replace('\'', r"'\''")),
        false => text,
    }
}

fn describe(problem: &Problem, resolution: &Resolution, recorder: &Recorder) -> String {
    let bold = Style::new().bold();
    let mut lines = Vec::new();
    if let Some(title) = &problem.title {
        lines.push(format!("{bold}{title}{bold:#}"));
    }
    lines.push(format!(
        "law      {}",
        words::law_with_settings(&resolution.law, &resolution.settings)
    ));
    lines.push(String::new());
    lines.extend(match problem.system.problem().len() {
        1 => one_contact(problem.system.problem(), resolution).lines(2),
        _ => each_contact(problem.system.problem(), resolution),
    });
    lines.push(String::new());
    lines.extend(judgement(&resolution.certificate));
    if !recorder.events.is_empty() {
        let rows = resolution.outcome.impulse.len();
        lines.push(format!("path     {}", words::path(recorder, rows)));
    }
    let effort = &resolution.outcome.effort;
    lines.push(format!("effort   {}", words::effort(effort)));
    lines.extend(system_after(&resolution.after));
    for note in resolution.outcome.notes.iter() {
        lines.push(format!("note     {}", note.text()));
    }
    lines.join("\n") + "\n"
}

/// One contact: its vectors, each on a line.
fn one_contact(problem: &ContactProblem, resolution: &Resolution) -> Table {
    let mut table = Table::default();
    let mut heading = vec![Cell::left("")];
    heading.extend(words::row_names(problem).into_iter().map(Cell::right));
    heading.push(Cell::left(""));
    table.push(heading);
    for (name, values, unit) in [
        ("u⁻", problem.velocity(), "m/s"),
        ("p", &resolution.outcome.impulse[..], "N·s"),
        ("u⁺", &resolution.outcome.velocity[..], "m/s"),
    ] {
        let mut row = vec![Cell::left(name)];
        row.extend(values.iter().map(|x| Cell::right(significant(*x, DIGITS))));
        row.push(Cell::left(unit));
        table.push(row);
    }
    table
}

/// Several contacts: each on a line; of many, the first and the last ones.
fn each_contact(problem: &ContactProblem, resolution: &Resolution) -> Vec<String> {
    let outcome = &resolution.outcome;
    let vectors = [
        ("u", "⁻", problem.velocity()),
        ("p", "", &outcome.impulse[..]),
        ("u", "⁺", &outcome.velocity[..]),
    ];
    let size = |values: &[f64]| values.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
    let speed = size(problem.velocity()).max(size(&outcome.velocity));
    let impulse = size(&outcome.impulse);
    let most = (0..problem.len()).map(|k| problem.row_range(k).len()).max().unwrap_or(1);
    let digits = if most == 1 { DIGITS } else { DIGITS - 1 };
    let mut table = Table::default();
    let mut heading = vec![Cell::right("contact")];
    for (name, time, _) in vectors {
        heading.extend(words::axes(most).iter().map(|a| Cell::right(format!("{name}_{a}{time}"))));
    }
    table.push(heading);
    let (head, tail) = numbers::shown(problem.len());
    for k in (0..head).chain(tail..problem.len()) {
        let mut row = vec![Cell::right(k.to_string())];
        for (name, _, values) in vectors {
            let own = &values[problem.row_range(k)];
            let size = if name == "p" { impulse } else { speed };
            let shown = own.iter().map(|x| significant(denoised(*x, size), digits));
            row.extend(shown.map(Cell::right));
            row.extend((own.len()..most).map(|_| Cell::right("–")));
        }
        table.push(row);
    }
    let mut lines = table.lines(2);
    if head < tail {
        let more = thousands(tail - head);
        // Below the heading and the first contacts.
        lines.insert(head + 1, format!("      …  {more} more contacts; --json has them all"));
    }
    lines.push("         velocities in m/s, impulses in N·s".into());
    lines
}

/// So many conditions that fail are listed.
const SHOWN_VIOLATIONS: usize = 10;

/// Energy, restitution and verdict, each on its line; of several contacts, those where something fails.
pub(super) fn judgement(c: &carom::Certificate) -> Vec<String> {
    let mut lines = Vec::new();
    let ratio = words::energy_ratio(c)
        .map_or_else(String::new, |r| format!(", E⁺/E0 = {}", significant(r, 4)));
    let available = c.energy_available.map_or_else(String::new, |available| {
        format!(" of {} J available", significant(available, DIGITS))
    });
    lines.push(format!("energy   {} J{available}{ratio}", significant(c.energy_change, DIGITS)));
    lines.extend(words::restitution_seen(c).map(|seen| format!("e seen   {seen}")));
    lines.push(format!("verdict  {}", colour::verdict(c)));
    if c.contacts.len() > 1 {
        let shown = c.violations.iter().take(SHOWN_VIOLATIONS);
        lines.extend(shown.map(|failed| format!("         {}", words::violation(failed, c))));
        if c.violations.len() > SHOWN_VIOLATIONS {
            let more = thousands(c.violations.len() - SHOWN_VIOLATIONS);
            lines.push(format!("         … {more} more"));
        }
    }
    lines
}

fn system_after(after: &After) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(velocity) = &after.velocity {
        lines.push(format!("v⁺       {}", ends(velocity, DIGITS)));
    }
    let bodies = after.bodies.as_deref().unwrap_or_default();
    let (head, tail) = numbers::shown(bodies.len());
    for (i, body) in bodies.iter().enumerate().filter(|(i, _)| *i < head || *i >= tail) {
        if i == tail && head < tail {
            lines.push(format!("         … {} more bodies", thousands(tail - head)));
        }
        lines.push(format!(
            "body     {}: v⁺ = {} m/s, ω⁺ = {} rad/s",
            body.name,
            vector(&body.velocity, DIGITS),
            vector(&body.angular_velocity, DIGITS),
        ));
    }
    if let Some(inertial) = &after.inertial {
        if !inertial.bilateral_impulse.is_empty() {
            let impulse = ends(&inertial.bilateral_impulse, DIGITS);
            lines.push(format!("joints   {impulse} N·s"));
        }
        lines.push(format!(
            "ΔT       {} J, all bodies",
            significant(inertial.kinetic_energy_change, DIGITS)
        ));
    }
    lines
}
