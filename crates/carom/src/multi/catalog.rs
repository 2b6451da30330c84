//! The one table of laws for several contacts.

use super::*;
use crate::contact::Island;
use crate::law::{Reader, ReadsE, Setting, Settings, nearest};

/// What a law promises on every valid input whose contacts do not separate already, and which a test checks; what it
/// does not promise, a counterexample shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MultiClaims {
    /// No energy is created.
    pub energy: bool,
    /// No contact approaches afterwards.
    pub separation: bool,
    /// No contact pulls.
    pub pushes: bool,
    /// A symmetric problem has a symmetric answer.
    pub symmetry: bool,
    /// Newton's cradle at `e = 1`: as many balls leave as came.
    pub cradle: bool,
    /// It ends after finitely many steps.
    pub terminates: bool,
    /// The order in which contacts are listed does not matter.
    pub order_free: bool,
    /// Velocities after depend continuously on velocities before.
    pub continuous: bool,
    /// There is an answer to every problem whose contacts do not separate already.
    pub total: bool,
}

impl MultiClaims {
    /// Every promise there is.
    pub const ALL: Self = Self {
        energy: true,
        separation: true,
        pushes: true,
        symmetry: true,
        cradle: true,
        terminates: true,
        order_free: true,
        continuous: true,
        total: true,
    };
}

/// One law of the catalogue.
#[derive(Clone, Copy, Debug)]
pub struct MultiRow {
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
    /// Whether it has friction; without, it sees normal rows only.
    pub friction: bool,
    /// Whether it follows springs through the impact, which takes a thousand times longer than equations.
    pub follows_springs: bool,
    /// What it promises.
    pub claims: MultiClaims,
    /// Builds the law from settings.
    pub build: fn(&Settings) -> Result<MultiLaw, ImpactError>,
}

/// What the catalogue asks of a law.
pub(crate) trait CatalogMultiLaw {
    /// The law's row.
    fn row(&self) -> &'static MultiRow;

    /// Its settings, defaults included, as they are read on this problem.
    fn settings(&self, _problem: Option<&ContactProblem>) -> Settings {
        Settings::new()
    }

    /// The parts of the problem that do not influence each other under this law, if there are several.
    fn separate_islands(&self, problem: &ContactProblem) -> Option<Vec<Island>> {
        problem.separate_islands()
    }

    /// The answer to one island.
    fn resolve_island(
        &self,
        problem: &ContactProblem,
        desk: &mut Desk,
    ) -> Result<IslandAnswer, ImpactError>;
}

/// Builds a law that has no settings.
pub(crate) fn without_settings(
    row: &'static MultiRow,
    settings: &Settings,
    law: impl Into<MultiLaw>,
) -> Result<MultiLaw, ImpactError> {
    Reader::new(row.id, row.settings, settings)?;
    Ok(law.into())
}

macro_rules! multi_laws {
    ($($law:ident),* $(,)?) => {
        /// Any law for several contacts, as plain data.
        #[derive(Clone, Copy, Debug, PartialEq)]
        #[allow(missing_docs, reason = "each variant is documented at its type")]
        #[allow(clippy::large_enum_variant, reason = "laws are plain data, copied once per batch, never boxed")]
        pub enum MultiLaw { $($law($law)),* }

        $(impl From<$law> for MultiLaw {
            fn from(law: $law) -> Self { Self::$law(law) }
        })*

        impl MultiLaw {
            /// The law's row in the catalogue.
            pub fn row(&self) -> &'static MultiRow {
                match self { $(Self::$law(law) => law.row()),* }
            }

            /// Its settings, defaults included. Some depend on the problem: a common `e`, say.
            pub fn settings(&self, problem: Option<&ContactProblem>) -> Settings {
                match self { $(Self::$law(law) => law.settings(problem)),* }
            }

            pub(super) fn separate_islands(
                &self,
                problem: &ContactProblem,
            ) -> Option<Vec<Island>> {
                match self { $(Self::$law(law) => law.separate_islands(problem)),* }
            }

            pub(super) fn resolve_island(
                &self,
                problem: &ContactProblem,
                desk: &mut Desk,
            ) -> Result<IslandAnswer, ImpactError> {
                match self { $(Self::$law(law) => law.resolve_island(problem, desk)),* }
            }
        }
    };
}

multi_laws![
    NewtonEquality,
    Newton,
    Poisson,
    Moreau,
    MaxDissipation,
    Mosterman,
    Sequential,
    GeneralizedReflections,
    Lzb,
    NewtonCoulomb,
    PoissonCoulomb,
    Plus,
    PlusExact,
    StiffLimit,
];

/// Every law for several contacts, in the order in which tables show them.
pub static CATALOG: &[&MultiRow] = &[
    &newton_equality::ROW,
    &newton::ROW,
    &poisson::ROW,
    &moreau::ROW,
    &max_dissipation::ROW,
    &mosterman::ROW,
    &sequential::ROW,
    &generalized_reflections::ROW,
    &lzb::ROW,
    &newton_coulomb::ROW,
    &poisson_coulomb::ROW,
    &plus::ROW,
    &plus::exact::ROW,
    &stiff_limit::ROW,
];

/// The row of the law with this id.
pub fn find(id: &str) -> Result<&'static MultiRow, ImpactError> {
    CATALOG.iter().find(|row| row.id == id).copied().ok_or_else(|| ImpactError::UnknownLaw {
        id: id.into(),
        suggestion: nearest(id, CATALOG.iter().map(|row| row.id)).map(Into::into),
    })
}
