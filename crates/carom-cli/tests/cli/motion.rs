//! What the comments in `scenes/` tell the reader to look for is there, and how `carom simulate` shows it.

use crate::support::{carom, carom_with_input, repository};
use serde_json::Value;
#[cfg(unix)]
use std::time::Duration;

fn follow(scene: &str, options: &[&str]) -> Value {
    follow_to(0, scene, options)
}

/// With the exit status that is expected.
fn follow_to(code: i32, scene: &str, options: &[&str]) -> Value {
    let file = format!("scenes/{scene}.toml");
    let run = carom(&[&["simulate", &file, "--json"][..], options].concat());
    assert_eq!(run.code, code, "{scene}: {}", run.stderr);
    run.json()
}

/// The times of the events of a kind.
fn times(answer: &Value, kind: &str) -> Vec<f64> {
    let events = answer["events"].as_array().expect("a list").iter();
    events.filter(|e| e["kind"] == kind).map(|e| e["t"].as_f64().expect("a time")).collect()
}

/// The comment gives this many digits after the point.
#[track_caller]
fn shows(value: f64, written: f64, digits: i32) {
    let half = 0.5 * 10f64.powi(-digits);
    assert!((value - written).abs() <= half, "{value} is not {written}");
}

#[track_caller]
fn number(answer: &Value, pointer: &str) -> f64 {
    let value = answer.pointer(pointer).and_then(Value::as_f64);
    value.unwrap_or_else(|| panic!("no number at {pointer} in {answer}"))
}

#[test]
fn every_scene_is_followed_to_its_end_and_its_ledger_closes() {
    for entry in std::fs::read_dir(repository().join("scenes")).expect("a folder") {
        let path = entry.expect("a file").path();
        let name = path.file_stem().and_then(|n| n.to_str()).expect("a name in UTF-8");
        if path.extension().is_none_or(|e| e != "toml") {
            continue;
        }
        let answer = follow(name, &[]);
        let ledger = &answer["ledger"];
        let size: f64 = ledger
            .as_object()
            .expect("a table")
            .values()
            .filter_map(Value::as_f64)
            .map(f64::abs)
            .sum();
        let residual = number(&answer, "/ledger/residual");
        // 1e-9 of the largest energy and works per hundred events.
        assert!(residual.abs() <= 1e-8 * size, "{name}: {ledger}");
    }
}

#[test]
fn the_ball_comes_to_rest() {
    let answer = follow("bouncing-ball", &[]);
    for (time, written) in times(&answer, "impact").into_iter().zip([0.4515, 1.1740, 1.7519]) {
        shows(time, written, 4);
    }
    shows(times(&answer, "accumulation")[0], 4.06371, 5);
    assert_eq!(answer["end"]["reason"], "rest");
    shows(number(&answer, "/ledger/impacts"), -19.62, 8);
}

#[test]
fn the_superball_comes_back() {
    let answer = follow("superball", &["--at", "0.8,1.6,2.4"]);
    for (i, (vx, spin)) in [(-0.514, 82.9), (1.2, -60.0), (-0.514, 82.9)].into_iter().enumerate() {
        shows(number(&answer, &format!("/samples/{i}/bodies/ball/velocity/0")), vx, 3);
        shows(number(&answer, &format!("/samples/{i}/bodies/ball/angular_velocity/1")), spin, 1);
    }
    shows(number(&answer, "/ledger/impacts"), 0.0, 9);
}

#[test]
fn the_blow_goes_through_the_cradle() {
    // Before the last ball comes back.
    let answer = follow("newtons-cradle", &["--at", "0.6"]);
    let four: Vec<f64> = times(&answer, "impact").into_iter().filter(|t| *t < 0.6).collect();
    assert_eq!(four.len(), 4);
    assert!(number(&answer, "/samples/0/bodies/ball 5/velocity/0") > 1.5, "{answer}");
}

#[test]
fn collisions_count_pi() {
    let answer = follow("galperin-pi", &[]);
    assert_eq!(answer["events"].as_array().map(Vec::len), Some(31));
    assert_eq!(times(&answer, "impact").len(), 31);
    shows(number(&answer, "/ledger/end"), 50.0, 11);
}

#[test]
fn the_rack_breaks_pair_by_pair() {
    let answer = follow("billiards-break", &[]);
    let impacts = times(&answer, "impact");
    shows(impacts[0], 0.1516, 4);
    assert_eq!(impacts.iter().filter(|t| **t < impacts[0] + 0.004).count(), 27);
    assert!(
        answer["events"].as_array().expect("a list").iter().all(|event| {
            event["contacts"].as_array().is_some_and(|contacts| contacts.len() == 1)
        })
    );
    let other = follow("billiards-break", &["--law", "newton"]);
    shows(number(&other, "/ledger/end"), number(&answer, "/ledger/end"), 9);
}

