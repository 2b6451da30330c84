//! One step, and what it meets.

use super::super::events::{self, Event, margin};
use super::super::impact::{Breakdown, Impact};
use super::super::integration::Method;
use super::super::integration::plan::StepPlan;
use super::super::stick_slip::Trigger;
use super::super::tolerances as tol;
use crate::island::Context;
use crate::numerics::dot;
use carom_ode::{Verdict, locate};

/// What a step has met.
#[derive(Clone, Copy)]
enum Crossing {
    /// Events inside the step, or none; `met` lists them.
    Ahead,
    /// Events where it starts.
    Now,
    /// Events that were met where it starts, moved away and came back: it is too long.
    Between,
}

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

impl Impact {
    /// One step, or the part of it up to the first event. `Some(true)` at the end of the impact, `Some(false)` after an
    /// event.
    pub(crate) fn advance(
        &mut self,
        motion: &StepPlan,
        context: &mut Context,
    ) -> Result<Option<bool>, Breakdown> {
        self.integrator.set_clock(&mut self.dynamics, &self.state);
        let (reserve, until) = self.survey();
        let mut h = self.integrator.begin(motion, until, &mut self.dynamics, &self.state);
        let stiff = self.integrator.method == Method::Stiff;
        let next = loop {
            let error = self.integrator.step(h, motion.tolerance, &mut self.dynamics);
            if error <= 1.0 && self.turned() {
                // A step over a stop.
                self.effort.rejected += 1;
                h *= tol::RETRY_SHARE;
                continue;
            }
            match self.integrator.judge(h, error) {
                Verdict::Accept(next) => match self.seen() {
                    Crossing::Ahead if stiff && h > tol::SHORTEST_RETRY => {
                        match self.passed(1.0, reserve) {
                            // An event that has come and gone again.
                            Some(share) => h *= share,
                            None => break next,
                        }
                    }
                    Crossing::Ahead => break next,
                    Crossing::Now => {
                        self.dynamics.evaluate(&self.state);
                        return self.apply_events().map(|()| Some(false));
                    }
                    Crossing::Between if h > tol::SHORTEST_RETRY => h *= tol::RETRY_SHARE,
                    // It comes back before anything else moves.
                    Crossing::Between => self.before.iter_mut().for_each(|b| b.recedes = false),
                },
                Verdict::Reject(shorter) => {
                    self.effort.rejected += 1;
                    h = shorter;
                }
                Verdict::Stuck => return Err(Breakdown::Smooth { residual: error }),
            }
        };
        self.integrator.go_on(next);
        self.effort.stiff_steps += u64::from(stiff);
        if self.dynamics.sticking.redundant {
            self.effort.impulse_unique = Some(false);
        }
        let part = if stiff { self.meet_by_steps(motion) } else { self.meet(motion, reserve) };
        if self.strays() {
            self.effort.rejected += 1;
            self.integrator.start(self.integrator.method, &mut self.dynamics, &self.state);
            return Ok(None);
        }
        if self.dynamics.sticking.redundant
            && let Some(mut cause) = self.slip_together(part, motion)?
        {
            self.met.clear();
            self.accept(context);
            let Self { friction, dynamics, .. } = self;
            if friction.resting.iter().any(|&g| dynamics.model.frictional[g].mu == f64::INFINITY) {
                friction.resting.retain(|&g| dynamics.model.frictional[g].mu.is_finite());
                cause = Trigger::Rest;
            }
            self.decide(cause)?;
            return Ok(Some(false));
        }
        self.accept(context);
        if self.met.is_empty() {
            if self.smooth.is_some_and(|until| self.time >= until) {
                self.sharpen()?;
                return Ok(Some(false));
            }
            let over = self.over();
            return Ok((over || self.idle()).then_some(over));
        }
        self.apply_events().map(|()| Some(false))
    }

