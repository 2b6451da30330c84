//! Fig. 2: restitution depends on the speed of approach.

use super::examples::curve;
use crate::papers::Drawn;
use crate::{Figure, Panel, PlotError, Stroke, Tone};

/// Points of a curve \[1\].
const POINTS: usize = 300;
/// Speeds shown [m/s].
const FASTEST: f64 = 0.15;

pub(super) fn fig_2() -> Result<Drawn, PlotError> {
    let mut panel =
        Panel::new("approach speed −v_z [m/s]", "e [1]").within([0.0, FASTEST], [0.0, 1.05]);
    panel = panel.sized(480.0, 320.0);
    let mut figure = Figure::new(
        "Restitution against the speed of approach",
        "e = 0 below v_{capture} = 0.01 m/s, then e = 1 − (1 − e_{min}) s/v_{plastic} up to v_{plastic} = 0.1 m/s, e_{min} above it; e_{min} \
         = 0.373 as in Example 1 with μ = 0.325 (Table A1), and e_{min} = 0.",
    );
    for (minimum, tone, stroke) in
        [(0.373, Tone::Blue, Stroke::Solid), (0.0, Tone::Red, Stroke::Dashed)]
    {
        let restitution = curve(minimum);
        let name = format!("e_{{min}} = {minimum}");
        let mut line = vec![[0.0, restitution.at(0.0)]];
        let mut last = 0.0;
        for k in 1..=POINTS {
            let speed = FASTEST * k as f64 / POINTS as f64;
            let e = restitution.at(speed);
            // The curve jumps at the speed of capture.
            if last == 0.0 && e > 0.1 {
                line.extend([[speed, 0.0], [f64::NAN; 2]]);
            }
            line.push([speed, e]);
            last = e;
        }
        panel.line(&name, tone, stroke, line);
        let name = name.replace(['{', '}'], "");
        for speed in [0.0099, 0.01, 0.05, 0.1, 1.0] {
            figure.fact(&format!("e at {speed} m/s, {name}"), restitution.at(speed), "1");
        }
    }
    for (speed, name) in [(0.01, "v_{capture}"), (0.1, "v_{plastic}")] {
        panel.guide(name, Tone::Muted, Stroke::Dotted, vec![[speed, 0.0], [speed, 1.05]]);
        panel.label(name, Tone::Ink, [speed, 0.12]);
    }
    Ok(Drawn::Figure(figure.with(panel)))
}
