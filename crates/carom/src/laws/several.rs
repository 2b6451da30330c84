//! The laws for several contacts, island by island.

use crate::contact::{ContactProblem, Island};
use crate::island::{Context, IslandAnswer, Mapped, feasibility};
use crate::laws::friction::*;
use crate::laws::info::{CatalogLaw, IslandLaw, LawInfo};
use crate::laws::normal::*;
use crate::outcome::{Effort, Note, Notes, Observer, ProblemOutcome, SolverEffort};
use crate::settings::Settings;
use crate::{ImpactError, Tolerances};

macro_rules! several_laws {
    ($($law:ident),* $(,)?) => {
        /// Any law for several contacts, as plain data.
        #[derive(Clone, Copy, Debug, PartialEq)]
        #[allow(clippy::large_enum_variant, reason = "laws are plain data, copied once per batch, never boxed")]
        pub(crate) enum SeveralLaw { $($law($law)),* }

        $(impl From<$law> for SeveralLaw {
            fn from(law: $law) -> Self { Self::$law(law) }
        })*

        impl SeveralLaw {
            /// The rows of all laws for several contacts.
            pub(crate) const ROWS: &'static [&'static [&'static LawInfo]] = &[$($law::ROWS),*];

            /// The law of this row, if it is one for several contacts.
            pub(crate) fn build(
                row: &'static LawInfo,
                settings: &Settings,
            ) -> Option<Result<Self, ImpactError>> {
                $(if $law::ROWS.iter().any(|own| own.id == row.id) {
                    return Some($law::build(row, settings).map(Self::$law));
                })*
                None
            }

            pub(crate) fn info(&self) -> &'static LawInfo {
                match self { $(Self::$law(law) => law.info()),* }
            }

            /// Its settings, defaults included. Some depend on the problem: a common `e`, say.
            pub(crate) fn settings(&self, problem: Option<&ContactProblem>) -> Settings {
                match self { $(Self::$law(law) => law.settings(problem)),* }
            }

            fn separate_islands(&self, problem: &ContactProblem) -> Option<Vec<Island>> {
                match self { $(Self::$law(law) => law.separate_islands(problem)),* }
            }

            fn resolve_island(
                &self,
                problem: &ContactProblem,
                context: &mut Context,
            ) -> Result<IslandAnswer, ImpactError> {
                match self { $(Self::$law(law) => law.resolve_island(problem, context)),* }
            }
        }
    };
}

each_several_law!(several_laws);

impl SeveralLaw {
    /// The outcome of the impact, island by island.
    pub(crate) fn resolve(
        &self,
        problem: &ContactProblem,
        tolerances: &Tolerances,
        observer: &mut dyn Observer,
    ) -> Result<ProblemOutcome, ImpactError> {
        self.check_applicable(problem)?;
        if problem.may_contradict_itself() {
            let mut context = Context { law: self.info().id, tolerances, observer };
            feasibility::check(problem, &mut context)?;
        }
        let Some(islands) = self.separate_islands(problem) else {
            let mut context = Context { law: self.info().id, tolerances, observer };
            let answer = self.resolve_island(problem, &mut context)?;
            return self.outcome(problem, answer);
        };
        let mut impulse = vec![0.0; problem.rows()];
        let mut effort: Option<Effort> = None;
        let mut notes = Notes::NONE;
        for island in &islands {
            let part = problem.restricted_to(&island.contacts);
            let mut mapped = Mapped { contacts: &island.contacts, observer };
            let mut context = Context { law: self.info().id, tolerances, observer: &mut mapped };
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
        let effort = effort.unwrap_or_else(|| SolverEffort::default().into());
        self.outcome(problem, IslandAnswer { impulse, effort, notes })
    }

    /// An outcome from an impulse: `u⁺ = u⁻ + W p`, so that momentum balances by construction.
    fn outcome(
        &self,
        problem: &ContactProblem,
        answer: IslandAnswer,
    ) -> Result<ProblemOutcome, ImpactError> {
        let velocity = problem.velocity_after(&answer.impulse);
        if !answer.impulse.iter().chain(&velocity).all(|x| x.is_finite()) {
            let reason = "impulse or velocity is larger than any number".into();
            return Err(ImpactError::NoSolution { law: self.info().id, reason });
        }
        let mut notes = answer.notes;
        let normals = (0..problem.len()).map(|k| problem.velocity()[problem.row_range(k).start]);
        if answer.impulse.iter().all(|p| *p == 0.0) && normals.clone().all(|u| u > 0.0) {
            notes.insert(Note::Separating);
        }
        if !self.info().friction && problem.summary().friction {
            notes.insert(Note::FrictionIgnored);
        }
        if let Effort::Solver(effort) = answer.effort
            && !effort.impulse_smallest
        {
            notes.remove(Note::ImpulseNotUnique);
            notes.insert(Note::ImpulseNotSmallest);
        }
        Ok(ProblemOutcome { impulse: answer.impulse, velocity, effort: answer.effort, notes })
    }

    fn check_applicable(&self, problem: &ContactProblem) -> Result<(), ImpactError> {
        let row = self.info();
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
pub(crate) fn renumbered(error: ImpactError, contacts: &[usize]) -> ImpactError {
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
