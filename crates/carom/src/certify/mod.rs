//! Stage 4: judgement, from problem and impulse alone. No law is asked.

pub use crate::region;
pub use crate::region::several as admissible;
mod certificate;
mod distance;

pub use crate::region::several::AdmissibleSet;
pub use crate::region::{Inequality, PermissibleRegion};
pub use certificate::{
    AdmissibleMargins, Certificate, Complementarity, CoulombResidual, RoundingBounds, Together,
    Verdict, Weakest,
};
pub use distance::energy_distance;
