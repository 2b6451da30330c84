//! `cargo xtask docs`: rewrites what is generated and builds the documentation.

use crate::run::{Failure, cargo, show};

/// The repository test that compares generated text also writes it: one generator, no second list.
pub fn run() -> Result<(), Failure> {
    show(
        "generated parts of README.md",
        cargo()
            .args(["test", "--quiet", "--package", "carom-testkit", "--test", "repository"])
            .args(["--", "readme_shows_every_law"])
            .env("CAROM_REWRITE", "1"),
    )?;
    show(
        "documentation",
        cargo().args(["doc", "--workspace", "--no-deps"]).env("RUSTDOCFLAGS", "-D warnings"),
    )
}
