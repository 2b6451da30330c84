//! `carom import`: robots in, scenes out that `carom simulate` follows.

use crate::support::{TemporaryFile, TemporaryFolder, carom};

#[test]
fn a_robot_becomes_a_scene_that_moves() {
    let folder = TemporaryFolder::new("import");
    let out = folder.path().join("leg.toml");
    let out = out.to_str().expect("a name");
    let made = &["import", "robots/leg.urdf", "--ground", "--lift", "0.7", "--duration", "0.1"];
    let run = carom(&[&made[..], &["--out", out]].concat());
    assert_eq!(run.code, 0, "{}", run.stderr);
    for words in ["leg: 9 bodies, 7 joints, 6 shapes", "no motors", "joint \"knee\" (line "] {
        assert!(run.stdout.contains(words), "`{words}` in {}", run.stdout);
    }
    let text = std::fs::read_to_string(out).expect("a scene");
    assert!(text.starts_with("# From leg.urdf by `carom import`."), "{text}");
    assert!(text.contains("# - no motors"), "{text}");
    // The same again is no change; another scene is refused.
    assert_eq!(carom(&[&made[..], &["--out", out]].concat()).code, 0);
    let other = carom(&[&made[..], &["--e", "0.5", "--out", out]].concat());
    assert_eq!(other.code, 2);
    assert!(other.stderr.contains("--force"), "{}", other.stderr);
    let motion = carom(&["simulate", out, "--json"]);
    assert_eq!(motion.code, 0, "{}", motion.stderr);
    assert_eq!(motion.json()["end"]["reason"], "duration");
}

#[test]
fn the_list_is_there_for_programs_too() {
    let folder = TemporaryFolder::new("import-json");
    let out = folder.path().join("hopper.toml");
    let out = out.to_str().expect("a name");
    let run = carom(&["import", "robots/hopper.xml", "--out", out, "--json"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let answer = run.json();
    assert_eq!(answer["robot"], "hopper");
    let notes = answer["notes"].as_array().expect("a list");
    let motors = notes.iter().find(|note| note["element"] == "actuator").expect("a note");
    assert_eq!(motors["file"], "robots/hopper.xml");
    assert!(motors["line"].as_u64().is_some_and(|line| line > 50), "{motors}");
}

#[test]
fn without_a_file_the_scene_is_printed() {
    let run = carom(&["import", "robots/linkage.xml"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stdout.contains("[[joints]]"), "{}", run.stdout);
    assert!(run.stderr.contains("linkage: "), "{}", run.stderr);
}

#[test]
fn errors_show_the_line() {
    let file = TemporaryFile::new(
        "bad.urdf",
        "<robot name='r'>\n  <link name='a'/><link name='b'/>\n  <joint name='j' type='screw'><parent link='a'/><child link='b'/></joint>\n</robot>\n",
    );
    let run = carom(&["import", file.path()]);
    assert_eq!(run.code, 2);
    for words in ["bad.urdf:3:", "joint \"j\"", "there is no such type", "type='screw'"] {
        // Messages are broken into lines.
        let said = run.stderr.replace("\n  | ", " ");
        assert!(said.contains(words), "`{words}` in {said}");
    }
    let run = carom(&["import", "robots/leg.urdf", "--pose", "knee"]);
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("`knee` must be a joint and a"), "{}", run.stderr);
}
