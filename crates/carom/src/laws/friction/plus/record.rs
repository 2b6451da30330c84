//! Effort and trace of an attempt.

use super::active::{ActiveContacts, Phase};
use super::failure::Failure;
use crate::island::Context;
use crate::outcome::{ContactMode, RoundsEffort, Step, StepLimit};

/// Counts the work of an attempt and shows its steps.
pub(crate) struct Record<'a, 'b> {
    pub(crate) effort: RoundsEffort,
    /// Solutions of equations, those of repeated rounds included, without the first of each round of intervals \[1\].
    pub(crate) work: u64,
    /// The work of all attempts so far, and the most that is allowed, in units of [`super::equations::work_of`] \[1\].
    pub(crate) spent: u64,
    pub(crate) budget: u64,
    /// Whether steps are shown.
    pub(crate) traces: bool,
    /// The numbers of the contacts in the problem, unless they are the same.
    contacts: Option<&'a [usize]>,
    context: &'a mut Context<'b>,
}

impl<'a, 'b> Record<'a, 'b> {
    /// `work` has been done before and `spent` of the budget; `contacts` are their numbers in the problem, if others.
    pub(crate) fn new(
        traces: bool,
        (work, spent, budget): (u64, u64, u64),
        contacts: Option<&'a [usize]>,
        context: &'a mut Context<'b>,
    ) -> Self {
        let effort = RoundsEffort::default();
        Self { effort, work, spent, budget, traces, contacts, context }
    }

    /// Spends some of the budget.
    pub(crate) fn spend(&mut self, work: u64) -> Result<(), Failure> {
        self.spent += work;
        if self.spent > self.budget {
            return Err(Failure::Budget { work: self.budget });
        }
        Ok(())
    }

    fn number(&self, k: usize) -> usize {
        self.contacts.map_or(k, |contacts| contacts[k])
    }

    /// Shows the beginning of a round.
    pub(crate) fn phases(&mut self, groups: &[ActiveContacts]) {
        if !self.traces {
            return;
        }
        let of = |phase: Phase| -> Vec<usize> {
            let all = groups.iter().flat_map(|active| &active.contacts);
            all.filter(|c| c.phase == phase).map(|c| self.number(c.index)).collect()
        };
        let (compressing, expanding) = (of(Phase::Compressing), of(Phase::Expanding));
        let step = Step::Phases { compressing: &compressing, expanding: &expanding };
        self.context.observer.step(step);
    }

    /// Shows the interval just made, whose impulse is `active.step`.
    pub(crate) fn interval(&mut self, active: &ActiveContacts, length: f64, limit: StepLimit) {
        if !self.traces {
            return;
        }
        let numbers: Vec<usize> = active.contacts.iter().map(|c| self.number(c.index)).collect();
        let modes: Vec<ContactMode> = active.contacts.iter().map(|c| c.mode).collect();
        self.context.observer.step(Step::Interval {
            contacts: &numbers,
            modes: &modes,
            step: length,
            limit,
            impulse: &active.step,
            velocity: &active.velocity,
        });
    }

    /// Reports progress now and then: a round takes a microsecond or more.
    pub(crate) fn progress(&mut self) -> Result<(), Failure> {
        let rounds = self.effort.rounds;
        if rounds.is_multiple_of(1024) && rounds > 0 {
            self.context.progress("rounds", rounds, None).map_err(Failure::Stopped)?;
        }
        Ok(())
    }
}
