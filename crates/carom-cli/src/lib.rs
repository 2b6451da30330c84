//! What the `carom` command line is made of: commands, tables, bars. No mechanics.
//!
//! The binary is a thin shell around it, and so is the script of the Python package; tests use it directly.

pub mod cli;
pub mod colour;
pub mod commands;
pub mod diagnostic;
pub mod picture;
pub mod progress;
pub mod table;

use std::ffi::OsString;

/// Runs the command line with these arguments, the program's name first; answers the exit status.
pub fn run(arguments: impl Iterator<Item = OsString>) -> u8 {
    match cli::Cli::read(arguments) {
        Ok(cli) => commands::run(cli) as u8,
        Err(status) => status,
    }
}
