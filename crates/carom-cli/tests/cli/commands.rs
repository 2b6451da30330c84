//! What people see: compare, resolve, explain, certify, laws, schema, completions, help.

use crate::support::{
    STEEL, TemporaryFile, TemporaryFolder, U, W, carom, carom_with_input, command, planar,
    repository,
};
use serde_json::{Value, json};
use std::process::Stdio;

const KANE: &str = "scenarios/kane-double-pendulum.toml";

fn numbers(value: &Value) -> Vec<f64> {
    let list = value.as_array().expect("a list");
    list.iter().map(|x| x.as_f64().expect("a number")).collect()
}

#[test]
fn kanes_pendulum_has_its_published_matrix_and_velocity() {
    let run = carom(&["compare", KANE, "--json"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let answer = run.json();
    let problem = &answer["problem"];
    // Published with six digits, tangent first: W = [[2.44034, 1.52131], [1.52131, 1.00956]].
    let digits = 5e-6;
    let close = |x: f64, y: f64| assert!((x - y).abs() <= digits, "{x} is not {y}");
    let w: Vec<f64> =
        problem["delassus"].as_array().expect("rows").iter().flat_map(numbers).collect();
    for (x, y) in w.iter().zip([1.00956, 1.52131, 1.52131, 2.44034]) {
        close(*x, y);
    }
    for (x, y) in numbers(&problem["contact_velocity"]).iter().zip([-0.13420, -0.26717]) {
        close(*x, y);
    }
    let first = &answer["answers"][0]["certificate"];
    close(first["energy_available"].as_f64().expect("a number"), 0.0231814);
}

#[test]
fn every_scenario_compares_on_one_screen() {
    let directory = repository().join("scenarios");
    let mut seen = 0;
    for entry in std::fs::read_dir(directory).expect("there are scenarios") {
        let name = entry.expect("a file").file_name().into_string().expect("UTF-8");
        // A million masses are for laws that are asked one by one.
        if !(name.ends_with(".toml") || name.ends_with(".json")) || name == "long-chain.toml" {
            continue;
        }
        let run = carom(&["compare", &format!("scenarios/{name}")]);
        assert_eq!(run.code, 0, "{name}: {}", run.stderr);
        assert!(run.stdout.lines().count() <= 40, "{name}");
        for line in run.stdout.lines() {
            assert!(line.chars().count() <= 100, "{name}: {line}");
            assert!(!line.contains('\u{1b}'), "colour in a pipe: {line:?}");
        }
        seen += 1;
    }
    assert!(seen > 0);
}

#[test]
fn compare_lists_permissible_laws_first_and_says_what_is_wrong_with_the_others() {
    let run = carom(&["compare", KANE]);
    let line = |law: &str| {
        let position = run.stdout.lines().position(|l| l.starts_with(law));
        position.unwrap_or_else(|| panic!("{law} is not in\n{}", run.stdout))
    };
    assert!(line("smith") < line("whittaker") && line("composite") < line("whittaker"));
    assert!(run.stdout.contains("creates 58.75 % energy"), "{}", run.stdout);
    let answers = carom(&["compare", KANE, "--json"]).json();
    let verdicts: Vec<bool> = answers["answers"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|a| a["certificate"]["verdict"].is_object())
        .collect();
    assert!(verdicts.is_sorted(), "violations stand last");
}

#[test]
fn compare_of_the_pendulum() {
    insta::assert_snapshot!(carom(&["compare", KANE]).stdout);
}

#[test]
fn compare_in_space() {
    let problem = planar(
        "[[4, 4, -7], [4, 20, -23], [-7, -23, 31]]",
        "[-0.22, 630, -780]",
        r#"{"mu": 0.5, "e": 0.9, "e_t": 0.3}"#,
    );
    let run = carom_with_input(&["compare", "-"], problem.as_bytes());
    for line in run.stdout.lines() {
        assert!(line.chars().count() <= 100, "{line}");
    }
    insta::assert_snapshot!(run.stdout);
}

#[test]
fn compare_as_csv_has_one_row_per_law() {
    let run = carom(&["compare", KANE, "--csv"]);
    let rows: Vec<&str> = run.stdout.lines().collect();
    assert_eq!(
        rows[0],
        "law,reads_e,impulse_n,impulse_t,contact_velocity_n,contact_velocity_t,e_kinematic,\
         energy_change,energy_available,verdict,violates,velocity[0],velocity[1]"
    );
    let answers = carom(&["compare", KANE, "--json"]).json();
    assert_eq!(rows.len() - 1, answers["answers"].as_array().expect("a list").len());
    for row in &rows[1..] {
        assert_eq!(row.split(',').count(), 13, "{row}");
    }
}

#[test]
fn json_and_toml_give_the_same_answer() {
    let toml = r#"
        title = "the same"
        delassus = [[1, 0.5], [0.5, 2]]
        contact_velocity = [-1, 0.25]
        [[contacts]]
        mu = inf
        e = { minimum = 0.25, capture_speed = 0.01, plastic_speed = 2 }
    "#;
    let json = r#"{"title": "the same", "delassus": [[1, 0.5], [0.5, 2]], "contact_velocity": [-1, 0.25],
        "contacts": [{"mu": "inf", "e": {"minimum": 0.25, "capture_speed": 0.01, "plastic_speed": 2}}]}"#;
    let files = [
        TemporaryFile::new("same.toml", toml),
        TemporaryFile::new("same.json", json),
        // Without an extension the content decides.
        TemporaryFile::new("same-toml", toml),
        TemporaryFile::new("same-json", json),
    ];
    let answers: Vec<String> = files
        .iter()
        .map(|file| {
            let run = carom(&["resolve", file.path(), "--law", "routh-poisson", "--json"]);
            assert_eq!(run.code, 0, "{}", run.stderr);
            run.stdout
        })
        .collect();
    assert!(answers.iter().all(|a| *a == answers[0]));
}

/// A unit disk skids onto the floor, in every form a problem can take: W = diag(1, 3), u⁻ = (−1, −2).
#[test]
fn all_forms_of_one_problem_agree() {
    let contact = r#""mu": 0.25, "e": 0.5"#;
    let forms = [
        format!(
            r#"{{"delassus": [[1, 0], [0, 3]], "contact_velocity": [-1, -2], "contacts": [{{{contact}}}]}}"#
        ),
        // Coordinates x, y, angle; n = y, t = −x: the default tangent is n turned by 90°.
        format!(
            r#"{{"mass": [1, 1, 0.5], "jacobian": [[0, 1, 0], [-1, 0, -1]], "velocity": [2, -1, 0],
               "contacts": [{{{contact}}}]}}"#
        ),
        format!(
            r#"{{"mass": [[1, 0, 0], [0, 1, 0], [0, 0, 0.5]], "velocity": [2, -1, 0],
               "jacobian": {{"rows": [0, 1, 1], "cols": [1, 0, 2], "values": [1, -1, -1]}},
               "contacts": [{{{contact}}}]}}"#
        ),
        // The floor moves instead of the disk.
        format!(
            r#"{{"mass": [1, 1, 0.5], "jacobian": [[0, 1, 0], [-1, 0, -1]], "velocity": [0, 0, 0],
               "drive": [-1, -2], "contacts": [{{{contact}}}]}}"#
        ),
        format!(
            r#"{{"bodies": [{{"name": "floor", "fixed": true}},
                 {{"name": "disk", "mass": 1, "inertia": 0.5, "position": [0, 1], "velocity": [2, -1]}}],
               "contacts": [{{"a": "floor", "b": "disk", "point": [0, 0], "normal": [0, 1], {contact}}}]}}"#
        ),
    ];
    let answers: Vec<Value> = forms
        .iter()
        .map(|form| {
            let run = carom_with_input(
                &["resolve", "-", "--law", "routh-stronge", "--json"],
                form.as_bytes(),
            );
            assert_eq!(run.code, 0, "{}\n{form}", run.stderr);
            run.json()
        })
        .collect();
    // By hand: p_n = 1.5, and friction 0.25 · 1.5 slows −2 m/s to −0.875 m/s: sliding to the end.
    for answer in &answers {
        for (x, y) in numbers(&answer["impulse"]).iter().zip([1.5, 0.375]) {
            assert!((x - y).abs() < 4.0 * f64::EPSILON, "{answer}");
        }
    }
    assert!(
        answers[0].get("velocity").is_none() && answers[0].get("kinetic_energy_change").is_none()
    );
    for (x, y) in numbers(&answers[1]["velocity"]).iter().zip([1.625, 0.5, -0.75]) {
        assert!((x - y).abs() < 4.0 * f64::EPSILON, "{}", answers[1]);
    }
    assert_eq!(answers[1]["velocity"], answers[2]["velocity"]);
    let disk = &answers[4]["bodies"]["disk"];
    assert_eq!(disk["velocity"], json!([1.625, 0.5]));
    assert_eq!(disk["angular_velocity"], json!(-0.75));
    assert_eq!(answers[4]["bodies"]["floor"]["velocity"], json!([0.0, 0.0]));
}

