//! Figures and tables of the papers on several contacts against published numbers and exact ones.
//!
//! `golden/figures/<stem>.csv` lists what a figure must show: `name,value,tolerance,source`. A name is that of a fact;
//! `[panel] series @ x` is the point of a curve at x; `row/column` is a field of a table, and `rows` how many it has.

use carom_plot::papers::{self, Drawn, Plate};
use carom_plot::{Field, Figure, Sheet, Theme};
use std::collections::HashSet;
use std::path::PathBuf;

const PAPERS: [&str; 3] = ["plus", "mosterman", "glocker"];

fn plates() -> impl Iterator<Item = &'static Plate> {
    PAPERS.iter().flat_map(|name| papers::find(name).expect("a paper").plates)
}

fn folder() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../golden/figures"))
}

/// One line of a golden file.
struct Line {
    name: String,
    value: String,
    tolerance: f64,
}

/// The fields of a line of comma-separated values.
fn fields(line: &str) -> Vec<String> {
    let (mut fields, mut quoted) = (vec![String::new()], false);
    for c in line.chars() {
        match c {
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(String::new()),
            _ => fields.last_mut().expect("a field").push(c),
        }
    }
    fields
}

fn golden(stem: &str) -> Vec<Line> {
    let path = folder().join(format!("{stem}.csv"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{stem}: {e}"));
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("name,value,tolerance,source"), "{stem}");
    let lines: Vec<Line> = lines
        .map(|line| match &fields(line)[..] {
            [name, value, tolerance, source] => {
                assert!(!source.is_empty(), "{stem}: {line}: who says so?");
                let tolerance =
                    if tolerance.is_empty() { 0.0 } else { tolerance.parse().expect("a number") };
                Line { name: name.clone(), value: value.clone(), tolerance }
            }
            other => panic!("{stem}: {other:?}"),
        })
        .collect();
    assert!(!lines.is_empty(), "{stem}: no numbers");
    lines
}

/// A number that a figure shows.
fn shown(figure: &Figure, name: &str) -> f64 {
    let Some((series, x)) = name.strip_prefix('[').and_then(|rest| rest.rsplit_once(" @ ")) else {
        let mut facts = figure.facts.iter().filter(|fact| fact.name == name);
        let fact = facts.next().unwrap_or_else(|| panic!("no fact `{name}`"));
        assert!(facts.next().is_none(), "two facts `{name}`");
        return fact.value;
    };
    let (panel, series) = series.split_once("] ").expect("[panel] series");
    let panel = &figure.panels[panel.parse::<usize>().expect("a number") - 1];
    let x: f64 = x.parse().expect("a number");
    let series = panel.series.iter().find(|s| s.name == series).expect("a series of this name");
    let at = series.points.iter().find(|p| (p[0] - x).abs() <= 1e-12);
    at.unwrap_or_else(|| panic!("`{name}`: no point there"))[1]
}

/// A field of a table.
fn field(sheet: &Sheet, name: &str) -> Field {
    if name == "rows" {
        return Field::Number(sheet.rows.len() as f64);
    }
    let (row, column) = name.split_once('/').expect("row/column");
    let column = sheet.head.iter().position(|h| h == column).expect("a column of this name");
    sheet.rows[row.parse::<usize>().expect("a number") - 1][column].clone()
}

/// What is wrong with a number, if anything.
fn wrong(line: &Line, found: f64) -> Option<String> {
    let wanted: f64 = line.value.parse().expect("a number");
    let close = (found - wanted).abs() <= line.tolerance;
    let said = format!("{}: {found}, expected {wanted} ± {}", line.name, line.tolerance);
    (!close).then_some(said)
}

#[test]
fn figures_show_the_published_numbers() {
    let mut faults = Vec::new();
    for plate in plates() {
        let stem = plate.stem();
        let drawn = (plate.draw)().unwrap_or_else(|e| panic!("{stem}: {e}"));
        for line in golden(&stem) {
            let fault = match &drawn {
                Drawn::Figure(figure) => wrong(&line, shown(figure, &line.name)),
                Drawn::Table(sheet) => match field(sheet, &line.name) {
                    Field::Number(found) => wrong(&line, found),
                    Field::Word(word) if word == line.value => None,
                    other => Some(format!("{}: {other:?}, expected {}", line.name, line.value)),
                },
            };
            faults.extend(fault.map(|said| format!("{stem}: {said}")));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn no_golden_file_is_forgotten() {
    let stems: HashSet<String> =
        papers::plates().map(|plate| format!("{}.csv", plate.stem())).collect();
    for entry in std::fs::read_dir(folder()).expect("golden/figures") {
        let name = entry.expect("a file").file_name().to_string_lossy().into_owned();
        assert!(stems.contains(&name), "{name} belongs to no figure");
    }
}

#[test]
fn figures_are_well_made() {
    let mut seen = HashSet::new();
    for plate in plates() {
        let stem = plate.stem();
        assert!(seen.insert(stem.clone()), "{stem} twice");
        let drawn = (plate.draw)().expect("a drawing");
        let again = (plate.draw)().expect("a drawing");
        let (title, caption) = match &drawn {
            Drawn::Figure(figure) => {
                assert!(!figure.facts.is_empty() && !figure.panels.is_empty(), "{stem}");
                let facts: HashSet<&str> = figure.facts.iter().map(|f| f.name.as_str()).collect();
                assert_eq!(facts.len(), figure.facts.len(), "{stem}: names of facts");
                for fact in &figure.facts {
                    assert!(
                        fact.value.is_finite() && !fact.unit.is_empty(),
                        "{stem}: {}",
                        fact.name
                    );
                }
                for panel in figure.panels.iter().filter(|panel| panel.framed) {
                    for axis in &panel.axes {
                        assert!(axis.title.ends_with(']'), "{stem}: `{}` has no unit", axis.title);
                    }
                }
                let layout = figure.layout();
                assert_eq!(layout.collisions(), [], "{stem}: words hide each other");
                assert_eq!(layout.cut(), [""; 0], "{stem}: words are cut off");
                for theme in [Theme::Adaptive, Theme::Light, Theme::Dark] {
                    let svg = figure.svg(theme);
                    assert!(svg.starts_with("<svg") && !svg.contains("NaN"), "{stem}");
                    let Drawn::Figure(again) = &again else { panic!("{stem}: no figure") };
                    assert!(again.svg(theme) == svg, "{stem} differs from itself");
                }
                (&figure.title, &figure.caption)
            }
            Drawn::Table(sheet) => {
                assert_eq!(drawn, again, "{stem} differs from itself");
                assert!(sheet.rows.iter().all(|row| row.len() == sheet.head.len()), "{stem}");
                (&sheet.title, &sheet.caption)
            }
        };
        assert!(!title.is_empty() && caption.contains("kg") | caption.contains("m/s"), "{stem}");
    }
    assert_eq!(seen.len(), 30);
}

/// The work of a compliant collision does not grow with the stiffness, and the times that were measured follow it.
#[test]
fn work_and_time_of_fig_15() {
    let plate = plates().find(|p| p.stem() == "UchidaShermanDelp2015-fig-15").expect("Fig. 15");
    let Drawn::Figure(figure) = (plate.draw)().expect("a drawing") else { panic!("no figure") };
    let all = |what: &str, error: &str| {
        ["1e7", "1e8", "1e9", "1e10", "1e11"]
            .map(|e| shown(&figure, &format!("{what} at {e} Pa, {error}")))
    };
    let spread = |values: [f64; 5]| {
        let (low, high) = (
            values.into_iter().fold(f64::INFINITY, f64::min),
            values.into_iter().fold(0.0, f64::max),
        );
        high / low
    };
    for error in ["1 %", "10⁻⁶"] {
        assert!(spread(all("evaluations", error)) < 1.5, "four decades of stiffness, {error}");
    }
    let [coarse, fine] = ["1 %", "10⁻⁶"].map(|error| all("evaluations", error));
    assert!(coarse.iter().zip(fine).all(|(a, b)| *a < b));
    let [slow, slower, plus] =
        ["compliant, error 1 %", "compliant, error 1e-6", "PLUS"].map(|s| all("time measured", s));
    for k in 0..5 {
        assert!(slow[k] < slower[k] && slow[k] > 10.0 * plus[k], "modulus {k}");
        // A time for each evaluation, at every stiffness the same within the noise of the machine.
        let per_evaluation = slow[k] / coarse[k];
        assert!((0.4..0.8).contains(&per_evaluation), "{per_evaluation} µs");
    }
}

/// The distance of a point from a line between two others.
fn distance(p: [f64; 2], a: [f64; 2], b: [f64; 2]) -> f64 {
    let (d, r) = ([b[0] - a[0], b[1] - a[1]], [p[0] - a[0], p[1] - a[1]]);
    let long = d[0] * d[0] + d[1] * d[1];
    let s = if long > 0.0 { ((r[0] * d[0] + r[1] * d[1]) / long).clamp(0.0, 1.0) } else { 0.0 };
    (r[0] - s * d[0]).hypot(r[1] - s * d[1])
}

/// Rigid and compliant paths start alike and stay together.
#[test]
fn paths_of_fig_8_start_where_the_brick_arrives() {
    let plate = plates().find(|p| p.stem() == "UchidaShermanDelp2015-fig-8").expect("Fig. 8");
    let Drawn::Figure(figure) = (plate.draw)().expect("a drawing") else { panic!("no figure") };
    let paths = figure.panels[0].series.iter().filter(|s| s.name.contains("μ ="));
    let paths: Vec<_> = paths.collect();
    assert_eq!(paths.len(), 6);
    for path in &paths {
        assert_eq!(path.points[0], [-5.0, 0.0], "{}", path.name);
    }
    // Compliant and rigid paths stay close to each other where both slide: 2 % of the start.
    for pair in paths.chunks(2) {
        for p in pair[1].points.iter().filter(|p| p[0].hypot(p[1]) > 0.5) {
            let nearest = pair[0].points.windows(2).map(|ends| distance(*p, ends[0], ends[1]));
            assert!(nearest.fold(f64::INFINITY, f64::min) < 0.1, "{}: {p:?}", pair[1].name);
        }
    }
}
