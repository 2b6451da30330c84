//! What the `carom` command line is made of: problem files in, answers out. No mechanics.
//!
//! The binary is a thin shell around it; fuzz targets and tests use it directly.

pub mod answer;
pub mod cli;
pub mod commands;
pub mod comparison;
pub mod compliance;
pub mod failure;
pub mod format;
pub mod input;
pub mod landmarks;
pub mod outcomes;
pub mod picture;
pub mod progress;
pub mod resolution;
pub mod table;
pub mod words;
