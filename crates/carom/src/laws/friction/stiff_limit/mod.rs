//! # Limit of stiff contacts (2026)
//!
//! What bodies on springs with Coulomb friction do as the springs harden: the law to take for several frictional contacts.
//!
//! ## Model
//! In a time that is stretched until the impact takes some of it, with indentations `d`, negative where a gap has opened:
//! 1. `F_i = k_i max(d_i, 0)^η`, `f_i = (F_i, −μ_i F_i Sgn u_ti)`, `p′ = f`, `u′ = W f`; `Sgn 0` is the closed unit disc
//! 2. `d_i′ = −u_ni`; while a pressed contact leaves, `d_i′ = −u_ni/e_i²`
//! 3. from `d = 0`, until nothing presses and nothing approaches
//! 4. contacts without slip have the friction of `min ½ fᵀ W f` over their discs: they stick if they can
//!
//! It is known of no other law for several contacts that (proofs in the order in which they follow from each other)
//! - a solution exists and its velocities and normal impulses are unique, for every `W`, singular ones and separating
//!   contacts included: with the radius of the disc known from `d`, friction is a maximal monotone operator, and two
//!   solutions part no faster than `e^{Cs}`;
//! - energy is lost whatever the coefficients: see below;
//! - a symmetry of the problem is one of the answer, a contact may be split into several, and units do not matter: these
//!   follow from uniqueness;
//! - compliant bodies tend to it, with an error of the order `E^{−2/5}` of the stiffness for Hertz's contacts and `E^{−1/2}`
//!   for linear ones;
//! - one contact is Routh's with Stronge's restitution, and without friction and gaps the law is `lzb`; rows of balls in
//!   which one contact is ever stiffer than the next tend to a sequence of collisions, or to rigid pairs.
//!
//! ## Reads e as
//! Energetic, each contact for itself: over the whole impact the work it gives back is `e²` times the work it took. `mu` is
//! Coulomb's at every instant, up to infinity.
//!
//! ## Notation
//! The indentation `δ` → `d`, stiffness `K` → `stiffness` of the contact, of which only ratios matter, `η` → `exponent`
//! (1 linear, 3/2 Hertz), Hunt and Crossley's `3/2 c` → `hunt_crossley = c`.
//!
//! ## Deviations from the paper
//! There is none that has friction in it; this is `lzb` with friction and with gaps remembered.
//! - `gaps = "forget"` presses as soon as an open contact approaches. That is not the limit of anything stiff: in stacks
//!   it stays several percent away, however stiff the bodies are.
//! - One contact is given to `routh-stronge`, unless damped by `hunt_crossley`. It differs in one point: a contact that
//!   slides without approaching and jams is driven into compression, the limit of slow approaches; here it would rest.
//! - `e = 0` is the limit of small `e`: where such a contact stops approaching its indentation drops at once to what the
//!   neighbours demand, `∫ (F − F_req) dd = 0`. Several that stop together are followed through the expansion as if their
//!   `e` were equal; which contacts stick is decided anew after it.
//! - `mu = ∞`: when such a contact begins to press, its slip ends by the smallest impulse that does it; then it sticks.
//! - Time is followed from event to event, by Taylor series in a time in which contacts close and open and slip ends smoothly;
//!   where there are none, for other exponents than 1 and 3/2 and while contacts at rest begin to press, by a method of order
//!   eight; and by an implicit one of order five where slip has hardly begun and its direction follows the forces at once.
//!   Friction of contacts that do not slide comes from the exact quadratic program. Velocities are exact to `accuracy` times the
//!   largest speed or better (`crates/carom/tests/laws/stiff_limit`), times what the way through the impact makes of errors: 2e3 in
//!   the worst of a hundred stacks. What approaches at a tenth of that is stopped without rebound.
//! - An event that comes and goes again within a step is looked for where a cubic through the ends of the step, or a stage
//!   of it, comes near to it; one that does so twice within a step is not.
//! - Work is bounded by `budget`: steps, events and iterations, those of fewer than twelve contacts costing less. When it is spent
//!   coarse steps follow what is left, the notes say so, and errors are mostly below a percent: normal impulses are known
//!   from the middle of each step, and friction is the impulse within its discs that takes most energy, so that the answer
//!   keeps to its cones and creates no energy. What still rings after some hundreds of them is damped, and then stopped by
//!   Coulomb's law without restitution; the notes call that cut off. Most impacts take a tenth of the budget; light bodies
//!   between heavy ones, which ring a thousand times before these turn round, and walls of boxes at rest take more.
//!   `budget = 1e9` follows every event.
//! - Long before, steps on which slip creeps, its direction following the forces, become less exact when there have been hundreds
//!   (1e-7 of the largest speed, then 1e-5), and contacts that rattle, ever more slowly and without end, are stopped below 1e-7,
//!   then 1e-5, of it; the notes call that cut off.
//! - Contacts of a face that lies a little skew depend on each other nearly. What they can hold with less than a thousandth of their
//!   friction is not held: they count as redundant, and velocities are off by that part of what friction does; the notes say so.
//! - Without friction, islands of more than 64 contacts, contacts that oppose each other, and impacts whose events
//!   follow each other without end are given to `lzb`, which knows their ends.
//! - Where contacts stop and start more than ten times in a thousandth of the time, friction is smoothed for a short
//!   stretch, and where events follow each other without end for all of the impact; the effort tells this as `smoothed`, and
//!   so do the notes.
//! - A contact with `e = 0` whose neighbours demand ever less follows them by ever smaller jumps. After a thousand of them
//!   they are no smaller than 5e-4 of its indentation, `smoothed` as well: velocities are off by about 1e-5.
//! - Contacts that nothing presses, or that press less than steps are exact, wait until the first gap closes: a jump to there;
//!   `late` counts those that took longer than the impact until then.
//! - Redundant contacts that stick share friction in many ways: at every instant the least is taken, weighed by `μ F`,
//!   and shared anew in the end if that leaves a cone. The notes say so; velocities do not depend on it. What errors of steps
//!   leave beyond a cone is cut off.
//!
//! ## Limits
//! - Bodies wedged between others, so that forces within the cones can hold each other, ring for ever or press for ever: an
//!   error that tells the state, if coarse steps find no end either.
//! - Velocities jump where a contact that hardly approaches jams, and nowhere else; without friction they are continuous.
//!   With `e = 0` they jump as well where contacts of a face stop nearly together under the load of others: the one that
//!   stops first drops its load on the rest. Velocities of such stacks have moved by up to 4e-2 where rows changed by 1e-8.
//! - No waves in bodies, no tangential springs (`e_t`), no torsion, no change of position during the impact. The answer
//!   depends on the ratios of stiffness, and on `η` for more than one contact, as it does in nature.
//! - A light body between heavy ones is released and pressed again ever so often: one such impact in twenty, with masses
//!   over twelve decades, spends the budget. All contacts are followed at once: the cost grows with their number squared.
//!
//! ## Energy
//! Never grows, proven: `T⁻ − T⁺ = Σ (1 − e_i²) W_i + Σ μ_i ∫ F_i |u_ti| ds` with the work `W_i ≥ 0` that contact `i` took in
//! all its compressions. What the integration gains is taken away.
//!
//! ## References
//! `LiuZhaoBrogliato2008` for springs of two stiffnesses; `Stronge1990`, `Routh1897` for one contact;
//! `HuntCrossley1975` for damping.