#[test]
fn joints_and_bilateral_rows_report_their_impulse() {
    let pendulum = r#"{"bodies": [{"name": "world", "fixed": true},
          {"name": "rod", "mass": 1, "inertia": 0.08333333333333333, "position": [0.5, 0], "velocity": [0, -0.5],
           "angular_velocity": -1}],
        "joints": [{"type": "hinge", "a": "world", "b": "rod", "point": [0, 0]}],
        "contacts": [{"a": "world", "b": "rod", "point": [1, 0], "normal": [0, 1], "rows": 1, "e": 0}]}"#;
    let run = carom_with_input(&["resolve", "-", "--json"], pendulum.as_bytes());
    assert_eq!(run.code, 0, "{}", run.stderr);
    let answer = run.json();
    // A rod swinging about its end stops dead: p = I ω / l = 1/3, and the pin takes ½ − 1/3.
    assert!((numbers(&answer["impulse"])[0] - 1.0 / 3.0).abs() < 1e-15);
    let pin = numbers(&answer["bilateral_impulse"]);
    assert!(pin.len() == 2 && (pin[1] - 1.0 / 6.0).abs() < 1e-15, "{pin:?}");
    let residual = answer["certificate"]["bilateral_residual"].as_f64().expect("a number");
    assert!(residual < 1e-15);
}

