//! The laws' own documentation and their sources.

use crate::{code_spans, files_below, text};
use carom::catalog;
use std::collections::BTreeSet;

/// The order in which every law explains itself.
const HEADINGS: [&str; 7] = [
    "## Model",
    "## Reads e as",
    "## Notation",
    "## Deviations from the paper",
    "## Limits",
    "## Energy",
    "## References",
];

/// The files that hold a row of the catalogue, with the documentation of the law's module.
fn law_files() -> Vec<(String, String, String)> {
    let folders = ["crates/carom/src/laws"];
    folders
        .into_iter()
        .flat_map(files_below)
        .map(|path| {
            let source = text(&path);
            // A law in a folder of its own may keep its row with its settings, and explains itself where it begins.
            let begin = match path.strip_suffix("/settings.rs") {
                Some(folder) if files_below(folder).contains(&format!("{folder}/mod.rs")) => {
                    text(&format!("{folder}/mod.rs"))
                }
                _ => source.clone(),
            };
            let documentation: Vec<&str> = begin
                .lines()
                .filter_map(|line| line.strip_prefix("//!"))
                .map(|line| line.strip_prefix(' ').unwrap_or(line))
                .collect();
            (path, documentation.join("\n"), source)
        })
        .filter(|(_, _, source)| source.contains(": LawInfo = ") || source.contains(": LawInfo = "))
        .collect()
}

/// Keys of `docs/references.bib`, in order.
fn bibliography() -> Vec<(String, String)> {
    text("docs/references.bib")
        .split("\n@")
        .skip(1)
        .map(|entry| {
            let (_, rest) = entry.split_once('{').expect("an entry");
            let (key, fields) = rest.split_once(',').expect("a key");
            (key.to_string(), fields.to_string())
        })
        .collect()
}

/// Whether a word looks like a key: letters that begin with a capital, then a year.
fn is_key(word: &str) -> bool {
    word.len() > 4
        && word.is_char_boundary(word.len() - 4)
        && word[word.len() - 4..].bytes().all(|b| b.is_ascii_digit())
        && word.starts_with(|c: char| c.is_ascii_uppercase())
        && word[..word.len() - 4].chars().all(char::is_alphabetic)
}

#[test]
fn every_law_explains_itself_in_the_same_order() {
    let files = law_files();
    for row in catalog::all() {
        let quoted = format!("\"{}\"", row.id);
        assert!(
            files.iter().any(|(_, _, source)| source.contains(&quoted)),
            "no law file holds the row of `{}`",
            row.id
        );
    }
    for (path, documentation, _) in files {
        let title = documentation.lines().next().unwrap_or("");
        let year = title.rsplit_once('(').map_or("", |(_, year)| year);
        assert!(
            title.starts_with("# ") && year.ends_with(')'),
            "{path}: the title is `# Name (year)`, not `{title}`"
        );
        let headings: Vec<&str> =
            documentation.lines().filter(|line| line.starts_with("## ")).collect();
        assert_eq!(headings, HEADINGS, "{path}: headings");
        for heading in HEADINGS {
            let section = documentation.split(heading).nth(1).unwrap_or("");
            let section = section.split("\n## ").next().unwrap_or("");
            assert!(!section.trim().is_empty(), "{path}: nothing under {heading}");
        }
    }
}

#[test]
fn bibliography_is_well_formed() {
    let entries = bibliography();
    let keys: BTreeSet<&str> = entries.iter().map(|(key, _)| key.as_str()).collect();
    assert_eq!(keys.len(), entries.len(), "a key stands twice");
    assert!(
        entries.iter().map(|(key, _)| key).is_sorted(),
        "entries stand in the order of their keys"
    );
    for (key, fields) in &entries {
        assert!(is_key(key), "{key}: keys are AuthorYear");
        let field = |name: &str| {
            fields
                .lines()
                .filter_map(|line| line.trim().split_once('='))
                .find(|(n, _)| n.trim() == name)
                .map(|(_, value)| value.trim().trim_end_matches(','))
        };
        assert!(field("author").is_some() && field("title").is_some(), "{key}");
        let year = format!("{{{}}}", &key[key.len() - 4..]);
        assert_eq!(field("year"), Some(year.as_str()), "{key}");
    }
}

#[test]
fn every_cited_key_is_in_the_bibliography() {
    let keys: BTreeSet<String> = bibliography().into_iter().map(|(key, _)| key).collect();
    for row in catalog::all() {
        assert!(!row.references.is_empty(), "`{}` cites nothing", row.id);
        for key in row.references {
            assert!(keys.contains(*key), "`{}` cites {key}", row.id);
        }
    }
    for (path, documentation, _) in law_files() {
        let references = documentation.split("## References").nth(1).unwrap_or("");
        let mut cited = code_spans(references).filter(|s| is_key(s)).peekable();
        assert!(cited.peek().is_some(), "{path}: ## References names no key");
        for key in cited {
            assert!(keys.contains(key), "{path} cites {key}");
        }
    }
    // `[Key] Eq. (3)` above the line that implements it, in any crate; `[Key]` in scenarios.
    let sources = ["crates", "scenarios", "scenes"].into_iter().flat_map(files_below);
    for path in sources.filter(|path| path.ends_with(".rs") || path.ends_with(".toml")) {
        let source = text(&path);
        for candidate in source.split('[').skip(1) {
            let word = candidate.split(']').next().unwrap_or("");
            if is_key(word) {
                assert!(keys.contains(word), "{path} cites [{word}]");
            }
        }
    }
}
