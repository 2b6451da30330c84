//! A stretch with smoothed friction, where contacts stop and start faster than events can be told apart.

use super::field::Slip;
use super::friction::Cause;
use super::rows::length;
use super::run::{Run, Trouble};
use super::tolerances as tol;
use crate::ImpactError;
use crate::island::Context;

impl Run {
    /// Friction is smoothed for a while.
    pub(crate) fn smoothen(&mut self, residual: f64, context: &Context) -> Result<(), ImpactError> {
        if self.smooth.is_some() {
            let iterations = u32::try_from(self.effort.steps).unwrap_or(u32::MAX);
            return Err(ImpactError::NotConverged { law: context.law, residual, iterations });
        }
        self.effort.smoothed += 1;
        self.smooth = Some(self.time + self.smooth_stretch);
        self.smooth_stretch *= 2.0;
        self.field.smoothing = tol::SMOOTHING;
        for (slip, grip) in self.field.slip.iter_mut().zip(&self.field.model.grips) {
            if grip.mu.is_finite() {
                *slip = Slip::Slides;
            }
        }
        self.friction.hold(&mut self.field, &mut self.state);
        self.field.look(&self.state);
        self.stepper.restart(tol::FIRST_SMOOTHED_STEP);
        Ok(())
    }

    /// Friction is smoothed from the start to the end.
    pub(crate) fn smooth_throughout(&mut self) {
        self.effort.smoothed += 1;
        self.smooth = Some(f64::INFINITY);
        self.field.smoothing = tol::SMOOTHING_THROUGHOUT;
    }

    /// Friction is what it is again.
    pub(crate) fn sharpen(&mut self) -> Result<(), Trouble> {
        self.smooth = None;
        self.field.smoothing = 0.0;
        self.friction.resting.clear();
        for (g, grip) in self.field.model.grips.iter().enumerate() {
            let [a, b] = self.field.v[g];
            let pressed = self.field.touch[grip.contact].closed();
            if pressed && grip.mu.is_finite() && length([a, b]) < tol::STILL_SMOOTHED {
                self.friction.resting.push(g);
            }
        }
        self.stops.fill((f64::NEG_INFINITY, 0));
        self.stepper.restart(tol::FIRST_SMOOTHED_STEP);
        self.decide(Cause::Rest)
    }

    /// The error of an impact without end.
    pub(crate) fn limit(&mut self) -> ImpactError {
        self.endless = true;
        let model = &self.field.model;
        let closed = |k: &usize| self.field.touch[*k].closed();
        let pressed: Vec<usize> = (0..model.len()).filter(closed).collect();
        let approach = self.field.u.iter().fold(0.0, |m: f64, u| m.max(-u)) * model.speed;
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
