//! `carom plot` of a scene.

use crate::support::{carom, repository};
use carom_plot::{Figure, Theme};
use carom_report::motion::pictures::{Kind, Request, draw};
use carom_scene::SceneFile;
use carom_sim::motion::simulate;

const KINDS: [Kind; 5] = [Kind::Strip, Kind::Energy, Kind::Phase, Kind::Timeline, Kind::Poincare];

fn request(kind: Kind) -> Request {
    Request { kind, quantities: [None, None], section: None, pictures: None }
}

fn drawn(file: &SceneFile, kind: Kind) -> Result<Figure, String> {
    let follow = |options: &_| simulate(&file.scene, options);
    draw(&file.scene, file.title.as_deref(), &request(kind), &follow).map_err(|e| e.to_string())
}

/// Points of a picture, by the names of their series.
fn points(arguments: &[&str], series: &str) -> Vec<[f64; 2]> {
    let run = carom(&[&["plot"], arguments, &["--csv"]].concat());
    assert_eq!(run.code, 0, "{}", run.stderr);
    let row = |line: &str| {
        let fields: Vec<&str> = line.split(',').collect();
        let number = |k: usize| fields[k].parse::<f64>().expect("a number");
        (fields[1] == series).then(|| [number(2), number(3)])
    };
    run.stdout.lines().skip(1).filter_map(row).collect()
}

#[test]
fn every_scene_has_pictures_whose_words_can_be_read() {
    let mut count = 0;
    for entry in std::fs::read_dir(repository().join("scenes")).expect("a folder") {
        let path = entry.expect("a file").path();
        if path.extension().is_none_or(|end| end != "toml") {
            continue;
        }
        let source = carom_io::input::Source::open(&path).expect("a file");
        let file = SceneFile::of(&source).expect("a scene");
        let name = path.display();
        for kind in KINDS {
            let figure = match drawn(&file, kind) {
                Ok(figure) => figure,
                Err(reason) => {
                    // Some never touch, and some never strike.
                    let expected = ["no bodies touch", "never passes"];
                    let known = expected.iter().any(|words| reason.contains(words));
                    assert!(known, "{name} {kind:?}: {reason}");
                    continue;
                }
            };
            count += 1;
            let layout = figure.layout();
            assert_eq!(layout.collisions(), [], "{name} {kind:?}");
            assert_eq!(layout.cut(), [] as [&str; 0], "{name} {kind:?}");
            let again = drawn(&file, kind).expect("the same again");
            assert_eq!(figure.svg(Theme::Adaptive), again.svg(Theme::Adaptive), "{name} {kind:?}");
        }
    }
    assert!(count > 60, "{count}");
}

#[test]
fn a_section_is_passed_at_its_value() {
    // Falling from 1 m, e = 0.8: up again through 0.4 m above the floor, once in each of the first three bounces.
    let passed = points(
        &[
            "scenes/bouncing-ball.toml",
            "--kind",
            "poincare",
            "--section",
            "ball.y=0.5",
            "-x",
            "t",
            "-y",
            "ball.vy",
        ],
        "passage",
    );
    let g = 9.81_f64;
    let (mut start, mut speed) = (f64::sqrt(2.0 / g), 0.8 * f64::sqrt(2.0 * g));
    let mut expected = Vec::new();
    while speed * speed > 2.0 * g * 0.4 {
        let there = f64::sqrt(speed * speed - 2.0 * g * 0.4);
        expected.push([start + (speed - there) / g, there]);
        start += 2.0 * speed / g;
        speed *= 0.8;
    }
    assert_eq!(passed.len(), expected.len());
    for (one, other) in passed.iter().zip(&expected) {
        assert!((one[0] - other[0]).abs() < 1e-8 && (one[1] - other[1]).abs() < 1e-7, "{passed:?}");
    }
}

