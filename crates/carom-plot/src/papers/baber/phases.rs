//! Fig. 2: two compressions in one impact.

use crate::PlotError;
use crate::draw::{Figure, Panel, Shape, Stroke, Tone};
use crate::papers::Drawn;
use carom::outcome::TraceEvent;
use carom::{Contact, ContactVec, Delassus, Law, Material, Recorder, Tolerances};

/// The paper's K with the normal first [1/kg].
const W: [[f64; 3]; 3] = [[4.0, 4.0, -7.0], [4.0, 20.0, -23.0], [-7.0, -23.0, 31.0]];
/// `u⁻`, normal first [m/s].
const U: [f64; 3] = [-0.22, 630.0, -780.0];
const MU: f64 = 0.5;
const E: f64 = 0.9;

/// The normal velocity against the normal impulse.
pub(super) fn figure_2() -> Result<Drawn, PlotError> {
    let contact = Contact::new(Delassus::new(W)?, ContactVec::new(U), Material::new(MU, E)?)?;
    let mut path = Recorder::default();
    let law = Law::from_id("routh-stronge")?;
    let outcome = law.resolve_contact(&contact, &Tolerances::default(), &mut path)?;
    let mut figure = Figure::new(
        "Two compressions in one impact",
        &format!(
            "Fig. 2 of Baber: normal velocity against normal impulse for K = [20, −23, 4; −23, 31, −7; 4, −7, 4] 1/kg (normal last, \
             as in the paper), u = (630, −780, −0.22) m/s, mu = {MU}. The velocity changes its sign three times: compression, \
             restitution, compression, restitution. It ends here with Stronge's e = {E}; the right panel shows the part near zero."
        ),
    );
    let points: Vec<[f64; 2]> =
        path.samples.iter().map(|s| [s.impulse[0], s.velocity[0]]).collect();
    let roots: Vec<f64> = path
        .events
        .iter()
        .filter(|(event, _)| {
            matches!(event, TraceEvent::MaximumCompression | TraceEvent::Recompression)
        })
        .map(|(_, at)| at.impulse[0])
        .collect();
    for (k, root) in roots.iter().enumerate() {
        figure.fact(&format!("zero {}", k + 1), *root, "N·s");
    }
    let first = roots.first().copied().unwrap_or(0.0);
    if let Some([at, top]) = highest(&points, first, roots.get(1).copied().unwrap_or(first)) {
        figure.fact("local maximum at", at, "N·s");
        figure.fact("local maximum", top, "m/s");
    }
    for (name, x) in ["p_n", "p_{t1}", "p_{t2}"].into_iter().zip(outcome.impulse.components()) {
        figure.fact(&format!("end {name}"), x, "N·s");
    }
    for near in [false, true] {
        let mut panel = Panel::new("normal impulse p_n [N·s]", "normal velocity u_n [m/s]");
        panel.guide("", Tone::Muted, Stroke::Thin, vec![[0.0, 0.0], [62.0, 0.0]]);
        panel.line("normal velocity", Tone::Blue, Stroke::Bold, points.clone());
        if near {
            panel = panel.within([0.0, 62.0], [-0.5, 0.25]);
            for root in &roots {
                panel.dots("", Tone::Ink, Shape::Ring, vec![[*root, 0.0]]);
                panel.label(&format!("{root:.3}"), Tone::Ink, [*root, 0.0]);
            }
        } else if let Some(&end) = points.last() {
            panel.point("end", Tone::Red, Shape::Disc, end);
        }
        figure.panels.push(panel);
    }
    Ok(Drawn::Figure(figure))
}

/// The top of the parabola through the highest sample between two impulses and its neighbours.
fn highest(points: &[[f64; 2]], from: f64, to: f64) -> Option<[f64; 2]> {
    let inside = |k: &usize| points[*k][0] > from && points[*k][0] < to;
    let k = (1..points.len().checked_sub(1)?)
        .filter(inside)
        .max_by(|a, b| points[*a][1].total_cmp(&points[*b][1]))?;
    let [[x0, y0], [x1, y1], [x2, y2]] = [points[k - 1], points[k], points[k + 1]];
    // Newton's form: y = y0 + s (x − x0) + c (x − x0)(x − x1).
    let slope = (y1 - y0) / (x1 - x0);
    let curvature = ((y2 - y1) / (x2 - x1) - slope) / (x2 - x0);
    let x = 0.5 * (x0 + x1) - 0.5 * slope / curvature;
    Some([x, y0 + slope * (x - x0) + curvature * (x - x0) * (x - x1)])
}
