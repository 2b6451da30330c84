//! Fig. 3: how to find by ruler where Routh's, Smith's and Whittaker's laws end.

use super::situation::{GENERIC, Situation, fact};
use crate::PlotError;
use crate::draw::{Figure, Panel, Shape, Stroke, Tone};
use crate::papers::Drawn;
use carom::region::{FigureLine, FigurePoint};

/// Restitution of the ends that are marked.
const E: f64 = 0.7;
/// Steps of Smith's curve.
const STEPS: usize = 120;

/// Low friction, so that slip reverses as in the paper's drawing.
const GENERIC_REVERSAL: Situation = Situation { w: GENERIC, u: [-1.0, -1.0], mu: 0.3 };

/// The construction of the plane, and the three laws in it.
pub(super) fn figure_3() -> Result<Drawn, PlotError> {
    let mut figure = Figure::new(
        "Finding by ruler where laws end",
        &format!(
            "Fig. 3 of Chatterjee and Ruina, for {}; ends are marked for e = {E}. (a) A, B: vertical tangents of the ellipse; \
             C, D: horizontal ones; EF through 2P_I is the line e = 1. (b) Routh: up the friction line to the line of \
             sticking, then along it or, as here, back along the other slope; Poisson's restitution ends at 1 + e times the \
             normal impulse on the line of maximum compression. (c) Smith: leaves the friction line smoothly and meets the \
             normal axis on the line of reversed slip (dashed, through F along CD). (d) Whittaker: the line of the given e \
             meets the line of sticking, or the friction line if that is nearer.",
            GENERIC_REVERSAL.words()
        ),
    );
    let panels =
        [plane(&mut figure)?, routh(&mut figure)?, smith(&mut figure)?, whittaker(&mut figure)?];
    figure.panels.extend(panels);
    Ok(Drawn::Figure(figure))
}

fn panel(title: &str) -> Result<Panel, PlotError> {
    Ok(GENERIC_REVERSAL.panel([-1.5, 1.9], [-0.8, 3.7], 330.0)?.titled(title))
}

fn plane(figure: &mut Figure) -> Result<Panel, PlotError> {
    let mut panel = panel("(a) the plane")?;
    GENERIC_REVERSAL.shade(&mut panel)?;
    let elastic = GENERIC_REVERSAL.line(FigureLine::ConstantRestitution { e: 1.0 })?;
    panel.line("e = 1", Tone::Green, Stroke::Dashed, elastic);
    for (point, name) in [
        (FigurePoint::O, "O"),
        (FigurePoint::A, "A"),
        (FigurePoint::B, "B"),
        (FigurePoint::C, "C"),
        (FigurePoint::D, "D"),
        (FigurePoint::E, "E"),
        (FigurePoint::F, "F"),
    ] {
        GENERIC_REVERSAL.mark(&mut panel, figure, point, name)?;
    }
    Ok(panel)
}

/// The path by straight lines, against which carom's own answers are marked.
fn routh(figure: &mut Figure) -> Result<Panel, PlotError> {
    let mut panel = panel("(b) Routh")?;
    let Situation { w, u, mu } = GENERIC_REVERSAL;
    // Slip −1: p = (mu, 1) p_n until u_t = 0.
    let kink = -u[1] / (w[1][0] + mu * w[1][1]);
    let kink = [mu * kink, kink];
    // Then slip +1: the normal velocity grows with W_nn − mu W_nt.
    let u_n = u[0] + w[0][0] * kink[1] + w[0][1] * kink[0];
    let rest = -u_n / (w[0][0] - mu * w[0][1]);
    let compressed = [kink[0] - mu * rest, kink[1] + rest];
    let at = |n: f64| [kink[0] - mu * (n - kink[1]), n];
    let elastic = at(2.0 * compressed[1]);
    panel.line("path of the law", Tone::Blue, Stroke::Bold, vec![[0.0, 0.0], kink, elastic]);
    panel.point("kink", Tone::Ink, Shape::Ring, kink);
    panel.point("most compressed", Tone::Ink, Shape::Ring, compressed);
    fact(figure, "Routh kink", kink);
    fact(figure, "Routh most compressed", compressed);
    let end = GENERIC_REVERSAL.impulse("routh-poisson", E, 0.0)?;
    panel.point(&format!("e = {E}"), Tone::Red, Shape::Disc, end);
    fact(figure, "Routh end", end);
    let ruled = at((1.0 + E) * compressed[1]);
    figure.fact("Routh ruler to law", libm::hypot(end[0] - ruled[0], end[1] - ruled[1]), "N·s");
    Ok(panel)
}

fn smith(figure: &mut Figure) -> Result<Panel, PlotError> {
    let mut panel = panel("(c) Smith")?;
    let Situation { w, u, mu } = GENERIC_REVERSAL;
    let reversed = GENERIC_REVERSAL.line(FigureLine::TangentialReversal { e_t: 1.0 })?;
    panel.line("slip reversed", Tone::Purple, Stroke::Dashed, reversed);
    // [ChatterjeeRuina1998] Eq. (8) by the slip v after the impact: the mean slip w̄ gives p_t = −mu w̄ p_n.
    let at = |v: f64| {
        let mean = (u[1] * u[1].abs() + v * v.abs()) / (u[1] * u[1] + v * v);
        let n = (v - u[1]) / (w[1][0] - mu * w[1][1] * mean);
        [-mu * mean * n, n]
    };
    let path = (0..=STEPS).map(|k| at(u[1] - 2.0 * u[1] * k as f64 / STEPS as f64)).collect();
    panel.line("path of the law", Tone::Blue, Stroke::Bold, path);
    let axis = at(-u[1]);
    panel.point("slip reversed", Tone::Ink, Shape::Ring, axis);
    fact(figure, "Smith meets the normal axis", axis);
    let end = GENERIC_REVERSAL.impulse("smith", E, 0.0)?;
    panel.point(&format!("e = {E}"), Tone::Red, Shape::Disc, end);
    fact(figure, "Smith end", end);
    Ok(panel)
}

fn whittaker(figure: &mut Figure) -> Result<Panel, PlotError> {
    let mut panel = panel("(d) Whittaker")?;
    let restitution = GENERIC_REVERSAL.line(FigureLine::ConstantRestitution { e: E })?;
    panel.line(&format!("e = {E}"), Tone::Green, Stroke::Dotted, restitution);
    let path = GENERIC_REVERSAL.curve("whittaker", 0.0)?;
    panel.line("path of the law", Tone::Blue, Stroke::Bold, path);
    for e in [0.0, 1.0] {
        let end = GENERIC_REVERSAL.impulse("whittaker", e, 0.0)?;
        fact(figure, &format!("Whittaker e = {e}"), end);
    }
    let end = GENERIC_REVERSAL.impulse("whittaker", E, 0.0)?;
    panel.point(&format!("e = {E}"), Tone::Red, Shape::Disc, end);
    fact(figure, "Whittaker end", end);
    Ok(panel)
}
