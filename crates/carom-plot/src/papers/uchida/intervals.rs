//! Figs. 3, 4 and 5: what an interval does, and what ends it.

use super::examples::{FRICTIONS, Station, TRANSITION, corner, example_1, plus, slip};
use crate::papers::Drawn;
use crate::papers::outline::{arc, circle};
use crate::{Figure, Panel, PlotError, Shape, Stroke, Tone};
use carom::outcome::{ContactMode, StepLimit};

/// Largest change of direction in these figures \[rad\].
const THETA: f64 = 0.25;
/// The paper's own, where the path passes beside zero \[rad\].
const FINE: f64 = 0.01;

fn tangential(v: [f64; 3]) -> [f64; 2] {
    [v[1], v[2]]
}

/// Where the slip would be if the interval went to the end of its round.
fn whole(station: &Station) -> [f64; 2] {
    let [from, to] = [station.from, station.velocity].map(tangential);
    [0, 1].map(|i| from[i] + (to[i] - from[i]) / station.step)
}

/// The angle between two vectors \[rad\].
fn angle(a: [f64; 2], b: [f64; 2]) -> f64 {
    libm::atan2(a[0] * b[1] - a[1] * b[0], a[0] * b[0] + a[1] * b[1]).abs()
}

fn missing() -> PlotError {
    PlotError::new("interval", "the law made no such interval".into())
}

fn plane(title: &str) -> Panel {
    Panel::new("v_x [m/s]", "v_y [m/s]").equal().titled(title).sized(330.0, 300.0)
}

pub(super) fn fig_3() -> Result<Drawn, PlotError> {
    let mut figure = Figure::new(
        "Which slip friction opposes",
        "Slip of the brick's corner (Example 1) over one interval of PLUS, drawn to its end. (a) v = −5, 0, −5.74 m/s, μ = 0.325: it \
         slides, and friction opposes the slip at the start. (b) v = 0.05, 0, −5.74 m/s, μ = 0.05: slower than v_{transition} = 0.1 \
         m/s (circle), friction cannot hold it, and opposes the slip at the end. The arrow of π_{xy} shows its direction only.",
    );
    let cases = [
        ("(a) sliding", [-5.0, 0.0, -5.74], FRICTIONS[2], ContactMode::Sliding, 2.0),
        ("(b) impending slip", [0.05, 0.0, -5.74], (0.05, 0.392), ContactMode::Impending, 0.8),
    ];
    for (title, velocity, friction, mode, arrow) in cases {
        let bodies = corner(velocity, friction)?;
        let stations = plus(bodies.problem(), THETA, 0)?;
        let station = stations.iter().find(|s| s.mode == mode).ok_or_else(missing)?;
        let (from, to) = (tangential(station.from), whole(station));
        let pushed = tangential(station.pushed);
        let long = libm::hypot(pushed[0], pushed[1]);
        let mut panel = plane(title);
        panel.line("v_{transition}", Tone::Muted, Stroke::Dotted, circle([0.0; 2], TRANSITION));
        panel.guide("path", Tone::Muted, Stroke::Dashed, vec![from, to]);
        panel.arrow("v at the start", Tone::Blue, vec![[0.0; 2], from]);
        panel.arrow("v at the end", Tone::Green, vec![[0.0; 2], to]);
        panel.arrow("π_xy, direction", Tone::Red, vec![[0.0; 2], pushed.map(|x| arrow * x / long)]);
        panel.label("start", Tone::Blue, from);
        panel.label("end", Tone::Green, to);
        panel.label("π_{xy}", Tone::Red, pushed.map(|x| arrow * x / long));
        let name = mode.name();
        figure.fact(
            &format!("angle of π_xy to the slip at the start, {name}"),
            angle(pushed, from).to_degrees(),
            "°",
        );
        figure.fact(
            &format!("angle of π_xy to the slip at the end, {name}"),
            angle(pushed, to).to_degrees(),
            "°",
        );
        figure.fact(&format!("‖π_xy‖/π_z, {name}"), long / station.pushed[0], "1");
        figure = figure.with(panel);
    }
    Ok(Drawn::Figure(figure))
}

