//! The hodograph: how the tangential velocity moves while the normal impulse grows.
//!
//! [BhattKoechling1995] In space the slip follows a flow that depends on its direction only; along some directions
//! it keeps its direction, the rays of constant sliding, and these part the plane into basins.

mod flow;

pub use flow::{Basin, Ray, basins, rays, streamline};

use crate::draw::{Figure, Panel, Stroke, Tone};
use crate::paths::{self, Paths};
use crate::words::short;
use crate::{Answer, Family, PlotError};
use carom::{Contact, ContactProblem};
use core::f64::consts::{PI, TAU};

const KIND: &str = "hodograph";
/// How much farther than the path the drawing reaches \[1\].
const BEYOND: f64 = 1.3;
/// Lines of the flow.
const LINES: usize = 24;

/// The path of the tangential velocity under each law that has one.
pub fn hodograph(problem: &ContactProblem, answers: &[Answer]) -> Result<Figure, PlotError> {
    check(problem)?;
    let paths = Paths::of(KIND, answers)?;
    if problem.rows() == 2 {
        let mut panel = planar_panel();
        paths.draw(&mut panel, |at| [at.impulse[0], at.velocity[1]]);
        let last = paths.longest().last().map_or(0.0, |s| s.impulse[0]);
        return Ok(planar_figure(problem, panel, last));
    }
    let fastest = paths
        .longest()
        .iter()
        .map(|s| libm::hypot(s.velocity[1], s.velocity[2]))
        .fold(0.0, f64::max);
    spatial(problem, fastest, |panel| paths.draw(panel, |at| [at.velocity[1], at.velocity[2]]))
}

/// The same for a parameter that changes.
pub fn hodograph_family(problem: &ContactProblem, family: &Family) -> Result<Figure, PlotError> {
    check(problem)?;
    paths::check_family(KIND, family)?;
    if problem.rows() == 2 {
        let mut panel = planar_panel();
        paths::draw_family(&mut panel, family, |at| [at.impulse[0], at.velocity[1]]);
        let last = family.answers().map(|a| a.impulse[0]).fold(0.0, f64::max);
        return Ok(planar_figure(problem, panel, last));
    }
    let fastest = family
        .answers()
        .flat_map(|a| &a.path.samples)
        .map(|s| libm::hypot(s.velocity[1], s.velocity[2]))
        .fold(0.0, f64::max);
    spatial(problem, fastest, |panel| {
        paths::draw_family(panel, family, |at| [at.velocity[1], at.velocity[2]]);
    })
}

fn check(problem: &ContactProblem) -> Result<(), PlotError> {
    match (problem.len(), problem.rows()) {
        (1, 2 | 3) => Ok(()),
        (1, _) => Err(PlotError::new(KIND, "the contact has no tangent".to_owned())),
        (n, _) => {
            Err(PlotError::new(KIND, format!("it is drawn for one contact, this problem has {n}")))
        }
    }
}

fn planar_panel() -> Panel {
    Panel::new("normal impulse p_n [N·s]", "tangential velocity u_t [m/s]").sized(480.0, 340.0)
}

fn planar_figure(problem: &ContactProblem, mut panel: Panel, last: f64) -> Figure {
    panel.guide("", Tone::Muted, Stroke::Thin, vec![[0.0, 0.0], [last, 0.0]]);
    let mu = problem.contacts()[0].material.mu;
    Figure::new(
        "Sliding during the impact",
        &format!(
            "Tangential velocity while the normal impulse grows, mu = {}. Laws share the path and leave it at different \
             impulses.",
            short(mu)
        ),
    )
    .with(panel)
}

fn spatial(
    problem: &ContactProblem,
    fastest: f64,
    draw: impl FnOnce(&mut Panel),
) -> Result<Figure, PlotError> {
    let contact = problem.contact::<3>(0)?;
    let mut figure = Figure::new("Hodograph of sliding", &caption(&contact));
    let reach = if fastest > 0.0 { BEYOND * fastest } else { 1.0 };
    let mut panel = Panel::new("u_{t1} [m/s]", "u_{t2} [m/s]")
        .equal()
        .within([-reach, reach], [-reach, reach])
        .sized(460.0, 460.0);
    ground(&mut panel, &mut figure, &contact, reach);
    for k in 0..LINES {
        let line = streamline(&contact, TAU * (k as f64 + 0.5) / LINES as f64, 0.9 * reach, reach);
        panel.guide("", Tone::Muted, Stroke::Thin, line);
    }
    draw(&mut panel);
    figure.panels.push(panel);
    Ok(figure)
}

fn caption(contact: &Contact<3>) -> String {
    let mu = contact.material().mu;
    let mut text = format!(
        "Tangential velocity during the impact, mu = {}. Thin lines: where slip goes from other starts. Rays of constant \
         sliding: solid where slip grows along them, dashed where it dies.",
        short(mu)
    );
    if flow::keeps_every_direction(contact) {
        return format!(
            "Tangential velocity during the impact, mu = {}. Here slip keeps its direction, whatever it is.",
            short(mu)
        );
    }
    text.push_str(match rays(contact).iter().any(|ray| ray.growth > 0.0) {
        true => " Slip that comes to rest leaves along the ray on which it grows.",
        false => " Slip that comes to rest stays at rest.",
    });
    text
}

/// Basins and rays.
pub(crate) fn ground(panel: &mut Panel, figure: &mut Figure, contact: &Contact<3>, reach: f64) {
    // Beyond the corners of a square.
    let far = 1.5 * reach;
    for basin in basins(contact) {
        let [from, to] = basin.between;
        let steps = 48;
        let rim = (0..=steps).map(|k| {
            let angle = from + (to - from) * f64::from(k) / f64::from(steps);
            [far * libm::cos(angle), far * libm::sin(angle)]
        });
        let outline = core::iter::once([0.0, 0.0]).chain(rim).collect();
        let (name, tone) = match basin.rests {
            true => ("starts from which slip comes to rest", Tone::Sky),
            false => ("starts from which slip never rests", Tone::Red),
        };
        panel.area(name, tone, 0.13, outline);
    }
    for (k, ray) in rays(contact).into_iter().enumerate() {
        let direction = [libm::cos(ray.angle), libm::sin(ray.angle)];
        let stroke = if ray.growth > 0.0 { Stroke::Solid } else { Stroke::Dashed };
        let degrees = ray.angle * 180.0 / PI;
        panel.guide(
            &format!("ray {k}"),
            Tone::Amber,
            stroke,
            vec![[0.0, 0.0], direction.map(|x| far * x)],
        );
        panel.label(&format!("{degrees:.3}°"), Tone::Amber, direction.map(|x| 0.94 * reach * x));
        figure.fact(&format!("ray {k}"), degrees, "deg");
        figure.fact(&format!("ray {k} growth"), ray.growth, "1/kg");
    }
}
