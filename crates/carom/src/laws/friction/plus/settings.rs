//! The law's row in the catalogue and its settings as data.

use super::remedies::default_observe;
use crate::contact::ContactProblem;
use crate::laws::info::{Claims, LawInfo, ReadsE, with_settings};
use crate::settings::law_settings;

/// Some tens of milliseconds of one core.
pub(crate) const DEFAULT_BUDGET: u64 = 300_000;

law_settings! {
    /// Rounds of compression and expansion, friction following the slip.
    pub struct Plus {
        /// How far a direction of slip may turn in one interval \[rad\].
        max_direction_change: f64 = 0.1, "how far slip may turn in an interval, rad", in [1e-6, 1.5];
        /// Slip below this counts as none [m/s].
        transition_speed: f64 = 0.1, "slip below this counts as none, m/s", in [0.0, f64::INFINITY];
        /// No interval is a smaller part of its round, unless slip stops \[1\].
        min_step: f64 = 1e-4, "smallest part of a round that an interval covers", in [0.0, 1.0];
        /// Rounds after which it is an error, or the end \[1\].
        max_rounds: u64 = 200, "rounds before it gives up, for every hundred contacts", in [1.0, 1e9];
        /// Intervals of one round after which it is an error \[1\].
        max_intervals: u32 = 10_000, "intervals of one round before it gives up", in [1.0, 1e9];
        /// Whether friction takes the direction that slip has in the middle of an interval: second order.
        midpoint: bool = false, "friction takes the direction of slip halfway: second order";
        /// Whether energy is guarded. Without it this is the published algorithm, unless other remedies are switched on.
        energy_guard: bool = true, "all remedies; without, the published algorithm";
        /// Whether the limit of ever shorter intervals is the answer where intervals as published have none.
        limit: bool = energy_guard, "the limit of ever shorter intervals where these have no answer";
        /// Whether an interval ends where slip comes closest to rest also where slip is slow at the end of the round.
        closest_point: bool = energy_guard, "stop where slip is least, also if it ends slow";
        /// Whether jammed contacts are carried on.
        jam_advance: bool = energy_guard, "carry jammed contacts on";
        /// Whether intervals without a direction of slip are solved as implicit Coulomb problems.
        coulomb_fallback: bool = energy_guard, "implicit Coulomb problem where no slip fits";
        /// Whether dropped contacts are added again.
        readd: bool = energy_guard, "take in again contacts that were left out";
        /// Work after which simpler ways answer, for up to ten contacts; more have more, by their number cubed. A
        /// solution of three equations takes some eight of it \[1\].
        budget: u64 = DEFAULT_BUDGET, "work before simpler ways answer", in [1.0, 1e18];
        /// Slower approaches are observed only; absent, 1e-6 of the largest speed with the guard, 1e-10 without [m/s].
        observe_speed: Option<f64> = None => "1e-6 of the speed", "slower approaches watch, m/s", in [0.0, f64::MAX];
        /// Contacts further apart than this take no part \[m\].
        proximity: f64 = f64::INFINITY, "contacts with a larger gap take no part, m", in [0.0, f64::INFINITY];
        /// Whether the state reached after `max_rounds` is the answer rather than an error.
        truncate: bool = false, "after max_rounds the state reached is the answer";
    }
}

pub(crate) static INFO: LawInfo = LawInfo {
    id: "plus",
    name: "Uchida, Sherman and Delp",
    year: 2015,
    summary: "rounds of compression and expansion, friction turning with the slip",
    references: &["UchidaShermanDelp2015"],
    reads_e: ReadsE::Kinetic,
    settings: Plus::declared,
    claims: Claims { continuous: false, order_free: false, ..Claims::ALL },
    ..LawInfo::SEVERAL_CONTACTS
};

with_settings!(Plus, |law: Plus, problem: Option<&ContactProblem>| Plus {
    observe_speed: law
        .observe_speed
        .or(problem.map(|problem| default_observe(law.energy_guard, problem))),
    ..law
});
