//! How a law of rounds comes to its answer: by one attempt after the other, the first as published, the others with
//! remedies; where all fail, by stopping without restitution whatever still approaches.

use super::interval::Aids;
use super::journal::{Journal, Trouble};
use super::medium::Medium;
use super::rounds::{Bench, Course, End, Rules};
use super::way::Way;
use crate::ImpactError;
use crate::contact::ContactProblem;
use crate::island::unilateral::{Rows, Unilateral};
use crate::island::{Context, IslandAnswer};
use crate::numerics::double::Double;
use crate::outcome::{Effort, Note, Notes, RoundsEffort};

/// Approaches below this part of the largest speed count as none: the published algorithm's own tolerance \[1\].
pub(crate) const LITERAL_OBSERVE: f64 = 1e-10;
/// The same with the guard, where contacts begin that slowly \[1\].
pub(crate) const GUARDED_OBSERVE: f64 = 1e-6;

/// The approach below which contacts of a problem watch unless told otherwise [m/s].
pub(crate) fn default_observe(energy_guard: bool, problem: &ContactProblem) -> f64 {
    let speed = problem.velocity().iter().fold(0.0, |m: f64, u| m.max(u.abs()));
    speed * if energy_guard { GUARDED_OBSERVE } else { LITERAL_OBSERVE }
}

/// With remedies so many times the rounds are allowed: from the limit on contacts collide together, not in turn \[1\].
const PATIENCE: u64 = 10;

/// A blow that travels through a row of contacts and back takes two rounds for each of them. Where more than twice as many
/// collide in turn, and this part of the limit, they do not travel \[1\].
const IN_TURN: u64 = 4;

/// Approaches of more than this part of the speed have not been stopped \[1\].
const STOPPED: f64 = 1e-6;

/// Velocities are off by so many roundings of impulses \[1\].
const ROUNDINGS: f64 = 16.0;

/// What both laws of rounds have in common.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Policy {
    pub(crate) law: &'static str,
    pub(crate) energy_guard: bool,
    pub(crate) observe_speed: Option<f64>,
    pub(crate) max_rounds: u64,
    pub(crate) proximity: f64,
    pub(crate) truncate: bool,
}

/// One attempt at an impact.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Attempt {
    /// Which of the ways it goes; the first is the law's own.
    pub(crate) way: usize,
    /// What helps where intervals fail.
    pub(crate) aids: Aids,
    /// Whether remedies act between the rounds, too.
    pub(crate) remedied: bool,
    /// Whether it is for impacts in which contacts begin at noise level, or for the others only.
    pub(crate) noisy: Option<bool>,
}

/// All that the rounds work with; its memory is kept from impact to impact.
pub(crate) struct Memory {
    pub(crate) course: Course,
    pub(crate) effort: RoundsEffort,
    bench: Bench,
    ways: Vec<Way>,
    /// What is tried, in this order, until something works.
    attempts: Vec<Attempt>,
}

impl Memory {
    pub(crate) fn new(ways: Vec<Way>, attempts: Vec<Attempt>) -> Self {
        Self {
            course: Course::default(),
            effort: RoundsEffort::default(),
            bench: Bench::default(),
            ways,
            attempts,
        }
    }
}

impl Policy {
    /// The answer to an island.
    pub(crate) fn resolve(
        &self,
        island: &ContactProblem,
        mut memory: Memory,
        context: &mut Context,
    ) -> Result<IslandAnswer, ImpactError> {
        let unilateral = Unilateral::new(island, Rows::All, context.tolerances)?;
        let medium = Medium::new(island, &unilateral, context.tolerances);
        let map = unilateral.map;
        // A wave through a row of balls takes a round for each of them.
        let hundreds = 1 + island.len().saturating_sub(1) as u64 / 100;
        let policy = Self { max_rounds: self.max_rounds.saturating_mul(hundreds), ..*self };
        policy.run(&medium, map.contacts(), &mut memory, context)?;
        let mut notes = Notes::NONE;
        if memory.effort.impulse_unique == Some(false) {
            notes.insert(Note::ImpulseNotUnique);
        }
        let impulse = map.impulse(medium.compact(&memory.course.impulse));
        let stopped_at_once = memory.effort.fallbacks > 0;
        let left = if stopped_at_once { approach_left(island, &impulse) } else { 0.0 };
        if left > STOPPED {
            return Err(ImpactError::NotConverged {
                law: self.law,
                residual: left,
                iterations: u32::try_from(memory.effort.rounds).unwrap_or(u32::MAX),
            });
        }
        Ok(IslandAnswer { impulse, effort: Effort::Rounds(memory.effort), notes })
    }

