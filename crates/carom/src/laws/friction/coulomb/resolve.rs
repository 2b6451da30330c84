//! The answer to an island: which contacts take part, and the law's answer for them.

use super::contacts::{ActiveContacts, IslandContacts};
use super::phase::{Phase, Solved};
use super::rough;
use super::self_stress;
use crate::ImpactError;
use crate::contact::ContactProblem;
use crate::island::Context;
use crate::island::participation::{self, Observers, Participants};
use crate::island::unilateral::{Rows, Unilateral};
use crate::numerics::coulomb::Failure;
use crate::outcome::{Note, Notes, SolverEffort};

/// What a law does with contacts that take part together.
pub(crate) trait FrictionalLaw {
    /// Solves for `impulse`, one number per row of theirs [N·s].
    fn answer(
        &self,
        active: &ActiveContacts,
        phase: &mut Phase,
        impulse: &mut Vec<f64>,
    ) -> Result<Solved, Failure>;

    /// Whether it gives back a part of what contacts pressed with.
    fn returns_impulse(&self) -> bool;

    /// Multiplications that an island may take.
    fn budget(&self) -> u64;

    /// What to try where contacts that press against each other cannot all rebound.
    fn remedy(&self) -> Option<&'static str>;
}

/// Scratch memory, kept from impact to impact; it never influences a result.
#[derive(Default)]
pub(crate) struct Scratch {
    contacts: IslandContacts,
    active: ActiveContacts,
    phase: Phase,
    taking_part: Vec<bool>,
    /// Impulses of the active contacts, and of all [N·s].
    own: Vec<f64>,
    total: Vec<f64>,
    /// The latter before contacts were added that it closed [N·s].
    first: Vec<f64>,
    /// `Lᵀ` of the latter, and velocities after [m/s].
    along: Vec<f64>,
    after: Vec<f64>,
    /// The answer, one per row of the problem [N·s].
    pub(crate) impulse: Vec<f64>,
}

/// The answer to an island, left in `scratch.impulse`. Contacts that separate are observers; one that the
/// others close is added, without restitution, and all is solved anew. Where it contradicts the rebound of those that
/// closed it, it takes part one impact later, without restitution.
pub(crate) fn resolve(
    problem: &ContactProblem,
    law: &impl FrictionalLaw,
    scratch: &mut Scratch,
    context: &Context,
) -> Result<Solved, ImpactError> {
    let island = Unilateral::new(problem, Rows::All, context.tolerances)?;
    scratch.contacts.read(problem, &island, context.tolerances.rank)?;
    let zero = context.tolerances.approach * scratch.contacts.speed;
    let Scratch { contacts, total, .. } = scratch;
    let mut taking_part = std::mem::take(&mut scratch.taking_part);
    taking_part.clear();
    taking_part.extend(contacts.surfaces.iter().map(|s| contacts.velocity[s.first] <= zero));
    total.clear();
    total.resize(contacts.velocity.len(), 0.0);
    let mut found = Solved {
        effort: SolverEffort {
            impulse_unique: Some(true),
            velocity_unique: Some(true),
            ..SolverEffort::default()
        },
        notes: Notes::NONE,
    };
    if taking_part.contains(&true) {
        let mut attempts = Attempts { scratch: &mut *scratch, law, zero, context };
        let (answer, observers) = participation::resolve(&mut attempts, &mut taking_part, zero)?;
        found = answer;
        if observers == Observers::Contradict {
            taking_part.fill(true);
            found = scratch.stop(law, &taking_part, found, context)?;
        }
        if observers != Observers::Open {
            found.notes.insert(Note::ObserverClosed);
        }
    }
    scratch.taking_part = taking_part;
    island.map.impulse_into(&scratch.total, &mut scratch.impulse);
    Ok(found)
}

/// A law on those contacts that take part; `scratch.total` becomes its answer.
struct Attempts<'a, 'b, L> {
    scratch: &'a mut Scratch,
    law: &'a L,
    zero: f64,
    context: &'a Context<'b>,
}

