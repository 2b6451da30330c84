//! # Uchida, Sherman and Delp's law (2015)
//!
//! Impacts travel in rounds, like blows through a row of balls; within a round friction turns with the slip.
//!
//! ## Model
//! Round after round, until no contact approaches and none owes an expansion (`algorithm.rs`):
//! 1. contacts that owe an expansion impulse expand, others that approach are compressed, the rest observe
//! 2. intervals: compressed contacts stop approaching, `u_n + (W p)_n = 0`; expanding ones give what they owe
//! 3. in an interval a contact slides, `p_t = −μ p_n s` with its present direction `s`; or rolls, `u_t + (W p)_t = 0`; or,
//!    where rolling would leave the cone, begins to slide, `s` then being that at the end of the step; one that would
//!    have to pull is dropped; of several impulses the smallest is taken
//! 4. an interval ends where a sliding contact comes closest to rest or has turned by `max_direction_change`
//! 5. a contact that took `p_n` while it was compressed owes `e p_n`
//!
//! ## Reads e as
//! Kinetic, Poisson's: expansion impulse over compression impulse, `e` at the approach speed at the start of each round.
//! A number is that `e` at all speeds; the paper's curve is `{minimum, capture_speed, plastic_speed}`.
//!
//! ## Notation
//! The paper's `π` → `p`, `A` → `W`, `v` → `u`, `z` → the normal, which comes first here, `ε_prox` → `proximity`,
//! `θ_max` → `max_direction_change`, `v_transition` → `transition_speed`, `α_min` → `min_step`.
//!
//! ## Deviations from the paper
//! `energy_guard = false` is the paper's algorithm, where it is ambiguous read so that its published numbers come out.
//! It creates energy where coefficients differ, stands still where friction jams, and finds no direction where redundant
//! contacts begin to slide. The default follows it wherever it does none of this and no contact begins to approach at
//! noise level. Else it tries in turn
//! 1. the limit of ever shorter intervals (`limit`), which is what `plus-exact` answers,
//! 2. the published intervals, if they were not tried because of noise,
//! 3. intervals with remedies (`remedies/`),
//!
//! and takes the first that comes to an end without having created energy. Each remedy can be switched off, in the limit
//! as in intervals:
//! - an expansion is cut back until no energy is created,
//! - a jammed contact is carried on by its normal impulse until its slip stops (`jam_advance`),
//! - where directions of impending slip do not exist the implicit Coulomb problem is solved (`coulomb_fallback`),
//! - dropped contacts that would approach are added again (`readd`),
//! - an interval ends where slip is least also if slip is slower than `transition_speed` at the end of the round
//!   (`closest_point`). The paper's section 2e goes to the end then, "to avoid computing a small terminal interval": friction
//!   drives the slip from where it stopped, by up to that speed (`crates/carom/tests/faults/friction_drives_slip.rs`). An
//!   interval is still not cut for less than `min_step` of the round,
//! - contacts that approach more slowly than `observe_speed` observe, and are stopped without restitution in the end,
//! - contacts that have collided in turn for a quarter of `max_rounds` rounds, and four for each of them, collide together,
//!   what they owed being forgiven; ten times `max_rounds` are the end,
//! - every island has its own step length.
//!
//! Where all of this fails every round is one step, friction opposing the slip at its end. Whatever still approaches where
//! that fails, too, is stopped at once, without restitution: by Coulomb's law if that has a solution, else without friction,
//! which always has. All ways share a `budget` of work. The notes say which remedy acted, and the effort how often; `limit`
//! among them tells that the answer is that of `plus-exact`, `fallbacks` that it has no restitution.
//!
//! A contact of infinite friction rolls; where it would have to pull it slides with a very large μ to the end of the impact.
//! One that slides and hardly approaches, or not at all, takes part if its friction would drive it into compression, as
//! faster ones do.
//!
//! Directions of impending slip are sought by angle, friction opposing the slip, so that an impulse that does not fulfil
//! its equations is never used; if no start leads to them, from the solution of the implicit Coulomb problem. Where no
//! angles fit and contacts are redundant, the same equations are solved as an implicit Coulomb problem, with the published
//! algorithm too.
//!
//! ## Limits
//! First order in `max_direction_change`, or second with `midpoint`, whose intervals end earlier where slip tends to a
//! direction that it keeps: against `plus-exact` bricks are off by up to 0.37 of the angle times the speed
//! (`crates/carom/tests/laws/plus/convergence.rs`); slip below `transition_speed` counts as none, which
//! leaves an error of that order. Velocities jump where a contact begins to approach. Several contacts do not agree with
//! any compliant model.
//!
//! Sets of contacts only ever shrink during an interval, so that a contact can be dropped that still approaches, and has a
//! round of its own: a few in a hundred edges and faces of bricks. This is the published algorithm, which creates
//! no energy by it, so the default does the same; it is then not near `plus-exact`, however short its intervals.
//!
//! Which of several redundant contacts slips first can depend on their order, and with it the velocities. Where intervals
//! with remedies are the answer, `plus-exact` has none, and there is nothing they would tend to. A light body between heavy
//! ones can need more rounds than are allowed.
//!
//! ## Energy
//! With the guard it never grows. Without it grows where the coefficients of contacts compressed together differ: five
//! balls in a row that touch up to a speed of 1e-6 m/s gain 48 %.
//!
//! ## References
//! `UchidaShermanDelp2015`.

