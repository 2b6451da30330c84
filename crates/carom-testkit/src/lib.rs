//! Known answers, slow oracles and generators that carom's tests and benches share.

/// The example of the README is compiled and run like any other.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
pub struct Readme;
