//! Which contacts take part in an impact.

use super::phase::{Phase, Share, Solved};
use super::scene::{Part, Scene};
use super::stress;
use crate::ImpactError;
use crate::contact::ContactProblem;
use crate::island::Context;
use crate::island::participation::{self, Observers, Participants};
use crate::island::unilateral::{Rows, Unilateral};
use crate::numerics::coulomb::Failure;
use crate::outcome::{Note, Notes, SolverEffort};

/// What a law does with contacts that take part together.
pub(crate) trait FrictionalLaw {
    /// Solves for `impulse`, one number per row of the part [N·s].
    fn answer(
        &self,
        part: &Part,
        phase: &mut Phase,
        impulse: &mut Vec<f64>,
    ) -> Result<Solved, Failure>;

    /// What to try where contacts that press against each other cannot rebound as asked.
    fn remedy(&self) -> Option<&'static str>;
}

/// What is known of an answer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found {
    pub(crate) effort: SolverEffort,
    pub(crate) notes: Notes,
}

/// All that a law with friction works with; its memory is kept from impact to impact and never influences a result.
#[derive(Default)]
pub(crate) struct Memory {
    scene: Scene,
    part: Part,
    phase: Phase,
    taking_part: Vec<bool>,
    /// Impulses of the part, and of all rows of the scene [N·s].
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

/// The answer to an island, left in `memory.impulse`. Contacts that separate are observers; one
/// that the others close is added, without restitution, and all is solved anew. Where it contradicts the rebound of
/// those that closed it, it takes part one impact later, without restitution.
pub(crate) fn resolve(
    problem: &ContactProblem,
    law: &impl FrictionalLaw,
    memory: &mut Memory,
    context: &Context,
) -> Result<Found, ImpactError> {
    let island = Unilateral::new(problem, Rows::All, context.tolerances)?;
    memory.scene.read(problem, &island, context.tolerances.rank)?;
    let zero = context.tolerances.approach * memory.scene.speed;
    let Memory { scene, total, .. } = memory;
    let mut taking_part = std::mem::take(&mut memory.taking_part);
    taking_part.clear();
    taking_part.extend(scene.surfaces.iter().map(|s| scene.velocity[s.first] <= zero));
    total.clear();
    total.resize(scene.velocity.len(), 0.0);
    let mut found = Found {
        effort: SolverEffort {
            impulse_unique: Some(true),
            velocity_unique: Some(true),
            ..SolverEffort::default()
        },
        notes: Notes::NONE,
    };
    if taking_part.contains(&true) {
        let mut attempts = Attempts { memory: &mut *memory, law, zero, context };
        let (answer, observers) = participation::resolve(&mut attempts, &mut taking_part, zero)?;
        found = answer;
        if observers == Observers::Contradict {
            taking_part.fill(true);
            found = memory.stop(law, &taking_part, found, context)?;
        }
        if observers != Observers::Open {
            found.notes.insert(Note::ObserverClosed);
        }
    }
    memory.taking_part = taking_part;
    island.map.impulse_into(&memory.total, &mut memory.impulse);
    Ok(found)
}

/// A law on those contacts that take part; `memory.total` becomes its answer.
struct Attempts<'a, 'b, L> {
    memory: &'a mut Memory,
    law: &'a L,
    zero: f64,
    context: &'a Context<'b>,
}

impl<L: FrictionalLaw> Participants for Attempts<'_, '_, L> {
    type Answer = Found;

    fn attempt(&mut self, taking_part: &[bool]) -> Result<Found, ImpactError> {
        let Memory { scene, part, phase, own, total, .. } = self.memory;
        scene.part(part, taking_part, &scene.velocity, self.zero, false);
        let Solved { effort, notes } = self
            .law
            .answer(part, phase, own)
            .map_err(|failure| explained(failure, part, self.law, self.context))?;
        total.fill(0.0);
        part.add_to(own, total);
        Ok(Found { effort, notes })
    }

    fn normal_after(&mut self, _: &Found) -> impl Iterator<Item = f64> {
        let Memory { scene, total, along, after, .. } = &mut *self.memory;
        scene.velocity_after(total, along, after);
        scene.surfaces.iter().map(|surface| after[surface.first])
    }

    fn keep_first(&mut self) {
        self.memory.first.clone_from(&self.memory.total);
    }
}

impl Memory {
    /// Another impact after the first, in which all contacts take part without restitution.
    fn stop(
        &mut self,
        law: &impl FrictionalLaw,
        all: &[bool],
        first: Found,
        context: &Context,
    ) -> Result<Found, ImpactError> {
        let Self { scene, part, phase, total, along, after, .. } = self;
        total.clone_from(&self.first);
        scene.velocity_after(total, along, after);
        scene.part(part, all, after, 0.0, true);
        let second = phase
            .solve(part, |s, j| part.velocity[s.first + j], |_| 0.0, Share::Smallest)
            .map_err(|failure| explained(failure, part, law, context))?;
        part.add_to(phase.impulse(), total);
        Ok(Found {
            effort: first.effort.and(second.effort),
            notes: first.notes.union(second.notes),
        })
    }
}

/// A solver's failure, said of a law.
fn explained(
    failure: Failure,
    part: &Part,
    law: &impl FrictionalLaw,
    context: &Context,
) -> ImpactError {
    let stressed = law.remedy().filter(|_| stress::is_carried(part));
    match (failure, stressed) {
        (_, Some(remedy)) => context.no_solution(format!(
            "contacts that press against each other (self-stress within the friction cones) are to rebound, and no motion does; {remedy}"
        )),
        (Failure::NoSolution, None) => context.no_solution(
            "none of the ways in which the contacts can stick, slide or part fulfils its equations",
        ),
        (Failure::NotConverged { residual, iterations }, None) => {
            ImpactError::NotConverged { law: context.law, residual, iterations }
        }
    }
}
