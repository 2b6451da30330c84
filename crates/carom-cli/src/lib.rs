//! What the `carom` command line is made of: commands, tables, bars. No mechanics.
//!
//! The binary is a thin shell around it; tests use it directly.

pub mod cli;
pub mod colour;
pub mod commands;
pub mod diagnostic;
pub mod picture;
pub mod progress;
pub mod table;
