//! Fig. 15: Example 4, what a rigid law saves.
//!
//! The work is counted while the figure is drawn and is the same everywhere. Times depend on the machine, so those shown
//! were measured once, by `cargo bench -p carom-testkit --bench compliant`, and stand in `cpu-time.csv`.

use crate::papers::Drawn;
use crate::papers::outline::circle;
use crate::{Figure, Panel, PlotError, Shape, Stroke, Tone};
use carom::outcome::Effort;
use carom::{ContactSpec, ImpactError, Law, Material, Tolerances, Unobserved};
use carom_sim::compliant::{
    Compliance, CompliantContact, CompliantOutcome, Exponent, Pendulum, RunSettings, Spring,
    Transition, rigid_problem, run,
};

/// From 0.01 to 100 GPa \[Pa\].
const MODULI: [f64; 5] = [1e7, 1e8, 1e9, 1e10, 1e11];
/// Errors of the velocities after that are allowed \[1\].
const ERRORS: [(f64, &str); 2] = [(1e-2, "1 %"), (1e-6, "10^{−6}")];

/// Times that were measured: machine, then `series;modulus [Pa];time [µs]` line by line.
const MEASURED: &str = include_str!("cpu-time.csv");

fn contacts(pendulum: &Pendulum, modulus: f64) -> Result<Vec<CompliantContact>, ImpactError> {
    let compliance = Compliance {
        spring: Spring::Hertz { modulus },
        radius: pendulum.ball_radius,
        transition: Transition::Speed(0.01),
        ..Compliance::default()
    };
    compliance.contacts(&rigid_problem(pendulum, vec![surface()?])?)
}

fn surface() -> Result<ContactSpec, ImpactError> {
    Ok(ContactSpec::new(2, Material::new(0.1, 1.0)?))
}

fn collide(
    pendulum: &Pendulum,
    modulus: f64,
    tolerance: f64,
) -> Result<CompliantOutcome, ImpactError> {
    let settings = RunSettings { tolerance, ..RunSettings::default() };
    run(pendulum, &contacts(pendulum, modulus)?, Exponent::Hertz, &settings, &mut Unobserved)
}

/// The least evaluations of the equations of motion that keep the error of the velocities after.
fn work(pendulum: &Pendulum, modulus: f64, error: f64) -> Result<u64, ImpactError> {
    let exact = collide(pendulum, modulus, 1e-12)?.contact_velocity;
    let size = exact.iter().fold(0.0, |m: f64, u| m.max(u.abs()));
    let mut least = u64::MAX;
    for half_decades in 2..22 {
        let tolerance = libm::pow(10.0, -0.5 * f64::from(half_decades));
        let Ok(found) = collide(pendulum, modulus, tolerance) else { continue };
        let off = found
            .contact_velocity
            .iter()
            .zip(&exact)
            .fold(0.0, |m: f64, (a, b)| m.max((a - b).abs()));
        // An implicit step looks at every unknown for its Jacobian.
        let unknowns = (found.coordinates.len() + found.velocity.len()) as u64;
        let work = found.effort.evaluations + unknowns * found.effort.implicit_steps;
        if off <= error * size {
            least = least.min(work);
        }
    }
    Ok(least)
}

/// Hinges and the ball's centre.
fn joints(pendulum: &Pendulum, angles: &[f64]) -> Vec<[f64; 2]> {
    let mut at = [0.0, pendulum.height];
    let mut joints = vec![at];
    for angle in angles {
        at = [
            at[0] + pendulum.length * libm::sin(*angle),
            at[1] - pendulum.length * libm::cos(*angle),
        ];
        joints.push(at);
    }
    joints
}

fn scene(
    panel: &mut Panel,
    pendulum: &Pendulum,
    angles: &[f64],
    name: &str,
    tone: Tone,
    stroke: Stroke,
) {
    let joints = joints(pendulum, angles);
    panel.line(name, tone, stroke, joints.clone());
    panel.dots("", tone, Shape::Disc, joints[..joints.len() - 1].to_vec());
    if let Some(&centre) = joints.last() {
        panel.area("", tone, 0.3, circle(centre, pendulum.ball_radius));
    }
}

