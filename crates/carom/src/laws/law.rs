//! Any law as one type, and the catalogue of all of them.

use crate::contact::{Contact, ContactProblem, ContactSpec, ContactVec};
use crate::island::Mapped;
use crate::laws::friction::*;
use crate::laws::info::LawInfo;
use crate::laws::normal::*;
use crate::laws::several::{SeveralLaw, renumbered};
use crate::laws::single::*;
use crate::outcome::{
    ContactEffort, Effort, Note, Observer, Outcome, ProblemOutcome, SolverEffort,
};
use crate::settings::Settings;
use crate::{ImpactError, Tolerances};

/// A rule that turns contacts into impulses. Implement it for a law of your own: it then goes wherever a [`Law`] goes.
/// Contacts of which [`ContactProblem::takes_part`] is false get no impulse.
pub trait ImpactLaw {
    /// The outcome of the impact. The observer sees the path or the steps, and may stop long work.
    fn resolve(
        &self,
        problem: &ContactProblem,
        tolerances: &Tolerances,
        observer: &mut dyn Observer,
    ) -> Result<ProblemOutcome, ImpactError>;
}

/// Any law of the catalogue with its settings, as plain data.
///
/// ```
/// use carom::Law;
/// use carom::laws::Plus;
///
/// let by_id = Law::from_id("plus")?;
/// let by_type = Law::from(Plus::default().max_rounds(200));
/// assert_eq!(by_id, by_type);
/// # Ok::<(), carom::ImpactError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Law(Kind);

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    /// It resolves one contact, with the number of its rows known to the compiler.
    Single(SingleLaw),
    /// It resolves any number of contacts, island by island.
    Several(SeveralLaw),
}

/// Every law, those for one contact first.
pub fn all() -> impl Iterator<Item = &'static LawInfo> {
    SingleLaw::ROWS.iter().chain(SeveralLaw::ROWS).copied().flatten().copied()
}

/// The row of the law with this id.
pub fn find(id: &str) -> Result<&'static LawInfo, ImpactError> {
    all()
        .find(|row| row.id == id)
        .ok_or_else(|| ImpactError::unknown_law(id, all().map(|row| row.id)))
}

impl Law {
    /// The law with this id, its settings at their defaults.
    pub fn from_id(id: &str) -> Result<Self, ImpactError> {
        Self::with_settings(id, &Settings::new())
    }

    /// The law with this id and these settings; those not given keep their defaults.
    pub fn with_settings(id: &str, settings: &Settings) -> Result<Self, ImpactError> {
        let row = find(id)?;
        match SeveralLaw::build(row, settings) {
            Some(law) => law.map(|law| Self(Kind::Several(law))),
            None => SingleLaw::build(row, settings).map(|law| Self(Kind::Single(law))),
        }
    }

    /// The law where none is named: for one contact `chatterjee-ruina`, which always has an answer; for several with
    /// friction `stiff-limit`, which is closest to what they do; for several without it `sequential`, because impacts
    /// travel through bodies that touch.
    pub fn default_for(problem: &ContactProblem) -> Self {
        match problem.contacts() {
            [_] => ChatterjeeRuina.into(),
            contacts if contacts.iter().any(|c| c.rows > 1 && c.material.mu > 0.0) => {
                StiffLimit::default().into()
            }
            _ => Sequential::default().into(),
        }
    }

