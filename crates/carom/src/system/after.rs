//! What an impulse does to whatever stands behind the contacts.

use super::{Aftermath, Bodies, BodiesAfter, BodyVelocity, Chain, Generalized};
use crate::contact::Motion;
use crate::{ContactProblem, ImpactError};

/// Contacts together with what they belong to. Implement it for a mechanism of your own: it then goes through
/// [`resolve`](crate::resolve()) like carom's.
pub trait System {
    /// The contacts.
    fn problem(&self) -> &ContactProblem;

    /// What an impulse (R numbers, contact by contact, normal first [N·s]) does to the system.
    fn after(&self, impulse: &[f64]) -> Result<After, ImpactError>;

    /// The contact velocities before and after an impulse from masses and rows, where they are known: certificates then
    /// do not depend on the rounding of `W`. Absent, `W` is taken as exact.
    fn motion(&self, _impulse: &[f64]) -> Option<Motion> {
        None
    }
}

/// What an impulse does to the system behind the contacts. Absent is what the system cannot tell.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct After {
    /// Generalized velocities [m/s].
    pub velocity: Option<Vec<f64>>,
    /// Every body, in the order of the problem.
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
    /// Of everything that moves \[J\].
    pub kinetic_energy_change: f64,
    /// How far momentum is from balance, relative to its largest term \[1\].
    pub momentum_residual: f64,
    /// How fast the worst bilateral row still moves [m/s].
    pub bilateral_residual: f64,
}

impl System for ContactProblem {
    fn problem(&self) -> &ContactProblem {
        self
    }

    fn after(&self, _impulse: &[f64]) -> Result<After, ImpactError> {
        Ok(After::default())
    }
}

impl System for Generalized {
    fn problem(&self) -> &ContactProblem {
        Self::problem(self)
    }

    fn after(&self, impulse: &[f64]) -> Result<After, ImpactError> {
        Self::after(self, impulse).map(After::from)
    }

    fn motion(&self, impulse: &[f64]) -> Option<Motion> {
        Self::motion(self, impulse)
    }
}

impl System for Chain {
    fn problem(&self) -> &ContactProblem {
        Self::problem(self)
    }

    fn after(&self, impulse: &[f64]) -> Result<After, ImpactError> {
        Self::after(self, impulse).map(After::from)
    }

    fn motion(&self, impulse: &[f64]) -> Option<Motion> {
        Self::motion(self, impulse)
    }
}

impl System for Bodies {
    fn problem(&self) -> &ContactProblem {
        Self::problem(self)
    }

    fn after(&self, impulse: &[f64]) -> Result<After, ImpactError> {
        let after = Self::after(self, impulse)?;
        let names: Vec<String> = self.placed_bodies().map(|body| body.name).collect();
        Ok(After::of_bodies(after, &names))
    }

    fn motion(&self, impulse: &[f64]) -> Option<Motion> {
        Self::motion(self, impulse)
    }
}

impl From<Aftermath> for After {
    fn from(after: Aftermath) -> Self {
        Self {
            velocity: Some(after.velocity),
            bodies: None,
            inertial: Some(Inertial {
                bilateral_impulse: after.bilateral_impulse,
                kinetic_energy_change: after.kinetic_energy_change,
                momentum_residual: after.momentum_residual,
                bilateral_residual: after.bilateral_residual,
            }),
        }
    }
}

impl After {
    /// Velocities of bodies, and nothing else.
    pub fn of_velocities(bodies: &[BodyVelocity], names: &[String]) -> Self {
        let named = bodies.iter().zip(names).map(|(body, name)| BodyAfter {
            name: name.clone(),
            velocity: body.velocity.clone(),
            angular_velocity: body.angular_velocity.clone(),
        });
        Self { bodies: Some(named.collect()), ..Self::default() }
    }

    /// Bodies under these names.
    pub fn of_bodies(after: BodiesAfter, names: &[String]) -> Self {
        Self {
            inertial: Some(Inertial {
                bilateral_impulse: after.bilateral_impulse,
                kinetic_energy_change: after.kinetic_energy_change,
                momentum_residual: after.momentum_residual,
                bilateral_residual: after.bilateral_residual,
            }),
            ..Self::of_velocities(&after.bodies, names)
        }
    }

    /// Velocities of what is behind the contacts, each with the name of its column in a table.
    pub fn columns(&self) -> Vec<(String, f64)> {
        let generalized = self.velocity.iter().flatten().enumerate();
        let mut columns: Vec<(String, f64)> =
            generalized.map(|(i, v)| (format!("velocity[{i}]"), *v)).collect();
        for body in self.bodies.iter().flatten() {
            // Names are the problem's own and may hold what separates columns.
            let name: String =
                body.name.chars().map(|c| if ",\"\n\r".contains(c) { '_' } else { c }).collect();
            for (part, values) in
                [("velocity", &body.velocity), ("angular_velocity", &body.angular_velocity)]
            {
                let values = values.iter().enumerate();
                columns.extend(values.map(|(i, v)| (format!("{name}.{part}[{i}]"), *v)));
            }
        }
        columns
    }
}
