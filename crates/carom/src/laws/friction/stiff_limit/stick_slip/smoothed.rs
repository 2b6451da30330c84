//! A stretch with smoothed friction, where contacts stop and start faster than events can be told apart.

use super::super::dynamics::FrictionMode;
use super::super::impact::{Breakdown, Impact};
use super::super::rows::length;
use super::super::stick_slip::Trigger;
use super::super::tolerances as tol;
use crate::ImpactError;
use crate::island::Context;

impl Impact {
    /// Friction is smoothed for a while.
    pub(crate) fn begin_smoothing(
        &mut self,
        residual: f64,
        context: &Context,
    ) -> Result<(), ImpactError> {
        if self.smooth.is_some() {
            let iterations = u32::try_from(self.effort.steps).unwrap_or(u32::MAX);
            return Err(ImpactError::NotConverged { law: context.law, residual, iterations });
        }
        self.effort.smoothed += 1;
        self.smooth = Some(self.time + self.smooth_stretch);
        self.smooth_stretch *= 2.0;
        self.dynamics.smoothing = tol::SMOOTHING;
        for (slip, contact) in
            self.dynamics.friction_mode.iter_mut().zip(&self.dynamics.model.frictional)
        {
            if contact.mu.is_finite() {
                *slip = FrictionMode::Slides;
            }
        }
        self.friction.sticking(&mut self.dynamics, &mut self.state);
        self.dynamics.evaluate(&self.state);
        self.integrator.restart(tol::FIRST_SMOOTHED_STEP);
        Ok(())
    }

    /// Friction is smoothed from the start to the end.
    pub(crate) fn smooth_throughout(&mut self) {
        self.effort.smoothed += 1;
        self.smooth = Some(f64::INFINITY);
        self.dynamics.smoothing = tol::SMOOTHING_THROUGHOUT;
    }

    /// Friction is what it is again.
    pub(crate) fn sharpen(&mut self) -> Result<(), Breakdown> {
        self.smooth = None;
        self.dynamics.smoothing = 0.0;
        self.friction.resting.clear();
        for (g, contact) in self.dynamics.model.frictional.iter().enumerate() {
            let [a, b] = self.dynamics.slip[g];
            let pressed = self.dynamics.normal_mode[contact.index].closed();
            if pressed && contact.mu.is_finite() && length([a, b]) < tol::STILL_SMOOTHED {
                self.friction.resting.push(g);
            }
        }
        self.stops.fill((f64::NEG_INFINITY, 0));
        self.integrator.restart(tol::FIRST_SMOOTHED_STEP);
        self.decide(Trigger::Rest)
    }

    /// The error of an impact without end.
    pub(crate) fn limit(&mut self) -> ImpactError {
        self.endless = true;
        let model = &self.dynamics.model;
        let closed = |k: &usize| self.dynamics.normal_mode[*k].closed();
        let pressed: Vec<usize> = (0..model.len()).filter(closed).collect();
        let approach =
            self.dynamics.normal_velocity.iter().fold(0.0, |m: f64, u| m.max(-u)) * model.speed;
        let unit = model.speed * model.speed / model.response;
        let stored: f64 =
            pressed.iter().map(|&k| model.stored(k, self.state[k])).sum::<f64>() * unit;
        ImpactError::Limit(format!(
            "no end after {} steps and {} events: contacts {pressed:?} of the island still press, \
             store {stored:e} J and approach at up to {approach:e} m/s; bodies wedged between others ring for ever",
            self.effort.steps, self.effort.events
        ))
    }
}
