//! What is never replaced, what is, and what a full or read-only disk leaves.

use crate::support::{Run, TemporaryFolder, carom, command};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const PROBLEM: &str = "scenarios/box-corner.toml";

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn refused(run: &Run, words: &str) {
    assert!(
        run.code == 2 && run.stderr.replace("\n  | ", " ").contains(words),
        "{}: {}",
        run.code,
        run.stderr
    );
}

/// A sweep in a folder of its own.
fn spec(folder: &Path) -> PathBuf {
    fs::write(
        folder.join("problem.toml"),
        fs::read(crate::support::repository().join(PROBLEM)).unwrap(),
    )
    .unwrap();
    let path = folder.join("spec.toml");
    let text = "problem = \"problem.toml\"\nlaws = [\"smith\"]\n[design]\nmu = { from = 0, to = 1, steps = 20 }\n";
    fs::write(&path, text).unwrap();
    path
}

#[test]
fn inputs_are_never_replaced() {
    let folder = TemporaryFolder::new("files-inputs");
    let spec = spec(folder.path());
    let problem = folder.path().join("problem.toml");
    let link = folder.path().join("link.html");
    fs::hard_link(&problem, &link).unwrap();
    let before = fs::read(&problem).unwrap();
    for run in [
        carom(&["compare", text(&problem), "--report", text(&problem)]),
        carom(&["compare", text(&problem), "--report", text(&link)]),
        carom(&["sweep", text(&spec), "--out", text(&spec)]),
        carom(&["sweep", text(&spec), "--out", text(&problem)]),
    ] {
        refused(&run, "is what this is made from");
    }
    assert_eq!(fs::read(&problem).unwrap(), before);
    assert_eq!(names(folder.path()), ["link.html", "problem.toml", "spec.toml"]);
    let forced = carom(&["compare", text(&problem), "--report", text(&link), "--force"]);
    assert_eq!(forced.code, 0, "{}", forced.stderr);
    assert!(fs::read(&link).unwrap().starts_with(b"<!"));
}

#[test]
fn only_what_carom_wrote_is_replaced() {
    let folder = TemporaryFolder::new("files-foreign");
    for ending in ["svg", "png", "csv", "html"] {
        let path = folder.path().join(format!("a.{ending}"));
        let write = |law: &str, more: &[&str]| {
            let mut arguments = match ending {
                "html" => vec![
                    "compare",
                    if law == "smith" { PROBLEM } else { "scenarios/brick-corner.toml" },
                    "--report",
                ],
                _ => vec!["plot", PROBLEM, "--law", law, "--out"],
            };
            arguments.push(text(&path));
            arguments.extend(more);
            carom(&arguments)
        };
        fs::write(&path, "<svg>precious</svg>").unwrap();
        refused(&write("smith", &[]), "nothing says that carom wrote it");
        assert_eq!(fs::read(&path).unwrap(), b"<svg>precious</svg>");
        assert_eq!(write("smith", &["--force"]).code, 0);
        let first = fs::read(&path).unwrap();
        // The same again is no loss, whatever the file is.
        assert_eq!(write("smith", &[]).code, 0);
        let other = write("whittaker", &[]);
        match ending {
            "csv" => {
                refused(&other, "nothing says that carom wrote it");
                assert_eq!(fs::read(&path).unwrap(), first);
            }
            _ => {
                assert_eq!(other.code, 0, "{ending}: {}", other.stderr);
                let mut second = fs::read(&path).unwrap();
                assert_ne!(first, second);
                // A change of one bit, and it is no longer carom's.
                let middle = second.len() / 2;
                second[middle] ^= 1;
                fs::write(&path, &second).unwrap();
                refused(&write("smith", &[]), "was changed since carom wrote it");
                assert_eq!(fs::read(&path).unwrap(), second);
            }
        }
    }
    assert_eq!(names(folder.path()), ["a.csv", "a.html", "a.png", "a.svg"]);
    let figures = |more: &[&str]| {
        let mut arguments = vec!["figures", "--paper", "mosterman", "--out", text(folder.path())];
        arguments.extend(more);
        carom(&arguments)
    };
    fs::write(folder.path().join("index.html"), "<!doctype html>my own page").unwrap();
    refused(&figures(&[]), "index.html");
    assert_eq!(fs::read(folder.path().join("index.html")).unwrap(), b"<!doctype html>my own page");
    assert_eq!(figures(&["--force"]).code, 0);
    assert_eq!(figures(&[]).code, 0);
}

#[test]
fn a_sweep_keeps_what_others_put_into_its_folder() {
    let folder = TemporaryFolder::new("files-parts");
    let spec = spec(folder.path());
    let out = folder.path().join("out.parquet");
    let parts = folder.path().join("out.parquet.parts");
    let sweep = |more: &[&str]| {
        let mut arguments = vec!["sweep", text(&spec), "--out", text(&out)];
        arguments.extend(more);
        carom(&arguments)
    };
    fs::create_dir(&parts).unwrap();
    fs::write(parts.join("thesis.tex"), "years of work").unwrap();
    // Names like those of parts are no claim either.
    fs::write(parts.join("00000000.parquet"), "mine").unwrap();
    refused(&sweep(&[]), "no folder of carom's");
    refused(&sweep(&["--force"]), "no folder of carom's");
    assert_eq!(names(&parts), ["00000000.parquet", "thesis.tex"]);
    // In a folder that is carom's, too.
    fs::remove_dir_all(&parts).unwrap();
    let problem = fs::read(folder.path().join("problem.toml")).unwrap();
    assert_eq!(sweep(&[]).code, 0);
    let whole = fs::read(&out).unwrap();
    fs::create_dir(&parts).unwrap();
    fs::write(parts.join("thesis.tex"), "years of work").unwrap();
    assert_eq!(sweep(&[]).code, 0, "it is finished already");
    assert_eq!(names(&parts), ["thesis.tex"]);
    assert_eq!(fs::read(folder.path().join("problem.toml")).unwrap(), problem);
    assert_eq!(fs::read(&out).unwrap(), whole);
}

