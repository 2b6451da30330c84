//! Paths of laws that follow the contact through the impact.
//!
//! These laws share one path and differ in where they leave it: so it is drawn once, as far as the last of them goes,
//! and each end has its name.

use crate::draw::{Panel, Shape, Stroke, Tone};
use crate::signs::alike;
use crate::{Answer, Family, PlotError};
use carom::outcome::{TraceEvent, TracePoint};

/// Landmarks nearer to each other than this share of the drawing have one label together \[1\].
const NEAR: f64 = 0.004;
/// No family shows more of its members.
const MEMBERS: usize = 25;

/// The answers with a path.
pub(crate) struct Paths<'a> {
    answers: Vec<&'a Answer>,
}

impl<'a> Paths<'a> {
    /// Those of the answers that have a path, or why there is no figure.
    pub(crate) fn of(kind: &'static str, answers: &'a [Answer]) -> Result<Self, PlotError> {
        let answers: Vec<&Answer> = answers.iter().filter(|a| a.path.samples.len() > 1).collect();
        if answers.is_empty() {
            let reason =
                "none of the laws asked follows one contact through the impact; routh-stronge does";
            return Err(PlotError::new(kind, reason.to_owned()));
        }
        Ok(Self { answers })
    }

    /// The path as far as any law goes.
    pub(crate) fn longest(&self) -> &'a [TracePoint] {
        let reach = |a: &&&Answer| a.path.samples.last().map_or(0.0, |s| s.impulse[0]);
        let longest = self.answers.iter().max_by(|a, b| reach(a).total_cmp(&reach(b)));
        longest.map_or(&[], |a| &a.path.samples)
    }

    /// Draws the path, what happens on it, and where laws leave it.
    pub(crate) fn draw(&self, panel: &mut Panel, place: impl Fn(&TracePoint) -> [f64; 2]) {
        let points: Vec<[f64; 2]> = dense(self.longest()).iter().map(&place).collect();
        let mut marks = Landmarks { size: extent(&points), found: Vec::new() };
        panel.line("path", Tone::Blue, Stroke::Bold, points);
        for answer in &self.answers {
            for (event, at) in &answer.path.events {
                match event {
                    TraceEvent::End => {}
                    event => marks.add(in_words(*event), place(at), Tone::Ink),
                }
            }
        }
        let mut ends: Vec<(&TracePoint, Vec<&str>)> = Vec::new();
        for answer in &self.answers {
            let Some(last) = answer.path.samples.last() else { continue };
            match ends.iter_mut().find(|(at, _)| alike(&at.impulse, &last.impulse)) {
                Some((_, laws)) => laws.push(&answer.law),
                None => ends.push((last, vec![&answer.law])),
            }
        }
        for (at, laws) in ends {
            marks.add(&laws.join(", "), place(at), Tone::Red);
        }
        marks.draw(panel);
    }
}

/// The path with points between its samples: along a straight piece velocities change evenly, and work with their square.
fn dense(samples: &[TracePoint]) -> Vec<TracePoint> {
    const BETWEEN: usize = 8;
    let mut points = Vec::with_capacity(samples.len() * BETWEEN);
    for pair in samples.windows(2) {
        let [a, b] = [pair[0], pair[1]];
        let push = b.impulse[0] - a.impulse[0];
        let [before, after] = [a.velocity[0], b.velocity[0]];
        // What a piece that is not quite straight does otherwise, spread over it.
        let rest = b.normal_work - a.normal_work - 0.5 * push * (before + after);
        points.extend((0..BETWEEN).map(|k| {
            let s = k as f64 / BETWEEN as f64;
            let mix = |x: [f64; 3], y: [f64; 3]| [0, 1, 2].map(|i| x[i] + s * (y[i] - x[i]));
            let work = push * s * (before + 0.5 * s * (after - before));
            TracePoint {
                impulse: mix(a.impulse, b.impulse),
                velocity: mix(a.velocity, b.velocity),
                normal_work: a.normal_work + work + s * rest,
            }
        }));
    }
    points.extend(samples.last());
    points
}

/// What happens on a path, for readers.
fn in_words(event: TraceEvent) -> &'static str {
    match event {
        TraceEvent::Start => "start",
        TraceEvent::MaximumCompression => "most compressed",
        TraceEvent::Recompression => "compressed again",
        TraceEvent::Ray => "direction kept",
        TraceEvent::SlipStops => "slip stops",
        TraceEvent::Stick => "sticks",
        TraceEvent::Reversal => "slides anew",
        TraceEvent::End => "end",
    }
}

struct Landmarks {
    size: [f64; 2],
    found: Vec<(Vec<String>, [f64; 2], Tone)>,
}

impl Landmarks {
    fn add(&mut self, name: &str, at: [f64; 2], tone: Tone) {
        let near =
            |other: &[f64; 2]| (0..2).all(|i| (at[i] - other[i]).abs() <= NEAR * self.size[i]);
        match self.found.iter_mut().find(|(_, other, t)| *t == tone && near(other)) {
            Some((names, ..)) if names.iter().any(|n| n == name) => {}
            Some((names, ..)) => names.push(name.to_owned()),
            None => self.found.push((vec![name.to_owned()], at, tone)),
        }
    }

    fn draw(self, panel: &mut Panel) {
        for (names, at, tone) in self.found {
            let shape = if tone == Tone::Ink { Shape::Ring } else { Shape::Disc };
            panel.point(&names.join(", "), tone, shape, at);
        }
    }
}

fn extent(points: &[[f64; 2]]) -> [f64; 2] {
    [0, 1].map(|i| {
        points.iter().map(|p| p[i]).fold(f64::NEG_INFINITY, f64::max)
            - points.iter().map(|p| p[i]).fold(f64::INFINITY, f64::min)
    })
}

/// The paths of a family: thin, but the first and the last, which have their value beside them.
pub(crate) fn draw_family(
    panel: &mut Panel,
    family: &Family,
    place: impl Fn(&TracePoint) -> [f64; 2],
) {
    for (k, track) in family.tracks.iter().enumerate() {
        let Some([first, last]) = track.ends() else { continue };
        let stride = (last - first).div_ceil(MEMBERS - 1).max(1);
        let members = (first..last).step_by(stride).chain([last]);
        for member in members {
            let Some(answer) = &track.answers[member] else { continue };
            let points: Vec<[f64; 2]> = dense(&answer.path.samples).iter().map(&place).collect();
            let Some(&end) = points.last() else { continue };
            let outer = member == first || member == last;
            let stroke = if outer { Stroke::Bold } else { Stroke::Thin };
            if member == first {
                panel.line(&track.law, Tone::of(k), stroke, points);
            } else {
                panel.guide(
                    &format!("{}, {}", track.law, family.at(member)),
                    Tone::of(k),
                    stroke,
                    points,
                );
            }
            panel.dots("", Tone::of(k), Shape::Disc, vec![end]);
            if outer {
                panel.label(&family.at(member), Tone::of(k), end);
            }
        }
    }
}

/// Whether any member of a family has a path.
pub(crate) fn check_family(kind: &'static str, family: &Family) -> Result<(), PlotError> {
    if family.answers().any(|a| a.path.samples.len() > 1) {
        return Ok(());
    }
    let reason =
        "none of the laws asked follows one contact through the impact; routh-stronge does";
    Err(PlotError::new(kind, reason.to_owned()))
}
