//! The law's row in the catalogue and its settings as data.

use super::StiffLimit;
use crate::ImpactError;
use crate::laws::normal::lzb;
use crate::laws::normal::lzb::Gaps;
use crate::laws::several::{MultiClaims, MultiLaw, MultiRow};
use crate::laws::single::catalog::ReadsE;
use crate::settings::{Reader, Setting, SettingValue, Settings};

const GAPS: Setting = Setting { default: "\"remember\"", ..lzb::GAPS };

const ACCURACY: Setting = Setting {
    name: "accuracy",
    default: "1e-9",
    range: "1e-12 to 1e-3",
    meaning: "error of velocities that is aimed at, relative to the largest speed",
};

pub(crate) static ROW: MultiRow = MultiRow {
    id: "stiff-limit",
    name: "Limit of stiff contacts",
    year: 2026,
    summary: "what springs with friction tend to as they harden; energetic e, recommended with friction",
    references: &["LiuZhaoBrogliato2008", "Routh1897", "Stronge1990", "HuntCrossley1975"],
    reads_e: ReadsE::Energetic,
    max_e: 1.0,
    settings: &[lzb::EXPONENT, GAPS, lzb::HUNT_CROSSLEY, ACCURACY],
    friction: true,
    follows_springs: true,
    claims: MultiClaims {
        cradle: false,
        terminates: false,
        continuous: false,
        total: false,
        ..MultiClaims::ALL
    },
    build,
};

impl Default for StiffLimit {
    fn default() -> Self {
        Self { exponent: 1.5, gaps: Gaps::Remember, hunt_crossley: None, accuracy: 1e-9 }
    }
}

fn build(settings: &Settings) -> Result<MultiLaw, ImpactError> {
    let reader = Reader::new(ROW.id, ROW.settings, settings)?;
    let default = StiffLimit::default();
    Ok(StiffLimit {
        exponent: reader.number(lzb::EXPONENT.name, default.exponent, [1.0, 3.0])?,
        gaps: reader.choice(GAPS.name, default.gaps, &lzb::GAP_WORDS)?,
        hunt_crossley: lzb::read_damping(&reader)?,
        accuracy: reader.number(ACCURACY.name, default.accuracy, [1e-12, 1e-3])?,
    }
    .into())
}

/// The settings, defaults included.
pub(crate) fn of(law: &StiffLimit) -> Settings {
    let mut settings = lzb::settings_of(law.exponent, law.gaps, law.hunt_crossley);
    settings.insert(ACCURACY.name.into(), SettingValue::Number(law.accuracy));
    settings
}
