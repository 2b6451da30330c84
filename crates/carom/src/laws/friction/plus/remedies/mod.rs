//! Everything that is not in the paper. An island is answered by one attempt after the other, the first as published, the
//! others with remedies; where all fail, whatever still approaches is stopped without restitution.

pub(crate) mod coulomb;
mod guard;
mod interval;
mod plastic_stop;

use super::algorithm::{End, Impact, RoundMethod, RoundRules, Scratch};
use super::contact_space::ContactSpace;
use super::failure::Failure;
use super::record::Record;
use super::tolerances::{
    APPROACH_ROUNDINGS, BUDGET_CONTACTS, FALLBACK_APPROACH, GUARDED_OBSERVE, IN_TURN, LIMIT_BUDGET,
    PATIENCE, PUBLISHED_BUDGET, PUBLISHED_OBSERVE, SEARCHED_CONTACTS, WHOLE_BUDGET,
};
use crate::ImpactError;
use crate::contact::ContactProblem;
use crate::island::unilateral::{Rows, Unilateral};
use crate::island::{Context, IslandAnswer};
use crate::numerics::double::Double;
use crate::numerics::largest;
use crate::outcome::{Effort, Note, Notes, RoundsEffort};

/// The default of `observe_speed` [m/s].
pub(crate) fn default_observe(energy_guard: bool, problem: &ContactProblem) -> f64 {
    let speed = largest(problem.velocity());
    speed * if energy_guard { GUARDED_OBSERVE } else { PUBLISHED_OBSERVE }
}

/// What is done where an interval of the published algorithm fails.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct IntervalRemedies {
    pub(crate) jam_advance: bool,
    pub(crate) coulomb: bool,
    pub(crate) readd: bool,
    /// Whether each round is one step, friction opposing the slip at its end.
    pub(crate) whole: bool,
}

impl IntervalRemedies {
    pub(crate) const ALL: Self =
        Self { jam_advance: true, coulomb: true, readd: true, whole: false };
}

/// What `plus` and `plus-exact` have in common.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RoundsLaw {
    pub(crate) id: &'static str,
    pub(crate) energy_guard: bool,
    pub(crate) observe_speed: Option<f64>,
    pub(crate) max_rounds: u64,
    pub(crate) proximity: f64,
    pub(crate) truncate: bool,
    pub(crate) budget: u64,
}

/// One attempt at an impact.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Attempt {
    /// Which of the methods it uses; the first is the law's own.
    pub(crate) method: usize,
    /// Remedies within intervals.
    pub(crate) remedies: IntervalRemedies,
    /// Whether remedies act between the rounds, too.
    pub(crate) remedied: bool,
    /// Whether it is only for impacts in which contacts begin at noise level, or only for the others.
    pub(crate) noisy: Option<bool>,
}

impl Attempt {
    /// The same with rounds of one step each, the last way that has restitution.
    pub(crate) fn by_whole_rounds(self) -> Self {
        Self { remedies: IntervalRemedies { whole: true, ..self.remedies }, ..self }
    }
}

/// State and scratch memory of the rounds, kept from impact to impact.
pub(crate) struct Workspace {
    pub(crate) impact: Impact,
    pub(crate) effort: RoundsEffort,
    scratch: Scratch,
    methods: Vec<RoundMethod>,
    /// In this order, until one succeeds.
    attempts: Vec<Attempt>,
}

impl Workspace {
    pub(crate) fn new(methods: Vec<RoundMethod>, attempts: Vec<Attempt>) -> Self {
        Self {
            impact: Impact::default(),
            effort: RoundsEffort::default(),
            scratch: Scratch::default(),
            methods,
            attempts,
        }
    }
}

impl RoundsLaw {
    /// The answer to an island.
    pub(crate) fn resolve(
        &self,
        island: &ContactProblem,
        mut workspace: Workspace,
        context: &mut Context,
    ) -> Result<IslandAnswer, ImpactError> {
        let unilateral = Unilateral::new(island, Rows::All, context.tolerances)?;
        let space = ContactSpace::new(island, &unilateral, context.tolerances);
        let map = unilateral.map;
        // A wave through a row of balls takes a round for each of them.
        let hundreds = 1 + island.len().saturating_sub(1) as u64 / 100;
        let scaled = Self { max_rounds: self.max_rounds.saturating_mul(hundreds), ..*self };
        scaled.run(&space, map.contacts(), &mut workspace, context)?;
        let notes = notes_on(&workspace.effort);
        let impulse = map.impulse(space.compact(&workspace.impact.impulse));
        let stopped_at_once = workspace.effort.fallbacks > 0;
        let left = if stopped_at_once { approach_left(island, &impulse) } else { 0.0 };
        if left > FALLBACK_APPROACH {
            return Err(ImpactError::NotConverged {
                law: self.id,
                residual: left,
                iterations: u32::try_from(workspace.effort.rounds).unwrap_or(u32::MAX),
            });
        }
        Ok(IslandAnswer { impulse, effort: Effort::Rounds(workspace.effort), notes })
    }

