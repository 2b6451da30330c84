//! Problem files in, one certified answer out as JSON: what the command line, the Python package and sweeps share.
//!
//! No mechanics, no simulation, no figures, no terminal, no threads.

pub mod answer;
pub mod build;
pub mod checksum;
pub mod failure;
pub mod fingerprint;
pub mod format;
pub mod input;
pub mod memory;
pub mod output;
pub mod plain;
pub mod progress;
pub mod resolution;
pub mod rounding;