#[test]
fn settings_come_from_the_command_line() {
    let file = TemporaryFile::new("settings.json", &planar(W, U, STEEL));
    let run = carom(&[
        "resolve",
        file.path(),
        "--law",
        "composite",
        "--set",
        "sigma=1",
        "--set",
        "incremental=routh-poisson",
        "--json",
    ]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let answer = run.json();
    // All weight on Chatterjee and Ruina's law, which is also what runs if nothing is asked for.
    let default = carom(&["resolve", file.path(), "--json"]).json();
    assert_eq!(default["law"]["id"], "chatterjee-ruina");
    assert_eq!(answer["impulse"], default["impulse"]);
    let run = carom(&["resolve", file.path(), "--law", "composite", "--set", "sigma=2", "--json"]);
    assert_eq!(run.code, 2);
    assert_eq!(run.json()["error"]["kind"], "bad_setting");
}

#[test]
fn a_trace_shows_events_and_with_json_the_points_between() {
    let run = carom(&["resolve", KANE, "--law", "routh-poisson", "--trace"]);
    for event in ["start", "maximum_compression", "end"] {
        assert!(run.stdout.contains(event), "{}", run.stdout);
    }
    let trace =
        carom(&["resolve", KANE, "--law", "routh-poisson", "--trace", "--json"]).json()["trace"]
            .clone();
    let events = trace["events"].as_array().expect("a list");
    assert_eq!(events[0]["event"], "start");
    assert_eq!(events[0]["impulse"], json!([0.0, 0.0]));
    assert!(trace["samples"].as_array().expect("a list").len() >= events.len());
}

#[test]
fn the_exit_code_says_whether_the_law_or_the_input_is_at_fault() {
    assert_eq!(carom(&["resolve", KANE, "--law", "bilinear"]).code, 1);
    assert_eq!(carom(&["resolve", KANE, "--law", "nobody"]).code, 2);
    assert_eq!(carom(&["resolve"]).code, 2);
    assert_eq!(carom(&["--help"]).code, 0);
}

#[test]
fn certify_tells_permissible_from_not_by_its_exit_code() {
    let file = TemporaryFile::new("certify.json", &planar(W, U, STEEL));
    let good = carom(&["certify", file.path(), "--impulse", "1.5,0"]);
    assert_eq!(good.code, 0, "{}", good.stderr);
    assert!(good.stdout.contains("permissible"), "{}", good.stdout);
    let bad = carom(&["certify", file.path(), "--impulse", "[-1, 0]", "--json"]);
    assert_eq!(bad.code, 3);
    let violates = &bad.json()["certificate"]["verdict"]["violates"];
    assert!(violates.as_array().expect("a list").contains(&json!("normal_impulse")));
}

#[test]
fn explain_names_what_is_violated_and_by_how_much() {
    let run = carom(&["explain", KANE, "--law", "whittaker"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stdout.contains("violated") && run.stdout.contains("58.75 %"), "{}", run.stdout);
    // W_nt/W_tt = 1.52131/2.44034: below that friction a stopped tip slides anew.
    assert!(run.stdout.contains("mu = 0.5 < 0.6234"), "{}", run.stdout);
    let run = carom(&["explain", KANE, "--impulse", "0.2,-0.01"]);
    assert!(!run.stdout.contains("violated"), "{}", run.stdout);
}

#[test]
fn laws_are_those_of_the_catalogue() {
    let run = carom(&["laws", "--json"]);
    let ids: Vec<Value> =
        run.json().as_array().expect("a list").iter().map(|r| r["id"].clone()).collect();
    let catalogue: Vec<&str> = carom::catalog::all().map(|row| row.id).collect();
    assert_eq!(ids, catalogue);
    let text = carom(&["laws"]).stdout;
    assert!(catalogue.iter().all(|id| text.contains(id)));
}

#[test]
fn completions_know_the_commands() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let run = carom(&["completions", shell]);
        assert_eq!(run.code, 0);
        assert!(run.stdout.contains("compare") && run.stdout.contains("ndjson"), "{shell}");
    }
}