mod answer;
mod dynamics;
mod events;
mod impact;
mod integration;
mod island;
mod model;
mod one_contact;
mod rows;
mod settings;
mod state;
mod stick_slip;
#[cfg(test)]
mod tests;
mod tolerances;
mod wedging;

use crate::ImpactError;
use crate::contact::ContactProblem;
use crate::island::normal::NormalProblem;
use crate::island::{Context, IslandAnswer, self_stress};
use crate::laws::info::IslandLaw;
use crate::laws::normal::lzb::Lzb;
use crate::outcome::{Effort, Note, Notes, SpringEffort};
use impact::Impact;
use island::Island;
use model::Model;
pub use settings::StiffLimit;
use tolerances as tol;

impl IslandLaw for StiffLimit {
    fn resolve_island(
        &self,
        problem: &ContactProblem,
        context: &mut Context,
    ) -> Result<IslandAnswer, ImpactError> {
        let mut pushing = problem.contacts().iter().filter(|c| c.pushes());
        let smooth = pushing.all(|c| c.rows == 1 || c.material.mu == 0.0);
        if smooth && problem.len() > tol::LARGEST_FRICTIONLESS {
            return self.by_lzb(problem, context);
        }
        problem.delassus().check_full(problem.rows())?;
        let island = Island::new(problem, context.tolerances)?;
        if let ([contact], None) = (&*island.contacts, self.hunt_crossley) {
            return one_contact::resolve(contact, &island, context);
        }
        if smooth && self.holds_itself(problem, context)? {
            return self.by_lzb(problem, context);
        }
        let mut impact = self.impact(&island);
        let mut stopped = false;
        match impact.follow(context) {
            Err(ImpactError::NotConverged { .. }) if smooth => {
                return self.by_lzb(problem, context);
            }
            Err(_) if smooth && impact.endless => return self.by_lzb(problem, context),
            Err(error) if impact.is_lost(&error) => {
                // Events that have no end, or cannot be told apart: the same with smoothed friction from the start.
                let mut again = self.impact(&island).after(&impact);
                again.smooth_throughout();
                match if impact.coarse { Err(None) } else { again.follow(context).map_err(Some) } {
                    Ok(()) => impact = again,
                    Err(Some(other)) if !again.is_lost(&other) => return Err(other),
                    Err(_) if wedging::possible(impact.model()) => return Err(error),
                    Err(_) => stopped = true,
                }
            }
            followed => followed?,
        }
        let mut impulse = impact.impulse(&island);
        if stopped {
            impact.effort.smoothed += 1;
            island.stop(&mut impulse);
        }
        island.settle(problem, &mut impulse, context)?;
        let mut notes = Notes::NONE;
        if impact.effort.impulse_unique == Some(false) {
            notes.insert(Note::ImpulseNotUnique);
        }
        let remarks = [
            (Note::Truncated, impact.truncated || stopped || impact.rattled()),
            (Note::Smoothed, impact.effort.smoothed > u64::from(stopped)),
            (Note::BudgetSpent, impact.coarse),
            (Note::NearlyRedundant, impact.nearly_redundant()),
            (Note::FrictionClipped, impact.clipped > self.accuracy),
        ];
        for (note, applies) in remarks {
            if applies {
                notes.insert(note);
            }
        }
        let impulse = island.impulse(impulse);
        Ok(IslandAnswer { impulse, effort: Effort::Springs(impact.effort), notes })
    }
}

