//! The hodograph: how the tangential velocity moves while the normal impulse grows.
//!
//! [BhattKoechling1995] In space the slip follows a flow that depends on its direction only; along some directions
//! it keeps its direction, the rays of constant sliding, and these part the plane into basins.

use crate::draw::{Figure, Panel, Shape, Stroke, Tone};
use crate::{Answer, PlotError};
use carom::{Contact, ContactProblem};
use core::f64::consts::{PI, TAU};

/// Directions between which a ray is looked for.
const FAN: usize = 720;

/// A direction in which sliding keeps its direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    /// Its angle from the first tangent towards the second \[rad\].
    pub angle: f64,
    /// Growth of the slip per normal impulse; negative where sliding on it comes to rest [1/kg].
    pub growth: f64,
}

/// The rays of constant sliding of a contact: directions `s` with `W_tn − mu W_tt s` along `s`.
pub fn rays(contact: &Contact<3>) -> Vec<Ray> {
    let rate = |angle: f64| rate(contact, angle);
    let across = |angle: f64| rate(angle)[1];
    let mut rays = Vec::new();
    for k in 0..FAN {
        let (mut low, mut high) = (TAU * k as f64 / FAN as f64, TAU * (k + 1) as f64 / FAN as f64);
        let start = across(low);
        if start != 0.0 && (start > 0.0) == (across(high) > 0.0) {
            continue;
        }
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            if (across(middle) > 0.0) == (start > 0.0) && start != 0.0 {
                low = middle;
            } else {
                high = middle;
            }
        }
        rays.push(Ray { angle: 0.5 * (low + high), growth: rate(high)[0] });
    }
    rays
}

/// What sliding in a direction does to the slip per normal impulse: along the direction and across it [1/kg].
fn rate(contact: &Contact<3>, angle: f64) -> [f64; 2] {
    let (w, mu) = (contact.delassus().rows(), contact.material().mu);
    let s = [libm::cos(angle), libm::sin(angle)];
    let slope = |i: usize| w[i + 1][0] - mu * (w[i + 1][1] * s[0] + w[i + 1][2] * s[1]);
    let d = [slope(0), slope(1)];
    [d[0] * s[0] + d[1] * s[1], d[1] * s[0] - d[0] * s[1]]
}

/// The path of the tangential velocity under each law that has one.
pub fn hodograph(problem: &ContactProblem, answers: &[Answer]) -> Result<Figure, PlotError> {
    let answers: Vec<&Answer> = answers.iter().filter(|a| a.path.samples.len() > 1).collect();
    if problem.len() != 1 || answers.is_empty() {
        return Err(PlotError::new(
            "hodograph",
            "it shows the path of a law that follows one contact through the impact, such as routh-stronge".to_owned(),
        ));
    }
    match problem.rows() {
        2 => Ok(planar(problem, &answers)),
        3 => Ok(spatial(&problem.contact::<3>(0)?, &answers)),
        _ => Err(PlotError::new("hodograph", "the contact has no tangent".to_owned())),
    }
}

fn planar(problem: &ContactProblem, answers: &[&Answer]) -> Figure {
    let mut panel = Panel::new("normal impulse p_n [N·s]", "tangential velocity u_t [m/s]");
    for (k, answer) in answers.iter().enumerate() {
        let points = answer.path.samples.iter().map(|s| [s.impulse[0], s.velocity[1]]).collect();
        panel.line(&answer.law, Tone::of(k), stroke(k), points);
        events(&mut panel, answer, |at| [at.impulse[0], at.velocity[1]]);
    }
    let mu = problem.contacts()[0].material.mu;
    Figure::new(
        "Sliding during the impact",
        &format!("Tangential velocity while the normal impulse grows, mu = {mu}. Laws share the path and end it at different impulses."),
    )
    .with(panel)
}

fn stroke(k: usize) -> Stroke {
    [Stroke::Bold, Stroke::Dashed, Stroke::DashDot, Stroke::Dotted][k % 4]
}

fn events(
    panel: &mut Panel,
    answer: &Answer,
    place: impl Fn(&carom::outcome::TracePoint) -> [f64; 2],
) {
    for (event, at) in &answer.path.events {
        let name = event.name().replace('_', " ");
        panel.point(&name, Tone::Ink, Shape::Ring, place(at));
    }
}

fn spatial(contact: &Contact<3>, answers: &[&Answer]) -> Figure {
    let mut figure = Figure::new(
        "Hodograph of sliding",
        &format!(
            "Tangential velocity during the impact, mu = {}. Thin lines: where slip would go from other starts. \
             Rays of constant sliding: solid where slip grows along them, dashed where it dies.",
            contact.material().mu
        ),
    )
    .in_columns(1);
    let mut panel = Panel::new("u_{t1} [m/s]", "u_{t2} [m/s]").equal().sized(460.0, 420.0);
    let reach = answers
        .iter()
        .flat_map(|a| &a.path.samples)
        .map(|s| libm::hypot(s.velocity[1], s.velocity[2]))
        .fold(0.0, f64::max)
        * 1.25;
    for k in 0..24 {
        let points = streamline(contact, TAU * f64::from(k) / 24.0, reach);
        panel.guide("", Tone::Muted, Stroke::Thin, points);
    }
    for (k, ray) in rays(contact).into_iter().enumerate() {
        let end = [reach * libm::cos(ray.angle), reach * libm::sin(ray.angle)];
        let stroke = if ray.growth > 0.0 { Stroke::Solid } else { Stroke::Dashed };
        let degrees = ray.angle * 180.0 / PI;
        panel.guide(&format!("ray {k}"), Tone::Amber, stroke, vec![[0.0, 0.0], end]);
        panel.label(&format!("{degrees:.3}°"), Tone::Amber, end.map(|x| 0.9 * x));
        figure.fact(&format!("ray {k}"), degrees, "deg");
        figure.fact(&format!("ray {k} growth"), ray.growth, "1/kg");
    }
    for (k, answer) in answers.iter().enumerate() {
        let points = answer.path.samples.iter().map(|s| [s.velocity[1], s.velocity[2]]).collect();
        panel.line(&answer.law, Tone::of(k), stroke(k), points);
    }
    if let Some(first) = answers.first() {
        events(&mut panel, first, |at| [at.velocity[1], at.velocity[2]]);
    }
    figure.panels.push(panel);
    figure
}

/// Where slip goes from a point on the rim, by steps of a hundredth of the radius, as far as the centre or the rim.
fn streamline(contact: &Contact<3>, angle: f64, reach: f64) -> Vec<[f64; 2]> {
    let step = 0.01 * reach;
    let slope = |p: [f64; 2]| {
        let angle = libm::atan2(p[1], p[0]);
        let [along, across] = rate(contact, angle);
        let (c, s) = (libm::cos(angle), libm::sin(angle));
        let d = [along * c - across * s, along * s + across * c];
        let size = libm::hypot(d[0], d[1]);
        if size > 0.0 { d.map(|x| x / size) } else { d }
    };
    let mut at = [reach * libm::cos(angle), reach * libm::sin(angle)];
    let mut points = vec![at];
    for _ in 0..400 {
        let d = slope(at);
        let middle = [at[0] + 0.5 * step * d[0], at[1] + 0.5 * step * d[1]];
        let d = slope(middle);
        at = [at[0] + step * d[0], at[1] + step * d[1]];
        let radius = libm::hypot(at[0], at[1]);
        if radius < step || radius > 1.02 * reach {
            break;
        }
        points.push(at);
    }
    points
}
