//! How a law of rounds comes to its answer: as published; where that fails, with its remedies; where they fail too, by
//! stopping without restitution whatever still approaches.

use super::journal::{Journal, Trouble};
use super::medium::Medium;
use super::rounds::{Advance, Bench, Course, End, Rules};
use super::view::View;
use crate::ImpactError;
use crate::contact::ContactProblem;
use crate::multi::{Desk, IslandAnswer};
use crate::outcome::{Note, Notes, ProblemEffort, RoundsEffort};

/// Approaches below this part of the largest speed count as none: the published algorithm's own tolerance \[1\].
pub(super) const LITERAL_OBSERVE: f64 = 1e-10;
/// The same with the guard, where contacts begin that slowly \[1\].
pub(super) const GUARDED_OBSERVE: f64 = 1e-6;

/// The approach below which contacts of a problem watch unless told otherwise [m/s].
pub(super) fn default_observe(energy_guard: bool, problem: &ContactProblem) -> f64 {
    let speed = problem.velocity().iter().fold(0.0, |m: f64, u| m.max(u.abs()));
    speed * if energy_guard { GUARDED_OBSERVE } else { LITERAL_OBSERVE }
}

/// With remedies so many times the rounds are allowed: from the limit on contacts collide together, not in turn \[1\].
const PATIENCE: u64 = 10;

/// What both laws of rounds have in common.
#[derive(Clone, Copy, Debug)]
pub(super) struct Policy {
    pub(super) law: &'static str,
    pub(super) energy_guard: bool,
    /// Whether remedies that are asked for one by one act although energy is not guarded.
    pub(super) aided: bool,
    pub(super) observe_speed: Option<f64>,
    pub(super) max_rounds: u64,
    pub(super) proximity: f64,
    pub(super) truncate: bool,
}

/// All that the rounds work with; its memory is kept from impact to impact.
pub(super) struct Memory<A> {
    pub(super) course: Course,
    pub(super) effort: RoundsEffort,
    bench: Bench,
    /// What carries a round to its end, as published and with remedies.
    advance: [A; 2],
}

impl<A> Memory<A> {
    pub(super) fn new(advance: [A; 2]) -> Self {
        Self {
            course: Course::default(),
            effort: RoundsEffort::default(),
            bench: Bench::default(),
            advance,
        }
    }
}

impl Policy {
    /// The answer to an island; rounds are carried to their ends as published, or with remedies.
    pub(super) fn resolve<A: Advance>(
        &self,
        island: &ContactProblem,
        advance: [A; 2],
        desk: &mut Desk,
    ) -> Result<IslandAnswer, ImpactError> {
        let view = View::new(island, desk.tolerances)?;
        let mut memory = Memory::new(advance);
        self.run(&view.medium, view.numbers(), &mut memory, desk)?;
        let mut notes = Notes::NONE;
        if memory.effort.impulse_unique == Some(false) {
            notes.insert(Note::ImpulseNotUnique);
        }
        let impulse = view.impulse(&memory.course.impulse);
        Ok(IslandAnswer { impulse, effort: ProblemEffort::Rounds(memory.effort), notes })
    }

    /// Runs an impact; its result is left in `memory`. `numbers` are those of the contacts in the problem, if others.
    pub(super) fn run<A: Advance>(
        &self,
        medium: &Medium,
        numbers: Option<&[usize]>,
        memory: &mut Memory<A>,
        desk: &mut Desk,
    ) -> Result<(), ImpactError> {
        let literal = self.rules(medium, desk);
        let mut rules = literal;
        let mut remedied = 0;
        let mut end = attempt(medium, &rules, remedied, memory, Journal::quiet(numbers, desk));
        let failed = end != Ok(End::Over) || memory.course.creates_energy();
        if failed && (self.energy_guard || self.aided) {
            rules.guard = self.energy_guard;
            rules.together_after = self.max_rounds;
            rules.max_rounds = self.max_rounds.saturating_mul(PATIENCE);
            rules.observe = rules.observe.max(self.observe_speed.unwrap_or(self.slow(medium)));
            remedied = 1;
            end = attempt(medium, &rules, remedied, memory, Journal::quiet(numbers, desk));
        }
        if desk.watch.traces() {
            // What was tried in vain is nobody's business: the run that is kept is shown.
            end = attempt(medium, &rules, remedied, memory, Journal::loud(numbers, desk));
        }
        let Memory { course, effort, bench, .. } = memory;
        effort.impulse_unique.get_or_insert(true);
        course.settle_accounts(medium, effort.rounds);
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

    /// The approach below which contacts watch once remedies act [m/s].
    fn slow(&self, medium: &Medium) -> f64 {
        medium.speed() * if self.energy_guard { GUARDED_OBSERVE } else { LITERAL_OBSERVE }
    }

    fn rules(&self, medium: &Medium, desk: &Desk) -> Rules {
        let speed = medium.speed();
        let zero = desk.tolerances.approach * speed;
        let noise = |u: &f64| *u < -zero && *u > -GUARDED_OBSERVE * speed;
        let noisy = self.energy_guard && medium.start.iter().step_by(3).any(noise);
        let default = if noisy { GUARDED_OBSERVE } else { LITERAL_OBSERVE };
        Rules {
            observe: self.observe_speed.unwrap_or(default * speed),
            zero,
            guard: false,
            clean: self.energy_guard,
            max_rounds: self.max_rounds,
            together_after: u64::MAX,
            proximity: self.proximity,
        }
    }
}

fn attempt<A: Advance>(
    medium: &Medium,
    rules: &Rules,
    remedied: usize,
    memory: &mut Memory<A>,
    mut journal: Journal,
) -> Result<End, Trouble> {
    let Memory { course, effort, bench, advance, .. } = memory;
    std::mem::swap(&mut journal.effort, effort);
    journal.effort.clear();
    let end = course.run(medium, rules, bench, &mut advance[remedied], &mut journal);
    std::mem::swap(&mut journal.effort, effort);
    end
}
