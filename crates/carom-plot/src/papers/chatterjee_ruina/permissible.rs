//! Figs 1 and 9: the permissible region.

use super::situation::{GENERIC, Situation, fact};
use crate::PlotError;
use crate::draw::{Figure, Shape, Stroke, Tone};
use crate::impulse_space::shown;
use crate::papers::Drawn;
use carom::region::{FigureLine, FigurePoint};

/// Steps of the curved part of a region's boundary.
const ARCS: usize = 96;

/// The region of a generic collision; a point beyond it, on a line of constant e.
pub(super) fn figure_1() -> Result<Drawn, PlotError> {
    const E: f64 = 0.9;
    let generic = Situation { w: GENERIC, u: [-1.0, -1.0], mu: 0.6 };
    let mut figure = Figure::new(
        "The permissible region in impulse space",
        &format!(
            "Fig. 1 of Chatterjee and Ruina, for {}. Shaded: impulses within the friction lines, above the line of maximum \
             compression and inside the ellipse of the first energy. A = P_I stops the approach without friction, B = 2P_I \
             reverses it, C = P_{{II}} stops the contact. D lies on the line e = {E} and sticks, and yet creates energy.",
            generic.words()
        ),
    )
    .in_columns(1);
    let mut panel = generic.panel([-1.7, 2.3], [-0.8, 3.4], 480.0)?;
    generic.shade(&mut panel)?;
    let restitution = generic.line(FigureLine::ConstantRestitution { e: E })?;
    panel.line(&format!("e = {E}"), Tone::Green, Stroke::Dashed, restitution);
    for (point, name) in [
        (FigurePoint::O, "O"),
        (FigurePoint::PI, "A = P_I"),
        (FigurePoint::E, "B = 2P_I"),
        (FigurePoint::PII, "C = P_{II}"),
    ] {
        generic.mark(&mut panel, &mut figure, point, name)?;
    }
    let beyond = generic.impulse("whittaker", E, 0.0)?;
    panel.point("D", Tone::Red, Shape::Cross, beyond);
    fact(&mut figure, "D", beyond);
    let contact = generic.contact(E, 0.0)?;
    let change = |[t, n]: [f64; 2]| contact.energy_change(&carom::ContactVec::new([n, t]));
    if let Some(centre) = generic.point(FigurePoint::PII)? {
        figure.fact("D energy left", 1.0 - change(beyond) / change(centre), "1");
    }
    figure.panels.push(panel);
    Ok(Drawn::Figure(figure))
}

/// A disk that grazes: rebounds with e far above 1 that lose energy.
pub(super) fn figure_9() -> Result<Drawn, PlotError> {
    let disk = Situation { w: [[1.0, 0.0], [0.0, 3.0]], u: [-1.0, -29.5], mu: 0.5 };
    let region = disk.region()?;
    let mut figure = Figure::new(
        "Restitution above 1 without creating energy",
        &format!(
            "Fig. 9 of Chatterjee and Ruina, for a disk near grazing incidence, {}. Faint: permissible impulses. Strong: those \
             with e up to 1.",
            disk.words()
        ),
    )
    .in_columns(1);
    let mut panel = disk.panel([-7.0, 14.0], [-3.0, 20.0], 440.0)?;
    disk.shade(&mut panel)?;
    // Of the region only what lies below the line e = 1.
    let outline: Vec<[f64; 2]> = region.polyline(ARCS)?.iter().map(|p| shown(&p.impulse)).collect();
    let elastic = 2.0;
    panel.area("permissible with e ≤ 1", Tone::Ink, 0.6, below(&outline, elastic));
    panel.guide(
        "e = 1",
        Tone::Green,
        Stroke::Dashed,
        disk.line(FigureLine::ConstantRestitution { e: 1.0 })?,
    );
    if let Some(largest) = region.largest_restitution() {
        let at = shown(&largest.impulse);
        panel.point(&format!("e = {:.0}", largest.e), Tone::Red, Shape::Disc, at);
        figure.fact("largest e", largest.e, "1");
        fact(&mut figure, "at the largest e", at);
    }
    for (point, name) in [(FigurePoint::O, "O"), (FigurePoint::PI, "P_I")] {
        disk.mark(&mut panel, &mut figure, point, name)?;
    }
    figure.panels.push(panel);
    Ok(Drawn::Figure(figure))
}

/// The part of a convex outline that is not above a height.
fn below(outline: &[[f64; 2]], height: f64) -> Vec<[f64; 2]> {
    let mut kept = Vec::new();
    for (k, &p) in outline.iter().enumerate() {
        let q = outline[(k + 1) % outline.len()];
        if p[1] <= height {
            kept.push(p);
        }
        if (p[1] <= height) != (q[1] <= height) {
            let s = (height - p[1]) / (q[1] - p[1]);
            kept.push([p[0] + s * (q[0] - p[0]), height]);
        }
    }
    kept
}
