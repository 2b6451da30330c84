//! How fast velocities and impulses change between two events, stick–slip states being given.

use super::super::active::ActiveContacts;
use super::super::equations::{Equations, System};
use super::super::failure::Failure;
use super::super::impending::{Impending, Search};
use super::super::step_length::length;
use super::super::tolerances::{COULOMB_ZERO, SLOW_SLIP, STRAIGHT};
use super::state::{State, length_of};
use crate::numerics::{dot, largest};
use crate::outcome::ContactMode;

/// Which clock runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Clock {
    /// That of the round: approaches fall in unison.
    #[default]
    Round,
    /// The round is over for compressed contacts, but others have work to return.
    Overtime,
    /// The round stands still while jammed contacts are pushed until they slip no more.
    Jam,
}

/// What is prescribed along a normal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Normal {
    /// Its approach is taken away, or it is dropped.
    Compressed,
    /// Its impulse is given.
    Prescribed,
    /// It takes part no more.
    Free,
}

/// Rates and what they belong to. While a round lasts `velocity` of the active contacts holds the rates at which velocities
/// are to be taken away, `step` rates of impulse, and `owed` rates as well.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rates {
    pub(crate) clock: Clock,
    pub(crate) normals: Vec<Normal>,
    /// Contacts whose direction of slip turns.
    turning: Vec<usize>,
    /// The usual impulse of what is left of the round [N·s].
    pub(crate) unit: f64,
    /// Rates of the velocities [m/s].
    pub(crate) change: Vec<f64>,
    /// Impending slip keeps its direction up to this, relative to the largest speed \[1\].
    pub(crate) impending_slip: f64,
    /// Directions of slip at the last evaluation.
    last: Vec<[f64; 2]>,
    /// Why the last evaluation failed.
    pub(crate) failure: Option<Failure>,
    pub(crate) equations: Equations,
    impending: Impending,
}

impl Rates {
    /// Begins a round.
    pub(crate) fn begin(&mut self, active: &ActiveContacts) {
        self.clock = Clock::Round;
        self.unit = 0.0;
        self.equations.begin(active);
    }

    /// Measures the usual impulse by what is prescribed.
    pub(crate) fn measure(&mut self, active: &ActiveContacts) {
        let usual = |k: usize| {
            let response = dot(active.row(3 * k), active.row(3 * k));
            match self.normals[k] {
                Normal::Compressed if response > 0.0 => active.velocity[3 * k].abs() / response,
                _ => active.contacts[k].owed,
            }
        };
        let unit = (0..active.len()).map(usual).sum();
        if unit > 0.0 {
            self.unit = unit;
        } else if self.unit == 0.0 {
            // Contacts that only graze: any rate leads them to the same end.
            let responses = (0..active.len()).map(|k| dot(active.row(3 * k), active.row(3 * k)));
            let most = responses.fold(0.0, f64::max);
            self.unit = if most > 0.0 { active.speed / most } else { 0.0 };
        }
    }

    /// Prepares the segment to the next event, states having been found.
    pub(crate) fn prepare(&mut self, active: &ActiveContacts) {
        self.failure = None;
        self.turning.clear();
        let contacts = active.contacts.iter().enumerate();
        let turning = contacts.filter(|(_, contact)| contact.slides() && contact.tangents == 2);
        self.turning.extend(turning.map(|(k, _)| k));
    }

    /// Finds the rates at a state, `active.step` being those of the impulses. False if there are none.
    pub(crate) fn evaluate(&mut self, active: &mut ActiveContacts, state: &State) -> bool {
        for &k in &self.turning {
            let slip = state.slip(k);
            let speed = length(slip);
            active.contacts[k].direction = slip.map(|u| u / speed);
        }
        match self.solve(active).and_then(|missed| active.residual(missed)) {
            Ok(_) => {
                self.find_changes(active);
                true
            }
            Err(failure) => {
                self.failure = Some(failure);
                false
            }
        }
    }

