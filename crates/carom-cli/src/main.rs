//! The `carom` command line: parse, call, print. No mechanics.

use carom_cli::cli::Cli;
use carom_cli::commands;
use std::process::ExitCode;

fn main() -> ExitCode {
    match Cli::read(std::env::args_os()) {
        Ok(cli) => commands::run(cli).into(),
        Err(code) => code,
    }
}
