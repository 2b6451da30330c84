//! What ends a stretch of smooth motion.

pub(crate) mod detection;
mod plastic_jump;
mod transition;
pub(crate) mod within_step;

use super::dynamics::{Dynamics, FrictionMode, NormalMode};
use super::rows::length;
use super::tolerances as tol;
use crate::laws::normal::lzb::Gaps;
use crate::numerics::dot;

/// Something that contact or contact `.0` may meet.
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
    /// A contact that heads one way stops.
    Stop(usize),
    /// A contact that sticks needs more friction than there is.
    Slip(usize),
}

/// All that can happen until somebody changes what he does. Contacts that stick and can share their load in several ways
/// are left out: no single one of them decides.
pub(crate) fn possible(dynamics: &Dynamics, events: &mut Vec<Event>) {
    let model = &dynamics.model;
    events.clear();
    for (k, normal_mode) in dynamics.normal_mode.iter().enumerate() {
        if *normal_mode == NormalMode::Open && model.gaps == Gaps::Forget {
            events.push(Event::Approach(k));
            continue;
        }
        events.push(Event::Depth(k));
        if normal_mode.closed() && model.turns(k) {
            events.push(Event::Turn(k));
        }
        if normal_mode.closed() && model.damping.is_some() {
            events.push(Event::Slack(k));
        }
    }
    for (g, contact) in model.frictional.iter().enumerate() {
        if dynamics.slides(g) && dynamics.straight[g] && dynamics.smoothing == 0.0 {
            events.push(Event::Stop(g));
        }
        if dynamics.sticks(g) && contact.mu.is_finite() && !dynamics.sticking.redundant {
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
    /// The slip of a contact along its heading.
    Slip(usize),
}

impl Quantity {
    /// Its value, given the unknowns.
    pub(crate) fn of(self, dynamics: &Dynamics, unknown: impl Fn(usize) -> f64) -> f64 {
        let model = &dynamics.model;
        let velocity = |start: f64, row: &[f64]| -> f64 {
            let x = row.iter().enumerate().filter(|(_, b)| **b != 0.0);
            start + x.map(|(i, b)| b * unknown(model.len() + i)).sum::<f64>()
        };
        match self {
            Self::Depth(k) => unknown(k),
            Self::Normal(k) => velocity(model.normal_start[k], model.normal(k)),
            Self::Slip(g) => {
                let along = |c: usize| {
                    dynamics.direction[g][c]
                        * velocity(model.tangent_start[2 * g + c], model.tangent(g, c))
                };
                (0..model.frictional[g].tangents).map(along).sum()
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
pub(crate) fn linear(dynamics: &Dynamics, event: Event) -> Option<Linear> {
    let model = &dynamics.model;
    let (quantity, factor, offset) = match event {
        Event::Depth(k) => {
            let depth = model.springs[k].depth;
            let unit = 1.0 / if dynamics.by_root[k] { f64::sqrt(depth) } else { depth };
            (Quantity::Depth(k), if dynamics.normal_mode[k].closed() { unit } else { -unit }, 0.0)
        }
        Event::Approach(k) => (Quantity::Normal(k), 1.0, 0.0),
        Event::Turn(k) if dynamics.normal_mode[k] == NormalMode::Unloading => {
            (Quantity::Normal(k), 1.0, 0.0)
        }
        Event::Turn(k) => (Quantity::Normal(k), -1.0, 0.0),
        Event::Slack(k) => {
            let sign = if dynamics.clipped[k] { -1.0 } else { 1.0 };
            (Quantity::Normal(k), -sign * model.damping.unwrap_or(0.0), sign)
        }
        Event::Stop(g) => (Quantity::Slip(g), 1.0, 0.0),
        Event::Slip(_) => return None,
    };
    Some(Linear { quantity, factor, offset })
}

/// How far an event is where the dynamics was last looked at, `needed` being the friction that sticking contacts need there;
/// negative beyond it.
#[inline(always)]
pub(crate) fn margin(dynamics: &Dynamics, event: Event, state: &[f64], needed: &[f64]) -> f64 {
    let Some(Linear { quantity, factor, offset }) = linear(dynamics, event) else {
        return match event {
            Event::Slip(g) => relative_reserve(dynamics, g, needed),
            _ => f64::INFINITY,
        };
    };
    let value = match quantity {
        Quantity::Depth(k) if dynamics.by_root[k] => {
            libm::copysign(f64::sqrt(state[k].abs()), state[k])
        }
        Quantity::Depth(k) => state[k],
        Quantity::Normal(k) => dynamics.normal_velocity[k],
        Quantity::Slip(g) => dot(&dynamics.direction[g], &dynamics.slip[g]),
    };
    offset + factor * value
}

/// How fast the margin of an event grows where the dynamics was last looked at. Of friction nothing is known.
#[inline(always)]
pub(crate) fn rate(dynamics: &Dynamics, event: Event, state: &[f64]) -> Option<f64> {
    let model = &dynamics.model;
    let Linear { quantity, factor, .. } = linear(dynamics, event)?;
    Some(
        factor
            * match quantity {
                Quantity::Depth(k) if dynamics.by_root[k] => {
                    -dynamics.pace(k) * dynamics.normal_velocity[k] * 0.5
                        / f64::sqrt(state[k].abs())
                }
                Quantity::Depth(k) => -dynamics.pace(k) * dynamics.normal_velocity[k],
                Quantity::Normal(k) => dot(model.normal(k), &dynamics.acceleration),
                Quantity::Slip(g) => {
                    let along = |c: usize| {
                        dynamics.direction[g][c] * dot(model.tangent(g, c), &dynamics.acceleration)
                    };
                    along(0) + along(1)
                }
            },
    )
}

/// An event is met beyond this: rounding keeps what stands at zero on either side of it, but for roots \[1\].
pub(crate) fn zero(dynamics: &Dynamics, event: Event) -> f64 {
    match event {
        Event::Depth(k) if dynamics.by_root[k] => 0.0,
        _ => tol::ZERO,
    }
}

/// Events no further apart than this are met together \[1\].
pub(crate) fn together(dynamics: &Dynamics, event: Event) -> f64 {
    match event {
        Event::Depth(k) if dynamics.by_root[k] => tol::SAME_ROOT,
        _ => tol::ZERO,
    }
}

/// Whether an event that is just met, where the dynamics was last looked at, moves away again. Of friction at its bound nothing
/// is known; a contact without indentation that does not move yet goes where it is accelerated to.
pub(crate) fn recedes(dynamics: &Dynamics, event: Event, state: &[f64]) -> bool {
    match event {
        Event::Depth(k) if dynamics.normal_velocity[k].abs() <= tol::ZERO => {
            presses(dynamics, k) == dynamics.normal_mode[k].closed()
        }
        _ => rate(dynamics, event, state).is_some_and(|rate| rate > 0.0),
    }
}

/// Whether a contact without indentation that does not move is pressed next.
pub(crate) fn presses(dynamics: &Dynamics, k: usize) -> bool {
    dot(dynamics.model.normal(k), &dynamics.acceleration) < 0.0
}

/// The least that a sticking contact could still take.
pub(crate) fn least_reserve(dynamics: &Dynamics, needed: &[f64]) -> f64 {
    let held =
        dynamics.sticking.contacts.iter().filter(|&&g| dynamics.model.frictional[g].mu.is_finite());
    let least = held.map(|&g| reserve(dynamics, g, needed)).fold(f64::INFINITY, f64::min);
    least / largest(dynamics) + tol::SLIP_EXCESS_FLOOR
}

/// How much friction a sticking contact could still take, relative to the largest force.
fn relative_reserve(dynamics: &Dynamics, g: usize, needed: &[f64]) -> f64 {
    reserve(dynamics, g, needed) / largest(dynamics) + tol::SLIP_EXCESS_FLOOR
}

/// The same as a force.
fn reserve(dynamics: &Dynamics, g: usize, needed: &[f64]) -> f64 {
    let contact = &dynamics.model.frictional[g];
    (1.0 + tol::SLIP_EXCESS) * contact.mu * dynamics.force[contact.index].max(0.0) - needed[g]
}

/// The largest force, some in any case.
fn largest(dynamics: &Dynamics) -> f64 {
    dynamics.force.iter().fold(f64::MIN_POSITIVE, |m: f64, f| m.max(*f))
}

/// The friction that every sticking contact needs where the dynamics was last looked at.
pub(crate) fn required_friction(dynamics: &Dynamics, needed: &mut [f64]) {
    needed.fill(0.0);
    dynamics
        .sticking
        .frictions(&dynamics.model, dynamics.sticking.reactions(), |g, _, f| needed[g] += f * f);
    dynamics.sticking.contacts.iter().for_each(|&g| needed[g] = f64::sqrt(needed[g]));
}

/// The largest part of the friction it has that a sticking contact needs.
pub(crate) fn strain(dynamics: &Dynamics, needed: &[f64]) -> f64 {
    let held = dynamics.sticking.contacts.iter().map(|&g| (g, &dynamics.model.frictional[g]));
    let parts = held.map(|(g, contact)| match needed[g] {
        0.0 => 0.0,
        needed => needed / (contact.mu * dynamics.force[contact.index].max(0.0)),
    });
    parts.fold(0.0, f64::max)
}

/// Whether the smallest friction with which sticking contacts could hold leaves a disc.
pub(crate) fn beyond_bounds(dynamics: &Dynamics, needed: &[f64]) -> bool {
    least_reserve(dynamics, needed) < 0.0
}

/// Along which a contact that can hold no longer slides off: against the friction it needs.
pub(crate) fn leaving(dynamics: &Dynamics, leaver: usize) -> [f64; 2] {
    let mut direction = [0.0; 2];
    dynamics.sticking.frictions(&dynamics.model, dynamics.sticking.reactions(), |g, c, f| {
        if g == leaver {
            direction[c] = -f;
        }
    });
    let size = length(direction);
    if size > 0.0 { direction.map(|x| x / size) } else { [1.0, 0.0] }
}

/// Sets which way contacts with one tangent slide; others turn as they like.
pub(crate) fn set_headings(dynamics: &mut Dynamics) {
    for (g, contact) in dynamics.model.frictional.iter().enumerate() {
        dynamics.straight[g] = contact.tangents == 1;
        if dynamics.straight[g]
            && dynamics.friction_mode[g] == FrictionMode::Slides
            && dynamics.slip[g][0] != 0.0
        {
            dynamics.direction[g] = [dynamics.slip[g][0].signum(), 0.0];
        }
    }
}
