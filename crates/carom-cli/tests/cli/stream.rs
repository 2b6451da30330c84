//! `--ndjson`: order, flushing, bad lines, exit codes.

use crate::support::{STEEL, U, W, carom_with_input, command, planar, repository};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

fn line(id: &str, law: &str) -> String {
    format!(
        r#"{{"id": {id}, "problem": {}, "law": "{law}", "expect": {{"mu": "x"}}}}"#,
        planar(W, U, STEEL)
    )
}

#[test]
fn answers_come_in_order_and_bad_lines_do_not_stop_them() {
    let input = [
        line("\"a\"", "smith"),
        "{\"id\": \"cut\", \"problem\": {\"delassus\": [[1".into(),
        String::new(),
        "no json at all".into(),
        "[1, 2]".into(),
        line("12345678901234567890", "frictionless"),
        line("{\"nested\": [1]}", "nobody"),
        r#"{"id": 5}"#.into(),
        line("null", "smith"),
    ]
    .join("\n");
    let run = carom_with_input(&["resolve", "--ndjson"], input.as_bytes());
    assert_eq!(run.code, 1);
    let answers = run.lines();
    let kinds: Vec<&Value> = answers.iter().map(|a| &a["error"]["kind"]).collect();
    let n = &Value::Null;
    let (parse, unknown, bad) = (&json!("parse"), &json!("unknown_law"), &json!("bad_problem"));
    assert_eq!(kinds, [n, parse, parse, parse, n, unknown, bad, n]);
    assert_eq!(answers[0]["id"], "a");
    assert!(answers[1]["id"].is_null() && answers[1].get("id").is_some());
    // Ids come back letter by letter, also those that are no f64.
    assert!(run.stdout.contains(r#"{"id":12345678901234567890,"#));
    assert_eq!(answers[5]["id"], json!({"nested": [1]}));
    assert_eq!(answers[6]["id"], 5);
}

/// All of `golden/` is asked of the library, in `crates/carom-io/tests/golden/`; here one line of each file.
#[test]
fn reference_answers_come_through() {
    let files = ["coulomb", "multi", "plus", "sequences", "single", "stiff"];
    let first = |file: &str| {
        let path = repository().join("golden").join(format!("{file}.ndjson"));
        let text = std::fs::read_to_string(path).expect("the file is there");
        text.lines().next().expect("a line").to_owned()
    };
    let lines = files.map(first);
    let run = carom_with_input(&["resolve", "--ndjson"], lines.join("\n").as_bytes());
    assert_eq!(run.code, 0, "{}", run.stdout);
    for (line, answer) in lines.iter().zip(run.lines()) {
        let line: Value = serde_json::from_str(line).expect("JSON");
        assert_eq!(answer["id"], line["id"]);
        let impulse = |value: &Value| -> Vec<f64> {
            let list = value["impulse"].as_array().expect("an impulse");
            list.iter().filter_map(Value::as_f64).collect()
        };
        let (got, wanted) = (impulse(&answer), impulse(&line["expect"]));
        let scale = wanted.iter().fold(0.0, |m: f64, p| m.max(p.abs()));
        let tolerance = line["tolerance"]["relative"].as_f64().expect("a tolerance");
        assert_eq!(got.len(), wanted.len());
        for (p, q) in got.iter().zip(&wanted) {
            assert!((p - q).abs() <= tolerance * scale, "{}: {got:?}, {wanted:?}", line["id"]);
        }
    }
}

#[test]
fn exit_status_is_zero_if_every_line_was_answered() {
    let input = [line("1", "smith"), line("2", "whittaker")].join("\n") + "\n";
    assert_eq!(carom_with_input(&["resolve", "--ndjson"], input.as_bytes()).code, 0);
    assert_eq!(carom_with_input(&["resolve", "--ndjson"], b"").code, 0);
}

#[test]
fn each_answer_is_flushed_before_the_next_question() {
    let mut child = command()
        .args(["resolve", "--ndjson"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("carom runs");
    let mut input = child.stdin.take().expect("it has an input");
    let mut output = BufReader::new(child.stdout.take().expect("it has an output"));
    for id in 0..3 {
        // Were the answer held back, this would wait for ever.
        writeln!(input, "{}", line(&id.to_string(), "smith")).expect("it listens");
        let mut answer = String::new();
        output.read_line(&mut answer).expect("it answers");
        let answer: Value = serde_json::from_str(&answer).expect("with JSON");
        assert_eq!(answer["id"], id);
    }
    drop(input);
    assert!(child.wait().expect("it ends").success());
}

#[test]
fn an_answer_has_every_key() {
    let run = carom_with_input(&["resolve", "--ndjson"], line("1", "routh-stronge").as_bytes());
    let answer = &run.lines()[0];
    let keys = |value: &Value| -> Vec<String> {
        value.as_object().expect("a table").keys().cloned().collect()
    };
    assert_eq!(
        keys(answer),
        [
            "id",
            "law",
            "impulse",
            "contact_velocity",
            "energy_change",
            "certificate",
            "effort",
            "notes"
        ]
    );
    assert_eq!(answer["law"], json!({"id": "routh-stronge", "phases": "cumulative"}));
    assert_eq!(
        keys(&answer["certificate"]),
        [
            "energy_change",
            "energy_available",
            "cone_margin",
            "normal_margin",
            "separation_margin",
            "momentum_residual",
            "bilateral_residual",
            "e_kinematic",
            "rounding",
            "verdict",
            "coulomb",
            "normal_work",
            "tangential_work",
            "e_kinetic",
            "e_energetic"
        ]
    );
    assert_eq!(keys(&answer["effort"]), ["steps", "compressions", "final_mode", "solutions"]);
    // What Stronge's law promises.
    let e = answer["certificate"]["e_energetic"].as_f64().expect("a number");
    assert!((e - 0.5).abs() < 1e-14, "{e}");
}

#[test]
fn a_law_may_come_from_the_line_the_problem_or_the_command() {
    let problem = planar(W, U, STEEL);
    let own = problem.replacen('{', r#"{"law": "smith", "#, 1);
    let input = [
        format!(r#"{{"id": 1, "problem": {own}, "law": {{"id": "whittaker"}}}}"#),
        format!(r#"{{"id": 2, "problem": {own}}}"#),
        format!(r#"{{"id": 3, "problem": {problem}}}"#),
    ]
    .join("\n");
    let laws = |arguments: &[&str]| -> Vec<Value> {
        let run = carom_with_input(arguments, input.as_bytes());
        run.lines().iter().map(|a| a["law"]["id"].clone()).collect()
    };
    assert_eq!(laws(&["resolve", "--ndjson"]), [json!("whittaker"), json!("smith"), Value::Null]);
    assert_eq!(laws(&["resolve", "--ndjson", "--law", "bilinear"])[..1], [json!("whittaker")]);
    let run = carom_with_input(&["resolve", "--ndjson"], input.as_bytes());
    let error = &run.lines()[2]["error"];
    assert_eq!(error["kind"], "parse");
    assert!(error["message"].as_str().expect("a text").contains("no `law`"), "{error}");
}

#[test]
fn infinite_friction_goes_in_and_out_as_text() {
    let problem = planar(W, U, r#"{"mu": "inf", "e": 0.5}"#);
    let input = format!(r#"{{"id": 1, "problem": {problem}, "law": "chatterjee-ruina"}}"#);
    let run = carom_with_input(&["resolve", "--ndjson"], input.as_bytes());
    assert_eq!(run.code, 0, "{}", run.stdout);
    // Bilateral contacts have no cone: its margin is infinite.
    let problem = planar(W, U, r#"{"kind": "bilateral", "e": 0}"#);
    let input = format!(r#"{{"id": 1, "problem": {problem}, "impulse": [1, 0]}}"#);
    let run = carom_with_input(&["certify", "--ndjson"], input.as_bytes());
    assert_eq!(run.lines()[0]["certificate"]["cone_margin"], "inf");
}

#[test]
fn foreign_impulses_are_certified() {
    let ask = |id: u32, impulse: &str| {
        format!(r#"{{"id": {id}, "problem": {}, "impulse": {impulse}}}"#, planar(W, U, STEEL))
    };
    // W = [[1, ½], [½, 2]], u⁻ = (−1, ¼): (1.5, 0) rebounds with e = ½; (4, 0) creates energy; (1.5, 1) leaves
    // the cone.
    let good = ask(1, "[1.5, 0]");
    let run = carom_with_input(&["certify", "--ndjson"], good.as_bytes());
    assert_eq!((run.code, &run.lines()[0]["certificate"]["verdict"]), (0, &json!("permissible")));
    let input = [good, ask(2, "[4, 0]"), ask(3, "[1.5, 1]")].join("\n");
    let run = carom_with_input(&["certify", "--ndjson"], input.as_bytes());
    assert_eq!(run.code, 3);
    let verdicts: Vec<Value> =
        run.lines().iter().map(|a| a["certificate"]["verdict"].clone()).collect();
    assert_eq!(verdicts[1], json!({"violates": ["energy"]}));
    assert!(verdicts[2]["violates"].as_array().expect("a list").contains(&json!("cone")));
    let input = [ask(1, "[4, 0]"), ask(2, "[1]"), ask(3, "\"x\"")].join("\n");
    let run = carom_with_input(&["certify", "--ndjson"], input.as_bytes());
    assert_eq!(run.code, 5, "errors and violations");
    assert_eq!(run.lines()[1]["error"]["kind"], "bad_problem");
    assert_eq!(run.lines()[2]["error"]["kind"], "bad_problem");
}
