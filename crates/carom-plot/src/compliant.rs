//! A collision of compliant contacts: force, penetration and impulse against time, with rigid laws over it.

use crate::draw::{Figure, Panel, Stroke, Tone};
use crate::signs::signs;
use crate::{Answer, PlotError, contact_name};
use carom::ContactProblem;
use carom_sim::compliant::{CompliantOutcome, ContactMoment, Moment};

/// No more contacts are shown than these, the first ones.
const MOST: usize = 4;
/// No more instants are drawn.
const INSTANTS: usize = 800;

/// Force, penetration and impulse of each contact against time, and the impulses of rigid laws.
pub fn compliant(
    problem: &ContactProblem,
    run: &CompliantOutcome,
    answers: &[Answer],
) -> Result<Figure, PlotError> {
    if run.history.len() < 2 {
        let reason = "the run has no history, or nothing touched".to_owned();
        return Err(PlotError::new("compliant", reason));
    }
    let moments = thinned(&run.history);
    let end = moments.last().map_or(0.0, |m| m.time);
    let (per_unit, unit) = time_unit(end);
    let shown = problem.len().min(MOST);
    let across = format!("time [{unit}]");
    let mut force = Panel::new(&across, "force [N]").sized(300.0, 260.0);
    let mut depth = Panel::new(&across, "penetration [m]").sized(300.0, 260.0);
    let mut impulse = Panel::new(&across, "normal impulse [N·s]").sized(340.0, 260.0);
    for contact in 0..shown {
        let curve = |value: &dyn Fn(&ContactMoment) -> f64| {
            moments.iter().map(|m| [per_unit * m.time, value(&m.contacts[contact])]).collect()
        };
        let tone = Tone::of(contact);
        let name = contact_name(problem, contact);
        force.line(&format!("{name}, normal"), tone, Stroke::Solid, curve(&|c| c.force[0]));
        if problem.row_range(contact).len() > 1 && problem.contacts()[contact].material.mu > 0.0 {
            let friction = curve(&|c| libm::hypot(c.force[1], c.force[2]));
            force.line(&format!("{name}, friction"), tone, Stroke::Dashed, friction);
        }
        depth.guide(&name, tone, Stroke::Solid, curve(&|c| c.penetration.max(0.0)));
        impulse.guide(&name, tone, Stroke::Solid, curve(&|c| c.impulse[0]));
    }
    let mut caption =
        "Forces, penetrations and normal impulses of contacts that yield, against time".to_owned();
    caption.push_str(if answers.is_empty() {
        "."
    } else {
        "; numbers: the impulses that rigid laws give."
    });
    if shown < problem.len() {
        caption.push_str(&format!(" Of {} contacts the first {shown} are shown.", problem.len()));
    }
    let mut figure = Figure::new("Compliant contacts", &caption).in_columns(3);
    let after = per_unit * end;
    for sign in signs(answers) {
        for contact in 0..shown {
            let Some(&p) = sign.impulse.get(problem.row_range(contact).start) else { continue };
            let level = vec![[0.0, p], [1.08 * after, p]];
            impulse.guide("", Tone::of(contact), Stroke::Dotted, level);
            sign.put(&mut impulse, [1.08 * after, p]);
        }
        sign.explain(&mut figure);
    }
    impulse.axes[0].range = Some([-0.03 * after, 1.25 * after]);
    figure.fact("duration", run.duration, "s");
    for (k, report) in run.contacts.iter().take(shown).enumerate() {
        figure.fact(&format!("{} peak force", contact_name(problem, k)), report.peak_force, "N");
        let deepest = report.peak_penetration;
        figure.fact(&format!("{} peak penetration", contact_name(problem, k)), deepest, "m");
    }
    figure.panels.extend([force, depth, impulse]);
    Ok(figure)
}

/// As many instants as a drawing can show, the first and the last among them.
fn thinned(history: &[Moment]) -> Vec<&Moment> {
    let stride = history.len().div_ceil(INSTANTS).max(1);
    let mut kept: Vec<&Moment> = history.iter().step_by(stride).collect();
    if !(history.len() - 1).is_multiple_of(stride) {
        kept.extend(history.last());
    }
    kept
}

/// How many units a second has, and the unit, such that the time is a number that people read.
fn time_unit(end: f64) -> (f64, &'static str) {
    match end {
        t if t >= 1.0 => (1.0, "s"),
        t if t >= 1e-3 => (1e3, "ms"),
        _ => (1e6, "μs"),
    }
}