#[cfg(unix)]
#[test]
fn links_stay_links_and_pipes_are_written_to() {
    use std::os::unix::fs::symlink;
    let folder = TemporaryFolder::new("files-links");
    let (real, link) = (folder.path().join("real.svg"), folder.path().join("link.svg"));
    assert_eq!(carom(&["plot", PROBLEM, "--out", text(&real)]).code, 0);
    symlink(&real, &link).unwrap();
    assert_eq!(carom(&["plot", PROBLEM, "--law", "smith", "--out", text(&link)]).code, 0);
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    let pipe = folder.path().join("pipe.svg");
    assert!(Command::new("mkfifo").arg(&pipe).status().expect("mkfifo runs").success());
    let child = command()
        .args(["plot", PROBLEM, "--law", "smith", "--out", text(&pipe)])
        .spawn()
        .expect("carom runs");
    let read = fs::read(&pipe).unwrap();
    assert!(child.wait_with_output().unwrap().status.success());
    assert_eq!(read, fs::read(&real).unwrap());
    use std::os::unix::fs::FileTypeExt;
    assert!(fs::metadata(&pipe).unwrap().file_type().is_fifo(), "a pipe stays one");
}

/// A file system of so many kilobytes in a folder, if we may make one.
#[cfg(target_os = "linux")]
struct SmallDisk(TemporaryFolder);

#[cfg(target_os = "linux")]
impl SmallDisk {
    fn new(name: &str, kilobytes: u32) -> Option<Self> {
        let folder = TemporaryFolder::new(name);
        let options = format!("size={kilobytes}k");
        let mount = Command::new("mount")
            .args(["-t", "tmpfs", "-o", &options, "tmpfs", text(folder.path())])
            .output();
        match mount {
            Ok(output) if output.status.success() => Some(Self(folder)),
            _ => {
                println!("skipped: a file system cannot be mounted here");
                None
            }
        }
    }

    fn make_read_only(&self) {
        let path = text(self.0.path());
        let status = Command::new("mount").args(["-o", "remount,ro", path]).status();
        assert!(status.expect("mount runs").success());
    }
}

#[cfg(target_os = "linux")]
impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(self.0.path()).status();
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_leaves_no_fragments_and_is_not_the_inputs_fault() {
    let Some(disk) = SmallDisk::new("files-full", 24) else { return };
    let folder = disk.0.path();
    let work = TemporaryFolder::new("files-full-spec");
    let spec = spec(work.path());
    fs::write(folder.join("old.png"), "precious").unwrap();
    let path = |name: &str| folder.join(name);
    for arguments in [
        vec!["plot", PROBLEM, "--out", text(&path("old.png")), "--force"],
        vec!["plot", PROBLEM, "--out", text(&path("new.png"))],
        vec!["compare", PROBLEM, "--report", text(&path("r.html"))],
    ] {
        let run = carom(&arguments);
        assert_eq!(run.code, 4, "{arguments:?}: {}", run.stderr);
        assert_eq!(names(folder), ["old.png"], "{arguments:?}");
        assert_eq!(fs::read(path("old.png")).unwrap(), b"precious");
    }
    let run =
        carom(&["sweep", text(&spec), "--out", text(&path("out.parquet")), "--row-group", "5"]);
    assert_eq!(run.code, 4, "{}", run.stderr);
    let parts = path("out.parquet.parts");
    assert_eq!(names(folder), ["old.png", "out.parquet.parts"]);
    for name in names(&parts) {
        assert!(!name.ends_with("unfinished"), "{name} is a fragment");
    }
    // Room is made, and it goes on.
    let mounted = text(folder);
    assert!(
        Command::new("mount").args(["-o", "remount,size=4m", mounted]).status().unwrap().success()
    );
    let run =
        carom(&["sweep", text(&spec), "--out", text(&path("out.parquet")), "--row-group", "5"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert_eq!(names(folder), ["old.png", "out.parquet"]);
    // Standard output may be full as well.
    let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let status = command().args(["resolve", PROBLEM, "--json"]).stdout(full).status().unwrap();
    assert_eq!(status.code(), Some(4));
}

#[cfg(target_os = "linux")]
#[test]
fn a_read_only_folder_is_left_as_it_is() {
    let Some(disk) = SmallDisk::new("files-read-only", 1024) else { return };
    let folder = disk.0.path();
    let work = TemporaryFolder::new("files-read-only-spec");
    let spec = spec(work.path());
    let path = |name: &str| folder.join(name);
    assert_eq!(carom(&["plot", PROBLEM, "--out", text(&path("a.svg"))]).code, 0);
    let before = fs::read(path("a.svg")).unwrap();
    disk.make_read_only();
    for arguments in [
        vec!["plot", PROBLEM, "--law", "smith", "--out", text(&path("a.svg"))],
        vec!["plot", PROBLEM, "--out", text(&path("b.svg"))],
        vec!["compare", PROBLEM, "--report", text(&path("r.html"))],
        vec!["figures", "--paper", "mosterman", "--out", text(&path("figures"))],
        vec!["sweep", text(&spec), "--out", text(&path("out.parquet"))],
    ] {
        let run = carom(&arguments);
        assert_eq!(run.code, 4, "{arguments:?}: {}", run.stderr);
        assert!(run.stderr.contains("io:"), "{}", run.stderr);
        assert_eq!(names(folder), ["a.svg"], "{arguments:?}");
    }
    assert_eq!(fs::read(path("a.svg")).unwrap(), before);
}
