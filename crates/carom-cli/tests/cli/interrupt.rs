//! Ctrl-C stops cleanly.

use crate::support::{STEEL, U, W, command, planar};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

fn interrupt(child: &Child) {
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(sent.expect("kill runs").success());
}

/// Waits for the end, but not for ever.
fn status(mut child: Child) -> Option<i32> {
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs(30) {
        if let Some(status) = child.try_wait().expect("it can be asked") {
            return status.code();
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    child.kill().expect("it can be ended");
    panic!("Ctrl-C did not end it");
}

#[test]
fn a_stream_that_waits_ends_at_once_and_its_lines_are_whole() {
    let mut child = command()
        .args(["resolve", "--ndjson"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("carom runs");
    let mut input = child.stdin.take().expect("it has an input");
    let mut output = BufReader::new(child.stdout.take().expect("it has an output"));
    let mut messages = child.stderr.take().expect("it has messages");
    let problem = planar(W, U, STEEL);
    writeln!(input, r#"{{"id": 1, "problem": {problem}, "law": "smith"}}"#).expect("it listens");
    let mut answer = String::new();
    output.read_line(&mut answer).expect("it answers");
    interrupt(&child);
    assert_eq!(status(child), Some(130));
    let mut rest = String::new();
    output.read_to_string(&mut rest).expect("UTF-8");
    assert!(answer.ends_with('\n') && rest.is_empty(), "{answer}{rest}");
    let mut message = String::new();
    messages.read_to_string(&mut message).expect("UTF-8");
    assert!(message.contains("interrupted"), "{message}");
}

/// Long work hears of it, too. Whether it was just over or not: no line is cut off.
#[test]
fn a_stream_that_works_stops_between_two_lines() {
    let mut child = command()
        .args(["resolve", "--ndjson"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("carom runs");
    let mut input = child.stdin.take().expect("it has an input");
    let mut output = BufReader::new(child.stdout.take().expect("it has an output"));
    let ask = |n: usize| {
        format!(
            r#"{{"id": 1, "law": "mosterman", "problem": {{"chain": {{"count": {n}, "mass": 1,
            "velocity": {{"first": 1}}, "e": 0.9}}}}}}"#
        )
        .replace('\n', "")
    };
    writeln!(input, "{}", ask(3)).expect("it listens");
    let mut answer = String::new();
    output.read_line(&mut answer).expect("it answers");
    writeln!(input, "{}", ask(3000)).expect("it listens");
    std::thread::sleep(Duration::from_millis(300));
    interrupt(&child);
    assert_eq!(status(child), Some(130));
    let mut rest = String::new();
    output.read_to_string(&mut rest).expect("UTF-8");
    assert!(rest.is_empty() || rest.ends_with('\n'), "{rest}");
}

/// A mass between two walls rings for ever; Ctrl-C ends it.
#[test]
fn a_compliant_run_stops() {
    let mut child = command()
        .args(["compliant", "-", "--max-steps", "1000000000", "--max-time", "1e9"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("carom runs");
    let mut input = child.stdin.take().expect("it has an input");
    let problem = r#"{"delassus": [[1, -1], [-1, 1]], "contact_velocity": [-1, 1],
        "contacts": [{"e": 1}, {"e": 1}]}"#;
    input.write_all(problem.as_bytes()).expect("it listens");
    drop(input);
    let mut messages = child.stderr.take().expect("it has messages");
    std::thread::sleep(Duration::from_millis(500));
    interrupt(&child);
    assert_eq!(status(child), Some(130));
    let mut message = String::new();
    messages.read_to_string(&mut message).expect("UTF-8");
    assert!(message.contains("interrupted"), "{message}");
}
