//! What ends a stretch of smooth motion.

use super::field::{Field, Slip, Touch};
use super::rows::length;
use super::tolerances as tol;
use crate::laws::normal::lzb::Gaps;
use crate::numerics::dot;

/// Something that contact or grip `.0` may meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    /// A contact opens, or has closed its gap.
    Depth(usize),
    /// An open contact that forgets gaps approaches.
    Approach(usize),
    /// A pressed contact stops approaching, or approaches again.
    Turn(usize),
    /// Hunt and Crossley's force vanishes, or comes back.
    Slack(usize),
    /// A grip that heads one way stops.
    Stop(usize),
    /// A grip that sticks needs more friction than there is.
    Slip(usize),
}

/// All that can happen until somebody changes what he does. Grips that stick and can share their load in several ways
/// are left out: no single one of them decides.
pub(crate) fn possible(field: &Field, events: &mut Vec<Event>) {
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
        if field.slides(g) && field.heads[g] && field.smoothing == 0.0 {
            events.push(Event::Stop(g));
        }
        if field.sticks(g) && grip.mu.is_finite() && !field.hold.redundant {
            events.push(Event::Slip(g));
        }
    }
}

/// A quantity that is linear in the unknowns.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Quantity {
    /// The indentation of a contact, or its root where that is followed.
    Depth(usize),
    /// The velocity of a contact along its normal.
    Normal(usize),
    /// The slip of a grip along its heading.
    Slip(usize),
}

impl Quantity {
    /// Its value, given the unknowns.
    pub(crate) fn of(self, field: &Field, unknown: impl Fn(usize) -> f64) -> f64 {
        let model = &field.model;
        let velocity = |start: f64, row: &[f64]| -> f64 {
            let x = row.iter().enumerate().filter(|(_, b)| **b != 0.0);
            start + x.map(|(i, b)| b * unknown(model.len() + i)).sum::<f64>()
        };
        match self {
            Self::Depth(k) => unknown(k),
            Self::Normal(k) => velocity(model.normal_start[k], model.normal(k)),
            Self::Slip(g) => {
                let along = |c: usize| {
                    field.heading[g][c]
                        * velocity(model.tangent_start[2 * g + c], model.tangent(g, c))
                };
                (0..model.grips[g].tangents).map(along).sum()
            }
        }
    }
}

/// What the margin of an event is, where it is linear in the unknowns: `offset + factor × quantity`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Linear {
    pub(crate) quantity: Quantity,
    pub(crate) factor: f64,
    pub(crate) offset: f64,
}

/// Of all events friction at its bound alone is not linear in the unknowns.
#[inline(always)]
pub(crate) fn linear(field: &Field, event: Event) -> Option<Linear> {
    let model = &field.model;
    let (quantity, factor, offset) = match event {
        Event::Depth(k) => {
            let depth = model.springs[k].depth;
            let unit = 1.0 / if field.rooted[k] { f64::sqrt(depth) } else { depth };
            (Quantity::Depth(k), if field.touch[k].closed() { unit } else { -unit }, 0.0)
        }
        Event::Approach(k) => (Quantity::Normal(k), 1.0, 0.0),
        Event::Turn(k) if field.touch[k] == Touch::Unloading => (Quantity::Normal(k), 1.0, 0.0),
        Event::Turn(k) => (Quantity::Normal(k), -1.0, 0.0),
        Event::Slack(k) => {
            let sign = if field.slack[k] { -1.0 } else { 1.0 };
            (Quantity::Normal(k), -sign * model.damping.unwrap_or(0.0), sign)
        }
        Event::Stop(g) => (Quantity::Slip(g), 1.0, 0.0),
        Event::Slip(_) => return None,
    };
    Some(Linear { quantity, factor, offset })
}

/// How far an event is where the field was last looked at, `needed` being the friction that sticking grips need there;
/// negative beyond it.
#[inline(always)]
pub(crate) fn margin(field: &Field, event: Event, state: &[f64], needed: &[f64]) -> f64 {
    let Some(Linear { quantity, factor, offset }) = linear(field, event) else {
        return match event {
            Event::Slip(g) => grip_margin(field, g, needed),
            _ => f64::INFINITY,
        };
    };
    let value = match quantity {
        Quantity::Depth(k) if field.rooted[k] => {
            libm::copysign(f64::sqrt(state[k].abs()), state[k])
        }
        Quantity::Depth(k) => state[k],
        Quantity::Normal(k) => field.u[k],
        Quantity::Slip(g) => dot(&field.heading[g], &field.v[g]),
    };
    offset + factor * value
}

