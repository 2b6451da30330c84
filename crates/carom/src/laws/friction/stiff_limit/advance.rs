//! One step, and what it meets.

use super::events::{self, Event, margin};
use super::friction::Cause;
use super::motion::Motion;
use super::run::{Run, Trouble};
use super::step::Method;
use super::tolerances as tol;
use crate::island::Context;
use crate::numerics::dot;
use carom_ode::{Verdict, locate};

/// What a step has met.
#[derive(Clone, Copy)]
enum Seen {
    /// Events inside the step, or none; `met` lists them.
    Ahead,
    /// Events where it starts.
    Now,
    /// Events that were met where it starts, moved away and came back: it is too long.
    Between,
}

/// An event at the start of a step.
#[derive(Clone, Copy)]
pub(crate) struct Before {
    /// How far it is.
    pub(crate) margin: f64,
    /// How fast that grows in the time of the method, where it is known.
    pub(crate) rate: Option<f64>,
    /// Whether it is met there and moves away.
    recedes: bool,
}

impl Run {
    /// One step, or the part of it up to the first event. `Some(true)` at the end of the impact, `Some(false)` after an
    /// event.
    pub(crate) fn advance(
        &mut self,
        motion: &Motion,
        context: &mut Context,
    ) -> Result<Option<bool>, Trouble> {
        self.stepper.set_clock(&mut self.field, &self.state);
        let (grip, until) = self.look_ahead();
        let mut h = self.stepper.begin(motion, until, &mut self.field, &self.state);
        let stiff = self.stepper.method == Method::Stiff;
        let next = loop {
            let error = self.stepper.step(h, motion.tolerance, &mut self.field);
            if error <= 1.0 && self.turned() {
                // A step over a stop.
                self.effort.rejected += 1;
                h *= tol::RETRY_SHARE;
                continue;
            }
            match self.stepper.judge(h, error) {
                Verdict::Accept(next) => match self.seen() {
                    Seen::Ahead if stiff && h > tol::SHORTEST_RETRY => match self.passed(1.0, grip)
                    {
                        // An event that has come and gone again.
                        Some(share) => h *= share,
                        None => break next,
                    },
                    Seen::Ahead => break next,
                    Seen::Now => {
                        self.field.look(&self.state);
                        return self.happen().map(|()| Some(false));
                    }
                    Seen::Between if h > tol::SHORTEST_RETRY => h *= tol::RETRY_SHARE,
                    // It comes back before anything else moves.
                    Seen::Between => self.before.iter_mut().for_each(|b| b.recedes = false),
                },
                Verdict::Reject(shorter) => {
                    self.effort.rejected += 1;
                    h = shorter;
                }
                Verdict::Stuck => return Err(Trouble::Smooth { residual: error }),
            }
        };
        self.stepper.go_on(next);
        self.effort.stiff_steps += u64::from(stiff);
        if self.field.hold.redundant {
            self.effort.impulse_unique = Some(false);
        }
        let part = if stiff { self.meet_by_steps(motion) } else { self.meet(motion, grip) };
        if self.strays() {
            self.effort.rejected += 1;
            self.stepper.start(self.stepper.method, &mut self.field, &self.state);
            return Ok(None);
        }
        if self.field.hold.redundant
            && let Some(mut cause) = self.slip_together(part, motion)?
        {
            self.met.clear();
            self.accept(context);
            let Self { friction, field, .. } = self;
            if friction.resting.iter().any(|&g| field.model.grips[g].mu == f64::INFINITY) {
                friction.resting.retain(|&g| field.model.grips[g].mu.is_finite());
                cause = Cause::Rest;
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
        self.happen().map(|()| Some(false))
    }

    /// Takes down where events are as a step begins. How much friction sticking grips could still take, and after which time
    /// something happens if all goes straight.
    fn look_ahead(&mut self) -> (f64, f64) {
        let Self { field, stepper, state, .. } = self;
        events::need(field, &mut stepper.needed);
        let pace = stepper.pace(field, state);
        let mut until = f64::INFINITY;
        self.before.clear();
        for &event in &self.events {
            let now = margin(field, event, state, &stepper.needed);
            let rate = events::rate(field, event, state);
            if let Some(rate) = rate.filter(|rate| *rate < 0.0 && now > 0.0) {
                until = until.min(-now / rate);
            }
            let rate = rate.map(|rate| rate * pace);
            let recedes = now <= 0.0 && events::recedes(field, event, state);
            self.before.push(Before { margin: now, rate, recedes });
        }
        self.slips.copy_from_slice(&field.v);
        (events::least_grip(field, &stepper.needed), until)
    }

    /// What the step that was just made has met; `met` lists it.
    fn seen(&mut self) -> Seen {
        let mut seen = Seen::Ahead;
        self.met.clear();
        for (&event, &Before { margin: before, recedes, .. }) in
            self.events.iter().zip(&self.before)
        {
            let after = margin(&self.field, event, &self.stepper.end, &self.stepper.needed);
            // What others did may have pushed it a little beyond an event from which it moves away.
            if after >= -events::zero(&self.field, event) || recedes && after > before {
                continue;
            }
            match seen {
                _ if recedes => seen = Seen::Between,
                Seen::Between => {}
                _ if before <= 0.0 => {
                    if !matches!(seen, Seen::Now) {
                        self.met.clear();
                    }
                    seen = Seen::Now;
                    self.met.push(event);
                }
                Seen::Now => {}
                Seen::Ahead => self.met.push(event),
            }
        }
        seen
    }

    /// Ends an implicit step at the first of the events in `met`, if there are some, by steps to there.
    fn meet_by_steps(&mut self, motion: &Motion) -> f64 {
        if !self.met.is_empty() {
            let Self { met, events, before, field, stepper, state, .. } = self;
            let ahead = events.iter().zip(before).filter(|(event, _)| met.contains(event));
            let nearest = ahead.map(|(_, before)| before.margin).fold(f64::INFINITY, f64::min);
            stepper.shorten(motion.tolerance, nearest, met, field);
            let least = stepper.least(met, field);
            met.retain(|&event| {
                margin(field, event, state, &stepper.needed) <= least.max(0.0) + tol::ZERO
            });
        }
        1.0
    }

    /// Ends an explicit step at the first event within it, if there is one; `met` then lists all that are met there.
    /// Answers after which part of it.
    fn meet(&mut self, motion: &Motion, grip: f64) -> f64 {
        let (mut part, mut first) = (1.0, None);
        if !self.met.is_empty() {
            self.stepper.prepare(&mut self.field);
            (part, first) = self.first_until(1.0);
            self.stepper.cut(part, motion.tolerance, &mut self.field);
        }
        if let Some(place) = self.passed(part, grip) {
            (part, first) = self.first_until(place);
            self.stepper.cut(part, motion.tolerance, &mut self.field);
        }
        self.met.clear();
        if part < 1.0 {
            self.meet_all(first);
        }
        part
    }

    /// Lists the events that are met where the step was cut, the first of which this was, if it was one.
    fn meet_all(&mut self, first: Option<Event>) {
        let Self { met, events, before, field, stepper, .. } = self;
        let ahead = || events.iter().zip(before.iter()).filter(|(_, before)| before.margin > 0.0);
        let margins =
            ahead().map(|(&event, _)| margin(field, event, &stepper.end, &stepper.needed));
        let least = margins.fold(f64::INFINITY, f64::min).max(0.0);
        // Where nothing is met, contacts that stick redundantly have come to their bound.
        if least <= tol::EVENT_MARGIN {
            met.extend(ahead().map(|(&event, _)| event).filter(|&event| {
                let near = least + events::together(field, event);
                margin(field, event, &stepper.end, &stepper.needed) <= near
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
                let Self { field, stepper, .. } = self;
                let beyond = stepper.margin_at(part, event, field);
                if beyond < -tol::EVENT_MARGIN {
                    let mut margin_at = |theta| stepper.margin_at(theta, event, field);
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
        let time = self.stepper.elapsed();
        self.stepper.accept();
        self.state.copy_from_slice(&self.stepper.end);
        self.time += time;
        self.pressed += time;
        self.find_directions();
    }

    /// Whether some slip has turned by more than a right angle over the step.
    fn turned(&self) -> bool {
        if self.field.smoothing > 0.0 {
            return false;
        }
        let grips = self.field.model.grips.iter().enumerate();
        grips.filter(|(g, _)| self.field.slides(*g) && !self.field.heads[*g]).any(|(g, grip)| {
            self.field.force[grip.contact] > 0.0 && dot(&self.slips[g], &self.field.v[g]) < 0.0
        })
    }

    /// Whether contacts that stick redundantly begin to slide within a part of the last step, which then ends there: all of them
    /// have to decide then.
    fn slip_together(&mut self, part: f64, motion: &Motion) -> Result<Option<Cause>, Trouble> {
        if !events::overstrained(&self.field, &self.stepper.needed) {
            return Ok(None);
        }
        let Self { friction, field, stepper, .. } = self;
        friction.resting.clone_from(&field.hold.grips);
        let mut fast = friction.slides_off(field, tol::SHARED_ONSET[0], false)?;
        if fast <= tol::SHARED_ONSET[0] {
            return Ok(None);
        }
        stepper.prepare(field);
        let most = tol::SHARED_ONSET[1];
        let (mut low, mut high) = (0.0, part);
        // Whether friction knows the motion at `high`.
        let mut known = true;
        for _ in 0..tol::SHARED_ONSET_ROUNDS {
            if fast <= most || high - low <= f64::EPSILON {
                break;
            }
            // Motion begins where forces can just feed it. That of the end differs a little from that which begins, which
            // moves the place by the square of this.
            let mut middle = 0.5 * (low + high);
            if known {
                stepper.strain(high, field);
                let power = friction.power(field);
                let aim = tol::SHARED_ONSET_AIM * most / fast * power;
                stepper.strain(low, field);
                let before = friction.power(field) - aim;
                if before < 0.0 && power > aim {
                    let at = |place: f64| {
                        stepper.strain(place, field);
                        friction.power(field) - aim
                    };
                    middle = locate([(low, before), (high, power - aim)], 0.5 * aim, at);
                }
            }
            stepper.strain(middle, field);
            let found = match events::overstrained(field, &stepper.needed) {
                true => friction.slides_off(field, tol::SHARED_ONSET[0], true)?,
                false => 0.0,
            };
            known = found > tol::SHARED_ONSET[0];
            if known {
                (high, fast) = (middle, found);
            } else {
                low = middle;
            }
        }
        stepper.cut(high, motion.tolerance, field);
        Ok(Some(if known { Cause::Found } else { Cause::Rest }))
    }
}
