//! What becomes of contacts and grips where something happens.

use super::events::{self, Event};
use super::field::{Slip, Touch};
use super::friction::Cause;
use super::jump;
use super::run::{Run, Trouble};
use super::tolerances as tol;
use crate::laws::normal::lzb::Gaps;
use crate::numerics::dot;

impl Run {
    /// The events in `met` happen. The field must have been looked at.
    pub(crate) fn happen(&mut self) -> Result<(), Trouble> {
        let mut touched = false;
        let mut stopped = false;
        let mut leaver = None;
        self.foresee_jumps();
        for at in 0..self.met.len() {
            match self.met[at] {
                Event::Depth(k) | Event::Approach(k) => {
                    self.state[k] = 0.0;
                    self.field.slack[k] = false;
                    let closes = match self.field.u[k].abs() <= tol::ZERO {
                        true => events::presses(&self.field, k),
                        false => !self.field.touch[k].closed(),
                    };
                    self.field.touch[k] = if closes { Touch::Loading } else { Touch::Open };
                    touched = true;
                    if let Some(g) = self.field.model.springs[k].grip {
                        self.field.slip[g] = Slip::Slides;
                    }
                    if self.field.touch[k].closed() {
                        self.touches(k);
                    }
                }
                Event::Turn(k) => self.turn(k),
                Event::Slack(k) => self.field.slack[k] = !self.field.slack[k],
                Event::Stop(g) => {
                    self.count_stop(g)?;
                    self.field.slip[g] = Slip::Sticks;
                    stopped = true;
                }
                Event::Slip(g) => {
                    leaver = Some(Cause::Leaver(g, events::leaving(&self.field, g)));
                }
            }
        }
        touched |= self.jump();
        self.field.look(&self.state);
        if touched {
            return self.seize();
        }
        if self.smooth.is_some() {
            // Nobody sticks who could slide.
            return Ok(());
        }
        // Forces that jump may be more, or less, than what sticks can bear.
        let jumped = !self.jumps.is_empty();
        if stopped || leaver.is_some() || jumped {
            self.rest(0.0);
            // Among others that rest the equations decide who moves.
            let alone = self.friction.resting.len() == self.field.hold.grips.len();
            return self.decide(leaver.filter(|_| alone).unwrap_or(Cause::Rest));
        }
        Ok(())
    }

    /// A contact begins to press: steps are short at first, unless the clock minds it.
    fn touches(&mut self, k: usize) {
        if self.stepper.minds(&self.field, k) {
            return;
        }
        let first =
            tol::FIRST_CLOSING_STEP * self.field.model.springs[k].depth / self.field.u[k].abs();
        self.stepper.limit(first);
    }

    /// A pressed contact stops approaching, or approaches again.
    fn turn(&mut self, k: usize) {
        match self.field.touch[k] {
            // It has opened at the same instant.
            Touch::Open => {}
            Touch::Unloading => self.field.touch[k] = Touch::Loading,
            Touch::Loading if self.jumps(k) => {}
            Touch::Loading => self.field.touch[k] = Touch::Unloading,
        }
    }

    /// Whether a contact that stops approaching gives back nothing.
    fn jumps(&self, k: usize) -> bool {
        let field = &self.field;
        field.touch[k] == Touch::Loading && field.model.turns(k) && field.model.springs[k].e == 0.0
    }

    /// Where the contacts that stop approaching without restitution jump to.
    fn foresee_jumps(&mut self) {
        self.jumps.clear();
        for at in 0..self.met.len() {
            let Event::Turn(k) = self.met[at] else { continue };
            // It has met the event, whatever rounding says.
            if self.field.u[k].abs() <= tol::TURN_SPEED {
                self.field.model.normal_start[k] -= self.field.u[k];
            }
            if self.jumps(k) {
                self.jumps.push((k, 0.0));
            }
        }
        if self.jumps.is_empty() {
            return;
        }
        // Those that rounding alone keeps from stopping at the same instant.
        for k in 0..self.field.model.len() {
            let listed = self.jumps.iter().any(|(other, _)| *other == k);
            if !listed && self.jumps(k) && self.field.u[k].abs() <= tol::JUMP_TOGETHER {
                self.jumps.push((k, 0.0));
            }
        }
        jump::depths_after(&mut self.field, &mut self.state, &mut self.jumps);
        self.follow_demand();
    }

