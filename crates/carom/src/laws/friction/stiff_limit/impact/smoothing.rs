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
    /// How strong it is, where slip crept for long: that entry of [`tol::HASTY_SMOOTHING`].
    hasty: Option<usize>,
}

impl Default for Smoothing {
    fn default() -> Self {
        Self { until: None, next_stretch: tol::SMOOTHED_STRETCH, hasty: None }
    }
}

impl Smoothing {
    pub(super) fn is_on(&self) -> bool {
        self.until.is_some()
    }

    /// The speed below which approaches are stopped because friction is smoothed so much.
    pub(super) fn tail(&self) -> Option<f64> {
        self.hasty.map(|level| tol::HASTY_TAIL * tol::HASTY_SMOOTHING[level].0)
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
        let Self { dynamics, smoothing, .. } = self;
        if smoothing.is_on() {
            let iterations = u32::try_from(self.effort.steps).unwrap_or(u32::MAX);
            return Err(ImpactError::NotConverged { law: context.law, residual, iterations });
        }
        smoothing.until = Some(self.time + smoothing.next_stretch);
        smoothing.next_stretch *= 2.0;
        dynamics.smoothing = tol::SMOOTHING;
        self.let_slide();
        Ok(())
    }

    /// How strongly friction has to be smoothed from here on, if more than it is.
    pub(super) fn haste(&self) -> Option<usize> {
        let spent = self.spent() / self.budget;
        let Some(level) = self.smoothing.hasty else {
            let creeping = self.share().max(tol::CREEPING_SHARE) * self.creeping as f64;
            let hurries = creeping > tol::CREEPING * self.budget || spent > tol::LATE;
            return (hurries && !self.smoothing.is_on()).then_some(0);
        };
        let next = tol::HASTY_SMOOTHING.get(level + 1);
        next.is_some_and(|(_, part)| spent > *part).then_some(level + 1)
    }

    /// Smooths friction from here to the end, so much that slip which creeps need not be followed.
    pub(super) fn smooth_the_rest(&mut self, level: usize) {
        self.smoothing =
            Smoothing { until: Some(f64::INFINITY), hasty: Some(level), ..Smoothing::default() };
        self.dynamics.smoothing = tol::HASTY_SMOOTHING[level].0;
        self.let_slide();
    }

    /// All contacts slide, however slowly: smoothed friction knows no others.
    fn let_slide(&mut self) {
        self.effort.smoothed += 1;
        let Self { dynamics, state, .. } = self;
        for (mode, contact) in dynamics.friction_mode.iter_mut().zip(&dynamics.model.frictional) {
            if contact.mu.is_finite() {
                *mode = FrictionMode::Slides;
            }
        }
        self.stick_slip.update_sticking(dynamics, state);
        dynamics.evaluate(state);
        self.integrator.set_first_step(tol::FIRST_SMOOTHED_STEP);
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
