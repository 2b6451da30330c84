//! Finds the first event of a step.
//!
//! The order of calls is that of the types: a [`Survey`] before a step, [`Detector::crossings`] once it was tried, and of an
//! [`Accepted`] step [`Detector::locate`] makes a [`LocatedStep`], which ends at its first events.

use super::super::dynamics::Dynamics;
use super::super::integration::{Accepted, Integrator, Method, StepPlan};
use super::super::state::State;
use super::super::tolerances as tol;
use super::within_step::Suspect;
use super::{Event, least_reserve, margin, possible, rate, recedes, same, zero};
use crate::numerics::dot;
use carom_ode::locate;

/// An event at the start of a step.
#[derive(Clone, Copy)]
pub(crate) struct EventAtStart {
    /// How far it is.
    pub(crate) margin: f64,
    /// How fast that grows in the time of the method, where it is known.
    pub(crate) rate: Option<f64>,
    /// Whether it is met there and moves away.
    recedes: bool,
}

/// What is known before a step.
pub(crate) struct Survey {
    /// How much more friction sticking contacts could bear, see [`least_reserve`].
    pub(crate) reserve: f64,
    /// After which time something happens if all goes straight.
    pub(crate) until: f64,
}

/// What a step that was tried has met.
pub(crate) enum Crossings {
    /// Events inside the step, or none.
    Inside,
    /// Events where it starts.
    AtStart(LocatedEvents),
    /// Events that were met where it starts, moved away and came back: it is too long.
    Returned,
}

/// Events that happen at the state, for [`Impact`](super::super::impact::Impact) to apply. Only a [`Detector`] makes them.
#[must_use]
pub(crate) struct LocatedEvents(Vec<Event>);

