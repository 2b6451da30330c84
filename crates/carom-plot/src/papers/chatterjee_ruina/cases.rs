//! Figs 4 to 7: where laws end in a generic collision, a central one, a grazing one, and one with infinite friction.

use super::situation::{GENERIC, Situation, fact};
use crate::PlotError;
use crate::draw::{Figure, Panel, Shape, Stroke, Tone};
use crate::papers::Drawn;
use crate::signs::alike;
use carom::region::FigurePoint;

/// Restitutions of the ends that are marked.
const E: f64 = 0.7;
const E_T: f64 = 0.5;

/// Laws whose ends are marked, and whether their curve for e from 0 to 1 is drawn.
const LAWS: [(&str, Option<(Tone, Stroke)>); 7] = [
    ("chatterjee-ruina", None),
    ("routh-poisson", Some((Tone::Blue, Stroke::Bold))),
    ("routh-stronge", None),
    ("whittaker", Some((Tone::Red, Stroke::Dashed))),
    ("smith", Some((Tone::Green, Stroke::Bold))),
    ("anitescu-potra", None),
    ("pfeiffer-glocker", None),
];

/// A panel with what the new law can reach shaded, curves of other laws, and the ends of all.
struct Case {
    situation: Situation,
    /// Before the names of its facts.
    name: &'static str,
    title: &'static str,
    across: [f64; 2],
    up: [f64; 2],
}

impl Case {
    fn panel(&self, figure: &mut Figure, width: f64) -> Result<Panel, PlotError> {
        let s = &self.situation;
        let mut panel = s.panel(self.across, self.up, width)?.titled(self.title);
        panel.area("chatterjee-ruina, all e and e_t", Tone::Sky, 0.35, s.accessible()?);
        let outline = s.accessible()?;
        let closed = outline.iter().chain(outline.first()).copied().collect();
        panel.guide("", Tone::Sky, Stroke::Solid, closed);
        for (law, drawn) in LAWS {
            if let Some((tone, stroke)) = drawn {
                panel.line(&format!("{law}, e from 0 to 1"), tone, stroke, s.curve(law, E_T)?);
            }
        }
        for (point, name) in
            [(FigurePoint::O, "O"), (FigurePoint::PI, "P_I"), (FigurePoint::PII, "P_{II}")]
        {
            if let Some(at) = s.point(point)? {
                panel.point(name, Tone::Ink, Shape::Ring, at);
                fact(figure, &format!("{}{name}", self.name), at);
            }
        }
        // Laws that end at the same point share a sign, which has all their numbers.
        let mut ends: Vec<([f64; 2], Vec<String>)> = Vec::new();
        for (k, (law, _)) in LAWS.iter().enumerate() {
            let end = s.impulse(law, E, E_T)?;
            fact(figure, &format!("{}{law}", self.name), end);
            let number = (k + 1).to_string();
            match ends.iter_mut().find(|(other, _)| alike(other, &end)) {
                Some((_, numbers)) => numbers.push(number),
                None => ends.push((end, vec![number])),
            }
        }
        for (end, numbers) in ends {
            let name = format!("ends of {}", numbers.join(", "));
            panel.numbered(&name, &numbers.join(", "), Tone::Ink, Shape::Diamond, end);
        }
        Ok(panel)
    }
}

fn drawn(title: &str, caption: &str, cases: &[Case]) -> Result<Drawn, PlotError> {
    let mut figure = Figure::new(title, caption).in_columns(cases.len().min(2));
    let width = if cases.len() == 1 { 480.0 } else { 400.0 };
    for case in cases {
        let panel = case.panel(&mut figure, width)?;
        figure.panels.push(panel);
    }
    for (k, (law, _)) in LAWS.iter().enumerate() {
        figure.explain(&(k + 1).to_string(), Tone::Ink, Shape::Diamond, law);
    }
    Ok(Drawn::Figure(figure))
}

