//! The laws for one contact, one per file.
//!
//! Beside the laws stands what they share: `common`, what comes before and after; `scaled`, a contact scaled and turned;
//! `coulomb_step`, one step of friction.

pub(crate) mod anitescu_potra;
pub(crate) mod bilinear;
pub(crate) mod brach;
pub(crate) mod chatterjee_ruina;
pub(crate) mod common;
pub(crate) mod composite;
pub(crate) mod coulomb_step;
pub(crate) mod frictionless;
pub(crate) mod permissible_projected;
pub(crate) mod permissible_spherical;
pub(crate) mod pfeiffer_glocker;
pub(crate) mod routh;
pub(crate) mod scaled;
pub(crate) mod smith;
#[cfg(test)]
pub(crate) mod test_contacts;
pub(crate) mod whittaker;

pub use anitescu_potra::AnitescuPotra;
pub use bilinear::Bilinear;
pub use brach::{Brach, Ratios};
pub use chatterjee_ruina::ChatterjeeRuina;
pub use composite::{Composite, WeightedLaw};
pub use frictionless::Frictionless;
pub use permissible_projected::PermissibleProjected;
pub use permissible_spherical::PermissibleSpherical;
pub use pfeiffer_glocker::PfeifferGlocker;
pub use routh::{Phases, Routh, Rule};
pub use smith::Smith;
pub use whittaker::Whittaker;

use crate::contact::{Contact, ContactKind, ContactProblem};
use crate::laws::info::{CatalogLaw, LawInfo};
use crate::outcome::{Observer, Outcome, ProblemOutcome};
use crate::settings::{Reader, SettingType, SettingValue, Settings};
use crate::{ImpactError, Tolerances};

/// A law for one contact, with the number of its rows known to the compiler.
pub(crate) trait ContactLaw<const D: usize> {
    /// The outcome of the impact. The observer receives the path, if the law has one.
    fn resolve(
        &self,
        contact: &Contact<D>,
        tolerances: &Tolerances,
        observer: &mut dyn Observer,
    ) -> Result<Outcome<D>, ImpactError>;
}

/// Hands the laws for one contact to a macro, in the order in which tables show them. Composites hold the others, so they
/// stand apart.
macro_rules! each_single_law {
    ($macro:ident) => {
        $macro! {
            Frictionless,
            ChatterjeeRuina,
            Bilinear,
            Routh,
            Whittaker,
            Smith,
            Brach,
            PfeifferGlocker,
            AnitescuPotra;
            Composite;
            PermissibleSpherical,
            PermissibleProjected,
        }
    };
}
pub(crate) use each_single_law;

macro_rules! single_laws {
    ($($before:ident),*; Composite; $($after:ident),* $(,)?) => {
        single_laws!(@plain $($before,)* $($after),*);

        impl SingleLaw {
            /// The rows of all laws for one contact.
            pub(crate) const ROWS: &'static [&'static [&'static LawInfo]] = &[
                $($before::ROWS,)* Composite::ROWS, $($after::ROWS),*
            ];
        }
    };
    (@plain $($law:ident),*) => {
        /// Any law for one contact that is not made of others, as plain data.
        #[derive(Clone, Copy, Debug, PartialEq)]
        #[allow(missing_docs, reason = "each variant is documented at its type")]
        pub enum PlainLaw { $($law($law)),* }

        $(impl From<$law> for SingleLaw {
            fn from(law: $law) -> Self { Self::Plain(PlainLaw::$law(law)) }
        })*

        impl PlainLaw {
            pub(crate) fn info(&self) -> &'static LawInfo {
                match self { $(Self::$law(law) => law.info()),* }
            }

            fn settings(&self) -> Settings {
                match self { $(Self::$law(law) => law.settings(None)),* }
            }

            fn build(row: &'static LawInfo, settings: &Settings) -> Option<Result<Self, ImpactError>> {
                $(if $law::ROWS.iter().any(|own| own.id == row.id) {
                    return Some($law::build(row, settings).map(Self::$law));
                })*
                None
            }
        }

        impl<const D: usize> ContactLaw<D> for PlainLaw {
            #[inline]
            fn resolve(
                &self,
                contact: &Contact<D>,
                tolerances: &Tolerances,
                observer: &mut dyn Observer,
            ) -> Result<Outcome<D>, ImpactError> {
                match self { $(Self::$law(law) => law.resolve(contact, tolerances, observer)),* }
            }
        }
    };
}

each_single_law!(single_laws);

/// Any law for one contact, as plain data: what [`Composite`] and [`Sequential`](crate::laws::Sequential) are made of.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(
    clippy::large_enum_variant,
    reason = "laws are plain data, copied once per batch, never boxed"
)]
pub enum SingleLaw {
    /// A law of its own.
    Plain(PlainLaw),
    /// A mean of others.
    Composite(Composite),
}

