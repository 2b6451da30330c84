//! Rounds and their intervals, contact by contact.

use crate::table::{Cell, Table};
use carom::ContactProblem;
use carom::outcome::{ContactMode, StepLimit, StepRecord};
use carom_io::rounding::denoised;
use carom_report::numbers::{significant, vector};

/// Digits that keep the table narrow.
const DIGITS: usize = 5;

/// Whether the steps are those of a law that goes by rounds.
pub(super) fn are_rounds(steps: &[StepRecord]) -> bool {
    matches!(steps.first(), Some(StepRecord::Phases { .. }))
}

/// A line per contact and interval, until `lines` are reached; and how many steps are shown.
pub(super) fn table(
    problem: &ContactProblem,
    steps: &[StepRecord],
    lines: usize,
) -> (Table, usize) {
    let mut table = Table::default();
    let heading = [
        "round",
        "interval",
        "contact",
        "does",
        "p in N·s",
        "u after in m/s",
        "slip",
        "length",
        "until",
    ];
    table.push(
        heading
            .map(|name| match name {
                "round" | "interval" | "contact" | "slip" | "length" => Cell::right(name),
                _ => Cell::left(name),
            })
            .to_vec(),
    );
    let speed = problem.velocity().iter().fold(0.0, |m: f64, u| m.max(u.abs()));
    let (mut round, mut interval, mut used) = (0, 0, 0);
    let mut expanding: &[usize] = &[];
    for (shown, step) in steps.iter().enumerate() {
        match step {
            StepRecord::Phases { expanding: which, .. } => {
                round += 1;
                interval = 0;
                expanding = which;
            }
            StepRecord::Interval { contacts, modes, step, limit, impulse, velocity } => {
                if used > 0 && used + contacts.len() > lines {
                    return (table, shown);
                }
                interval += 1;
                used += contacts.len();
                let largest = impulse.iter().fold(0.0, |m: f64, p| m.max(p.abs()));
                for (i, (&k, mode)) in contacts.iter().zip(modes).enumerate() {
                    let rows = problem.row_range(k).len();
                    let own = |values: &[f64], scale: f64| -> Vec<f64> {
                        values[3 * i..3 * i + rows].iter().map(|x| denoised(*x, scale)).collect()
                    };
                    let (p, u) = (own(impulse, largest), own(velocity, speed));
                    let slip = u[1..].iter().map(|u| u * u).sum::<f64>().sqrt();
                    // What all contacts of an interval share is said once.
                    let once = |text: String| if i == 0 { text } else { String::new() };
                    table.push(vec![
                        Cell::right(once(round.to_string())),
                        Cell::right(once(interval.to_string())),
                        Cell::right(k.to_string()),
                        Cell::left(does(*mode, expanding.contains(&k), is_rough(problem, k))),
                        Cell::left(vector(&p, DIGITS)),
                        Cell::left(vector(&u, DIGITS)),
                        Cell::right(if rows > 1 {
                            significant(slip, DIGITS)
                        } else {
                            String::new()
                        }),
                        Cell::right(once(significant(*step, DIGITS))),
                        Cell::left(once(until(*limit).into())),
                    ]);
                }
            }
            _ => {}
        }
    }
    (table, steps.len())
}

fn is_rough(problem: &ContactProblem, contact: usize) -> bool {
    let spec = &problem.contacts()[contact];
    spec.rows > 1 && spec.material.mu > 0.0
}

/// What a contact does in an interval.
fn does(mode: ContactMode, expands: bool, rough: bool) -> String {
    let phase = if expands { "expands" } else { "is compressed" };
    match mode {
        ContactMode::Dropped => "takes no part".into(),
        _ if !rough => phase.into(),
        ContactMode::Sliding => format!("{phase}, slides"),
        ContactMode::Rolling => format!("{phase}, rolls"),
        ContactMode::Impending => format!("{phase}, begins to slide"),
        ContactMode::Jammed => format!("{phase}, jams"),
    }
}

/// What ends an interval.
fn until(limit: StepLimit) -> &'static str {
    match limit {
        StepLimit::End => "the round ends",
        StepLimit::ClosestPoint => "slip is closest to none",
        StepLimit::DirectionChange => "slip has turned enough",
        StepLimit::MinimumStep => "the shortest step is made",
        StepLimit::Event => "a contact changes",
    }
}
