//! `carom compare`: every law on one problem, on one screen.

mod alike;
mod layout;
mod scene;

use super::compliant::{compliance, model};
use super::resolve::quoted;
use super::{Exit, Loaded, Refusal, print, print_json};
use crate::cli::Compare;
use crate::progress::{self, Display};
use anstyle::Style;
use carom::ContactProblem;
use carom_io::failure::Failure;
use carom_io::format::CompliantSpec;
use carom_io::output::Target;
use carom_io::progress::{Monitor, ProgressSink};
use carom_io::rounding::denoised;
use carom_report::answer::ComparisonAnswer;
use carom_report::columns::Table;
use carom_report::comparison::{Comparison, Entry, Range};
use carom_report::compliance::CompliantRun;
use carom_report::numbers::{ends, significant};
use carom_report::summary::{WIDTH, problem_lines, why_absent};
use carom_report::{html, words};
use carom_sim::compliant::RunSettings;
use std::path::Path;

/// Where text stands behind its keyword [characters].
const INDENT: usize = 9;

pub fn run(args: &Compare) -> Result<Exit, Refusal> {
    if let Some(path) = &args.report {
        Target { path, inputs: &[&args.file], force: args.force }.check()?;
    }
    let said = args.compliant.as_deref().map(parse_modulus).transpose()?;
    let (loaded, impact) = match args.at {
        Some(at) => scene::open(&args.file, at).map(|(loaded, impact)| (loaded, Some(impact)))?,
        None => (scene::open_problem(&args.file)?, None),
    };
    let compliance = said.map(|said| compliance(&loaded.problem, &said)).transpose()?;
    let _working = progress::working();
    let display = Display::of("comparing");
    let mut comparison = Comparison::with_progress(&loaded.problem, &display);
    if let Some(compliance) = compliance {
        display.begin("compliant");
        let (system, settings) = (&loaded.problem.system, RunSettings::default());
        let mut monitor = Monitor::new(&display);
        match CompliantRun::of(system, compliance, false, &settings, &mut monitor) {
            Ok(run) => comparison = comparison.beside(run, &loaded.problem),
            Err(_) if progress::interrupted() => {}
            Err(error) => {
                return Err(Refusal { failure: error.into(), source: Some(loaded.source) });
            }
        }
    }
    drop(display);
    if progress::interrupted() {
        return Ok(Exit::Interrupted);
    }
    if args.json {
        print_json(&ComparisonAnswer { problem: &loaded.problem, comparison: &comparison })?;
    } else if let Some(path) = &args.report {
        let Loaded { source, problem } = &loaded;
        let page =
            html::page(source, problem, &comparison, &quoted(&args.file), &Display::of("drawing"))?;
        let _whole = progress::writing();
        Target { path, inputs: &[&args.file], force: args.force }.write(page)?;
    } else if args.csv {
        print(&Table::of(&comparison, loaded.problem.system.problem()).csv())?;
    } else {
        print(&screen(&loaded, &comparison, &args.file, impact.as_deref()))?;
    }
    Ok(match comparison.answers.is_empty() {
        true => Exit::Unanswered,
        false => Exit::Answered,
    })
}

/// Reads `E=1e10`, or `1e10`.
fn parse_modulus(text: &str) -> Result<CompliantSpec, Failure> {
    let number = text.strip_prefix("E=").unwrap_or(text);
    match number.parse::<f64>() {
        Ok(modulus) if modulus.is_finite() && modulus > 0.0 => {
            Ok(CompliantSpec { modulus: Some(modulus), ..CompliantSpec::default() })
        }
        _ => Err(Failure::Usage(format!(
            "--compliant: `{text}` must be a modulus in Pa, as in E=1e10"
        ))),
    }
}

