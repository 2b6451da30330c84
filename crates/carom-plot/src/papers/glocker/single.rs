//! Figs. 5 and 6: one contact. The elastic impact is a reflection.

use super::plane::{along, circle, cut, dot, length, square, turned};
use crate::papers::Drawn;
use crate::papers::chains::collide;
use crate::{Figure, Panel, PlotError, Shape, Stroke, Tone};
use carom::ImpactError;

/// Two masses \[kg\] and their velocities [m/s].
const MASS: [f64; 2] = [1.0, 2.0];
const BEFORE: [f64; 2] = [3.0, -1.0];

/// Velocities as a point whose length is energy [√J].
fn place(v: &[f64]) -> [f64; 2] {
    [f64::sqrt(MASS[0]) * v[0], f64::sqrt(MASS[1]) * v[1]]
}

/// The unit gradient of the gap.
fn normal() -> [f64; 2] {
    let [a, b] = [-1.0 / f64::sqrt(MASS[0]), 1.0 / f64::sqrt(MASS[1])];
    let long = libm::hypot(a, b);
    [a / long, b / long]
}

fn after(e: f64) -> Result<[f64; 2], ImpactError> {
    Ok(place(&collide("newton", &MASS, &BEFORE, &[e])?))
}

pub(super) fn fig_5() -> Result<Drawn, PlotError> {
    let (n, before) = (normal(), place(&BEFORE));
    let reach = 4.6;
    let mut panel = Panel::new("√m_1 v_1 [√J]", "√m_2 v_2 [√J]").equal().sized(460.0, 460.0);
    panel = panel.within([-reach, reach], [-reach, reach]);
    panel.area("T, the compatible velocities", Tone::Blue, 0.15, cut(&square(2.0 * reach), n, 0.0));
    let wall = turned(n);
    let ends = [-2.0 * reach, 2.0 * reach].map(|s| along([0.0; 2], s, wall));
    panel.line("boundary of T", Tone::Blue, Stroke::Solid, ends.to_vec());
    panel.line("equal kinetic energy", Tone::Muted, Stroke::Dotted, circle(length(before)));
    let ray = vec![before, along(before, 4.0 * reach, n)];
    panel.line("u^− + ∇g Λ, Λ ≥ 0", Tone::Amber, Stroke::Dashed, ray);
    panel.arrow("∇g, direction", Tone::Ink, vec![[0.0; 2], along([0.0; 2], 1.2, n)]);
    panel.label("∇g", Tone::Ink, along([0.0; 2], 1.2, n));
    panel.arrow("u before", Tone::Ink, vec![[0.0; 2], before]);
    panel.point("u^−", Tone::Ink, Shape::Disc, before);
    let mut figure = Figure::new(
        "One contact: reflection and projection",
        "Velocities of two masses, m = 1, 2 kg, that approach with v = 3, −1 m/s, in the plane in which a squared length is twice the kinetic energy. \
         The impact moves u along ∇g; without gain of energy it ends inside the circle, without penetration inside T. ε = 0 \
         is the projection on the boundary of T, ε = 1 the reflection. The cross is −u^−.",
    );
    for (e, name) in [(0.0, "ε = 0"), (0.5, "ε = 1/2"), (1.0, "ε = 1")] {
        let u = after(e)?;
        panel.point(name, Tone::Green, Shape::Square, u);
        let v = collide("newton", &MASS, &BEFORE, &[e])?;
        figure.fact(&format!("v_1, {name}"), v[0], "m/s");
        figure.fact(&format!("v_2, {name}"), v[1], "m/s");
        figure.fact(&format!("T, {name}"), 0.5 * dot(u, u), "J");
    }
    let opposite = before.map(|x| -x);
    panel.dots("−u^−, as Eq. (38) prints", Tone::Red, Shape::Cross, vec![opposite]);
    let off = dot(turned(n), [opposite[0] - before[0], opposite[1] - before[1]]).abs();
    figure.fact("distance of −u⁻ from the half-line", off, "√J");
    figure.fact("T before", 0.5 * dot(before, before), "J");
    Ok(Drawn::Figure(figure.with(panel)))
}

