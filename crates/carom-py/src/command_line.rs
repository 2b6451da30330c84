//! The `carom` command line, for the script that a wheel installs.

use carom_cli::cli::Cli;
use carom_cli::commands;
use clap::Parser;
use pyo3::prelude::*;
use std::ffi::OsString;
use std::io::Write;

/// Runs the command line with these arguments, the program's name first; answers its exit status.
#[pyfunction(name = "_main")]
pub fn main(py: Python, arguments: Vec<OsString>) -> i32 {
    py.detach(|| {
        let status = match Cli::try_parse_from(arguments) {
            Ok(cli) => i32::from(commands::run(cli) as u8),
            Err(error) => {
                // A reader that has closed our output does not hear of it.
                let _ = error.print();
                error.exit_code()
            }
        };
        // Python ends the process without what Rust does at its own end.
        let _ = std::io::stdout().flush();
        status
    })
}
