//! carom's chores, each with its own set-up: `cargo xtask test | bench | docs | wheel | fuzz`.

mod bench;
mod docs;
mod fuzz;
mod python;
mod run;
mod test;
mod tools;

use std::process::ExitCode;

const USAGE: &str = "\
carom's chores

  cargo xtask test [--long]         format, lints, tests, doctests, documentation, book, Python, cargo deny
                                    if it is installed; with --long also ten million random impacts
                                    per law instead of a hundred thousand
  cargo xtask test --python         the tests of the Python package alone
  cargo xtask bench [--counts]      speed table; with --counts also instructions per impact (needs valgrind)
  cargo xtask bench --python        what calls from Python cost
  cargo xtask docs                  rewrites the generated parts of README.md, builds the documentation and the book
  cargo xtask wheel                 a wheel of the Python package, in target/wheels (needs Python)
  cargo xtask fuzz [--minutes N] [TARGET]…
                                    each fuzz target, or those named, for N minutes, 10 unless told (needs a C++
                                    compiler)
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match words.as_slice() {
        ["test"] => test::run(test::Length::Default),
        ["test", "--python"] => test::python(),
        ["test", "--long"] => test::run(test::Length::Long),
        ["bench"] => bench::run(bench::Counts::Skip),
        ["bench", "--counts"] => bench::run(bench::Counts::Measure),
        ["bench", "--python"] => python::bench(),
        ["docs"] => docs::run(),
        ["wheel"] => python::wheel(),
        ["fuzz", words @ ..] => fuzz::run(words),
        [] | ["help" | "--help" | "-h"] => {
            print!("{USAGE}");
            return ExitCode::SUCCESS;
        }
        other => return wrong_usage(&format!("there is no chore `{}`", other.join(" "))),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            if !failure.is_reported() {
                eprintln!("{failure}");
            }
            ExitCode::FAILURE
        }
    }
}

fn wrong_usage(problem: &str) -> ExitCode {
    eprintln!("{problem}\n\n{USAGE}");
    ExitCode::from(2)
}
