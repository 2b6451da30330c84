//! Phases: normal velocity and normal work while the normal impulse grows.

use crate::draw::{Figure, Panel, Shape, Stroke, Tone};
use crate::{Answer, PlotError};
use carom::outcome::{TraceEvent, TracePoint};

/// Normal velocity and work against normal impulse, compressions and restitutions marked.
pub fn phases(answers: &[Answer]) -> Result<Figure, PlotError> {
    let answers: Vec<&Answer> = answers.iter().filter(|a| a.path.samples.len() > 1).collect();
    if answers.is_empty() {
        return Err(PlotError::new(
            "phases",
            "none of the laws asked follows a path through the impact; routh-stronge does"
                .to_owned(),
        ));
    }
    let mut velocity = Panel::new("normal impulse p_n [N·s]", "normal velocity u_n [m/s]");
    let mut work = Panel::new("normal impulse p_n [N·s]", "work of the normal impulse [J]");
    for (k, answer) in answers.iter().enumerate() {
        let stroke = [Stroke::Solid, Stroke::Dashed, Stroke::DashDot, Stroke::Dotted][k % 4];
        draw(&mut velocity, answer, (k, stroke), |at| at.velocity[0]);
        draw(&mut work, answer, (k, stroke), |at| at.normal_work);
    }
    let end = answers
        .iter()
        .filter_map(|a| a.path.samples.last())
        .map(|s| s.impulse[0])
        .fold(0.0, f64::max);
    velocity.guide("", Tone::Muted, Stroke::Thin, vec![[0.0, 0.0], [end, 0.0]]);
    work.guide("", Tone::Muted, Stroke::Thin, vec![[0.0, 0.0], [end, 0.0]]);
    let mut figure = Figure::new(
        "Compression and restitution",
        "Normal velocity and the work of the normal impulse. Compression while u_n < 0, restitution while u_n > 0; \
         Newton's rule ends at a velocity, Poisson's at an impulse, Stronge's at a work.",
    )
    .with(velocity)
    .with(work);
    for answer in answers {
        if let Some(totals) = &answer.path.totals {
            for (name, value) in
                [("e kinetic", totals.e_kinetic()), ("e energetic", totals.e_energetic())]
            {
                if let Some(value) = value {
                    figure.fact(&format!("{} {name}", answer.law), value, "1");
                }
            }
        }
    }
    Ok(figure)
}

fn draw(
    panel: &mut Panel,
    answer: &Answer,
    (k, stroke): (usize, Stroke),
    up: impl Fn(&TracePoint) -> f64,
) {
    let points = answer.path.samples.iter().map(|s| [s.impulse[0], up(s)]).collect();
    panel.line(&answer.law, Tone::of(k), stroke, points);
    for (event, at) in &answer.path.events {
        let name = match event {
            TraceEvent::MaximumCompression => "maximum compression",
            TraceEvent::Recompression => "compression again",
            TraceEvent::End => &answer.law,
            _ => continue,
        };
        panel.point(name, Tone::of(k), Shape::Disc, [at.impulse[0], up(at)]);
    }
}
