//! Figures of the papers about one contact: their numbers against published and hand-derived ones, their words against
//! each other, their files against XML.

use carom_plot::papers::{Drawn, Plate, plates};
use carom_plot::{Figure, Theme};
use std::path::Path;

const PAPERS: [&str; 2] = ["ChatterjeeRuina1998", "Baber2011"];

fn own() -> impl Iterator<Item = (&'static Plate, Figure)> {
    plates().filter(|plate| PAPERS.contains(&plate.paper)).map(|plate| {
        match (plate.draw)().unwrap_or_else(|e| panic!("{}: {e}", plate.stem())) {
            Drawn::Figure(figure) => (plate, figure),
            Drawn::Table(_) => panic!("{} is a figure", plate.stem()),
        }
    })
}

/// The fields of a line of a table.
fn fields(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut quoted = false;
    for c in line.chars() {
        match c {
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(String::new()),
            c => fields.last_mut().expect("there is one").push(c),
        }
    }
    fields
}

/// Every golden number is a fact of its figure, and every figure has golden numbers.
#[test]
fn numbers_are_the_published_ones() {
    let mut compared = 0;
    for (plate, figure) in own() {
        let stem = plate.stem();
        let path = format!("{}/../../golden/figures/{stem}.csv", env!("CARGO_MANIFEST_DIR"));
        let golden = std::fs::read_to_string(Path::new(&path)).expect("golden numbers");
        assert!(golden.lines().count() > 1, "{stem}");
        for line in golden.lines().skip(1) {
            let [name, value, tolerance, source] = &fields(line)[..] else {
                panic!("{stem}: {line}")
            };
            let [value, tolerance]: [f64; 2] =
                [value, tolerance].map(|x| x.parse().expect("a number"));
            assert!(!source.is_empty(), "{stem}: {name} has no source");
            let fact = figure.facts.iter().find(|fact| fact.name == *name);
            let found = fact.unwrap_or_else(|| panic!("{stem} does not tell {name}")).value;
            let off = (found - value).abs();
            assert!(off <= tolerance, "{stem}: {name} = {found}, not {value}: off by {off:e}");
            compared += 1;
        }
    }
    assert!(compared > 100, "{compared}");
}

#[test]
fn every_figure_is_there_with_its_parameters() {
    let ids: Vec<String> = own().map(|(plate, _)| plate.stem()).collect();
    let expected: Vec<String> = (1..=9)
        .map(|k| format!("ChatterjeeRuina1998-fig-{k}"))
        .chain([2, 4].map(|k| format!("Baber2011-fig-{k}")))
        .collect();
    assert_eq!(ids, expected);
    for (plate, figure) in own() {
        let parameters =
            figure.caption.contains("mu = ") || figure.caption.contains("friction lines");
        assert!(
            parameters && figure.caption.contains("m/s"),
            "{}: {}",
            plate.stem(),
            figure.caption
        );
    }
}

#[test]
fn words_neither_collide_nor_leave_the_page() {
    for (plate, figure) in own() {
        let layout = figure.layout();
        assert_eq!(layout.collisions(), [], "{}", plate.stem());
        assert_eq!(layout.cut(), [] as [&str; 0], "{}", plate.stem());
    }
}

#[test]
fn files_are_well_formed_and_the_same_twice() {
    for ((plate, figure), (_, again)) in own().zip(own()) {
        for theme in [Theme::Adaptive, Theme::Light, Theme::Dark] {
            let svg = figure.svg(theme);
            assert_eq!(svg, again.svg(theme), "{}", plate.stem());
            let document = roxmltree::Document::parse(&svg)
                .unwrap_or_else(|e| panic!("{}: {e}", plate.stem()));
            assert!(document.descendants().filter(|n| n.has_tag_name("text")).count() > 5);
            let paths = document.descendants().filter_map(|n| n.attribute("d"));
            let letters =
                |path: &str| path.chars().all(|c| !c.is_alphabetic() || "MLHVZ".contains(c));
            assert!(paths.into_iter().all(letters), "{}", plate.stem());
        }
        assert_eq!(figure.csv(), again.csv(), "{}", plate.stem());
    }
}
