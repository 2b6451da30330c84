//! `cargo xtask bench`: the tables of speed, and instructions per impact on demand.

use crate::run::{Failure, cargo, root, show, succeeds};
use std::path::Path;
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

/// Impacts per count in `crates/carom-testkit/benches/instructions.rs`.
const IMPACTS: f64 = 100.0;

/// Runs the benches.
pub fn run(counts: Counts) -> Result<(), Failure> {
    show(
        "speed",
        cargo().args(["bench", "--quiet", "--package", "carom-testkit", "--bench", "speed"]),
    )?;
    show(
        "several contacts",
        cargo().args(["bench", "--quiet", "--package", "carom-testkit"]).args([
            "--features",
            "sparse",
            "--bench",
            "several",
        ]),
    )?;
    show(
        "rounds and intervals",
        cargo().args(["bench", "--quiet", "--package", "carom-testkit", "--bench", "plus"]),
    )?;
    show(
        "compliant contacts",
        cargo().args(["bench", "--quiet", "--package", "carom-testkit", "--bench", "compliant"]),
    )?;
    show(
        "the limit of stiff contacts",
        cargo().args(["bench", "--quiet", "--package", "carom-testkit", "--bench", "stiff"]),
    )?;
    show(
        "states of simulations",
        cargo().args(["bench", "--quiet", "--package", "carom-testkit", "--bench", "rest"]),
    )?;
    show(
        "motion",
        cargo().args(["bench", "--quiet", "--package", "carom-sim", "--bench", "motion"]),
    )?;
    if counts == Counts::Skip {
        return Ok(());
    }
    if !succeeds(Command::new("valgrind").arg("--version")) {
        return Err(Failure("valgrind is not installed; instruction counts need it".into()));
    }
    let tools = root().join("target").join("tools");
    let runner = tools.join("bin").join("gungraun-runner");
    if !runner.exists() {
        show(
            "gungraun-runner",
            cargo()
                .args(["install", "gungraun-runner", "--version", &format!("={GUNGRAUN}")])
                .arg("--root")
                .arg(&tools),
        )?;
    }
    instructions(&runner)
}

/// Runs the counting benches and prints `name value unit`. gungraun shows much more; its files keep all of it.
fn instructions(runner: &Path) -> Result<(), Failure> {
    let output = cargo()
        .args(["bench", "--quiet", "--package", "carom-testkit"])
        .args(["--features", "instructions", "--bench", "instructions"])
        .args(["--", "--nocapture=stdout"])
        .env("GUNGRAUN_RUNNER", runner)
        .env("GUNGRAUN_COLOR", "never")
        .output()
        .map_err(|error| Failure(format!("instruction counts could not start: {error}")))?;
    let report = String::from_utf8_lossy(&output.stdout);
    let counts = read_counts(&report);
    if !output.status.success() || counts.is_empty() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(Failure(format!("instruction counts failed:\n{report}{said}")));
    }
    for (name, count) in counts {
        println!("{name:<66} {count:>12.0} instructions");
    }
    Ok(())
}

/// Name and instructions per impact of each bench in gungraun's report:
///
/// ```text
/// instructions::laws::space law_0:(…)
/// law frictionless
///   Instructions:      44292|N/A
/// ```
fn read_counts(report: &str) -> Vec<(String, f64)> {
    let (mut dimension, mut law) = ("", "");
    let mut counts = Vec::new();
    for line in report.lines().map(str::trim) {
        if let Some(rest) = line.strip_prefix("instructions::laws::") {
            dimension = rest.split(' ').next().unwrap_or("");
        } else if let Some(id) = line.strip_prefix("law ") {
            law = id;
        } else if let Some(rest) = line.strip_prefix("Instructions:") {
            let number = rest.trim().split('|').next().unwrap_or("");
            if let Ok(total) = number.parse::<f64>() {
                counts.push((format!("{law}, {dimension}"), total / IMPACTS));
            }
        }
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_report_of_gungraun() {
        let report = "\
instructions::laws::plane law_0:(set_up :: < 2 >(nth of ids :: < 2 > ()))
law frictionless
- end of stdout
  Instructions:                                      45800|44292                (+3.44080%) [+1.03441x]
  L1 Hits:                                           65920|63607                (+3.63639%) [+1.03636x]
instructions::laws::space law_5:(set_up :: < 3 >(nth of ids :: < 3 > ()))
law routh-newton
  Instructions:                                      92100|N/A                  (*********)
";
        let expected = [("frictionless, plane", 458.0), ("routh-newton, space", 921.0)];
        assert_eq!(read_counts(report), expected.map(|(name, count)| (name.to_string(), count)));
    }
}