impl StiffLimit {
    /// The impact of an island, at its start.
    fn impact(&self, island: &Island) -> Impact {
        Impact::new(Model::new(self, island), island, tol::STEP_SHARE * self.accuracy, self.budget)
    }

    /// Whether an island without friction has contacts that oppose each other.
    fn holds_itself(
        &self,
        problem: &ContactProblem,
        context: &Context,
    ) -> Result<bool, ImpactError> {
        let normals = NormalProblem::new(problem, context.tolerances)?;
        Ok(self_stress::opposed(&normals, context).contains(&true))
    }

    /// Without friction this is `lzb`, which knows the ends of impacts that have none.
    fn by_lzb(
        &self,
        problem: &ContactProblem,
        context: &mut Context,
    ) -> Result<IslandAnswer, ImpactError> {
        let Self { exponent, gaps, hunt_crossley, .. } = *self;
        let lzb = Lzb { exponent, gaps, hunt_crossley, ..Lzb::default() };
        let mut answer = lzb.resolve_island(problem, context)?;
        if let Effort::Solver(effort) = answer.effort {
            let (steps, impulse_unique) = (effort.iterations, effort.impulse_unique);
            let effort = SpringEffort { steps, impulse_unique, ..SpringEffort::default() };
            answer.effort = Effort::Springs(effort);
        }
        Ok(answer)
    }
}
