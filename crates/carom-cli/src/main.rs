//! The `carom` command line: parse, call, print. No mechanics.

use std::process::ExitCode;

fn main() -> ExitCode {
    carom_cli::run(std::env::args_os()).into()
}
