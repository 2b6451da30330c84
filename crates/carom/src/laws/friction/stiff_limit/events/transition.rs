//! What becomes of contacts and contacts where something happens.

use super::super::dynamics::{FrictionMode, NormalMode};
use super::super::events::{self, Event};
use super::super::impact::{Breakdown, Impact};
use super::super::stick_slip::Trigger;
use super::super::tolerances as tol;
use super::plastic_jump;
use crate::laws::normal::lzb::Gaps;
use crate::numerics::dot;

impl Impact {
    /// The events in `met` happen. The dynamics must have been looked at.
    pub(crate) fn apply_events(&mut self) -> Result<(), Breakdown> {
        let mut touched = false;
        let mut stopped = false;
        let mut leaver = None;
        self.foresee_jumps();
        for at in 0..self.met.len() {
            match self.met[at] {
                Event::Depth(k) | Event::Approach(k) => {
                    self.state[k] = 0.0;
                    self.dynamics.clipped[k] = false;
                    let closes = match self.dynamics.normal_velocity[k].abs() <= tol::ZERO {
                        true => events::presses(&self.dynamics, k),
                        false => !self.dynamics.normal_mode[k].closed(),
                    };
                    self.dynamics.normal_mode[k] =
                        if closes { NormalMode::Loading } else { NormalMode::Open };
                    touched = true;
                    if let Some(g) = self.dynamics.model.springs[k].frictional {
                        self.dynamics.friction_mode[g] = FrictionMode::Slides;
                    }
                    if self.dynamics.normal_mode[k].closed() {
                        self.touches(k);
                    }
                }
                Event::Turn(k) => self.turn(k),
                Event::Slack(k) => self.dynamics.clipped[k] = !self.dynamics.clipped[k],
                Event::Stop(g) => {
                    self.count_stop(g)?;
                    self.dynamics.friction_mode[g] = FrictionMode::Sticks;
                    stopped = true;
                }
                Event::Slip(g) => {
                    leaver = Some(Trigger::Leaver(g, events::leaving(&self.dynamics, g)));
                }
            }
        }
        touched |= self.jump();
        self.dynamics.evaluate(&self.state);
        if touched {
            return self.decide_pressed();
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
            let alone = self.friction.resting.len() == self.dynamics.sticking.contacts.len();
            return self.decide(leaver.filter(|_| alone).unwrap_or(Trigger::Rest));
        }
        Ok(())
    }

    /// A contact begins to press: steps are short at first, unless the clock minds it.
    fn touches(&mut self, k: usize) {
        if self.integrator.tracks(&self.dynamics, k) {
            return;
        }
        let first = tol::FIRST_CLOSING_STEP * self.dynamics.model.springs[k].depth
            / self.dynamics.normal_velocity[k].abs();
        self.integrator.limit(first);
    }

    /// A pressed contact stops approaching, or approaches again.
    fn turn(&mut self, k: usize) {
        match self.dynamics.normal_mode[k] {
            // It has opened at the same instant.
            NormalMode::Open => {}
            NormalMode::Unloading => self.dynamics.normal_mode[k] = NormalMode::Loading,
            NormalMode::Loading if self.jumps(k) => {}
            NormalMode::Loading => self.dynamics.normal_mode[k] = NormalMode::Unloading,
        }
    }

    /// Whether a contact that stops approaching gives back nothing.
    fn jumps(&self, k: usize) -> bool {
        let dynamics = &self.dynamics;
        dynamics.normal_mode[k] == NormalMode::Loading
            && dynamics.model.turns(k)
            && dynamics.model.springs[k].e == 0.0
    }

    /// Where the contacts that stop approaching without restitution jump to.
    fn foresee_jumps(&mut self) {
        self.jumps.clear();
        for at in 0..self.met.len() {
            let Event::Turn(k) = self.met[at] else { continue };
            // It has met the event, whatever rounding says.
            if self.dynamics.normal_velocity[k].abs() <= tol::TURN_SPEED {
                self.dynamics.model.normal_start[k] -= self.dynamics.normal_velocity[k];
            }
            if self.jumps(k) {
                self.jumps.push((k, 0.0));
            }
        }
        if self.jumps.is_empty() {
            return;
        }
        // Those that rounding alone keeps from stopping at the same instant.
        for k in 0..self.dynamics.model.len() {
            let listed = self.jumps.iter().any(|(other, _)| *other == k);
            if !listed
                && self.jumps(k)
                && self.dynamics.normal_velocity[k].abs() <= tol::JUMP_TOGETHER
            {
                self.jumps.push((k, 0.0));
            }
        }
        plastic_jump::depths_after(&mut self.dynamics, &mut self.state, &mut self.jumps);
        self.follow_demand();
    }

