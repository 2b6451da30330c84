//! What events do to the modes of contacts.

use super::super::dynamics::{FrictionMode, NormalMode};
use super::super::events::{self, Event, LocatedEvents};
use super::super::rows::length;
use super::super::stick_slip::{Trigger, Undecided};
use super::super::tolerances as tol;
use super::{Breakdown, Impact};

impl Impact {
    /// Applies events at the state, at which the dynamics were evaluated. Contacts that may be at rest then are gathered.
    pub(super) fn apply_events(
        &mut self,
        located: LocatedEvents,
    ) -> Result<Option<Undecided>, Breakdown> {
        let Self { dynamics, state, integrator, jumps, .. } = self;
        let (mut pressed, mut stopped, mut slips) = (false, false, None);
        jumps.foresee(&located, dynamics, state, &mut self.effort.smoothed);
        for event in located.iter() {
            match event {
                Event::Depth(k) | Event::Approach(k) => {
                    state.indentations_mut()[k] = 0.0;
                    dynamics.clipped[k] = false;
                    let closes = match dynamics.normal_velocity[k].abs() <= tol::ZERO {
                        true => events::presses(dynamics, k),
                        false => !dynamics.normal_mode[k].closed(),
                    };
                    dynamics.normal_mode[k] =
                        if closes { NormalMode::Loading } else { NormalMode::Open };
                    pressed = true;
                    if let Some(g) = dynamics.model.springs[k].frictional {
                        dynamics.friction_mode[g] = FrictionMode::Slides;
                    }
                    if closes {
                        integrator.expect_closing(dynamics, k);
                    }
                }
                Event::Turn(k) => match dynamics.normal_mode[k] {
                    // It has opened at the same instant.
                    NormalMode::Open => {}
                    NormalMode::Unloading => dynamics.normal_mode[k] = NormalMode::Loading,
                    NormalMode::Loading if events::jumps(dynamics, k) => {}
                    NormalMode::Loading => dynamics.normal_mode[k] = NormalMode::Unloading,
                },
                Event::Clip(k) => dynamics.clipped[k] = !dynamics.clipped[k],
                Event::Stop(g) => {
                    self.stop_counts.count(g, self.time)?;
                    dynamics.friction_mode[g] = FrictionMode::Sticks;
                    stopped = true;
                }
                Event::Slip(g) => {
                    slips = Some(Trigger::Slip(g, events::slip_off_direction(dynamics, g)));
                }
            }
        }
        self.detector.recycle(located);
        pressed |= jumps.apply(dynamics, state, integrator);
        dynamics.evaluate(state);
        if pressed {
            return Ok(self.gather_pressed());
        }
        // Forces that jump may be more, or less, than what sticks can bear.
        let decides = stopped || slips.is_some() || !jumps.is_empty();
        if !decides || self.smoothing.is_on() {
            return Ok(None);
        }
        let undecided = self.gather_stopped(None, 0.0);
        // Among others that rest the equations decide which moves.
        let alone = self.stick_slip.resting().len() == self.dynamics.sticking.contacts.len();
        Ok(Some(match slips {
            Some(slips) if alone => undecided.because(slips),
            _ => undecided,
        }))
    }

    /// Contacts have begun to press, or to stick: gathers all pressed contacts without slip, if there are contacts with friction.
    /// The dynamics must have been evaluated.
    pub(super) fn gather_pressed(&mut self) -> Option<Undecided> {
        let Self { dynamics, state, stick_slip, .. } = self;
        if dynamics.model.frictional.is_empty() {
            return None;
        }
        if dynamics.model.frictional.iter().any(|contact| contact.mu == f64::INFINITY) {
            stick_slip.stop_infinite_friction(dynamics, state);
            dynamics.evaluate(state);
        }
        if self.smoothing.is_on() {
            stick_slip.update_sticking(dynamics, state);
            return None;
        }
        Some(stick_slip.gather((0..dynamics.model.frictional.len()).filter(|&g| {
            let contact = &dynamics.model.frictional[g];
            // Redundant contacts that stuck have not moved, up to rounding.
            let still = dynamics.friction_mode[g] == FrictionMode::Sticks
                || length(dynamics.slip[g]) <= tol::STILL_CLOSING.max(dynamics.sticking.drift());
            let pressed = dynamics.normal_mode[contact.index].closed() && contact.mu.is_finite();
            if pressed && !still {
                dynamics.friction_mode[g] = FrictionMode::Slides;
            }
            pressed && still
        })))
    }
}
