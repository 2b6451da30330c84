//! `cargo xtask test`: everything that must hold before a change is merged.
//!
//! Every stage runs even if an earlier one failed, so that one run shows all there is to mend.

use crate::run::{FULL, Failure, cargo, spelled, succeeds, tee};
use crate::{docs, python, tools};
use std::process::Command;
use std::time::{Duration, Instant};

/// How many random impacts the claims tests draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Length {
    /// As many as the tests themselves choose.
    Default,
    /// [`LONG_CLAIMS`] and [`LONG_CLAIMS_SEVERAL`] per law.
    Long,
}

/// Impacts of one contact, and impacts with friction of any number.
const LONG_CLAIMS: &str = "10000000";
/// Every so many of them are compared with other laws, where that is done.
const LONG_COMPARED: &str = "10";
/// Systems of several contacts, for laws that work step by step as well.
const LONG_CLAIMS_SEVERAL: &str = "100000";
/// Edges and faces that land in a long test.
const LONG_LANDINGS: &str = "1000";
/// Random scenes that are followed.
const LONG_SCENES: &str = "20000";
/// Boxes that are thrown against a wall.
const LONG_BOXES: &str = "10000";

/// Certificates that are checked in rational numbers, and as many answers of laws.
const LONG_EXACT: &str = "100000";

/// Tests that passed and failed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Counts {
    passed: u64,
    failed: u64,
}

/// One finished stage.
struct Stage {
    name: &'static str,
    ok: bool,
    counts: Counts,
    time: Duration,
}

/// Runs all stages, prints what each took and the sum of all tests.
pub fn run(length: Length) -> Result<(), Failure> {
    let begin = Instant::now();
    let nextest = succeeds(cargo().args(["nextest", "--version"]));
    // Only tests of pages need it; without it they say so.
    if let Err(failure) = tools::chromium() {
        println!("there is no chromium: {failure}");
    }
    let mut stages = vec![
        stage("format", with_component("fmt", "rustfmt", &["--all", "--check"]))?,
        stage(
            "lints",
            with_component(
                "clippy",
                "clippy",
                &["--workspace", FULL, "--all-targets", "--", "-D", "warnings"],
            ),
        )?,
        stage("tests", Ok(if nextest { nextest_run() } else { cargo_test() }))?,
        stage(
            "doctests",
            Ok(with(cargo(), &["test", "--workspace", FULL, "--doc", "--no-fail-fast"])),
        )?,
        stage("documentation", Ok(documentation()))?,
        stage("book", docs::book())?,
    ];
    stages.extend(python_stages()?);
    stages.extend(dependencies()?);
    if length == Length::Long {
        println!("every law on {LONG_CLAIMS} random impacts; this takes long");
        stages.push(stage("claims", Ok(long_claims("one_contact::", LONG_CLAIMS)))?);
        let several = long_claims("several::", LONG_CLAIMS_SEVERAL);
        stages.push(stage("claims, several", Ok(several))?);
        stages.push(stage("claims, plus", Ok(long_claims("plus::", LONG_CLAIMS)))?);
        stages.push(stage("laws against compliant contacts", Ok(long_landings()))?);
        stages.push(stage("random scenes", Ok(long_scenes()))?);
        stages.push(stage("thrown boxes", Ok(long_boxes()))?);
        stages.push(stage("certificates in rational numbers", Ok(long_exact()))?);
        stages.push(stage("python on Ray", python::ray())?);
    }
    report(&stages, begin.elapsed())
}

/// Runs the stages of the Python package alone.
pub fn python() -> Result<(), Failure> {
    let begin = Instant::now();
    report(&python_stages()?, begin.elapsed())
}

fn python_stages() -> Result<[Stage; 2], Failure> {
    Ok([stage("python", python::tests())?, stage("python types", python::types())?])
}

/// cargo's `subcommand`, or how to get the component it needs.
fn with_component(
    subcommand: &str,
    component: &str,
    arguments: &[&str],
) -> Result<Command, Failure> {
    if succeeds(cargo().args([subcommand, "--version"])) {
        Ok(with(with(cargo(), &[subcommand]), arguments))
    } else {
        Err(Failure(format!(
            "{component} is not installed; get it with: rustup component add {component}"
        )))
    }
}

