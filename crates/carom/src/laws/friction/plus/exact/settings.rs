//! The law's row in the catalogue and its settings as data.

use super::super::policy::default_observe;
use super::super::settings::{
    MAX_ROUNDS, OBSERVE_SPEED, PROXIMITY, TRUNCATE, optional_number, setting, switch, whole,
};
use super::{Debt, PlusExact};
use crate::ImpactError;
use crate::contact::ContactProblem;
use crate::laws::several::{MultiClaims, MultiLaw, MultiRow};
use crate::laws::single::catalog::ReadsE;
use crate::settings::{Reader, SettingValue, Settings};

pub(crate) static ROW: MultiRow = MultiRow {
    id: "plus-exact",
    name: "Limit of Uchida, Sherman and Delp",
    year: 2015,
    summary: "rounds of compression and expansion, friction opposing the slip at every instant",
    references: &["UchidaShermanDelp2015", "Stronge1990"],
    reads_e: ReadsE::Kinetic,
    max_e: 1.0,
    settings: &[
        setting(
            "restitution",
            "\"poisson\"",
            "\"poisson\" or \"stronge\"",
            "what a compressed contact owes: impulse or work",
        ),
        MAX_ROUNDS,
        setting(
            "max_solutions",
            "50000",
            "1 to 1e9",
            "solutions of its equations before it gives up",
        ),
        setting("energy_guard", "true", "true or false", "no expansion creates energy"),
        OBSERVE_SPEED,
        PROXIMITY,
        TRUNCATE,
    ],
    friction: true,
    follows_springs: false,
    claims: MultiClaims { continuous: false, order_free: false, ..MultiClaims::ALL },
    build,
};

/// A few hundred for each time that slip stops or turns.
pub(crate) const MAX_SOLUTIONS: u64 = 50_000;

const DEBTS: [(&str, Debt); 2] = [("poisson", Debt::Poisson), ("stronge", Debt::Stronge)];

impl Default for PlusExact {
    fn default() -> Self {
        Self {
            restitution: Debt::Poisson,
            max_rounds: 200,
            max_solutions: MAX_SOLUTIONS,
            energy_guard: true,
            observe_speed: None,
            proximity: f64::INFINITY,
            truncate: false,
        }
    }
}

fn build(settings: &Settings) -> Result<MultiLaw, ImpactError> {
    let reader = Reader::new(ROW.id, ROW.settings, settings)?;
    let default = PlusExact::default();
    Ok(PlusExact {
        restitution: reader.choice("restitution", default.restitution, &DEBTS)?,
        max_rounds: whole(&reader, "max_rounds", default.max_rounds)?,
        max_solutions: whole(&reader, "max_solutions", default.max_solutions)?,
        energy_guard: switch(&reader, "energy_guard", default.energy_guard)?,
        observe_speed: optional_number(&reader, "observe_speed")?,
        proximity: reader.number("proximity", default.proximity, [0.0, f64::INFINITY])?,
        truncate: switch(&reader, "truncate", default.truncate)?,
    }
    .into())
}

/// The settings, defaults included.
pub(crate) fn of(law: &PlusExact, problem: Option<&ContactProblem>) -> Settings {
    let restitution = match law.restitution {
        Debt::Poisson => "poisson",
        Debt::Stronge => "stronge",
    };
    let mut settings = Settings::from([
        ("restitution".into(), SettingValue::Text(restitution.into())),
        ("max_rounds".into(), SettingValue::Number(law.max_rounds as f64)),
        ("max_solutions".into(), SettingValue::Number(law.max_solutions as f64)),
        ("energy_guard".into(), SettingValue::Switch(law.energy_guard)),
        ("proximity".into(), SettingValue::Number(law.proximity)),
        ("truncate".into(), SettingValue::Switch(law.truncate)),
    ]);
    let observe =
        law.observe_speed.or(problem.map(|problem| default_observe(law.energy_guard, problem)));
    if let Some(observe) = observe {
        settings.insert("observe_speed".into(), SettingValue::Number(observe));
    }
    settings
}
