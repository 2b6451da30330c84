//! What the catalogue says of a law, and what it needs of one.

use crate::ImpactError;
use crate::contact::{ContactProblem, Island};
use crate::island::{Context, IslandAnswer};
use crate::settings::{Setting, Settings};

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

/// How many contacts a law resolves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arity {
    /// One.
    One,
    /// Any number, one included.
    Any,
}

/// What a law promises on every valid input; for laws of any number of contacts, on every one whose contacts do not
/// separate already. Tests check each promise on random impacts, and show a counterexample where there is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Claims {
    /// No energy is created: `½ p·(u⁻ + u⁺) ≤ 0`.
    pub energy: bool,
    /// No contact approaches afterwards: `u_n⁺ ≥ 0`.
    pub separation: bool,
    /// One contact: `p_n ≥ 0` and `|p_t| ≤ μ p_n`.
    pub cone: bool,
    /// One contact: `u_n⁺ = −e u_n⁻` exactly.
    pub restitution: bool,
    /// One contact: scaling velocities or masses scales the impulse likewise.
    pub scale: bool,
    /// One contact: turning or mirroring the tangents turns or mirrors the impulse.
    pub frame: bool,
    /// Several contacts: none pulls.
    pub pushes: bool,
    /// Several contacts: a symmetric problem has a symmetric answer.
    pub symmetry: bool,
    /// Several contacts: in Newton's cradle at `e = 1` as many balls leave as came.
    pub cradle: bool,
    /// Several contacts: it ends after finitely many steps.
    pub terminates: bool,
    /// Several contacts: the order in which they are listed does not matter.
    pub order_free: bool,
    /// Several contacts: velocities after depend continuously on velocities before.
    pub continuous: bool,
    /// There is an answer on every valid input of its class.
    pub total: bool,
}

impl Claims {
    /// Every promise that a law can make.
    pub const ALL: Self = Self {
        energy: true,
        separation: true,
        cone: true,
        restitution: true,
        scale: true,
        frame: true,
        pushes: true,
        symmetry: true,
        cradle: true,
        terminates: true,
        order_free: true,
        continuous: true,
        total: true,
    };
}

/// One row of the catalogue: what is said of a law everywhere.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct LawInfo {
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
    /// How many contacts it resolves.
    pub arity: Arity,
    /// The numbers of rows a contact may have.
    pub dimensions: &'static [usize],
    /// Whether it has friction; a law for several contacts without sees normal rows only.
    pub friction: bool,
    /// Whether it follows a path of one contact that an observer can draw.
    pub incremental: bool,
    /// Whether it follows springs through the impact, which takes a thousand times longer than equations.
    pub follows_springs: bool,
    /// What it promises.
    pub claims: Claims,
    pub(crate) settings: fn() -> Vec<Setting>,
}

impl LawInfo {
    /// What most laws for one contact have in common.
    pub(crate) const ONE_CONTACT: Self = Self {
        id: "",
        name: "",
        year: 0,
        summary: "",
        references: &[],
        reads_e: ReadsE::Kinematic,
        max_e: 1.0,
        arity: Arity::One,
        dimensions: &[1, 2, 3],
        friction: true,
        incremental: false,
        follows_springs: false,
        claims: Claims::ALL,
        settings: Vec::new,
    };

    /// What most laws for any number of contacts have in common.
    pub(crate) const SEVERAL_CONTACTS: Self = Self { arity: Arity::Any, ..Self::ONE_CONTACT };

    /// Its settings.
    pub fn settings(&self) -> Vec<Setting> {
        (self.settings)()
    }

    /// Whether it takes more than one contact.
    pub fn takes_several(&self) -> bool {
        self.arity == Arity::Any
    }

    /// The promises that laws of its arity can make by name, and whether it makes them.
    pub fn claims(&self) -> Vec<(&'static str, bool)> {
        let claims = &self.claims;
        let own: &[(&'static str, bool)] = match self.arity {
            Arity::One => &[
                ("cone", claims.cone),
                ("restitution", claims.restitution),
                ("scale", claims.scale),
                ("frame", claims.frame),
            ],
            Arity::Any => &[
                ("pushes", claims.pushes),
                ("symmetry", claims.symmetry),
                ("cradle", claims.cradle),
                ("terminates", claims.terminates),
                ("order_free", claims.order_free),
                ("continuous", claims.continuous),
            ],
        };
        let mut all = vec![("energy", claims.energy), ("separation", claims.separation)];
        all.extend(own);
        all.push(("total", claims.total));
        all
    }
}

/// What the catalogue needs of every law.
pub(crate) trait CatalogLaw: Sized {
    /// Its rows: one, unless the law is a family.
    const ROWS: &'static [&'static LawInfo];

    /// The row of this law.
    fn info(&self) -> &'static LawInfo {
        Self::ROWS[0]
    }

    /// The law of this row with these settings.
    fn build(row: &'static LawInfo, settings: &Settings) -> Result<Self, ImpactError>;

    /// Its settings, defaults included, as they are read on this problem.
    fn settings(&self, problem: Option<&ContactProblem>) -> Settings;
}

/// What the catalogue needs of a law for several contacts besides.
pub(crate) trait IslandLaw: CatalogLaw {
    /// The parts of the problem that do not influence each other under this law, if there are several.
    fn separate_islands(&self, problem: &ContactProblem) -> Option<Vec<Island>> {
        problem.separate_islands()
    }

    /// The answer to one island.
    fn resolve_island(
        &self,
        problem: &ContactProblem,
        context: &mut Context,
    ) -> Result<IslandAnswer, ImpactError>;
}

/// The row of a law that `law_settings!` declares. `as_read` gives settings the values they have on a problem.
macro_rules! with_settings {
    ($law:ident $(, $as_read:expr)?) => {
        impl $crate::laws::info::CatalogLaw for $law {
            const ROWS: &'static [&'static $crate::laws::info::LawInfo] = &[&INFO];

            fn build(
                row: &'static $crate::laws::info::LawInfo,
                settings: &$crate::settings::Settings,
            ) -> Result<Self, $crate::ImpactError> {
                Self::read(row.id, settings)
            }

            fn settings(
                &self,
                _problem: Option<&$crate::contact::ContactProblem>,
            ) -> $crate::settings::Settings {
                let _law = *self;
                $(let _law: $law = $as_read(_law, _problem);)?
                _law.written()
            }
        }
    };
}
pub(crate) use with_settings;

/// The row of a law that has no settings.
macro_rules! without_settings {
    ($law:ident) => {
        impl $crate::laws::info::CatalogLaw for $law {
            const ROWS: &'static [&'static $crate::laws::info::LawInfo] = &[&INFO];

            fn build(
                row: &'static $crate::laws::info::LawInfo,
                settings: &$crate::settings::Settings,
            ) -> Result<Self, $crate::ImpactError> {
                $crate::settings::Reader::new(row.id, &[], settings).map(|_| $law)
            }

            fn settings(
                &self,
                _: Option<&$crate::contact::ContactProblem>,
            ) -> $crate::settings::Settings {
                $crate::settings::Settings::new()
            }
        }
    };
}
pub(crate) use without_settings;