    /// The law's row in the catalogue.
    pub fn info(&self) -> &'static LawInfo {
        match &self.0 {
            Kind::Single(law) => law.info(),
            Kind::Several(law) => law.info(),
        }
    }

    /// The law's id.
    pub fn id(&self) -> &'static str {
        self.info().id
    }

    /// Its settings, defaults included, as they are read on this problem.
    pub fn settings(&self, problem: Option<&ContactProblem>) -> Settings {
        match &self.0 {
            Kind::Single(law) => law.settings(),
            Kind::Several(law) => law.settings(problem),
        }
    }

    /// The law as one for one contact, if it is one.
    pub fn single(&self) -> Option<SingleLaw> {
        match self.0 {
            Kind::Single(law) => Some(law),
            Kind::Several(_) => None,
        }
    }

    /// Resolves the contacts of a problem: impulses and the velocities they lead to, not judged yet.
    pub fn resolve(
        &self,
        problem: &ContactProblem,
        tolerances: &Tolerances,
        observer: &mut dyn Observer,
    ) -> Result<ProblemOutcome, ImpactError> {
        if !problem.all_take_part() {
            return self.resolve_near(problem, tolerances, observer);
        }
        match &self.0 {
            Kind::Single(law) => law.resolve_problem(problem, tolerances, observer),
            Kind::Several(law) => law.resolve(problem, tolerances, observer),
        }
    }

    /// Resolves the contacts that take part; the others get no impulse.
    fn resolve_near(
        &self,
        problem: &ContactProblem,
        tolerances: &Tolerances,
        observer: &mut dyn Observer,
    ) -> Result<ProblemOutcome, ImpactError> {
        let mut impulse = vec![0.0; problem.rows()];
        let mut outcome = match (0..problem.len()).any(|k| problem.takes_part(k)) {
            true => {
                let (near, part) = problem.of_those_that_take_part();
                let answer = match &self.0 {
                    // It has a path, and no step that names a contact.
                    Kind::Single(law) => law.resolve_problem(&part, tolerances, observer),
                    Kind::Several(law) => {
                        let mut mapped = Mapped { contacts: &near, observer };
                        law.resolve(&part, tolerances, &mut mapped)
                    }
                };
                let answer = answer.map_err(|error| renumbered(error, &near))?;
                let rows = near.iter().flat_map(|&k| problem.row_range(k));
                rows.zip(&answer.impulse).for_each(|(row, p)| impulse[row] = *p);
                let velocity = problem.velocity_after(&impulse);
                ProblemOutcome { impulse, velocity, ..answer }
            }
            false => {
                let effort = match &self.0 {
                    Kind::Single(_) => Effort::Contact(ContactEffort::default()),
                    Kind::Several(_) => SolverEffort::default().into(),
                };
                ProblemOutcome { effort, ..ProblemOutcome::from_impulse(problem, impulse)? }
            }
        };
        outcome.notes.insert(Note::Apart);
        Ok(outcome)
    }

    /// Resolves one contact. Laws for one contact allocate nothing here.
    #[inline]
    pub fn resolve_contact<const D: usize>(
        &self,
        contact: &Contact<D>,
        tolerances: &Tolerances,
        observer: &mut dyn Observer,
    ) -> Result<Outcome<D>, ImpactError> {
        match &self.0 {
            Kind::Single(law) => law.resolve(contact, tolerances, observer),
            Kind::Several(law) => resolve_alone(law, contact, tolerances, observer),
        }
    }
}

/// One contact through a law for several. Apart, so that laws for one contact return their outcome without a copy.
#[inline(never)]
fn resolve_alone<const D: usize>(
    law: &SeveralLaw,
    contact: &Contact<D>,
    tolerances: &Tolerances,
    observer: &mut dyn Observer,
) -> Result<Outcome<D>, ImpactError> {
    let outcome = law.resolve(&alone(contact)?, tolerances, observer)?;
    let impulse = ContactVec::new(std::array::from_fn(|i| outcome.impulse[i]));
    Ok(Outcome { notes: outcome.notes, ..Outcome::from_impulse(contact, impulse) })
}

/// One contact as a problem.
fn alone<const D: usize>(contact: &Contact<D>) -> Result<ContactProblem, ImpactError> {
    let w = contact.delassus();
    let delassus: Vec<f64> = (0..D * D).map(|k| w.at(k / D, k % D)).collect();
    let velocity = contact.velocity().as_slice();
    ContactProblem::new(&delassus, velocity, &[ContactSpec::new(D, *contact.material())])
}

impl ImpactLaw for Law {
    fn resolve(
        &self,
        problem: &ContactProblem,
        tolerances: &Tolerances,
        observer: &mut dyn Observer,
    ) -> Result<ProblemOutcome, ImpactError> {
        Self::resolve(self, problem, tolerances, observer)
    }
}

impl From<SingleLaw> for Law {
    fn from(law: SingleLaw) -> Self {
        Self(Kind::Single(law))
    }
}

macro_rules! from_laws {
    ($kind:ident: $($law:ident),*) => {$(
        impl From<$law> for Law {
            fn from(law: $law) -> Self {
                Self(Kind::$kind(law.into()))
            }
        }
    )*};
}
macro_rules! from_single {
    ($($before:ident),*; Composite; $($after:ident),* $(,)?) => {
        from_laws!(Single: $($before,)* Composite, $($after),*);
    };
}
macro_rules! from_several {
    ($($law:ident),* $(,)?) => {
        from_laws!(Several: $($law),*);
    };
}
each_single_law!(from_single);
each_several_law!(from_several);
