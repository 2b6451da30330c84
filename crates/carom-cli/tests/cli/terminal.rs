//! Text of others never acts on a terminal, and whatever stands in front of a stream does no harm.

use crate::support::{TemporaryFile, TemporaryFolder, carom, carom_with_input, command};
use std::process::Stdio;

/// Clears the screen, sets the title, reverses text, colours it, and does so without an escape.
const HOSTILE: &str = "\u{1b}[2J\u{1b}]0;owned\u{7}\u{9b}31m\u{202e}\u{1b}[35mx\r";

/// What a terminal would get.
fn shown(arguments: &[&str], input: &str) -> String {
    let mut child = command()
        .args(arguments)
        .env_remove("NO_COLOR")
        .env("CLICOLOR_FORCE", "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("carom runs");
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), input.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    text(output.stdout) + &text(output.stderr)
}

/// Bold, dim, green, red and their end are carom's own.
fn acts(text: &str) -> Option<String> {
    let own = ["\u{1b}[0m", "\u{1b}[1m", "\u{1b}[2m", "\u{1b}[31m", "\u{1b}[32m"];
    let rest = own.iter().fold(text.to_owned(), |text, style| text.replace(style, ""));
    let at = rest.find(|c: char| (c.is_control() && c != '\n') || c == '\u{202e}')?;
    Some(rest[at..].chars().take(20).collect::<String>().escape_debug().to_string())
}

#[test]
fn names_keys_and_values_do_not_act_on_a_terminal() {
    let quoted = serde_json::to_string(HOSTILE).unwrap();
    let good = format!(
        r#"{{"title": {quoted}, "description": {quoted}, "bodies": [{{"name": "floor", "fixed": true}},
            {{"name": {quoted}, "mass": 1, "inertia": 0.1, "position": [0, 1], "velocity": [1, -1]}}],
            "contacts": [{{"a": "floor", "b": {quoted}, "point": [0.3, 0], "normal": [0, 1], "e": 0.5, "mu": 0.3}}]}}"#
    );
    // Raw, as an editor would save it: only JSON asks for escapes.
    let raw = HOSTILE.replace('\r', "");
    let bad = [
        good.replace("\"mass\": 1", &format!("\"mass\": {quoted}")),
        good.replace("\"mass\"", &quoted),
        good.replace("\"fixed\": true", &format!("\"fixed\": true, {quoted}: 1")),
        good.replace("\"b\": ", &format!("\"b\": {quoted}, \"c\": ")),
        good.replace("\"title\"", &format!("\"law\": {quoted}, \"title\"")),
        good.replace(
            "\"title\"",
            &format!("\"law\": {{\"id\": \"composite\", \"sigma\": {quoted}}}, \"title\""),
        ),
        format!("title = \"{raw}\"\n"),
        format!("# {raw}\n[[contacts]]\n{raw} = 1\n"),
    ];
    let file = TemporaryFile::new("terminal.json", &good);
    for command in [
        vec!["resolve"],
        vec!["resolve", "--json"],
        vec!["compare"],
        vec!["compare", "--csv"],
        vec!["compare", "--json"],
        vec!["explain"],
        vec!["compliant"],
        vec!["compliant", "--json"],
        vec!["outcomes", "--samples", "10", "--orders", "2", "--stiffnesses", "2"],
        vec!["plot"],
        vec!["plot", "--csv"],
        vec!["certify", "--impulse", "1,0"],
    ] {
        let mut arguments = vec![command[0], file.path()];
        arguments.extend(&command[1..]);
        let text = shown(&arguments, "");
        assert!(text.len() > 50, "{command:?}: {text}");
        assert_eq!(acts(&text), None, "{command:?}");
    }
    for text in bad {
        let text = shown(&["resolve", "-"], &text);
        assert!(text.contains(": "), "{text}");
        assert_eq!(acts(&text), None, "{text}");
    }
    for arguments in [
        vec!["resolve", HOSTILE],
        vec!["resolve", "a", HOSTILE],
        vec![HOSTILE],
        vec!["resolve", "scenarios/box-corner.toml", "--law", HOSTILE],
        vec![
            "resolve",
            "scenarios/box-corner.toml",
            "--law",
            "composite",
            "--set",
            &format!("sigma={HOSTILE}"),
        ],
        vec!["certify", "scenarios/box-corner.toml", "--impulse", HOSTILE],
        vec!["plot", "scenarios/box-corner.toml", "--sweep", HOSTILE],
        vec!["plot", "scenarios/box-corner.toml", "--out", HOSTILE],
        vec!["figures", "--out", "x", "--paper", HOSTILE],
        vec!["sweep", HOSTILE, "--out", HOSTILE],
        vec!["summarize", HOSTILE],
        vec!["simulate", HOSTILE],
        vec!["simulate", "scenes/conveyor.toml", "--law", HOSTILE],
        vec!["simulate", "scenes/conveyor.toml", "--at", HOSTILE],
    ] {
        let text = shown(&arguments, "");
        assert!(text.len() > 10, "{arguments:?}: {text}");
        assert_eq!(acts(&text), None, "{arguments:?}: {text}");
    }
}

