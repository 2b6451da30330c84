//! Known answers, slow oracles and generators that carom's tests and benches share.
//!
//! Nothing here calls a law of carom: oracles are written from the equations, so that agreement means something.

pub mod assert;
pub mod cases;
pub mod dd;
pub mod generate;
pub mod joints;
pub mod judge;
pub mod laws;
mod lines;
mod mechanism;
pub mod oracle;
pub mod reference;
pub mod rng;
pub mod transform;

pub use lines::problem_line;
pub use mechanism::Mechanism;
pub use rng::Rng;

/// The example of the README is compiled and run like any other.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
pub struct Readme;