    /// A contact without restitution whose neighbours demand ever less follows that by jumps which may become too small to
    /// be told apart: after many of them they are made no smaller than a part of its indentation there. It is pressed too
    /// much before such a jump and too little after it by the same; velocities are off by some thousandths of that part.
    fn follow_demand(&mut self) {
        if self.dynamics.model.frictional.is_empty() {
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
        self.dynamics.evaluate(&self.state);
        let mut opens = false;
        for at in 0..self.jumps.len() {
            let (k, depth) = self.jumps[at];
            let leaves = dot(self.dynamics.model.normal(k), &self.dynamics.acceleration) >= 0.0;
            if depth == 0.0 && leaves {
                self.dynamics.normal_mode[k] = NormalMode::Open;
                opens = true;
            } else {
                self.touches(k);
            }
        }
        opens
    }

    /// All pressed contacts that stick, or stop within some time, have to decide.
    fn rest(&mut self, left: f64) {
        self.dynamics.measure_slip_rates();
        self.friction.resting.clear();
        for (g, contact) in self.dynamics.model.frictional.iter().enumerate() {
            if contact.mu.is_finite() && (self.dynamics.sticks(g) || self.stops_with(g, left)) {
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

    /// The slip of a contact ends after a time so short that everything goes straight, and with it that of others.
    pub(crate) fn stop(&mut self, (g, left): (usize, f64)) -> Result<(), Breakdown> {
        self.count_stop(g)?;
        self.rest_with(g, left);
        let end = &mut self.integrator.end;
        self.dynamics.slope(&self.state, end);
        for (y, slope) in self.state.iter_mut().zip(end) {
            *y += left * *slope;
        }
        self.time += left;
        self.dynamics.evaluate(&self.state);
        self.decide(Trigger::Rest)
    }

    pub(crate) fn count_stop(&mut self, g: usize) -> Result<(), Breakdown> {
        let (since, count) = &mut self.stops[g];
        if self.time - *since > tol::CHATTER_TIME {
            (*since, *count) = (self.time, 0);
        }
        *count += 1;
        if *count > tol::CHATTER_STOPS {
            return Err(Breakdown::Smooth { residual: f64::NAN });
        }
        Ok(())
    }

    /// Nobody presses, or hardly: goes on to where the first gap closes. True if none does.
    pub(crate) fn free_flight(&mut self) -> Result<bool, Breakdown> {
        self.dynamics.evaluate(&self.state);
        if self.dynamics.model.gaps == Gaps::Forget {
            let approaches = |k: &usize| self.dynamics.normal_velocity[*k] < -tol::ZERO;
            let first = (0..self.dynamics.model.len()).find(approaches).filter(|_| !self.over());
            let Some(k) = first else { return Ok(true) };
            self.dynamics.normal_mode[k] = NormalMode::Loading;
            self.touches(k);
            return self.decide_pressed().map(|()| false);
        }
        if self.over() {
            return Ok(true);
        }
        let time = |k: usize| (self.state[k] / self.dynamics.normal_velocity[k]).max(0.0);
        let mut first = None;
        let open = |k: &usize| !self.dynamics.normal_mode[*k].closed();
        let approaches = |k: &usize| self.dynamics.normal_velocity[*k] < -self.tolerance;
        for k in (0..self.dynamics.model.len()).filter(open).filter(approaches) {
            if first.is_none_or(|(_, earliest)| time(k) < earliest) {
                first = Some((k, time(k)));
            }
        }
        let Some((first, time)) = first else { return Ok(true) };
        self.effort.late += u64::from(time > self.time);
        for ((d, u), normal_mode) in self
            .state
            .iter_mut()
            .zip(&self.dynamics.normal_velocity)
            .zip(&self.dynamics.normal_mode)
        {
            *d -= if normal_mode.closed() { 0.0 } else { u * time };
        }
        self.time += time;
        self.state[first] = 0.0;
        self.dynamics.normal_mode[first] = NormalMode::Loading;
        let depth = self.dynamics.model.springs[first].depth;
        self.integrator.restart(tol::LAUNCH * depth / -self.dynamics.normal_velocity[first]);
        self.dynamics.evaluate(&self.state);
        self.decide_pressed().map(|()| false)
    }
}
