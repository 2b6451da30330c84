//! From one event to the next: in closed form where no slip turns, else step by step.

use super::super::active::ActiveContacts;
use super::super::failure::Failure;
use super::super::record::Record;
use super::super::step_length::length;
use super::super::tolerances::{
    CREEP, CREEPING_SLIP, EVENT_MET, MAX_EVENT_STEPS, MIN_STEP, SLIP_STEP_ERROR, STEP_ERROR,
    STOPPED_SLIP,
};
use super::Debt;
use super::flow::Flow;
use super::rates::{Clock, Normal};
use super::state::State;

impl Flow {
    /// Goes on at constant rates to the next event.
    pub(crate) fn advance_straight(&mut self, active: &ActiveContacts) -> Result<(), Failure> {
        let n = active.len();
        let state = self.state();
        let rest = 1.0 - state.share();
        let to_end = if self.rates.clock == Clock::Round { rest } else { f64::INFINITY };
        let mut length_left = self.rates.time_left(active, &state);
        for k in 0..n {
            if self.rates.normals[k] == Normal::Prescribed && self.owes_work(k) {
                let (u, change) = (state.velocity(3 * k), self.rates.change[3 * k]);
                let missing = (self.work[k] - state.work(k)) / active.step[3 * k];
                length_left = length_left.min(until_worked(u, change, missing));
            }
        }
        if !length_left.is_finite() {
            return Err(Failure::Endless { share: state.share() });
        }
        let share = if length_left == to_end { 1.0 } else { state.share() + length_left };
        let in_unison = self.rates.clock == Clock::Round;
        let values = &mut self.integrator.start;
        for k in 0..n {
            let mean = values[3 * k] + 0.5 * length_left * self.rates.change[3 * k];
            values[6 * n + k] += length_left * active.step[3 * k] * mean;
        }
        for i in 0..3 * n {
            values[i] += length_left * self.rates.change[i];
            values[3 * n + i] += length_left * active.step[i];
        }
        if in_unison {
            values[7 * n] = share;
        }
        Ok(())
    }

    /// Follows slip that turns to the next event; from where it turns no more, straight on.
    pub(crate) fn advance_curved(
        &mut self,
        active: &mut ActiveContacts,
        record: &mut Record,
    ) -> Result<(), Failure> {
        let n = active.len();
        let rates = &mut self.rates;
        self.integrator.begin(|state, slope| rates.slope(active, state, slope));
        let mut before = self.margin(active, false);
        if before < 0.0 {
            // Redundant contacts share what no smallest impulse can give them.
            return Err(Failure::NoDirection { residual: -before });
        }
        let (mut steps, mut seen) = (0, self.slowest_slip(active));
        let rows: usize = active.contacts.iter().map(|contact| 1 + contact.tangents).sum();
        let round = self.rates.clock == Clock::Round && self.debt == Debt::Poisson;
        let may_creep = rows > active.rank && round;
        loop {
            let h = self.try_steps(active, record)?;
            let after = self.margin(active, true);
            if after < 0.0 {
                self.locate(active, h, [before, after])?;
                self.integrator.accept();
                let share = &mut self.integrator.start[7 * n];
                if 1.0 - *share <= EVENT_MET {
                    *share = 1.0;
                }
                return Ok(());
            }
            self.integrator.accept();
            before = after;
            steps += 1;
            if may_creep && steps % CREEP.0 == 0 {
                let now = self.slowest_slip(active);
                if creeps(seen, now) {
                    return Err(Failure::Creep { slip: now.0 });
                }
                seen = now;
            }
            if self.rates.straight(active) {
                return self.advance_straight(active);
            }
        }
    }

    /// The slowest slip that turns, relative to the largest speed, and the part of the round that is over \[1\].
    fn slowest_slip(&self, active: &ActiveContacts) -> (f64, f64) {
        let state = self.state();
        let turning = (0..active.len())
            .filter(|&k| active.contacts[k].slides() && active.contacts[k].tangents == 2);
        let slowest = turning.map(|k| length(state.slip(k))).fold(f64::INFINITY, f64::min);
        (slowest / active.speed, state.share())
    }

    /// Tries steps until one is exact enough, and answers its length.
    fn try_steps(
        &mut self,
        active: &mut ActiveContacts,
        record: &mut Record,
    ) -> Result<f64, Failure> {
        let mut h = self.step;
        loop {
            self.try_step(active, h);
            self.count(record)?;
            self.measure(active);
            let error = self.integrator.error(&self.scale) / STEP_ERROR;
            let sound = self.sound();
            // The eighth root, three square roots.
            let root = f64::sqrt(f64::sqrt(f64::sqrt(error)));
            let factor = if root > 0.0 { (0.9 / root).clamp(0.1, 6.0) } else { 6.0 };
            if sound && error <= 1.0 {
                self.step = h * factor;
                return Ok(h);
            }
            h *= if sound { factor } else { 0.1 };
            if h < MIN_STEP {
                return Err(self.rough());
            }
        }
    }

    /// Slip that is about to stop is followed by its own measure, lest steps lead across its end time and again.
    fn measure(&mut self, active: &ActiveContacts) {
        let end = State { n: active.len(), values: &self.integrator.end };
        for k in 0..active.len() {
            let turns = active.contacts[k].slides() && active.contacts[k].tangents == 2;
            let left = length(end.slip(k)).max(STOPPED_SLIP * active.speed);
            let own = if turns { SLIP_STEP_ERROR / STEP_ERROR * left } else { active.speed };
            self.scale[3 * k + 1..3 * k + 3].fill(own.min(active.speed));
        }
    }