#[test]
fn the_disk_rolls_without_an_event() {
    let answer = follow("rolling-disk", &[]);
    assert_eq!(answer["events"].as_array().map(Vec::len), Some(0));
    let first = number(&answer, "/ledger/start");
    assert!((number(&answer, "/ledger/end") - first).abs() <= 1e-12 * first, "{answer}");
}

#[test]
fn the_tippe_top_turns_over() {
    let answer = follow("tippe-top", &["--at", "0,0.5,1,2,3,4"]);
    for work in ["impacts", "damping", "forces", "drives"] {
        shows(number(&answer, &format!("/ledger/{work}")), 0.0, 15);
    }
    shows(number(&answer, "/samples/0/bodies/top/position/2"), 0.017, 3);
    shows(number(&answer, "/samples/5/bodies/top/position/2"), 0.023, 3);
    let inertia = [2.994285714285714e-6, 2.994285714285714e-6, 3.2e-6];
    let numbers = |value: &Value| -> Vec<f64> {
        value.as_array().expect("a list").iter().filter_map(Value::as_f64).collect()
    };
    let jellett = |sample: &Value| {
        let top = &sample["bodies"]["top"];
        let q = numbers(&top["orientation"]);
        let spin = numbers(&top["angular_velocity"]);
        let (w, [x, y, z]) = (q[0], [q[1], q[2], q[3]]);
        let axes = [
            [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + w * z), 2.0 * (x * z - w * y)],
            [2.0 * (x * y - w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + w * x)],
            [2.0 * (x * z + w * y), 2.0 * (y * z - w * x), 1.0 - 2.0 * (x * x + y * y)],
        ];
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        // From the contact to the centre of mass: up to the middle of the ball, then along its axis.
        let arm = [-0.003 * axes[2][0], -0.003 * axes[2][1], 0.02 - 0.003 * axes[2][2]];
        (0..3).map(|i| inertia[i] * dot(&axes[i], &spin) * dot(&axes[i], &arm)).sum::<f64>()
    };
    let samples = answer["samples"].as_array().expect("a list");
    let first = jellett(&samples[0]);
    for sample in samples {
        assert!((jellett(sample) - first).abs() <= 1e-10 * first.abs(), "{sample}");
    }
    // Spun about its own axis, it does not turn over.
    let text = std::fs::read_to_string(repository().join("scenes/tippe-top.toml")).expect("a file");
    let spin = "angular_velocity = [0.0, 0.0, 155.0]";
    assert!(text.contains(spin));
    let along = "angular_velocity = [45.80563203, 0.0, 148.07715581]";
    let run = carom_with_input(&["simulate", "-", "--json"], text.replace(spin, along).as_bytes());
    assert!(number(&run.json(), "/samples/1/bodies/top/position/2") < 0.018, "{}", run.stdout);
}

#[test]
fn the_slider_lies_flat_after_many_impacts() {
    let answer = follow("slider-crank-clearance", &["--every", "0.0005"]);
    shows(1e3 * times(&answer, "impact")[0], 2.38, 2);
    let ends = times(&answer, "accumulation");
    assert_eq!(ends.len(), 3, "{ends:?}");
    for (time, written) in ends.iter().zip([6.26, 30.27, 66.26]) {
        shows(1e3 * time, written, 2);
    }
    for sample in answer["samples"].as_array().expect("a list") {
        let slider = &sample["bodies"]["slider"];
        let (y, turn) = (number(slider, "/position/1"), number(slider, "/orientation"));
        let half = 0.05 * turn.sin().abs() + 0.025 * turn.cos();
        assert!(y.abs() + half <= 0.026 + 1e-11, "{sample}");
    }
}

#[test]
fn the_woodpecker_pecks() {
    let answer = follow("woodpecker", &["--at", "0.08,0.23,0.386,0.546,0.708"]);
    let events = answer["events"].as_array().expect("a list").iter();
    let beak = events
        .filter(|e| e["contacts"].as_array().is_some_and(|c| c.iter().any(|c| c["b"] == "bird")))
        .filter_map(|e| e["t"].as_f64());
    let beak: Vec<f64> = beak.collect();
    for (time, written) in beak.iter().zip([0.078, 0.229, 0.385, 0.545, 0.707]) {
        shows(*time, written, 3);
    }
    assert!(times(&answer, "stick").len() >= 5 && times(&answer, "slip").len() >= 5);
    let height = |k: usize| number(&answer, &format!("/samples/{k}/bodies/sleeve/position/1"));
    for k in 2..5 {
        let fallen = height(k - 1) - height(k);
        assert!((0.022..0.026).contains(&fallen), "{fallen}");
    }
}

