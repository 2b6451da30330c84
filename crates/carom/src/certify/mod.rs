//! Stage 4: judgement, from problem and impulse alone. No law is asked.

mod certificate;
pub mod region;

pub use certificate::{Certificate, Inequality, RoundingBounds, Verdict};
pub use region::PermissibleRegion;