/// How fast the margin of an event grows where the field was last looked at. Of friction nothing is known.
#[inline(always)]
pub(crate) fn rate(field: &Field, event: Event, state: &[f64]) -> Option<f64> {
    let model = &field.model;
    let Linear { quantity, factor, .. } = linear(field, event)?;
    Some(
        factor
            * match quantity {
                Quantity::Depth(k) if field.rooted[k] => {
                    -field.pace(k) * field.u[k] * 0.5 / f64::sqrt(state[k].abs())
                }
                Quantity::Depth(k) => -field.pace(k) * field.u[k],
                Quantity::Normal(k) => dot(model.normal(k), &field.acceleration),
                Quantity::Slip(g) => {
                    let along = |c: usize| {
                        field.heading[g][c] * dot(model.tangent(g, c), &field.acceleration)
                    };
                    along(0) + along(1)
                }
            },
    )
}

/// An event is met beyond this: rounding keeps what stands at zero on either side of it, but for roots \[1\].
pub(crate) fn zero(field: &Field, event: Event) -> f64 {
    match event {
        Event::Depth(k) if field.rooted[k] => 0.0,
        _ => tol::ZERO,
    }
}

/// Events no further apart than this are met together \[1\].
pub(crate) fn together(field: &Field, event: Event) -> f64 {
    match event {
        Event::Depth(k) if field.rooted[k] => tol::SAME_ROOT,
        _ => tol::ZERO,
    }
}

/// Whether an event that is just met, where the field was last looked at, moves away again. Of friction at its bound nothing
/// is known; a contact without indentation that does not move yet goes where it is accelerated to.
pub(crate) fn recedes(field: &Field, event: Event, state: &[f64]) -> bool {
    match event {
        Event::Depth(k) if field.u[k].abs() <= tol::ZERO => {
            presses(field, k) == field.touch[k].closed()
        }
        _ => rate(field, event, state).is_some_and(|rate| rate > 0.0),
    }
}

/// Whether a contact without indentation that does not move is pressed next.
pub(crate) fn presses(field: &Field, k: usize) -> bool {
    dot(field.model.normal(k), &field.acceleration) < 0.0
}

/// The least that a sticking grip could still take.
pub(crate) fn least_grip(field: &Field, needed: &[f64]) -> f64 {
    let held = field.hold.grips.iter().filter(|&&g| field.model.grips[g].mu.is_finite());
    let least = held.map(|&g| grip_left(field, g, needed)).fold(f64::INFINITY, f64::min);
    least / largest(field) + tol::SLIP_EXCESS_FLOOR
}

/// How much friction a sticking grip could still take, relative to the largest force.
fn grip_margin(field: &Field, g: usize, needed: &[f64]) -> f64 {
    grip_left(field, g, needed) / largest(field) + tol::SLIP_EXCESS_FLOOR
}

/// The same as a force.
fn grip_left(field: &Field, g: usize, needed: &[f64]) -> f64 {
    let grip = &field.model.grips[g];
    (1.0 + tol::SLIP_EXCESS) * grip.mu * field.force[grip.contact].max(0.0) - needed[g]
}

/// The largest force, some in any case.
fn largest(field: &Field) -> f64 {
    field.force.iter().fold(f64::MIN_POSITIVE, |m: f64, f| m.max(*f))
}

/// The friction that every sticking grip needs where the field was last looked at.
pub(crate) fn need(field: &Field, needed: &mut [f64]) {
    needed.fill(0.0);
    field.hold.frictions(&field.model, field.hold.pulls(), |g, _, f| needed[g] += f * f);
    field.hold.grips.iter().for_each(|&g| needed[g] = f64::sqrt(needed[g]));
}

/// The largest part of the friction it has that a sticking grip needs.
pub(crate) fn strain(field: &Field, needed: &[f64]) -> f64 {
    let held = field.hold.grips.iter().map(|&g| (g, &field.model.grips[g]));
    let parts = held.map(|(g, grip)| match needed[g] {
        0.0 => 0.0,
        needed => needed / (grip.mu * field.force[grip.contact].max(0.0)),
    });
    parts.fold(0.0, f64::max)
}

/// Whether the smallest friction with which sticking grips could hold leaves a disc.
pub(crate) fn overstrained(field: &Field, needed: &[f64]) -> bool {
    least_grip(field, needed) < 0.0
}

/// Along which a grip that can hold no longer slides off: against the friction it needs.
pub(crate) fn leaving(field: &Field, leaver: usize) -> [f64; 2] {
    let mut direction = [0.0; 2];
    field.hold.frictions(&field.model, field.hold.pulls(), |g, c, f| {
        if g == leaver {
            direction[c] = -f;
        }
    });
    let size = length(direction);
    if size > 0.0 { direction.map(|x| x / size) } else { [1.0, 0.0] }
}

/// Sets which way grips with one tangent slide; others turn as they like.
pub(crate) fn set_headings(field: &mut Field) {
    for (g, grip) in field.model.grips.iter().enumerate() {
        field.heads[g] = grip.tangents == 1;
        if field.heads[g] && field.slip[g] == Slip::Slides && field.v[g][0] != 0.0 {
            field.heading[g] = [field.v[g][0].signum(), 0.0];
        }
    }
}
