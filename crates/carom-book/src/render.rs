//! mdBook, and what it complains about.

use crate::Places;
use crate::fault::Fault;
use crate::stage::remove;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;

/// Turns the pages into a site; a warning is a fault. Where the site is.
pub fn book(places: &Places) -> Result<PathBuf, Fault> {
    let html = places.out.join("html");
    remove(&html)?;
    let mut path = OsString::from(&places.tools);
    if let Some(rest) = std::env::var_os("PATH") {
        path.push(if cfg!(windows) { ";" } else { ":" });
        path.push(rest);
    }
    let output = Command::new(places.tools.join("mdbook"))
        .arg("build")
        .arg(places.out.join("source"))
        .arg("--dest-dir")
        .arg(&html)
        .env("PATH", path)
        .output()
        .map_err(|error| Fault::new(format!("mdbook could not start: {error}")))?;
    let said = String::from_utf8_lossy(&output.stderr);
    let complaint = ["WARN", "ERROR", "warning:"].iter().any(|word| said.contains(word));
    match output.status.success() && !complaint {
        true => Ok(html),
        false => Err(Fault::new(format!("mdbook: {}\n{said}", output.status))),
    }
}
