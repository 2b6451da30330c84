//! What contacts do on a stretch of the way, and how fast everything changes there.

use super::super::equations::{Equations, Modes, System};
use super::super::impending::{Impending, Near};
use super::super::journal::Trouble;
use super::super::medium::dot;
use super::super::part::Part;
use super::super::step::length;
use super::state::{State, length_of};
use crate::outcome::ContactMode;

/// Equations missed by more than this part of the speed contradict each other \[1\].
const CONSISTENT: f64 = 1e-8;
/// Below this part of the largest speed a slip slows the clock down: it is followed until it stops, however sharply its
/// direction turns \[1\].
const SLOW: f64 = 0.05;
/// A direction of slip keeps if it turns by less than this: some roundings of the terms that cancel \[1\].
const ON_RAY: f64 = 1e-15;
/// Conditions on impulses are violated by this part of the largest: ten times what the search for modes lets pass, so
/// that it never finds the same modes again \[1\].
const VIOLATED: f64 = 1e-9;
/// The same for contacts that were left out, relative to the speed \[1\].
const APPROACHES: f64 = 2e-8;
/// Approaches at the end of a round that are due to rounding \[1\].
const NOISE: f64 = 1e-11;
/// Slip that has stopped, relative to the largest speed \[1\].
pub(crate) const STOPPED: f64 = 1e-12;
/// What is nothing in a solution of the implicit Coulomb problem, relative to the largest \[1\].
const READ: f64 = 1e-8;
/// A contact that begins to slip has the direction of its acceleration up to this part of the largest speed \[1\].
const TAKEN_OFF: f64 = 1e-7;
/// Normal impulses grow without bound where friction almost jams; where they are this many times what is usual it
/// counts as jammed, and where the response is `JAM_ENDS` of that without friction no longer \[1\].
const JAM_BEGINS: f64 = 1e6;
const JAM_ENDS: f64 = 1e-4;
/// Conditions on rates need be met less sharply than conditions on the state \[1\].
const BLUNT: f64 = 1e-3;

/// Which clock runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Pace {
    /// That of the round: approaches fall in unison.
    #[default]
    Round,
    /// The round is over for those that were compressed, but others have work to return.
    Overtime,
    /// The round stands still while jammed contacts are pushed until they slip no more.
    Jam,
}

/// What a contact's normal does on a stretch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// Its approach is taken away, or it is left out.
    Pressed,
    /// It gives a prescribed impulse.
    Gives,
    /// It takes part no more.
    Free,
}

/// Roles, modes and the rates that belong to them. While a round lasts the part's velocities are the rates at which
/// velocities are to be taken away, its step holds rates of impulse, and what it owes are rates as well.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rates {
    pub(crate) pace: Pace,
    pub(crate) roles: Vec<Role>,
    pub(crate) modes: Modes,
    /// Contacts whose direction of slip turns as they go.
    turning: Vec<usize>,
    /// The usual impulse of what is left of the round [N·s].
    pub(crate) unit: f64,
    /// Rates of the velocities [m/s].
    pub(crate) change: Vec<f64>,
    /// Directions of slip at the last evaluation.
    last: Vec<[f64; 2]>,
    /// Why the last evaluation failed.
    pub(crate) trouble: Option<Trouble>,
    equations: Equations,
    impending: Impending,
}

impl Rates {
    /// How often equations have been solved.
    pub(crate) fn solved(&self) -> u64 {
        self.equations.solved
    }

    /// Forgets what was found of any part.
    pub(crate) fn forget(&mut self) {
        self.equations.forget();
    }

    /// Begins a round.
    pub(crate) fn begin(&mut self, part: &Part) {
        self.pace = Pace::Round;
        self.equations.begin(part);
    }

    /// Roles have been given: measures by what is to be taken away and given what impulses are usual.
    pub(crate) fn measure(&mut self, part: &Part) {
        let usual = |k: usize| {
            let response = dot(part.row(3 * k), part.row(3 * k));
            match self.roles[k] {
                Role::Pressed if response > 0.0 => part.velocity[3 * k].abs() / response,
                _ => part.owed[k],
            }
        };
        let unit = (0..part.len()).map(usual).sum();
        if unit > 0.0 {
            self.unit = unit;
        }
    }

    /// Modes have been found: prepares the stretch.
    pub(crate) fn prepare(&mut self, part: &Part) {
        self.trouble = None;
        self.turning.clear();
        for k in 0..part.len() {
            if self.slides(part, k) && part.tangents[k] == 2 {
                self.turning.push(k);
            }
        }
    }

