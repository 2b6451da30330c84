//! Smoothed friction, where contacts stop and start faster than events can be told apart.

use super::super::dynamics::FrictionMode;
use super::super::rows::length;
use super::super::stick_slip::Undecided;
use super::super::tolerances as tol;
use super::Impact;
use crate::ImpactError;
use crate::island::Context;

/// For how long friction is smoothed.
pub(super) struct Smoothing {
    until: Option<f64>,
    next_stretch: f64,
}

impl Default for Smoothing {
    fn default() -> Self {
        Self { until: None, next_stretch: tol::SMOOTHED_STRETCH }
    }
}

impl Smoothing {
    pub(super) fn is_on(&self) -> bool {
        self.until.is_some()
    }

    pub(super) fn is_throughout(&self) -> bool {
        self.until == Some(f64::INFINITY)
    }

    pub(super) fn ends(&self, time: f64) -> bool {
        self.until.is_some_and(|until| time >= until)
    }
}

impl Impact {
    /// Smooths friction for a while.
    pub(super) fn begin_smoothing(
        &mut self,
        residual: f64,
        context: &Context,
    ) -> Result<(), ImpactError> {
        let Self { dynamics, state, smoothing, .. } = self;
        if smoothing.is_on() {
            let iterations = u32::try_from(self.effort.steps).unwrap_or(u32::MAX);
            return Err(ImpactError::NotConverged { law: context.law, residual, iterations });
        }
        self.effort.smoothed += 1;
        smoothing.until = Some(self.time + smoothing.next_stretch);
        smoothing.next_stretch *= 2.0;
        dynamics.smoothing = tol::SMOOTHING;
        for (mode, contact) in dynamics.friction_mode.iter_mut().zip(&dynamics.model.frictional) {
            if contact.mu.is_finite() {
                *mode = FrictionMode::Slides;
            }
        }
        self.stick_slip.update_sticking(dynamics, state);
        dynamics.evaluate(state);
        self.integrator.set_first_step(tol::FIRST_SMOOTHED_STEP);
        Ok(())
    }

    /// Smooths friction from the start to the end.
    pub(crate) fn smooth_throughout(&mut self) {
        self.effort.smoothed += 1;
        self.smoothing.until = Some(f64::INFINITY);
        self.dynamics.smoothing = tol::SMOOTHING_THROUGHOUT;
    }

    /// Goes back to Coulomb's law; gathers all contacts that creep.
    pub(super) fn end_smoothing(&mut self) -> Undecided {
        let Self { dynamics, stick_slip, .. } = self;
        self.smoothing.until = None;
        dynamics.smoothing = 0.0;
        self.stop_counts.reset();
        self.integrator.set_first_step(tol::FIRST_SMOOTHED_STEP);
        stick_slip.gather((0..dynamics.model.frictional.len()).filter(|&g| {
            let contact = &dynamics.model.frictional[g];
            let pressed = dynamics.normal_mode[contact.index].closed();
            pressed && contact.mu.is_finite() && length(dynamics.slip[g]) < tol::STILL_SMOOTHED
        }))
    }
}
