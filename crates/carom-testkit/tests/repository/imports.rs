//! Modules of the main crate import only what the table in ARCHITECTURE.md allows.

use crate::{code_spans, files_below, text};
use std::collections::BTreeMap;

const SOURCES: &str = "crates/carom/src/";

/// The module that a path below `crate` belongs to; of laws, folders and the row of the catalogue stand for themselves.
fn module(path: &[&str]) -> String {
    match path {
        ["laws", folder @ ("info" | "single" | "normal" | "friction"), ..] => {
            format!("laws::{folder}")
        }
        [first, ..] => (*first).into(),
        [] => String::new(),
    }
}

/// The module that a source file belongs to.
fn module_of_file(path: &str) -> String {
    let inner = path.trim_start_matches(SOURCES).trim_end_matches(".rs");
    module(&inner.split('/').collect::<Vec<_>>())
}

/// What the table under "Who may import whom" allows, module by module.
fn allowed() -> BTreeMap<String, Vec<String>> {
    let page = text("ARCHITECTURE.md");
    let section = page.split("## Who may import whom").nth(1).expect("the table of imports");
    let rows = section.lines().skip_while(|line| !line.starts_with("| `"));
    rows.take_while(|line| line.starts_with("| `"))
        .map(|row| {
            let mut names = code_spans(row).map(String::from);
            (names.next().expect("a module"), names.collect())
        })
        .collect()
}

/// Names that `lib.rs` re-exports from its modules, with the module they come from.
fn re_exported() -> BTreeMap<String, String> {
    let source = text("crates/carom/src/lib.rs");
    let mut names = BTreeMap::new();
    for statement in source.split("\npub use ").skip(1) {
        let tree = statement.split(';').next().unwrap_or_default();
        let (path, items) =
            tree.split_once("::{").unwrap_or_else(|| tree.rsplit_once("::").expect("a path"));
        let from = module(&path.split("::").collect::<Vec<_>>());
        for item in items.trim_end_matches('}').split(',').map(str::trim).filter(|i| !i.is_empty())
        {
            names.insert(item.to_owned(), from.clone());
        }
    }
    names
}

/// Paths that follow `crate::` in code, with their line; a group in braces gives one path for each of its members.
/// Tests at the end of a file may import anything.
fn imports(source: &str) -> Vec<(usize, String)> {
    let code = source.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let mut found = Vec::new();
    for (at, _) in code.match_indices("crate::") {
        let line = code[..at].matches('\n').count() + 1;
        let start = code[..at].rfind('\n').map_or(0, |i| i + 1);
        if code[start..at].trim_start().starts_with("//") {
            continue;
        }
        let rest = &code[at + "crate::".len()..];
        match rest.strip_prefix('{') {
            Some(group) => {
                let group = group.split('}').next().unwrap_or_default();
                found.extend(group.split(',').map(|item| (line, item.trim().to_owned())));
            }
            None => {
                let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':'));
                found.push((line, rest[..end.unwrap_or(rest.len())].to_owned()));
            }
        }
    }
    found.retain(|(_, path)| !path.is_empty());
    found
}

#[test]
fn imports_go_the_way_the_architecture_draws() {
    let (allowed, names) = (allowed(), re_exported());
    let mut wrong = Vec::new();
    let mut seen = 0;
    for path in files_below("crates/carom/src") {
        let own = module_of_file(&path);
        let is_test =
            path.ends_with("tests.rs") || path.contains("/tests/") || path.contains("/test_");
        if is_test || own == "lib" {
            continue;
        }
        let may =
            allowed.get(&own).unwrap_or_else(|| panic!("{path}: `{own}` is not in the table"));
        for (line, import) in imports(&text(&path)) {
            let parts: Vec<&str> = import.split("::").filter(|part| !part.is_empty()).collect();
            let to = names.get(parts[0]).cloned().unwrap_or_else(|| module(&parts));
            seen += 1;
            if to != own && !may.contains(&to) {
                wrong.push(format!("{path}:{line}: `{own}` imports `{to}` (crate::{import})"));
            }
        }
    }
    assert!(seen > 500, "the test finds no imports any more");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_table_of_imports_has_no_cycle() {
    let mut left = allowed();
    assert!(left.len() > 10, "the test finds no table any more");
    while !left.is_empty() {
        let before = left.len();
        let names: Vec<String> = left.keys().cloned().collect();
        left.retain(|_, may| may.iter().any(|to| names.contains(to)));
        assert!(left.len() < before, "these import each other: {:?}", left.keys());
    }
}
