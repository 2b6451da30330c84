//! One contact: all that a single-contact law sees.

use super::{ContactVec, Delassus, Material};
use crate::ImpactError;

/// One contact at the moment of impact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact<const D: usize> {
    delassus: Delassus<D>,
    velocity: ContactVec<D>,
    material: Material,
}

impl<const D: usize> Contact<D> {
    /// A contact from its Delassus matrix, its velocity before the impact [m/s] and its material.
    pub fn new(
        delassus: Delassus<D>,
        velocity: ContactVec<D>,
        material: Material,
    ) -> Result<Self, ImpactError> {
        if let Some(i) = (0..D).find(|&i| !velocity[i].is_finite()) {
            return Err(ImpactError::bad_problem(
                format!("contact_velocity[{i}]"),
                velocity[i],
                "must be a finite number",
            ));
        }
        Ok(Self { delassus, velocity, material: material.validated()? })
    }

    /// `W` [1/kg].
    pub const fn delassus(&self) -> &Delassus<D> {
        &self.delassus
    }

    /// `u⁻`, B's contact point relative to A's; a negative normal component approaches [m/s].
    pub const fn velocity(&self) -> &ContactVec<D> {
        &self.velocity
    }

    /// Friction and restitution.
    pub const fn material(&self) -> &Material {
        &self.material
    }

    /// The speed at which the bodies approach, zero if they separate [m/s].
    pub fn approach_speed(&self) -> f64 {
        (-self.velocity.normal()).max(0.0)
    }

    /// The coefficient of restitution at this approach speed \[1\].
    pub fn e(&self) -> f64 {
        self.material.restitution.at(self.approach_speed())
    }

    /// `u⁺ = u⁻ + W p` [m/s].
    pub fn velocity_after(&self, impulse: &ContactVec<D>) -> ContactVec<D> {
        self.velocity + self.delassus.apply(impulse)
    }

    /// `½ p·(u⁻ + u⁺)`, the work of the impulse on the relative motion \[J\].
    pub fn energy_change(&self, impulse: &ContactVec<D>) -> f64 {
        0.5 * impulse.dot(&(self.velocity + self.velocity_after(impulse)))
    }
}