    /// As [`Equations::solve`]. Directions of impending slip change steadily: one that is not near the last belongs to
    /// another segment.
    fn solve(&mut self, active: &mut ActiveContacts) -> Result<f64, Failure> {
        if !active.contacts.iter().any(|contact| contact.mode == ContactMode::Impending) {
            return Ok(self.equations.solve(active));
        }
        self.last.clear();
        self.last.extend(active.contacts.iter().map(|contact| contact.direction));
        let mut system = System { equations: &mut self.equations, active };
        let missed = self.impending.solve(&mut system, Search::Near);
        if missed.is_err() {
            let last = active.contacts.iter_mut().zip(&self.last);
            last.for_each(|(contact, last)| contact.direction = *last);
        }
        missed
    }

    /// The rates of the velocities from those of the impulses. What is prescribed is kept to exactly.
    pub(crate) fn find_changes(&mut self, active: &ActiveContacts) {
        self.change.clear();
        self.change.extend((0..3 * active.len()).map(|row| dot(active.row(row), &active.along)));
        for (k, contact) in active.contacts.iter().enumerate() {
            if self.normals[k] == Normal::Compressed && contact.mode != ContactMode::Dropped {
                self.change[3 * k] = -active.velocity[3 * k];
            }
            if contact.mode == ContactMode::Rolling && contact.mu > 0.0 {
                for row in 3 * k + 1..=3 * k + contact.tangents {
                    self.change[row] = -active.velocity[row];
                }
            }
        }
    }

    /// How much of a round passes per unit of the integrator's time: less where slips are about to stop, or turn, and
    /// where impulses grow.
    fn clock_rate(&self, active: &ActiveContacts, state: &State) -> f64 {
        let slow = |k: &usize| SLOW_SLIP * active.speed / length(state.slip(*k));
        let pushed: f64 = active.step.iter().step_by(3).sum();
        1.0 / (1.0 + self.turning.iter().map(slow).sum::<f64>() + pushed / self.unit)
    }

    /// The slope of the state in the integrator's time.
    pub(crate) fn slope(&mut self, active: &mut ActiveContacts, state: &[f64], slope: &mut [f64]) {
        let n = active.len();
        let state = State { n, values: state };
        // Where a stage has no slope the next has no state.
        if !state.values.iter().all(|x| x.is_finite()) || !self.evaluate(active, &state) {
            slope.fill(f64::NAN);
            return;
        }
        let clock = self.clock_rate(active, &state);
        for i in 0..3 * n {
            slope[i] = clock * self.change[i];
            slope[3 * n + i] = clock * active.step[i];
        }
        for k in 0..n {
            slope[6 * n + k] = clock * active.step[3 * k] * state.velocity(3 * k);
        }
        slope[7 * n] = if self.clock == Clock::Round { clock } else { 0.0 };
    }

    /// Whether no direction of slip turns, so that all rates stay as they are.
    pub(crate) fn straight(&self, active: &ActiveContacts) -> bool {
        let size = f64::sqrt(dot(&active.along, &active.along));
        self.turning.iter().all(|&k| {
            let [x, y] = active.contacts[k].direction;
            let across = x * self.change[3 * k + 2] - y * self.change[3 * k + 1];
            let rows = [1, 2].map(|c| length_of(active.row(3 * k + c)));
            across.abs() <= STRAIGHT * (rows[0] + rows[1]) * size
        })
    }

    /// Reads states from impulses of the implicit Coulomb problem and the velocities they lead to.
    pub(crate) fn read_modes(&mut self, active: &mut ActiveContacts) {
        let largest = largest(&active.step);
        for k in 0..active.len() {
            let slip = [1, 2].map(|c| active.velocity_after(3 * k + c));
            let pushes = active.step[3 * k] > COULOMB_ZERO * largest;
            let contact = &mut active.contacts[k];
            if self.normals[k] == Normal::Compressed && !pushes {
                contact.mode = ContactMode::Dropped;
            } else if contact.mode == ContactMode::Rolling && contact.mu.is_finite() {
                let speed = length(slip);
                if speed > COULOMB_ZERO * active.speed {
                    contact.mode = ContactMode::Impending;
                    contact.direction = slip.map(|u| u / speed);
                }
            }
        }
    }
}
