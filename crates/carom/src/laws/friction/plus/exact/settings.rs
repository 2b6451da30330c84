//! The law's row in the catalogue and its settings as data.

use super::super::remedies::default_observe;
use super::super::settings::DEFAULT_BUDGET;
use super::Debt;
use crate::contact::ContactProblem;
use crate::laws::info::{Claims, LawInfo, ReadsE, with_settings};
use crate::settings::law_settings;

/// A few hundred for each time that slip stops or turns.
pub(crate) const MAX_SOLUTIONS: u64 = 50_000;

law_settings! {
    /// Rounds of compression and expansion, friction opposing the slip at every instant.
    pub struct PlusExact {
        /// What a compressed contact owes.
        restitution: Debt = Debt::Poisson, "what a compressed contact owes: impulse or work";
        /// Rounds after which it is an error, or the end \[1\].
        max_rounds: u64 = 200, "rounds before it gives up, for every hundred contacts", in [1.0, 1e9];
        /// Solutions of its equations after which it is an error \[1\].
        max_solutions: u64 = MAX_SOLUTIONS, "solutions of its equations before it gives up", in [1.0, 1e9];
        /// Work after which simpler ways answer, for up to ten contacts; more have more, by their number cubed. A
        /// solution of three equations takes some eight of it \[1\].
        budget: u64 = DEFAULT_BUDGET, "work before simpler ways answer", in [1.0, 1e18];
        /// Whether energy is guarded.
        energy_guard: bool = true, "no expansion creates energy";
        /// Slower approaches are observed only; absent, 1e-6 of the largest speed with the guard, 1e-10 without [m/s].
        observe_speed: Option<f64> = None => "1e-6 of the speed", "slower approaches watch, m/s", in [0.0, f64::MAX];
        /// Contacts further apart than this take no part \[m\].
        proximity: f64 = f64::INFINITY, "contacts with a larger gap take no part, m", in [0.0, f64::INFINITY];
        /// Whether the state reached after `max_rounds` is the answer rather than an error.
        truncate: bool = false, "after max_rounds the state reached is the answer";
    }
}

pub(crate) static INFO: LawInfo = LawInfo {
    id: "plus-exact",
    name: "Limit of Uchida, Sherman and Delp",
    year: 2015,
    summary: "rounds of compression and expansion, friction opposing the slip at every instant",
    references: &["UchidaShermanDelp2015", "Stronge1990"],
    reads_e: ReadsE::Kinetic,
    settings: PlusExact::declared,
    claims: Claims { continuous: false, order_free: false, ..Claims::ALL },
    ..LawInfo::SEVERAL_CONTACTS
};

with_settings!(PlusExact, |law: PlusExact, problem: Option<&ContactProblem>| PlusExact {
    observe_speed: law
        .observe_speed
        .or(problem.map(|problem| default_observe(law.energy_guard, problem))),
    ..law
});
