//! Table 1 and Fig. 5: masses with a spring and a damper in each contact.

use super::MASSES;
use crate::papers::Drawn;
use crate::{Field, Figure, Panel, PlotError, Sheet};
use carom::ImpactError;
use carom_sim::spring_chain::{SpringChain, SpringContact};

/// 1/C [N/m].
const STIFFNESS: f64 = 10.0;
/// Points of a curve per step of the integration \[1\].
const PARTS: usize = 48;

/// Time shown \[s\].
const SHOWN: f64 = 1.25;

/// Rows of the table: `m_3` \[kg\], `R12`, `R23` [N·s/m], and what is printed [m/s].
const PRINTED: [([f64; 3], [f64; 3]); 6] = [
    ([1000.0, 0.05, 0.05], [-0.9744439, -0.21306606, 0.0021875096]),
    ([1000.0, 50.0, 0.05], [-0.48997312, -0.4817458, 0.0019684185]),
    ([1000.0, 0.05, 50.0], [-0.9101933, -0.00493735, 0.00191513]),
    ([1.0, 0.05, 0.05], [-0.13018857, 0.15019388, 0.9799948]),
    ([1.0, 50.0, 0.05], [0.16781114, 0.17072338, 0.6614654]),
    ([1.0, 0.05, 50.0], [-0.32068235, 0.6591262, 0.6615559]),
];

fn chain(m3: f64, damping: [f64; 2]) -> Result<SpringChain, ImpactError> {
    let contacts = damping.map(|damping| SpringContact { stiffness: STIFFNESS, damping });
    SpringChain::new(vec![1.0, 1.0, m3], vec![1.0, 0.0, 0.0], contacts.to_vec())
}

pub(super) fn table_1() -> Result<Drawn, PlotError> {
    let mut sheet = Sheet::new(
        "Three bodies with springs and dampers",
        "Velocities after the collision of three bodies, m_1 = m_2 = 1 kg, v = 1, 0, 0 m/s before, with a spring of 1/C = 10 N/m \
         and a damper R side by side in each contact, which lets go where it would pull. v: the model's own motion, exact to \
         rounding; printed: the paper.",
        &[
            "m_3 [kg]",
            "R12 [N·s/m]",
            "R23 [N·s/m]",
            "v_1 [m/s]",
            "v_2 [m/s]",
            "v_3 [m/s]",
            "printed v_1 [m/s]",
            "printed v_2 [m/s]",
            "printed v_3 [m/s]",
        ],
    );
    for ([m3, first, second], printed) in PRINTED {
        let after = chain(m3, [first, second])?.collide()?.velocity;
        let numbers = [m3, first, second].into_iter().chain(after).chain(printed);
        sheet.row(numbers.map(Field::Number).collect());
    }
    Ok(Drawn::Table(sheet))
}

pub(super) fn fig_5() -> Result<Drawn, PlotError> {
    let mut figure = Figure::new(
        "Elasticity decides how far neighbours differ",
        "Velocities during the collision of three bodies of 1 kg with a spring of 10 N/m and a damper side by side in each \
         contact, R_{12} = 0.05 N·s/m; v = 1, 0, 0 m/s before. The stronger the damper between masses 2 and 3, the less their \
         velocities may differ.",
    );
    for (letter, second) in [("a", 0.05), ("b", 5.0)] {
        let mut history = chain(1.0, [0.05, second])?.history(PARTS)?;
        let mut panel = Panel::new("t [s]", "velocity [m/s]")
            .titled(&format!("({letter}) R_{{23}} = {second} N·s/m"))
            .within([0.0, SHOWN], [-0.4, 1.05])
            .sized(330.0, 280.0);
        if let Some((t, v)) = history.last() {
            figure.fact(&format!("end, R_23 = {second}"), *t, "s");
            for (v, (name, ..)) in v.iter().zip(MASSES) {
                figure.fact(&format!("{name} after, R_23 = {second}"), *v, "m/s");
            }
        }
        // No contact pushes any more.
        history.extend(history.last().map(|(_, v)| (SHOWN, v.clone())));
        for (i, (name, tone, stroke)) in MASSES.into_iter().take(3).enumerate() {
            panel.line(name, tone, stroke, history.iter().map(|(t, v)| [*t, v[i]]).collect());
        }
        let apart = history.iter().fold(0.0, |most: f64, (_, v)| most.max(v[1] - v[2]));
        figure.fact(&format!("largest v_2 − v_3, R_23 = {second}"), apart, "m/s");
        figure = figure.with(panel);
    }
    Ok(Drawn::Figure(figure))
}
