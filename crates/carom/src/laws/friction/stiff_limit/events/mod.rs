//! What ends smooth motion: which events can happen, how far they are, and (in [`detection`]) which comes first.

mod detection;
mod plastic_jump;
mod reserve;
mod within_step;

pub(crate) use detection::{Crossings, Detector, LocatedEvents, LocatedStep, Survey};
pub(crate) use plastic_jump::{PlasticJumps, jumps};
pub(crate) use reserve::{
    beyond_bounds, least_reserve, required_friction, slip_off_direction, utilization,
};

use super::dynamics::{Dynamics, NormalMode};
use super::tolerances as tol;
use crate::laws::normal::lzb::Gaps;
use crate::numerics::dot;

/// Something that may happen to contact `.0`; `Stop` and `Slip` count among contacts with friction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    /// A contact opens, or has closed its gap.
    Depth(usize),
    /// An open contact that forgets gaps approaches.
    Approach(usize),
    /// A pressed contact stops approaching, or approaches again.
    Turn(usize),
    /// Hunt and Crossley's force vanishes, or comes back.
    Clip(usize),
    /// Straight slip ends.
    Stop(usize),
    /// A contact that sticks needs more friction than there is.
    Slip(usize),
}

/// All that can happen until a mode changes. The slip of contacts that stick redundantly is left out: no single one of them
/// decides it.
fn possible(dynamics: &Dynamics, events: &mut Vec<Event>) {
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
            events.push(Event::Clip(k));
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
    /// The slip of a contact along its direction.
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
        Event::Clip(k) => {
            let sign = if dynamics.clipped[k] { -1.0 } else { 1.0 };
            (Quantity::Normal(k), -sign * model.damping.unwrap_or(0.0), sign)
        }
        Event::Stop(g) => (Quantity::Slip(g), 1.0, 0.0),
        Event::Slip(_) => return None,
    };
    Some(Linear { quantity, factor, offset })
}

/// How far an event is where the dynamics were last evaluated, `required` being the friction that sticking contacts need there;
/// negative beyond it.
#[inline(always)]
pub(crate) fn margin(
    dynamics: &Dynamics,
    event: Event,
    indentations: &[f64],
    required: &[f64],
) -> f64 {
    let Some(Linear { quantity, factor, offset }) = linear(dynamics, event) else {
        return match event {
            Event::Slip(g) => reserve::relative_reserve(dynamics, g, required),
            _ => f64::INFINITY,
        };
    };
    let value = match quantity {
        Quantity::Depth(k) if dynamics.by_root[k] => {
            libm::copysign(f64::sqrt(indentations[k].abs()), indentations[k])
        }
        Quantity::Depth(k) => indentations[k],
        Quantity::Normal(k) => dynamics.normal_velocity[k],
        Quantity::Slip(g) => dot(&dynamics.direction[g], &dynamics.slip[g]),
    };
    offset + factor * value
}

/// How fast the margin of an event grows where the dynamics were last evaluated. Of friction that is not known.
#[inline(always)]
pub(crate) fn rate(dynamics: &Dynamics, event: Event, indentations: &[f64]) -> Option<f64> {
    let model = &dynamics.model;
    let Linear { quantity, factor, .. } = linear(dynamics, event)?;
    Some(
        factor
            * match quantity {
                Quantity::Depth(k) if dynamics.by_root[k] => {
                    -dynamics.pace(k) * dynamics.normal_velocity[k] * 0.5
                        / f64::sqrt(indentations[k].abs())
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
fn zero(dynamics: &Dynamics, event: Event) -> f64 {
    match event {
        Event::Depth(k) if dynamics.by_root[k] => 0.0,
        _ => tol::ZERO,
    }
}

/// Events no further apart than this are met together \[1\].
fn same(dynamics: &Dynamics, event: Event) -> f64 {
    match event {
        Event::Depth(k) if dynamics.by_root[k] => tol::SAME_ROOT,
        _ => tol::ZERO,
    }
}

/// Whether an event that is just met moves away again. Of friction at its bound that is not known; a contact without indentation
/// that does not move yet goes where it is accelerated to.
fn recedes(dynamics: &Dynamics, event: Event, indentations: &[f64]) -> bool {
    match event {
        Event::Depth(k) if dynamics.normal_velocity[k].abs() <= tol::ZERO => {
            presses(dynamics, k) == dynamics.normal_mode[k].closed()
        }
        _ => rate(dynamics, event, indentations).is_some_and(|rate| rate > 0.0),
    }
}

/// Whether a contact without indentation that does not move is pressed next.
pub(crate) fn presses(dynamics: &Dynamics, k: usize) -> bool {
    dot(dynamics.model.normal(k), &dynamics.acceleration) < 0.0
}

#[cfg(test)]
mod tests {
    use super::super::tests::pressed_block;
    use super::*;

    /// Depths are `1` for a spring and a response of one. A pressed contact that sinks goes away from its opening; one with a
    /// gap of 0.04 closes it in 0.04; slip of 0.6 that is slowed by 0.0665 ends.
    #[test]
    fn margins_and_their_rates() {
        let (mut dynamics, mut state) = pressed_block();
        dynamics.normal_mode[1] = NormalMode::Open;
        state.indentations_mut()[1] = -0.04;
        dynamics.evaluate(&state);
        let d = state.indentations();
        let both = |event| (margin(&dynamics, event, d, &[0.0; 2]), rate(&dynamics, event, d));
        assert_eq!(both(Event::Depth(0)), (0.25, Some(1.0)));
        assert_eq!(both(Event::Depth(1)), (0.04, Some(-1.0)));
        assert_eq!(both(Event::Turn(0)), (1.0, Some(-0.125)));
        assert_eq!(both(Event::Stop(0)), (0.6, Some(-0.0625)));
        let mut events = Vec::new();
        possible(&dynamics, &mut events);
        assert_eq!(events, [Event::Depth(0), Event::Turn(0), Event::Depth(1), Event::Stop(0)]);
    }
}
