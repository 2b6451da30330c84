//! The laws for one contact, one per file.
//!
//! Beside the laws stands what they share: `common`, what comes before and after; `scaled`, a contact scaled and turned;
//! `coulomb_step`, one step of friction.

pub(crate) mod anitescu_potra;
pub(crate) mod bilinear;
pub(crate) mod brach;
pub(crate) mod catalog;
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
pub use catalog::{CATALOG, Claims, Law, LawRow, PlainLaw, ReadsE};
pub use chatterjee_ruina::ChatterjeeRuina;
pub use composite::{Composite, WeightedLaw};
pub use frictionless::Frictionless;
pub use permissible_projected::PermissibleProjected;
pub use permissible_spherical::PermissibleSpherical;
pub use pfeiffer_glocker::PfeifferGlocker;
pub use routh::{Phases, Routh, Rule};
pub use smith::Smith;
pub use whittaker::Whittaker;

use crate::contact::{Contact, ContactProblem};
use crate::outcome::{Outcome, ProblemOutcome, TraceSink};
use crate::settings::Settings;
use crate::{ImpactError, Tolerances};

/// A rule that turns one contact into an impulse. Implement it for a law of your own: it then joins comparisons
/// and claims tests like any other.
pub trait ImpactLaw<const D: usize> {
    /// The outcome of the impact. The trace receives the path, if the law has one.
    fn resolve(
        &self,
        contact: &Contact<D>,
        tolerances: &Tolerances,
        trace: &mut dyn TraceSink,
    ) -> Result<Outcome<D>, ImpactError>;
}

impl Law {
    /// The law with this id, its settings at their defaults.
    pub fn from_id(id: &str) -> Result<Self, ImpactError> {
        Self::with_settings(id, &Settings::new())
    }

    /// The law with this id and these settings; those not given keep their defaults.
    pub fn with_settings(id: &str, settings: &Settings) -> Result<Self, ImpactError> {
        (catalog::find(id)?.build)(settings)
    }

    /// The law's id.
    pub fn id(&self) -> &'static str {
        self.row().id
    }

    /// Solves a problem of one contact. Several contacts are not for single-contact laws.
    pub fn resolve_problem(
        &self,
        problem: &ContactProblem,
        tolerances: &Tolerances,
        trace: &mut dyn TraceSink,
    ) -> Result<ProblemOutcome, ImpactError> {
        if problem.len() != 1 {
            return Err(ImpactError::NotApplicable {
                law: self.id(),
                reason: format!("it resolves one contact and the problem has {}", problem.len()),
            });
        }
        if problem.contacts()[0].kind == crate::ContactKind::Bilateral {
            return Err(ImpactError::NotApplicable {
                law: self.id(),
                reason: "it resolves unilateral contacts and this one is bilateral".into(),
            });
        }
        fn solve<const D: usize>(
            law: &Law,
            problem: &ContactProblem,
            tolerances: &Tolerances,
            trace: &mut dyn TraceSink,
        ) -> Result<ProblemOutcome, ImpactError> {
            let contact = problem.contact::<D>(0)?;
            law.resolve(&contact, tolerances, trace)
                .map(ProblemOutcome::from)
                .map_err(|e| e.within("contacts[0]"))
        }
        match problem.rows() {
            1 => solve::<1>(self, problem, tolerances, trace),
            2 => solve::<2>(self, problem, tolerances, trace),
            _ => solve::<3>(self, problem, tolerances, trace),
        }
    }
}
