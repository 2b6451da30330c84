//! The law's row in the catalogue and its settings as data.

use super::Plus;
use super::policy::default_observe;
use crate::ImpactError;
use crate::contact::ContactProblem;
use crate::laws::several::{MultiClaims, MultiLaw, MultiRow};
use crate::laws::single::catalog::ReadsE;
use crate::settings::{Reader, Setting, SettingValue, Settings};

pub(crate) const fn setting(
    name: &'static str,
    default: &'static str,
    range: &'static str,
    meaning: &'static str,
) -> Setting {
    Setting { name, default, range, meaning }
}

pub(crate) const MAX_ROUNDS: Setting = setting(
    "max_rounds",
    "200",
    "1 to 1e9",
    "rounds before it gives up, for every hundred contacts",
);
pub(crate) const OBSERVE_SPEED: Setting =
    setting("observe_speed", "1e-6 of the speed", "0 or more", "slower approaches watch, m/s");
pub(crate) const PROXIMITY: Setting =
    setting("proximity", "\"inf\"", "0 or more", "contacts with a larger gap take no part, m");
pub(crate) const TRUNCATE: Setting = setting(
    "truncate",
    "false",
    "true or false",
    "after max_rounds the state reached is the answer",
);

pub(crate) static ROW: MultiRow = MultiRow {
    id: "plus",
    name: "Uchida, Sherman and Delp",
    year: 2015,
    summary: "rounds of compression and expansion, friction turning with the slip",
    references: &["UchidaShermanDelp2015"],
    reads_e: ReadsE::Kinetic,
    max_e: 1.0,
    settings: &[
        setting(
            "max_direction_change",
            "0.1",
            "1e-6 to 1.5",
            "how far slip may turn in an interval, rad",
        ),
        setting("transition_speed", "0.1", "0 or more", "slip below this counts as none, m/s"),
        setting("min_step", "1e-4", "0 to 1", "smallest part of a round that an interval covers"),
        MAX_ROUNDS,
        setting("max_intervals", "10000", "1 to 1e9", "intervals of one round before it gives up"),
        setting(
            "midpoint",
            "false",
            "true or false",
            "friction takes the direction of slip halfway: second order",
        ),
        setting(
            "energy_guard",
            "true",
            "true or false",
            "all remedies; without, the published algorithm",
        ),
        setting(
            "limit",
            "as energy_guard",
            "true or false",
            "the limit of ever shorter intervals where these have no answer",
        ),
        setting("jam_advance", "as energy_guard", "true or false", "carry jammed contacts on"),
        setting(
            "coulomb_fallback",
            "as energy_guard",
            "true or false",
            "implicit Coulomb problem where no slip fits",
        ),
        setting(
            "readd",
            "as energy_guard",
            "true or false",
            "take in again contacts that were left out",
        ),
        OBSERVE_SPEED,
        PROXIMITY,
        TRUNCATE,
    ],
    friction: true,
    follows_springs: false,
    claims: MultiClaims { continuous: false, order_free: false, ..MultiClaims::ALL },
    build,
};

impl Default for Plus {
    fn default() -> Self {
        Self {
            max_direction_change: 0.1,
            transition_speed: 0.1,
            min_step: 1e-4,
            max_rounds: 200,
            max_intervals: 10_000,
            midpoint: false,
            energy_guard: true,
            limit: true,
            jam_advance: true,
            coulomb_fallback: true,
            readd: true,
            observe_speed: None,
            proximity: f64::INFINITY,
            truncate: false,
        }
    }
}

/// A setting that is on or off.
pub(crate) fn switch(reader: &Reader, name: &str, default: bool) -> Result<bool, ImpactError> {
    match reader.get(name) {
        None => Ok(default),
        Some(SettingValue::Switch(on)) => Ok(*on),
        Some(_) => Err(reader.refuse(name, "must be true or false")),
    }
}

/// A setting that counts something.
pub(crate) fn whole(reader: &Reader, name: &str, default: u64) -> Result<u64, ImpactError> {
    reader.whole(name, default, [1.0, 1e9])
}

/// A number that depends on the problem where it is absent.
pub(crate) fn optional_number(reader: &Reader, name: &str) -> Result<Option<f64>, ImpactError> {
    reader.get(name).map(|_| reader.number(name, 0.0, [0.0, f64::MAX])).transpose()
}

fn build(settings: &Settings) -> Result<MultiLaw, ImpactError> {
    let reader = Reader::new(ROW.id, ROW.settings, settings)?;
    let default = Plus::default();
    let switch = |name: &str, default: bool| switch(&reader, name, default);
    let whole = |name: &str, default: u64| whole(&reader, name, default);
    let any = [0.0, f64::INFINITY];
    let energy_guard = switch("energy_guard", default.energy_guard)?;
    let observe_speed = optional_number(&reader, "observe_speed")?;
    Ok(Plus {
        max_direction_change: reader.number(
            "max_direction_change",
            default.max_direction_change,
            [1e-6, 1.5],
        )?,
        transition_speed: reader.number("transition_speed", default.transition_speed, any)?,
        min_step: reader.number("min_step", default.min_step, [0.0, 1.0])?,
        max_rounds: whole("max_rounds", default.max_rounds)?,
        max_intervals: u32::try_from(whole("max_intervals", default.max_intervals.into())?)
            .unwrap_or(u32::MAX),
        midpoint: switch("midpoint", default.midpoint)?,
        energy_guard,
        limit: switch("limit", energy_guard)?,
        jam_advance: switch("jam_advance", energy_guard)?,
        coulomb_fallback: switch("coulomb_fallback", energy_guard)?,
        readd: switch("readd", energy_guard)?,
        observe_speed,
        proximity: reader.number("proximity", default.proximity, any)?,
        truncate: switch("truncate", default.truncate)?,
    }
    .into())
}

/// The settings, defaults included.
pub(crate) fn of(law: &Plus, problem: Option<&ContactProblem>) -> Settings {
    let mut settings = Settings::new();
    let mut set = |name: &str, value: SettingValue| {
        settings.insert(name.into(), value);
    };
    let switches = [
        ("midpoint", law.midpoint),
        ("energy_guard", law.energy_guard),
        ("limit", law.limit),
        ("jam_advance", law.jam_advance),
        ("coulomb_fallback", law.coulomb_fallback),
        ("readd", law.readd),
        ("truncate", law.truncate),
    ];
    switches.into_iter().for_each(|(name, on)| set(name, SettingValue::Switch(on)));
    let numbers = [
        ("max_direction_change", law.max_direction_change),
        ("transition_speed", law.transition_speed),
        ("min_step", law.min_step),
        ("max_rounds", law.max_rounds as f64),
        ("max_intervals", f64::from(law.max_intervals)),
        ("proximity", law.proximity),
    ];
    numbers.into_iter().for_each(|(name, x)| set(name, SettingValue::Number(x)));
    if let Some(observe) =
        law.observe_speed.or(problem.map(|problem| default_observe(law.energy_guard, problem)))
    {
        set("observe_speed", SettingValue::Number(observe));
    }
    settings
}
