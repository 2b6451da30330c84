//! A page for each law: its module's own documentation, its settings, its promises, its picture.

use crate::fault::Fault;
use crate::sources;
use crate::stage::read;
use carom::catalog::{self, Arity, LawInfo};
use std::fmt::Write;
use std::path::Path;

/// The page of one law.
pub struct LawPage {
    /// The law's id.
    pub id: &'static str,
    /// Its name in prose.
    pub name: &'static str,
    /// The page.
    pub page: String,
}

/// The folders that hold laws.
const FOLDERS: [&str; 3] = [
    "crates/carom/src/laws/single",
    "crates/carom/src/laws/normal",
    "crates/carom/src/laws/friction",
];

/// Pages of all laws, in the order of the catalogue.
pub fn all(root: &Path) -> Result<Vec<LawPage>, Fault> {
    let mut modules = Vec::new();
    for folder in FOLDERS {
        for name in sources::files(&root.join(folder))? {
            let path = format!("{folder}/{name}");
            let text = read(&root.join(&path))?;
            if text.contains(": LawInfo = ") || text.contains(": LawInfo = ") {
                modules.push((path, text));
            }
        }
    }
    catalog::all().map(|row| page(root, &modules, row)).collect()
}

fn page(
    root: &Path,
    modules: &[(String, String)],
    row: &'static LawInfo,
) -> Result<LawPage, Fault> {
    let declared = format!("id: \"{}\"", row.id);
    let (path, text) = modules
        .iter()
        .find(|(_, text)| text.contains(&declared))
        .ok_or_else(|| Fault::new(format!("no module holds the row of `{}`", row.id)))?;
    // A law in a folder of its own explains itself where it begins.
    let (path, text) = match path.strip_suffix("/settings.rs") {
        Some(folder) => {
            let begin = format!("{folder}/mod.rs");
            let text = read(&root.join(&begin))?;
            (begin, text)
        }
        None => (path.clone(), text.clone()),
    };
    let mut page = documentation(&text);
    let head = format!("\n*`{}`: {}.*\n", row.id, row.summary);
    let end = page.find('\n').unwrap_or(page.len());
    page.insert_str(end, &format!("\n{head}"));
    picture(&mut page, row);
    settings(&mut page, row);
    promises(&mut page, row);
    let _ = writeln!(page, "\nSource: `{path}`.");
    Ok(LawPage { id: row.id, name: row.name, page })
}

/// What the module says of itself, as a page: links between items of the program become their names.
fn documentation(text: &str) -> String {
    let mut page = String::new();
    for line in text.lines().filter_map(|line| line.strip_prefix("//!")) {
        let line = line.strip_prefix(' ').unwrap_or(line);
        page += &without_item_links(line);
        page.push('\n');
    }
    page
}

/// Links to items of the program, with or without a path, become the names of these items.
fn without_item_links(line: &str) -> String {
    let mut out = String::new();
    let mut rest = line;
    while let Some(begin) = rest.find("[`") {
        let Some(length) = rest[begin..].find("`]") else { break };
        let end = begin + length + 2;
        out += &rest[..begin];
        out += &rest[begin + 1..end - 1];
        rest = &rest[end..];
        if rest.starts_with('(') {
            rest = rest.find(')').map_or("", |close| &rest[close + 1..]);
        }
    }
    out += rest;
    out
}

/// The command that draws the law, and its picture: the box's corner in impulse space, or a cradle's velocities.
fn picture(page: &mut String, row: &'static LawInfo) {
    let id = row.id;
    let (file, kind, told) = match row.arity {
        // It is for contacts that do not couple normal and tangent.
        Arity::One if id == "bilinear" => {
            ("spinning-ball", "impulse-space", "a ball that spins, in impulse space")
        }
        Arity::One => {
            ("box-corner", "impulse-space", "a box that lands on its corner, in impulse space")
        }
        Arity::Any => ("newtons-cradle", "chain", "Newton's cradle, against restitution"),
    };
    let mut options = format!("--kind {kind} --law {id}");
    // In the plane, the curve that it draws as its parameters change.
    if file == "box-corner" {
        let _ = write!(options, " --accessible {id}");
    }
    // What a law cannot do without, for a contact in the plane.
    for (setting, value) in [("impulse", "[0.9,0.5]"), ("ratios", "[0.2]")] {
        if row.settings().iter().any(|s| s.name == setting) {
            let _ = write!(options, " --set {setting}={value}");
        }
    }
    let _ = write!(
        page,
        "\n## Picture\n\n```sh\ncarom plot scenarios/{file}.toml {options} --out laws/{id}.svg\n```\n\n\
         ![{id}: {told}]({id}.svg)\n"
    );
}

fn settings(page: &mut String, row: &'static LawInfo) {
    if row.settings().is_empty() {
        return;
    }
    page.push_str("\n## Settings\n\n| setting | default | takes | meaning |\n|---|---|---|---|\n");
    for s in row.settings() {
        let cell = |text: &str| text.replace('|', "\\|");
        let _ = writeln!(
            page,
            "| `{}` | {} | {} | {} |",
            s.name,
            cell(&s.default),
            cell(&s.range),
            cell(s.meaning)
        );
    }
}

/// What is promised on every valid input, and tested.
fn promises(page: &mut String, row: &'static LawInfo) {
    let promises: Vec<(&str, bool)> = match row.arity {
        Arity::One => vec![
            ("energy never grows", row.claims.energy),
            ("the bodies separate", row.claims.separation),
            ("the impulse stays in the friction cone", row.claims.cone),
            ("there is always an answer", row.claims.total),
        ],
        Arity::Any => vec![
            ("energy never grows", row.claims.energy),
            ("the bodies separate", row.claims.separation),
            ("contacts push, inside their cones", row.claims.pushes),
            ("there is always an answer", row.claims.total),
            ("a symmetric problem has a symmetric answer", row.claims.symmetry),
            ("in Newton's cradle as many balls leave as came", row.claims.cradle),
            ("it ends after finitely many steps", row.claims.terminates),
            ("the order of contacts does not matter", row.claims.order_free),
            ("it is continuous in the velocities before", row.claims.continuous),
        ],
    };
    page.push_str("\n## Promises\n\nTested on random impacts:\n\n");
    for (promise, kept) in promises {
        let _ = writeln!(page, "- {promise}: **{}**", if kept { "yes" } else { "not promised" });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_between_items_become_names() {
        assert_eq!(
            without_item_links("see [`Region`] and [`f`](crate::f), [x]"),
            "see `Region` and `f`, [x]"
        );
        assert_eq!(without_item_links("no link ["), "no link [");
    }
}
