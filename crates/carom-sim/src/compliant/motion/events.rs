//! Events of contacts inside a step.

use super::{Motion, TOUCHING};
use crate::compliant::mechanism::Mechanism;
use crate::compliant::model::{CompliantContact, Mode};
use crate::event::{Sample, first_below};

/// Slips that are faster than the transition by less than this part are at it \[1\].
const SLIDING: f64 = 1e-6;

/// A change of a contact's mode inside a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Event {
    /// Part of the step.
    pub(super) at: f64,
    pub(super) contact: usize,
    pub(super) mode: Mode,
}

/// A quantity whose fall below zero is an event.
#[derive(Clone, Copy, Debug)]
enum EventFunction {
    Gap,
    Depth,
    /// Hunt and Crossley's factor.
    Damper,
    /// Its negative.
    Slackness,
    /// The speed of sliding above that of transition. Below it friction acts so much faster that a step from above must
    /// not reach beyond: neither slopes nor errors show it.
    Slip,
}

impl EventFunction {
    /// The quantity and the sign of its rate, 0 where that is not known.
    fn of(self, contact: &CompliantContact, depth: f64, [un, u1, u2]: [f64; 3]) -> [f64; 2] {
        match self {
            Self::Gap => [-depth, un],
            Self::Depth => [depth, -un],
            Self::Damper => [contact.damping_factor(un), 0.0],
            Self::Slackness => [-contact.damping_factor(un), 0.0],
            Self::Slip => [libm::hypot(u1, u2) / contact.friction.transition_speed - 1.0, 0.0],
        }
    }
}

impl<M: Mechanism + ?Sized> Motion<'_, M> {
    /// The first event in the step, whose end has been evaluated.
    pub(super) fn first_event(&mut self) -> Option<Event> {
        let ends: Vec<(f64, [f64; 3])> =
            (0..self.tracks.len()).map(|k| (self.dynamics.depth(k), self.dynamics.u(k))).collect();
        let mut first: Option<Event> = None;
        let mut prepared = false;
        for (k, end) in ends.into_iter().enumerate() {
            let begin = (self.tracks[k].depth, self.tracks[k].velocity);
            let contact = self.dynamics.contacts[k];
            for (function, tolerance, mode) in self.event_functions(k) {
                let sample = |time: f64, (depth, velocity): (f64, [f64; 3])| {
                    let [value, slope] = function.of(&contact, depth, velocity);
                    Sample { time, value, slope }
                };
                let (left, right) = (sample(0.0, begin), sample(1.0, end));
                let dips = left.slope < 0.0 && right.slope > 0.0;
                if right.value >= -tolerance && !dips {
                    continue;
                }
                if !prepared {
                    self.stepper.prepare(&mut self.dynamics);
                    prepared = true;
                }
                let (stepper, dynamics) = (&self.stepper, &mut self.dynamics);
                let between = std::cell::RefCell::new((&mut self.between, dynamics));
                let inside = |at: f64| {
                    let (state, dynamics) = &mut *between.borrow_mut();
                    stepper.interpolate(at, state);
                    dynamics.evaluate_kinematics(state);
                    sample(at, (dynamics.depth(k), dynamics.u(k)))
                };
                let found = first_below(inside, left, right, tolerance);
                let earlier = |at: &f64| first.is_none_or(|event| *at < event.at);
                if let Some(at) = found.filter(earlier) {
                    first = Some(Event { at, contact: k, mode });
                }
            }
        }
        first
    }

    /// The possible events of a contact: a quantity that falls below zero, its tolerance, and the mode after it.
    fn event_functions(&self, k: usize) -> Vec<(EventFunction, f64, Mode)> {
        let depth = TOUCHING * self.scales.depth;
        let mode = self.dynamics.modes[k];
        if mode == Mode::Open {
            return vec![(EventFunction::Gap, depth, Mode::Loaded)];
        }
        let mut functions = vec![(EventFunction::Depth, depth, Mode::Open)];
        if self.dynamics.contacts[k].dissipation > 0.0 {
            functions.push(match mode {
                Mode::Slack => (EventFunction::Slackness, f64::EPSILON, Mode::Loaded),
                _ => (EventFunction::Damper, f64::EPSILON, Mode::Slack),
            });
        }
        if mode == Mode::Loaded && self.slides(k) {
            functions.push((EventFunction::Slip, SLIDING, Mode::Loaded));
        }
        functions
    }

    /// Whether a contact with friction slides faster than where friction is smoothed.
    fn slides(&self, k: usize) -> bool {
        let friction = &self.dynamics.contacts[k].friction;
        let [value, _] =
            EventFunction::Slip.of(&self.dynamics.contacts[k], 0.0, self.tracks[k].velocity);
        friction.at_rest.max(friction.sliding) > 0.0 && value > SLIDING
    }
}
