//! Stage 4: judgement, from problem and impulse alone, whatever the law.

mod certificate;
mod distance;

pub use crate::region::several::PermissibleSet;
pub use crate::region::{Inequality, PermissibleRegion};
pub use certificate::{
    Certificate, Complementarity, ContactMargins, CoulombResidual, IslandEnergy, Place,
    RoundingBounds, SetMargins, Verdict, Violation, Weakest,
};
pub use distance::energy_distance;
