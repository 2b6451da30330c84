//! Both tables of laws together: laws for one contact and laws for several.

use crate::contact::ContactProblem;
use crate::laws::several;
use crate::laws::several::{MultiImpactLaw, MultiRow};
use crate::laws::single;
use crate::laws::single::catalog::{LawRow, ReadsE};
use crate::outcome::{ProblemOutcome, TraceSink, Watch};
use crate::settings::{Setting, Settings, nearest};
use crate::{ImpactError, Law, MultiLaw, Tolerances};

/// Any law there is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum AnyLaw {
    /// It resolves one contact.
    Single(Law),
    /// It resolves any number of contacts, one included.
    Several(MultiLaw),
}

/// A row of either table.
#[derive(Clone, Copy, Debug)]
pub enum AnyRow {
    /// Of the laws for one contact.
    Single(&'static LawRow),
    /// Of the laws for several.
    Several(&'static MultiRow),
}

macro_rules! shared {
    ($($(#[$about:meta])* $field:ident: $type:ty;)*) => {
        $($(#[$about])*
        pub fn $field(&self) -> $type {
            match self {
                Self::Single(row) => row.$field,
                Self::Several(row) => row.$field,
            }
        })*
    };
}

impl AnyRow {
    shared! {
        /// Its id in files and on the command line.
        id: &'static str;
        /// Its name in prose.
        name: &'static str;
        /// The year of the publication it follows.
        year: u16;
        /// What it does, in one sentence.
        summary: &'static str;
        /// Keys into `docs/references.bib`.
        references: &'static [&'static str];
        /// How it reads `e`.
        reads_e: ReadsE;
        /// The largest `e` it accepts \[1\].
        max_e: f64;
        /// Its settings.
        settings: &'static [Setting];
    }

    /// Whether it promises never to create energy.
    pub fn keeps_energy(&self) -> bool {
        match self {
            Self::Single(row) => row.claims.energy,
            Self::Several(row) => row.claims.energy,
        }
    }

    /// Every promise of its table by name, and whether it makes it.
    pub fn claims(&self) -> Vec<(&'static str, bool)> {
        match self {
            Self::Single(row) => vec![
                ("energy", row.claims.energy),
                ("separation", row.claims.separation),
                ("cone", row.claims.cone),
                ("restitution", row.claims.restitution),
                ("scale", row.claims.scale),
                ("frame", row.claims.frame),
                ("total", row.claims.total),
            ],
            Self::Several(row) => vec![
                ("energy", row.claims.energy),
                ("separation", row.claims.separation),
                ("pushes", row.claims.pushes),
                ("symmetry", row.claims.symmetry),
                ("cradle", row.claims.cradle),
                ("terminates", row.claims.terminates),
                ("order_free", row.claims.order_free),
                ("continuous", row.claims.continuous),
                ("total", row.claims.total),
            ],
        }
    }

    /// Whether it takes more than one contact.
    pub fn takes_several(&self) -> bool {
        matches!(self, Self::Several(_))
    }
}

/// Every law, those for one contact first.
pub fn all() -> impl Iterator<Item = AnyRow> {
    let single = single::CATALOG.iter().map(|row| AnyRow::Single(row));
    single.chain(several::CATALOG.iter().map(|row| AnyRow::Several(row)))
}

impl AnyLaw {
    /// The law with this id, its settings at their defaults.
    pub fn from_id(id: &str) -> Result<Self, ImpactError> {
        Self::with_settings(id, &Settings::new())
    }

    /// The law with this id and these settings; those not given keep their defaults.
    pub fn with_settings(id: &str, settings: &Settings) -> Result<Self, ImpactError> {
        match all().find(|row| row.id() == id) {
            Some(AnyRow::Single(row)) => (row.build)(settings).map(Self::Single),
            Some(AnyRow::Several(row)) => (row.build)(settings).map(Self::Several),
            None => Err(ImpactError::UnknownLaw {
                id: id.into(),
                suggestion: nearest(id, all().map(|row| row.id())).map(Into::into),
            }),
        }
    }

    /// The law's row in its table.
    pub fn row(&self) -> AnyRow {
        match self {
            Self::Single(law) => AnyRow::Single(law.row()),
            Self::Several(law) => AnyRow::Several(law.row()),
        }
    }

    /// The law's id.
    pub fn id(&self) -> &'static str {
        self.row().id()
    }

    /// Its settings, defaults included, as they are read on this problem.
    pub fn settings(&self, problem: Option<&ContactProblem>) -> Settings {
        match self {
            Self::Single(law) => law.settings(),
            Self::Several(law) => law.settings(problem),
        }
    }

    /// Solves a problem. A law for one contact tells its path to the trace, one for several its steps to the watcher.
    pub fn resolve_problem(
        &self,
        problem: &ContactProblem,
        tolerances: &Tolerances,
        trace: &mut dyn TraceSink,
        watch: &mut dyn Watch,
    ) -> Result<ProblemOutcome, ImpactError> {
        match self {
            Self::Single(law) => law.resolve_problem(problem, tolerances, trace),
            Self::Several(law) => law.resolve(problem, tolerances, watch),
        }
    }
}
