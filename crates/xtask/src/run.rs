//! Sub-commands: started from the root of the workspace, their lines shown as they come and handed to a reader.

use std::ffi::OsString;
use std::fmt;
use std::io::{BufRead, BufReader, Read};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};

/// Why a chore stopped, as a sentence for the terminal; empty if the chore has said it already.
#[derive(Debug)]
pub struct Failure(pub String);

impl Failure {
    /// A failure that needs no more words.
    pub fn reported() -> Self {
        Self(String::new())
    }

    /// Whether there is anything left to say.
    pub fn is_reported(&self) -> bool {
        self.0.is_empty()
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The root of the workspace.
pub fn root() -> PathBuf {
    let here = std::env::var_os("CARGO_MANIFEST_DIR")
        .unwrap_or_else(|| OsString::from(env!("CARGO_MANIFEST_DIR")));
    PathBuf::from(here).join("..").join("..")
}

/// Where cargo builds.
pub fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

/// The cargo that runs this chore, at the root of the workspace.
pub fn cargo() -> Command {
    let mut command =
        Command::new(std::env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo")));
    command.current_dir(root());
    command
}

/// The whole command line. Every call on the workspace has it, so that dependencies are compiled once per profile.
pub const FULL: &str = "--features=carom-cli/full";

/// Builds programs and libraries as tests do. Of the whole workspace, and with examples, which count dependencies of tests
/// in: anything less would choose other features of what they depend on, and compile it once more.
pub fn built_for_tests() -> Result<(), Failure> {
    let everything = ["--profile", "test", "--workspace", FULL, "--lib", "--bins", "--examples"];
    show("programs and libraries", cargo().args(["build", "--quiet"]).args(everything))
}

/// Whether the command exists and succeeds. Its output is not shown.
pub fn succeeds(command: &mut Command) -> bool {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

/// Runs the command with its output on the terminal.
pub fn show(what: &str, command: &mut Command) -> Result<(), Failure> {
    println!("── {what}: {}", spelled(command));
    let status =
        command.status().map_err(|error| Failure(format!("{what} could not start: {error}")))?;
    if status.success() { Ok(()) } else { Err(Failure(format!("{what} failed ({status})"))) }
}

/// Runs the command, shows every line of both its streams and hands it to `read`. Answers whether it succeeded.
pub fn tee(command: &mut Command, read: impl FnMut(&str) + Send) -> Result<bool, Failure> {
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| Failure(format!("{} could not start: {error}", spelled(command))))?;
    let (out, err) = (child.stdout.take(), child.stderr.take());
    let read = Mutex::new(read);
    std::thread::scope(|scope| {
        scope.spawn(|| forward(err, &read));
        forward(out, &read);
    });
    let status =
        child.wait().map_err(|error| Failure(format!("{} was lost: {error}", spelled(command))))?;
    Ok(status.success())
}

fn forward(stream: Option<impl Read>, read: &Mutex<impl FnMut(&str)>) {
    let Some(stream) = stream else { return };
    let mut reader = BufReader::new(stream);
    let mut line = Vec::new();
    // Bytes, not `lines()`: a test may print what is not text.
    while reader.read_until(b'\n', &mut line).is_ok_and(|n| n > 0) {
        let text = String::from_utf8_lossy(&line);
        let mut read = read.lock().unwrap_or_else(PoisonError::into_inner);
        print!("{text}");
        read(text.trim_end());
        line.clear();
    }
}

/// The command as one would type it.
pub fn spelled(command: &Command) -> String {
    let program = std::path::Path::new(command.get_program());
    let name = program.file_name().unwrap_or(program.as_os_str());
    std::iter::once(name)
        .chain(command.get_args())
        .map(|word| word.to_string_lossy())
        .collect::<Vec<_>>()
        .join(" ")
}
