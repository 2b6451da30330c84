//! # The limit of Uchida, Sherman and Delp's law (2015)
//!
//! Their rounds of compression and expansion with friction that opposes the slip at every instant.
//!
//! ## Model
//! Rounds are those of `plus`. Within one, `σ` runs from 0 to 1:
//! 1. compressed contacts approach ever more slowly, in unison: `u_n(σ) = (1 − σ) u_n(0)`; expanding ones give what
//!    they owe evenly, `dp_n = owed dσ`
//! 2. friction of a contact that slides opposes its slip, `dp_t = −μ u_t/|u_t| dp_n`; one that rolls keeps `u_t = 0`
//!    inside its cone; one that cannot begins to slide in the direction in which its slip then grows
//! 3. a compressed contact that would have to pull is dropped for as long as the others carry it,
//!    `du_n/dσ > −u_n/(1 − σ)`
//! 4. of several rates of impulse the smallest is taken
//!
//! ## Reads e as
//! `restitution = "poisson"`: kinetic, a compressed contact owes `e p_n`. `"stronge"`: energetic, it owes the work
//! `e² ∫ −u_n dp_n` and gives impulse, at the rate at which Poisson's debt would be paid in one round, until its own
//! normal impulse has done that work; where that takes longer than the round, those that were compressed are held.
//! `e` is read at the approach speed at the start of each round.
//!
//! ## Notation
//! As `plus`: the paper's `π` → `p`, `A` → `W`, `v` → `u`. Its `θ_max` and `v_transition` are zero here.
//!
//! ## Deviations from the paper
//! The paper has finite steps; this is what they tend to, followed by a Runge–Kutta method of order 8 from event to
//! event, and in closed form where no slip turns. Near a stop the clock is slowed by `|u_t|/(|u_t| + V/20)`, `V` being the
//! largest speed, so that the direction in which slip stops is found.
//! - A contact that approaches faster the more it is pushed (`k < μ c·s`) jams. `σ` stands still while it is pushed
//!   until its slip stops or turns away; other compressed contacts are held meanwhile.
//! - With infinite friction contacts roll, as in `plus`: their slip ends in unison with the approach. Where they would have to
//!   pull they slide with a very large μ.
//! - Redundant contacts can keep up slip of less than 1e-4 of the largest speed, whose direction relaxes faster than steps can
//!   follow. Such slip ends in unison with the approach, or begins to slide as in `plus`; the notes say so.
//! - `energy_guard` and `observe_speed` act as they do in `plus`; where redundant contacts that begin to slide have no
//!   direction under the smallest impulse, rates come from the implicit Coulomb problem.
//!
//! ## Limits
//! - One contact: the result is that of `routh-poisson` or `routh-stronge` as long as it is compressed once
//!   (`crates/carom/tests/laws/plus/exact/one_contact.rs`, to 1e-11). Where it approaches again during its expansion those
//!   laws count both compressions together; here the expansion is finished first, and what then approaches begins a new
//!   round with its own `e`.
//! - Several contacts: where more than one set of contacts can carry the others, one is taken. Where no rates exist, or
//!   what contacts do changes without end, there is no limit: this is an error, or with the guard and Poisson's debt the
//!   answer of short intervals with the remedies of `plus`, then of rounds of one step, at last an end without restitution
//!   that is reported as a fallback; the notes say so. The same holds where it would take too long (`budget`,
//!   `max_solutions`): directions that turn very fast, as those of very light bodies, take very short steps. Bodies whose
//!   contacts stop and start in
//!   turn, ever faster, come to rest where that cannot be followed, at 1e-7 of the largest speed.
//! - `plus` tends to it (`crates/carom/tests/laws/plus/exact/convergence.rs`) except where it leaves a contact out that
//!   approaches all the same.
//! - Velocities jump where a contact begins to approach, as they do in `plus`.
//!
//! ## Energy
//! With the guard it never grows. Without it grows where coefficients of contacts compressed together differ.
//!
//! ## References
//! `UchidaShermanDelp2015`; `Stronge1990` for the energetic debt.

mod events;
pub(crate) mod flow;
mod integrate;
mod rates;
pub(crate) mod settings;
mod state;

use super::algorithm::{Intervals, RoundMethod};
use super::remedies::{Attempt, IntervalRemedies, RoundsLaw, Workspace};
use super::step_length::StepLength;
use super::tolerances::{MAX_SHORT_INTERVALS, SHORT_STEP, SHORT_TRANSITION, SHORT_TURN};
use crate::ImpactError;
use crate::contact::ContactProblem;
use crate::island::{Context, IslandAnswer};
use crate::laws::info::IslandLaw;
use crate::numerics::largest;
use crate::settings::word_setting;
use flow::Flow;
pub(crate) use settings::INFO;
pub use settings::PlusExact;

word_setting! {
    /// What a contact owes once it has been compressed.
    pub enum Debt {
        /// Impulse: `e` times that of compression.
        Poisson = "poisson",
        /// Work: `e²` times that of compression.
        Stronge = "stronge",
    }
}

/// Attempts by this limit, which is one of several methods: first without what does not belong to its model.
pub(crate) fn attempts(method: usize, remedies: IntervalRemedies) -> [Attempt; 2] {
    let own = IntervalRemedies { coulomb: false, ..remedies };
    let attempt = Attempt { method, remedies: own, remedied: false, noisy: None };
    [attempt, Attempt { remedies, remedied: true, ..attempt }]
}

impl IslandLaw for PlusExact {
    fn resolve_island(
        &self,
        island: &ContactProblem,
        context: &mut Context,
    ) -> Result<IslandAnswer, ImpactError> {
        let law = RoundsLaw {
            id: INFO.id,
            energy_guard: self.energy_guard,
            observe_speed: self.observe_speed,
            max_rounds: self.max_rounds,
            proximity: self.proximity,
            truncate: self.truncate,
            budget: self.budget,
        };
        let flow = Box::new(Flow::new(self.restitution, self.max_solutions));
        let mut methods = vec![RoundMethod::Limit(flow)];
        let mut attempts = attempts(0, IntervalRemedies::ALL).to_vec();
        if !self.energy_guard {
            attempts.truncate(1);
        } else if self.restitution == Debt::Poisson {
            // Where there is no limit short intervals still have restitution.
            let turn = SHORT_TURN;
            let step_length = StepLength {
                transition: SHORT_TRANSITION * largest(island.velocity()),
                turn: [libm::sin(turn), libm::cos(turn)],
                shortest: SHORT_STEP,
                closest_point: true,
                bend: None,
            };
            let intervals = Intervals::new(step_length, false, MAX_SHORT_INTERVALS);
            methods.push(RoundMethod::Intervals(Box::new(intervals)));
            let short = Attempt { method: 1, ..attempts[1] };
            attempts.extend([short, short.by_whole_rounds()]);
        }
        law.resolve(island, Workspace::new(methods, attempts), context)
    }
}
