//! Where energy is, and where it went.

use crate::{Figure, Panel, PlotError, Stroke, Tone};
use carom_sim::motion::{Motion, Sample, Scene};

/// Kinetic, potential and elastic energy, and what impacts, friction and the rest have done so far.
///
/// The motion should have samples just before and at each event, so that jumps are seen as jumps.
pub fn energy(scene: &Scene, motion: &Motion) -> Result<Figure, PlotError> {
    if motion.samples.len() < 2 {
        return Err(PlotError::new("energy", "the motion has fewer than two samples".to_owned()));
    }
    let lowest = motion.samples.iter().map(|s| s.potential).fold(f64::INFINITY, f64::min);
    let mut caption =
        "Energy of all bodies, and below what was done to it up to each time. What is lost stands below zero.".to_owned();
    if lowest != 0.0 {
        caption.push_str(" The potential energy counts from its lowest value.");
    }
    let mut figure = Figure::new("Energy", &caption).in_columns(1);
    let curve = |of: &dyn Fn(&Sample) -> f64| -> Vec<[f64; 2]> {
        motion.samples.iter().map(|s| [s.time, of(s)]).collect()
    };
    let mut state = Panel::new("t [s]", "energy [J]").sized(560.0, 240.0);
    state.line("kinetic", Tone::Blue, Stroke::Solid, curve(&|s| s.kinetic));
    state.line("potential", Tone::Amber, Stroke::Dashed, curve(&|s| s.potential - lowest));
    if !scene.springs.is_empty() || motion.samples.iter().any(|s| s.elastic != 0.0) {
        state.line("elastic", Tone::Purple, Stroke::DashDot, curve(&|s| s.elastic));
    }
    let total = |s: &Sample| s.kinetic + s.potential - lowest + s.elastic;
    state.line("total", Tone::Ink, Stroke::Bold, curve(&total));
    let mut works = Panel::new("t [s]", "work so far [J]").sized(560.0, 200.0);
    let kinds = [
        ("impacts", Tone::Red, Stroke::Solid),
        ("friction", Tone::Green, Stroke::Dashed),
        ("damping", Tone::Purple, Stroke::DashDot),
        ("forces", Tone::Sky, Stroke::Dotted),
        ("drives", Tone::Amber, Stroke::Thin),
    ];
    for (k, (name, tone, stroke)) in kinds.into_iter().enumerate() {
        let work = curve(&|s| s.works.numbers()[k]);
        if work.iter().any(|[_, w]| *w != 0.0) {
            works.line(name, tone, stroke, work);
        }
    }
    figure.panels.push(state);
    if !works.series.is_empty() {
        figure.panels.push(works);
    }
    let ledger = &motion.ledger;
    let works = [ledger.impacts, ledger.friction, ledger.damping, ledger.forces, ledger.drives];
    figure.fact("energy at first", ledger.start, "J");
    for ((name, ..), work) in kinds.into_iter().zip(works) {
        figure.fact(name, work, "J");
    }
    figure.fact("energy at last", ledger.end, "J");
    figure.fact("residual", ledger.residual, "J");
    Ok(figure)
}