    /// Takes down where events are as a step begins. How much friction sticking contacts could still take, and after which time
    /// something happens if all goes straight.
    fn survey(&mut self) -> (f64, f64) {
        let Self { dynamics, integrator, state, .. } = self;
        events::required_friction(dynamics, &mut integrator.needed);
        let pace = integrator.pace(dynamics, state);
        let mut until = f64::INFINITY;
        self.before.clear();
        for &event in &self.events {
            let now = margin(dynamics, event, state, &integrator.needed);
            let rate = events::rate(dynamics, event, state);
            if let Some(rate) = rate.filter(|rate| *rate < 0.0 && now > 0.0) {
                until = until.min(-now / rate);
            }
            let rate = rate.map(|rate| rate * pace);
            let recedes = now <= 0.0 && events::recedes(dynamics, event, state);
            self.before.push(EventAtStart { margin: now, rate, recedes });
        }
        self.slips.copy_from_slice(&dynamics.slip);
        (events::least_reserve(dynamics, &integrator.needed), until)
    }

    /// What the step that was just made has met; `met` lists it.
    fn seen(&mut self) -> Crossing {
        let mut seen = Crossing::Ahead;
        self.met.clear();
        for (&event, &EventAtStart { margin: before, recedes, .. }) in
            self.events.iter().zip(&self.before)
        {
            let after =
                margin(&self.dynamics, event, &self.integrator.end, &self.integrator.needed);
            // What others did may have pushed it a little beyond an event from which it moves away.
            if after >= -events::zero(&self.dynamics, event) || recedes && after > before {
                continue;
            }
            match seen {
                _ if recedes => seen = Crossing::Between,
                Crossing::Between => {}
                _ if before <= 0.0 => {
                    if !matches!(seen, Crossing::Now) {
                        self.met.clear();
                    }
                    seen = Crossing::Now;
                    self.met.push(event);
                }
                Crossing::Now => {}
                Crossing::Ahead => self.met.push(event),
            }
        }
        seen
    }

    /// Ends an implicit step at the first of the events in `met`, if there are some, by steps to there.
    fn meet_by_steps(&mut self, motion: &StepPlan) -> f64 {
        if !self.met.is_empty() {
            let Self { met, events, before, dynamics, integrator, state, .. } = self;
            let ahead = events.iter().zip(before).filter(|(event, _)| met.contains(event));
            let nearest = ahead.map(|(_, before)| before.margin).fold(f64::INFINITY, f64::min);
            integrator.shorten(motion.tolerance, nearest, met, dynamics);
            let least = integrator.least(met, dynamics);
            met.retain(|&event| {
                margin(dynamics, event, state, &integrator.needed) <= least.max(0.0) + tol::ZERO
            });
        }
        1.0
    }

    /// Ends an explicit step at the first event within it, if there is one; `met` then lists all that are met there.
    /// Answers after which part of it.
    fn meet(&mut self, motion: &StepPlan, reserve: f64) -> f64 {
        let (mut part, mut first) = (1.0, None);
        if !self.met.is_empty() {
            self.integrator.prepare(&mut self.dynamics);
            (part, first) = self.first_until(1.0);
            self.integrator.cut(part, motion.tolerance, &mut self.dynamics);
        }
        if let Some(place) = self.passed(part, reserve) {
            (part, first) = self.first_until(place);
            self.integrator.cut(part, motion.tolerance, &mut self.dynamics);
        }
        self.met.clear();
        if part < 1.0 {
            self.meet_all(first);
        }
        part
    }

    /// Lists the events that are met where the step was cut, the first of which this was, if it was one.
    fn meet_all(&mut self, first: Option<Event>) {
        let Self { met, events, before, dynamics, integrator, .. } = self;
        let ahead = || events.iter().zip(before.iter()).filter(|(_, before)| before.margin > 0.0);
        let margins =
            ahead().map(|(&event, _)| margin(dynamics, event, &integrator.end, &integrator.needed));
        let least = margins.fold(f64::INFINITY, f64::min).max(0.0);
        // Where nothing is met, contacts that stick redundantly have come to their bound.
        if least <= tol::EVENT_MARGIN {
            met.extend(ahead().map(|(&event, _)| event).filter(|&event| {
                let near = least + events::together(dynamics, event);
                margin(dynamics, event, &integrator.end, &integrator.needed) <= near
            }));
        }
        // Friction is known less well from a state with little slip, which its digits tell badly, than from series.
        if let Some(Event::Slip(_)) = first {
            met.extend(first.filter(|first| !met.contains(first)));
        }
    }

