//! Fig. 4: rays of constant sliding, and where slip goes from sixteen starts.

use crate::PlotError;
use crate::draw::{Figure, Panel, Shape, Stroke, Tone};
use crate::hodograph::{ground, streamline};
use crate::papers::Drawn;
use carom::{Contact, ContactVec, Delassus, Material};
use core::f64::consts::TAU;

/// The paper's K with the normal first [1/kg].
const W: [[f64; 3]; 3] = [[10.0, 1.0, 6.0], [1.0, 20.0, 0.0], [6.0, 0.0, 4.0]];
const MU: f64 = 0.7;
/// Radius on which slip starts, and half the side of the drawing [m/s].
const RADIUS: f64 = 1.0;
const REACH: f64 = 1.4;
/// Slip below this part of its start has come to rest \[1\].
const REST: f64 = 0.01;

/// Sixteen paths of the slip, rays and basins.
pub(super) fn figure_4() -> Result<Drawn, PlotError> {
    let velocity = ContactVec::new([-1.0, RADIUS, 0.0]);
    let contact = Contact::new(Delassus::new(W)?, velocity, Material::new(MU, 0.0)?)?;
    let mut figure = Figure::new(
        "Where slip goes",
        &format!(
            "Fig. 4 of Baber: tangential velocity while the normal impulse grows, for K = [20, 0, 1; 0, 4, 6; 1, 6, 10] 1/kg \
             (normal last, as in the paper), mu = {MU}, from sixteen starts on a circle of any radius (here {RADIUS} m/s). Rays of \
             constant sliding: solid where slip grows, dashed where it dies. From the blue region slip comes to rest, and then \
             leaves along the solid ray; from the red one it tends to that ray without rest."
        ),
    );
    let mut panel = Panel::new("u_x = u_{t1} [m/s]", "u_y = u_{t2} [m/s]")
        .equal()
        .within([-REACH, REACH], [-REACH, REACH])
        .sized(480.0, 480.0);
    ground(&mut panel, &mut figure, &contact, REACH);
    let mut rests = 0;
    for n in 0..16 {
        let line = streamline(&contact, TAU * f64::from(n) / 16.0, RADIUS, 1.5 * REACH);
        if line.last().is_some_and(|p| libm::hypot(p[0], p[1]) < REST * RADIUS) {
            rests += 1;
            figure.fact(&format!("start {rests} that comes to rest"), f64::from(n), "1");
        }
        let start = line[0];
        panel.guide(&format!("start {n}"), Tone::Ink, Stroke::Solid, line);
        panel.dots("", Tone::Ink, Shape::Disc, vec![start]);
    }
    figure.fact("starts that come to rest", f64::from(rests), "1");
    figure.panels.push(panel);
    Ok(Drawn::Figure(figure))
}
