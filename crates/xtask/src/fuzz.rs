//! `cargo xtask fuzz`: each fuzz target for some minutes. The targets live in `fuzz/`, outside the workspace.
//!
//! The instruments of fuzzing are flags of the compiler that only nightly compilers take of themselves. Stable ones take
//! them where `RUSTC_BOOTSTRAP` is set, so that what is fuzzed is what everything else is compiled with.

use crate::run::{Failure, cargo, root, show, succeeds, target};
use std::path::PathBuf;
use std::process::Command;

/// Each target with the folder that seeds it. What fuzzing finds goes into `fuzz/corpus`.
const TARGETS: [(&str, Option<&str>); 9] = [
    ("problem", Some("scenarios")),
    ("scene", Some("scenes")),
    ("import", Some("robots")),
    ("resolve", None),
    ("several", None),
    ("command", Some("scenarios")),
    ("parquet", Some("fuzz/seeds/parquet")),
    ("stream", Some("fuzz/seeds/stream")),
    ("sweep", Some("fuzz/seeds/sweep")),
];

/// The version whose flags are used here.
const CARGO_FUZZ: &str = "0.13.2";

/// Minutes for each target unless told.
const MINUTES: u64 = 10;

/// Runs some targets, or all, for so many minutes each.
pub fn run(words: &[&str]) -> Result<(), Failure> {
    let (minutes, targets) = chosen(words)?;
    let sanitizer = sanitizer()?;
    let cargo_fuzz = cargo_fuzz()?;
    for (target, seeds) in targets {
        let corpus = format!("fuzz/corpus/{target}");
        std::fs::create_dir_all(root().join(&corpus))
            .map_err(|error| Failure(format!("{corpus} cannot be made: {error}")))?;
        show(
            target,
            Command::new(&cargo_fuzz)
                .current_dir(root())
                .env("RUSTC_BOOTSTRAP", "1")
                .args(["run", "--sanitizer", sanitizer, "--codegen-units", "16", target, &corpus])
                .args(seeds)
                // A hang is a fault too, and so is memory without end.
                // What commands print is not read.
                .args(["--", "-timeout=10", "-rss_limit_mb=2048", "-close_fd_mask=1"])
                .arg(format!("-max_total_time={}", 60 * minutes)),
        )?;
    }
    Ok(())
}

type Target = (&'static str, Option<&'static str>);

/// Minutes and targets of the command line: `[--minutes N] [TARGET]…`.
fn chosen(words: &[&str]) -> Result<(u64, Vec<Target>), Failure> {
    let (minutes, names) = match words {
        ["--minutes", minutes, names @ ..] => match minutes.parse() {
            // libFuzzer takes none as no end.
            Ok(0) | Err(_) => {
                let said = format!("--minutes takes a whole number above 0, not `{minutes}`");
                return Err(Failure(said));
            }
            Ok(minutes) => (minutes, names),
        },
        ["--minutes"] => return Err(Failure("--minutes takes a whole number above 0".into())),
        names => (MINUTES, names),
    };
    if names.is_empty() {
        return Ok((minutes, TARGETS.to_vec()));
    }
    let find = |name: &&str| {
        TARGETS.into_iter().find(|(target, _)| target == name).ok_or_else(|| {
            let all = TARGETS.map(|(target, _)| target).join(", ");
            Failure(format!("there is no fuzz target `{name}`; there are: {all}"))
        })
    };
    Ok((minutes, names.iter().map(find).collect::<Result<_, _>>()?))
}

/// The strictest sanitizer that this compiler has the runtime of, or why it cannot fuzz at all.
fn sanitizer() -> Result<&'static str, Failure> {
    // libFuzzer is compiled with the first build.
    let compiler = std::env::var_os("CXX").unwrap_or_else(|| "c++".into());
    if !succeeds(Command::new(&compiler).arg("--version")) {
        return Err(Failure(format!(
            "fuzzing needs a C++ compiler, and `{}` does not run; install one or name it in CXX",
            compiler.display()
        )));
    }
    let rustc = || {
        let mut rustc = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
        rustc.env("RUSTC_BOOTSTRAP", "1").current_dir(root());
        rustc
    };
    if !succeeds(rustc().args(["-Z", "help"])) {
        return Err(Failure(
            "fuzzing needs a rustc that takes -Z flags, and this one takes none even with \
             RUSTC_BOOTSTRAP=1; use one of rustup's toolchains"
                .into(),
        ));
    }
    let libraries = rustc()
        .args(["--print", "target-libdir"])
        .output()
        .map_err(|error| Failure(format!("rustc could not start: {error}")))?;
    let folder = PathBuf::from(String::from_utf8_lossy(&libraries.stdout).trim());
    let has_runtime = std::fs::read_dir(folder).is_ok_and(|files| {
        files.flatten().any(|file| file.file_name().to_string_lossy().contains("rt.asan"))
    });
    if has_runtime {
        return Ok("address");
    }
    println!("this toolchain has no runtime of AddressSanitizer: memory errors are not looked for");
    Ok("none")
}

/// cargo-fuzz, installed where it is missing.
fn cargo_fuzz() -> Result<PathBuf, Failure> {
    let tools = target().join("tools");
    let program = tools.join("bin").join("cargo-fuzz");
    if !succeeds(Command::new(&program).arg("--version")) {
        show(
            "cargo-fuzz",
            cargo()
                .args(["install", "--quiet", "--locked", "cargo-fuzz"])
                .args(["--version", &format!("={CARGO_FUZZ}"), "--root"])
                .arg(&tools),
        )?;
    }
    Ok(program)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn minutes_and_targets_are_chosen() {
        let names = |words: &[&str]| {
            let (minutes, targets) = chosen(words).unwrap_or_else(|failure| panic!("{failure}"));
            (minutes, targets.into_iter().map(|(name, _)| name).collect::<Vec<_>>())
        };
        assert_eq!(names(&[]), (MINUTES, TARGETS.map(|(name, _)| name).to_vec()));
        assert_eq!(names(&["--minutes", "3", "sweep"]), (3, vec!["sweep"]));
        for wrong in [&["--minutes", "0"][..], &["--minutes"], &["--minutes", "x"], &["nothing"]] {
            assert!(chosen(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn every_target_is_a_file() {
        let folder = root().join("fuzz").join("fuzz_targets");
        let files = std::fs::read_dir(folder).expect("the folder of targets").flatten();
        let mut files: Vec<String> =
            files.map(|file| file.file_name().to_string_lossy().replace(".rs", "")).collect();
        files.sort();
        let mut names = TARGETS.map(|(name, _)| name);
        names.sort();
        assert_eq!(files, names);
    }
}
