//! Files of motions: they hold the numbers, they carry their scene, and they are not overwritten by mistake.

use crate::support::{Run, TemporaryFolder, carom, repository};
use serde_json::Value;
use std::path::PathBuf;

const BLOCK: &str = "scenes/rocking-block.toml";

struct Written {
    folder: TemporaryFolder,
}

impl Written {
    fn new(name: &str) -> Self {
        Self { folder: TemporaryFolder::new(name) }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// `carom simulate` with this file as `--out`.
    fn write(&self, scene: &str, name: &str, options: &[&str]) -> Run {
        let out = self.path(name);
        let out = out.to_str().expect("UTF-8");
        carom(&[&["simulate", scene, "--out", out][..], options].concat())
    }
}

/// What a message says, put together from its lines.
fn said(run: &Run) -> String {
    run.stderr
        .split_whitespace()
        .filter(|word| !["|", "│"].contains(word))
        .collect::<Vec<_>>()
        .join(" ")
}

/// Rows of a CSV, its comment left out, by column.
fn columns(text: &str) -> Vec<(String, Vec<String>)> {
    let mut lines = text.lines().filter(|line| !line.starts_with('#'));
    let head = lines.next().expect("a heading").split(',');
    let mut columns: Vec<(String, Vec<String>)> =
        head.map(|name| (name.to_owned(), Vec::new())).collect();
    for line in lines {
        let fields: Vec<&str> = line.split(',').collect();
        assert_eq!(fields.len(), columns.len(), "{line}");
        for ((_, column), field) in columns.iter_mut().zip(fields) {
            column.push(field.to_owned());
        }
    }
    columns
}

#[test]
fn files_of_a_motion_give_it_again() {
    let written = Written::new("motion-again");
    let expected = carom(&["simulate", BLOCK, "--law", "newton-coulomb", "--json"]).json();
    let forms =
        if cfg!(feature = "sweep") { &["csv", "glb", "parquet"][..] } else { &["csv", "glb"] };
    for form in forms {
        let name = format!("block.{form}");
        let run = written.write(BLOCK, &name, &["--law", "newton-coulomb"]);
        assert_eq!(run.code, 0, "{}", run.stderr);
        let path = written.path(&name);
        let path = path.to_str().expect("UTF-8");
        let again = carom(&["simulate", path, "--json"]);
        assert_eq!(again.code, 0, "{}", again.stderr);
        for key in ["events", "ledger", "end", "effort", "samples"] {
            assert_eq!(again.json()[key], expected[key], "{form}: {key}");
        }
        let picture = carom(&["plot", path]);
        assert_eq!(picture.code, 0, "{}", picture.stderr);
        assert!(picture.stdout.starts_with("<svg"));
    }
}

#[test]
fn events_are_a_table_of_their_own() {
    let written = Written::new("motion-events");
    let events = written.path("events.csv");
    let run = written.write(BLOCK, "samples.csv", &["--events", events.to_str().expect("UTF-8")]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let answer = carom(&["simulate", BLOCK, "--json"]).json();
    let told = answer["events"].as_array().expect("a list");
    let table = columns(&std::fs::read_to_string(&events).expect("the file"));
    let column = |name: &str| {
        &table.iter().find(|(known, _)| known == name).unwrap_or_else(|| panic!("{name}")).1
    };
    let mut row = 0;
    for (k, event) in told.iter().enumerate() {
        let contacts = event["contacts"].as_array().expect("a list");
        for place in 0..contacts.len().max(1) {
            assert_eq!(column("event")[row], k.to_string());
            assert_eq!(column("t")[row].parse::<f64>().ok(), event["t"].as_f64());
            assert_eq!(Value::from(column("kind")[row].clone()), event["kind"]);
            if let Some(contact) = contacts.get(place) {
                assert_eq!(Value::from(column("b")[row].clone()), contact["b"]);
                assert_eq!(column("py")[row].parse::<f64>().ok(), contact["impulse"][1].as_f64());
            }
            row += 1;
        }
    }
    assert_eq!(row, column("t").len());
}

#[test]
fn only_what_carom_wrote_is_replaced() {
    let written = Written::new("motion-replaced");
    let ball = "scenes/bouncing-ball.toml";
    assert_eq!(written.write(BLOCK, "a.glb", &[]).code, 0);
    assert_eq!(written.write(ball, "a.glb", &[]).code, 0);
    let path = written.path("a.glb");
    let mut bytes = std::fs::read(&path).expect("the file");
    *bytes.last_mut().expect("a byte") ^= 1;
    std::fs::write(&path, &bytes).expect("the file");
    let run = written.write(BLOCK, "a.glb", &[]);
    assert_eq!(run.code, 2);
    assert!(said(&run).contains("was changed since carom wrote it"), "{}", run.stderr);
    assert_eq!(std::fs::read(&path).expect("the file"), bytes);
    assert_eq!(written.write(BLOCK, "a.glb", &["--force"]).code, 0);
}

#[test]
fn what_cannot_be_written_or_read_is_named() {
    let written = Written::new("motion-refused");
    for (name, word) in [("a.xlsx", "must end in .parquet, .csv or .glb"), ("a", "must end in")] {
        let run = written.write(BLOCK, name, &[]);
        assert_eq!(run.code, 2);
        assert!(said(&run).contains(word), "{}", run.stderr);
    }
    let run = carom(&["simulate", BLOCK, "--events", "a.glb"]);
    assert!(run.code == 2 && said(&run).contains(".parquet or .csv"), "{}", run.stderr);
    // Files that others wrote, and origins that were changed.
    for (name, bytes) in [
        ("foreign.csv", &b"t,body\n0,a\n"[..]),
        ("broken.csv", b"# carom.origin {\"scene\": 3}\n"),
        ("torn.csv", b"# carom.origin {\"sce"),
        ("short.glb", b"glTF"),
        ("wrong.glb", b"glTF\x02\0\0\0\xff\xff\xff\xff\xff\xff\xff\xffJSON{}"),
    ] {
        let path = written.path(name);
        std::fs::write(&path, bytes).expect("the file");
        let run = carom(&["simulate", path.to_str().expect("UTF-8")]);
        assert_eq!(run.code, 2, "{name}: {}", run.stdout);
        assert!(run.stderr.contains(name), "{name}: {}", run.stderr);
    }
}

#[test]
fn every_scene_is_a_valid_animation() {
    let written = Written::new("motion-gltf");
    for entry in std::fs::read_dir(repository().join("scenes")).expect("a folder") {
        let path = entry.expect("a file").path();
        if path.extension().is_none_or(|end| end != "toml") {
            continue;
        }
        let stem = path.file_stem().and_then(|stem| stem.to_str()).expect("UTF-8");
        let name = format!("{stem}.glb");
        let run = written.write(path.to_str().expect("UTF-8"), &name, &[]);
        assert_eq!(run.code, 0, "{stem}: {}", run.stderr);
        let bytes = std::fs::read(written.path(&name)).expect("the file");
        let file = gltf::Gltf::from_slice(&bytes).unwrap_or_else(|error| panic!("{stem}: {error}"));
        let scene: toml::Table =
            std::fs::read_to_string(&path).expect("the scene").parse().expect("TOML");
        let bodies = scene["bodies"].as_array().expect("a list").len();
        assert_eq!(file.document.nodes().len(), bodies + 1, "{stem}");
        let animation = file.document.animations().next().expect("an animation");
        let buffer = file.blob.as_deref().expect("binary data");
        for channel in animation.channels() {
            let reader = channel.reader(|_| Some(buffer));
            let times: Vec<f32> = reader.read_inputs().expect("times").collect();
            assert!(times.len() > 100 && times.windows(2).all(|pair| pair[0] < pair[1]), "{stem}");
        }
    }
}

#[test]
fn an_animation_goes_where_the_motion_goes() {
    let written = Written::new("motion-gltf-values");
    let times = "0,0.3,0.7,1.5";
    assert_eq!(written.write("scenes/tippe-top.toml", "top.glb", &["--at", times]).code, 0);
    let run = carom(&["simulate", "scenes/tippe-top.toml", "--at", times, "--json"]).json();
    let bytes = std::fs::read(written.path("top.glb")).expect("the file");
    let file = gltf::Gltf::from_slice(&bytes).expect("glTF");
    let buffer = file.blob.as_deref().expect("binary data");
    let animation = file.document.animations().next().expect("an animation");
    for channel in animation.channels() {
        use gltf::animation::util::ReadOutputs;
        let reader = channel.reader(|_| Some(buffer));
        let near = |a: f32, b: &Value| (f64::from(a) - b.as_f64().expect("a number")).abs() < 1e-6;
        match reader.read_outputs().expect("values") {
            ReadOutputs::Translations(places) => {
                for (k, place) in places.enumerate() {
                    let expected = &run["samples"][k]["bodies"]["top"]["position"];
                    assert!((0..3).all(|i| near(place[i], &expected[i])), "{place:?} {expected}");
                }
            }
            ReadOutputs::Rotations(turns) => {
                for (k, turn) in turns.into_f32().enumerate() {
                    let q = &run["samples"][k]["bodies"]["top"]["orientation"];
                    let q = [&q[1], &q[2], &q[3], &q[0]];
                    let same = (0..4).all(|i| near(turn[i], q[i]));
                    let other = (0..4).all(|i| near(-turn[i], q[i]));
                    assert!(same || other, "{turn:?} {q:?}");
                }
            }
            _ => panic!("only places and turns are animated"),
        }
    }
}
