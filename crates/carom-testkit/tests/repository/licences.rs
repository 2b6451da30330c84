//! Everything that carom is compiled from has a licence that `deny.toml` allows.
//!
//! `cargo deny` checks other platforms, advisories and sources as well, where it is installed; this test always runs.

use crate::{root, text};
use serde_json::Value;
use std::process::Command;

fn cargo(arguments: &[&str]) -> String {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let run = Command::new(cargo).args(arguments).current_dir(root()).output().expect("cargo");
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    String::from_utf8(run.stdout).expect("UTF-8")
}

/// Whether an SPDX expression can be fulfilled; `/` is how old crates write `OR`.
fn is_allowed(expression: &str, allowed: &[&str]) -> bool {
    let all = |part: &str| part.split(" AND ").all(|name| allowed.contains(&name.trim()));
    match expression.split_once(") AND ") {
        Some((first, rest)) => {
            is_allowed(first.trim_start_matches('('), allowed) && is_allowed(rest, allowed)
        }
        None => expression.replace('/', " OR ").split(" OR ").any(all),
    }
}

#[test]
fn licences_are_those_that_are_allowed() {
    let rules = text("deny.toml");
    let list = rules.split_once("allow = [").and_then(|(_, rest)| rest.split_once(']'));
    let lines = list.expect("deny.toml has a list of licences").0.lines();
    let allowed: Vec<&str> =
        lines.filter_map(|line| line.trim().strip_prefix('"')?.split('"').next()).collect();
    // What was compiled for this machine has been fetched: no network is needed.
    let about = cargo(&["-vV"]);
    let host = about.lines().find_map(|line| line.strip_prefix("host: ")).expect("a host");
    let arguments =
        ["metadata", "--format-version=1", "--locked", "--offline", "--features=carom-cli/full"];
    let metadata = cargo(&[&arguments[..], &["--filter-platform", host]].concat());
    let metadata: Value = serde_json::from_str(&metadata).expect("JSON");
    let packages = metadata["packages"].as_array().expect("packages");
    assert!(packages.len() > 100, "only {} packages", packages.len());
    for package in packages {
        let licence = package["license"].as_str().unwrap_or("none");
        assert!(is_allowed(licence, &allowed), "{}: {licence}", package["name"]);
    }
}

#[test]
fn expressions_are_understood() {
    let allowed = ["MIT", "Unicode-3.0"];
    for (expression, wanted) in [
        ("MIT", true),
        ("GPL-3.0", false),
        ("GPL-3.0 OR MIT", true),
        ("GPL-3.0/MIT", true),
        ("GPL-3.0 AND MIT", false),
        ("(MIT OR GPL-3.0) AND Unicode-3.0", true),
        ("(MIT OR Zlib) AND GPL-3.0", false),
    ] {
        assert_eq!(is_allowed(expression, &allowed), wanted, "{expression}");
    }
}