    /// A contact without restitution whose neighbours demand ever less follows that by jumps which may become too small to
    /// be told apart: after many of them they are made no smaller than a part of its indentation there. It is pressed too
    /// much before such a jump and too little after it by the same; velocities are off by some thousandths of that part.
    fn follow_demand(&mut self) {
        if self.field.model.grips.is_empty() {
            // There is another way.
            return;
        }
        for (k, after) in &mut self.jumps {
            let depth = self.state[*k];
            let (count, drop) = &mut self.drops[*k];
            *count += 1;
            if count.is_multiple_of(tol::MANY_JUMPS) {
                self.effort.smoothed += u64::from(*drop == 0.0);
                *drop = if *drop > 0.0 { 2.0 * *drop } else { tol::LEAST_DROP * depth };
            }
            if *drop > 0.0 {
                *after = after.min(depth - *drop).max(0.0);
            }
        }
    }

    /// Lets them jump. Whether one of them opens.
    fn jump(&mut self) -> bool {
        if self.jumps.is_empty() {
            return false;
        }
        for &(k, depth) in &self.jumps {
            self.state[k] = depth;
        }
        self.field.look(&self.state);
        let mut opens = false;
        for at in 0..self.jumps.len() {
            let (k, depth) = self.jumps[at];
            let leaves = dot(self.field.model.normal(k), &self.field.acceleration) >= 0.0;
            if depth == 0.0 && leaves {
                self.field.touch[k] = Touch::Open;
                opens = true;
            } else {
                self.touches(k);
            }
        }
        opens
    }

    /// All pressed grips that stick, or stop within some time, have to decide.
    fn rest(&mut self, left: f64) {
        self.field.measure_slips();
        self.friction.resting.clear();
        for (g, grip) in self.field.model.grips.iter().enumerate() {
            if grip.mu.is_finite() && (self.field.sticks(g) || self.stops_too(g, left)) {
                self.friction.resting.push(g);
            }
        }
    }

    /// The same, and this one as well.
    pub(crate) fn rest_with(&mut self, g: usize, left: f64) {
        self.rest(left);
        if !self.friction.resting.contains(&g) {
            self.friction.resting.push(g);
            self.friction.resting.sort_unstable();
        }
    }

    /// The slip of a grip ends after a time so short that everything goes straight, and with it that of others.
    pub(crate) fn stop(&mut self, (g, left): (usize, f64)) -> Result<(), Trouble> {
        self.count_stop(g)?;
        self.rest_with(g, left);
        let end = &mut self.stepper.end;
        self.field.slope(&self.state, end);
        for (y, slope) in self.state.iter_mut().zip(end) {
            *y += left * *slope;
        }
        self.time += left;
        self.field.look(&self.state);
        self.decide(Cause::Rest)
    }

    pub(crate) fn count_stop(&mut self, g: usize) -> Result<(), Trouble> {
        let (since, count) = &mut self.stops[g];
        if self.time - *since > tol::CHATTER_TIME {
            (*since, *count) = (self.time, 0);
        }
        *count += 1;
        if *count > tol::CHATTER_STOPS {
            return Err(Trouble::Smooth { residual: f64::NAN });
        }
        Ok(())
    }

    /// Nobody presses, or hardly: goes on to where the first gap closes. True if none does.
    pub(crate) fn fly(&mut self) -> Result<bool, Trouble> {
        self.field.look(&self.state);
        if self.field.model.gaps == Gaps::Forget {
            let approaches = |k: &usize| self.field.u[*k] < -tol::ZERO;
            let first = (0..self.field.model.len()).find(approaches).filter(|_| !self.over());
            let Some(k) = first else { return Ok(true) };
            self.field.touch[k] = Touch::Loading;
            self.touches(k);
            return self.seize().map(|()| false);
        }
        if self.over() {
            return Ok(true);
        }
        let time = |k: usize| (self.state[k] / self.field.u[k]).max(0.0);
        let mut first = None;
        let open = |k: &usize| !self.field.touch[*k].closed();
        let approaches = |k: &usize| self.field.u[*k] < -self.tolerance;
        for k in (0..self.field.model.len()).filter(open).filter(approaches) {
            if first.is_none_or(|(_, earliest)| time(k) < earliest) {
                first = Some((k, time(k)));
            }
        }
        let Some((first, time)) = first else { return Ok(true) };
        self.effort.late += u64::from(time > self.time);
        for ((d, u), touch) in self.state.iter_mut().zip(&self.field.u).zip(&self.field.touch) {
            *d -= if touch.closed() { 0.0 } else { u * time };
        }
        self.time += time;
        self.state[first] = 0.0;
        self.field.touch[first] = Touch::Loading;
        let depth = self.field.model.springs[first].depth;
        self.stepper.restart(tol::LAUNCH * depth / -self.field.u[first]);
        self.field.look(&self.state);
        self.seize().map(|()| false)
    }
}
