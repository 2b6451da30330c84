//! Figs. 8, 9 and 10: Example 1, a brick that strikes with one corner.

use super::examples::{
    FRICTIONS, SMOOTHED, Station, TRANSITION, compliant, example_1, passes, plus, slip,
};
use crate::papers::Drawn;
use crate::papers::outline::circle;
use crate::{Figure, Panel, PlotError, Shape, Stroke, Tone};
use carom::outcome::ContactMode;
use carom_sim::compliant::Moment;

/// Modulus \[Pa\] and dissipation [s/m] of the compliant contact.
const MODULUS: f64 = 1e10;
const DISSIPATION: f64 = 0.26;
/// Largest change of direction \[rad\].
const THETA: f64 = 0.01;
/// A much smaller one \[rad\].
const FINE: f64 = 1e-4;

const PARAMETERS: &str = "Example 1: a brick of 2 kg, 0.4 × 0.6 × 0.8 m, I = 0.167, 0.133, 0.0867 kg·m², turned by 45° about x and 30° about y, \
     strikes with one corner (sphere of 0.1 m) at v = −5, 0, −5.74 m/s. Solid: compliant contact, E = 10 GPa, c = 0.26 s/m, friction \
     smoothed below 0.01 m/s. Dashed: PLUS,";

/// Slip during the compliant collision.
fn hodograph(history: &[Moment]) -> Vec<[f64; 2]> {
    history.iter().map(|m| [m.contacts[0].velocity[1], m.contacts[0].velocity[2]]).collect()
}

/// Slip at the ends of the intervals.
fn path(stations: &[Station]) -> Vec<[f64; 2]> {
    let start = stations.first().map(|s| [s.from[1], s.from[2]]);
    start.into_iter().chain(stations.iter().map(|s| [s.velocity[1], s.velocity[2]])).collect()
}

/// The last interval before the corner rolls; absent where it never does.
fn before_rolling(stations: &[Station]) -> Option<&Station> {
    let rolls = stations.iter().position(|s| s.mode == ContactMode::Rolling)?;
    stations[..rolls].last()
}

pub(super) fn fig_8() -> Result<Drawn, PlotError> {
    let mut wide = Panel::new("v_x [m/s]", "v_y [m/s]").titled("slip of the corner").equal();
    wide = wide.within([-5.4, 0.6], [-0.5, 3.9]).sized(460.0, 340.0);
    let mut near =
        Panel::new("v_x [m/s]", "v_y [m/s]").titled("near its end").equal().sized(300.0, 340.0);
    near = near.within([-0.35, 0.2], [-0.2, 0.42]);
    let mut figure = Figure::new(
        "Slip during the impact of a corner",
        &format!(
            "{PARAMETERS} θ_{{max}} = 0.01 rad, v_{{transition}} = 0.1 m/s (circle), e_{{min}} = 0.392, 0.387, 0.373. With μ = 0.125 \
             the corner slides throughout, with 0.225 it begins to roll in expansion, with 0.325 in compression, where the path \
             touches the circle."
        ),
    );
    let tones = [Tone::Green, Tone::Purple, Tone::Blue];
    for (friction, tone) in FRICTIONS.into_iter().zip(tones) {
        let bodies = example_1(friction)?;
        let stations = plus(bodies.problem(), THETA, 0)?;
        let soft = compliant(&bodies, MODULUS, DISSIPATION)?;
        let mu = friction.0;
        for panel in [&mut wide, &mut near] {
            panel.line(
                &format!("compliant, μ = {mu}"),
                tone,
                Stroke::Solid,
                hodograph(&soft.history),
            );
            panel.line(&format!("PLUS, μ = {mu}"), tone, Stroke::Dashed, path(&stations));
        }
        if let Some(last) = stations.last() {
            for (name, v) in
                [("v_z", last.velocity[0]), ("v_x", last.velocity[1]), ("v_y", last.velocity[2])]
            {
                figure.fact(&format!("{name} after, μ = {mu}"), v, "m/s");
            }
        }
        let [n, x, y] = [0, 1, 2].map(|i| soft.contact_velocity[i]);
        for (name, v) in [("v_z", n), ("v_x", x), ("v_y", y)] {
            figure.fact(&format!("{name} after, compliant, μ = {mu}"), v, "m/s");
        }
        if let Some(stop) = before_rolling(&stations) {
            let at = [stop.velocity[1], stop.velocity[2]];
            let along = [at[0] - stop.from[1], at[1] - stop.from[2]];
            let cross = at[0] * along[1] - at[1] * along[0];
            let dot = at[0] * along[0] + at[1] * along[1];
            near.dots("PLUS begins to roll", Tone::Red, Shape::Triangle, vec![at]);
            figure.fact(
                &format!("slip where PLUS begins to roll, μ = {mu}"),
                slip(stop.velocity),
                "m/s",
            );
            figure.fact(
                &format!("angle of the path to the radius there, μ = {mu}"),
                libm::atan2(cross.abs(), dot).to_degrees(),
                "°",
            );
            figure.fact(
                &format!("round in which PLUS begins to roll, μ = {mu}"),
                (stop.round + 1) as f64,
                "1",
            );
        }
        figure.fact(&format!("intervals, μ = {mu}"), stations.len() as f64, "1");
    }
    // The shorter the intervals, the closer to the circle the path touches it.
    let fine = plus(example_1(FRICTIONS[2])?.problem(), FINE, 0)?;
    if let Some(stop) = before_rolling(&fine) {
        let name = format!("slip where PLUS begins to roll, μ = 0.325, θ_max = {FINE} rad");
        figure.fact(&name, slip(stop.velocity), "m/s");
    }
    for panel in [&mut wide, &mut near] {
        panel.line("v_{transition}", Tone::Ink, Stroke::Thin, circle([0.0; 2], TRANSITION));
    }
    wide.label("start", Tone::Ink, [-5.0, 0.0]);
    Ok(Drawn::Figure(figure.with(wide).with(near)))
}

