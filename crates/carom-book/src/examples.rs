//! Commands that pages print, run as a reader would run them.
//!
//! Every line of a block marked `sh` is run, in a folder that holds scenarios, sweeps and the reference answers, with the
//! `carom` of this repository. Commands that fail are told all together, and there is no book. `{{output}}` on a line of its own stands for what the
//! commands before it have printed. Pictures that commands draw become files of the book.

use crate::Places;
use crate::fault::Fault;
use crate::sources;
use crate::stage::{copy, create, remove};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Chores of the repository are not examples of carom: one of them runs this.
const CHORES: [&str; 3] = ["cargo xtask", "git ", "cargo install"];
/// How README.md starts carom on a fresh machine.
const FRESH: &str = "cargo run --release -- ";
/// Stands for what was printed.
const OUTPUT: &str = "{{output}}";

/// Where commands run.
pub struct CommandRunner {
    folder: PathBuf,
    path: OsString,
    commands: usize,
    failures: Vec<String>,
}

impl CommandRunner {
    /// An empty runner with the files that commands name.
    pub fn new(places: &Places) -> Result<Self, Fault> {
        let folder = places.out.join("workshop");
        remove(&folder)?;
        create(&folder.join("laws"))?;
        for shared in ["scenarios", "scenes", "robots", "sweeps", "golden"] {
            for name in sources::files(&places.root.join(shared))? {
                copy(&places.root.join(shared).join(&name), &folder.join(shared).join(&name))?;
            }
        }
        let mut path = places.carom.parent().map(OsString::from).unwrap_or_default();
        if let Some(rest) = std::env::var_os("PATH") {
            path.push(if cfg!(windows) { ";" } else { ":" });
            path.push(rest);
        }
        Ok(Self { folder, path, commands: 0, failures: Vec::new() })
    }

    /// How many commands have run, if all of them did their work.
    pub fn commands(&self) -> Result<usize, Fault> {
        match self.failures.is_empty() {
            true => Ok(self.commands),
            false => Err(Fault::new(self.failures.join("\n"))),
        }
    }

    /// Runs the commands of a page, and puts in what they print.
    pub fn page(&mut self, text: &str, name: &str) -> Result<String, Fault> {
        let mut page = String::new();
        let mut printed = String::new();
        let mut inside = false;
        for line in text.lines() {
            if line.trim_end() == OUTPUT {
                page += &format!("```text\n{}```\n", printed.trim_start_matches('\n'));
                continue;
            }
            if line.starts_with("```") {
                inside = !inside && line.trim_end() == "```sh";
                if inside {
                    printed.clear();
                }
            } else if inside && !line.trim().is_empty() && !line.trim_start().starts_with('#') {
                printed += &self.run(line, name)?;
            }
            page += line;
            page.push('\n');
        }
        Ok(page)
    }

    /// Runs one command; what it printed. One that fails is kept for later.
    fn run(&mut self, line: &str, page: &str) -> Result<String, Fault> {
        if CHORES.iter().any(|chore| line.starts_with(chore)) {
            return Ok(String::new());
        }
        let command = match line.strip_prefix(FRESH) {
            Some(arguments) => format!("carom {arguments}"),
            None => line.to_owned(),
        };
        let output = Command::new("sh")
            .args(["-c", &command])
            .current_dir(&self.folder)
            .env("PATH", &self.path)
            .env("NO_COLOR", "1")
            .output()
            .map_err(|error| Fault::new(format!("{page}: `{command}`: {error}")))?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr);
            self.failures.push(format!("{page}: `{command}`: {}\n{said}", output.status));
        }
        self.commands += 1;
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }

    /// Puts the pictures that commands drew beside the pages.
    pub fn pictures(&self, target: &Path) -> Result<(), Fault> {
        for name in sources::files(&self.folder)? {
            let given = ["scenarios/", "sweeps/", "golden/"];
            let drawn = !given.iter().any(|folder| name.starts_with(folder));
            if drawn && [".svg", ".png", ".html", ".csv"].iter().any(|end| name.ends_with(end)) {
                copy(&self.folder.join(&name), &target.join(&name))?;
            }
        }
        Ok(())
    }
}
