//! Fig. 8: a pendulum strikes a wall, as the limit of one end that is ever heavier.

use super::situation::{Situation, fact};
use crate::PlotError;
use crate::draw::{Figure, Panel, Shape, Stroke, Tone};
use crate::papers::Drawn;
use crate::words::short;
use carom::region::FigurePoint;

/// Restitutions of the ends that are marked.
const E: f64 = 0.7;
const E_T: f64 = 0.5;

/// `W`, the velocity of the tip, and friction, for an eigenvalue of M along the rod of 10³ and 10⁶ kg.
const HEAVY: [(f64, Situation); 2] = [
    (
        1e3,
        Situation {
            w: [
                [1.2401145575886103, -1.4767192256420114],
                [-1.4767192256420114, 1.7608854424118066],
            ],
            u: [-0.6427876096865394, 0.766044443118978],
            mu: 2.0,
        },
    ),
    (
        1e6,
        Situation {
            w: [
                [1.2395283203319947, -1.4772111371243286],
                [-1.4772111371243286, 1.7604726796880965],
            ],
            u: [-0.6427876096865394, 0.766044443118978],
            mu: 2.0,
        },
    ),
];

/// The pendulum, and impulse space in the limit.
pub(super) fn figure_8() -> Result<Drawn, PlotError> {
    let (largest, limit) = HEAVY[1];
    let caption = format!(
        "Fig. 8 of Chatterjee and Ruina: a rod of 1 m and 1 kg at 40° strikes the floor at 1 m/s; its hinge is the limit of a heavy \
         end, here an eigenvalue of M of {} kg: {}. The ellipse has become two parallel lines. Shaded: what the new law can \
         give. Signs: e = {E}, e_t = {E_T}. Whittaker's law is far off the page: p_n = 264 N·s at 10^3 kg and 264043 N·s at \
         10^6 kg, with energy created. So is Routh's law with Stronge's restitution, which creates none.",
        short(largest),
        limit.words()
    );
    let mut figure = Figure::new("A pendulum strikes the floor", &caption);
    let mut panel = limit.panel([-0.8, 0.6], [-0.15, 1.15], 420.0)?.titled("(b) impulse space");
    let outline = limit.accessible()?;
    panel.area("chatterjee-ruina, all e and e_t", Tone::Sky, 0.35, outline.clone());
    let closed = outline.iter().chain(outline.first()).copied().collect();
    panel.guide("", Tone::Sky, Stroke::Solid, closed);
    for (law, tone, stroke) in
        [("routh-poisson", Tone::Blue, Stroke::Bold), ("smith", Tone::Green, Stroke::Bold)]
    {
        panel.line(&format!("{law}, e from 0 to 1"), tone, stroke, limit.curve(law, E_T)?);
    }
    for (point, name) in
        [(FigurePoint::O, "O"), (FigurePoint::PI, "P_I"), (FigurePoint::PII, "P_{II}")]
    {
        limit.mark(&mut panel, &mut figure, point, name)?;
    }
    for law in ["chatterjee-ruina", "routh-poisson", "smith"] {
        panel.point(law, Tone::Ink, Shape::Diamond, limit.impulse(law, E, E_T)?);
    }
    for (eigenvalue, situation) in HEAVY {
        for law in [
            "chatterjee-ruina",
            "routh-poisson",
            "routh-stronge",
            "whittaker",
            "smith",
            "anitescu-potra",
        ] {
            let at = situation.impulse(law, E, E_T)?;
            fact(&mut figure, &format!("{law} at {eigenvalue:.0e} kg"), at);
        }
    }
    figure.panels.extend([scene(), panel]);
    Ok(Drawn::Figure(figure))
}

/// The rod, its hinge, the floor.
fn scene() -> Panel {
    const ANGLE: f64 = 40.0 * core::f64::consts::PI / 180.0;
    let hinge = [libm::sin(ANGLE), libm::cos(ANGLE)];
    let mut panel = Panel::new("", "")
        .titled("(a) the pendulum")
        .unframed()
        .equal()
        .within([-0.75, 0.95], [-0.3, 1.1])
        .sized(340.0, 280.0);
    panel.area("", Tone::Muted, 0.35, vec![[-0.4, 0.0], [1.0, 0.0], [1.0, -0.06], [-0.4, -0.06]]);
    panel.guide("", Tone::Blue, Stroke::Bold, vec![[0.0, 0.0], hinge]);
    panel.point("hinge", Tone::Ink, Shape::Ring, hinge);
    let tip = [0.3 * libm::cos(ANGLE), -0.3 * libm::sin(ANGLE)];
    panel.arrow("", Tone::Red, vec![[-tip[0], -tip[1]], [-0.02 * tip[0], -0.02 * tip[1]]]);
    panel.word("velocity of the tip", Tone::Red, [-0.4, -tip[1] + 0.08]);
    panel.arrow("", Tone::Ink, vec![[0.0, 0.0], [0.0, 0.3]]);
    panel.label("n", Tone::Ink, [0.0, 0.3]);
    panel.arrow("", Tone::Ink, vec![[0.0, 0.0], [0.3, 0.0]]);
    panel.label("t", Tone::Ink, [0.3, 0.0]);
    panel
}