pub(super) fn fig_9() -> Result<Drawn, PlotError> {
    let mut figure = Figure::new(
        "Impulses during the impact of a corner",
        &format!(
            "{PARAMETERS} θ_{{max}} = 0.01 rad, v_{{transition}} = 0.1 m/s, e_{{min}} = 0.392, 0.387, 0.373. Tangential impulses against \
             the normal one. The corner slides throughout (a), begins to roll in expansion (b), in compression (c)."
        ),
    )
    .in_columns(3);
    for ((mu, minimum), letter) in FRICTIONS.into_iter().zip(["a", "b", "c"]) {
        let bodies = example_1((mu, minimum))?;
        let stations = plus(bodies.problem(), THETA, 0)?;
        let soft = compliant(&bodies, MODULUS, DISSIPATION)?;
        let mut panel =
            Panel::new("π_z [N·s]", "π_x, π_y [N·s]").titled(&format!("({letter}) μ = {mu}"));
        panel = panel.within([0.0, 17.5], [-2.8, 2.2]).sized(280.0, 300.0);
        let compression = stations.iter().rfind(|s| s.round == 0).map(|s| s.impulse);
        let rolls = before_rolling(&stations).map(|s| s.impulse);
        let soft_compression = passes(&soft.history, 0, |v| v[0]);
        let soft_rolls = passes(&soft.history, 0, |v| SMOOTHED - slip(v));
        let axes = [("π_x", 1, Tone::Blue), ("π_y", 2, Tone::Red)];
        for (name, i, tone) in axes {
            let line = soft.history.iter().map(|m| m.contacts[0].impulse);
            panel.line(
                &format!("{name}, compliant"),
                tone,
                Stroke::Solid,
                line.map(|p| [p[0], p[i]]).collect(),
            );
            let line = [[0.0; 3]].into_iter().chain(stations.iter().map(|s| s.impulse));
            panel.line(
                &format!("{name}, PLUS"),
                tone,
                Stroke::Dashed,
                line.map(|p| [p[0], p[i]]).collect(),
            );
        }
        for (name, shape, tone, points) in [
            ("end of compression", Shape::Diamond, Tone::Ink, [soft_compression, compression]),
            ("begins to roll", Shape::Triangle, Tone::Amber, [soft_rolls, rolls]),
        ] {
            let places =
                points.into_iter().flatten().flat_map(|p| axes.map(|(_, i, _)| [p[0], p[i]]));
            panel.dots(name, tone, shape, places.collect());
        }
        let total = stations.last().map_or([0.0; 3], |s| s.impulse);
        let soft_total = [0, 1, 2].map(|i| soft.impulse[i]);
        for (name, shape, p) in
            [("total, compliant", Shape::Disc, soft_total), ("total, PLUS", Shape::Square, total)]
        {
            panel.dots(name, Tone::Green, shape, axes.map(|(_, i, _)| [p[0], p[i]]).to_vec());
        }
        for (what, p) in [
            ("total", total),
            ("compression", compression.unwrap_or_default()),
            ("total, compliant", soft_total),
        ] {
            for (name, x) in ["π_z", "π_x", "π_y"].into_iter().zip(p) {
                figure.fact(&format!("{name}, {what}, μ = {mu}"), x, "N·s");
            }
        }
        figure = figure.with(panel);
    }
    Ok(Drawn::Figure(figure))
}

pub(super) fn fig_10() -> Result<Drawn, PlotError> {
    let friction = FRICTIONS[2];
    let bodies = example_1(friction)?;
    let soft = compliant(&bodies, MODULUS, DISSIPATION)?;
    let mut panel = Panel::new("v_x [m/s]", "v_y [m/s]").equal().sized(740.0, 220.0);
    panel = panel.within([-5.3, 0.5], [-0.25, 1.45]);
    panel.line("compliant", Tone::Ink, Stroke::Solid, hodograph(&soft.history));
    let mut figure = Figure::new(
        "Fewer intervals",
        &format!(
            "{PARAMETERS} v_{{transition}} = 0.1 m/s (circle), e_{{min}} = 0.373; μ = 0.325. Signs mark the ends of the intervals of the \
             two coarser runs. Each interval keeps the direction of friction, so fewer of them stray further from the path, and \
             still end the same."
        ),
    );
    for (theta, tone, stroke, shape) in [
        (0.01, Tone::Blue, Stroke::Dashed, None),
        (0.15, Tone::Red, Stroke::DashDot, Some(Shape::Disc)),
        (0.25, Tone::Green, Stroke::Dotted, Some(Shape::Triangle)),
    ] {
        let stations = plus(bodies.problem(), theta, 0)?;
        let points = path(&stations);
        let name = format!("θ_{{max}} = {theta} rad, {} intervals", stations.len());
        if let Some(shape) = shape {
            panel.dots("", tone, shape, points.clone());
        }
        panel.line(&name, tone, stroke, points);
        figure.fact(&format!("intervals, θ_max = {theta} rad"), stations.len() as f64, "1");
        if let Some(last) = stations.last() {
            figure.fact(&format!("v_z after, θ_max = {theta} rad"), last.velocity[0], "m/s");
        }
    }
    panel.line("v_{transition}", Tone::Ink, Stroke::Thin, circle([0.0; 2], TRANSITION));
    panel.label("start", Tone::Ink, [-5.0, 0.0]);
    Ok(Drawn::Figure(figure.with(panel)))
}
