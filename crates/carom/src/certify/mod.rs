//! Stage 4: judgement, from problem and impulse alone. No law is asked.

mod certificate;

pub use certificate::{Certificate, Inequality, RoundingBounds, Verdict};