#[test]
fn the_block_stands_in_the_end() {
    let answer = follow("rocking-block", &[]);
    for (time, written) in times(&answer, "impact").into_iter().zip([0.3235, 0.6914, 0.9320]) {
        shows(time, written, 4);
    }
    shows(times(&answer, "accumulation")[0], 1.4694, 4);
    assert_eq!(answer["end"]["reason"], "rest");
    assert!(times(&answer, "slip").is_empty() && times(&answer, "separation").is_empty());
}

#[test]
fn the_wheel_walks() {
    let answer = follow("rimless-wheel", &[]);
    let times = times(&answer, "impact");
    assert_eq!(times.len(), 5);
    shows(times[0], 0.677118436956, 9);
    for pair in times.windows(2) {
        shows(pair[1] - pair[0], 0.677118436956, 7);
    }
}

#[test]
fn the_ball_leaves_the_table_each_period() {
    let answer = follow("shaking-table", &[]);
    let (left, landed) = (times(&answer, "separation"), times(&answer, "accumulation"));
    shows(left[0], 0.02770562, 8);
    shows(left[1], 0.22770562, 7);
    shows(landed[0], 0.13473933, 6);
    shows(landed[1], 0.33473933, 6);
    assert_eq!(answer["end"]["reason"], "duration");
}

#[test]
fn the_rod_jams_at_once() {
    let answer = follow("painleve-rod", &[]);
    assert_eq!(answer["events"][0]["kind"], "impact");
    assert_eq!(answer["events"][0]["collision"], false);
    assert_eq!(number(&answer, "/events/0/t"), 0.0);
}

#[test]
fn the_ladder_leaves_the_wall() {
    let answer = follow("ladder", &[]);
    shows(times(&answer, "separation")[0], 0.597528, 6);
    shows(times(&answer, "impact")[0], 0.838357, 6);
}

#[test]
fn the_brick_tumbles_and_another_law_makes_another_motion() {
    // Laws for one contact end where two corners strike at once.
    let answer = follow_to(1, "brick-toss", &["--law", "chatterjee-ruina", "--at", "0.46"]);
    assert_eq!(answer["end"]["reason"], "impact");
    for (time, written) in times(&answer, "impact").into_iter().zip([0.410789, 0.451639, 0.451870])
    {
        shows(time, written, 6);
    }
    let other = follow_to(1, "brick-toss", &["--law", "routh-stronge", "--at", "0.46"]);
    shows(times(&other, "impact")[0], 0.410789, 6);
    assert_ne!(answer["samples"], other["samples"]);
}

#[test]
fn the_loop_stays_closed() {
    let answer = follow("slider-crank", &["--every", "0.1"]);
    assert_eq!(answer["events"].as_array().map(Vec::len), Some(0));
    for sample in answer["samples"].as_array().expect("a list") {
        shows(number(sample, "/bodies/piston/position/1"), 0.0, 10);
    }
    shows(number(&answer, "/ledger/end"), 4.9485568, 7);
}

#[test]
fn sliding_becomes_rolling_on_the_belt() {
    let answer = follow("conveyor", &[]);
    shows(times(&answer, "stick")[0], 0.25484, 5);
    shows(number(&answer, "/samples/1/bodies/ball/velocity/0"), 0.5, 8);
    shows(number(&answer, "/ledger/drives"), 0.75, 8);
    shows(number(&answer, "/ledger/friction"), -0.375, 8);
}

#[test]
fn samples_change_no_bit_of_the_motion() {
    let plain = follow("brick-toss", &[]);
    let sampled = follow("brick-toss", &["--every", "0.013"]);
    for key in ["events", "ledger", "end"] {
        assert_eq!(plain[key], sampled[key]);
    }
}

