//! `cargo xtask fuzz`: each fuzz target for some minutes. The targets live in `fuzz/`, outside the workspace.

use crate::run::{Failure, root, show, succeeds};
use std::process::Command;

/// Each target with the folder that seeds it. What fuzzing finds goes into `fuzz/corpus`.
const TARGETS: [(&str, Option<&str>); 8] = [
    ("problem", Some("scenarios")),
    ("scene", Some("scenes")),
    ("resolve", None),
    ("several", None),
    ("command", Some("scenarios")),
    ("parquet", Some("fuzz/seeds/parquet")),
    ("stream", Some("fuzz/seeds/stream")),
    ("sweep", Some("fuzz/seeds/sweep")),
];

/// Runs every target for so many minutes.
pub fn run(minutes: u64) -> Result<(), Failure> {
    if !succeeds(nightly().arg("--version")) {
        return Err(Failure(
            "fuzzing needs a nightly toolchain; get it with: rustup toolchain install nightly"
                .into(),
        ));
    }
    if !succeeds(nightly().args(["fuzz", "--version"])) {
        show("cargo-fuzz", nightly().args(["install", "cargo-fuzz"]))?;
    }
    for (target, seeds) in TARGETS {
        let corpus = format!("fuzz/corpus/{target}");
        std::fs::create_dir_all(root().join(&corpus))
            .map_err(|error| Failure(format!("{corpus} cannot be made: {error}")))?;
        show(
            target,
            nightly()
                .args(["fuzz", "run", target, &corpus])
                .args(seeds)
                // A hang is a fault too.
                // What commands print is not read.
                .args(["--", "-timeout=10", "-close_fd_mask=1"])
                .arg(format!("-max_total_time={}", 60 * minutes)),
        )?;
    }
    Ok(())
}

fn nightly() -> Command {
    let mut command = Command::new("rustup");
    command.args(["run", "nightly", "cargo"]).current_dir(root());
    command
}