fn with(mut command: Command, arguments: &[&str]) -> Command {
    command.args(arguments);
    command
}

fn nextest_run() -> Command {
    with(
        cargo(),
        &["nextest", "run", "--workspace", FULL, "--no-fail-fast", "--status-level", "slow"],
    )
}

/// The same tests without nextest. Not `--all-targets`: that would run the benches.
fn cargo_test() -> Command {
    with(
        cargo(),
        &[
            "test",
            "--workspace",
            FULL,
            "--lib",
            "--bins",
            "--tests",
            "--examples",
            "--no-fail-fast",
        ],
    )
}

/// `cargo deny` where it is installed. Licences are checked without it, by the repository's tests.
fn dependencies() -> Result<Option<Stage>, Failure> {
    if !succeeds(cargo().args(["deny", "--version"])) {
        println!(
            "cargo-deny is not installed: advisories, sources and duplicates are not checked\n"
        );
        return Ok(None);
    }
    let mut checks = vec!["deny", "check", "licenses", "bans", "sources"];
    if succeeds(cargo().args(["deny", "fetch", "db"])) {
        checks.push("advisories");
    } else {
        println!("the database of advisories cannot be reached: advisories are not checked");
    }
    stage("dependencies", Ok(with(cargo(), &checks))).map(Some)
}

fn documentation() -> Command {
    let mut command = with(cargo(), &["doc", "--workspace", FULL, "--no-deps"]);
    command.env("RUSTDOCFLAGS", "-D warnings");
    command
}

fn long_claims(module: &str, count: &str) -> Command {
    let test = ["test", "--package", "carom", "--test", "claims", module, "--", "--nocapture"];
    let mut command = with(cargo(), &test);
    command.env("CAROM_CLAIMS", count).env("CAROM_CLAIMS_COMPARED", LONG_COMPARED);
    command
}

fn long_landings() -> Command {
    let test = ["test", "--package", "carom-sim", "--test", "compliant", "landings"];
    let mut command = with(with(cargo(), &test), &["--", "--nocapture"]);
    command.env("CAROM_LANDINGS", LONG_LANDINGS);
    command
}

fn long_scenes() -> Command {
    let test = ["test", "--package", "carom-sim", "--test", "motion", "random::"];
    let mut command = with(with(cargo(), &test), &["--", "--nocapture"]);
    command.env("CAROM_SCENES", LONG_SCENES);
    command
}

fn long_boxes() -> Command {
    let test = ["test", "--package", "carom-sim", "--test", "motion", "thrown_boxes"];
    let mut command = with(with(cargo(), &test), &["--", "--nocapture"]);
    command.env("CAROM_BOXES", LONG_BOXES);
    command
}

fn long_exact() -> Command {
    let test = ["test", "--release", "--package", "carom-exact", "--test", "exact"];
    let mut command = with(with(cargo(), &test), &["--", "--nocapture"]);
    command.env("CAROM_EXACT", LONG_EXACT).env("CAROM_EXACT_ANSWERS", LONG_EXACT);
    command
}

/// Runs one stage. A command that could not be made is a failed stage too.
fn stage(name: &'static str, command: Result<Command, Failure>) -> Result<Stage, Failure> {
    let begin = Instant::now();
    let mut counts = Counts::default();
    let ok = match command {
        Ok(mut command) => {
            println!("── {name}: {}", spelled(&command));
            tee(&mut command, |line| counts.add(count(line)))?
        }
        Err(failure) => {
            println!("── {name}: {failure}");
            false
        }
    };
    // A stage that fails without a failed test (a compile error, a lint) counts as one failure, so that the
    // closing line never looks green on a red run.
    if !ok && counts.failed == 0 {
        counts.failed = 1;
    }
    let time = begin.elapsed();
    let result = if ok { "ok" } else { "FAILED" };
    println!("── {name}: {result} after {:.1} s\n", time.as_secs_f64());
    Ok(Stage { name, ok, counts, time })
}