impl<L: FrictionalLaw> Participants for Attempts<'_, '_, L> {
    type Answer = Solved;

    fn attempt(&mut self, taking_part: &[bool]) -> Result<Solved, ImpactError> {
        let Scratch { contacts, active, phase, own, total, .. } = self.scratch;
        contacts.select(active, taking_part, &contacts.velocity, self.zero, false);
        phase.set_budget(self.law.budget() as f64);
        let answer = rough::answer(self.law, active, phase, own);
        let solved = within_budget(answer, active, phase, own, self.law, self.context)?;
        total.fill(0.0);
        active.add_to(own, total);
        Ok(solved)
    }

    fn normal_after(&mut self, _: &Solved) -> impl Iterator<Item = f64> {
        let Scratch { contacts, total, along, after, .. } = &mut *self.scratch;
        contacts.velocity_after(total, along, after);
        contacts.surfaces.iter().map(|surface| after[surface.first])
    }

    fn keep_first(&mut self) {
        self.scratch.first.clone_from(&self.scratch.total);
    }
}

impl Scratch {
    /// Another impact after the first, in which all contacts take part without restitution.
    fn stop(
        &mut self,
        law: &impl FrictionalLaw,
        all: &[bool],
        first: Solved,
        context: &Context,
    ) -> Result<Solved, ImpactError> {
        let Self { contacts, active, phase, own, total, along, after, .. } = self;
        total.clone_from(&self.first);
        contacts.velocity_after(total, along, after);
        contacts.select(active, all, after, 0.0, true);
        phase.set_budget(law.budget() as f64);
        let second = phase.solve(active, |s, j| active.velocity[s.first + j]);
        own.clear();
        own.extend_from_slice(phase.impulse());
        let second = within_budget(second, active, phase, own, law, context)?;
        active.add_to(own, total);
        Ok(Solved {
            effort: first.effort.and(second.effort),
            notes: first.notes.union(second.notes),
        })
    }
}

/// The answer of a law, or what stands in for it where its equations were not solved.
fn within_budget(
    answer: Result<Solved, Failure>,
    active: &ActiveContacts,
    phase: &mut Phase,
    impulse: &mut Vec<f64>,
    law: &impl FrictionalLaw,
    context: &Context,
) -> Result<Solved, ImpactError> {
    match answer {
        Ok(nearly) if nearly.notes.contains(Note::Nearly) => {
            phase.stop_approach(active, nearly, impulse).map_err(not_converged(context))
        }
        Ok(solved) => Ok(solved),
        Err(failure) => match explained(failure, active, law, context) {
            Some(reason) => Err(reason),
            None => phase.replace(active, failure, impulse).map_err(not_converged(context)),
        },
    }
}

/// Why there is no solution, if there is none.
fn explained(
    failure: Failure,
    active: &ActiveContacts,
    law: &impl FrictionalLaw,
    context: &Context,
) -> Option<ImpactError> {
    if let Some(remedy) = law.remedy().filter(|_| self_stress::is_carried(active)) {
        return Some(context.no_solution(format!(
            "contacts that press against each other (self-stress within the friction cones) are to rebound, and no motion does; {remedy}"
        )));
    }
    match failure {
        Failure::NoSolution => Some(context.no_solution(
            "none of the ways in which the contacts can stick, slide or part fulfils its equations",
        )),
        Failure::NotConverged { .. } => None,
    }
}

/// A failure of the solver as an error.
fn not_converged(context: &Context) -> impl Fn(Failure) -> ImpactError {
    let law = context.law;
    move |failure| match failure {
        Failure::NotConverged { residual, iterations } => {
            ImpactError::NotConverged { law, residual, iterations }
        }
        Failure::NoSolution => {
            ImpactError::NoSolution { law, reason: "its equations have none".into() }
        }
    }
}
