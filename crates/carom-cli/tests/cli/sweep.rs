//! `carom sweep` and `carom summarize`: designs, files, and what is left after a kill.

use crate::support::{Run, TemporaryFolder, carom, command};
use arrow_array::RecordBatch;
use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, UInt64Type};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

const PROBLEM: &str = "
delassus = [[1, 0.5], [0.5, 2]]
contact_velocity = [-1, 0.25]
contacts = [{ mu = 0.5, e = 0.5 }]
";

/// Two laws, a grid of six and five draws: sixty rows.
const SPEC: &str = r#"
problem = "problem.toml"
laws = ["chatterjee-ruina", { id = "composite", sigma = 0.25 }]
count = 5
seed = 11
[design]
mu = [0, 0.3, 0.6]
e = { from = 0, to = 1, steps = 2 }
"contact_velocity[1]" = { uniform = [-2, 2] }
"#;

struct Place {
    folder: TemporaryFolder,
    spec: PathBuf,
}

impl Place {
    fn new(name: &str, spec: &str) -> Self {
        let folder = TemporaryFolder::new(&format!("sweep-{name}"));
        fs::write(folder.path().join("problem.toml"), PROBLEM).unwrap();
        let path = folder.path().join("spec.toml");
        fs::write(&path, spec).unwrap();
        Self { folder, spec: path }
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn sweep(&self, out: &str, more: &[&str]) -> Run {
        let out = self.file(out);
        let mut arguments = vec!["sweep", text(&self.spec), "--out", text(&out)];
        arguments.extend(more);
        carom(&arguments)
    }
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

fn rows(path: &Path) -> Vec<RecordBatch> {
    let builder = ParquetRecordBatchReaderBuilder::try_new(File::open(path).unwrap()).unwrap();
    builder.build().unwrap().map(Result::unwrap).collect()
}

/// A column of numbers, row groups one after another.
fn numbers(batches: &[RecordBatch], name: &str) -> Vec<Option<f64>> {
    let column = |batch: &RecordBatch| -> Vec<Option<f64>> {
        batch.column_by_name(name).unwrap().as_primitive::<Float64Type>().iter().collect()
    };
    batches.iter().flat_map(column).collect()
}

fn texts(batches: &[RecordBatch], name: &str) -> Vec<Option<String>> {
    let column = |batch: &RecordBatch| -> Vec<Option<String>> {
        let column = batch.column_by_name(name).unwrap().as_string::<i32>().clone();
        column.iter().map(|text| text.map(str::to_owned)).collect()
    };
    batches.iter().flat_map(column).collect()
}

#[test]
fn every_point_under_every_law_is_there_once() {
    let place = Place::new("rows", SPEC);
    let run = place.sweep("out.parquet", &["--row-group", "7"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let batches = rows(&place.file("out.parquet"));
    let number = |name: &str| -> Vec<u64> {
        let column = |batch: &RecordBatch| {
            batch.column_by_name(name).unwrap().as_primitive::<UInt64Type>().values().to_vec()
        };
        batches.iter().flat_map(column).collect()
    };
    assert_eq!(number("row"), (0..60).collect::<Vec<_>>());
    assert_eq!(number("point"), (0..30).chain(0..30).collect::<Vec<_>>());
    let laws = texts(&batches, "law");
    assert!(laws[..30].iter().all(|law| law.as_deref() == Some("chatterjee-ruina")));
    assert!(laws[30..].iter().all(|law| law.as_deref() == Some("composite(sigma=0.25)")));
    let mut grid: Vec<(u64, u64)> = numbers(&batches, "mu")
        .iter()
        .zip(numbers(&batches, "e"))
        .map(|(mu, e)| ((10.0 * mu.unwrap()) as u64, e.unwrap() as u64))
        .collect();
    grid.sort_unstable();
    grid.dedup();
    assert_eq!(grid, [(0, 0), (0, 1), (3, 0), (3, 1), (6, 0), (6, 1)]);
    let drawn = numbers(&batches, "contact_velocity[1]");
    assert_eq!(drawn[..30], drawn[30..], "laws see the same impacts");
    let mut different: Vec<u64> = drawn[..30].iter().map(|x| x.unwrap().to_bits()).collect();
    different.sort_unstable();
    different.dedup();
    assert_eq!(different.len(), 30);
    assert!(drawn.iter().all(|x| (-2.0..=2.0).contains(&x.unwrap())));
    assert!(texts(&batches, "error").iter().all(Option::is_none));
}

/// A row is what `carom resolve` says about the same problem.
#[test]
fn rows_are_what_a_single_impact_gives() {
    let place = Place::new("single", SPEC);
    assert_eq!(place.sweep("out.parquet", &[]).code, 0);
    let batches = rows(&place.file("out.parquet"));
    for i in [0, 13, 29] {
        let value = |name: &str| numbers(&batches, name)[i].unwrap();
        let problem = format!(
            "delassus = [[1, 0.5], [0.5, 2]]\ncontact_velocity = [-1, {}]\ncontacts = [{{ mu = {}, e = {} }}]\n",
            value("contact_velocity[1]"),
            value("mu"),
            value("e")
        );
        let file = crate::support::TemporaryFile::new(&format!("single-{i}.toml"), &problem);
        let answer = carom(&["resolve", file.path(), "--json"]).json();
        assert_eq!(answer["certificate"]["cone_margin"].as_f64(), Some(value("cone_margin")));
        assert_eq!(answer["energy_change"].as_f64(), Some(value("energy_change")));
        let impulse = batches[0].column_by_name("impulse").unwrap().as_fixed_size_list().value(i);
        let impulse = impulse.as_primitive::<Float64Type>().values().to_vec();
        let expected: Vec<f64> =
            answer["impulse"].as_array().unwrap().iter().map(|p| p.as_f64().unwrap()).collect();
        assert_eq!(impulse, expected);
    }
}

#[test]
fn bytes_depend_on_nothing_but_the_spec() {
    let place = Place::new("bytes", SPEC);
    for (out, threads) in [("a.parquet", "1"), ("b.parquet", "2"), ("c.parquet", "7")] {
        let run = place.sweep(out, &["--threads", threads, "--row-group", "8"]);
        assert_eq!(run.code, 0, "{}", run.stderr);
        assert_eq!(fs::read(place.file(out)).unwrap(), fs::read(place.file("a.parquet")).unwrap());
        assert!(!place.file(&format!("{out}.parts")).exists());
    }
    let again = place.sweep("a.parquet", &["--row-group", "8"]);
    assert!(again.code == 0 && again.stdout.contains("finished"), "{}", again.stdout);
}

#[test]
fn rows_without_an_answer_say_why() {
    let spec = SPEC.replace("mu = [0, 0.3, 0.6]", "mu = [0.3, -1]");
    let place = Place::new("errors", &spec);
    let run = place.sweep("out.parquet", &["--law", "chatterjee-ruina", "--law", "brach"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let batches = rows(&place.file("out.parquet"));
    let errors = texts(&batches, "error");
    let energy = numbers(&batches, "energy_change");
    for (i, (error, mu)) in errors.iter().zip(numbers(&batches, "mu")).enumerate() {
        let negative = mu == Some(-1.0);
        // Brach's law wants ratios that nobody gave.
        assert_eq!(error.is_some(), negative || i >= 20, "row {i}: {error:?}");
        assert_eq!(error.is_some(), energy[i].is_none(), "row {i}");
        if let Some(error) = error.as_deref().filter(|_| negative) {
            assert!(error.starts_with("bad_problem: contacts[0].mu = -1"), "{error}");
        }
    }
    let summary = carom(&["summarize", text(&place.file("out.parquet")), "--json"]).json();
    assert_eq!(summary["rows"], 40);
    assert_eq!(summary["laws"][0]["errors"]["bad_problem"], 10);
    assert_eq!(summary["laws"][0]["energy_ratio"]["count"], 10);
    assert_eq!(summary["laws"][1]["energy_ratio"], serde_json::Value::Null);
}

#[test]
fn a_summary_counts_and_sorts() {
    let place = Place::new("summary", SPEC);
    assert_eq!(place.sweep("out.parquet", &["--law", "chatterjee-ruina"]).code, 0);
    let batches = rows(&place.file("out.parquet"));
    let run = carom(&["summarize", text(&place.file("out.parquet")), "--json"]);
    let law = &run.json()["laws"][0];
    assert_eq!(law["law"], "chatterjee-ruina");
    let shares = law["verdicts"].as_object().unwrap();
    assert_eq!(shares.values().map(|n| n.as_u64().unwrap()).sum::<u64>(), 30);
    let mut ratios: Vec<f64> = numbers(&batches, "energy_change")
        .iter()
        .zip(numbers(&batches, "energy_available"))
        .map(|(change, available)| (available.unwrap() + change.unwrap()) / available.unwrap())
        .collect();
    ratios.sort_by(f64::total_cmp);
    let quantiles = &law["energy_ratio"]["quantiles"];
    for (level, rank) in [("0.25", 8), ("0.5", 15), ("0.95", 29)] {
        let found = quantiles[level].as_f64().unwrap();
        assert!((found - ratios[rank - 1]).abs() <= 4.0 * f64::EPSILON, "{level}: {found}");
    }
    // e is 0 or 1 at every contact.
    assert!(law["e_kinematic"]["smallest"].as_f64().unwrap().abs() <= 4.0 * f64::EPSILON);
    assert!((law["e_kinematic"]["largest"].as_f64().unwrap() - 1.0).abs() <= 4.0 * f64::EPSILON);
    let screen = carom(&["summarize", text(&place.file("out.parquet"))]).stdout;
    assert!(screen.contains("chatterjee-ruina") && screen.contains("permissible"), "{screen}");
}

#[test]
fn files_that_are_no_answers_are_refused() {
    let place = Place::new("foreign", SPEC);
    let run = carom(&["summarize", text(&place.spec)]);
    assert!(run.code == 2 && run.stderr.contains("spec.toml"), "{}", run.stderr);
    let run = carom(&["summarize", text(&place.file("nowhere.parquet"))]);
    assert!(run.code == 2 && run.stderr.contains("nowhere.parquet"), "{}", run.stderr);
}

#[test]
fn bad_specs_name_field_and_value() {
    let change = |from: &str, to: &str| {
        assert!(SPEC.contains(from), "{from}");
        SPEC.replace(from, to)
    };
    for (spec, words) in [
        (change("mu = [0, 0.3, 0.6]", "mu = []"), ["mu", "[]"]),
        (change("mu = [0, 0.3, 0.6]", "mu = 0.5"), ["mu", "0.5"]),
        (change("mu = [0, 0.3, 0.6]", "\"velocity[7]\" = [1]"), ["velocity[7]", "no number"]),
        (change("mu = [0, 0.3, 0.6]", "\"mu[\" = [1]"), ["mu[", "no number"]),
        (change("steps = 2", "steps = 0"), ["e = ", "steps = 0"]),
        (change("steps = 2", "steps = 2.5"), ["e = ", "steps = 2.5"]),
        (change("steps = 2", "step = 2"), ["e = ", "`step`"]),
        (change("to = 1", "to = \"x\""), ["e = ", "to = \"x\""]),
        (change("uniform = [-2, 2]", "uniform = [2, -2]"), ["contact_velocity[1]", "[2, -2]"]),
        (change("uniform = [-2, 2]", "log_uniform = [-2, 2]"), ["contact_velocity[1]", "[-2, 2]"]),
        (change("uniform = [-2, 2]", "normal = [0, -1]"), ["contact_velocity[1]", "[0, -1]"]),
        (change("uniform = [-2, 2]", "normal = [0]"), ["contact_velocity[1]", "two finite"]),
        (change("uniform = [-2, 2]", "cauchy = [0, 1]"), ["contact_velocity[1]", "`cauchy`"]),
        (change("count = 5", "count = 0"), ["count", "0"]),
        (change("count = 5", "count = 1.5"), ["count", "1.5"]),
        (change("count = 5", ""), ["count", "contact_velocity[1]"]),
        (change("seed = 11", "seed = -1"), ["seed", "-1"]),
        (change("seed = 11", "sed = 1"), ["`sed`", "`seed`"]),
        (change("chatterjee-ruina", "chaterjee-ruina"), ["chaterjee-ruina", "chatterjee-ruina"]),
        (change("sigma = 0.25", "sigma = 2.5"), ["composite", "sigma"]),
        (change("problem.toml", "nowhere.toml"), ["nowhere.toml", ""]),
        (change("problem = \"problem.toml\"", "problem = 3"), ["problem", "3"]),
        (change("problem = \"problem.toml\"", ""), ["problem", "required"]),
        (change("[design]", "[desing]"), ["`desing`", "`design`"]),
        (change("laws = [", "laws = [\"chatterjee-ruina\", "), ["chatterjee-ruina", "twice"]),
        ("problem = ".into(), ["", ""]),
    ] {
        let place = Place::new("bad", &spec);
        let run = place.sweep("out.parquet", &[]);
        assert_eq!(run.code, 2, "{spec}\n{}", run.stderr);
        for word in words {
            assert!(run.stderr.contains(word), "`{word}` not in {}", run.stderr);
        }
        assert!(!place.file("out.parquet").exists());
    }
}

#[test]
fn what_is_there_is_not_overwritten() {
    let place = Place::new("there", SPEC);
    fs::write(place.file("out.parquet"), "precious").unwrap();
    let run = place.sweep("out.parquet", &[]);
    assert!(run.code == 2 && run.stderr.contains("--out"), "{}", run.stderr);
    assert_eq!(fs::read(place.file("out.parquet")).unwrap(), b"precious");
}

#[test]
fn parts_of_another_sweep_are_refused() {
    let place = Place::new("changed", SPEC);
    let parts = place.file("out.parquet.parts");
    fs::create_dir(&parts).unwrap();
    fs::write(parts.join("carom-sweep.json"), r#"{"carom.version": "0.0.0"}"#).unwrap();
    let run = place.sweep("out.parquet", &[]);
    assert!(run.code == 2 && run.stderr.contains("remove the"), "{}", run.stderr);
    assert!(parts.exists());
}

/// Random moments; the machine's own unrest does the rest.
fn moments(mut state: u64) -> impl FnMut(u64) -> u64 {
    println!("seed {state}");
    move |below| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    }
}

/// Twenty times `kill -9` at a random moment; the file is that of a sweep nobody touched.
#[test]
fn a_sweep_that_is_killed_again_and_again_loses_nothing() {
    const KILLS: usize = 20;
    let spec = SPEC.replace("count = 5", "count = 500");
    let place = Place::new("killed", &spec);
    let more = ["--row-group", "50", "--threads", "2"];
    let begin = std::time::Instant::now();
    assert_eq!(place.sweep("whole.parquet", &more).code, 0);
    let whole = fs::read(place.file("whole.parquet")).unwrap();
    let patience = (begin.elapsed().as_millis() as u64 / 4).max(4);
    let mut moment = moments(3);
    let mut kills = 0;
    let mut sweeps = 0;
    while kills < KILLS {
        sweeps += 1;
        assert!(sweeps < 200, "it is too fast to be killed");
        let out = place.file(&format!("killed-{sweeps}.parquet"));
        loop {
            let mut child = command()
                .args(["sweep", text(&place.spec), "--out", text(&out)])
                .args(more)
                .stdout(Stdio::null())
                .spawn()
                .expect("carom runs");
            if kills < KILLS {
                std::thread::sleep(Duration::from_millis(moment(patience)));
                let running = child.try_wait().expect("it can be asked").is_none();
                child.kill().expect("it can be killed");
                kills += usize::from(running);
            }
            let status = child.wait().expect("it ends");
            if status.success() {
                break;
            }
            assert_eq!(status.code(), None, "it ended by itself, and not well");
        }
        assert!(fs::read(&out).unwrap() == whole, "sweep {sweeps} differs after {kills} kills");
        assert!(!place.file(&format!("killed-{sweeps}.parquet.parts")).exists());
    }
}

/// Ctrl-C is told how to go on, and the parts that are there are not computed again.
#[cfg(unix)]
#[test]
fn a_sweep_that_is_interrupted_goes_on() {
    let spec = SPEC.replace("count = 5", "count = 200000");
    let place = Place::new("interrupted", &spec);
    let out = place.file("out.parquet");
    let parts = place.file("out.parquet.parts");
    let child = command()
        .args(["sweep", text(&place.spec), "--out", text(&out), "--row-group", "500"])
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("carom runs");
    let begin = std::time::Instant::now();
    let finished = || {
        let files = fs::read_dir(&parts).into_iter().flatten().flatten();
        files.filter(|file| file.path().extension().is_some_and(|e| e == "parquet")).count()
    };
    while finished() < 3 {
        assert!(begin.elapsed() < Duration::from_secs(60), "nothing is kept");
        std::thread::sleep(Duration::from_millis(5));
    }
    let sent = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(sent.expect("kill runs").success());
    let output = child.wait_with_output().expect("it ends");
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(130), "{message}");
    assert!(message.contains("goes on") && message.contains("parts"), "{message}");
    assert!(finished() >= 3 && !out.exists());
    let spec = spec.replace("seed = 11", "seed = 12");
    fs::write(&place.spec, spec).unwrap();
    let run = place.sweep("out.parquet", &["--row-group", "500"]);
    assert!(run.code == 2 && run.stderr.contains("another spec"), "{}", run.stderr);
}

/// Row groups are computed from their number: a sweep of any size begins at once, and stops when it is told to.
#[cfg(target_os = "linux")]
#[test]
fn a_sweep_of_any_size_begins_at_once_and_stops() {
    let spec = SPEC.replace("count = 5", "count = 1000000000000000");
    let place = Place::new("endless", &spec);
    let out = place.file("out.parquet");
    let child = command()
        .args(["sweep", text(&place.spec), "--out", text(&out), "--row-group", "1000"])
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("carom runs");
    let begin = std::time::Instant::now();
    let part = place.file("out.parquet.parts").join("00000002.parquet");
    while !part.exists() {
        assert!(begin.elapsed() < Duration::from_secs(60), "it does not begin");
        std::thread::sleep(Duration::from_millis(5));
    }
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    let most = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    let most: u64 = most.trim().trim_end_matches("kB").trim().parse().unwrap();
    assert!(most < 200_000, "{most} kB of memory for a thousand rows");
    let sent = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(sent.expect("kill runs").success());
    let stopped = std::time::Instant::now();
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(130));
    assert!(stopped.elapsed() < Duration::from_secs(10), "it does not stop");
    assert!(String::from_utf8_lossy(&output.stderr).contains("of 12000000000000000 rows"));
}

/// What no memory holds is refused before it is asked for.
#[cfg(target_os = "linux")]
#[test]
fn a_row_group_larger_than_memory_is_refused() {
    let spec = r#"
laws = ["newton"]
count = 1000000000
[problem.chain]
count = 20000
mass = 1
e = 0.5
velocity = { first = 1 }
[design]
"chain.velocity.first" = { uniform = [1, 2] }
"#;
    let place = Place::new("memory", spec);
    let run = place.sweep("out.parquet", &["--row-group", "16777216"]);
    assert!(run.code == 2 && run.stderr.contains("--row-group"), "{}: {}", run.code, run.stderr);
    assert!(!place.file("out.parquet.parts").exists());
}

/// The result of a sweep is recognised by what it is, and by its checksum.
#[test]
fn a_result_that_was_changed_is_not_taken_for_finished() {
    let place = Place::new("flipped", SPEC);
    let out = place.file("out.parquet");
    assert_eq!(place.sweep("out.parquet", &[]).code, 0);
    let whole = fs::read(&out).unwrap();
    let mut bytes = whole.clone();
    bytes[whole.len() / 2] ^= 4;
    fs::write(&out, &bytes).unwrap();
    for run in [place.sweep("out.parquet", &[]), carom(&["summarize", text(&out)])] {
        assert!(run.code == 2 && run.stderr.contains("changed since"), "{}", run.stderr);
    }
    assert_eq!(fs::read(&out).unwrap(), bytes);
    assert_eq!(place.sweep("out.parquet", &["--force"]).code, 0);
    assert_eq!(fs::read(&out).unwrap(), whole);
    // Another sweep is no reason to lose this one.
    let run = place.sweep("out.parquet", &["--law", "smith"]);
    assert!(run.code == 2 && run.stderr.contains("another sweep"), "{}", run.stderr);
    assert_eq!(fs::read(&out).unwrap(), whole);
    let summary = carom(&["summarize", text(&out), "--json"]).json();
    assert_eq!(summary["checked"], true);
}
