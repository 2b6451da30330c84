//! What is kept of a run besides its result, and what can go wrong in one.

use super::part::{Class, Part};
use crate::ImpactError;
use crate::island::Context;
use crate::outcome::{ContactMode, RoundsEffort, Step, StepLimit};

/// Notes taken on the way.
pub(crate) struct Journal<'a, 'b> {
    pub(crate) effort: RoundsEffort,
    /// Solutions of equations, of intervals those beyond the first of each round; those of rounds that were tried again
    /// included \[1\].
    pub(crate) work: u64,
    /// Whether the watcher is shown the steps of this run.
    pub(crate) loud: bool,
    /// The numbers of the contacts in the problem, unless they are the same.
    contacts: Option<&'a [usize]>,
    context: &'a mut Context<'b>,
}

/// Why a run cannot go on.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Trouble {
    /// Contacts that cannot roll find no direction to slide in; the best came this close \[1\].
    NoDirection { residual: f64 },
    /// The equations of an interval contradict each other by this much of the speed \[1\].
    Contradiction { residual: f64 },
    /// A round passed without any impulse although contacts approach [m/s].
    Standstill { approach: f64 },
    /// A round takes more intervals than allowed.
    Intervals { count: u32 },
    /// A round would create energy even without its expansion \[J\].
    Gain { energy: f64 },
    /// So many contacts approach although they are left out, and do not jam.
    LeftOut { contacts: usize },
    /// What contacts do changes without end where this much of a round is over.
    Chatter { events: u32, share: f64 },
    /// The flow is not smooth where this much of a round is over.
    Rough { share: f64 },
    /// Equations have been solved as often as allowed.
    Solutions { count: u64 },
    /// Nothing ends what contacts do where this much of a round is over.
    Endless { share: f64 },
    /// The work is to stop.
    Stopped(ImpactError),
}

impl Trouble {
    /// The error that says so.
    pub(crate) fn into_error(self, law: &'static str, effort: &RoundsEffort) -> ImpactError {
        let place = format!("in round {} after {} intervals", effort.rounds + 1, effort.intervals);
        let no_solution = |reason: String| ImpactError::NoSolution { law, reason };
        match self {
            Self::NoDirection { residual } => no_solution(format!(
                "contacts can neither roll nor slide {place}: no direction of slip opposes its friction (residual {residual:.1e})"
            )),
            Self::Contradiction { residual } => no_solution(format!(
                "contacts cannot all stop approaching {place}: their equations contradict each other by {residual:.1e} of the speed"
            )),
            Self::Standstill { approach } => no_solution(format!(
                "contacts approach at {approach:e} m/s but none takes an impulse {place}: sliding friction jams"
            )),
            Self::Intervals { count } => {
                ImpactError::Limit(format!("{count} intervals in one round, {place}"))
            }
            Self::Gain { energy } => {
                no_solution(format!("friction creates {energy:.1e} J {place}, restitution aside"))
            }
            Self::LeftOut { contacts } => no_solution(format!(
                "{contacts} contacts approach {place}, but pushing them no others can do their part"
            )),
            Self::Chatter { events, share } => no_solution(format!(
                "what contacts do changes {events} times {place}, {share} of it being over: there is no one flow"
            )),
            Self::Rough { share } => no_solution(format!(
                "the flow {place} cannot be followed, {share} of it being over"
            )),
            Self::Solutions { count } => {
                ImpactError::Limit(format!("{count} solutions of the equations, {place}"))
            }
            Self::Endless { share } => no_solution(format!(
                "impulses grow and nothing changes {place}, {share} of it being over"
            )),
            Self::Stopped(error) => error,
        }
    }
}

impl<'a, 'b> Journal<'a, 'b> {
    /// A journal that shows nothing. `work` has been done before; `contacts` are their numbers in the problem, if others.
    pub(crate) fn quiet(
        work: u64,
        contacts: Option<&'a [usize]>,
        context: &'a mut Context<'b>,
    ) -> Self {
        Self { effort: RoundsEffort::default(), work, loud: false, contacts, context }
    }

    /// A journal that shows every step.
    pub(crate) fn loud(
        work: u64,
        contacts: Option<&'a [usize]>,
        context: &'a mut Context<'b>,
    ) -> Self {
        Self { loud: true, ..Self::quiet(work, contacts, context) }
    }

    fn number(&self, k: usize) -> usize {
        self.contacts.map_or(k, |contacts| contacts[k])
    }

    /// Shows the beginning of a round.
    pub(crate) fn phases(&mut self, parts: &[Part]) {
        if !self.loud {
            return;
        }
        let of = |class: Class| -> Vec<usize> {
            let all = parts.iter().flat_map(|part| part.contacts.iter().zip(&part.class));
            all.filter(|(_, c)| **c == class).map(|(&k, _)| self.number(k)).collect()
        };
        let (compressing, expanding) = (of(Class::Compressing), of(Class::Expanding));
        let step = Step::Phases { compressing: &compressing, expanding: &expanding };
        self.context.observer.step(step);
    }

    /// Shows the interval that a part has just made; `part.step` is its impulse.
    pub(crate) fn interval(
        &mut self,
        part: &Part,
        modes: &[ContactMode],
        length: f64,
        limit: StepLimit,
    ) {
        if !self.loud {
            return;
        }
        let contacts: Vec<usize> = part.contacts.iter().map(|&k| self.number(k)).collect();
        self.context.observer.step(Step::Interval {
            contacts: &contacts,
            modes,
            step: length,
            limit,
            impulse: &part.step,
            velocity: &part.velocity,
        });
    }

    /// Says how far the work has come.
    pub(crate) fn progress(&mut self) -> Result<(), Trouble> {
        let rounds = self.effort.rounds;
        // A round takes a microsecond or more.
        if rounds.is_multiple_of(1024) && rounds > 0 {
            self.context.progress("rounds", rounds, None).map_err(Trouble::Stopped)?;
        }
        Ok(())
    }
}
