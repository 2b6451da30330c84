//! The report of a comparison, as a browser sees it.

use crate::support::{TemporaryFolder, carom};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Writes the report of a scenario.
fn report(folder: &TemporaryFolder, scenario: &str) -> (PathBuf, String) {
    let path = folder.path().join(format!("{scenario}.html"));
    let file = format!("scenarios/{scenario}.toml");
    let run = carom(&["compare", &file, "--report", &path.display().to_string()]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let page = std::fs::read_to_string(&path).expect("the page");
    (path, page)
}

/// Opens a page in a browser without a window: the document it makes of it, and what it has to say.
fn opened(page: &Path, profile: &Path) -> (String, String) {
    opened_at(page, "", profile)
}

/// The same, at a place in the page and after ten seconds of its time. Chromium itself crashes once in many starts.
pub fn opened_at(page: &Path, place: &str, profile: &Path) -> (String, String) {
    const STARTS: usize = 3;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    for _ in 1..STARTS {
        let output = start(page, place, profile);
        if output.status.code().is_some() {
            assert!(output.status.success(), "{}", text(&output.stderr));
            return (text(&output.stdout), text(&output.stderr));
        }
    }
    let output = start(page, place, profile);
    assert!(output.status.success(), "{}", text(&output.stderr));
    (text(&output.stdout), text(&output.stderr))
}

fn start(page: &Path, place: &str, profile: &Path) -> Output {
    Command::new("chromium")
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"])
        .args(["--disable-background-networking", "--disable-component-update", "--disable-sync"])
        .args(["--enable-logging=stderr", "--virtual-time-budget=10000", "--dump-dom"])
        .arg(format!("--user-data-dir={}", profile.display()))
        .arg(format!("file://{}#{place}", page.display()))
        .output()
        .expect("chromium starts; `cargo xtask test` installs it")
}

/// What a reader can mark and copy: the document without its tags, styles and scripts.
fn words(document: &str) -> String {
    let mut words = String::new();
    let mut rest = document;
    while let Some((text, tag)) = rest.split_once('<') {
        words += text;
        let skipped = ["style", "script"].iter().find(|name| tag.starts_with(**name));
        rest = match skipped {
            Some(name) => tag.split_once(&format!("</{name}>")).map_or("", |(_, rest)| rest),
            None => tag.split_once('>').map_or("", |(_, rest)| rest),
        };
        words.push(' ');
    }
    words + rest
}

#[test]
fn a_browser_shows_it_without_complaint() {
    let folder = TemporaryFolder::new("report-browser");
    for (scenario, law, figures) in [
        ("kane-double-pendulum", "whittaker", 3),
        ("corrected-mirtich", "routh-stronge", 3),
        ("newtons-cradle", "stiff-limit", 3),
    ] {
        let (path, page) = report(&folder, scenario);
        let (document, said) = opened(&path, &folder.path().join("profile"));
        assert!(!said.contains("CONSOLE"), "{scenario}: {said}");
        assert_eq!(document.matches("<svg ").count(), figures, "{scenario}");
        // What the browser understood is what was written: nothing was dropped or moved.
        assert_eq!(page.matches("<svg ").count(), figures, "{scenario}");
        for section in ["problem", "laws", "figures", "certificates", "reproduce"] {
            assert!(
                document.contains(&format!("<section id=\"{section}\">")),
                "{scenario}: {section}"
            );
        }
        let words = words(&document);
        for expected in
            [law, "What the laws say", "energy change", "momentum residual", "carom compare"]
        {
            assert!(words.contains(expected), "{scenario}: no `{expected}`");
        }
    }
}

#[test]
fn it_needs_nothing_else() {
    let folder = TemporaryFolder::new("report-alone");
    let (_, page) = report(&folder, "box-corner");
    let foreign: Vec<&str> = page
        .split("http")
        .skip(1)
        .map(|rest| rest.split('"').next().unwrap_or(""))
        .filter(|address| *address != "://www.w3.org/2000/svg")
        .collect();
    assert!(foreign.is_empty(), "{foreign:?}");
    assert!(!page.contains("<link") && !page.contains(" src="));
    // Names inside the pictures are told apart.
    let mut names: Vec<&str> =
        page.split(" id=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    let count = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), count, "a name stands twice");
}

#[test]
fn it_holds_the_whole_comparison() {
    let folder = TemporaryFolder::new("report-data");
    let (_, page) = report(&folder, "box-corner");
    let data = page
        .split_once("<script type=\"application/json\" id=\"comparison\">")
        .and_then(|(_, rest)| rest.split_once("</script>"))
        .map(|(data, _)| data.replace("<\\/", "</"))
        .expect("the data");
    let data: serde_json::Value = serde_json::from_str(&data).expect("JSON");
    assert_eq!(data, carom(&["compare", "scenarios/box-corner.toml", "--json"]).json());
}

#[test]
fn a_file_that_cannot_be_written_is_named() {
    let run = carom(&["compare", "scenarios/box-corner.toml", "--report", "no-such-folder/x.html"]);
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("no-such-folder/x.html"), "{}", run.stderr);
}
