//! Fig. 12: the same law, seen at each contact.

use super::several::RockingRod;
use crate::papers::Drawn;
use crate::{Figure, Panel, PlotError, Shape, Stroke, Tone};

const E: f64 = 0.5;

pub(super) fn fig_12() -> Result<Drawn, PlotError> {
    let mut panel = Panel::new("γ^+ + ε γ^− [m/s]", "Λ [N·s]").within([-0.1, 1.0], [-0.2, 2.0]);
    panel = panel.sized(430.0, 330.0);
    panel.line(
        "what the law allows",
        Tone::Blue,
        Stroke::Bold,
        vec![[0.0, 2.0], [0.0, 0.0], [1.0, 0.0]],
    );
    let mut figure = Figure::new(
        "The law at each contact",
        "A contact that takes an impulse Λ > 0 has γ^+ = −ε γ^−; one that takes none may separate faster. Points: both supports of a rod \
         (1 kg, I = 1/3 kg·m²) that turns about support 1 and strikes support 2 at 2 m/s, ε = 1/2; supports 1 m to both sides of \
         its middle (both push) or 0.5 m (it rocks: support 1 opens).",
    );
    for (arm, tone, shape) in [(1.0, Tone::Green, Shape::Square), (0.5, Tone::Red, Shape::Disc)] {
        let rebound = RockingRod::new(arm).after(E)?;
        let [before, after] = &rebound.gap_rates;
        let name = format!("supports at ±{arm} m");
        let points: Vec<[f64; 2]> =
            (0..2).map(|k| [after[k] + E * before[k], rebound.impulse[k]]).collect();
        for (k, [x, y]) in points.iter().enumerate() {
            panel.label(&format!("support {}", k + 1), tone, [*x, *y]);
            figure.fact(&format!("γ⁺ + ε γ⁻ at support {}, {name}", k + 1), *x, "m/s");
            figure.fact(&format!("Λ at support {}, {name}", k + 1), *y, "N·s");
        }
        panel.dots(&name, tone, shape, points);
    }
    Ok(Drawn::Figure(figure.with(panel)))
}