pub(super) fn fig_4() -> Result<Drawn, PlotError> {
    let bodies = example_1(FRICTIONS[2])?;
    let stations = plus(bodies.problem(), FINE, 0)?;
    let stopped = |s: &&Station| s.limit == StepLimit::ClosestPoint;
    let station = stations.iter().find(stopped).ok_or_else(missing)?;
    let (from, to, at) = (tangential(station.from), whole(station), tangential(station.velocity));
    let d = [to[0] - from[0], to[1] - from[1]];
    let closest = -(from[0] * d[0] + from[1] * d[1]) / (d[0] * d[0] + d[1] * d[1]);
    let mut figure = Figure::new(
        "Slip that passes close to zero ends there",
        &format!(
            "Example 1, v = −5, 0, −5.74 m/s, μ = 0.325, θ_{{max}} = {FINE} rad: the last interval in which the corner slides. The path of the slip comes \
             closest to zero at P, inside the circle of v_{{transition}} = 0.1 m/s, after the part α_{{CP}} = {:.4} of the interval; \
             there the interval ends, and the corner rolls.",
            station.step
        ),
    );
    for (title, near) in [("the whole interval", false), ("near zero", true)] {
        let mut panel = plane(title);
        panel.area("rolling", Tone::Amber, 0.25, circle([0.0; 2], TRANSITION));
        panel.line(
            "‖v_{xy}‖ = v_{transition}",
            Tone::Amber,
            Stroke::Solid,
            circle([0.0; 2], TRANSITION),
        );
        panel.line("path of the slip over the interval", Tone::Blue, Stroke::Solid, vec![from, to]);
        if near {
            panel = panel.within([-0.3, 0.3], [-0.15, 0.4]);
            panel.guide("perpendicular", Tone::Muted, Stroke::Dashed, vec![[0.0; 2], at]);
            panel.point("P", Tone::Red, Shape::Square, at);
            panel.point("0", Tone::Ink, Shape::Cross, [0.0; 2]);
        } else {
            panel.point("start", Tone::Blue, Shape::Disc, from);
            panel.point("end", Tone::Blue, Shape::Ring, to);
        }
        figure = figure.with(panel);
    }
    figure.fact("α_CP, the step of the law", station.step, "1");
    figure.fact("α_CP by Eq. (2.13)", closest, "1");
    figure.fact("‖v_xy‖ at P", slip(station.velocity), "m/s");
    figure.fact("angle of the path to the radius at P", angle(at, d).to_degrees(), "°");
    Ok(Drawn::Figure(figure))
}

pub(super) fn fig_5() -> Result<Drawn, PlotError> {
    let bodies = example_1(FRICTIONS[2])?;
    let stations = plus(bodies.problem(), THETA, 0)?;
    let turned = |s: &&Station| s.limit == StepLimit::DirectionChange;
    let station = stations.iter().find(turned).ok_or_else(missing)?;
    let (from, to, at) = (tangential(station.from), whole(station), tangential(station.velocity));
    let mut panel = plane("").sized(480.0, 360.0);
    panel.line(
        "path of the slip over the whole interval",
        Tone::Blue,
        Stroke::Solid,
        vec![from, to],
    );
    panel.arrow("slip at the start", Tone::Ink, vec![[0.0; 2], from]);
    panel.arrow("slip turned by the largest angle", Tone::Red, vec![[0.0; 2], at]);
    let direction = |z: [f64; 2]| libm::atan2(z[1], z[0]).rem_euclid(2.0 * std::f64::consts::PI);
    panel.guide(
        "θ_max",
        Tone::Red,
        Stroke::Dotted,
        arc([0.0; 2], 2.4, [direction(from), direction(at)], 24),
    );
    let middle = 0.5 * (direction(from) + direction(at));
    panel.word("θ_{max}", Tone::Red, [2.9 * libm::cos(middle), 2.9 * libm::sin(middle)]);
    panel.point("start", Tone::Blue, Shape::Disc, from);
    panel.point("end", Tone::Blue, Shape::Ring, to);
    panel.point("α_{DC}", Tone::Red, Shape::Square, at);
    panel.point("0", Tone::Ink, Shape::Cross, [0.0; 2]);
    let mut figure = Figure::new(
        "Slip that turns ends the interval",
        &format!(
            "Example 1, v = −5, 0, −5.74 m/s, μ = 0.325, θ_{{max}} = 0.25 rad: the first interval. Friction keeps the direction it has at the start, so the \
             slip moves on a straight line; after the part α_{{DC}} = {:.4} of it the slip has turned by θ_{{max}}, and friction is \
             given its new direction.",
            station.step
        ),
    );
    figure.fact("α_DC, the step of the law", station.step, "1");
    figure.fact("angle turned", angle(from, at), "rad");
    let [a, d] = [from, [to[0] - from[0], to[1] - from[1]]];
    // Both roots of Eq. (2.14): L sin θ / (± |a × d|/L cos θ − (a·d)/L sin θ).
    let long = libm::hypot(a[0], a[1]);
    let (cross, dot) =
        ((a[0] * d[1] - a[1] * d[0]).abs() / long, (a[0] * d[0] + a[1] * d[1]) / long);
    let (sin, cos) = (libm::sin(THETA), libm::cos(THETA));
    figure.fact("first root of Eq. (2.14)", long * sin / (cross * cos - dot * sin), "1");
    figure.fact("second root of Eq. (2.14)", long * sin / (-cross * cos - dot * sin), "1");
    Ok(Drawn::Figure(figure.with(panel)))
}