    /// Whether a contact slides and feels it.
    pub(crate) fn slides(&self, part: &Part, k: usize) -> bool {
        self.modes.of[k] == ContactMode::Sliding && part.mu[k] > 0.0
    }

    /// Finds the rates at a state, `part.step` being those of the impulses. False if there are none.
    pub(crate) fn evaluate(&mut self, part: &mut Part, state: &State) -> bool {
        for &k in &self.turning {
            let slip = state.slip(k);
            let speed = length(slip);
            self.modes.slip[k] = slip.map(|u| u / speed);
        }
        let missed = if self.modes.of.contains(&ContactMode::Impending) {
            self.last.clone_from(&self.modes.slip);
            let (equations, modes) = (&mut self.equations, &mut self.modes);
            // Directions change steadily: what is not near the last is none of this stretch.
            match self.impending.solve(&mut System { equations, part, modes }, Near::Guess) {
                Ok(missed) => missed,
                Err(trouble) => {
                    self.modes.slip.clone_from(&self.last);
                    self.trouble = Some(trouble);
                    return false;
                }
            }
        } else {
            self.equations.solve(part, &self.modes)
        };
        let residual = missed / part.speed;
        // What is not a number is not consistent.
        let consistent = residual <= CONSISTENT || missed <= part.rounding(&part.step);
        if consistent {
            self.find_changes(part);
        } else {
            self.trouble = Some(Trouble::Contradiction { residual });
        }
        consistent
    }

    /// The rates of the velocities from those of the impulses. What is prescribed is kept to exactly.
    pub(crate) fn find_changes(&mut self, part: &Part) {
        self.change.clear();
        self.change.extend((0..3 * part.len()).map(|row| dot(part.row(row), &part.along)));
        for k in 0..part.len() {
            let mode = self.modes.of[k];
            if self.roles[k] == Role::Pressed && mode != ContactMode::Dropped {
                self.change[3 * k] = -part.velocity[3 * k];
            }
            if mode == ContactMode::Rolling && part.mu[k] > 0.0 {
                for row in 3 * k + 1..=3 * k + part.tangents[k] {
                    self.change[row] = -part.velocity[row];
                }
            }
        }
    }

    /// How much of a round passes per unit of the integrator's time: less where slips are about to stop, or turn, and
    /// where impulses grow.
    pub(crate) fn clock(&self, part: &Part, state: &State) -> f64 {
        let slow = |k: &usize| SLOW * part.speed / length(state.slip(*k));
        let pushed: f64 = part.step.iter().step_by(3).sum();
        1.0 / (1.0 + self.turning.iter().map(slow).sum::<f64>() + pushed / self.unit)
    }

    /// The slope of the state in the integrator's time.
    pub(crate) fn slope(&mut self, part: &mut Part, state: &[f64], slope: &mut [f64]) {
        let n = part.len();
        let state = State { n, values: state };
        // Where a stage has no slope the next has no state.
        if !state.values.iter().all(|x| x.is_finite()) || !self.evaluate(part, &state) {
            slope.fill(f64::NAN);
            return;
        }
        let clock = self.clock(part, &state);
        for i in 0..3 * n {
            slope[i] = clock * self.change[i];
            slope[3 * n + i] = clock * part.step[i];
        }
        for k in 0..n {
            slope[6 * n + k] = clock * part.step[3 * k] * state.velocity(3 * k);
        }
        slope[7 * n] = if self.pace == Pace::Round { clock } else { 0.0 };
    }

    /// How long it takes until a slip stops, or until the round is over.
    pub(crate) fn time_left(&self, part: &Part, state: &State) -> f64 {
        let round = if self.pace == Pace::Round { 1.0 - state.share() } else { f64::INFINITY };
        (0..part.len()).filter(|&k| self.slides(part, k)).fold(round, |least, k| {
            let [x, y] = self.modes.slip[k];
            let along = x * self.change[3 * k + 1] + y * self.change[3 * k + 2];
            if along < 0.0 { least.min(length(state.slip(k)) / -along) } else { least }
        })
    }

    /// Whether no direction of slip turns, so that all rates stay as they are.
    pub(crate) fn straight(&self, part: &Part) -> bool {
        let size = f64::sqrt(dot(&part.along, &part.along));
        self.turning.iter().all(|&k| {
            let [x, y] = self.modes.slip[k];
            let across = x * self.change[3 * k + 2] - y * self.change[3 * k + 1];
            let rows = [1, 2].map(|c| length_of(part.row(3 * k + c)));
            across.abs() <= ON_RAY * (rows[0] + rows[1]) * size
        })
    }

