//! Fig. 9: the rule with pre-collisions is not continuous.

use super::MASSES;
use crate::papers::Drawn;
use crate::papers::chains::collide;
use crate::{Figure, Panel, PlotError, Shape, Stroke, Tone};
use carom::ImpactError;

/// Points of a curve \[1\].
const POINTS: usize = 1000;
/// Between neighbouring points no smooth part of the curves rises further [m/s].
const STEEP: f64 = 2e-3;

const MASS: [f64; 4] = [1.0, 0.1, 1.0, 1.0];

fn after(e23: f64) -> Result<Vec<f64>, ImpactError> {
    collide("mosterman", &MASS, &[1.0, 0.0, 0.0, 0.0], &[1.0, e23, 1.0])
}

/// The largest difference of any velocity.
fn apart(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).fold(0.0, |most, (a, b)| most.max((a - b).abs()))
}

/// A discontinuity: its last argument before and its first after, with their velocities.
struct Jump {
    ends: [(f64, Vec<f64>); 2],
}

/// Where the velocities jump between two arguments, if they do.
fn jump(mut low: (f64, Vec<f64>), mut high: (f64, Vec<f64>)) -> Result<Option<Jump>, ImpactError> {
    let before = apart(&low.1, &high.1);
    loop {
        let middle = 0.5 * (low.0 + high.0);
        if !(low.0 < middle && middle < high.0) {
            // A smooth curve would have come together.
            let ends = [low, high];
            return Ok((apart(&ends[0].1, &ends[1].1) > 0.1 * before).then_some(Jump { ends }));
        }
        let middle = (middle, after(middle)?);
        match apart(&low.1, &middle.1) > apart(&middle.1, &high.1) {
            true => high = middle,
            false => low = middle,
        }
    }
}

pub(super) fn fig_9() -> Result<Drawn, PlotError> {
    let mut panel =
        Panel::new("ε_{23} [1]", "velocity after [m/s]").within([0.0, 1.0], [-0.4, 1.05]);
    panel = panel.sized(640.0, 380.0);
    let mut lines = vec![Vec::new(); MASS.len()];
    let mut jumps = Vec::new();
    let mut last: Option<(f64, Vec<f64>)> = None;
    for k in 0..=POINTS {
        let e23 = k as f64 / POINTS as f64;
        let here = (e23, after(e23)?);
        if let Some(last) = last.take().filter(|last| apart(&last.1, &here.1) > STEEP)
            && let Some(jump) = jump(last, here.clone())?
        {
            for (i, line) in lines.iter_mut().enumerate() {
                let [low, high] = &jump.ends;
                line.extend([[low.0, low.1[i]], [f64::NAN; 2], [high.0, high.1[i]]]);
            }
            jumps.push(jump);
        }
        for (line, v) in lines.iter_mut().zip(&here.1) {
            line.push([e23, *v]);
        }
        last = Some(here);
    }
    for (line, (name, tone, stroke)) in lines.into_iter().zip(MASSES) {
        panel.line(name, tone, stroke, line);
    }
    let mut figure = Figure::new(
        "Jumps of the rule with pre-collisions",
        "Velocities after the impact of four bodies, m = 1, 0.1, 1, 1 kg; v = 1, 0, 0, 0 m/s before, ε_{12} = ε_{34} = 1. At two \
         values of ε_{23} another set of contacts takes part in a step, and velocities jump; dots mark both sides of each jump. \
         All other changes of the sets are kinks.",
    );
    for (k, jump) in jumps.iter().enumerate() {
        let [low, high] = &jump.ends;
        let both = [low, high].map(|end| end.1.iter().map(|v| [end.0, *v]).collect::<Vec<_>>());
        let name = format!("jump {}", k + 1);
        panel.guide(&name, Tone::Muted, Stroke::Dotted, vec![[low.0, -0.4], [low.0, 1.05]]);
        panel.label(&format!("{:.4}", low.0), Tone::Ink, [low.0, 0.95]);
        for (side, points) in ["before", "after"].into_iter().zip(both) {
            for (v, (mass, ..)) in points.iter().zip(MASSES) {
                figure.fact(&format!("{mass} {side} {name}"), v[1], "m/s");
            }
            panel.dots("", Tone::Ink, Shape::Disc, points);
        }
        figure.fact(&name, 0.5 * (low.0 + high.0), "1");
    }
    figure.fact("jumps", jumps.len() as f64, "1");
    Ok(Drawn::Figure(figure.with(panel)))
}
