//! Within the last step.

use super::super::dynamics::Dynamics;
use super::super::events::{self, Event, Linear, margin};
use super::super::tolerances as tol;
use super::{Integrator, Method};
use carom_ode::locate;

/// The last step, ready to be looked into: places are given as parts of it.
pub(crate) struct Interpolant<'a> {
    integrator: &'a mut Integrator,
    pub(crate) dynamics: &'a mut Dynamics,
}

impl Integrator {
    /// Prepares the last step to be looked into.
    pub(crate) fn interpolant<'a>(&'a mut self, dynamics: &'a mut Dynamics) -> Interpolant<'a> {
        if self.method == Method::Explicit {
            self.explicit.prepare(dynamics);
        }
        Interpolant { integrator: self, dynamics }
    }

    /// Shows points on the way of the last step up to where it was cut, the last of them its end.
    pub(crate) fn trace(
        &mut self,
        dynamics: &mut Dynamics,
        mut show: impl FnMut(&Dynamics, &super::State),
    ) {
        let mut step = self.interpolant(dynamics);
        if step.integrator.method == Method::Implicit {
            step.integrator.implicit.prepare();
        }
        for i in 1..tol::TRACE_POINTS {
            let theta = step.integrator.part * f64::from(i) / f64::from(tol::TRACE_POINTS);
            step.integrator.state_at(theta, step.dynamics, true);
            step.dynamics.evaluate(&step.integrator.end);
            show(step.dynamics, &step.integrator.end);
        }
        step.evaluate_end();
        show(step.dynamics, &step.integrator.end);
    }

    /// The state after a part of the last step to `end`, with its impulses or without.
    fn state_at(&mut self, theta: f64, dynamics: &Dynamics, impulses: bool) {
        let out = if impulses { &mut self.end } else { self.end.unknowns_mut() };
        match self.method {
            Method::Explicit => self.explicit.state_at(theta, dynamics, out),
            Method::Implicit => self.implicit.interpolate(theta, out),
        }
    }

    /// Evaluates the state after a part of the last step.
    fn evaluate_at(&mut self, theta: f64, dynamics: &mut Dynamics) {
        self.state_at(theta, dynamics, false);
        dynamics.evaluate(&self.end);
        self.find_required(dynamics);
    }

    /// Evaluates the end of the last step again.
    fn evaluate_end(&mut self, dynamics: &mut Dynamics) {
        match self.method {
            Method::Explicit => self.explicit.end(&mut self.end),
            Method::Implicit => self.end.copy_from_slice(&self.implicit.end),
        }
        dynamics.evaluate(&self.end);
        self.find_required(dynamics);
    }

    /// The nearest of some events where the dynamics were last evaluated.
    pub(crate) fn least_margin(&self, events: &[Event], dynamics: &Dynamics) -> f64 {
        let margins = events
            .iter()
            .map(|&event| margin(dynamics, event, self.end.indentations(), &self.required));
        margins.fold(f64::INFINITY, f64::min)
    }

    /// Shortens the last step, an implicit one, to where the first of these events is met, which were `before` away at its
    /// start and lie behind its end.
    pub(crate) fn shorten(
        &mut self,
        tolerance: f64,
        before: f64,
        events: &[Event],
        dynamics: &mut Dynamics,
    ) {
        let h = self.length;
        let beyond = self.least_margin(events, dynamics);
        let mut at = |theta: f64| {
            self.evaluate_at(theta, dynamics);
            self.least_margin(events, dynamics)
        };
        let mut share = locate([(0.0, before), (1.0, beyond)], tol::EVENT_MARGIN, &mut at);
        let near = [(share - tol::SECANT_SPACING).max(0.0), (share + tol::SECANT_SPACING).min(1.0)];
        let mut speed = (at(near[1]) - at(near[0])) / (near[1] - near[0]);
        // A step that ends there misses the event by what continuous output is off: it is lengthened or shortened along its
        // last slope, or if that is not little, made again.
        let mut last: Option<(f64, f64)> = None;
        for _ in 0..tol::REPEATS {
            self.make(share * h, tolerance, dynamics);
            let miss = self.least_margin(events, dynamics);
            if let Some((other, value)) = last
                && value != miss
            {
                speed = (miss - value) / (share - other);
            }
            last = Some((share, miss));
            let rest = -miss / speed;
            if miss.abs() <= tol::EVENT_MARGIN || !(share + rest > 0.0 && share + rest < 1.0) {
                break;
            }
            share += rest;
            if rest.abs() <= tol::NUDGE {
                self.nudge(rest * h, dynamics);
                break;
            }
        }
    }

    /// Lengthens the last step by so little that everything goes straight.
    fn nudge(&mut self, more: f64, dynamics: &mut Dynamics) {
        dynamics.slope(&self.end, &mut self.slope);
        for (y, slope) in self.end.iter_mut().zip(&self.slope) {
            *y += more * slope;
        }
        self.implicit.end.copy_from_slice(&self.end);
        self.length += more;
        dynamics.evaluate(&self.end);
        self.find_required(dynamics);
    }
}

impl Interpolant<'_> {
    /// Evaluates the forces at a place, and what sticking contacts need there.
    pub(crate) fn evaluate_forces(&mut self, theta: f64) -> &Dynamics {
        let Self { integrator, dynamics } = self;
        if integrator.method == Method::Explicit && integrator.explicit.forces_at(theta, dynamics) {
            integrator.find_required(dynamics);
        } else {
            integrator.evaluate_at(theta, dynamics);
        }
        self.dynamics
    }

    /// The least friction that a sticking contact could still bear where forces were last evaluated.
    pub(crate) fn least_reserve(&self) -> f64 {
        events::least_reserve(self.dynamics, &self.integrator.required)
    }

    /// The margin of an event at a place. Evaluates the forces there only if it must.
    pub(crate) fn margin_at(&mut self, theta: f64, event: Event) -> f64 {
        let Some(Linear { quantity, factor, offset }) = events::linear(self.dynamics, event) else {
            self.evaluate_forces(theta);
            let Integrator { end, required, .. } = &*self.integrator;
            return margin(self.dynamics, event, end.indentations(), required);
        };
        let Integrator { method, explicit, implicit, .. } = &*self.integrator;
        let value = match method {
            Method::Explicit => explicit.value(quantity, self.dynamics, theta),
            Method::Implicit => quantity.of(self.dynamics, |i| implicit.component(i, theta)),
        };
        offset + factor * value
    }

    /// Evaluates the end of the step again.
    pub(crate) fn evaluate_end(&mut self) {
        self.integrator.evaluate_end(self.dynamics);
    }

    /// Ends the step at a place, and evaluates it there.
    pub(crate) fn cut(self, theta: f64, tolerance: f64) {
        let Self { integrator, dynamics } = self;
        match integrator.method {
            Method::Explicit => {
                integrator.explicit.shorten(theta, dynamics);
                integrator.part = theta;
                integrator.evaluate_end(dynamics);
            }
            Method::Implicit => {
                integrator.make(theta * integrator.length, tolerance, dynamics);
            }
        }
    }
}