    /// The part of the last step after which the first event is met, of all that are behind the part `until`, and which that
    /// is.
    fn first_until(&mut self, until: f64) -> (f64, Option<Event>) {
        let (mut part, mut first) = (until, None);
        for _ in 0..tol::EARLIER_ROUNDS {
            let end = part;
            for at in 0..self.events.len() {
                let (event, before) = (self.events[at], self.before[at].margin);
                if before <= 0.0 {
                    continue;
                }
                let Self { dynamics, integrator, .. } = self;
                let beyond = integrator.margin_at(part, event, dynamics);
                if beyond < -tol::EVENT_MARGIN {
                    let mut margin_at = |theta| integrator.margin_at(theta, event, dynamics);
                    part =
                        locate([(0.0, before), (part, beyond)], tol::EVENT_MARGIN, &mut margin_at);
                    first = Some(event);
                }
            }
            if part == end {
                break;
            }
        }
        (part, first)
    }

    fn accept(&mut self, context: &mut Context) {
        self.report(context);
        let time = self.integrator.elapsed();
        self.integrator.accept();
        self.state.copy_from_slice(&self.integrator.end);
        self.time += time;
        self.pressed += time;
        self.find_directions();
    }

    /// Whether some slip has turned by more than a right angle over the step.
    fn turned(&self) -> bool {
        if self.dynamics.smoothing > 0.0 {
            return false;
        }
        let contacts = self.dynamics.model.frictional.iter().enumerate();
        contacts.filter(|(g, _)| self.dynamics.slides(*g) && !self.dynamics.straight[*g]).any(
            |(g, contact)| {
                self.dynamics.force[contact.index] > 0.0
                    && dot(&self.slips[g], &self.dynamics.slip[g]) < 0.0
            },
        )
    }

    /// Whether contacts that stick redundantly begin to slide within a part of the last step, which then ends there: all of them
    /// have to decide then.
    fn slip_together(
        &mut self,
        part: f64,
        motion: &StepPlan,
    ) -> Result<Option<Trigger>, Breakdown> {
        if !events::beyond_bounds(&self.dynamics, &self.integrator.needed) {
            return Ok(None);
        }
        let Self { friction, dynamics, integrator, .. } = self;
        friction.resting.clone_from(&dynamics.sticking.contacts);
        let mut fast = friction.slides_off(dynamics, tol::SHARED_ONSET[0], false)?;
        if fast <= tol::SHARED_ONSET[0] {
            return Ok(None);
        }
        integrator.prepare(dynamics);
        let most = tol::SHARED_ONSET[1];
        let (mut low, mut high) = (0.0, part);
        // Whether friction knows the motion at `high`.
        let mut known = true;
        for _ in 0..tol::SHARED_ONSET_ROUNDS {
            if fast <= most || high - low <= f64::EPSILON {
                break;
            }
            // StepPlan begins where forces can just feed it. That of the end differs a little from that which begins, which
            // moves the place by the square of this.
            let mut middle = 0.5 * (low + high);
            if known {
                integrator.strain(high, dynamics);
                let power = friction.power(dynamics);
                let aim = tol::SHARED_ONSET_AIM * most / fast * power;
                integrator.strain(low, dynamics);
                let before = friction.power(dynamics) - aim;
                if before < 0.0 && power > aim {
                    let at = |place: f64| {
                        integrator.strain(place, dynamics);
                        friction.power(dynamics) - aim
                    };
                    middle = locate([(low, before), (high, power - aim)], 0.5 * aim, at);
                }
            }
            integrator.strain(middle, dynamics);
            let found = match events::beyond_bounds(dynamics, &integrator.needed) {
                true => friction.slides_off(dynamics, tol::SHARED_ONSET[0], true)?,
                false => 0.0,
            };
            known = found > tol::SHARED_ONSET[0];
            if known {
                (high, fast) = (middle, found);
            } else {
                low = middle;
            }
        }
        integrator.cut(high, motion.tolerance, dynamics);
        Ok(Some(if known { Trigger::Found } else { Trigger::Rest }))
    }
}