/// A point of a sheet, `s` across its edge and `t` along it, folded down by an angle behind the edge, in perspective.
fn folded([s, t]: [f64; 2], fold: f64) -> [f64; 2] {
    let [x, z] = if s < 0.0 { [s, 0.0] } else { [s * libm::cos(fold), -s * libm::sin(fold)] };
    [x + 0.45 * t, z + 0.3 * t]
}

pub(super) fn fig_6() -> Result<Drawn, PlotError> {
    let (n, before, after) = (normal(), place(&BEFORE), after(1.0)?);
    let wall = turned(n);
    // Across the edge and along it; across is towards the edge before and away from it after.
    let [across, on] = [dot(before, n), dot(before, wall)];
    let [back, still] = [dot(after, n), dot(after, wall)];
    let slope = on / across.abs();
    let fold = std::f64::consts::FRAC_PI_3;
    let mut sheet =
        Panel::new("", "").titled("a sheet folded by 60°").equal().unframed().sized(330.0, 320.0);
    let half = |from: f64, to: f64| {
        [[from, -1.0], [to, -1.0], [to, 1.0], [from, 1.0]].map(|p| folded(p, fold)).to_vec()
    };
    sheet.area("sheet before the edge", Tone::Blue, 0.2, half(-1.0, -f64::MIN_POSITIVE));
    sheet.area("sheet behind the edge", Tone::Sky, 0.4, half(0.0, 1.0));
    sheet.guide(
        "edge",
        Tone::Ink,
        Stroke::Solid,
        [[0.0, -1.0], [0.0, 1.0]].map(|p| folded(p, fold)).to_vec(),
    );
    let path = [-0.9, -f64::MIN_POSITIVE, 0.0, 0.9].map(|s| folded([s, s * slope], fold));
    sheet.arrow("path on the sheet", Tone::Red, path.to_vec());
    let mut plane = Panel::new("√m_1 x_1 [√kg·m]", "√m_2 x_2 [√kg·m]")
        .titled("folded by 180°: an elastic impact")
        .equal();
    plane = plane.within([-1.6, 1.6], [-1.6, 1.6]).sized(330.0, 320.0);
    plane.area("admissible: x_2 ≥ x_1", Tone::Blue, 0.15, cut(&square(4.0), n, 0.0));
    let edge = [-4.0, 4.0].map(|s| along([0.0; 2], s, wall));
    plane.guide("edge", Tone::Ink, Stroke::Solid, edge.to_vec());
    let scale = 1.35 / length(before);
    let [from, to] = [along([0.0; 2], -scale, before), along([0.0; 2], scale, after)];
    plane.arrow("before", Tone::Red, vec![from, [0.0; 2]]);
    plane.arrow("after", Tone::Red, vec![[0.0; 2], to]);
    let straight = along([0.0; 2], scale, before);
    plane.line("unfolded", Tone::Muted, Stroke::Dashed, vec![[0.0; 2], straight]);
    plane.label("before", Tone::Red, along([0.0; 2], 0.6, from));
    plane.label("after", Tone::Red, along([0.0; 2], 0.6, to));
    let mut figure = Figure::new(
        "A straight path over a sharp edge",
        "Left: a path that is straight on a sheet stays so over a fold of any angle. Right: folded back by 180° the sheet is \
         the configuration of two masses, m = 1, 2 kg, that collide with v = 3, −1 m/s and ε = 1; the straight path, folded, \
         is the reflected one, at the same angle to the edge on both sides.",
    )
    .with(sheet)
    .with(plane);
    let degrees = |on: f64, off: f64| libm::atan2(off.abs(), on.abs()).to_degrees();
    figure.fact("angle to the edge before", degrees(on, across), "°");
    figure.fact("angle to the edge after", degrees(still, back), "°");
    figure.fact("speed along the edge before", on, "√J");
    figure.fact("speed along the edge after", still, "√J");
    figure.fact("speed across the edge before", across, "√J");
    figure.fact("speed across the edge after", back, "√J");
    Ok(Drawn::Figure(figure))
}
