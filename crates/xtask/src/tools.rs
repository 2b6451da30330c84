//! Programs that chores need beside cargo, fetched where they are missing.

use crate::run::{Failure, cargo, show, succeeds, target};
use std::path::PathBuf;
use std::process::Command;

/// What builds the book: package, version, and the features it is built with. The helper is made for this very mdBook.
const BOOK: [(&str, &str, &[&str]); 2] = [
    ("mdbook", "0.5.3", &["--no-default-features", "--features", "search"]),
    ("mdbook-katex", "0.10.0", &[]),
];

/// The folder with mdBook and its helper for equations, built into `target/` if they are not there.
pub fn book() -> Result<PathBuf, Failure> {
    let folder = target().join("tools");
    for (package, version, features) in BOOK {
        let program = folder.join("bin").join(package);
        let current = Command::new(&program)
            .arg("--version")
            .output()
            .is_ok_and(|output| String::from_utf8_lossy(&output.stdout).contains(version));
        if !current {
            show(
                package,
                cargo()
                    .args(["install", "--quiet", "--locked", "--debug", "--root"])
                    .arg(&folder)
                    // What both are made of is compiled once.
                    .arg("--target-dir")
                    .arg(folder.join("build"))
                    .args(["--version", version, package])
                    .args(features)
                    // They run once, and nobody debugs them.
                    .env("CARGO_PROFILE_DEV_DEBUG", "0"),
            )?;
        }
    }
    Ok(folder.join("bin"))
}

/// Sees to it that there is a Chromium, which tests of pages need; from Debian's packages if there is none.
pub fn chromium() -> Result<(), Failure> {
    let present = || succeeds(Command::new("chromium").arg("--version"));
    if present() {
        return Ok(());
    }
    // Letters too: a machine without a screen may have none, and pictures are tested as pixels.
    let packages = ["chromium", "fonts-dejavu-core"];
    let install =
        [&["apt-get", "install", "--yes", "--no-install-recommends"], &packages[..]].concat();
    let as_root = |words: &[&str]| {
        let administrator = Command::new("id")
            .arg("-u")
            .output()
            .is_ok_and(|output| output.stdout.trim_ascii() == b"0");
        let mut command = Command::new(if administrator { "env" } else { "sudo" });
        command.arg("DEBIAN_FRONTEND=noninteractive").args(words);
        command
    };
    if !succeeds(&mut as_root(&install)) {
        // A fresh machine may have no list of packages yet.
        show("list of packages", as_root(&["apt-get", "update"]).arg("--quiet"))?;
        show("chromium", &mut as_root(&install))?;
    }
    match present() {
        true => Ok(()),
        false => Err(Failure("chromium was installed but does not start".to_owned())),
    }
}
