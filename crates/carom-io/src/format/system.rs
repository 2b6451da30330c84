//! What stands behind the contacts, and the way back to its velocities.

use carom::contact::{Motion, Separating};
use carom::system::{After, Bodies, Chain, Generalized, System};
use carom::{ContactProblem, ImpactError};

/// Contacts together with what they belong to.
#[derive(Debug)]
pub enum AnySystem {
    /// Nothing but contacts is known.
    ContactSpace(ContactProblem),
    /// A mechanism in generalized coordinates.
    Generalized(Generalized),
    /// Rigid bodies, and what the problem calls them.
    Bodies {
        /// The bodies, their joints and contacts.
        system: Bodies,
        /// One name per body.
        names: Vec<String>,
    },
    /// Masses on a line.
    Chain(Chain),
}

impl AnySystem {
    /// The same system with another treatment of contacts that separate.
    pub fn with_separating(self, separating: Separating) -> Result<Self, ImpactError> {
        Ok(match self {
            Self::ContactSpace(problem) => Self::ContactSpace(problem.with_separating(separating)?),
            Self::Generalized(system) => Self::Generalized(system.with_separating(separating)?),
            Self::Bodies { system, names } => {
                Self::Bodies { system: system.with_separating(separating)?, names }
            }
            Self::Chain(system) => Self::Chain(system.with_separating(separating)?),
        })
    }

    /// The same system in which contacts with a larger gap take no part \[m\].
    pub fn with_proximity(self, proximity: f64) -> Result<Self, ImpactError> {
        Ok(match self {
            Self::ContactSpace(problem) => Self::ContactSpace(problem.with_proximity(proximity)?),
            Self::Generalized(system) => Self::Generalized(system.with_proximity(proximity)?),
            Self::Bodies { system, names } => {
                Self::Bodies { system: system.with_proximity(proximity)?, names }
            }
            Self::Chain(system) => Self::Chain(system.with_proximity(proximity)?),
        })
    }

    /// The contacts.
    pub fn problem(&self) -> &ContactProblem {
        match self {
            Self::ContactSpace(problem) => problem,
            Self::Generalized(system) => system.problem(),
            Self::Bodies { system, .. } => system.problem(),
            Self::Chain(system) => system.problem(),
        }
    }

    /// What an impulse (R numbers, contact by contact, normal first [N·s]) does to the system.
    pub fn after(&self, impulse: &[f64]) -> Result<After, ImpactError> {
        match self {
            Self::ContactSpace(_) => Ok(After::default()),
            Self::Generalized(system) => system.after(impulse).map(After::from),
            Self::Chain(system) => system.after(impulse).map(After::from),
            Self::Bodies { system, names } => {
                system.after(impulse).map(|after| After::of_bodies(after, names))
            }
        }
    }
}

impl System for AnySystem {
    fn problem(&self) -> &ContactProblem {
        Self::problem(self)
    }

    fn after(&self, impulse: &[f64]) -> Result<After, ImpactError> {
        Self::after(self, impulse)
    }

    fn motion(&self, impulse: &[f64]) -> Option<Motion> {
        match self {
            Self::ContactSpace(problem) => problem.motion(impulse),
            Self::Generalized(system) => System::motion(system, impulse),
            Self::Bodies { system, .. } => System::motion(system, impulse),
            Self::Chain(system) => System::motion(system, impulse),
        }
    }
}