/// A curve that was measured: its name, and times [µs] against moduli \[Pa\].
type Timing = (&'static str, Vec<[f64; 2]>);

/// The machine, and the curves that were measured.
fn measured() -> (&'static str, Vec<Timing>) {
    let mut lines = MEASURED.lines();
    let machine = lines.next().map_or("", |line| line.trim_start_matches("# "));
    let mut curves: Vec<Timing> = Vec::new();
    for line in lines.filter(|line| !line.starts_with("series")) {
        let mut fields = line.split(';');
        let Some(series) = fields.next() else { continue };
        let mut number = || fields.next().and_then(|x| x.parse::<f64>().ok());
        let (Some(modulus), Some(time)) = (number(), number()) else { continue };
        match curves.iter_mut().find(|(name, _)| *name == series) {
            Some((_, points)) => points.push([modulus, time]),
            None => curves.push((series, vec![[modulus, time]])),
        }
    }
    (machine, curves)
}

pub(super) fn fig_15() -> Result<Drawn, PlotError> {
    let hanging = Pendulum::uchida_sherman_delp();
    let fall = collide(&hanging, 1e10, RunSettings::default().tolerance)?;
    let (angles, rates) = fall.at_touch.clone();
    let striking = Pendulum { angles: angles.clone(), rates, ..hanging.clone() };
    let mut start =
        Panel::new("", "").titled("(a) start and impact").equal().unframed().sized(300.0, 250.0);
    scene(&mut start, &hanging, &hanging.angles, "start", Tone::Muted, Stroke::Dashed);
    scene(&mut start, &hanging, &angles, "impact", Tone::Blue, Stroke::Bold);
    start.guide("ground", Tone::Ink, Stroke::Bold, vec![[-0.3, 0.0], [3.0, 0.0]]);
    let mut counted = Panel::new("E [Pa]", "evaluations, intervals [1]")
        .titled("(b) work")
        .logarithmic(0)
        .logarithmic(1);
    counted = counted.within([5e6, 2e11], [1.0, 2e3]).sized(280.0, 250.0);
    let (machine, curves) = measured();
    let mut timed = Panel::new("E [Pa]", "CPU time [µs]")
        .titled("(c) time, as measured")
        .logarithmic(0)
        .logarithmic(1);
    timed = timed.within([5e6, 2e11], [1.0, 1e3]).sized(280.0, 250.0);
    let mut figure = Figure::new(
        "What a rigid law saves",
        &format!(
            "Example 4: three rods of 1 m and 1 kg, 0.1 m in radius, hang 2 m above the ground, a ball of 0.25 m and 1 kg at the end, μ = 0.1, e = 1; \
             they start at 45°, 90°, 60° to the vertical. Work: evaluations of the equations of motion through the collision with compliant \
             contacts (Dormand and Prince, order 8), the fewest that keep the velocities after within 1 % or 10^{{−6}}, and intervals of PLUS. Time: {machine}"
        ),
    )
    .in_columns(3);
    for ((error, name), (tone, stroke, shape)) in ERRORS
        .into_iter()
        .zip([(Tone::Blue, Stroke::Solid, Shape::Disc), (Tone::Red, Stroke::Dashed, Shape::Square)])
    {
        let mut line = Vec::new();
        for modulus in MODULI {
            let work = work(&striking, modulus, error)?;
            line.push([modulus, work as f64]);
            let name = name.replace("^{−6}", "⁻⁶");
            figure.fact(&format!("evaluations at {modulus:e} Pa, {name}"), work as f64, "1");
        }
        counted.dots("", tone, shape, line.clone());
        counted.line(&format!("compliant, error {name}"), tone, stroke, line);
    }
    let problem = rigid_problem(&striking, vec![surface()?])?;
    let outcome =
        Law::from_id("plus")?.resolve(&problem, &Tolerances::default(), &mut Unobserved)?;
    if let Effort::Rounds(effort) = &outcome.effort {
        let intervals = effort.intervals as f64;
        counted.line("PLUS", Tone::Green, Stroke::DashDot, MODULI.map(|e| [e, intervals]).to_vec());
        figure.fact("intervals of PLUS", intervals, "1");
        figure.fact("rounds of PLUS", effort.rounds as f64, "1");
    }
    for (name, points) in curves {
        let (tone, stroke) = match name {
            "compliant, error 1 %" => (Tone::Blue, Stroke::Solid),
            "PLUS" => (Tone::Green, Stroke::DashDot),
            _ => (Tone::Red, Stroke::Dashed),
        };
        for [modulus, time] in &points {
            figure.fact(&format!("time measured at {modulus:e} Pa, {name}"), *time, "µs");
        }
        timed.dots("", tone, Shape::Ring, points.clone());
        timed.line(&name.replace("1e-6", "10^{−6}"), tone, stroke, points);
    }
    figure.fact("time of the fall", fall.first_touch, "s");
    for (i, angle) in angles.iter().enumerate() {
        figure.fact(&format!("θ_{} at the impact", i + 1), angle.to_degrees(), "°");
    }
    // The tangent is the normal turned by 90°: −x.
    let u = problem.velocity();
    figure.fact("v_z before", u[0], "m/s");
    figure.fact("v_x before", -u[1], "m/s");
    figure.fact("v_z after PLUS", outcome.velocity[0], "m/s");
    figure.fact("v_x after PLUS", -outcome.velocity[1], "m/s");
    figure.fact("π_z of PLUS", outcome.impulse[0], "N·s");
    figure.fact("π_x of PLUS", -outcome.impulse[1], "N·s");
    Ok(Drawn::Figure(figure.with(start).with(counted).with(timed)))
}
