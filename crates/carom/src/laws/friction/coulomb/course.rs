//! Which contacts take part in an impact.

use super::phase::{Phase, Share, Solved};
use super::scene::{Part, Scene};
use super::stress;
use crate::ImpactError;
use crate::contact::ContactProblem;
use crate::island::Context;
use crate::numerics::coulomb::Failure;
use crate::outcome::{MultiEffort, Note, Notes};

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
    pub(crate) effort: MultiEffort,
    pub(crate) notes: Notes,
}

/// All that a law with friction works with; its memory is kept from impact to impact and never influences a result.
#[derive(Default)]
pub(crate) struct Memory {
    scene: Scene,
    part: Part,
    phase: Phase,
    taken: Vec<bool>,
    /// Impulses of the part, and of all rows of the scene [N·s].
    own: Vec<f64>,
    total: Vec<f64>,
    /// The latter before contacts were taken in that it closed [N·s].
    before: Vec<f64>,
    /// `Lᵀ` of the latter, and velocities after [m/s].
    along: Vec<f64>,
    after: Vec<f64>,
    /// The answer, one per row of the problem [N·s].
    pub(crate) impulse: Vec<f64>,
}

/// The answer to an island, left in `memory.impulse`. Contacts that separate only watch. If the others close one it is
/// added, without restitution, and all is solved anew; every round adds a contact, so there are finitely many. Where it
/// contradicts the rebound of those that closed it, it answers one impact later, in which nobody rebounds.
pub(crate) fn resolve(
    problem: &ContactProblem,
    law: &impl FrictionalLaw,
    memory: &mut Memory,
    context: &Context,
) -> Result<Found, ImpactError> {
    memory.scene.read(problem, context.tolerances)?;
    let zero = context.tolerances.approach * memory.scene.speed;
    let Memory { scene, taken, total, .. } = memory;
    taken.clear();
    taken.extend(scene.surfaces.iter().map(|s| scene.velocity[s.first] <= zero));
    total.clear();
    total.resize(scene.velocity.len(), 0.0);
    let mut found = Found {
        effort: MultiEffort {
            impulse_unique: Some(true),
            velocity_unique: Some(true),
            ..MultiEffort::default()
        },
        notes: Notes::NONE,
    };
    if memory.taken.contains(&true) {
        found = memory.attempt(law, zero, context)?;
        if memory.close(zero) {
            found = memory.anew(law, zero, found, context)?;
            found.notes.insert(Note::ObserverClosed);
        }
    }
    memory.scene.answer(&memory.total, problem.rows(), &mut memory.impulse);
    Ok(found)
}

impl Memory {
    /// The law's answer on the contacts that are taken; `total` becomes it.
    fn attempt(
        &mut self,
        law: &impl FrictionalLaw,
        zero: f64,
        context: &Context,
    ) -> Result<Found, ImpactError> {
        let Self { scene, part, phase, taken, own, total, .. } = self;
        scene.part(part, taken, &scene.velocity, zero, false);
        let Solved { effort, notes } = law
            .answer(part, phase, own)
            .map_err(|failure| explained(failure, part, law, context))?;
        total.fill(0.0);
        part.add_to(own, total);
        Ok(Found { effort, notes })
    }

    /// Takes in the contacts that `total` closes; says whether there are any.
    fn close(&mut self, zero: f64) -> bool {
        if self.taken.iter().all(|taken| *taken) {
            return false;
        }
        let Self { scene, taken, total, along, after, .. } = self;
        scene.velocity_after(total, along, after);
        let mut any = false;
        for (taken, surface) in taken.iter_mut().zip(&scene.surfaces) {
            if !*taken && after[surface.first] < -zero {
                (*taken, any) = (true, true);
            }
        }
        any
    }

    /// The law's answer with those taken in that the first one closed.
    fn anew(
        &mut self,
        law: &impl FrictionalLaw,
        zero: f64,
        first: Found,
        context: &Context,
    ) -> Result<Found, ImpactError> {
        self.before.clone_from(&self.total);
        loop {
            match self.attempt(law, zero, context) {
                Err(ImpactError::NoSolution { .. }) => break,
                Err(error) => return Err(error),
                Ok(_) if self.close(zero) => {}
                Ok(found) => return Ok(found),
            }
        }
        self.total.clone_from(&self.before);
        self.stop(law, first, context)
    }

    /// Another impact after the first, in which all contacts take part and nobody rebounds.
    fn stop(
        &mut self,
        law: &impl FrictionalLaw,
        first: Found,
        context: &Context,
    ) -> Result<Found, ImpactError> {
        let Self { scene, part, phase, taken, total, along, after, .. } = self;
        scene.velocity_after(total, along, after);
        taken.fill(true);
        scene.part(part, taken, after, 0.0, true);
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
