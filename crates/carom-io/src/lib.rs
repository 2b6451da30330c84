//! Problem files in, one certified answer out as JSON: what the command line, the Python package and sweeps share.
//!
//! No mechanics, no simulation, no figures, no terminal, no threads.

pub mod answer;
pub mod failure;
pub mod format;
pub mod input;
pub mod progress;
pub mod resolution;
pub mod rounding;
