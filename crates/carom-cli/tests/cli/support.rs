//! Running the binary.

use serde_json::Value;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

pub struct Run {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Run {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code().expect("the program ended by itself"),
            stdout: String::from_utf8(output.stdout).expect("output is UTF-8"),
            stderr: String::from_utf8(output.stderr).expect("messages are UTF-8"),
        }
    }

    pub fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|e| panic!("{e} in {}", self.stdout))
    }

    /// The answers of a stream.
    pub fn lines(&self) -> Vec<Value> {
        let parse = |line| serde_json::from_str(line).expect("every answer is JSON");
        self.stdout.lines().map(parse).collect()
    }
}

pub fn command() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_carom"));
    command.current_dir(repository()).env("NO_COLOR", "1");
    command
}

pub fn carom(arguments: &[&str]) -> Run {
    Run::from(command().args(arguments).output().expect("carom runs"))
}

pub fn carom_with_input(arguments: &[&str], input: &[u8]) -> Run {
    let mut child = command()
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("carom runs");
    let mut stdin = child.stdin.take().expect("it has an input");
    let input = input.to_vec();
    // Written beside the reading: a stream answers before it has read everything.
    let writer = std::thread::spawn(move || {
        // A program that refuses its input early closes it, which is no fault of the test.
        let _ = stdin.write_all(&input);
    });
    let output = child.wait_with_output().expect("carom ends");
    writer.join().expect("the input was written");
    Run::from(output)
}

pub fn repository() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// A file that disappears with the test.
pub struct TemporaryFile(pub PathBuf);

impl TemporaryFile {
    pub fn new(name: &str, text: &str) -> Self {
        let path = std::env::temp_dir().join(format!("carom-{}-{name}", std::process::id()));
        std::fs::write(&path, text).expect("the temporary directory can be written");
        Self(path)
    }

    pub fn path(&self) -> &str {
        self.0.to_str().expect("the path is UTF-8")
    }
}

impl Drop for TemporaryFile {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// An empty folder that disappears with the test.
pub struct TemporaryFolder(PathBuf);

impl TemporaryFolder {
    pub fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("carom-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&path).expect("the temporary directory can be written");
        Self(path)
    }

    pub fn path(&self) -> &std::path::Path {
        &self.0
    }
}

impl Drop for TemporaryFolder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A planar problem with one contact, the given keys of the contact and of the problem replaced.
pub fn planar(delassus: &str, velocity: &str, contact: &str) -> String {
    format!(
        r#"{{"delassus": {delassus}, "contact_velocity": {velocity}, "contacts": [{contact}]}}"#
    )
}

pub const W: &str = "[[1, 0.5], [0.5, 2]]";
pub const U: &str = "[-1, 0.25]";
pub const STEEL: &str = r#"{"mu": 0.5, "e": 0.5}"#;
