//! `cargo xtask bench`: the speed table, and instructions per impact on demand.

use crate::run::{Failure, cargo, root, show, succeeds};
use std::process::Command;

/// Whether to count instructions as well.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counts {
    /// Times only.
    Skip,
    /// Also instructions, under valgrind.
    Measure,
}

/// The runner must have the version of the library that `crates/carom-testkit` names.
const GUNGRAUN: &str = "0.20.0";

/// Runs the benches.
pub fn run(counts: Counts) -> Result<(), Failure> {
    show(
        "speed",
        cargo().args([
            "bench",
            "--quiet",
            "--package",
            "carom-testkit",
            "--bench",
            "speed",
        ]),
    )?;
    if counts == Counts::Skip {
        return Ok(());
    }
    if !succeeds(Command::new("valgrind").arg("--version")) {
        return Err(Failure(
            "valgrind is not installed; instruction counts need it".into(),
        ));
    }
    let tools = root().join("target").join("tools");
    let runner = tools.join("bin").join("gungraun-runner");
    if !runner.exists() {
        show(
            "gungraun-runner",
            cargo()
                .args([
                    "install",
                    "gungraun-runner",
                    "--version",
                    &format!("={GUNGRAUN}"),
                ])
                .arg("--root")
                .arg(&tools),
        )?;
    }
    show(
        "instructions",
        cargo()
            .args([
                "bench",
                "--quiet",
                "--package",
                "carom-testkit",
                "--bench",
                "instructions",
            ])
            .env("GUNGRAUN_RUNNER", &runner),
    )
}
