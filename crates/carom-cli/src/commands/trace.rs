//! The way from before to after, for people.

mod rounds;

use crate::table::{Cell, Table};
use carom::outcome::StepRecord;
use carom::{ContactProblem, Recorder};
use carom_io::answer::Path;
use carom_io::resolution::Resolution;
use carom_report::numbers::{ends, significant, thousands};
use carom_report::words::{self, DIGITS};

/// So many steps are shown \[1\].
const SHOWN: usize = 40;
/// So many contacts of one step are named \[1\].
const NAMED: usize = 12;

/// What the law reports of its way, as a table.
pub fn table(problem: &ContactProblem, resolution: &Resolution, path: Path) -> String {
    match resolution.law.info().takes_several() {
        false => events(problem, path.0),
        true => steps(problem, path),
    }
}

const NO_PATH: &str = "\nThis law jumps from before to after: it has no path.\n";

fn events(problem: &ContactProblem, recorder: &Recorder) -> String {
    if recorder.events.is_empty() {
        return NO_PATH.into();
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

fn steps(problem: &ContactProblem, path: Path) -> String {
    let recorder = path.0;
    if recorder.steps.is_empty() {
        return NO_PATH.into();
    }
    if rounds::are_rounds(&recorder.steps) {
        let (table, shown) = rounds::table(problem, &recorder.steps, SHOWN);
        return shortened(table, shown, path);
    }
    let mut table = Table::default();
    let pushes =
        |step: &StepRecord| matches!(step, StepRecord::Collision { .. } | StepRecord::Point { .. });
    let impulse = if recorder.steps.iter().any(pushes) { "p in N·s" } else { "" };
    let heading = [Cell::right("n"), Cell::left("step"), Cell::left("contacts")];
    table.push(heading.into_iter().chain([Cell::left(impulse)]).collect());
    for (n, step) in recorder.steps.iter().take(SHOWN).enumerate() {
        let (what, contacts, numbers) = in_words(step);
        table.push(vec![
            Cell::right((n + 1).to_string()),
            Cell::left(what),
            Cell::left(contacts),
            Cell::left(numbers),
        ]);
    }
    shortened(table, SHOWN, path)
}

/// The lines of a table, and how many steps it leaves out.
fn shortened(table: Table, shown: usize, path: Path) -> String {
    let mut lines = table.lines(2);
    let kept = path.0.steps.len();
    if kept > shown {
        let more = thousands(kept - shown);
        lines.push(format!("… {more} more steps; --json has them"));
    }
    if path.left_out() > 0 {
        lines.push(format!("… and {} that nothing keeps", thousands(path.left_out() as usize)));
    }
    format!("\n{}\n", lines.join("\n"))
}

/// What happens, where, and with which numbers.
fn in_words(step: &StepRecord) -> (&'static str, String, String) {
    match step {
        StepRecord::Collision { contact, impulse } => {
            ("collision", contact.to_string(), ends(impulse, DIGITS))
        }
        StepRecord::Joint { joint } => ("joint", format!("joint {joint}"), String::new()),
        StepRecord::Round { fresh, unfinished, ahead } => {
            let sets = [("fresh", fresh), ("unfinished", unfinished), ("ahead", ahead)];
            let words: Vec<String> = sets
                .iter()
                .filter(|(_, contacts)| !contacts.is_empty())
                .map(|(name, contacts)| format!("{name} {}", named(contacts)))
                .collect();
            ("round", words.join(" · "), String::new())
        }
        StepRecord::Reflection { contacts } => ("reflection", named(contacts), String::new()),
        // Laws that go by rounds have a table of their own.
        StepRecord::Phases { .. } => ("round", String::new(), String::new()),
        StepRecord::Interval { contacts, impulse, .. } => {
            ("interval", named(contacts), ends(impulse, DIGITS))
        }
        StepRecord::Point { impulse, .. } => ("point", String::new(), ends(impulse, DIGITS)),
    }
}

fn named(contacts: &[usize]) -> String {
    let names: Vec<String> = contacts.iter().take(NAMED).map(usize::to_string).collect();
    match contacts.len().checked_sub(NAMED) {
        None | Some(0) => names.join(", "),
        Some(more) => format!("{}, … {} more", names.join(", "), thousands(more)),
    }
}
