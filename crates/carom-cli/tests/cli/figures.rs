//! `carom figures`: files, page, errors.

use crate::support::carom;
use resvg::usvg;
use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// A folder that disappears with the test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("carom-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        Self(path)
    }

    /// Draws a paper into it.
    fn drawn(name: &str, paper: &str, more: &[&str]) -> Self {
        let folder = Self::new(name);
        let out = folder.0.to_str().expect("UTF-8").to_owned();
        let mut arguments = vec!["figures", "--paper", paper, "--out", &out];
        arguments.extend(more);
        let run = carom(&arguments);
        assert_eq!(run.code, 0, "{}", run.stderr);
        assert!(run.stdout.contains("index.html"), "{}", run.stdout);
        folder
    }

    fn files(&self) -> BTreeMap<String, Vec<u8>> {
        let entries = std::fs::read_dir(&self.0).expect("a folder");
        let named = entries.map(|entry| {
            let path = entry.expect("a file").path();
            let name = path.file_name().expect("a name").to_string_lossy().into_owned();
            (name, std::fs::read(path).expect("a file"))
        });
        named.collect()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Where an attribute of the page leads.
fn targets<'a>(page: &'a str, attribute: &str) -> Vec<&'a str> {
    let mark = format!("{attribute}=\"");
    page.split(mark.as_str()).skip(1).filter_map(|rest| rest.split('"').next()).collect()
}

fn parses(svg: &[u8]) -> bool {
    std::str::from_utf8(svg)
        .is_ok_and(|text| usvg::Tree::from_str(text, &usvg::Options::default()).is_ok())
}

#[test]
fn a_paper_becomes_a_page() {
    let folder = Folder::drawn("figures-page", "mosterman", &[]);
    let files = folder.files();
    let page = String::from_utf8(files["index.html"].clone()).expect("UTF-8");
    for target in targets(&page, "href").into_iter().chain(targets(&page, "src")) {
        match target.strip_prefix('#') {
            Some(id) => assert!(page.contains(&format!("id=\"{id}\"")), "{target}"),
            None => assert!(files.contains_key(target), "{target}"),
        }
    }
    for stem in ["fig-3", "fig-4", "fig-5", "fig-6", "fig-8", "fig-9"]
        .map(|id| format!("Mosterman2003-{id}"))
    {
        assert!(parses(&files[&format!("{stem}.svg")]), "{stem}");
        assert!(files[&format!("{stem}.csv")].starts_with(b"panel,series,x,y\n"), "{stem}");
        assert!(files[&format!("{stem}-facts.csv")].starts_with(b"name,value,unit\n"), "{stem}");
        assert!(page.contains(&format!("{stem}.svg")), "{stem}");
    }
    let table = String::from_utf8(files["Mosterman2003-table-3.csv"].clone()).expect("UTF-8");
    assert_eq!(table.lines().count(), 8, "{table}");
    assert_eq!(table.lines().nth(2), Some("2,{},{2},\"{1,3}\""));
    // Captions and errata are text of the page.
    assert!(page.contains("Erratum.") && page.contains("m<sub>3</sub> = 1000 kg"));
    assert!(!page.contains("http://") && !page.contains("https://"), "the page opens offline");
}

#[test]
fn the_same_bytes_every_time() {
    let [one, other] = ["one", "other"]
        .map(|name| Folder::drawn(&format!("figures-{name}"), "Glocker2004", &[]).files());
    assert!(one.len() > 20);
    assert!(one.keys().eq(other.keys()));
    for (name, bytes) in &one {
        assert!(*bytes == other[name], "{name} differs");
    }
}

#[test]
fn short_names_work_and_pixels_are_for_the_asking() {
    let folder = Folder::drawn("figures-plus", "PLUS", &["--png", "--theme", "dark"]);
    let files = folder.files();
    let pictures: Vec<&String> = files.keys().filter(|name| name.ends_with(".svg")).collect();
    assert_eq!(pictures.len(), 12);
    for picture in pictures {
        let png = picture.replace(".svg", ".png");
        // A machine without fonts says so instead.
        assert!(files[&png].starts_with(b"\x89PNG"), "{png}");
        assert!(parses(&files[picture]), "{picture}");
    }
    assert!(String::from_utf8_lossy(&files["index.html"]).contains("fig-8.png"));
}

/// Ctrl-C ends it between two figures: what is there is whole, and there is no page of half of them.
#[cfg(unix)]
#[test]
fn it_stops_cleanly() {
    let folder = Folder::new("figures-stopped");
    let mut child = crate::support::command()
        .args(["figures", "--png", "--out", folder.0.to_str().expect("UTF-8")])
        .stderr(Stdio::piped())
        .spawn()
        .expect("carom runs");
    let start = Instant::now();
    let begun = || std::fs::read_dir(&folder.0).is_ok_and(|mut files| files.next().is_some());
    while !begun() && start.elapsed() < Duration::from_secs(30) {
        std::thread::sleep(Duration::from_millis(5));
    }
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(sent.expect("kill runs").success());
    let mut said = String::new();
    child.stderr.take().expect("messages").read_to_string(&mut said).expect("UTF-8");
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
    assert!(said.contains("interrupted"), "{said}");
    let files = folder.files();
    assert!(!files.contains_key("index.html"));
    for (name, bytes) in files.iter().filter(|(name, _)| name.ends_with(".svg")) {
        assert!(parses(bytes), "{name} is cut off");
    }
}

#[test]
fn a_paper_that_is_not_there_is_refused() {
    let folder = Folder::new("figures-none");
    let run = carom(&["figures", "--paper", "euclid", "--out", folder.0.to_str().expect("UTF-8")]);
    assert_eq!(run.code, 2);
    for known in [
        "UchidaShermanDelp2015",
        "plus",
        "Mosterman2003",
        "Glocker2004",
        "ChatterjeeRuina1998",
        "Baber2011",
    ] {
        assert!(run.stderr.contains(known), "{}", run.stderr);
    }
    assert!(!folder.0.exists());
}

#[test]
fn a_folder_that_cannot_be_made_is_an_error() {
    let file = crate::support::TemporaryFile::new("figures-file", "no folder");
    let below = Path::new(file.path()).join("below");
    let run = carom(&["figures", "--paper", "mosterman", "--out", below.to_str().expect("UTF-8")]);
    assert_eq!(run.code, 2, "{}", run.stderr);
    assert!(run.stderr.contains("io:"), "{}", run.stderr);
}