fn report(stages: &[Stage], total: Duration) -> Result<(), Failure> {
    let mut sum = Counts::default();
    for stage in stages {
        let result = if stage.ok { "ok" } else { "FAILED" };
        println!("{:<15} {result:<7} {:>8.1} s", stage.name, stage.time.as_secs_f64());
        sum.add(stage.counts);
    }
    println!("{:<15} {:<7} {:>8.1} s\n", "all", "", total.as_secs_f64());
    let failed: Vec<&str> = stages.iter().filter(|s| !s.ok).map(|s| s.name).collect();
    if !failed.is_empty() {
        println!("failed stages: {}\n", failed.join(", "));
    }
    println!("{} passed, {} failed", sum.passed, sum.failed);
    if failed.is_empty() { Ok(()) } else { Err(Failure::reported()) }
}

impl Counts {
    fn add(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
    }
}

/// Reads the summary line of one test binary (cargo test) or of a whole run (nextest, pytest); other lines count nothing.
fn count(line: &str) -> Counts {
    // nextest indents its summary, and also what it repeats of a failed test, which has a `test result` of its own.
    let summary = line
        .strip_prefix("test result: ")
        .and_then(|rest| rest.split_once(". "))
        .or_else(|| {
            let rest = line.trim_start().strip_prefix("Summary [")?;
            rest.split_once("run: ")
        })
        .map(|(_, counts)| counts)
        .or_else(|| pytest_summary(line))
        .unwrap_or_default();
    let mut counts = Counts::default();
    // "3 passed; 0 failed; 1 ignored" or "3 passed (1 slow), 2 failed, 1 timed out, 4 skipped"
    for part in summary.split([';', ',']) {
        let Some((number, word)) = part.trim().split_once(' ') else {
            continue;
        };
        let number = number.parse().unwrap_or(0);
        if word.starts_with("passed") {
            counts.passed += number;
        } else if ["failed", "exec failed", "timed out", "error"]
            .iter()
            .any(|w| word.starts_with(w))
        {
            counts.failed += number;
        }
    }
    counts
}

/// "2 failed, 157 passed, 1 skipped in 7.27s", framed by `=` if pytest is not told to be quiet.
fn pytest_summary(line: &str) -> Option<&str> {
    let (counts, time) = line.trim_matches(['=', ' ']).rsplit_once(" in ")?;
    let seconds = time.split(' ').next()?.strip_suffix('s')?;
    let counted = counts.split(", ").all(|part| part.starts_with(|c: char| c.is_ascii_digit()));
    (counted && seconds.parse::<f64>().is_ok()).then_some(counts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_summary_of_pytest() {
        let line = "2 failed, 157 passed, 1 skipped, 5 warnings in 7.27s";
        assert_eq!(count(line), Counts { passed: 157, failed: 2 });
        let line = "======= 3 passed, 1 error in 61.20s (0:01:01) =======";
        assert_eq!(count(line), Counts { passed: 3, failed: 1 });
        assert_eq!(count("3 passed in silence"), Counts::default());
        assert_eq!(count("the third passed in 3s"), Counts::default());
    }

    #[test]
    fn reads_the_summary_of_cargo_test() {
        let line = "test result: FAILED. 7 passed; 2 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.01s";
        assert_eq!(count(line), Counts { passed: 7, failed: 2 });
    }

    #[test]
    fn reads_the_summary_of_nextest() {
        let line = "     Summary [   1.234s] 12 tests run: 9 passed (1 slow), 2 failed, 1 timed out, 3 skipped";
        assert_eq!(count(line), Counts { passed: 9, failed: 3 });
        let line = "     Summary [   0.010s] 1 test run: 1 passed, 0 skipped";
        assert_eq!(count(line), Counts { passed: 1, failed: 0 });
    }

    #[test]
    fn other_lines_count_nothing() {
        assert_eq!(count("test result of the year: 5 passed"), Counts::default());
        assert_eq!(count("running 3 tests"), Counts::default());
        let repeated = "    test result: FAILED. 0 passed; 1 failed; 0 ignored";
        assert_eq!(count(repeated), Counts::default());
    }
}
