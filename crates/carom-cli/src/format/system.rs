//! What stands behind the contacts, and the way back to its velocities.

use carom::contact::Separating;
use carom::{ContactProblem, ImpactError};

/// A problem in contact space together with what it was made from.
#[derive(Debug)]
pub struct System {
    problem: ContactProblem,
    origin: Origin,
}

#[derive(Debug)]
enum Origin {
    ContactSpace,
}

/// What an impulse does to the system behind the contacts. Absent is what the problem's form cannot tell.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct After {
    /// Generalized velocities [m/s].
    pub velocity: Option<Vec<f64>>,
    /// Name, velocity [m/s] and angular velocity [rad/s] of every body.
    pub bodies: Option<Vec<BodyAfter>>,
    /// What is known where masses are.
    pub inertial: Option<Inertial>,
}

/// One body after the impact.
#[derive(Clone, Debug, PartialEq)]
pub struct BodyAfter {
    /// Its name in the problem.
    pub name: String,
    /// Of its centre of mass [m/s].
    pub velocity: Vec<f64>,
    /// One number in the plane, three in space [rad/s].
    pub angular_velocity: Vec<f64>,
}

/// What only the masses tell.
#[derive(Clone, Debug, PartialEq)]
pub struct Inertial {
    /// Impulses of the bilateral rows, empty where there are none [N·s].
    pub bilateral_impulse: Vec<f64>,
    /// Of all bodies [J].
    pub kinetic_energy_change: f64,
    /// How far momentum is from balance [N·s].
    pub momentum_residual: f64,
    /// How fast the worst bilateral row still moves [m/s].
    pub bilateral_residual: f64,
}

impl System {
    /// A system of which only the contacts are known.
    pub fn contact_space(problem: ContactProblem) -> Self {
        Self {
            problem,
            origin: Origin::ContactSpace,
        }
    }

    /// The same system with another treatment of contacts that separate.
    pub fn with_separating(self, separating: Separating) -> Result<Self, ImpactError> {
        Ok(Self {
            problem: self.problem.with_separating(separating)?,
            ..self
        })
    }

    /// The contacts.
    pub fn problem(&self) -> &ContactProblem {
        &self.problem
    }

    /// What the impulse does to the system.
    pub fn after(&self, _impulse: &[f64]) -> Result<After, ImpactError> {
        match &self.origin {
            Origin::ContactSpace => Ok(After::default()),
        }
    }
}
