//! `carom plot`: every kind on every scenario, families, and what is refused.

use crate::support::{carom, repository};
use carom_io::failure::Failure;
use carom_io::input::Source;
use carom_io::progress::NoProgress;
use carom_plot::{Figure, Theme};
use carom_report::plot::{Kind, Request, Sweep, draw};
use std::path::{Path, PathBuf};

fn scenario(name: &str) -> PathBuf {
    repository().join(format!("scenarios/{name}.toml"))
}

fn of_file(file: &Path, kind: Kind, sweep: Option<&str>) -> Result<Figure, Failure> {
    let source = Source::open(file)?;
    let sweep = sweep.map(Sweep::parse).transpose()?;
    let request = Request { sweep, ..Request::of(kind) };
    draw(&source.parse()?, &source.problem()?, &request, &NoProgress)
}

fn drawn(name: &str, kind: Kind, sweep: Option<&str>) -> Figure {
    of_file(&scenario(name), kind, sweep).unwrap_or_else(|error| panic!("{name}: {error:?}"))
}

/// Every kind of figure of every scenario: drawn or refused with a reason, the same twice, and with words that can be read.
#[test]
fn words_of_all_figures_can_be_read() {
    let mut count = 0;
    let mut files: Vec<PathBuf> = std::fs::read_dir(repository().join("scenarios"))
        .expect("scenarios")
        .map(|entry| entry.expect("a file").path())
        .filter(|path| path.extension().is_some_and(|end| end == "toml"))
        .collect();
    files.sort();
    for file in files {
        let name = file.file_stem().expect("a name").to_string_lossy().into_owned();
        for kind in Kind::ALL {
            let Ok(figure) = of_file(&file, kind, None) else { continue };
            count += 1;
            let layout = figure.layout();
            assert_eq!(layout.collisions(), [], "{name} {kind:?}");
            assert_eq!(layout.cut(), [] as [&str; 0], "{name} {kind:?}");
            let again = of_file(&file, kind, None).expect("the same again");
            assert_eq!(figure.svg(Theme::Adaptive), again.svg(Theme::Adaptive), "{name} {kind:?}");
        }
    }
    assert!(count > 70, "{count}");
}

/// What must be there, whatever else is refused.
#[test]
fn each_kind_has_its_numbers() {
    let kane = drawn("kane-double-pendulum", Kind::ImpulseSpace, None);
    assert!(kane.panels.len() == 2 && kane.key.iter().any(|k| k.text.starts_with("whittaker")));
    let solid = drawn("corrected-mirtich", Kind::ImpulseSpace, None);
    assert_eq!(solid.panels.len(), 4);
    let rays = drawn("corrected-mirtich", Kind::Hodograph, None);
    assert_eq!(rays.facts.iter().filter(|f| f.unit == "deg").count(), 4);
    let rounds = drawn("brick-on-four-vertices", Kind::Rounds, None);
    let total = |name: &str| rounds.facts.iter().find(|f| f.name == name).map(|f| f.value);
    assert_eq!((total("rounds"), total("intervals")), (Some(2.0), Some(3.0)));
    let run = drawn("brick-corner", Kind::Compliant, None);
    assert!(run.facts.iter().any(|f| f.name == "duration" && f.value > 0.0));
    assert_eq!(drawn("newtons-cradle", Kind::Outcomes, None).panels.len(), 2);
}

/// In Newton's cradle with e = 1 a sequence of collisions moves the last ball alone.
#[test]
fn a_sweep_of_restitution_ends_at_the_cradle() {
    let figure = drawn("newtons-cradle", Kind::Chain, None);
    let panel = figure.panels.iter().find(|p| p.title.contains("sequential")).expect("a panel");
    let ends: Vec<f64> = panel.series.iter().map(|s| s.points.last().expect("points")[1]).collect();
    let expected = [0.0, 0.0, 0.0, 0.0, 1.0];
    assert!(ends.iter().zip(expected).all(|(v, e)| (v - e).abs() < 1e-12), "{ends:?}");
}