/// A generic collision and its mirror image.
pub(super) fn figure_4() -> Result<Drawn, PlotError> {
    let [[k, c], [_, t]] = GENERIC;
    let toward = Situation { w: [[k, -c], [-c, t]], u: [-1.0, -1.0], mu: 0.6 };
    let away = Situation { w: GENERIC, u: [-1.0, -1.0], mu: 0.6 };
    let caption = format!(
        "Fig. 4 of Chatterjee and Ruina. Shaded: what the new law can give. Curves: other laws for e from 0 to 1; signs: e = \
         {E}, e_t = {E_T}. Left: {}. Right: with the other sign of the coupling.",
        toward.words()
    );
    let cases = [
        Case {
            situation: toward,
            name: "",
            title: "friction pushes into the contact",
            across: [-1.6, 4.6],
            up: [-0.8, 6.4],
        },
        Case {
            situation: away,
            name: "mirror ",
            title: "friction pushes out of it",
            across: [-1.6, 2.0],
            up: [-0.8, 3.4],
        },
    ];
    drawn("A generic collision", &caption, &cases)
}

/// A disk that stops sliding, and one that slips back.
pub(super) fn figure_5() -> Result<Drawn, PlotError> {
    let disk = |u_t: f64| Situation { w: [[1.0, 0.0], [0.0, 3.0]], u: [-1.0, u_t], mu: 0.5 };
    let caption = format!(
        "Fig. 5 of Chatterjee and Ruina, a disk. Shaded: what the new law, here the bilinear one, can give. Curves: other laws \
         for e from 0 to 1; signs: e = {E}, e_t = {E_T}. Left: {}. Right: half the slip.",
        disk(-1.0).words()
    );
    let cases = [
        Case {
            situation: disk(-1.0),
            name: "",
            title: "u_t = −1 m/s",
            across: [-0.6, 1.4],
            up: [-0.4, 2.4],
        },
        Case {
            situation: disk(-0.5),
            name: "slow ",
            title: "u_t = −0.5 m/s",
            across: [-0.8, 1.2],
            up: [-0.4, 2.4],
        },
    ];
    drawn("A collision with diagonal M", &caption, &cases)
}

/// Grazing incidence with friction that locks.
pub(super) fn figure_6() -> Result<Drawn, PlotError> {
    let situation = Situation { w: [[1.0, -1.2], [-1.2, 2.0]], u: [-1e-6, -1.0], mu: 1.2 };
    let caption = format!(
        "Fig. 6 of Chatterjee and Ruina: {}. What the new law can give has shrunk to a segment along the line of maximum \
         compression, from O over P_{{II}} to 2P_{{II}}. Routh's law and the laws with two phases rebound. Signs: e = {E}, \
         e_t = {E_T}.",
        situation.words()
    );
    let case = Case { situation, name: "", title: "", across: [-0.8, 4.6], up: [-0.6, 4.8] };
    drawn("A grazing collision", &caption, &[case])
}

/// Infinite friction, with the centre of the ellipse below the tangential axis and on it.
pub(super) fn figure_7() -> Result<Drawn, PlotError> {
    let below = Situation {
        w: [[5.263157894736842, 4.736842105263158], [4.736842105263158, 5.263157894736842]],
        u: [-1.0, -2.0],
        mu: f64::INFINITY,
    };
    let on = Situation {
        w: [[4.0 / 3.0, 2.0 / 3.0], [2.0 / 3.0, 4.0 / 3.0]],
        u: [-1.0, -2.0],
        mu: f64::INFINITY,
    };
    let caption = format!(
        "Fig. 7 of Chatterjee and Ruina: the friction lines are the tangential axis. Left: {}; P_{{II}} would have to pull, so \
         the contact cannot stick however rough it is. Right: M = [1, −0.5; −0.5, 1] kg; P_{{II}} lies on the axis and Routh's \
         law with Poisson's restitution ends there for every e. Signs: e = {E}, e_t = {E_T}.",
        below.words()
    );
    let cases = [
        Case {
            situation: below,
            name: "",
            title: "P_{II} below the axis",
            across: [-0.3, 2.5],
            up: [-2.0, 0.7],
        },
        Case {
            situation: on,
            name: "on axis ",
            title: "P_{II} on the axis",
            across: [-0.5, 3.6],
            up: [-1.8, 2.1],
        },
    ];
    drawn("A collision with infinite friction", &caption, &cases)
}