impl LocatedEvents {
    pub(crate) fn iter(&self) -> impl Iterator<Item = Event> {
        self.0.iter().copied()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// A step that ends at its first events, if it has some.
#[must_use]
pub(crate) struct LocatedStep {
    pub(crate) events: LocatedEvents,
    /// The part of the step that was made.
    pub(crate) part: f64,
}

/// The events that can happen, and how far they are.
pub(crate) struct Detector {
    pub(super) possible: Vec<Event>,
    pub(super) at_start: Vec<EventAtStart>,
    /// Slips where the step starts.
    slips: Vec<[f64; 2]>,
    /// What may have been met within the last step.
    pub(super) suspects: Vec<Suspect>,
    crossed: Vec<Event>,
}

impl Detector {
    pub(crate) fn new(frictional: usize) -> Self {
        Self {
            possible: Vec::new(),
            at_start: Vec::new(),
            slips: vec![[0.0; 2]; frictional],
            suspects: Vec::new(),
            crossed: Vec::new(),
        }
    }

    /// Modes have changed.
    pub(crate) fn restart(&mut self, dynamics: &Dynamics) {
        possible(dynamics, &mut self.possible);
    }

    /// The slip of a contact goes straight to its end.
    pub(crate) fn watch_stop(&mut self, g: usize) {
        self.possible.push(Event::Stop(g));
    }

    /// It does not any more.
    pub(crate) fn ignore_stop(&mut self, g: usize) {
        self.possible.retain(|event| *event != Event::Stop(g));
    }

    /// Takes back the memory of events that were applied.
    pub(crate) fn recycle(&mut self, LocatedEvents(events): LocatedEvents) {
        self.crossed = events;
    }

    fn located(&mut self) -> LocatedEvents {
        LocatedEvents(std::mem::take(&mut self.crossed))
    }

    /// Takes down where events are as a step begins.
    pub(crate) fn survey(
        &mut self,
        dynamics: &Dynamics,
        integrator: &mut Integrator,
        state: &State,
    ) -> Survey {
        integrator.find_required(dynamics);
        let pace = integrator.pace(dynamics, state);
        let mut until = f64::INFINITY;
        self.at_start.clear();
        let indentations = state.indentations();
        for &event in &self.possible {
            let now = margin(dynamics, event, indentations, &integrator.required);
            let rate = rate(dynamics, event, indentations);
            if let Some(rate) = rate.filter(|rate| *rate < 0.0 && now > 0.0) {
                until = until.min(-now / rate);
            }
            let rate = rate.map(|rate| rate * pace);
            let recedes = now <= 0.0 && recedes(dynamics, event, indentations);
            self.at_start.push(EventAtStart { margin: now, rate, recedes });
        }
        self.slips.copy_from_slice(&dynamics.slip);
        Survey { reserve: least_reserve(dynamics, &integrator.required), until }
    }

    /// Whether some slip has turned by more than a right angle over the step that was tried: it has passed a stop.
    pub(crate) fn passed_a_stop(&self, dynamics: &Dynamics) -> bool {
        if dynamics.smoothing > 0.0 {
            return false;
        }
        let least = dynamics.least_force();
        let contacts = dynamics.model.frictional.iter().enumerate();
        contacts.filter(|(g, _)| dynamics.slides(*g) && !dynamics.straight[*g]).any(
            |(g, contact)| {
                dynamics.force[contact.index] > least
                    && dot(&self.slips[g], &dynamics.slip[g]) < 0.0
            },
        )
    }

    /// What the step that was tried has met.
    pub(crate) fn crossings(&mut self, dynamics: &Dynamics, integrator: &Integrator) -> Crossings {
        self.crossed.clear();
        let (mut at_start, mut returned) = (false, false);
        for (&event, &EventAtStart { margin: before, recedes, .. }) in
            self.possible.iter().zip(&self.at_start)
        {
            let after =
                margin(dynamics, event, integrator.end.indentations(), &integrator.required);
            // What others did may have pushed it a little beyond an event from which it moves away.
            if after >= -zero(dynamics, event) || recedes && after > before {
                continue;
            }
            returned |= recedes;
            let starts = before <= 0.0;
            if starts && !at_start {
                self.crossed.clear();
                at_start = true;
            }
            if starts == at_start {
                self.crossed.push(event);
            }
        }
        match (returned, at_start) {
            (true, _) => Crossings::Returned,
            (false, true) => Crossings::AtStart(self.located()),
            (false, false) => Crossings::Inside,
        }
    }

    /// Events that move away where the step starts come back before anything else moves: they are met there.
    pub(crate) fn expect_returns(&mut self) {
        self.at_start.iter_mut().for_each(|event| event.recedes = false);
    }

    /// Ends a step at its first event, if it has one.
    pub(crate) fn locate(
        &mut self,
        step: Accepted,
        plan: &StepPlan,
        survey: &Survey,
        integrator: &mut Integrator,
        dynamics: &mut Dynamics,
        state: &State,
    ) -> LocatedStep {
        integrator.keep(step);
        let part = match plan.method {
            Method::Explicit => self.locate_by_interpolation(plan, survey, integrator, dynamics),
            Method::Implicit => self.locate_by_steps(plan, integrator, dynamics, state),
        };
        LocatedStep { events: self.located(), part }
    }

    /// Ends an implicit step at the first of the events that it crossed, by steps to there.
    fn locate_by_steps(
        &mut self,
        plan: &StepPlan,
        integrator: &mut Integrator,
        dynamics: &mut Dynamics,
        state: &State,
    ) -> f64 {
        let Self { crossed, possible, at_start, .. } = self;
        if !crossed.is_empty() {
            let ahead = possible.iter().zip(at_start).filter(|(event, _)| crossed.contains(event));
            let nearest = ahead.map(|(_, start)| start.margin).fold(f64::INFINITY, f64::min);
            integrator.shorten(plan.tolerance, nearest, crossed, dynamics);
            let least = integrator.least_margin(crossed, dynamics);
            crossed.retain(|&event| {
                let margin = margin(dynamics, event, state.indentations(), &integrator.required);
                margin <= least.max(0.0) + tol::ZERO
            });
        }
        1.0
    }

    /// Ends an explicit step at the first event within it, and lists all that are met there. Answers after which part of it.
    fn locate_by_interpolation(
        &mut self,
        plan: &StepPlan,
        survey: &Survey,
        integrator: &mut Integrator,
        dynamics: &mut Dynamics,
    ) -> f64 {
        let (mut part, mut first) = (1.0, None);
        if !self.crossed.is_empty() {
            (part, first) = self.first_until(1.0, integrator, dynamics);
            integrator.interpolant(dynamics).cut(part, plan.tolerance);
        }
        if let Some(place) = self.within_step(part, survey, integrator, dynamics) {
            (part, first) = self.first_until(place, integrator, dynamics);
            integrator.interpolant(dynamics).cut(part, plan.tolerance);
        }
        self.crossed.clear();
        if part < 1.0 {
            self.list_met(first, integrator, dynamics);
        }
        part
    }

    /// Lists the events that are met where the step was cut, of which this was the first, if it was one.
    fn list_met(&mut self, first: Option<Event>, integrator: &Integrator, dynamics: &Dynamics) {
        let Self { crossed, possible, at_start, .. } = self;
        let (end, required) = (integrator.end.indentations(), &integrator.required);
        let ahead = || {
            let pairs = possible.iter().zip(at_start.iter());
            pairs.filter(|(_, start)| start.margin > 0.0).map(|(&event, _)| event)
        };
        let margins = ahead().map(|event| margin(dynamics, event, end, required));
        let least = margins.fold(f64::INFINITY, f64::min).max(0.0);
        // Where nothing is met, contacts that stick redundantly have come to their bound.
        if least <= tol::EVENT_MARGIN {
            crossed.extend(ahead().filter(|&event| {
                margin(dynamics, event, end, required) <= least + same(dynamics, event)
            }));
        }
        // Friction is known less well from a state with little slip, which its digits tell badly, than from series.
        if let Some(Event::Slip(_)) = first {
            crossed.extend(first.filter(|first| !crossed.contains(first)));
        }
    }

    /// The part of the last step after which the first event is met, of all that are behind the part `until`, and which that
    /// is.
    fn first_until(
        &self,
        until: f64,
        integrator: &mut Integrator,
        dynamics: &mut Dynamics,
    ) -> (f64, Option<Event>) {
        let mut step = integrator.interpolant(dynamics);
        let (mut part, mut first) = (until, None);
        for _ in 0..tol::EARLIER_ROUNDS {
            let end = part;
            for (&event, &EventAtStart { margin: before, .. }) in
                self.possible.iter().zip(&self.at_start)
            {
                if before <= 0.0 {
                    continue;
                }
                let beyond = step.margin_at(part, event);
                if beyond < -tol::EVENT_MARGIN {
                    let margin_at = |theta| step.margin_at(theta, event);
                    part = locate([(0.0, before), (part, beyond)], tol::EVENT_MARGIN, margin_at);
                    first = Some(event);
                }
            }
            if part == end {
                break;
            }
        }
        (part, first)
    }
}
