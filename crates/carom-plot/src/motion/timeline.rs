//! Which bodies touch when, and what happens to them.

use crate::{Figure, Mark, Panel, PlotError, Series, Shape, Stroke, Tone};
use carom_sim::motion::{Between, EventKind, Motion, Scene};

/// No more pairs have a row; the first that touch.
const MOST: usize = 24;
/// Half the height of a bar, in rows \[1\].
const BAR: f64 = 0.16;
/// How much of the width is left for names \[1\].
const NAMES: f64 = 0.3;

/// What an event is drawn as.
fn sign(kind: &EventKind) -> (&'static str, Tone, Shape) {
    match kind {
        EventKind::Impact { collision: true } => ("impact", Tone::Red, Shape::Disc),
        EventKind::Impact { collision: false } => ("jam", Tone::Red, Shape::Cross),
        EventKind::Limit => ("impact at a limit", Tone::Red, Shape::Square),
        EventKind::Accumulation { .. } => ("end of infinitely many", Tone::Purple, Shape::Diamond),
        EventKind::Slip => ("begins to slide", Tone::Amber, Shape::Triangle),
        EventKind::Stick => ("holds", Tone::Green, Shape::Square),
        EventKind::Separation => ("separates", Tone::Blue, Shape::Ring),
        EventKind::Rest => ("rest", Tone::Ink, Shape::Diamond),
        _ => ("another feature", Tone::Muted, Shape::Point),
    }
}

fn name(scene: &Scene, between: Between) -> String {
    match between {
        Between::Bodies(a, b) => format!("{} – {}", scene.bodies[a].name, scene.bodies[b].name),
        Between::Joint(k) => match &scene.joints[k].name {
            Some(name) => format!("limit of {name}"),
            None => format!("limit of joints[{k}]"),
        },
    }
}

/// A row for each pair that touches: bars while contact lasts, signs at events. The motion must have a sample at t = 0 and
/// at each event, with its contacts.
pub fn timeline(scene: &Scene, motion: &Motion) -> Result<Figure, PlotError> {
    let mut pairs: Vec<Between> = Vec::new();
    let events = motion.events.iter().flat_map(|event| &event.contacts).map(|c| c.between);
    let lasting = motion.samples.iter().flat_map(|sample| &sample.contacts).map(|c| c.between);
    for between in lasting.chain(events) {
        if !pairs.contains(&between) {
            pairs.push(between);
        }
    }
    if pairs.is_empty() {
        return Err(PlotError::new("timeline", "no bodies touch in this motion".to_owned()));
    }
    let shown = pairs.len().min(MOST);
    let mut caption =
        "What happens between bodies: bars while contact lasts, signs at events.".to_owned();
    if shown < pairs.len() {
        caption.push_str(&format!(" Of {} pairs the first {shown} are shown.", pairs.len()));
    }
    let end = motion.end.time.max(f64::MIN_POSITIVE);
    let margin = NAMES * end;
    let height = 26.0 * shown as f64 + 24.0;
    let mut panel = Panel::new("t [s]", "").sized(600.0, height);
    panel.axes[0].range = Some([-margin, 1.02 * end]);
    panel.axes[1].range = Some([shown as f64 - 0.4, -0.6]);
    panel.axes[1].numbered = false;
    panel.guide("", Tone::Muted, Stroke::Thin, vec![[0.0, -0.6], [0.0, shown as f64 - 0.4]]);
    for (row, between) in pairs.iter().enumerate().take(shown) {
        let y = row as f64;
        panel.word(&name(scene, *between), Tone::Ink, [-0.5 * margin, y]);
        bars(&mut panel, motion, *between, y);
        let mut kinds: Vec<(&str, Tone, Shape, Vec<[f64; 2]>)> = Vec::new();
        for event in &motion.events {
            if event.contacts.iter().any(|contact| contact.between == *between) {
                let (word, tone, shape) = sign(&event.kind);
                match kinds.iter_mut().find(|(known, ..)| *known == word) {
                    Some((.., at)) => at.push([event.time, y]),
                    None => kinds.push((word, tone, shape, vec![[event.time, y]])),
                }
            }
        }
        for (word, tone, shape, at) in kinds {
            panel.dots(word, tone, shape, at);
        }
    }
    let mut figure = Figure::new("Timeline", &caption).in_columns(1).with(panel);
    for kind in ["impact", "limit", "accumulation", "slip", "stick", "separation", "rest"] {
        let count = motion.events.iter().filter(|event| event.kind.name() == kind).count();
        if count > 0 {
            figure.fact(kind, count as f64, "1");
        }
    }
    Ok(figure)
}

/// Contact that lasts, from sample to sample; between two of them nothing changes.
fn bars(panel: &mut Panel, motion: &Motion, between: Between, y: f64) {
    let state = |k: usize| {
        let sample = motion.samples.get(k)?;
        let mut of = sample.contacts.iter().filter(|contact| contact.between == between);
        let first = of.next()?;
        // Several contacts of one pair slide if any does.
        Some(first.slides || of.any(|contact| contact.slides))
    };
    let mut start = 0;
    for k in 1..=motion.samples.len() {
        if k < motion.samples.len() && state(k) == state(start) {
            continue;
        }
        if let Some(slides) = state(start) {
            let from = motion.samples[start].time;
            let to = motion.samples.get(k).map_or(motion.end.time, |sample| sample.time);
            let (name, tone) =
                if slides { ("slides", Tone::Amber) } else { ("holds, or rests", Tone::Green) };
            let points = vec![[from, y - BAR], [to, y - BAR], [to, y + BAR], [from, y + BAR]];
            let mark = Mark::Area(0.5);
            panel.series.push(Series { name: name.into(), tone, mark, points, listed: true });
        }
        start = k;
    }
}