#[test]
fn file_names_do_not_act_on_a_terminal() {
    let folder = TemporaryFolder::new("terminal-names");
    let path = folder.path().join(HOSTILE.replace('/', ""));
    std::fs::write(&path, "{\"mass\": }").unwrap();
    let path = path.to_str().unwrap();
    assert_eq!(acts(&shown(&["resolve", path], "")), None);
    let scenario = std::fs::read("scenarios/box-corner.toml")
        .or_else(|_| std::fs::read(crate::support::repository().join("scenarios/box-corner.toml")));
    std::fs::write(path, scenario.unwrap()).unwrap();
    let text = shown(&["compare", path], "");
    assert!(text.contains("chatterjee-ruina"), "{text}");
    assert_eq!(acts(&text), None);
}

#[test]
fn streams_do_not_act_on_a_terminal() {
    let id = "\"a\u{9b}31m\u{202e}\u{7f}é\"";
    let problem = r#"{"delassus": [[1]], "contact_velocity": [-1], "contacts": [{"e": 0.5}]}"#;
    let line = format!("{{\"id\": {id}, \"problem\": {problem}, \"law\": \"newton\"}}\n");
    let bad = format!("{{\"id\": {id}, \"problem\": {{\"a\u{9b}\": 1}}, \"law\": \"a\u{9b}\"}}\n");
    let run = carom_with_input(&["resolve", "--ndjson"], (line + &bad).as_bytes());
    assert_eq!(acts(&run.stdout), None, "{}", run.stdout);
    let expected: serde_json::Value = serde_json::from_str(id).unwrap();
    for answer in run.lines() {
        assert_eq!(answer["id"], expected);
    }
}

#[test]
fn a_stream_may_begin_with_a_byte_order_mark() {
    let problem = r#"{"delassus": [[1]], "contact_velocity": [-1], "contacts": [{"e": 0.5}]}"#;
    let line = format!("{{\"id\": 1, \"problem\": {problem}, \"law\": \"newton\"}}\n");
    for front in ["\u{feff}", "\u{feff}\n", "\u{feff}  \r\n"] {
        let run =
            carom_with_input(&["resolve", "--ndjson"], format!("{front}{line}{line}").as_bytes());
        assert_eq!((run.code, run.lines().len()), (0, 2), "{front:?}: {}", run.stdout);
    }
    // Elsewhere it is no mark.
    let run =
        carom_with_input(&["resolve", "--ndjson"], format!("{line}\u{feff}{line}").as_bytes());
    assert_eq!(run.code, 1, "{}", run.stdout);
}

#[test]
fn a_stream_with_errors_and_violations_says_both() {
    let problem = r#"{"delassus": [[1]], "contact_velocity": [-1], "contacts": [{"e": 0.5}]}"#;
    let judge = |impulses: &[&str]| {
        let lines: Vec<String> = impulses
            .iter()
            .map(|p| format!("{{\"id\": 1, \"problem\": {problem}, \"impulse\": {p}}}\n"))
            .collect();
        carom_with_input(&["certify", "--ndjson"], lines.concat().as_bytes())
    };
    assert_eq!(judge(&["[1.5]"]).code, 0);
    assert_eq!(judge(&["[1.5]", "[1, 2]"]).code, 1);
    assert_eq!(judge(&["[1.5]", "[-1]"]).code, 3);
    let both = judge(&["[1.5]", "[-1]", "[1, 2]", "\"x\""]);
    assert_eq!(both.code, 5);
    assert!(both.stderr.contains("2 of 4 lines had errors; 1 of the 2"), "{}", both.stderr);
}

#[test]
fn a_setting_that_is_no_number_is_named() {
    for value in ["nan", "inf", "true", "[1]"] {
        let run = carom(&[
            "resolve",
            "scenarios/box-corner.toml",
            "--law",
            "composite",
            "--set",
            &format!("sigma={value}"),
        ]);
        assert_eq!(run.code, 2);
        let shown = if value == "[1]" { "a list of 1" } else { value };
        assert!(run.stderr.contains("sigma") && run.stderr.contains(shown), "{}", run.stderr);
    }
}

#[test]
fn a_compliant_run_has_no_infinities() {
    let problem = r#"{"mass":[1,1,1],"jacobian":[[-1,1,0],[0,-1,1]],"velocity":[-1e308,0,0],"contacts":[{"e":0.1},{"e":1}]}"#;
    for more in [&[][..], &["--json"]] {
        let mut arguments = vec!["compliant", "-"];
        arguments.extend(more);
        let run = carom_with_input(&arguments, problem.as_bytes());
        assert!(
            !run.stdout.contains("inf") && !run.stdout.contains("kinetic_start"),
            "{}",
            run.stdout
        );
        assert!(run.code == 2 && run.stderr.contains("contact_velocity"), "{}", run.stderr);
    }
}

#[test]
fn the_version_says_which_build_and_what_it_answers() {
    let run = carom(&["--version", "--verbose"]);
    let answers = carom_io::fingerprint::answers();
    assert!(run.stdout.contains(&answers.digits()), "{}", run.stdout);
    assert!(run.stdout.contains(&carom_io::build::identity()), "{}", run.stdout);
    assert_eq!(run.code, i32::from(answers.value() != carom_io::fingerprint::EXPECTED));
    assert_eq!(carom(&["--verbose", "--version"]).stdout, run.stdout);
    assert_eq!(carom(&["--version"]).stdout.trim(), concat!("carom ", env!("CARGO_PKG_VERSION")));
}