    /// Reads from the impulses and the velocities they lead to what contacts do.
    pub(crate) fn read_modes(&mut self, part: &Part) {
        let largest = part.step.iter().fold(0.0, |m: f64, p| m.max(p.abs()));
        for k in 0..part.len() {
            let after =
                [0, 1, 2].map(|c| part.velocity[3 * k + c] + dot(part.row(3 * k + c), &part.along));
            let pushes = part.step[3 * k] > READ * largest;
            if self.roles[k] == Role::Pressed && !pushes {
                self.modes.of[k] = ContactMode::Dropped;
            } else if self.modes.of[k] == ContactMode::Rolling && part.mu[k].is_finite() {
                let slip = [after[1], after[2]];
                let speed = length(slip);
                if speed > READ * part.speed {
                    self.modes.of[k] = ContactMode::Impending;
                    self.modes.slip[k] = slip.map(|u| u / speed);
                }
            }
        }
    }

    /// How far a state is from the next event, of which the rates are those found last; negative beyond it \[1\].
    pub(crate) fn margin(&self, part: &Part, state: &State, work: &[f64]) -> f64 {
        let rest = 1.0 - state.share();
        let mut least = f64::INFINITY;
        let mut limit = |margin: f64| least = if margin < least { margin } else { least };
        if self.pace == Pace::Round {
            limit(rest);
        }
        let largest = part.step.iter().fold(0.0, |m: f64, p| m.max(p.abs()));
        for (k, &work) in work.iter().enumerate() {
            let [push, x, y] = [0, 1, 2].map(|c| part.step[3 * k + c]);
            let mode = self.modes.of[k];
            match (self.roles[k], mode) {
                (Role::Pressed, ContactMode::Dropped) => {
                    let (u, change) = (state.velocity(3 * k), self.change[3 * k]);
                    let (end, share) = match self.pace {
                        // Where a step goes beyond the end of the round, that is its event.
                        Pace::Round => (u + rest.max(0.0) * change, rest.max(0.0)),
                        _ => (change, 1.0),
                    };
                    limit(end / part.speed + APPROACHES * share + NOISE);
                    continue;
                }
                (Role::Pressed, _) => limit(BLUNT * (push / largest + VIOLATED)),
                (Role::Gives, _) if work > 0.0 => limit((work - state.work(k)) / work),
                (Role::Gives, _) => {}
                (Role::Free, _) => continue,
            }
            let speed = length(state.slip(k)) / part.speed;
            match mode {
                ContactMode::Rolling if part.mu[k] > 0.0 && part.mu[k].is_finite() => {
                    let inside = part.mu[k] * push - length([x, y]);
                    limit(BLUNT * (inside / largest + VIOLATED));
                }
                ContactMode::Impending => limit(TAKEN_OFF - speed),
                ContactMode::Sliding if part.mu[k] > 0.0 => {
                    limit(match part.tangents[k] {
                        1 => state.slip(k)[0] * self.modes.slip[k][0] / part.speed,
                        _ => speed - STOPPED,
                    });
                    let own = length_of(part.row(3 * k));
                    match self.pace {
                        Pace::Round if self.roles[k] == Role::Pressed => {
                            limit(1.0 - push / (JAM_BEGINS * self.unit));
                        }
                        Pace::Jam if self.roles[k] == Role::Gives => {
                            limit(BLUNT * (JAM_ENDS - self.change[3 * k] / (own * own * push)));
                        }
                        _ => {}
                    }
                }
                _ => {}
            }
        }
        least
    }

    /// Contacts that were left out although they approach, or are pushed beyond all measure.
    pub(crate) fn left_out(&self, part: &Part) -> Vec<usize> {
        let left_out = |k: &usize| {
            let after = part.velocity[3 * k] + dot(part.row(3 * k), &part.along);
            match (self.roles[*k], self.modes.of[*k]) {
                (Role::Pressed, ContactMode::Dropped) => after < -APPROACHES * part.speed,
                // Half of it, lest rounding decides whether what ended a stretch as a jam is one.
                (Role::Pressed, _) => part.step[3 * k] > 0.5 * JAM_BEGINS * self.unit,
                _ => false,
            }
        };
        (0..part.len()).filter(left_out).collect()
    }

    /// Whether contacts that are pushed approach all the faster, or hardly more slowly.
    pub(crate) fn jams(&self, part: &Part) -> bool {
        let jams = |k: usize| {
            let row = part.row(3 * k);
            let response = dot(row, &part.along) / (dot(row, row) * part.step[3 * k]);
            self.slides(part, k) && response < JAM_ENDS
        };
        (0..part.len()).filter(|&k| self.roles[k] == Role::Gives).all(jams)
    }
}
