//! What the command line and the Python package share: problem files in, certified answers, comparisons and pictures out.
//!
//! No mechanics, no terminal, no threads: whoever looks on is a [`spectator::Spectator`].

pub mod answer;
pub mod comparison;
pub mod compliance;
pub mod failure;
pub mod format;
pub mod input;
pub mod numbers;
pub mod outcomes;
pub mod plot;
pub mod resolution;
pub mod spectator;
pub mod words;
