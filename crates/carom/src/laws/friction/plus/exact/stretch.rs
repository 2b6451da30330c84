//! From one event to the next: in closed form where no slip turns, else step by step.

use super::super::journal::{Journal, Trouble};
use super::super::part::Part;
use super::super::step::length;
use super::flow::Flow;
use super::rates::{Pace, Role, STOPPED};
use super::state::State;

/// The error that one step may make in velocities, relative to the largest, and in impulses, relative to what stops
/// that speed \[1\].
const STEP_ERROR: f64 = 1e-14;
/// The error that one step may make in slip, relative to what is left of it \[1\].
const SHARP: f64 = 0.01;
/// Steps never shrink below this: something is not smooth where it should be \[1\].
const LEAST_STEP: f64 = 1e-13;
/// An event is met when its margin is below this \[1\].
pub(crate) const MET: f64 = 1e-13;
/// Steps that are made to meet an event that is known from within a longer step.
const CLOSER: u32 = 3;

impl Flow {
    /// Goes on at constant rates to the next event.
    pub(crate) fn go_straight(&mut self, part: &Part) -> Result<(), Trouble> {
        let n = part.len();
        let state = self.state();
        let rest = 1.0 - state.share();
        let to_end = if self.rates.pace == Pace::Round { rest } else { f64::INFINITY };
        let mut length_left = self.rates.time_left(part, &state);
        for k in 0..n {
            if self.rates.roles[k] == Role::Gives && self.owes_work(k) {
                let (u, change) = (state.velocity(3 * k), self.rates.change[3 * k]);
                let missing = (self.work[k] - state.work(k)) / part.step[3 * k];
                length_left = length_left.min(until_worked(u, change, missing));
            }
        }
        if !length_left.is_finite() {
            return Err(Trouble::Endless { share: state.share() });
        }
        let share = if length_left == to_end { 1.0 } else { state.share() + length_left };
        let in_unison = self.rates.pace == Pace::Round;
        let values = &mut self.integrator.start;
        for k in 0..n {
            let mean = values[3 * k] + 0.5 * length_left * self.rates.change[3 * k];
            values[6 * n + k] += length_left * part.step[3 * k] * mean;
        }
        for i in 0..3 * n {
            values[i] += length_left * self.rates.change[i];
            values[3 * n + i] += length_left * part.step[i];
        }
        if in_unison {
            values[7 * n] = share;
        }
        Ok(())
    }

    /// Follows slip that turns to the next event; from where it turns no more, straight on.
    pub(crate) fn go_round(
        &mut self,
        part: &mut Part,
        journal: &mut Journal,
    ) -> Result<(), Trouble> {
        let n = part.len();
        let rates = &mut self.rates;
        self.integrator.begin(|state, slope| rates.slope(part, state, slope));
        let mut before = self.margin(part, false);
        if before < 0.0 {
            // Redundant contacts share what no smallest impulse can give them.
            return Err(Trouble::NoDirection { residual: -before });
        }
        loop {
            let h = self.try_steps(part, journal)?;
            let after = self.margin(part, true);
            if after < 0.0 {
                self.locate(part, h, [before, after])?;
                self.integrator.accept();
                let share = &mut self.integrator.start[7 * n];
                if 1.0 - *share <= MET {
                    *share = 1.0;
                }
                return Ok(());
            }
            self.integrator.accept();
            before = after;
            if self.rates.straight(part) {
                return self.go_straight(part);
            }
        }
    }

    /// Tries steps until one is exact enough, and answers its length.
    fn try_steps(&mut self, part: &mut Part, journal: &mut Journal) -> Result<f64, Trouble> {
        let mut h = self.step;
        loop {
            self.try_step(part, h);
            self.count(journal)?;
            self.measure(part);
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
            if h < LEAST_STEP {
                return Err(self.rough());
            }
        }
    }

    /// Slip that is about to stop is followed by its own measure, lest steps lead across its end time and again.
    fn measure(&mut self, part: &Part) {
        let end = State { n: part.len(), values: &self.integrator.end };
        for k in 0..part.len() {
            let turns = self.rates.slides(part, k) && part.tangents[k] == 2;
            let left = length(end.slip(k)).max(STOPPED * part.speed);
            let own = if turns { SHARP / STEP_ERROR * left } else { part.speed };
            self.scale[3 * k + 1..3 * k + 3].fill(own.min(part.speed));
        }
    }

    /// Whether the last step has come anywhere.
    fn sound(&self) -> bool {
        self.integrator.end.iter().all(|x| x.is_finite())
    }

    /// Why steps come nowhere.
    fn rough(&mut self) -> Trouble {
        let share = self.state().share();
        self.rates.trouble.take().unwrap_or(Trouble::Rough { share })
    }

    fn try_step(&mut self, part: &mut Part, h: f64) {
        let rates = &mut self.rates;
        self.integrator.step(h, |state, slope| rates.slope(part, state, slope));
    }

    pub(crate) fn margin(&self, part: &Part, end: bool) -> f64 {
        let values = if end { &self.integrator.end } else { &self.integrator.start };
        self.rates.margin(part, &State { n: part.len(), values }, &self.work)
    }

    /// Repeats a step of at most length `h` up to its event; the margin is known at both of its ends.
    fn locate(
        &mut self,
        part: &mut Part,
        h: f64,
        [before, after]: [f64; 2],
    ) -> Result<(), Trouble> {
        if before > 0.0 {
            let mut ends = [(0.0, before), (h, after)];
            if !self.meet(part, &mut ends) {
                carom_ode::locate(ends, MET, |h| self.margin_after(part, h, before));
            }
        }
        if self.sound() { Ok(()) } else { Err(self.rough()) }
    }

    /// The margin after a step of length `h`.
    fn margin_after(&mut self, part: &mut Part, h: f64, before: f64) -> f64 {
        self.try_step(part, h);
        // What has no rates lies beyond.
        if self.sound() { self.margin(part, true) } else { -before }
    }

    /// The same within the step that was made last, between its ends: one solution instead of a dozen.
    fn margin_within(&mut self, part: &mut Part, theta: f64, before: f64) -> f64 {
        let mut probe = std::mem::take(&mut self.probe);
        self.integrator.interpolate(theta, &mut probe);
        let state = State { n: part.len(), values: &probe };
        let there = self.rates.evaluate(part, &state);
        let margin = if there { self.rates.margin(part, &state, &self.work) } else { -before };
        self.probe = probe;
        margin
    }

    /// Looks for the event between the ends of the last step, then makes the step that leads to it. Says whether it is
    /// met; if not, the ends are closer.
    fn meet(&mut self, part: &mut Part, ends: &mut [(f64, f64); 2]) -> bool {
        let [(_, before), (h, after)] = *ends;
        let rates = &mut self.rates;
        self.integrator.prepare(|state, slope| rates.slope(part, state, slope));
        self.probe.resize(State::size(part.len()), 0.0);
        self.integrator.interpolate(0.5, &mut self.probe);
        if !self.probe.iter().all(|x| x.is_finite()) {
            return false;
        }
        let mut near = [(0.0, before), (1.0, after)];
        let theta = carom_ode::locate(near, STEP_ERROR, |theta| {
            let margin = self.margin_within(part, theta, before);
            near[usize::from(margin <= 0.0)] = (theta, margin);
            margin
        });
        let slope = (near[1].1 - near[0].1) / (near[1].0 - near[0].0) / h;
        let mut length = theta * h;
        for _ in 0..CLOSER {
            let margin = self.margin_after(part, length, before);
            if margin.abs() <= MET {
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
