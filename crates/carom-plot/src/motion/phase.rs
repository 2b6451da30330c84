//! One quantity of a motion against another: its path, or where it passes a section.

use super::{BodyNumber, Quantity};
use crate::{Figure, Panel, PlotError, Shape, Stroke, Tone};
use carom_sim::motion::{Motion, Scene};

fn panel(scene: &Scene, quantities: [Quantity; 2]) -> Panel {
    let [x, y] = quantities.map(|quantity| quantity.title(scene));
    let panel = Panel::new(&x, &y).sized(480.0, 360.0);
    let place = |quantity| matches!(quantity, Quantity::Body(_, BodyNumber::Position(_)));
    // A path in the world keeps its shape.
    if quantities.into_iter().all(place) { panel.equal() } else { panel }
}

fn points(motion: &Motion, [x, y]: [Quantity; 2]) -> Vec<[f64; 2]> {
    motion.samples.iter().map(|sample| [x.of(sample), y.of(sample)]).collect()
}

/// The path of two quantities. Velocities jump at impacts: with samples just before and at each, the jump is a line.
pub fn phase(
    scene: &Scene,
    motion: &Motion,
    quantities: [Quantity; 2],
) -> Result<Figure, PlotError> {
    let path = points(motion, quantities);
    let (Some(first), Some(last)) = (path.first().copied(), path.last().copied()) else {
        return Err(PlotError::new("phase", "the motion has no samples".to_owned()));
    };
    let caption = "The path from the ring at the beginning to the disc at the end.";
    let mut panel = panel(scene, quantities);
    panel.line("path", Tone::Blue, Stroke::Thin, path);
    panel.dots("beginning", Tone::Ink, Shape::Ring, vec![first]);
    panel.dots("end", Tone::Red, Shape::Disc, vec![last]);
    Ok(Figure::new("Phase portrait", caption).with(panel))
}

/// Points at which a motion passes a section, one for each sample. `section` says which, for the caption.
pub fn poincare(
    scene: &Scene,
    motion: &Motion,
    quantities: [Quantity; 2],
    section: &str,
) -> Result<Figure, PlotError> {
    let passed = points(motion, quantities);
    if passed.is_empty() {
        let reason = format!("the motion never passes its section, {section}");
        return Err(PlotError::new("poincare", reason));
    }
    let caption = format!(
        "One point each time the motion passes its section, {section}: {} in {} s. A motion that repeats itself passes at \
         the same few points.",
        passed.len(),
        motion.end.time,
    );
    let count = passed.len();
    let mut panel = panel(scene, quantities);
    panel.dots("passage", Tone::Blue, Shape::Point, passed);
    let mut figure = Figure::new("Poincaré section", &caption).with(panel);
    figure.fact("passages", count as f64, "1");
    Ok(figure)
}
