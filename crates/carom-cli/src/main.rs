//! The `carom` command line: parse, call, print. No mechanics.

use carom_cli::cli::Cli;
use carom_cli::commands;
use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    commands::run(Cli::parse()).into()
}
