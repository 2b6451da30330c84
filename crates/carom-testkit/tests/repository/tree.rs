//! The tree as a whole.

use crate::{files_below, text};

#[test]
fn nothing_names_a_place_on_somebodys_machine() {
    // Put together here, so that this file does not contain what it looks for.
    let places = [
        ["/ho", "me/"].concat(),
        ["/ro", "ot/"].concat(),
        ["/tm", "p/"].concat(),
        ["/wo", "rk/"].concat(),
        ["/Us", "ers/"].concat(),
        ["C:", "\\Users"].concat(),
    ];
    for path in files_below("") {
        // Files that are not text hold no prose.
        let Ok(contents) = std::fs::read_to_string(crate::root().join(&path)) else {
            continue;
        };
        for (number, line) in contents.lines().enumerate() {
            for place in &places {
                let found = line.find(place.as_str());
                // `target/tmp/`-like paths below the tree are fine: a place on a machine begins with the slash.
                let absolute = found.is_some_and(|at| {
                    !line[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == '.')
                });
                assert!(!absolute, "{path}:{}: {place}", number + 1);
            }
        }
    }
}

/// Units are part of the interface: the documentation of a public number ends with its unit in brackets.
#[test]
fn every_public_number_has_a_unit() {
    let mut numbers = 0;
    for path in files_below("crates/carom/src") {
        let source = text(&path);
        let lines: Vec<&str> = source.lines().map(str::trim).collect();
        let mut reachable = false;
        for (i, line) in lines.iter().enumerate() {
            if !line.starts_with("//") && (line.contains("struct ") || line.contains("enum ")) {
                reachable = line.starts_with("pub struct") || line.starts_with("pub enum");
            }
            let is_number = reachable
                && line.starts_with("pub ")
                && line.ends_with(',')
                && line.split_once(": ").is_some_and(|(_, kind)| kind.contains("f64"));
            if !is_number {
                continue;
            }
            numbers += 1;
            let documentation = lines[..i]
                .iter()
                .rev()
                .take_while(|l| l.starts_with("///") || l.starts_with("#["))
                .any(|l| l.contains("]."));
            assert!(documentation, "{path}:{}: `{line}` has no unit", i + 1);
        }
    }
    assert!(numbers > 20, "the test finds no numbers any more");
}