// `algorithm` holds the paper's two algorithms; `step_length`, `equations` and `impending` are their parts, `active` and
// `contact_space` their data. `remedies` holds what the paper lacks, `midpoint` an option of higher order, `one_contact` a
// shortcut, `exact` the limit of ever shorter intervals, `tolerances` every constant of all of these.
mod active;
mod algorithm;
mod contact_space;
mod equations;
pub(crate) mod exact;
mod failure;
mod handler;
mod impending;
mod midpoint;
mod one_contact;
mod record;
mod remedies;
mod settings;
mod step_length;
mod tolerances;

use crate::ImpactError;
use crate::contact::{ContactProblem, Island};
use crate::island::{Context, IslandAnswer};
use crate::laws::info::IslandLaw;
use algorithm::{Intervals, RoundMethod};
use exact::Debt;
use exact::flow::Flow;
pub use handler::PlusHandler;
use remedies::{Attempt, IntervalRemedies, RoundsLaw, Workspace};
pub(crate) use settings::INFO;
pub use settings::Plus;
use step_length::StepLength;

impl Plus {
    fn rounds_law(&self) -> RoundsLaw {
        RoundsLaw {
            id: INFO.id,
            energy_guard: self.energy_guard,
            observe_speed: self.observe_speed,
            max_rounds: self.max_rounds,
            proximity: self.proximity,
            truncate: self.truncate,
            // Shorter intervals are more of them.
            budget: (self.budget as f64 * (0.1 / self.max_direction_change).max(1.0)) as u64,
        }
    }

    /// What is tried: intervals as published, then their limit, then intervals with remedies.
    fn workspace(&self) -> Workspace {
        let turn = self.max_direction_change;
        let step_length = StepLength {
            transition: self.transition_speed,
            turn: [libm::sin(turn), libm::cos(turn)],
            shortest: self.min_step,
            closest_point: self.closest_point,
            bend: self.midpoint.then_some(turn),
        };
        let intervals = Intervals::new(step_length, self.midpoint, self.max_intervals);
        let limit = Flow::new(Debt::Poisson, exact::settings::MAX_SOLUTIONS);
        let none = IntervalRemedies::default();
        let remedies = IntervalRemedies {
            jam_advance: self.jam_advance,
            coulomb: self.coulomb_fallback,
            readd: self.readd,
            whole: false,
        };
        let published = Attempt { method: 0, remedies: none, remedied: false, noisy: None };
        let mut attempts = vec![published];
        if self.limit {
            // The published algorithm is no model where contacts begin at noise level.
            attempts[0].noisy = Some(false);
            attempts.extend(exact::attempts(1, remedies));
            attempts.push(Attempt { noisy: Some(true), ..published });
        }
        if self.energy_guard || remedies != none {
            let remedied = Attempt { remedies, remedied: true, ..published };
            attempts.push(remedied);
            if self.coulomb_fallback {
                attempts.push(remedied.by_whole_rounds());
            }
        }
        let methods =
            vec![RoundMethod::Intervals(Box::new(intervals)), RoundMethod::Limit(Box::new(limit))];
        Workspace::new(methods, attempts)
    }
}

impl IslandLaw for Plus {
    /// The published algorithm takes one step for all contacts, whether or not they influence each other.
    fn separate_islands(&self, problem: &ContactProblem) -> Option<Vec<Island>> {
        if self.energy_guard { problem.separate_islands() } else { None }
    }

    fn resolve_island(
        &self,
        island: &ContactProblem,
        context: &mut Context,
    ) -> Result<IslandAnswer, ImpactError> {
        self.rounds_law().resolve(island, self.workspace(), context)
    }
}
