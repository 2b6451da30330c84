//! One problem file through one law.

use crate::format::AnySystem;
use carom::catalog::Settings;
use carom::outcome::ProblemOutcome;
use carom::system::After;
use carom::{Answer, Certificate, ImpactError, Law, Observer, Unjudged};

/// A law's answer to a problem, certified, with the settings it read.
#[derive(Clone, Debug)]
pub struct Resolution {
    /// The law.
    pub law: Law,
    /// Its settings, as it read them on this problem.
    pub settings: Settings,
    /// What it answered.
    pub outcome: ProblemOutcome,
    /// What that does to the system behind the contacts.
    pub after: After,
    /// The judgement.
    pub certificate: Certificate,
}

impl Resolution {
    /// The law's answer, judged.
    pub fn of(
        system: &AnySystem,
        law: Law,
        observer: &mut dyn Observer,
    ) -> Result<Self, ImpactError> {
        Self::judged(system, law, Unjudged::of(system, &law, observer)?)
    }

    /// An answer of this law with the judgement on it.
    pub fn judged(system: &AnySystem, law: Law, unjudged: Unjudged) -> Result<Self, ImpactError> {
        let Answer { outcome, after, certificate, .. } = unjudged.judged(system)?;
        let settings = law.settings(Some(system.problem()));
        Ok(Self { law, settings, outcome, after, certificate })
    }
}
