//! The one table of laws for several contacts.

use crate::contact::ContactProblem;
use crate::contact::Island;
use crate::island::{Context, IslandAnswer, Mapped};
use crate::laws::friction::*;
use crate::laws::normal::*;
use crate::laws::single::catalog::ReadsE;
use crate::outcome::{MultiEffort, Note, Notes, ProblemEffort, ProblemOutcome, Watch};
use crate::settings::{Reader, Setting, Settings, nearest};
use crate::{ImpactError, Tolerances};

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
        context: &mut Context,
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

            pub(crate) fn separate_islands(
                &self,
                problem: &ContactProblem,
            ) -> Option<Vec<Island>> {
                match self { $(Self::$law(law) => law.separate_islands(problem)),* }
            }

            pub(crate) fn resolve_island(
                &self,
                problem: &ContactProblem,
                context: &mut Context,
            ) -> Result<IslandAnswer, ImpactError> {
                match self { $(Self::$law(law) => law.resolve_island(problem, context)),* }
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

/// A rule that turns a problem of any number of contacts into impulses. Implement it for a law of your own.
pub trait MultiImpactLaw {
    /// The outcome of the impact. The watcher sees the steps and may stop long work.
    fn resolve(
        &self,
        problem: &ContactProblem,
        tolerances: &Tolerances,
        watch: &mut dyn Watch,
    ) -> Result<ProblemOutcome, ImpactError>;
}

impl MultiLaw {
    /// The law with this id, its settings at their defaults.
    pub fn from_id(id: &str) -> Result<Self, ImpactError> {
        Self::with_settings(id, &Settings::new())
    }

    /// The law with this id and these settings; those not given keep their defaults.
    pub fn with_settings(id: &str, settings: &Settings) -> Result<Self, ImpactError> {
        (find(id)?.build)(settings)
    }

    /// The law's id.
    pub fn id(&self) -> &'static str {
        self.row().id
    }
}

impl MultiImpactLaw for MultiLaw {
    fn resolve(
        &self,
        problem: &ContactProblem,
        tolerances: &Tolerances,
        watch: &mut dyn Watch,
    ) -> Result<ProblemOutcome, ImpactError> {
        self.check_applicable(problem)?;
        let Some(islands) = self.separate_islands(problem) else {
            let mut context = Context { law: self.id(), tolerances, watch };
            let answer = self.resolve_island(problem, &mut context)?;
            return self.outcome(problem, answer);
        };
        let mut impulse = vec![0.0; problem.rows()];
        let mut effort: Option<ProblemEffort> = None;
        let mut notes = Notes::NONE;
        for island in &islands {
            let part = problem.restricted_to(&island.contacts);
            let mut mapped = Mapped { contacts: &island.contacts, watch };
            let mut context = Context { law: self.id(), tolerances, watch: &mut mapped };
            let answer = self
                .resolve_island(&part, &mut context)
                .map_err(|error| renumbered(error, &island.contacts))?;
            let rows = island.contacts.iter().flat_map(|&k| problem.row_range(k));
            rows.zip(&answer.impulse).for_each(|(row, p)| impulse[row] = *p);
            effort = Some(match effort {
                Some(before) => before.and(answer.effort),
                None => answer.effort,
            });
            notes = notes.union(answer.notes);
        }
        // A problem has a contact, so it has an island.
        let effort = effort.unwrap_or_else(|| MultiEffort::default().into());
        self.outcome(problem, IslandAnswer { impulse, effort, notes })
    }
}

impl MultiLaw {
    /// An outcome from an impulse: `u⁺ = u⁻ + W p`, so that momentum balances by construction.
    fn outcome(
        &self,
        problem: &ContactProblem,
        answer: IslandAnswer,
    ) -> Result<ProblemOutcome, ImpactError> {
        let velocity = problem.velocity_after(&answer.impulse);
        if !answer.impulse.iter().chain(&velocity).all(|x| x.is_finite()) {
            let reason = "impulse or velocity is larger than any number".into();
            return Err(ImpactError::NoSolution { law: self.id(), reason });
        }
        let mut notes = answer.notes;
        let normals = (0..problem.len()).map(|k| problem.velocity()[problem.row_range(k).start]);
        if answer.impulse.iter().all(|p| *p == 0.0) && normals.clone().all(|u| u > 0.0) {
            notes.insert(Note::Separating);
        }
        if !self.row().friction && problem.summary().friction {
            notes.insert(Note::FrictionIgnored);
        }
        if let ProblemEffort::Several(effort) = answer.effort
            && !effort.impulse_smallest
        {
            notes.remove(Note::ImpulseNotUnique);
            notes.insert(Note::ImpulseNotSmallest);
        }
        Ok(ProblemOutcome { impulse: answer.impulse, velocity, effort: answer.effort, notes })
    }

    fn check_applicable(&self, problem: &ContactProblem) -> Result<(), ImpactError> {
        let row = self.row();
        if problem.summary().largest_e <= row.max_e {
            return Ok(());
        }
        for (k, contact) in problem.contacts().iter().enumerate() {
            let approach = (-problem.velocity()[problem.row_range(k).start]).max(0.0);
            let e = contact.material.restitution.at(approach);
            if e > row.max_e {
                let reason =
                    format!("law `{}` takes restitution between 0 and {}", row.id, row.max_e);
                return Err(ImpactError::bad_problem(format!("contacts[{k}].e"), e, reason));
            }
        }
        Ok(())
    }
}

/// The error of an island, its contacts numbered as in the problem.
fn renumbered(error: ImpactError, contacts: &[usize]) -> ImpactError {
    let ImpactError::BadProblem { field, value, reason } = error else {
        return error;
    };
    let index = field
        .strip_prefix("contacts[")
        .and_then(|rest| rest.split_once(']'))
        .and_then(|(k, rest)| Some((contacts.get(k.parse::<usize>().ok()?)?, rest.to_owned())));
    let field = match index {
        Some((k, rest)) => format!("contacts[{k}]{rest}"),
        None => field,
    };
    ImpactError::BadProblem { field, value, reason }
}
