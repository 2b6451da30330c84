//! Stage 4: judgement, from problem and impulse alone, whatever the law.

mod certificate;
mod distance;

pub use crate::region::several::PermissibleSet;
pub use crate::region::{Inequality, PermissibleRegion};
pub use certificate::{
    Certificate, Complementarity, CoulombResidual, RoundingBounds, SetMargins, Verdict, Weakest,
};
pub use distance::energy_distance;
