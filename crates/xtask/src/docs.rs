//! `cargo xtask docs`: rewrites what is generated and builds the documentation, the book included.

use crate::run::{FULL, Failure, built_for_tests, cargo, root, show, target};
use crate::tools;
use std::process::Command;

/// The repository test that compares generated text also writes it: one generator, no second list.
pub fn run() -> Result<(), Failure> {
    show(
        "laws in README.md and in Python's types",
        cargo()
            .args(["test", "--quiet", "--package", "carom-testkit", "--test", "repository"])
            .args(["--", "readme_shows_every_law", "python_knows_every_law"])
            .env("CAROM_REWRITE", "1"),
    )?;
    show(
        "documentation",
        cargo().args(["doc", "--workspace", FULL, "--no-deps"]).env("RUSTDOCFLAGS", "-D warnings"),
    )?;
    show("book", book()?.arg("--rewrite"))
}

/// Builds the book in `target/book`: every command that it and README.md print is run, every link followed.
pub fn book() -> Result<Command, Failure> {
    let tools = tools::book()?;
    built_for_tests()?;
    let target = target();
    let mut command = Command::new(target.join("debug").join("carom-book"));
    command
        .current_dir(root())
        .arg("--root")
        .arg(root())
        .arg("--carom")
        .arg(target.join("debug").join("carom"))
        .arg("--tools")
        .arg(tools)
        .arg("--out")
        .arg(target.join("book"));
    Ok(command)
}