    /// Whether the last step has come anywhere.
    fn sound(&self) -> bool {
        self.integrator.end.iter().all(|x| x.is_finite())
    }

    /// Why steps come nowhere.
    fn rough(&mut self) -> Failure {
        let share = self.state().share();
        self.rates.failure.take().unwrap_or(Failure::Rough { share })
    }

    fn try_step(&mut self, active: &mut ActiveContacts, h: f64) {
        let rates = &mut self.rates;
        self.integrator.step(h, |state, slope| rates.slope(active, state, slope));
    }

    pub(crate) fn margin(&self, active: &ActiveContacts, end: bool) -> f64 {
        let values = if end { &self.integrator.end } else { &self.integrator.start };
        self.rates.margin(active, &State { n: active.len(), values }, &self.work)
    }

    /// Repeats a step of at most length `h` up to its event; the margin is known at both of its ends.
    fn locate(
        &mut self,
        active: &mut ActiveContacts,
        h: f64,
        [before, after]: [f64; 2],
    ) -> Result<(), Failure> {
        if before > 0.0 {
            let mut ends = [(0.0, before), (h, after)];
            if !self.meet(active, &mut ends) {
                carom_ode::locate(ends, EVENT_MET, |h| self.margin_after(active, h, before));
            }
        }
        if self.sound() { Ok(()) } else { Err(self.rough()) }
    }

    /// The margin after a step of length `h`.
    fn margin_after(&mut self, active: &mut ActiveContacts, h: f64, before: f64) -> f64 {
        self.try_step(active, h);
        // What has no rates lies beyond.
        if self.sound() { self.margin(active, true) } else { -before }
    }

    /// The same within the step that was made last, between its ends: one solution instead of a dozen.
    fn margin_within(&mut self, active: &mut ActiveContacts, theta: f64, before: f64) -> f64 {
        let mut probe = std::mem::take(&mut self.probe);
        self.integrator.interpolate(theta, &mut probe);
        let state = State { n: active.len(), values: &probe };
        let there = self.rates.evaluate(active, &state);
        let margin = if there { self.rates.margin(active, &state, &self.work) } else { -before };
        self.probe = probe;
        margin
    }

    /// Looks for the event between the ends of the last step, then makes the step that leads to it. Says whether it is
    /// met; if not, the ends are closer.
    fn meet(&mut self, active: &mut ActiveContacts, ends: &mut [(f64, f64); 2]) -> bool {
        let [(_, before), (h, after)] = *ends;
        let rates = &mut self.rates;
        self.integrator.prepare(|state, slope| rates.slope(active, state, slope));
        self.probe.resize(State::size(active.len()), 0.0);
        self.integrator.interpolate(0.5, &mut self.probe);
        if !self.probe.iter().all(|x| x.is_finite()) {
            return false;
        }
        let mut near = [(0.0, before), (1.0, after)];
        let theta = carom_ode::locate(near, STEP_ERROR, |theta| {
            let margin = self.margin_within(active, theta, before);
            near[usize::from(margin <= 0.0)] = (theta, margin);
            margin
        });
        let slope = (near[1].1 - near[0].1) / (near[1].0 - near[0].0) / h;
        let mut length = theta * h;
        for _ in 0..MAX_EVENT_STEPS {
            let margin = self.margin_after(active, length, before);
            if margin.abs() <= EVENT_MET {
                return true;
            }
            ends[usize::from(margin <= 0.0)] = (length, margin);
            length -= margin / slope;
            if !(length > ends[0].0 && length < ends[1].0) {
                break;
            }
        }
        false
    }
}

/// Whether slip is so slow that its direction follows everything else at once, and goes on: from then on explicit steps are
/// as short as it is slow. Given are the slowest slip and how far the round was, some steps ago and now.
fn creeps((seen, begun): (f64, f64), (slip, share): (f64, f64)) -> bool {
    let (steps, fall, most) = CREEP;
    let left = f64::from(steps) * (1.0 - share) / (share - begun);
    slip < CREEPING_SLIP && slip > fall * seen && left > most
}

/// How long it takes until a normal velocity that changes at a constant rate has done so much work per rate of impulse.
fn until_worked(u: f64, change: f64, missing: f64) -> f64 {
    // u x + ½ change x² = missing, in the form that does not cancel.
    let root = u * u + 2.0 * change * missing;
    if root < 0.0 {
        return f64::INFINITY;
    }
    let below = u + f64::sqrt(root);
    if below > 0.0 { 2.0 * missing / below } else { f64::INFINITY }
}

#[cfg(test)]
mod tests {
    use super::{creeps, until_worked};

    #[test]
    fn slip_creeps_where_it_neither_stops_nor_lets_the_round_go_on() {
        assert!(creeps((1e-6, 0.1), (0.9e-6, 0.101)));
        // It stops, it is fast, or the round is nearly over.
        assert!(!creeps((1e-6, 0.1), (1e-8, 0.101)));
        assert!(!creeps((0.1, 0.1), (0.1, 0.101)));
        assert!(!creeps((1e-6, 0.1), (0.9e-6, 0.6)));
    }

    /// At 1 m/s and constant rate 2: x + x² = 2 at x = 1. Against 3 m/s slowed by 2 no more than 9/4 is done.
    #[test]
    fn work_at_a_constant_rate_is_done_in_closed_form() {
        assert_eq!(until_worked(1.0, 2.0, 2.0), 1.0);
        assert_eq!(until_worked(3.0, -2.0, 2.25), 1.5);
        assert_eq!(until_worked(3.0, -2.0, 2.3), f64::INFINITY);
    }
}