#[test]
fn one_screen_says_what_happened() {
    let run = carom(&["simulate", "scenes/bouncing-ball.toml", "--check"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    for word in [
        "A ball bounces to rest",
        "accumulation",
        "at rest",
        "energy",
        "more; --json",
        "ten times the tolerances",
        "try ",
    ] {
        assert!(run.stdout.contains(word), "{word} is not in\n{}", run.stdout);
    }
    assert!(run.stdout.lines().count() <= 45, "{}", run.stdout);
}

#[test]
fn samples_are_a_table() {
    let run = carom(&["simulate", "scenes/conveyor.toml", "--every", "0.5", "--csv"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let lines: Vec<&str> = run.stdout.lines().collect();
    assert_eq!(lines[0], "t,body,x,y,angle,vx,vy,omega");
    assert_eq!(lines.len(), 1 + 3 * 2);
    assert!(lines[2].starts_with("0,ball,0,0.1,0,"), "{}", lines[2]);
}

/// A motion that cannot be followed to its end is answered as far as it goes, and the status says so.
#[test]
fn too_many_events_are_an_end() {
    let scene =
        std::fs::read_to_string(repository().join("scenes/bouncing-ball.toml")).expect("a scene");
    let scene = format!("max_events = 3\n{scene}");
    let run = carom_with_input(&["simulate", "-", "--json"], scene.as_bytes());
    assert_eq!(run.code, 1, "{}", run.stderr);
    let answer = run.json();
    assert_eq!(answer["end"]["reason"], "too-many-events");
    assert!(answer["end"]["message"].is_string());
}

/// As many answers as questions, each with the id of its question.
#[test]
fn the_reference_motions_go_through_a_stream() {
    let questions = std::fs::read(repository().join("golden/motions.ndjson")).expect("the file");
    let run = carom_with_input(&["simulate", "--ndjson"], &questions);
    // Some scenes there must be refused.
    assert_eq!(run.code, 1, "{}", run.stderr);
    let ids = |text: &str| -> Vec<Value> {
        let lines = text.lines().map(|l| serde_json::from_str::<Value>(l).expect("JSON"));
        lines.map(|line| line["id"].clone()).collect()
    };
    assert_eq!(ids(&run.stdout), ids(std::str::from_utf8(&questions).expect("UTF-8")));
}

#[test]
fn names_do_not_act_on_a_terminal() {
    let scene =
        std::fs::read_to_string(repository().join("scenes/conveyor.toml")).expect("a scene");
    let scene = scene.replace("\"ball\"", "\"a\\u001B[2Jb\\u009B31m\"");
    for options in [&[][..], &["--json"], &["--csv"], &["--check"]] {
        let run = carom_with_input(&[&["simulate", "-"][..], options].concat(), scene.as_bytes());
        assert_eq!(run.code, 0, "{options:?}: {}", run.stderr);
        let acts = run.stdout.contains(|c: char| c.is_control() && c != '\n');
        assert!(!acts, "{options:?}: {:?}", run.stdout);
    }
}

/// Ctrl-C ends a motion with what there is.
#[cfg(unix)]
#[test]
fn a_motion_stops() {
    use crate::support::command;
    use std::process::{Command, Stdio};
    let scene =
        std::fs::read_to_string(repository().join("scenes/superball.toml")).expect("a scene");
    let scene = scene.replace("duration = 3.0", "duration = 1e7\nmax_events = 1e9");
    let file = crate::support::TemporaryFile::new("long.toml", &scene);
    let child = command()
        .args(["simulate", file.path(), "--json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("carom runs");
    std::thread::sleep(Duration::from_millis(500));
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(sent.expect("kill runs").success());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(130));
    let answer: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(answer["end"]["reason"], "interrupted");
    assert!(String::from_utf8_lossy(&output.stderr).contains("interrupted"));
}

#[cfg(feature = "sweep")]
#[test]
fn samples_are_a_parquet_file() {
    use parquet::file::reader::{FileReader, SerializedFileReader};
    let folder = crate::support::TemporaryFolder::new("samples");
    let out = folder.path().join("samples.parquet");
    let out = out.to_str().expect("UTF-8");
    for _ in 0..2 {
        // A second time it replaces what carom wrote.
        let run = carom(&["simulate", "scenes/conveyor.toml", "--every", "0.5", "--out", out]);
        assert_eq!(run.code, 0, "{}", run.stderr);
    }
    let file = std::fs::File::open(out).expect("a file");
    let reader = SerializedFileReader::new(file).expect("Parquet");
    let metadata = reader.metadata().file_metadata();
    assert_eq!(metadata.num_rows(), 3 * 2);
    let names: Vec<&str> =
        metadata.schema_descr().columns().iter().map(|column| column.name()).collect();
    assert_eq!(names, ["t", "body", "x", "y", "angle", "vx", "vy", "omega"]);
}
