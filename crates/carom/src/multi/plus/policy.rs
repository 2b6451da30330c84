//! How a law of rounds comes to its answer: as published; where that fails, with its remedies; where they fail too, by
//! stopping without restitution whatever still approaches.

use super::coulomb::Coulomb;
use super::journal::{Journal, Trouble};
use super::medium::Medium;
use super::rounds::{Advance, Course, End, Rules};
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

/// What an attempt came to.
struct Reached {
    course: Course,
    effort: RoundsEffort,
    end: Result<End, Trouble>,
}

impl Reached {
    fn failed(&self) -> bool {
        self.end != Ok(End::Over) || self.course.creates_energy()
    }
}

impl Policy {
    /// The answer to an island. `advance` makes what carries a round to its end, with or without remedies.
    pub(super) fn resolve<A: Advance>(
        &self,
        island: &ContactProblem,
        advance: impl Fn(bool) -> A,
        desk: &mut Desk,
    ) -> Result<IslandAnswer, ImpactError> {
        let mut medium = Medium::new(island, desk.tolerances)?;
        let rules = self.rules(&medium, desk);
        let mut remedied = false;
        let mut attempt = |remedied: bool, desk: &mut Desk, loud: bool| {
            let rules = Rules { guard: remedied && self.energy_guard, ..rules };
            let mut course = Course::new(island, &medium, self.proximity);
            let contacts = medium.contacts.clone();
            let mut journal = Journal::new(&contacts, desk, loud);
            let end = course.run(&mut medium, &rules, &mut advance(remedied), &mut journal);
            Reached { effort: journal.effort, course, end }
        };
        let mut reached = attempt(false, desk, false);
        if reached.failed() && (self.energy_guard || self.aided) {
            remedied = true;
            reached = attempt(true, desk, false);
        }
        if desk.watch.traces() {
            // What was tried in vain is nobody's business: the run that is kept is shown.
            attempt(remedied, desk, true);
        }
        let Reached { mut course, mut effort, end } = reached;
        match end {
            Err(Trouble::Stopped(error)) => return Err(error),
            Ok(End::Over) => {}
            Ok(End::Cut) if self.truncate => effort.truncated = true,
            _ if self.energy_guard && course.stop(&mut medium, &mut Coulomb::default()) => {
                effort.fallbacks += 1;
            }
            Ok(End::Cut) => {
                let (rounds, approach) = (self.max_rounds, course.approach());
                let reason =
                    format!("{rounds} rounds, and contacts still approach at {approach:e} m/s");
                return Err(ImpactError::Limit(reason));
            }
            Err(trouble) => return Err(trouble.into_error(self.law, &effort)),
        }
        let mut notes = Notes::NONE;
        if effort.impulse_unique == Some(false) {
            notes.insert(Note::ImpulseNotUnique);
        } else {
            effort.impulse_unique = Some(true);
        }
        let impulse = medium.impulse(&course.impulse);
        Ok(IslandAnswer { impulse, effort: ProblemEffort::Rounds(effort), notes })
    }

    fn rules(&self, medium: &Medium, desk: &Desk) -> Rules {
        let speed = medium.start.iter().fold(0.0, |m: f64, u| m.max(u.abs()));
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
        }
    }
}
