//! Phases: normal velocity and normal work while the normal impulse grows.

use crate::draw::{Figure, Panel, Stroke, Tone};
use crate::paths::{self, Paths};
use crate::{Answer, Family, PlotError};

const KIND: &str = "phases";
const CAPTION: &str = "Normal velocity and the work of the normal impulse while the normal impulse grows. Compression while \
     u_n < 0, restitution while u_n > 0; Newton's rule ends at a velocity, Poisson's at an impulse, Stronge's at a work.";

/// Normal velocity and work against normal impulse, compressions and restitutions marked.
pub fn phases(answers: &[Answer]) -> Result<Figure, PlotError> {
    let paths = Paths::of(KIND, answers)?;
    let [mut velocity, mut work] = panels();
    paths.draw(&mut velocity, |at| [at.impulse[0], at.velocity[0]]);
    paths.draw(&mut work, |at| [at.impulse[0], at.normal_work]);
    let mut figure = figure(velocity, work, paths.longest().last().map_or(0.0, |s| s.impulse[0]));
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

/// The same for a parameter that changes.
pub fn phases_family(family: &Family) -> Result<Figure, PlotError> {
    paths::check_family(KIND, family)?;
    let [mut velocity, mut work] = panels();
    paths::draw_family(&mut velocity, family, |at| [at.impulse[0], at.velocity[0]]);
    paths::draw_family(&mut work, family, |at| [at.impulse[0], at.normal_work]);
    let end = family.answers().map(|a| a.impulse[0]).fold(0.0, f64::max);
    Ok(figure(velocity, work, end))
}

fn panels() -> [Panel; 2] {
    let across = "normal impulse p_n [N·s]";
    ["normal velocity u_n [m/s]", "work of the normal impulse [J]"].map(|up| Panel::new(across, up))
}

fn figure(mut velocity: Panel, mut work: Panel, end: f64) -> Figure {
    for panel in [&mut velocity, &mut work] {
        panel.guide("", Tone::Muted, Stroke::Thin, vec![[0.0, 0.0], [end, 0.0]]);
    }
    Figure::new("Compression and restitution", CAPTION).with(velocity).with(work)
}
