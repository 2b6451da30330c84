//! Files that nobody would write: mutated problems are answered or refused, never with a panic or a NaN.

use carom_cli::diagnostic::report;
use carom_io::input::Source;
use carom_report::comparison::Comparison;
use proptest::prelude::*;

const SEEDS: [(&str, &str); 5] = [
    (
        "a.json",
        r#"{"title": "é", "delassus": [[1, 0.5], [0.5, 2]], "contact_velocity": [-1, 0.25],
  "contacts": [{"mu": "inf", "e": {"minimum": 0.5, "capture_speed": 0.1, "plastic_speed": 2}}], "law": "smith"}"#,
    ),
    (
        "b.json",
        r#"{"mass": [1, 1, 0.5], "jacobian": {"rows": [0, 1, 1], "cols": [1, 0, 2], "values": [1, -1, -1]},
  "velocity": [2, -1, 0], "bilateral": [[0, 0, 1]], "bilateral_groups": [1], "drive": [0, 1],
  "contacts": [{"mu": 0.3, "e": 0.5, "rows": 2}]}"#,
    ),
    (
        "c.toml",
        "separating = \"observe\"\n[[bodies]]\nname = \"floor\"\nfixed = true\n[[bodies]]\nname = \"brick\"\nmass = 2\n\
         inertia = [1, 1.5, 2]\nposition = [0, 0, 1]\norientation = [1, 0, 0.5, 0]\nvelocity = [1, 0, -1]\n\
         [[contacts]]\na = \"floor\"\nb = \"brick\"\npoint = [0.1, 0.2, 0]\nnormal = [0, 0, 1]\nmu = 0.4\ne = 0.3\n",
    ),
    (
        "d.toml",
        "[chain]\nmass = [1, 2]\nvelocity = [1, 0]\ne = 0.9\n[law]\nid = \"composite\"\nsigma = 0.5\n",
    ),
    (
        "e.toml",
        "delassus = [[4, 4, -7], [4, 20, -23], [-7, -23, 31]]\ncontact_velocity = [-0.22, 630, -780]\n\
         contacts = [{ mu = 0.5, e = 0.9, impulse_ratio = [0.1, 0.2] }]\n",
    ),
];

const SPLICES: [&str; 20] = [
    "", "0", "-", "1e308", "-1e-308", "1e999", "nan", "inf", "\"", "{", "}", "[", "]", ",", ":",
    "=", "\n", "é", "null", "mu",
];

/// A problem in which some pieces were replaced.
fn mutated() -> impl Strategy<Value = (&'static str, String)> {
    let change = (any::<prop::sample::Index>(), 0..12usize, prop::sample::select(&SPLICES[..]));
    let changes = prop::collection::vec(change, 1..5);
    (prop::sample::select(&SEEDS[..]), changes).prop_map(|((name, text), changes)| {
        let mut text: Vec<char> = text.chars().collect();
        for (at, length, splice) in changes {
            let start = at.index(text.len() + 1);
            let end = (start + length).min(text.len());
            text.splice(start..end, splice.chars());
        }
        (name, text.into_iter().collect())
    })
}

fn check(name: &str, text: &str) {
    let Ok(source) = Source::read(name, text.as_bytes()) else {
        panic!("valid UTF-8 can be read");
    };
    match source.problem() {
        Err(failure) => {
            if let Some(place) = source.place_of(&failure) {
                assert!(text.get(place.clone()).is_some(), "{place:?} of {text:?}");
            }
            assert!(!report(&failure, Some(&source)).is_empty());
        }
        Ok(problem) => {
            for entry in Comparison::of(&problem).answers {
                let r = entry.resolution;
                let numbers = r.outcome.impulse.iter().chain(&r.outcome.velocity);
                let law = r.law.id();
                assert!(numbers.clone().all(|x| x.is_finite()), "{law}: {numbers:?} from {text:?}");
                let energies = [Some(r.certificate.energy_change), r.certificate.energy_available];
                let number = |x: &Option<f64>| x.is_none_or(|x| !x.is_nan());
                assert!(energies.iter().all(number), "{law}: {energies:?} from {text:?}");
            }
        }
    }
}

#[test]
fn the_seeds_themselves_are_answered() {
    for (name, text) in SEEDS {
        let source = Source::read(name, text.as_bytes()).expect("it is text");
        let problem = source
            .problem()
            .unwrap_or_else(|failure| panic!("{}", report(&failure, Some(&source))));
        assert!(!Comparison::of(&problem).answers.is_empty(), "{name}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn mutated_problems_are_answered_or_refused((name, text) in mutated()) {
        check(name, &text);
    }

    #[test]
    fn any_text_is_refused_in_words(text in "\\PC{0,200}", toml: bool) {
        check(if toml { "x.toml" } else { "x.json" }, &text);
    }
}
