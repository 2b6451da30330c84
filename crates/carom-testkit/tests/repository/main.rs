//! The repository keeps its own word: what its documents say about paths, laws and sources is true.

mod documents;
mod imports;
mod laws;
mod licences;
mod tree;

use std::path::{Path, PathBuf};

/// The root of the workspace.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join("..")
}

/// The text of a file, by its path from the root.
fn text(path: &str) -> String {
    let full = root().join(path);
    std::fs::read_to_string(&full).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Every file below a directory, as paths from the root, sorted. Build products and version control are left out.
fn files_below(directory: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut waiting = vec![root().join(directory)];
    while let Some(directory) = waiting.pop() {
        for entry in std::fs::read_dir(&directory).expect("a readable directory") {
            let entry = entry.expect("a readable entry");
            let name = entry.file_name();
            if entry.path().is_dir() {
                let skipped = ["target", ".git", "corpus", "artifacts"];
                if !skipped.iter().any(|s| name == *s) {
                    waiting.push(entry.path());
                }
            } else if name != ".git" {
                let path = entry.path();
                let path = path.strip_prefix(root()).expect("a path below the root");
                found.push(path.to_string_lossy().replace('\\', "/"));
            }
        }
    }
    found.sort();
    found
}

/// What stands between two backticks, on one line.
fn code_spans(text: &str) -> impl Iterator<Item = &str> {
    text.lines().flat_map(|line| line.split('`').skip(1).step_by(2))
}
