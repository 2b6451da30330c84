//! Figs. 3, 4, 6 and 8: velocities after the impact against a coefficient of restitution, law by law.

use super::MASSES;
use crate::papers::Drawn;
use crate::papers::chains::collide;
use crate::{Figure, Panel, PlotError};

/// Points of a curve \[1\].
const POINTS: usize = 100;

/// A panel: which contact's coefficient varies, the others being 1, and the masses \[kg\].
struct View {
    title: &'static str,
    axis: &'static str,
    mass: &'static [f64],
    contact: usize,
}

const THREE: [View; 4] = [
    View {
        title: "(a) equal masses, ε_{23} = 1", axis: "ε_{12} [1]", mass: &[1.0; 3], contact: 0
    },
    View {
        title: "(b) m_3 = 1000 kg, ε_{23} = 1",
        axis: "ε_{12} [1]",
        mass: &[1.0, 1.0, 1000.0],
        contact: 0,
    },
    View {
        title: "(c) equal masses, ε_{12} = 1", axis: "ε_{23} [1]", mass: &[1.0; 3], contact: 1
    },
    View {
        title: "(d) m_3 = 1000 kg, ε_{12} = 1",
        axis: "ε_{23} [1]",
        mass: &[1.0, 1.0, 1000.0],
        contact: 1,
    },
];

const FOUR: [View; 3] = [
    View { title: "(a) ε_{23} = ε_{34} = 1", axis: "ε_{12} [1]", mass: &[1.0; 4], contact: 0 },
    View { title: "(b) ε_{12} = ε_{34} = 1", axis: "ε_{23} [1]", mass: &[1.0; 4], contact: 1 },
    View { title: "(c) ε_{12} = ε_{23} = 1", axis: "ε_{34} [1]", mass: &[1.0; 4], contact: 2 },
];

pub(super) fn newton() -> Result<Drawn, PlotError> {
    let said = "Newton's rule for both contacts at once: the masses 2 and 3 never part, as if they were one. \
                With m_3 large, mass 2 never leaves the floor. ε_{23} has no influence.";
    three("newton", "Newton's rule, three bodies", said)
}

pub(super) fn poisson() -> Result<Drawn, PlotError> {
    let said = "Poisson's rule for both contacts at once: mass 3 leaves, but for small ε_{12} masses 1 and 2 stay \
                together (left of the kink, at 1/4 for equal masses and at 500/1001 for m_3 = 1000 kg), and for ε_{12} = 1 \
                nothing depends on ε_{23}.";
    three("poisson", "Poisson's rule, three bodies", said)
}

pub(super) fn mosterman() -> Result<Drawn, PlotError> {
    let said = "Mosterman's rule with pre-collisions: the blow passes from mass 1 to mass 3 where ε_{12} = ε_{23} = 1, and \
                masses 2 and 3 act as one where ε_{23} = 0.";
    three("mosterman", "The rule with pre-collisions, three bodies", said)
}

fn three(law: &str, title: &str, said: &str) -> Result<Drawn, PlotError> {
    let caption = format!(
        "Velocities after the impact of three bodies in a row; v = 1, 0, 0 m/s before, m_1 = m_2 = 1 kg, m_3 = 1 kg or \
         1000 kg. {said}"
    );
    let mut figure = curves(law, &THREE, title, &caption)?;
    for (name, mass, e) in [
        ("equal masses, ε_12 = ε_23 = 1", [1.0; 3], [1.0, 1.0]),
        ("equal masses, ε_12 = 0, ε_23 = 1", [1.0; 3], [0.0, 1.0]),
        ("m_3 = 1000 kg, ε_12 = 0, ε_23 = 1", [1.0, 1.0, 1000.0], [0.0, 1.0]),
    ] {
        let after = collide(law, &mass, &[1.0, 0.0, 0.0], &e)?;
        for (v, (mass, ..)) in after.iter().zip(MASSES) {
            figure.fact(&format!("{mass}, {name}"), *v, "m/s");
        }
    }
    Ok(Drawn::Figure(figure))
}

pub(super) fn four_bodies() -> Result<Drawn, PlotError> {
    let caption = "Velocities after the impact of four bodies of 1 kg in a row under the rule with pre-collisions; v = 1, 0, \
                   0, 0 m/s before. Two coefficients are 1, the third varies. Where all are 1 the last body alone \
                   leaves.";
    let mut figure =
        curves("mosterman", &FOUR, "The rule with pre-collisions, four bodies", caption)?;
    let start = [1.0, 0.0, 0.0, 0.0];
    for (name, e) in
        [("ε_23 = 1/2", [1.0, 0.5, 1.0]), ("ε_23 = 0", [1.0, 0.0, 1.0]), ("all ε = 1", [1.0; 3])]
    {
        let after = collide("mosterman", &[1.0; 4], &start, &e)?;
        for (v, (mass, ..)) in after.iter().zip(MASSES) {
            figure.fact(&format!("{mass}, {name}"), *v, "m/s");
        }
        let energy: f64 = after.iter().map(|v| v * v).sum();
        figure.fact(&format!("T⁺/T⁻, {name}"), energy, "1");
    }
    Ok(Drawn::Figure(figure))
}

fn curves(law: &str, views: &[View], title: &str, caption: &str) -> Result<Figure, PlotError> {
    let mut figure = Figure::new(title, caption).in_columns(if views.len() > 3 { 2 } else { 3 });
    for view in views {
        let mut panel = Panel::new(view.axis, "velocity after [m/s]")
            .titled(view.title)
            .within([0.0, 1.0], if views.len() > 3 { [-1.1, 1.1] } else { [-0.45, 1.1] })
            .sized(if views.len() > 3 { 330.0 } else { 270.0 }, 250.0);
        let mut lines = vec![Vec::new(); view.mass.len()];
        let mut start = vec![0.0; view.mass.len()];
        start[0] = 1.0;
        for k in 0..=POINTS {
            let mut e = vec![1.0; view.mass.len() - 1];
            e[view.contact] = k as f64 / POINTS as f64;
            let after = collide(law, view.mass, &start, &e)?;
            for (line, v) in lines.iter_mut().zip(after) {
                line.push([e[view.contact], v]);
            }
        }
        for (line, (name, tone, stroke)) in lines.into_iter().zip(MASSES) {
            panel.line(name, tone, stroke, line);
        }
        figure = figure.with(panel);
    }
    Ok(figure)
}
