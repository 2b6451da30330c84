//! Stage 4: judgement, from problem and impulse alone. No law is asked.

pub mod admissible;
mod certificate;
mod distance;
pub mod region;

pub use admissible::AdmissibleSet;
pub use certificate::{
    AdmissibleMargins, Certificate, Complementarity, CoulombResidual, Inequality, RoundingBounds,
    Together, Verdict, Weakest,
};
pub use distance::energy_distance;
pub use region::PermissibleRegion;
