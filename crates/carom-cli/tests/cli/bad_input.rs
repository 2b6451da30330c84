//! Every class of bad input has a clear answer: the kind, the field, the value, and the place in the file.

use crate::support::{STEEL, TemporaryFile, U, W, carom, carom_with_input, planar};

/// The error that a line of a stream gets.
fn refused(problem: &str, law: &str) -> (String, String) {
    let line = format!(r#"{{"id": "q", "problem": {problem}, "law": {law}}}"#);
    let run = carom_with_input(&["resolve", "--ndjson"], line.as_bytes());
    assert_eq!(run.code, 1, "{}", run.stderr);
    let answers = run.lines();
    assert_eq!(answers.len(), 1);
    assert_eq!(answers[0]["id"], "q");
    let error = &answers[0]["error"];
    let text = |key: &str| error[key].as_str().expect("a text").to_owned();
    (text("kind"), text("message"))
}

#[track_caller]
fn assert_refused(problem: &str, law: &str, kind: &str, parts: &[&str]) {
    let (got, message) = refused(problem, law);
    assert_eq!(got, kind, "{message}");
    for part in parts {
        assert!(message.contains(part), "`{part}` is not in `{message}`");
    }
}

const LAW: &str = r#""chatterjee-ruina""#;

#[test]
fn an_entry_that_is_no_number() {
    let problem = planar(r#"[[1, "nan"], [0.5, 2]]"#, U, STEEL);
    assert_refused(&problem, LAW, "bad_problem", &["delassus[0][1] = \"nan\"", "number"]);
    let problem = planar(W, r#"[-1, null]"#, STEEL);
    assert_refused(&problem, LAW, "bad_problem", &["contact_velocity[1] = null"]);
}

#[test]
fn an_infinite_entry() {
    let problem = planar(r#"[[1, 0.5], [0.5, "inf"]]"#, U, STEEL);
    assert_refused(&problem, LAW, "bad_problem", &["delassus[1][1] = \"inf\""]);
    // Too large for a number: JSON itself cannot say infinity.
    let problem = planar(W, "[-1, 1e999]", STEEL);
    assert_refused(&problem, LAW, "parse", &["out of range"]);
    // TOML can.
    let toml =
        "delassus = [[1, 0.5], [0.5, 2]]\ncontact_velocity = [-inf, nan]\n[[contacts]]\ne = 0.5\n";
    let file = TemporaryFile::new("infinite.toml", toml);
    let run = carom(&["resolve", file.path()]);
    assert_eq!(run.code, 2);
    assert!(
        run.stderr.contains("contact_velocity[0] = -inf: must be a finite number"),
        "{}",
        run.stderr
    );
    assert!(run.stderr.contains(":2:21"), "{}", run.stderr);
}

#[test]
fn wrong_sizes() {
    let problem = planar("[[1, 0.5, 0], [0.5, 2, 0]]", U, STEEL);
    assert_refused(&problem, LAW, "bad_problem", &["delassus = a 2 × 3 matrix", "2 × 2"]);
    let problem = planar("[[1, 0.5], [0.5]]", U, STEEL);
    assert_refused(&problem, LAW, "bad_problem", &["delassus[1] = 1 numbers", "row 0"]);
    let problem = planar(W, "[-1, 0, 0, 0]", STEEL);
    assert_refused(&problem, LAW, "bad_problem", &["contacts", "4 rows", "`rows`"]);
    let problem =
        r#"{"mass": [1, 1], "jacobian": [[1, 0, 0]], "velocity": [1, 2], "contacts": [{"e": 1}]}"#;
    assert_refused(problem, LAW, "bad_problem", &["jacobian", "1 × 3", "1 × 2"]);
}

#[test]
fn an_asymmetric_matrix() {
    let problem = planar("[[1, 0.5], [-0.5, 2]]", U, STEEL);
    assert_refused(&problem, LAW, "bad_problem", &["delassus[1][0] = -0.5", "symmetric"]);
}

#[test]
fn an_indefinite_matrix() {
    let problem = planar("[[1, 3], [3, 2]]", U, STEEL);
    assert_refused(&problem, LAW, "bad_problem", &["delassus", "eigenvalue", "semidefinite"]);
}

#[test]
fn a_negative_mass() {
    let problem = r#"{"bodies": [{"name": "floor", "fixed": true}, {"name": "ball", "mass": -1, "position": [0, 1],
        "velocity": [0, -1]}], "contacts": [{"a": "floor", "b": "ball", "point": [0, 1], "normal": [0, 1], "e": 1}]}"#
        .replace('\n', " ");
    assert_refused(&problem, LAW, "bad_problem", &["bodies[1].mass = -1", "positive"]);
    let problem =
        r#"{"mass": [1, -2], "jacobian": [[1, 0]], "velocity": [-1, 0], "contacts": [{"e": 1}]}"#;
    assert_refused(problem, LAW, "bad_problem", &["mass[1]", "-2"]);
    let problem = r#"{"chain": {"mass": [1, -2], "velocity": [1, 0], "e": 1}}"#;
    assert_refused(problem, LAW, "bad_problem", &["chain.mass[1]", "-2"]);
}

#[test]
fn negative_friction() {
    let problem = planar(W, U, r#"{"mu": -0.5, "e": 0.5}"#);
    assert_refused(&problem, LAW, "bad_problem", &["contacts[0].mu = -0.5", "at least 0"]);
}

#[test]
fn restitution_out_of_range() {
    let problem = planar(W, U, r#"{"mu": 0.5, "e": 1.5}"#);
    assert_refused(&problem, LAW, "bad_problem", &["contacts[0].e = 1.5", "between 0 and 1"]);
    let problem = planar(W, U, r#"{"mu": 0.5, "e": -0.5}"#);
    assert_refused(&problem, LAW, "bad_problem", &["contacts[0].e = -0.5"]);
    let problem = planar(W, U, r#"{"mu": 0.5, "e": 0.5, "e_t": 2}"#);
    assert_refused(&problem, LAW, "bad_problem", &["contacts[0].e_t = 2"]);
}

#[test]
fn restitution_left_out() {
    let problem = planar(W, U, r#"{"mu": 0.5}"#);
    assert_refused(&problem, LAW, "bad_problem", &["contacts[0].e = (absent)", "required"]);
}

#[test]
fn an_unknown_law() {
    let problem = planar(W, U, STEEL);
    assert_refused(
        &problem,
        r#""routh-strong""#,
        "unknown_law",
        &["`routh-strong`", "`routh-stronge`"],
    );
}

#[test]
fn an_unknown_key() {
    let problem = planar(W, U, r#"{"mu": 0.5, "e": 0.5, "stifness": 2}"#);
    assert_refused(
        &problem,
        LAW,
        "bad_problem",
        &["contacts[0].stifness = 2", "did you mean `stiffness`"],
    );
    let problem = r#"{"delasus": [[1]], "contact_velocty": [-1], "contacts": [{"e": 1}]}"#;
    assert_refused(problem, LAW, "bad_problem", &["delasus", "did you mean `delassus`"]);
    // A key of another form of problem.
    let problem = planar(W, U, r#"{"e": 0.5, "point": [0, 0]}"#);
    assert_refused(&problem, LAW, "bad_problem", &["contacts[0].point", "unknown key"]);
}

#[test]
fn an_unknown_setting() {
    let problem = planar(W, U, STEEL);
    let law = r#"{"id": "routh-stronge", "phase": "first"}"#;
    assert_refused(&problem, law, "bad_setting", &["`phase`", "did you mean `phases`"]);
    let law = r#"{"id": "routh-stronge", "phases": "last"}"#;
    assert_refused(&problem, law, "bad_setting", &["`phases`", "\"last\""]);
    let law = r#"{"phases": "first"}"#;
    assert_refused(&problem, law, "bad_setting", &["`id`", "required"]);
}

#[test]
fn a_planar_law_in_space() {
    let problem = planar("[[1, 0, 0], [0, 2, 0], [0, 0, 2]]", "[-1, 1, 1]", STEEL);
    assert_refused(
        &problem,
        r#""pfeiffer-glocker""#,
        "not_applicable",
        &["pfeiffer-glocker", "3 rows"],
    );
}

#[test]
fn a_single_contact_law_on_several_contacts() {
    let problem = r#"{"chain": {"mass": [1, 1, 1], "velocity": [1, 0, 0], "e": 1}}"#;
    assert_refused(problem, r#""frictionless""#, "not_applicable", &["one contact", "2"]);
}

#[test]
fn no_contacts() {
    let problem = r#"{"delassus": [[1]], "contact_velocity": [-1], "contacts": []}"#;
    assert_refused(problem, LAW, "bad_problem", &["contacts = []", "at least one"]);
}

#[test]
fn a_separating_contact_is_answered_with_a_question() {
    let line = format!(r#"{{"id": 1, "problem": {}, "law": {LAW}}}"#, planar(W, "[1, 0]", STEEL));
    let run = carom_with_input(&["resolve", "--ndjson"], line.as_bytes());
    assert_eq!(run.code, 0);
    let answer = &run.lines()[0];
    assert_eq!(answer["impulse"], serde_json::json!([0.0, 0.0]));
    let note = answer["notes"][0].as_str().expect("a note");
    assert!(note.contains("does the normal point from A to B?"), "{note}");
    let problem = planar(W, "[1, 0]", STEEL).replacen('{', r#"{"separating": "refuse", "#, 1);
    assert_refused(&problem, LAW, "bad_problem", &["contacts[0]", "separating at 1 m/s", "normal"]);
}

#[test]
fn names_of_bodies_that_do_not_exist() {
    let problem = r#"{"bodies": [{"name": "floor", "fixed": true}, {"name": "ball", "mass": 1, "position": [0, 1]}],
        "contacts": [{"a": "flor", "b": "ball", "point": [0, 0], "normal": [0, 1], "e": 1}]}"#.replace('\n', " ");
    assert_refused(
        &problem,
        LAW,
        "bad_problem",
        &["contacts[0].a = \"flor\"", "did you mean `floor`"],
    );
    let twice =
        r#"{"bodies": [{"name": "a", "fixed": true}, {"name": "a", "mass": 1, "position": [0, 1]}],
        "contacts": []}"#
            .replace('\n', " ");
    assert_refused(&twice, LAW, "bad_problem", &["bodies[1].name = \"a\"", "another body"]);
}

#[test]
fn two_problems_in_one() {
    let problem =
        r#"{"delassus": [[1]], "contact_velocity": [-1], "mass": [1], "contacts": [{"e": 1}]}"#;
    assert_refused(problem, LAW, "bad_problem", &["at once"]);
    assert_refused("{}", LAW, "bad_problem", &["`delassus`", "`bodies`"]);
    assert_refused("7", LAW, "bad_problem", &["problem = 7", "table"]);
}

#[test]
fn a_small_file_that_would_fill_the_memory() {
    let contacts = vec![r#"{"e": 1, "rows": 3}"#; 20_000].join(",");
    let numbers = |x: &str| vec![x; 300].join(",");
    let (mass, velocity, row) = (numbers("1"), numbers("-1"), numbers("0"));
    let problem = format!(
        r#"{{"mass": [{mass}], "velocity": [{velocity}], "bilateral": [[{row}]],
        "jacobian": {{"rows": [0], "cols": [0], "values": [1]}}, "contacts": [{contacts}]}}"#
    );
    let problem = problem.replace('\n', " ");
    assert_refused(&problem, LAW, "limit", &["J M⁻¹ would be 60000 × 300"]);
    let chain = r#"{"chain": {"count": 1e12, "mass": 1, "velocity": {"first": 1}, "e": 1}}"#;
    assert_refused(chain, LAW, "limit", &["count", "1000000000000"]);
}

#[test]
fn a_generated_chain_that_does_not_add_up() {
    let refused = |chain: &str, words: &[&str]| {
        assert_refused(&format!(r#"{{"chain": {chain}}}"#), LAW, "bad_problem", words);
    };
    refused(r#"{"mass": 1, "velocity": {"first": 1}, "e": 1}"#, &["chain.count", "required"]);
    refused(r#"{"count": 3, "mass": [1, 1], "velocity": {}, "e": 1}"#, &["chain.mass", "3"]);
    refused(r#"{"count": 3, "mass": 1, "velocity": [1, 0], "e": 1}"#, &["chain.velocity"]);
    refused(r#"{"count": 3, "mass": 1, "velocity": {}, "e": [1]}"#, &["chain.e"]);
    refused(r#"{"count": 2.5, "mass": 1, "velocity": {}, "e": 1}"#, &["chain.count = 2.5"]);
    refused(r#"{"count": 1, "mass": 1, "velocity": {}, "e": 1}"#, &["two masses"]);
    refused(r#"{"count": 3, "mass": -1, "velocity": {}, "e": 1}"#, &["chain.mass = -1"]);
    refused(r#"{"count": 3, "mass": 1, "velocity": {}, "e": -1}"#, &["chain.e = -1"]);
    refused(
        r#"{"count": 3, "mass": 1, "velocity": {"frist": 1}, "e": 1}"#,
        &["chain.velocity.frist", "did you mean `first`?"],
    );
}

#[test]
fn a_large_file_is_refused_unread() {
    let path = std::env::temp_dir().join(format!("carom-{}-large.json", std::process::id()));
    let file = std::fs::File::create(&path).expect("the temporary directory can be written");
    file.set_len(100 << 20).expect("a sparse file");
    let start = std::time::Instant::now();
    let run = carom(&["resolve", path.to_str().expect("UTF-8")]);
    let elapsed = start.elapsed();
    std::fs::remove_file(&path).expect("it was there");
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("limit") && run.stderr.contains("64 MiB"), "{}", run.stderr);
    assert!(elapsed.as_secs() < 5, "{elapsed:?}");
}

#[test]
fn a_line_over_the_limit_is_skipped() {
    let mut input = vec![b' '; (64 << 20) + 10];
    input.push(b'\n');
    let good = format!(r#"{{"id": 2, "problem": {}, "law": {LAW}}}"#, planar(W, U, STEEL));
    input.extend(good.as_bytes());
    let run = carom_with_input(&["resolve", "--ndjson"], &input);
    assert_eq!(run.code, 1);
    let answers = run.lines();
    assert_eq!(answers[0]["error"]["kind"], "limit");
    assert!(answers[0]["id"].is_null());
    assert_eq!(answers[1]["id"], 2);
    assert!(answers[1]["impulse"].is_array());
}

#[test]
fn deep_nesting_is_refused() {
    let deep = "[".repeat(100_000) + &"]".repeat(100_000);
    let run = carom_with_input(&["resolve", "-"], deep.as_bytes());
    assert_eq!(run.code, 2);
    let line = format!(r#"{{"id": 1, "problem": {deep}}}"#);
    let run = carom_with_input(&["resolve", "--ndjson"], line.as_bytes());
    assert_eq!(run.lines()[0]["error"]["kind"], "parse");
}

#[test]
fn errors_in_files_show_the_line_and_the_key() {
    let json = "{\n  \"delassus\": [[1, 0.5],\n               [0.5, 2]],\n  \"contact_velocity\": [-1, 0],\n  \"contacts\": [{\"mu\": -0.5, \"e\": 1}]\n}\n";
    let toml = "delassus = [[1, 0.5], [0.5, 2]]\ncontact_velocity = [-1, 0]\n\n[[contacts]]\nmu = -0.5\ne = 1\n";
    for (name, text, place, line) in
        [("shown.json", json, ":5:17", "\"mu\": -0.5"), ("shown.toml", toml, ":5:1", "mu = -0.5")]
    {
        let file = TemporaryFile::new(name, text);
        let run = carom(&["resolve", file.path()]);
        assert_eq!(run.code, 2);
        for part in ["contacts[0].mu = -0.5", "at least 0", name, place, line] {
            assert!(run.stderr.contains(part), "`{part}` is not in\n{}", run.stderr);
        }
    }
}

#[test]
fn files_that_do_not_parse_show_where() {
    for (name, text, place) in [
        ("broken.json", "{\n  \"delassus\": [[1,, 2]]\n}", ":2:19"),
        ("broken.toml", "title = \"x\"\ndelassus = [[1,, 2]]\n", ":2:16"),
    ] {
        let file = TemporaryFile::new(name, text);
        let run = carom(&["compare", file.path()]);
        assert_eq!(run.code, 2);
        assert!(run.stderr.contains("parse: "), "{}", run.stderr);
        assert!(run.stderr.contains(place), "`{place}` is not in\n{}", run.stderr);
    }
    let file = TemporaryFile::new("latin1.toml", "");
    std::fs::write(&file.0, b"title = \"caf\xe9\"").expect("it can be written");
    let run = carom(&["compare", file.path()]);
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("UTF-8"), "{}", run.stderr);
}

#[test]
fn a_law_in_the_file_is_blamed_in_the_file() {
    let toml = "delassus = [[1]]\ncontact_velocity = [-1]\nlaw = \"smit\"\n[[contacts]]\ne = 1\n";
    let file = TemporaryFile::new("law.toml", toml);
    let run = carom(&["resolve", file.path()]);
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("did you mean `smith`"), "{}", run.stderr);
    assert!(run.stderr.contains(":3:1"), "{}", run.stderr);
}

#[test]
fn a_file_that_is_not_there() {
    let run = carom(&["compare", "no/such/file.toml"]);
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("no/such/file.toml"), "{}", run.stderr);
}

#[test]
fn a_bad_impulse() {
    let file = TemporaryFile::new("impulse.json", &planar(W, U, STEEL));
    let run = carom(&["certify", file.path(), "--impulse", "1,x"]);
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("`x`"), "{}", run.stderr);
    let run = carom(&["certify", file.path(), "--impulse", "1,2,3"]);
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("impulse = 3 numbers"), "{}", run.stderr);
}
