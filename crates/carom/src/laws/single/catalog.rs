//! The one table of laws. The command line, the documentation, the claims tests and the benches read it; nobody
//! keeps a second list.

use crate::contact::Contact;
use crate::laws::single::*;
use crate::settings::{Reader, Setting, SettingValue, Settings, nearest};

/// What a law multiplies by the coefficient of restitution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadsE {
    /// Newton: the ratio of normal velocities.
    Kinematic,
    /// Poisson: the ratio of normal impulses.
    Kinetic,
    /// Stronge: the square root of the ratio of normal works.
    Energetic,
    /// As the laws it is made of.
    Mixed,
    /// It does not read it.
    Ignored,
}

impl ReadsE {
    /// The reading in one word.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Kinematic => "kinematic",
            Self::Kinetic => "kinetic",
            Self::Energetic => "energetic",
            Self::Mixed => "mixed",
            Self::Ignored => "ignored",
        }
    }
}

/// What a law promises on every valid input. One runner checks all promises on random impacts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claims {
    /// `½ p·(u⁻ + u⁺) ≤ 0`.
    pub energy: bool,
    /// `u_n⁺ ≥ 0`.
    pub separation: bool,
    /// `p_n ≥ 0` and `|p_t| ≤ μ p_n`.
    pub cone: bool,
    /// `u_n⁺ = −e u_n⁻` exactly.
    pub restitution: bool,
    /// Scaling velocities or masses scales the impulse likewise.
    pub scale: bool,
    /// Turning or mirroring the tangents turns or mirrors the impulse.
    pub frame: bool,
    /// There is an answer on every valid input of its class.
    pub total: bool,
}

impl Claims {
    /// Every promise there is.
    pub const ALL: Self = Self {
        energy: true,
        separation: true,
        cone: true,
        restitution: true,
        scale: true,
        frame: true,
        total: true,
    };
}

/// One law of the catalogue.
#[derive(Clone, Copy, Debug)]
pub struct LawRow {
    /// Its id in files and on the command line.
    pub id: &'static str,
    /// Its name in prose.
    pub name: &'static str,
    /// The year of the publication it follows.
    pub year: u16,
    /// What it does, in one sentence.
    pub summary: &'static str,
    /// Keys into `docs/references.bib`.
    pub references: &'static [&'static str],
    /// How it reads `e`.
    pub reads_e: ReadsE,
    /// The largest `e` it accepts \[1\].
    pub max_e: f64,
    /// Its settings.
    pub settings: &'static [Setting],
    /// The numbers of rows a contact may have.
    pub dimensions: &'static [usize],
    /// Whether it follows a path that a trace can show.
    pub incremental: bool,
    /// What it promises.
    pub claims: Claims,
    /// Builds the law from settings.
    pub build: fn(&Settings) -> Result<Law, ImpactError>,
}

/// What the catalogue asks of a law besides its answers.
pub(crate) trait CatalogLaw {
    /// The law's row.
    fn row(&self) -> &'static LawRow;

    /// Its settings, defaults included.
    fn settings(&self) -> Settings {
        Settings::new()
    }
}

/// Builds a law that has no settings.
pub(crate) fn without_settings(
    row: &'static LawRow,
    settings: &Settings,
    law: impl Into<Law>,
) -> Result<Law, ImpactError> {
    Reader::new(row.id, row.settings, settings)?;
    Ok(law.into())
}

macro_rules! plain_laws {
    ($($law:ident),* $(,)?) => {
        /// Any law that is not made of others, as plain data.
        #[derive(Clone, Copy, Debug, PartialEq)]
        #[allow(missing_docs, reason = "each variant is documented at its type")]
        pub enum PlainLaw { $($law($law)),* }

        $(impl From<$law> for Law {
            fn from(law: $law) -> Self { Self::Plain(PlainLaw::$law(law)) }
        })*

        impl PlainLaw {
            /// The law's row in the catalogue.
            pub fn row(&self) -> &'static LawRow {
                match self { $(Self::$law(law) => law.row()),* }
            }

            /// Its settings, defaults included.
            pub fn settings(&self) -> Settings {
                match self { $(Self::$law(law) => law.settings()),* }
            }
        }

        impl<const D: usize> ImpactLaw<D> for PlainLaw {
            fn resolve(
                &self,
                contact: &Contact<D>,
                tolerances: &Tolerances,
                trace: &mut dyn TraceSink,
            ) -> Result<Outcome<D>, ImpactError> {
                match self { $(Self::$law(law) => law.resolve(contact, tolerances, trace)),* }
            }
        }
    };
}

plain_laws![
    Frictionless,
    ChatterjeeRuina,
    Bilinear,
    Routh,
    Whittaker,
    Smith,
    Brach,
    PfeifferGlocker,
    AnitescuPotra,
    PermissibleSpherical,
    PermissibleProjected,
];

/// Any law of the catalogue, as plain data.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(
    clippy::large_enum_variant,
    reason = "laws are plain data, copied once per batch, never boxed"
)]
pub enum Law {
    /// A law of its own.
    Plain(PlainLaw),
    /// A mean of others.
    Composite(Composite),
}

impl Law {
    /// The law's row in the catalogue.
    pub fn row(&self) -> &'static LawRow {
        match self {
            Self::Plain(law) => law.row(),
            Self::Composite(law) => law.row(),
        }
    }

    /// Its settings, defaults included.
    pub fn settings(&self) -> Settings {
        match self {
            Self::Plain(law) => law.settings(),
            Self::Composite(law) => law.settings(),
        }
    }
}

impl<const D: usize> ImpactLaw<D> for Law {
    fn resolve(
        &self,
        contact: &Contact<D>,
        tolerances: &Tolerances,
        trace: &mut dyn TraceSink,
    ) -> Result<Outcome<D>, ImpactError> {
        match self {
            Self::Plain(law) => law.resolve(contact, tolerances, trace),
            Self::Composite(law) => law.resolve(contact, tolerances, trace),
        }
    }
}

/// Every law, in the order in which tables show them.
pub static CATALOG: &[&LawRow] = &[
    &frictionless::ROW,
    &chatterjee_ruina::ROW,
    &bilinear::ROW,
    &routh::POISSON,
    &routh::STRONGE,
    &routh::NEWTON,
    &whittaker::ROW,
    &smith::ROW,
    &brach::ROW,
    &pfeiffer_glocker::ROW,
    &anitescu_potra::ROW,
    &composite::ROW,
    &permissible_spherical::ROW,
    &permissible_projected::ROW,
];

/// The row of the law with this id.
pub fn find(id: &str) -> Result<&'static LawRow, ImpactError> {
    CATALOG.iter().find(|row| row.id == id).copied().ok_or_else(|| ImpactError::UnknownLaw {
        id: id.into(),
        suggestion: nearest(id, CATALOG.iter().map(|row| row.id)).map(Into::into),
    })
}

/// A law written as an id, or as a table of its id and settings. None if the value is neither.
pub(crate) fn law_from_value(value: &SettingValue) -> Option<Result<Law, ImpactError>> {
    match value {
        SettingValue::Text(id) => Some(Law::from_id(id)),
        SettingValue::Table(settings) => match settings.get("id") {
            Some(SettingValue::Text(id)) => Some(Law::with_settings(id, settings)),
            _ => None,
        },
        _ => None,
    }
}
