//! Fig. 9: a path into a corner has no natural continuation.

use super::plane::{Plane, along, dot, length, square, tangent_cone};
use crate::papers::Drawn;
use crate::papers::chains::collide;
use crate::{Figure, Mark, Panel, PlotError, Series, Shape, Stroke, Tone};
use carom::ImpactError;

/// Three masses \[kg\]; both neighbours come towards the middle one [m/s].
const MASS: [f64; 3] = [1.0, 2.0, 1.0];
const BEFORE: [f64; 3] = [1.0, 0.0, -1.0];
/// How far beside the corner the neighbouring paths run, relative to what is shown \[1\].
const BESIDE: f64 = 0.12;

/// A path through elastic collisions of two masses each, from a point of the plane on; ends after `rest` of time.
fn path(plane: &Plane, from: [f64; 2], mut rest: f64) -> Result<Path, ImpactError> {
    let mut velocity = BEFORE.to_vec();
    let (mut at, mut points, mut order) = (from, vec![from], Vec::new());
    loop {
        let speed = plane.place(&velocity);
        let hits = [0, 1].map(|k| {
            let closing = -dot(plane.normals[k], speed);
            // A wall that was just left is not hit again at once.
            let new = order.last() != Some(&k);
            if closing > 0.0 && new { dot(plane.normals[k], at) / closing } else { f64::INFINITY }
        });
        let k = if hits[0] <= hits[1] { 0 } else { 1 };
        if hits[k] >= rest {
            points.push(along(at, rest, speed));
            return Ok(Path { points, order, velocity });
        }
        at = along(at, hits[k], speed);
        rest -= hits[k];
        points.push(at);
        order.push(k);
        let pair = collide("newton", &MASS[k..k + 2], &velocity[k..k + 2], &[1.0])?;
        velocity[k..k + 2].copy_from_slice(&pair);
    }
}

struct Path {
    points: Vec<[f64; 2]>,
    order: Vec<usize>,
    velocity: Vec<f64>,
}

pub(super) fn fig_9() -> Result<Drawn, PlotError> {
    let plane = Plane::of_chain(MASS);
    let speed = plane.place(&BEFORE);
    let start = along([0.0; 2], -1.0, speed);
    let mut panel = Panel::new("difference of the gaps [√kg·m]", "both gaps [√kg·m]")
        .equal()
        .within([-1.5, 1.5], [-0.35, 2.15])
        .sized(480.0, 400.0);
    panel.area(
        "configurations without overlap",
        Tone::Blue,
        0.15,
        tangent_cone(&square(8.0), plane.normals),
    );
    let mut figure = Figure::new(
        "A corner decides nothing",
        "Configurations of three masses, 1, 2, 1 kg, seen from their centre of mass; the outer two come in at 1 m/s, all collisions \
         elastic. Paths just beside the corner meet one wall first and leave in other directions than the path into the corner \
         that symmetry asks for (one coefficient ε = 1 for all): however close, they do not tend to each other.",
    );
    for (name, side, tone, stroke) in [
        ("contact 1 first", 1.0, Tone::Red, Stroke::Solid),
        ("contact 2 first", -1.0, Tone::Green, Stroke::Dashed),
    ] {
        let path = path(&plane, along(start, side * BESIDE, [1.0, 0.0]), 2.75)?;
        panel.series.push(Series {
            name: name.to_owned(),
            tone,
            mark: Mark::Arrow(stroke),
            points: path.points.clone(),
            listed: true,
        });
        for (i, v) in path.velocity.iter().enumerate() {
            figure.fact(&format!("v_{} after, {name}", i + 1), *v, "m/s");
        }
        figure.fact(&format!("collisions, {name}"), path.order.len() as f64, "1");
        let leaving = plane.place(&path.velocity);
        let angle = libm::atan2(leaving[0], leaving[1]).to_degrees();
        figure.fact(&format!("direction after, {name}"), angle, "°");
        figure.fact(
            &format!("speed after over before, {name}"),
            length(leaving) / length(speed),
            "1",
        );
    }
    let together = collide("moreau", &MASS, &BEFORE, &[1.0, 1.0])?;
    let leaving = plane.place(&together);
    panel.line("into the corner", Tone::Ink, Stroke::DashDot, vec![start, [0.0; 2]]);
    panel.line(
        "back out, by symmetry",
        Tone::Purple,
        Stroke::Dotted,
        vec![[0.0; 2], along([0.0; 2], 1.4, leaving)],
    );
    for (i, v) in together.iter().enumerate() {
        figure.fact(&format!("v_{} after, one ε for all", i + 1), *v, "m/s");
    }
    panel.dots("", Tone::Ink, Shape::Disc, vec![[0.0; 2]]);
    Ok(Drawn::Figure(figure.with(panel)))
}
