//! The pages as mdBook takes them: examples run, pictures drawn, a page for each law.

use crate::examples::CommandRunner;
use crate::fault::Fault;
use crate::{Places, law_pages, sources};
use carom_io::format::keys;
use std::fs;
use std::path::Path;

/// What was made.
pub struct Pages {
    /// Pages, those of laws included.
    pub count: usize,
    /// Commands run, those of README.md included.
    pub commands: usize,
}

/// Writes all pages and pictures below `out/source`.
pub fn pages(places: &Places) -> Result<Pages, Fault> {
    let source = places.out.join("source");
    remove(&source)?;
    let (book, target) = (places.root.join("docs/book"), source.join("src"));
    create(&target.join("laws"))?;
    write(&source.join("book.toml"), &read(&book.join("book.toml"))?)?;
    let mut runner = CommandRunner::new(places)?;

    // README.md stands outside the book; its commands run all the same.
    runner.page(&read(&places.root.join("README.md"))?, "README.md")?;
    let mut count = 0;
    let mut summary = String::new();
    for name in sources::files(&book.join("src"))? {
        let text = read(&book.join("src").join(&name))?;
        if name == "SUMMARY.md" {
            summary = text;
            continue;
        }
        if name.ends_with(".md") {
            let text = text.replace(CONTACT_KEYS, &contact_keys());
            let page = runner.page(&text, &name)?;
            write(&target.join(&name), &page)?;
            count += 1;
        } else {
            copy(&book.join("src").join(&name), &target.join(&name))?;
        }
    }
    let mut entries = String::new();
    for law in law_pages::all(&places.root)? {
        let name = format!("laws/{}.md", law.id);
        let page = runner.page(&law.page, &name)?;
        write(&target.join(&name), &page)?;
        entries += &format!("  - [{}]({name})\n", law.name);
        count += 1;
    }
    let summary = summary.replace("  - [every law](laws.md)\n", &entries);
    write(&target.join("SUMMARY.md"), &summary)?;
    let commands = runner.commands()?;
    runner.pictures(&target)?;
    front_picture(places, &target)?;
    Ok(Pages { count, commands })
}

/// Stands for the table of what contacts have.
const CONTACT_KEYS: &str = "{{keys of a contact}}";

fn contact_keys() -> String {
    let mut table = "| key | meaning |\n|---|---|".to_owned();
    for key in keys::CONTACT.keys() {
        let required = if key.required { "required: " } else { "" };
        table += &format!("\n| `{}` | {required}{} |", key.name, key.meaning);
    }
    table
}

/// The picture of README.md, drawn by a command of README.md. It is kept with the repository, because a front page shows
/// its picture before anything is built.
const FRONT_PICTURE: &str = "impulse-space.svg";

fn front_picture(places: &Places, target: &Path) -> Result<(), Fault> {
    let kept = places.root.join("docs").join(FRONT_PICTURE);
    let drawn = target.join(FRONT_PICTURE);
    match places.rewrite {
        true => copy(&drawn, &kept),
        false if read(&drawn)? == read(&kept)? => Ok(()),
        false => Err(Fault::new(format!(
            "{} is not what its command draws; run `cargo xtask docs`",
            kept.display()
        ))),
    }
}

/// The text of a file.
pub fn read(path: &Path) -> Result<String, Fault> {
    fs::read_to_string(path).map_err(|error| Fault::at(path, &error))
}

/// Writes a file and the folders above it.
pub fn write(path: &Path, text: &str) -> Result<(), Fault> {
    if let Some(folder) = path.parent() {
        create(folder)?;
    }
    fs::write(path, text).map_err(|error| Fault::at(path, &error))
}

/// Makes a folder and those above it.
pub fn create(path: &Path) -> Result<(), Fault> {
    fs::create_dir_all(path).map_err(|error| Fault::at(path, &error))
}

/// Removes a folder, if it is there.
pub fn remove(path: &Path) -> Result<(), Fault> {
    match path.exists() {
        true => fs::remove_dir_all(path).map_err(|error| Fault::at(path, &error)),
        false => Ok(()),
    }
}

/// Copies a file, and makes the folders above it.
pub fn copy(from: &Path, to: &Path) -> Result<(), Fault> {
    if let Some(folder) = to.parent() {
        create(folder)?;
    }
    fs::copy(from, to).map(|_| ()).map_err(|error| Fault::at(from, &error))
}