/// Without friction every law gives (1 + e) P_I: all tracks of a sweep of mu begin there.
#[test]
fn tracks_of_a_sweep_begin_without_friction() {
    let figure = drawn("kane-double-pendulum", Kind::ImpulseSpace, Some("mu=0:1:0.05"));
    let starts: Vec<[f64; 2]> = figure.panels[0]
        .series
        .iter()
        .filter(|s| s.name.starts_with("routh") || s.name == "smith" || s.name == "whittaker")
        .map(|s| s.points[0])
        .collect();
    assert_eq!(starts.len(), 5);
    let first = starts[0];
    assert!(first[0].abs() < 1e-12, "{first:?}");
    for start in &starts {
        assert!((0..2).all(|i| (start[i] - first[i]).abs() < 1e-12), "{starts:?}");
    }
    assert_eq!(figure.layout().collisions(), []);
    for kind in [Kind::Hodograph, Kind::Phases] {
        let figure = drawn("corrected-mirtich", kind, Some("mu=0.3:0.7:0.1"));
        assert_eq!(figure.layout().collisions(), []);
    }
}

#[test]
fn wrong_sweeps_name_the_field_and_the_value() {
    let file = scenario("kane-double-pendulum");
    let file = file.to_str().expect("a path");
    for (sweep, parts) in [
        ("mu=0:1", ["mu=0:1", "FROM:TO:STEP"]),
        ("mu=-1:1:0.5", ["mu = -1", "mu"]),
        ("nonsense=0:1:0.5", ["nonsense", "velocity[1]"]),
        ("velocity[7]=0:1:0.5", ["velocity[7]", "no number"]),
        ("e=0:1:x", ["`x`", "finite number"]),
    ] {
        let run = carom(&["plot", file, "--sweep", sweep]);
        assert_eq!(run.code, 2, "{sweep}: {}", run.stderr);
        for part in parts {
            assert!(run.stderr.contains(part), "{sweep}: {}", run.stderr);
        }
    }
    let run = carom(&["plot", file, "--kind", "compliant", "--sweep", "e=0:1:0.5"]);
    assert!(run.code == 2 && run.stderr.contains("only impulse-space"), "{}", run.stderr);
}

#[test]
fn files_are_written_by_their_ending() {
    let file = scenario("box-corner");
    let file = file.to_str().expect("a path");
    let out = std::env::temp_dir().join(format!("carom-plot-{}", std::process::id()));
    let endings = [
        ("svg", &b"<svg"[..]),
        ("csv", b"panel,series,x,y\n"),
        #[cfg(feature = "png")]
        ("png", b"\x89PNG"),
    ];
    for (end, start) in endings {
        let out = out.with_extension(end);
        let name = out.to_str().expect("a path");
        let run = carom(&["plot", file, "--out", name]);
        assert_eq!(run.code, 0, "{}", run.stderr);
        let bytes = std::fs::read(&out).expect("the file is there");
        std::fs::remove_file(&out).expect("it goes");
        assert!(bytes.starts_with(start), "{end}");
    }
    let run = carom(&["plot", file, "--out", "picture.gif"]);
    assert!(run.code == 2 && run.stderr.contains(".svg, .png or .csv"), "{}", run.stderr);
    let run = carom(&["plot", file, "--csv"]);
    assert!(run.stdout.starts_with("panel,series,x,y\n") && run.stdout.contains("permissible"));
}

#[test]
fn what_cannot_be_drawn_is_refused_with_a_reason() {
    let cradle = scenario("newtons-cradle");
    let cradle = cradle.to_str().expect("a path");
    for (kind, reason) in [
        ("impulse-space", "one contact"),
        ("hodograph", "one contact"),
        ("phases", "routh-stronge"),
    ] {
        let run = carom(&["plot", cradle, "--kind", kind]);
        assert!(run.code == 2 && run.stderr.contains(reason), "{kind}: {}", run.stderr);
    }
    let spatial = scenario("corrected-mirtich");
    let spatial = spatial.to_str().expect("a path");
    let run = carom(&["plot", spatial, "--accessible", "smith"]);
    assert!(run.code == 2 && run.stderr.contains("`smith` can give"), "{}", run.stderr);
}

#[cfg(not(feature = "png"))]
#[test]
fn a_build_without_pixels_says_how_to_get_them() {
    let file = scenario("box-corner");
    let run = carom(&["plot", file.to_str().expect("a path"), "--out", "picture.png"]);
    assert!(run.code == 2 && run.stderr.contains("--features full"), "{}", run.stderr);
}