    /// Runs an impact; its result is left in `workspace`. `numbers` are those of the contacts in the problem, if others.
    pub(crate) fn run(
        &self,
        space: &ContactSpace,
        numbers: Option<&[usize]>,
        workspace: &mut Workspace,
        context: &mut Context,
    ) -> Result<(), ImpactError> {
        let zero = context.tolerances.approach * space.speed();
        let noisy = self.energy_guard && begins_with_noise(space);
        let published = self.published(space, zero, noisy);
        let remedied = self.remedied(published, space);
        let mut rules = published;
        let mut end = Ok(End::Over);
        // Attempts in a row by the same method share its limit of work, and all share the budget.
        let (mut last, mut before, mut after) = (None::<Attempt>, 0, 0);
        let budget = self.budget_of(space);
        let (mut unspent, mut spent, mut overspent) = (0, 0, false);
        for i in 0..workspace.attempts.len() {
            let attempt = workspace.attempts[i];
            if attempt.noisy.is_some_and(|only| only != noisy) {
                continue;
            }
            rules = if attempt.remedied { remedied } else { published };
            let again = last.is_some_and(|last| last.method == attempt.method);
            before = if again { after } else { 0 };
            last = Some(attempt);
            unspent = spent;
            let allowed = workspace.allowed(attempt, budget, unspent);
            let record = Record::new(false, (before, unspent, allowed), numbers, context);
            (end, after, spent) = workspace.attempt(space, &rules, attempt, record);
            overspent |= matches!(end, Err(Failure::Budget { .. }));
            let settled = match end {
                Ok(End::Over) => !workspace.impact.energy.has_grown(),
                Ok(End::Cut) => self.truncate && !workspace.impact.energy.has_grown(),
                Err(Failure::Stopped(_)) => true,
                Err(_) => false,
            };
            if settled {
                break;
            }
        }
        if let Some(attempt) = last.filter(|_| context.observer.wants_steps()) {
            // Only the attempt that is kept is shown.
            let allowed = workspace.allowed(attempt, budget, unspent);
            let record = Record::new(true, (before, unspent, allowed), numbers, context);
            (end, ..) = workspace.attempt(space, &rules, attempt, record);
        }
        let Workspace { impact, effort, scratch, .. } = workspace;
        effort.remedies.budget = u32::from(overspent);
        effort.impulse_unique.get_or_insert(true);
        impact.correct_rounding(space, effort.rounds);
        if self.energy_guard && end.is_ok() && impact.energy.has_grown() {
            end = Err(Failure::Gain { energy: impact.energy.gained });
        }
        match end {
            Err(Failure::Stopped(error)) => Err(error),
            Ok(End::Over) => Ok(()),
            Ok(End::Cut) if self.truncate => {
                effort.truncated = true;
                Ok(())
            }
            _ if self.energy_guard
                && (impact.stop(space, &mut scratch.coulomb, SEARCHED_CONTACTS[1])
                    || impact.stop_from_start(space, &mut scratch.coulomb, &rules)) =>
            {
                effort.fallbacks = 1;
                Ok(())
            }
            Ok(End::Cut) => Err(ImpactError::Limit(format!(
                "{} rounds, and contacts still approach at {:e} m/s",
                self.max_rounds,
                impact.fastest_approach()
            ))),
            Err(failure) => Err(failure.into_error(self.id, effort)),
        }
    }

    /// The budget of an island: larger ones have larger equations.
    fn budget_of(&self, space: &ContactSpace) -> u64 {
        let times = space.len() as f64 / BUDGET_CONTACTS;
        (self.budget as f64 * (times * times * times).max(1.0)) as u64
    }

    /// Rules with remedies.
    fn remedied(&self, rules: RoundRules, space: &ContactSpace) -> RoundRules {
        let slow = if self.energy_guard { GUARDED_OBSERVE } else { PUBLISHED_OBSERVE };
        let slow = self.observe_speed.unwrap_or(slow * space.speed());
        RoundRules {
            observe: rules.observe.max(slow),
            guard: self.energy_guard,
            together_after: (self.max_rounds / IN_TURN)
                .max(IN_TURN.saturating_mul(space.len() as u64))
                .clamp(1, self.max_rounds.max(1)),
            max_rounds: self.max_rounds.saturating_mul(PATIENCE),
            ..rules
        }
    }

