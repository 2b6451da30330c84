//! What ends a stretch of smooth motion.

use super::super::lzb::Gaps;
use super::field::{Field, Slip, Touch};
use super::rows::length;
use super::run::ZERO;
use crate::multi::solve::dot;

/// Something that contact or grip `.0` may meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Event {
    /// A contact opens, or has closed its gap.
    Depth(usize),
    /// An open contact that forgets gaps approaches.
    Approach(usize),
    /// A pressed contact stops approaching, or approaches again.
    Turn(usize),
    /// Hunt and Crossley's force vanishes, or comes back.
    Slack(usize),
    /// A grip with one tangent stops.
    Stop(usize),
    /// A grip that sticks needs more friction than there is.
    Slip(usize),
}

/// Friction may exceed its bound by this part before it is said to: what then slides is well defined \[1\].
const EXCESS: f64 = 1e-6;
/// The same relative to the largest force, for contacts that hardly press \[1\].
const LEAST_EXCESS: f64 = 1e-8;

/// All that can happen until somebody changes what he does. Grips that stick and can share their load in several ways
/// are left out: no single one of them decides.
pub(super) fn possible(field: &Field, events: &mut Vec<Event>) {
    let model = &field.model;
    events.clear();
    for (k, touch) in field.touch.iter().enumerate() {
        if *touch == Touch::Open && model.gaps == Gaps::Forget {
            events.push(Event::Approach(k));
            continue;
        }
        events.push(Event::Depth(k));
        if touch.closed() && model.turns(k) {
            events.push(Event::Turn(k));
        }
        if touch.closed() && model.damping.is_some() {
            events.push(Event::Slack(k));
        }
    }
    for (g, grip) in model.grips.iter().enumerate() {
        if field.slides(g) && grip.tangents == 1 && field.smoothing == 0.0 {
            events.push(Event::Stop(g));
        }
        if field.sticks(g) && grip.mu.is_finite() && !field.hold.redundant {
            events.push(Event::Slip(g));
        }
    }
}

/// How far an event is where the field was last looked at, `needed` being the friction that sticking grips need there;
/// negative beyond it.
pub(super) fn margin(field: &Field, event: Event, state: &[f64], needed: &[f64]) -> f64 {
    let model = &field.model;
    match event {
        Event::Depth(k) => {
            let depth = state[k] / model.springs[k].depth;
            if field.touch[k].closed() { depth } else { -depth }
        }
        Event::Approach(k) => field.u[k],
        Event::Turn(k) if field.touch[k] == Touch::Unloading => field.u[k],
        Event::Turn(k) => -field.u[k],
        Event::Slack(k) => {
            let left = 1.0 - model.damping.unwrap_or(0.0) * field.u[k];
            if field.slack[k] { -left } else { left }
        }
        Event::Stop(g) => field.v[g][0] * field.sign[g],
        Event::Slip(g) => grip_margin(field, g, needed),
    }
}

/// How fast the margin of an event grows where the field was last looked at. Of friction nothing is known.
pub(super) fn rate(field: &Field, event: Event) -> Option<f64> {
    let model = &field.model;
    let rate = |k: usize| dot(model.normal(k), &field.acceleration);
    Some(match event {
        Event::Depth(k) => {
            let presses = -field.pace(k) * field.u[k] / model.springs[k].depth;
            if field.touch[k].closed() { presses } else { -presses }
        }
        Event::Approach(k) => rate(k),
        Event::Turn(k) if field.touch[k] == Touch::Unloading => rate(k),
        Event::Turn(k) => -rate(k),
        Event::Slack(k) => {
            let left = -model.damping.unwrap_or(0.0) * rate(k);
            if field.slack[k] { -left } else { left }
        }
        Event::Stop(g) => field.sign[g] * dot(model.tangent(g, 0), &field.acceleration),
        Event::Slip(_) => return None,
    })
}

/// Whether an event that is just met, where the field was last looked at, moves away again. Of friction at its bound nothing
/// is known; a contact without indentation that does not move yet goes where it is accelerated to.
pub(super) fn recedes(field: &Field, event: Event) -> bool {
    match event {
        Event::Depth(k) if field.u[k].abs() <= ZERO => presses(field, k) == field.touch[k].closed(),
        _ => rate(field, event).is_some_and(|rate| rate > 0.0),
    }
}

/// Whether a contact without indentation that does not move is pressed next.
pub(super) fn presses(field: &Field, k: usize) -> bool {
    dot(field.model.normal(k), &field.acceleration) < 0.0
}

/// The least that a sticking grip could still take.
pub(super) fn least_grip(field: &Field, needed: &[f64]) -> f64 {
    let held = field.hold.grips.iter().filter(|&&g| field.model.grips[g].mu.is_finite());
    held.map(|&g| grip_margin(field, g, needed)).fold(f64::INFINITY, f64::min)
}

/// How much friction a sticking grip could still take, relative to the largest force.
fn grip_margin(field: &Field, g: usize, needed: &[f64]) -> f64 {
    let grip = &field.model.grips[g];
    let largest = field.force.iter().fold(f64::MIN_POSITIVE, |m: f64, f| m.max(*f));
    let bound = grip.mu * field.force[grip.contact].max(0.0);
    ((1.0 + EXCESS) * bound - needed[g]) / largest + LEAST_EXCESS
}

/// The friction that every sticking grip needs where the field was last looked at.
pub(super) fn need(field: &Field, needed: &mut [f64]) {
    needed.fill(0.0);
    field.hold.frictions(&field.model, field.hold.pulls(), |g, _, f| {
        needed[g] = length([needed[g], f]);
    });
}

/// Whether the smallest friction with which sticking grips could hold leaves a disc.
pub(super) fn overstrained(field: &Field, needed: &[f64]) -> bool {
    least_grip(field, needed) < 0.0
}

/// Along which a grip that can hold no longer slides off: against the friction it needs.
pub(super) fn leaving(field: &Field, leaver: usize) -> [f64; 2] {
    let mut direction = [0.0; 2];
    field.hold.frictions(&field.model, field.hold.pulls(), |g, c, f| {
        if g == leaver {
            direction[c] = -f;
        }
    });
    let size = length(direction);
    if size > 0.0 { direction.map(|x| x / size) } else { [1.0, 0.0] }
}

/// Sets which way grips with one tangent slide.
pub(super) fn set_signs(field: &mut Field) {
    for g in 0..field.model.grips.len() {
        if field.slip[g] == Slip::Slides && field.v[g][0] != 0.0 {
            field.sign[g] = field.v[g][0].signum();
        }
    }
}
