//! `carom resolve`: one problem, one law.

use super::{Exit, Loaded, Refusal, print, print_json, stream};
use crate::answer::ResolutionAnswer;
use crate::cli::Resolve;
use crate::failure::Failure;
use crate::format::{After, LawSpec, Problem};
use crate::resolution::Resolution;
use crate::table::{Cell, Table, significant, vector};
use crate::words::{self, DIGITS};
use anstyle::Style;
use carom::{ContactProblem, Recorder};
use std::io;
use std::path::Path;

pub fn run(args: &Resolve) -> Result<Exit, Refusal> {
    let Some(path) = &args.file else {
        return run_stream(args);
    };
    let mut recorder = Recorder::default();
    let (problem, resolution) = Loaded::open(path)?.resolve(&args.law, Some(&mut recorder))?;
    if args.json {
        return print_json(&ResolutionAnswer {
            id: None,
            resolution: &resolution,
            trace: args.trace.then_some(&recorder),
        });
    }
    let mut text = describe(&problem, &resolution, &recorder);
    if args.trace {
        text.push_str(&trace_table(problem.system.problem(), &recorder));
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
        0 => Exit::Answered,
        _ => Exit::Unanswered,
    })
}

/// A path as a shell takes it. Standard input cannot be read again: it gets a name to fill in.
pub(super) fn shown(path: &Path) -> String {
    if path == Path::new("-") {
        return "FILE".into();
    }
    let text = path.display().to_string();
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
    lines.extend(vectors(problem.system.problem(), resolution).lines(2));
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

fn vectors(problem: &ContactProblem, resolution: &Resolution) -> Table {
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

/// Energy, restitution and verdict, each on its line.
pub(super) fn judgement(c: &carom::Certificate) -> Vec<String> {
    let mut lines = Vec::new();
    let ratio = words::energy_ratio(c)
        .map_or_else(String::new, |r| format!(", E⁺/E0 = {}", significant(r, 4)));
    let available = c.energy_available.map_or_else(String::new, |available| {
        format!(" of {} J available", significant(available, DIGITS))
    });
    lines.push(format!("energy   {} J{available}{ratio}", significant(c.energy_change, DIGITS)));
    lines.extend(words::restitution_seen(c).map(|seen| format!("e seen   {seen}")));
    lines.push(format!("verdict  {}", words::verdict(c)));
    lines
}

fn system_after(after: &After) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(velocity) = &after.velocity {
        lines.push(format!("v⁺       {}", vector(velocity, DIGITS)));
    }
    for body in after.bodies.iter().flatten() {
        lines.push(format!(
            "body     {}: v⁺ = {} m/s, ω⁺ = {} rad/s",
            body.name,
            vector(&body.velocity, DIGITS),
            vector(&body.angular_velocity, DIGITS),
        ));
    }
    if let Some(inertial) = &after.inertial {
        if !inertial.bilateral_impulse.is_empty() {
            let impulse = vector(&inertial.bilateral_impulse, DIGITS);
            lines.push(format!("joints   {impulse} N·s"));
        }
        lines.push(format!(
            "ΔT       {} J, all bodies",
            significant(inertial.kinetic_energy_change, DIGITS)
        ));
    }
    lines
}

fn trace_table(problem: &ContactProblem, recorder: &Recorder) -> String {
    if recorder.events.is_empty() {
        return "\nThis law jumps from before to after: it has no path.\n".into();
    }
    let axes = words::axes(problem.rows());
    let mut table = Table::default();
    let mut heading = vec![Cell::left("event")];
    heading.extend(axes.iter().map(|a| Cell::right(format!("p_{a}"))));
    heading.extend(axes.iter().map(|a| Cell::right(format!("u_{a}"))));
    heading.push(Cell::right("normal work"));
    table.push(heading);
    for (event, at) in &recorder.events {
        let mut row = vec![Cell::left(event.name())];
        let components = at.impulse[..axes.len()].iter().chain(&at.velocity[..axes.len()]);
        row.extend(components.map(|x| Cell::right(significant(*x, DIGITS))));
        row.push(Cell::right(significant(at.normal_work, DIGITS)));
        table.push(row);
    }
    format!("\n{}\n", table.lines(2).join("\n"))
}