impl From<Composite> for SingleLaw {
    fn from(law: Composite) -> Self {
        Self::Composite(law)
    }
}

impl SingleLaw {
    /// The rows of all laws for one contact, in order.
    pub(crate) fn all() -> impl Iterator<Item = &'static LawInfo> {
        Self::ROWS.iter().copied().flatten().copied()
    }

    /// The row with this id, if it is that of a law for one contact.
    pub(crate) fn find(id: &str) -> Result<&'static LawInfo, ImpactError> {
        let unknown = || ImpactError::unknown_law(id, Self::all().map(|row| row.id));
        Self::all().find(|row| row.id == id).ok_or_else(unknown)
    }

    /// The law of this row, which is one of [`Self::ROWS`].
    pub(crate) fn build(row: &'static LawInfo, settings: &Settings) -> Result<Self, ImpactError> {
        match PlainLaw::build(row, settings) {
            Some(law) => law.map(Self::Plain),
            None => Composite::build(row, settings).map(Self::Composite),
        }
    }

    pub(crate) fn info(&self) -> &'static LawInfo {
        match self {
            Self::Plain(law) => law.info(),
            Self::Composite(law) => law.info(),
        }
    }

    pub(crate) fn settings(&self) -> Settings {
        match self {
            Self::Plain(law) => law.settings(),
            Self::Composite(law) => law.settings(None),
        }
    }

    /// A law written as an id, or as a table of its id and settings. None if the value is neither.
    pub(crate) fn from_value(value: &SettingValue) -> Option<Result<Self, ImpactError>> {
        let none = Settings::new();
        let (id, settings) = match value {
            SettingValue::Text(id) => (id, &none),
            SettingValue::Table(settings) => match settings.get("id") {
                Some(SettingValue::Text(id)) => (id, settings),
                _ => return None,
            },
            _ => return None,
        };
        Some(Self::find(id).and_then(|row| Self::build(row, settings)))
    }

    /// The law as files write it, with every setting.
    pub(crate) fn to_value(self) -> SettingValue {
        let mut settings = self.settings();
        settings.insert("id".into(), SettingValue::Text(self.info().id.into()));
        SettingValue::Table(settings)
    }

    /// Solves a problem of one contact.
    pub(crate) fn resolve_problem(
        &self,
        problem: &ContactProblem,
        tolerances: &Tolerances,
        observer: &mut dyn Observer,
    ) -> Result<ProblemOutcome, ImpactError> {
        let refuse = |reason| Err(ImpactError::NotApplicable { law: self.info().id, reason });
        if problem.len() != 1 {
            return refuse(format!(
                "it resolves one contact and the problem has {}",
                problem.len()
            ));
        }
        if problem.contacts()[0].kind == ContactKind::Bilateral {
            return refuse("it resolves unilateral contacts and this one is bilateral".into());
        }
        fn solve<const D: usize>(
            law: &SingleLaw,
            problem: &ContactProblem,
            tolerances: &Tolerances,
            observer: &mut dyn Observer,
        ) -> Result<ProblemOutcome, ImpactError> {
            let contact = problem.contact::<D>(0)?;
            law.resolve(&contact, tolerances, observer)
                .map(ProblemOutcome::from)
                .map_err(|e| e.within("contacts[0]"))
        }
        match problem.rows() {
            1 => solve::<1>(self, problem, tolerances, observer),
            2 => solve::<2>(self, problem, tolerances, observer),
            _ => solve::<3>(self, problem, tolerances, observer),
        }
    }
}

impl<const D: usize> ContactLaw<D> for SingleLaw {
    #[inline]
    fn resolve(
        &self,
        contact: &Contact<D>,
        tolerances: &Tolerances,
        observer: &mut dyn Observer,
    ) -> Result<Outcome<D>, ImpactError> {
        match self {
            Self::Plain(law) => law.resolve(contact, tolerances, observer),
            Self::Composite(law) => law.resolve(contact, tolerances, observer),
        }
    }
}

impl SettingType for Option<SingleLaw> {
    type Range = ();

    fn read(
        reader: &Reader,
        name: &'static str,
        default: Self,
        _: (),
    ) -> Result<Self, ImpactError> {
        let Some(value) = reader.get(name) else {
            return Ok(default);
        };
        let law = SingleLaw::from_value(value);
        law.ok_or_else(|| reader.refuse(name, "must be a law for one contact"))?.map(Some)
    }

    fn written(self) -> Option<SettingValue> {
        self.map(SingleLaw::to_value)
    }

    fn range(_: ()) -> String {
        "a law for one contact".into()
    }
}
