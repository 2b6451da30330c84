//! Stage 2: the single-contact laws, one per file, and [`catalog`], the one table of them.
//!
//! Beside the laws stands what they share (`entry`, what comes before and after; `split`, a contact scaled and turned;
//! `coulomb`, one step of friction; `solve`, equations that know nothing of impacts), [`batch`] for many impacts at once,
//! and [`accessible_set`], what a law reaches over all its parameters.
//!
//! A law sees a [`Contact`] and answers an impulse. It sees no bodies, shapes, time or files, and it never judges
//! its own answer: [`crate::certify`] does that for every law alike.

mod accessible;
mod anitescu_potra;
pub mod batch;
mod bilinear;
mod brach;
pub mod catalog;
mod chatterjee_ruina;
mod composite;
mod coulomb;
mod entry;
mod frictionless;
#[cfg(test)]
mod known;
mod permissible_projected;
mod permissible_spherical;
mod pfeiffer_glocker;
mod routh;
mod settings;
mod smith;
pub(crate) mod solve;
mod split;
mod whittaker;

pub use accessible::{AccessiblePoint, accessible_set};
pub use anitescu_potra::AnitescuPotra;
pub use bilinear::Bilinear;
pub use brach::{Brach, Ratios};
pub use catalog::{CATALOG, Claims, Law, LawRow, PlainLaw, ReadsE};
pub use chatterjee_ruina::ChatterjeeRuina;
pub use composite::{Composite, Part};
pub use frictionless::Frictionless;
pub use permissible_projected::PermissibleProjected;
pub use permissible_spherical::PermissibleSpherical;
pub use pfeiffer_glocker::PfeifferGlocker;
pub use routh::{Phases, Routh, Rule};
pub(crate) use settings::Reader;
pub use settings::{Setting, SettingValue, Settings, nearest};
pub use smith::Smith;
pub use whittaker::Whittaker;

use crate::contact::{Contact, ContactProblem};
use crate::outcome::{Outcome, ProblemOutcome, TraceSink};
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