    /// Runs an impact; its result is left in `memory`. `numbers` are those of the contacts in the problem, if others.
    pub(crate) fn run(
        &self,
        medium: &Medium,
        numbers: Option<&[usize]>,
        memory: &mut Memory,
        context: &mut Context,
    ) -> Result<(), ImpactError> {
        let zero = context.tolerances.approach * medium.speed();
        let noisy = self.energy_guard && begins_with_noise(medium);
        let published = self.published(medium, zero, noisy);
        let remedied = self.remedied(published, medium);
        let mut rules = published;
        let mut end = Ok(End::Over);
        // Whoever sets out again on the same way has what is left of its patience.
        let (mut last, mut before, mut after) = (None, 0, 0);
        for i in 0..memory.attempts.len() {
            let attempt = memory.attempts[i];
            if attempt.noisy.is_some_and(|only| only != noisy) {
                continue;
            }
            rules = if attempt.remedied { remedied } else { published };
            before =
                if last.is_some_and(|last: Attempt| last.way == attempt.way) { after } else { 0 };
            last = Some(attempt);
            let journal = Journal::quiet(before, numbers, context);
            (end, after) = memory.attempt(medium, &rules, attempt, journal);
            let settled = match end {
                Ok(End::Over) => !memory.course.creates_energy(),
                Ok(End::Cut) => self.truncate && !memory.course.creates_energy(),
                Err(Trouble::Stopped(_)) => true,
                Err(_) => false,
            };
            if settled {
                break;
            }
        }
        if let Some(attempt) = last.filter(|_| context.observer.wants_steps()) {
            // What was tried in vain is nobody's business: the run that is kept is shown.
            let journal = Journal::loud(before, numbers, context);
            (end, _) = memory.attempt(medium, &rules, attempt, journal);
        }
        let Memory { course, effort, bench, .. } = memory;
        effort.impulse_unique.get_or_insert(true);
        course.settle_accounts(medium, effort.rounds);
        if self.energy_guard && end.is_ok() && course.creates_energy() {
            end = Err(Trouble::Gain { energy: course.gained });
        }
        match end {
            Err(Trouble::Stopped(error)) => Err(error),
            Ok(End::Over) => Ok(()),
            Ok(End::Cut) if self.truncate => {
                effort.truncated = true;
                Ok(())
            }
            _ if self.energy_guard
                && (course.stop(medium, &mut bench.coulomb)
                    || course.stop_from_start(medium, &mut bench.coulomb, &rules)) =>
            {
                effort.fallbacks = 1;
                Ok(())
            }
            Ok(End::Cut) => Err(ImpactError::Limit(format!(
                "{} rounds, and contacts still approach at {:e} m/s",
                self.max_rounds,
                course.approach()
            ))),
            Err(trouble) => Err(trouble.into_error(self.law, effort)),
        }
    }

    /// Rules once remedies act.
    fn remedied(&self, rules: Rules, medium: &Medium) -> Rules {
        let slow = if self.energy_guard { GUARDED_OBSERVE } else { LITERAL_OBSERVE };
        let slow = self.observe_speed.unwrap_or(slow * medium.speed());
        Rules {
            observe: rules.observe.max(slow),
            guard: self.energy_guard,
            together_after: (self.max_rounds / IN_TURN)
                .max(IN_TURN.saturating_mul(medium.len() as u64))
                .clamp(1, self.max_rounds.max(1)),
            max_rounds: self.max_rounds.saturating_mul(PATIENCE),
            ..rules
        }
    }

    /// Rules as published, but for what watches where contacts begin at noise level.
    fn published(&self, medium: &Medium, zero: f64, noisy: bool) -> Rules {
        let default = if noisy { GUARDED_OBSERVE } else { LITERAL_OBSERVE };
        Rules {
            observe: self.observe_speed.unwrap_or(default * medium.speed()),
            zero,
            guard: false,
            clean: self.energy_guard,
            max_rounds: self.max_rounds,
            together_after: u64::MAX,
            proximity: self.proximity,
        }
    }
}

/// Whether contacts approach so slowly that it is noise, but too fast for the published algorithm to take it for none.
fn begins_with_noise(medium: &Medium) -> bool {
    let [least, most] = [LITERAL_OBSERVE, GUARDED_OBSERVE].map(|part| -part * medium.speed());
    let noise = |u: &f64| *u < least && *u > most;
    medium.start.iter().step_by(3).any(noise)
}

/// The fastest approach that impulses leave, by `W` itself and beyond what their rounding explains, relative to the largest
/// speed before. Factors of `W` are blind where masses are too far apart \[1\].
fn approach_left(problem: &ContactProblem, impulse: &[f64]) -> f64 {
    let speed = problem.velocity().iter().fold(0.0, |m: f64, u| m.max(u.abs()));
    let pushing = (0..problem.len()).filter(|&k| problem.contacts()[k].pushes());
    let fastest = pushing.map(|k| problem.row_range(k).start).fold(0.0, |most: f64, row| {
        let (mut after, mut size) = (Double::from(problem.velocity()[row]), 0.0);
        problem.delassus().for_row(row, |j, w| {
            after = after + Double::product(w, impulse[j]);
            size += (w * impulse[j]).abs();
        });
        most.max(-after.round() - ROUNDINGS * f64::EPSILON * size)
    });
    if fastest > 0.0 { fastest / speed } else { 0.0 }
}

impl Memory {
    /// Makes an attempt; answers how it ended, and how much work its way has cost so far.
    fn attempt(
        &mut self,
        medium: &Medium,
        rules: &Rules,
        attempt: Attempt,
        mut journal: Journal,
    ) -> (Result<End, Trouble>, u64) {
        let Self { course, effort, bench, ways, .. } = self;
        let way = &mut ways[attempt.way];
        std::mem::swap(&mut journal.effort, effort);
        journal.effort.clear();
        way.set_out(attempt.aids);
        journal.effort.remedies.limit = u32::from(attempt.way > 0);
        let end = course.run(medium, rules, bench, way, &mut journal);
        std::mem::swap(&mut journal.effort, effort);
        (end, journal.work)
    }
}
