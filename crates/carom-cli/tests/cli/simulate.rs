//! `carom simulate`: what is refused before anything moves.

use crate::support::{TemporaryFile, carom, carom_with_input};
use serde_json::{Value, json};

const BALL: &str = "scenes/bouncing-ball.toml";

fn scene() -> Value {
    json!({
        "duration": 1.0,
        "bodies": [
            { "name": "floor", "fixed": true, "position": [0, 0],
                "shapes": [{ "type": "half-plane", "normal": [0, 1], "offset": 0 }] },
            { "name": "ball", "mass": 1, "inertia": 0.005, "position": [0, 0.5],
                "shapes": [{ "type": "disk", "radius": 0.1 }] },
        ],
        "pairs": [{ "a": "floor", "b": "ball", "e": 0.5 }],
    })
}

#[test]
fn a_bad_scene_is_shown_where_it_is_bad() {
    let file =
        TemporaryFile::new("scene.toml", "[[bodies]]\nname = \"a\"\nmass = 1\npositon = [0, 0]\n");
    let run = carom(&["simulate", file.path()]);
    assert_eq!(run.code, 2);
    assert!(run.stdout.is_empty());
    assert!(run.stderr.contains("did you mean `position`?"), "{}", run.stderr);
    let text = "[[bodies]]\nname = \"a\"\nmass = 1\nposition = [0, 0]\nshaps = []\n";
    let file = TemporaryFile::new("scene-2.toml", text);
    let run = carom(&["simulate", file.path(), "--json"]);
    assert_eq!(run.code, 2);
    assert_eq!(run.json()["error"]["kind"], "bad_problem");
    assert!(run.stderr.contains("did you mean `shapes`?"), "{}", run.stderr);
    assert!(run.stderr.contains("shaps = []"), "{}", run.stderr);
}

#[test]
fn bad_options_are_named() {
    for (options, word) in [
        (&["--at", "7"][..], "--at: 7: must lie between 0 and the duration, 5 s"),
        (&["--at", "-1"], "--at: -1: must lie"),
        (&["--at", "nan"], "--at: NaN: must be"),
        (&["--every", "0"], "--every: 0: must be a finite number above 0"),
        (&["--every", "1e-9"], "more than"),
        (&["--law", "newtn"], "did you mean `newton`?"),
        (&["--set", "sigma=1"], "--set needs --law"),
        (&["--law", "composite", "--set", "sigm=1"], "sigm"),
        (&["--json", "--csv"], "cannot be used with"),
        (&["--at", "1", "--every", "1"], "cannot be used with"),
        (&["--force"], "--out"),
    ] {
        let arguments = [&["simulate", BALL][..], options].concat();
        let run = carom(&arguments);
        assert_eq!(run.code, 2, "{options:?}: {}", run.stderr);
        assert!(run.stderr.contains(word), "{options:?}: {}", run.stderr);
    }
}

#[cfg(not(feature = "sweep"))]
#[test]
fn without_parquet_one_sentence_says_so() {
    let run = carom(&["simulate", BALL, "--out", "never.parquet"]);
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("is not in this build"), "{}", run.stderr);
}

