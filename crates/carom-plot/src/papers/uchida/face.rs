//! Figs. 12 and 13: Example 2, a brick that lands flat on four spheres and slides.

use super::examples::{SMOOTHED, compliant, example_2, passes, plus, slip};
use crate::papers::Drawn;
use crate::{Figure, Panel, PlotError, Shape, Stroke, Tone};
use carom::outcome::ContactMode;
use carom_sim::compliant::Moment;

const MODULUS: f64 = 1e10;
const DISSIPATION: f64 = 0.15;

const PARAMETERS: &str = "Example 2: a brick of 2 kg lands flat on four spheres of 0.1 m, 0.8 m apart along x and 0.6 m along y, at v = −2, 0, −8.84 \
     m/s, μ = 0.2. Compliant: E = 10 GPa, c = 0.15 s/m, friction smoothed below 0.01 m/s.";

/// Title, name, a contact of the pair.
const SIDES: [(&str, &str, usize); 2] = [
    ("(a) left: the leading points", "leading", 1),
    ("(b) right: the trailing points", "trailing", 0),
];

pub(super) fn fig_12() -> Result<Drawn, PlotError> {
    let bodies = example_2()?;
    let soft = compliant(&bodies, MODULUS, DISSIPATION)?;
    let mut figure = Figure::new(
        "Impulses of four contacts in unison",
        &format!(
            "{PARAMETERS} PLUS: e_{{min}} = 0.414, v_{{transition}} = 0.1 m/s. Tangential against normal impulse of one point of each pair; \
             all four begin to roll together, PLUS in expansion, compliant contacts at the end of compression. The paper does not say how the \
             brick lies; its right side is taken to \
             trail."
        ),
    );
    for (title, name, contact) in SIDES {
        let stations = plus(bodies.problem(), 0.1, contact)?;
        let mut panel = Panel::new("π_z [N·s]", "π_x [N·s]").titled(title).sized(320.0, 280.0);
        panel = panel.within([0.0, 8.0], [0.0, 1.5]);
        let line = soft.history.iter().map(|m| m.contacts[contact].impulse);
        panel.line("compliant", Tone::Blue, Stroke::Solid, line.map(|p| [p[0], p[1]]).collect());
        let line = [[0.0; 3]].into_iter().chain(stations.iter().map(|s| s.impulse));
        panel.line("PLUS", Tone::Red, Stroke::Dashed, line.map(|p| [p[0], p[1]]).collect());
        let compression = stations.iter().rfind(|s| s.round == 0).map(|s| s.impulse);
        let rolls = stations.iter().position(|s| s.mode == ContactMode::Rolling);
        let stop = rolls.and_then(|k| stations[..k].last());
        let soft_compression = passes(&soft.history, contact, |v| v[0]);
        let soft_rolls = passes(&soft.history, contact, |v| SMOOTHED - slip(v));
        for (name, shape, tone, points) in [
            ("end of compression", Shape::Diamond, Tone::Ink, [soft_compression, compression]),
            ("begins to roll", Shape::Triangle, Tone::Amber, [soft_rolls, stop.map(|s| s.impulse)]),
        ] {
            let places = points.into_iter().flatten().map(|p| [p[0], p[1]]);
            panel.dots(name, tone, shape, places.collect());
        }
        let total = stations.last().map_or([0.0; 3], |s| s.impulse);
        let soft_total = [0, 1, 2].map(|i| soft.impulse[3 * contact + i]);
        panel.dots(
            "total, compliant",
            Tone::Green,
            Shape::Disc,
            vec![[soft_total[0], soft_total[1]]],
        );
        panel.dots("total, PLUS", Tone::Green, Shape::Square, vec![[total[0], total[1]]]);
        for (what, p) in [
            ("total", total),
            ("compression", compression.unwrap_or_default()),
            ("total, compliant", soft_total),
        ] {
            figure.fact(&format!("π_z, {what}, {name}"), p[0], "N·s");
            figure.fact(&format!("π_x, {what}, {name}"), p[1], "N·s");
        }
        if let (Some(stop), Some(last)) = (stop, stations.last()) {
            figure.fact(&format!("part of the expansion until it rolls, {name}"), stop.step, "1");
            figure.fact(&format!("v_z after, {name}"), last.velocity[0], "m/s");
        }
        figure = figure.with(panel);
    }
    Ok(Drawn::Figure(figure))
}

pub(super) fn fig_13() -> Result<Drawn, PlotError> {
    let soft = compliant(&example_2()?, MODULUS, DISSIPATION)?;
    let mut panel = Panel::new("t [µs]", "penetration [µm]").sized(480.0, 320.0);
    let mut figure = Figure::new(
        "The brick turns while it is pressed",
        &format!(
            "{PARAMETERS} Friction turns the brick during the collision: the trailing points go deeper and stay longer than the \
             leading ones."
        ),
    );
    let styles = [(Tone::Blue, Stroke::Solid), (Tone::Red, Stroke::Dashed)];
    for ((_, name, contact), (tone, stroke)) in SIDES.into_iter().zip(styles) {
        let line =
            soft.history.iter().map(|m| [1e6 * m.time, 1e6 * m.contacts[contact].penetration]);
        let closed = line.filter(|[_, depth]| *depth >= -1e-6).collect();
        let side = if contact == 1 { "left, leading" } else { "right, trailing" };
        panel.line(side, tone, stroke, closed);
        figure.fact(
            &format!("deepest penetration, {name}"),
            1e6 * soft.contacts[contact].peak_penetration,
            "µm",
        );
        let peak = soft.contacts[contact].peak_penetration;
        if let Some(parted) = parting(&soft.history, contact, peak) {
            figure.fact(&format!("parts at, {name}"), 1e6 * parted, "µs");
        }
    }
    Ok(Drawn::Figure(figure.with(panel)))
}

/// When a contact opens \[s\].
fn parting(history: &[Moment], contact: usize, peak: f64) -> Option<f64> {
    // Parting is located to rounding; the depth there may still be positive.
    let rounding = 1e-9 * peak;
    history.windows(2).find_map(|pair| {
        let [a, b] = [0, 1].map(|k| pair[k].contacts[contact].penetration);
        let part = a / (a - b);
        (a > rounding && b <= rounding).then(|| pair[0].time + part * (pair[1].time - pair[0].time))
    })
}