fn screen(loaded: &Loaded, comparison: &Comparison, path: &Path, impact: Option<&str>) -> String {
    let problem = loaded.problem.system.problem();
    let mut lines = Vec::new();
    let bold = Style::new().bold();
    if let Some(title) = &loaded.problem.title {
        lines.push(format!("{bold}{title}{bold:#}"));
    }
    lines.extend(impact.into_iter().flat_map(|impact| wrap("impact", impact)));
    lines.extend(problem_lines(problem, comparison));
    lines.push(String::new());
    if !comparison.answers.is_empty() {
        lines.extend(layout::table(comparison, &Table::of(comparison, problem)));
        lines.push(String::new());
    }
    if let Some(run) = &comparison.compliant {
        lines.extend(compliant_lines(loaded, run));
    }
    lines.extend(remarks(comparison, problem));
    lines.extend(match impact {
        Some(_) => scene::next_steps(comparison, path),
        None => next_steps(comparison, path),
    });
    lines.join("\n") + "\n"
}

/// The collision that laws abbreviate.
fn compliant_lines(loaded: &Loaded, run: &CompliantRun) -> Vec<String> {
    let outcome = &run.outcome;
    let energy = &outcome.energy;
    let kept = energy.kinetic_end / energy.kinetic_start;
    let velocity = &outcome.contact_velocity;
    let size = velocity.iter().fold(0.0, |m: f64, u| m.max(u.abs()));
    let clean: Vec<f64> =
        velocity.iter().map(|u| if u.abs() <= 1e-9 * size { 0.0 } else { *u }).collect();
    let mut text = format!("{}: u⁺ = {} m/s", model(&loaded.problem, run), ends(&clean, 4));
    if kept.is_finite() {
        text.push_str(&format!(", {} of the kinetic energy is left", significant(kept, 4)));
    }
    text.push_str(
        ". `springs` is how far a law's velocities are from these, in the norm of kinetic energy, relative to those before.",
    );
    wrap("springs", &text)
}

/// Path, spread, and the laws that are not in the table.
fn remarks(comparison: &Comparison, problem: &ContactProblem) -> Vec<String> {
    let mut lines = Vec::new();
    if problem.len() == 1 {
        for (laws, model) in alike::groups(comparison) {
            lines.extend(wrap("alike", &format!("{}: as {model}", laws.join(", "))));
        }
    }
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
        let rows: Vec<_> = names.iter().zip(&spread.velocity).collect();
        // Of many rows, the one that the laws disagree on most.
        let worst = rows.iter().copied().max_by(|(_, a), (_, b)| a.width().total_cmp(&b.width()));
        let few = rows.len() <= 3;
        let told = rows.into_iter().filter(|_| few).chain(worst.filter(|_| !few));
        // Of several contacts only what the laws disagree on is news.
        let told = told.filter(|(_, r)| problem.len() == 1 || shown(r.low) != shown(r.high));
        parts.extend(told.map(|(name, r)| format!("u_{name}⁺ {}", range(r))));
        let text = format!("{} permissible laws: {}", spread.laws, parts.join(", "));
        lines.extend(wrap("spread", &text));
    }
    // Laws for one contact say nothing about several: one line is enough for all of them.
    let (too_few, absent): (Vec<_>, Vec<_>) =
        comparison.absent.iter().partition(|(row, _)| problem.len() > 1 && !row.takes_several());
    let mut skipped: Vec<String> =
        absent.iter().map(|(row, error)| format!("{} ({})", row.id, why_absent(error))).collect();
    if !too_few.is_empty() {
        skipped.push(format!("{} laws take one contact only", too_few.len()));
    }
    if !skipped.is_empty() {
        lines.extend(wrap("skipped", &skipped.join(", ")));
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

fn next_steps(comparison: &Comparison, path: &Path) -> Vec<String> {
    let file = quoted(path);
    let explain = comparison
        .violating()
        .map(|entry| format!("carom explain {file} --law {}", entry.resolution.law.id()));
    let traceable = |entry: &&Entry| {
        (entry.has_path() && !entry.recorder.events.is_empty()) || entry.has_steps()
    };
    let trace = comparison
        .permissible()
        .filter(traceable)
        .map(|entry| format!("carom resolve {file} --law {} --trace", entry.resolution.law.id()));
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
pub(super) fn wrap(keyword: &str, text: &str) -> Vec<String> {
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

pub(super) fn labelled(keyword: &str, line: &str) -> String {
    let dim = Style::new().dimmed();
    format!("{dim}{keyword:<INDENT$}{dim:#}{line}")
}