#[test]
fn lines_that_are_refused_do_not_stop_a_stream() {
    let without = |pointer: &str, value: Value| {
        let mut scene = scene();
        *scene.pointer_mut(pointer).expect("a place") = value;
        scene
    };
    let line = |id: Value, scene: Value, at: Value| {
        json!({ "id": id, "scene": scene, "at": at, "tolerance": { "time": 1 } }).to_string()
    };
    let input = [
        line(json!("a"), without("/duration", json!(-1)), json!([0])),
        "{\"id\": \"cut\", \"scene\": {\"bodies\": [".into(),
        String::new(),
        "no json at all".into(),
        "[1, 2]".into(),
        r#"{"id": 5}"#.into(),
        r#"{"id": 6, "scene": null}"#.into(),
        r#"{"id": 7, "scene": []}"#.into(),
        line(json!({"nested": [1]}), scene(), json!([2])),
        line(json!(8), scene(), json!("now")),
        line(json!(9), scene(), json!([0, [1]])),
        line(json!(10), without("/pairs/0/a", json!("flor")), json!([])),
        json!({ "id": 11, "scene": scene(), "law": "nobody" }).to_string(),
        json!({ "id": 12, "scene": scene(), "law": 7 }).to_string(),
    ]
    .join("\n");
    let run = carom_with_input(&["simulate", "--ndjson"], input.as_bytes());
    assert_eq!(run.code, 1, "{}", run.stderr);
    let answers = run.lines();
    let kinds: Vec<&str> =
        answers.iter().map(|answer| answer["error"]["kind"].as_str().expect("a kind")).collect();
    let bad = "bad_problem";
    assert_eq!(
        kinds,
        [
            bad,
            "parse",
            "parse",
            "parse",
            bad,
            bad,
            bad,
            bad,
            bad,
            bad,
            bad,
            "unknown_law",
            "bad_setting"
        ]
    );
    let ids: Vec<Value> = answers.iter().map(|answer| answer["id"].clone()).collect();
    let n = Value::Null;
    let expected = [
        json!("a"),
        n.clone(),
        n.clone(),
        n,
        json!(5),
        json!(6),
        json!(7),
        json!({ "nested": [1] }),
        json!(8),
        json!(9),
        json!(10),
        json!(11),
        json!(12),
    ];
    assert_eq!(ids, expected);
    let message = |i: usize| answers[i]["error"]["message"].as_str().expect("a message");
    assert_eq!(message(7), "at[0] = 2: must lie between 0 and the duration, 1 s");
    assert!(message(10).contains("did you mean `floor`?"), "{}", message(10));
}

#[test]
fn compare_takes_the_next_impact_of_a_scene() {
    let run = carom(&["compare", BALL, "--at", "0.5"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    // √(2/9.81)·(1 + 2·0.8) s: the second impact.
    assert!(run.stdout.contains("impact   t = 1.17396"), "{}", run.stdout);
    assert!(run.stdout.contains("`floor` and `ball`"), "{}", run.stdout);
    assert!(run.stdout.contains("newton-coulomb"), "{}", run.stdout);
    assert!(run.stdout.contains("next     carom simulate"), "{}", run.stdout);
    let run = carom(&["compare", BALL, "--at", "0", "--json"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let text = run.json().to_string();
    assert!(text.contains("-4.4294"), "{text}");
}

#[test]
fn compare_says_what_a_scene_needs() {
    for (options, word) in [
        (&["compare", BALL][..], "is a scene, not an impact: --at T"),
        (&["compare", BALL, "--at", "-1"], "--at: -1: must be a time"),
        (&["compare", BALL, "--at", "4.5"], "--at: no impact follows t = 4.5 s"),
    ] {
        let run = carom(options);
        assert_eq!(run.code, 2, "{options:?}: {}", run.stderr);
        assert!(run.stderr.contains(word), "{options:?}: {}", run.stderr);
    }
}

#[test]
fn laws_side_by_side_say_when_they_part() {
    let run = carom(&["simulate", BALL, "--law", "newton", "--law", "moreau", "--json"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let answer = run.json();
    assert_eq!(answer["laws"][1]["law"], "moreau");
    assert_eq!(answer["laws"][1]["parts_at"], Value::Null);
    assert_eq!(answer["laws"][0]["motion"]["samples"].as_array().map(Vec::len), Some(2));
    // One of them ignores tangential restitution: they part where the ball first touches.
    let superball = "scenes/superball.toml";
    let laws = ["--law", "chatterjee-ruina", "--law", "routh-poisson"];
    let answer = carom(&[&["simulate", superball, "--json"], &laws[..]].concat()).json();
    let first = &answer["laws"][0]["motion"]["events"][0];
    assert_eq!(first["kind"], "impact");
    assert_eq!(answer["laws"][1]["parts_at"], first["t"]);
    let told = carom(&[&["simulate", superball], &laws[..]].concat());
    assert!(told.stdout.contains("parts from the first"), "{}", told.stdout);
    for option in [&["--csv"][..], &["--check"], &["--out", "a.csv"]] {
        let run = carom(&[&["simulate", superball], &laws[..], option].concat());
        assert_eq!(run.code, 2);
        assert!(run.stderr.contains("takes one --law"), "{}", run.stderr);
    }
}