    /// Rules as published, except that noise is observed where contacts begin at its level.
    fn published(&self, space: &ContactSpace, zero: f64, noisy: bool) -> RoundRules {
        let default = if noisy { GUARDED_OBSERVE } else { PUBLISHED_OBSERVE };
        RoundRules {
            observe: self.observe_speed.unwrap_or(default * space.speed()),
            zero,
            guard: false,
            stop_observed: self.energy_guard,
            max_rounds: self.max_rounds,
            together_after: u64::MAX,
            proximity: self.proximity,
        }
    }
}

/// What the reader should know: every remedy that acted.
fn notes_on(effort: &RoundsEffort) -> Notes {
    let remedies = &effort.remedies;
    let mut notes = Notes::NONE;
    for (acted, note) in [
        (effort.impulse_unique == Some(false), Note::ImpulseNotUnique),
        (effort.truncated, Note::Truncated),
        (remedies.limit > 0, Note::IntervalsLimit),
        (remedies.intervals > 0, Note::ShortIntervals),
        (remedies.jam_advance > 0, Note::Jamb),
        (remedies.coulomb > 0, Note::CoulombStep),
        (remedies.readd > 0, Note::TakenInAgain),
        (remedies.energy_guard > 0, Note::ExpansionCut),
        (remedies.observe > 0, Note::SlowStopped),
        (remedies.together > 0, Note::CollidedTogether),
        (remedies.slow_slip > 0, Note::SlowSlip),
        (remedies.budget > 0, Note::SimplerWay),
        (effort.fallbacks > 0, Note::Stopped),
    ] {
        if acted {
            notes.insert(note);
        }
    }
    notes
}

/// Whether contacts approach so slowly that it is noise, but too fast for the published algorithm to take it for none.
fn begins_with_noise(space: &ContactSpace) -> bool {
    let [least, most] = [PUBLISHED_OBSERVE, GUARDED_OBSERVE].map(|slow| -slow * space.speed());
    let noise = |u: &f64| *u < least && *u > most;
    space.start.iter().step_by(3).any(noise)
}

/// The fastest approach that impulses leave, by `W` itself and beyond what their rounding explains, relative to the largest
/// speed before. Factors of `W` are blind where masses are too far apart \[1\].
fn approach_left(problem: &ContactProblem, impulse: &[f64]) -> f64 {
    let speed = largest(problem.velocity());
    let pushing = (0..problem.len()).filter(|&k| problem.contacts()[k].pushes());
    let fastest = pushing.map(|k| problem.row_range(k).start).fold(0.0, |most: f64, row| {
        let (mut after, mut size) = (Double::from(problem.velocity()[row]), 0.0);
        problem.delassus().for_row(row, |j, w| {
            after = after + Double::product(w, impulse[j]);
            size += (w * impulse[j]).abs();
        });
        most.max(-after.round() - APPROACH_ROUNDINGS * f64::EPSILON * size)
    });
    if fastest > 0.0 { fastest / speed } else { 0.0 }
}

impl Workspace {
    /// How much of the budget may be spent when an attempt is over: the limit leaves some to intervals.
    fn allowed(&self, attempt: Attempt, budget: u64, spent: u64) -> u64 {
        let part = |share: f64| (budget as f64 * share) as u64;
        match self.methods[attempt.method] {
            // Where nothing else is tried other limits count.
            _ if self.attempts.len() == 1 => u64::MAX,
            // A remedy of intervals, or the law's own way.
            RoundMethod::Limit(_) if attempt.method > 0 => spent + part(LIMIT_BUDGET[0]),
            RoundMethod::Limit(_) if self.methods.len() > 1 => part(LIMIT_BUDGET[1]),
            RoundMethod::Intervals(_) if !attempt.remedied => part(PUBLISHED_BUDGET),
            RoundMethod::Intervals(_) if attempt.remedies.whole => part(WHOLE_BUDGET),
            _ => budget,
        }
    }

    /// Makes an attempt; answers how it ended, the work of its method so far, and what is spent of the budget.
    fn attempt(
        &mut self,
        space: &ContactSpace,
        rules: &RoundRules,
        attempt: Attempt,
        mut record: Record,
    ) -> (Result<End, Failure>, u64, u64) {
        let Self { impact, effort, scratch, methods, .. } = self;
        let method = &mut methods[attempt.method];
        std::mem::swap(&mut record.effort, effort);
        record.effort.clear();
        method.begin(attempt.remedies);
        match method {
            RoundMethod::Limit(_) => record.effort.remedies.limit = u32::from(attempt.method > 0),
            RoundMethod::Intervals(_) => {
                record.effort.remedies.intervals = u32::from(attempt.method > 0);
            }
        }
        let end = impact.run(space, rules, scratch, method, &mut record);
        std::mem::swap(&mut record.effort, effort);
        (end, record.work, record.spent)
    }
}