#[test]
fn impacts_and_periods_are_sections() {
    let table = "scenes/shaking-table.toml";
    let beats = points(&[table, "--kind", "poincare", "-x", "t", "-y", "ball.y"], "passage");
    // The table has 10 Hz by its own frequency.
    let answer = carom(&["simulate", table, "--json"]).json();
    let end = answer["end"]["t"].as_f64().expect("a time");
    let period = beats[1][0] - beats[0][0];
    assert!(beats.len() as f64 > end / period, "{beats:?}");
    let impacts = points(
        &[table, "--kind", "poincare", "--section", "impact", "-x", "t", "-y", "ball.vy"],
        "passage",
    );
    let told = answer["events"].as_array().expect("a list").iter();
    let mut told: Vec<f64> = told
        .filter(|event| event["kind"] == "impact")
        .filter_map(|event| event["t"].as_f64())
        .collect();
    told.dedup();
    assert_eq!(impacts.iter().map(|p| p[0]).collect::<Vec<_>>(), told);
}

#[test]
fn energies_are_those_of_the_ledger() {
    let total = points(&["scenes/rocking-block.toml", "--kind", "energy"], "total");
    let answer = carom(&["simulate", "scenes/rocking-block.toml", "--json"]).json();
    let of = |key: &str| answer["ledger"][key].as_f64().expect("a number");
    let lost = total[0][1] - total.last().expect("points")[1];
    assert!((lost - (of("start") - of("end"))).abs() < 1e-9, "{lost}");
    assert!(total.windows(2).all(|pair| pair[1][1] <= pair[0][1] + 1e-9), "energy grows");
}

#[test]
fn a_scene_is_drawn_without_being_told_what_it_is() {
    let run = carom(&["plot", "scenes/brick-toss.toml"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stdout.contains("stroboscopic picture") || run.stdout.contains("film strip"));
}

#[test]
fn what_makes_no_sense_is_named() {
    let ball = "scenes/bouncing-ball.toml";
    let problem = "scenarios/box-corner.toml";
    for (arguments, words) in [
        (&[ball, "--kind", "phase", "-x", "ball.q"][..], "a body has no `q`; it has x, y, angle"),
        (
            &[ball, "--kind", "phase", "-x", "bal.y"],
            "there is no body `bal`; there are floor, ball",
        ),
        (&[ball, "--kind", "phase", "-x", "y"], "`y` is no quantity"),
        (&[ball, "--kind", "phase", "-x", "energy.heat"], "there is no energy `heat`"),
        (&[ball, "--kind", "poincare", "--section", "often"], "--section often: write impact"),
        (&[ball, "--kind", "poincare", "--section", "every=0"], "must be above 0 s"),
        (&[ball, "--kind", "poincare", "--section", "every=1e-9"], "no more than"),
        (&[ball, "--kind", "poincare", "--section", "ball.y=x"], "must be a finite number"),
        (&[ball, "--kind", "poincare", "--section", "ball.y=99"], "never passes its section"),
        (&[ball, "--kind", "strip", "--pictures", "0"], "--pictures: from 1 to"),
        (&[ball, "--kind", "energy", "-x", "t"], "-x and -y is for --kind phase and poincare"),
        (&[ball, "--kind", "energy", "--section", "impact"], "--section is for"),
        (
            &[ball, "--kind", "energy", "--sweep", "e=0:1:0.1"],
            "--sweep is for pictures of problems",
        ),
        (&[ball, "--kind", "hodograph"], "gravity"),
        (&[problem, "--kind", "strip"], "contacts"),
        (&[problem, "-x", "t"], "-x is for pictures of motions"),
    ] {
        let run = carom(&[&["plot"], arguments].concat());
        assert_eq!(run.code, 2, "{arguments:?}: {}", run.stderr);
        // Messages are wrapped.
        let said = run.stderr.split_whitespace().collect::<Vec<_>>().join(" ").replace("│ ", "");
        assert!(said.contains(words), "{arguments:?}: {}", run.stderr);
    }
}
