//! A command of the command line on an arbitrary problem file, from reading to printing. A checksum of the file says which.

#![no_main]

use carom_cli::cli::Cli;
use carom_cli::commands;
use carom_io::checksum::Checksum;
use clap::Parser;
use libfuzzer_sys::fuzz_target;
use std::path::PathBuf;
use std::sync::LazyLock;

static FILE: LazyLock<PathBuf> = LazyLock::new(|| {
    let memory = PathBuf::from("/dev/shm");
    let folder = if memory.is_dir() { memory } else { std::env::temp_dir() };
    folder.join(format!("carom-fuzz-{}.problem", std::process::id()))
});

const COMMANDS: [&[&str]; 10] = [
    &["resolve"],
    &["resolve", "--json", "--trace"],
    &["resolve", "--trace", "--law", "sequential"],
    &["explain"],
    &["explain", "--law", "newton-coulomb"],
    &["certify", "--impulse", "1,0.5,-0.25"],
    &["certify", "--json", "--impulse", "1"],
    &["compliant", "--max-steps", "2000"],
    &["compliant", "--json", "--history", "--max-steps", "500", "--law", "poisson-coulomb"],
    &["outcomes", "--json", "--samples", "20", "--orders", "2", "--stiffnesses", "1"],
];

fuzz_target!(|data: &[u8]| {
    // Generated chains may have millions of masses, and take the time that takes.
    let generated = data.windows(5).any(|word| word == b"count");
    if generated || std::fs::write(&*FILE, data).is_err() {
        return;
    }
    let which = Checksum::of(data).value() % COMMANDS.len() as u64;
    let command = COMMANDS[which as usize];
    let file = FILE.to_str().unwrap_or_default();
    let arguments = ["carom", command[0], file].into_iter().chain(command[1..].iter().copied());
    let cli = Cli::try_parse_from(arguments).expect("a command line");
    commands::run(cli);
});
