//! Rounds: what each contact does while a law goes by rounds and intervals, and how impulses add up.

use crate::draw::{Figure, Mark, Panel, Series, Stroke, Tone};
use crate::{PlotError, contact_name};
use carom::ContactProblem;
use carom::outcome::{ContactMode, StepRecord};

/// No more contacts are shown than these, the first ones.
const MOST: usize = 12;

/// One interval of one round.
struct Interval<'a> {
    round: usize,
    contacts: &'a [usize],
    modes: &'a [ContactMode],
    expanding: &'a [usize],
    impulse: &'a [f64],
    velocity: &'a [f64],
}

/// The states of contacts, their impulses and normal velocities, interval by interval.
pub fn rounds(problem: &ContactProblem, steps: &[StepRecord]) -> Result<Figure, PlotError> {
    let intervals = intervals(steps);
    let Some(last) = intervals.last() else {
        let reason = "the law has no rounds, or nothing collides; plus goes by rounds".to_owned();
        return Err(PlotError::new("rounds", reason));
    };
    let shown = problem.len().min(MOST);
    let mut caption = format!(
        "What contacts do, interval by interval, and what comes of it: {} round{} of {} interval{} in all. Dotted: where a \
         round begins. In the first panel colours tell what a contact does; pale while it gives back what it took.",
        last.round,
        if last.round == 1 { "" } else { "s" },
        intervals.len(),
        if intervals.len() == 1 { "" } else { "s" },
    );
    if shown < problem.len() {
        caption.push_str(&format!(" Of {} contacts the first {shown} are shown.", problem.len()));
    }
    let mut figure = Figure::new("Rounds", &caption).in_columns(1);
    let [impulse, velocity] = histories(problem, &intervals, shown);
    figure.panels.extend([states(problem, &intervals, shown), impulse, velocity]);
    figure.fact("rounds", last.round as f64, "1");
    figure.fact("intervals", intervals.len() as f64, "1");
    Ok(figure)
}

fn intervals(steps: &[StepRecord]) -> Vec<Interval<'_>> {
    let mut round = 0;
    let mut phases: &[usize] = &[];
    let mut found = Vec::new();
    for step in steps {
        match step {
            StepRecord::Phases { expanding, .. } => {
                round += 1;
                phases = expanding;
            }
            StepRecord::Interval { contacts, modes, impulse, velocity, .. } => {
                let expanding = phases;
                found.push(Interval { round, contacts, modes, expanding, impulse, velocity });
            }
            _ => {}
        }
    }
    found
}

fn panel(title: &str, intervals: &[Interval], height: f64) -> Panel {
    let mut panel = Panel::new("interval", title).sized(560.0, height);
    // Names of contacts stand in a margin of their own, where nothing happens.
    panel.axes[0].range = Some([-margin(intervals), intervals.len() as f64]);
    panel.axes[0].whole = true;
    panel
}

fn margin(intervals: &[Interval]) -> f64 {
    0.15 * intervals.len() as f64
}

/// Dotted lines where rounds begin.
fn beginnings(panel: &mut Panel, intervals: &[Interval]) {
    let [low, high] = panel.ranges()[1];
    for k in 1..intervals.len() {
        if intervals[k].round != intervals[k - 1].round {
            let x = k as f64;
            panel.guide("", Tone::Muted, Stroke::Dotted, vec![[x, low], [x, high]]);
        }
    }
}

/// What a contact does, its colour and how strong it is.
type State = (String, Tone, f64);

fn state(problem: &ContactProblem, interval: &Interval, contact: usize) -> Option<State> {
    let i = interval.contacts.iter().position(|&k| k == contact)?;
    let spec = &problem.contacts()[contact];
    let rough = spec.rows > 1 && spec.material.mu > 0.0;
    let (does, tone) = match interval.modes[i] {
        ContactMode::Dropped => return None,
        _ if !rough => ("", Tone::Blue),
        ContactMode::Sliding => (", slides", Tone::Amber),
        ContactMode::Rolling => (", sticks", Tone::Green),
        ContactMode::Impending => (", begins to slide", Tone::Purple),
        ContactMode::Jammed => (", jams", Tone::Red),
    };
    Some(match interval.expanding.contains(&contact) {
        false => (format!("compressed{does}"), tone, 0.85),
        true => (format!("expands{does}"), tone, 0.4),
    })
}

/// A bar per contact, coloured by what it does.
fn states(problem: &ContactProblem, intervals: &[Interval], shown: usize) -> Panel {
    let mut panel = panel("", intervals, 26.0 * shown as f64 + 10.0);
    panel.axes[1].range = Some([shown as f64 - 0.4, -0.6]);
    panel.axes[1].numbered = false;
    for contact in 0..shown {
        let y = contact as f64;
        panel.word(&contact_name(problem, contact), Tone::Ink, [-0.5 * margin(intervals), y]);
        let states: Vec<Option<State>> =
            intervals.iter().map(|i| state(problem, i, contact)).collect();
        let mut start = 0;
        for k in 1..=states.len() {
            if k < states.len() && states[k] == states[start] {
                continue;
            }
            if let Some((name, tone, strength)) = &states[start] {
                let [from, to] = [start as f64, k as f64];
                panel.series.push(Series {
                    name: name.clone(),
                    tone: *tone,
                    mark: Mark::Area(*strength),
                    points: [[from, -0.38], [to, -0.38], [to, 0.38], [from, 0.38]]
                        .map(|[x, dy]| [x, y + dy])
                        .to_vec(),
                    listed: true,
                });
            }
            start = k;
        }
    }
    beginnings(&mut panel, intervals);
    panel
}

/// Normal impulses so far and normal velocities, a line per contact.
fn histories(problem: &ContactProblem, intervals: &[Interval], shown: usize) -> [Panel; 2] {
    let mut impulse = panel("normal impulse so far [N·s]", intervals, 200.0);
    let mut velocity = panel("normal velocity u_n [m/s]", intervals, 200.0);
    let end = intervals.len() as f64;
    velocity.guide("", Tone::Muted, Stroke::Thin, vec![[0.0, 0.0], [end, 0.0]]);
    for contact in 0..shown {
        let (mut p, mut u) = (0.0, problem.velocity()[problem.row_range(contact).start]);
        let (mut impulses, mut velocities) = (vec![[0.0, p]], vec![[0.0, u]]);
        for (k, interval) in intervals.iter().enumerate() {
            if let Some(i) = interval.contacts.iter().position(|&c| c == contact) {
                p += interval.impulse[3 * i];
                u = interval.velocity[3 * i];
            }
            impulses.push([k as f64 + 1.0, p]);
            velocities.push([k as f64 + 1.0, u]);
        }
        let (name, tone) = (contact_name(problem, contact), Tone::of(contact));
        let stroke = Stroke::of(contact);
        impulse.line(&name, tone, stroke, impulses);
        velocity.line(&name, tone, stroke, velocities);
    }
    beginnings(&mut impulse, intervals);
    beginnings(&mut velocity, intervals);
    [impulse, velocity]
}