#[test]
fn every_command_has_help_with_an_example() {
    for name in ["laws", "resolve", "compare", "explain", "certify", "schema", "completions"] {
        let run = carom(&[name, "--help"]);
        assert_eq!(run.code, 0);
        assert!(run.stdout.contains("Example"), "{}", run.stdout);
    }
    assert!(carom(&["--help"]).stdout.contains("Exit status"));
}

#[test]
fn colours_only_where_they_are_wanted() {
    let output = command()
        .env_remove("NO_COLOR")
        .env("CLICOLOR_FORCE", "1")
        .args(["compare", KANE])
        .output()
        .expect("carom runs");
    assert!(String::from_utf8_lossy(&output.stdout).contains('\u{1b}'));
}

/// Every command that the README prints runs, in a folder of its own because some write files; the stream gets an empty
/// input. (Building the book runs them as a shell does.)
#[test]
fn commands_of_the_readme_run() {
    let folder = TemporaryFolder::new("readme");
    for name in ["scenarios", "scenes", "sweeps"] {
        let copies = folder.path().join(name);
        std::fs::create_dir(&copies).expect("a folder");
        for entry in std::fs::read_dir(repository().join(name)).expect("a folder") {
            let entry = entry.expect("a file");
            std::fs::copy(entry.path(), copies.join(entry.file_name())).expect("a copy");
        }
    }
    let readme = std::fs::read_to_string(repository().join("README.md")).expect("a README");
    let commands: Vec<&str> =
        readme.lines().filter_map(|line| line.strip_prefix("carom ")).collect();
    assert!(commands.len() >= 7, "{commands:?}");
    for line in commands {
        let words = line.split('#').next().and_then(|c| c.split('<').next()).unwrap_or(line);
        let arguments: Vec<&str> = words.split_whitespace().collect();
        let output = command()
            .current_dir(folder.path())
            .args(&arguments)
            .stdin(Stdio::null())
            .output()
            .expect("carom runs");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{line}: {said}");
    }
}
