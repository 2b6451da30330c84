//! The disk fills up at every write that a command makes: the old file or the new one is there, and nothing else.

use crate::support::{TemporaryFolder, repository};
use carom_cli::cli::Cli;
use carom_cli::commands::{self, Exit};
use carom_io::output::with_full_disk;
use clap::Parser;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Every file of a folder and those below it.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => found.extend(files(&path)),
            false => drop(found.insert(path.clone(), fs::read(&path).unwrap())),
        }
    }
    found
}

fn run(arguments: &[String]) -> Exit {
    commands::run(Cli::try_parse_from(arguments.iter().map(String::as_str)).unwrap())
}

/// What a command may leave behind when it fails, beside whole files.
fn allowed(path: &Path) -> bool {
    let name = path.file_name().unwrap().to_string_lossy();
    let in_parts = path.parent().unwrap().to_string_lossy().ends_with(".parts");
    // Finished row groups are kept, so that the sweep goes on.
    in_parts && (name == "lock" || name == "carom-sweep.json" || name.ends_with(".parquet"))
}

/// Runs a command with one more write succeeding each time, until all do. Returns how many writes there were.
fn fail_everywhere(name: &str, before: &[(&str, &[u8])], command: &[&str]) -> u64 {
    let expected = {
        let folder = TemporaryFolder::new(&format!("faults-{name}-whole"));
        assert_eq!(run(&arguments(command, folder.path())), Exit::Answered, "{name}");
        relative(files(folder.path()), folder.path())
    };
    assert!(!expected.is_empty(), "{name} writes");
    let mut succeeding = 0;
    loop {
        let folder = TemporaryFolder::new(&format!("faults-{name}"));
        for (file, bytes) in before {
            fs::write(folder.path().join(file), bytes).unwrap();
        }
        let mut arguments = arguments(command, folder.path());
        if !before.is_empty() {
            arguments.push("--force".into());
        }
        let (exit, count) = with_full_disk(succeeding, || run(&arguments));
        let left = relative(files(folder.path()), folder.path());
        if exit == Exit::Answered {
            assert_eq!(left, expected, "{name}");
            assert_eq!(count, succeeding, "{name}: every write was tried");
            return count;
        }
        assert_eq!(exit, Exit::Unwritten, "{name} after {succeeding} writes");
        for (path, bytes) in &left {
            let old = before.iter().find(|(file, _)| Path::new(file) == path);
            let as_before = old.is_some_and(|(_, old)| old == bytes);
            let as_wanted = expected.get(path) == Some(bytes);
            assert!(
                as_before || as_wanted || allowed(&folder.path().join(path)),
                "{name} after {succeeding} writes: {} is a fragment",
                path.display()
            );
        }
        for (file, _) in before {
            assert!(left.contains_key(Path::new(file)), "{name}: {file} is gone");
        }
        // Room was made on the disk: the same command does all of it.
        assert_eq!(run(&arguments), Exit::Answered, "{name} after {succeeding} writes");
        assert_eq!(relative(files(folder.path()), folder.path()), expected, "{name}");
        succeeding += 1;
        assert!(succeeding < 3000, "{name} never ends");
    }
}

fn arguments(command: &[&str], folder: &Path) -> Vec<String> {
    let here = |word: &&str| word.replace("HERE", folder.to_str().unwrap());
    std::iter::once("carom".to_owned()).chain(command.iter().map(here)).collect()
}

fn relative(files: BTreeMap<PathBuf, Vec<u8>>, folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let strip = |path: PathBuf| path.strip_prefix(folder).unwrap().to_owned();
    files.into_iter().map(|(path, bytes)| (strip(path), bytes)).collect()
}

fn in_repository(path: &str) -> String {
    repository().join(path).to_str().unwrap().to_owned()
}

#[test]
fn every_write_of_every_command_may_fail() {
    let problem = in_repository("scenarios/box-corner.toml");
    let plot = |ending: &str| {
        ["plot".to_owned(), problem.clone(), "--out".into(), format!("HERE/a.{ending}")]
    };
    let precious: &[u8] = b"precious";
    let mut total = 0;
    for ending in ["svg", "csv", "png"] {
        let command = plot(ending);
        let command: Vec<&str> = command.iter().map(String::as_str).collect();
        let file = format!("a.{ending}");
        // Pixels take time, and are written as the others are.
        let new = (ending != "png").then_some(&[][..]);
        for before in new.into_iter().chain([&[(file.as_str(), precious)][..]]) {
            let count = fail_everywhere(&format!("plot-{ending}"), before, &command);
            println!("plot {ending}: {count} writes");
            total += count;
        }
    }
    let command = ["compare", &problem, "--report", "HERE/r.html"];
    for before in [&[][..], &[("r.html", precious)]] {
        let count = fail_everywhere("report", before, &command);
        println!("compare --report: {count} writes");
        total += count;
    }
    let command = ["figures", "--paper", "mosterman", "--out", "HERE/."];
    let count = fail_everywhere("figures", &[], &command);
    println!("figures: {count} writes");
    total += count;
    let spec = TemporaryFolder::new("faults-spec");
    let text = format!(
        "problem = {problem:?}\nlaws = [\"smith\"]\n[design]\nmu = {{ from = 0, to = 1, steps = 20 }}\n"
    );
    fs::write(spec.path().join("spec.toml"), text).unwrap();
    let spec = spec.path().join("spec.toml");
    let command = ["sweep", spec.to_str().unwrap(), "--out", "HERE/o.parquet", "--row-group", "7"];
    for before in [&[][..], &[("o.parquet", precious)]] {
        let count = fail_everywhere("sweep", before, &command);
        println!("sweep: {count} writes");
        total += count;
    }
    println!("{total} writes, each of which was made to fail");
    assert!(total > 100);
}
