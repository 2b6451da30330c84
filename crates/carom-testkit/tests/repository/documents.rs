//! The documents at the root.

use crate::{code_spans, files_below, root, text};
use carom::catalog::{self, LawInfo};

const DOCUMENTS: [&str; 6] = [
    "README.md",
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "scenarios/README.md",
    "scenes/README.md",
];

#[test]
fn paths_in_the_architecture_exist() {
    let document = text("ARCHITECTURE.md");
    let paths: Vec<&str> = code_spans(&document).filter(|s| s.contains('/')).collect();
    assert!(paths.len() > 10, "the page lost its table: {paths:?}");
    for path in paths {
        assert!(root().join(path).exists(), "ARCHITECTURE.md: no {path}");
    }
}

#[test]
fn paths_in_the_readme_exist() {
    let document = text("README.md");
    let paths = document
        .split([' ', '\n', '`', '(', ')', '[', ']'])
        .filter(|w| ["scenarios/", "scenes/", "crates/"].iter().any(|p| w.starts_with(p)));
    for path in paths {
        assert!(root().join(path).exists(), "README.md: no {path}");
    }
}

#[test]
fn links_between_documents_lead_somewhere() {
    for name in DOCUMENTS {
        let document = text(name);
        let folder = root().join(name).parent().expect("a folder").to_path_buf();
        for target in document.split("](").skip(1) {
            let target = target.split([')', '#']).next().unwrap_or("");
            if !target.is_empty() && !target.starts_with("http") {
                assert!(folder.join(target).exists(), "{name}: no {target}");
            }
        }
    }
}

#[test]
fn changelog_names_every_law() {
    let document = text("CHANGELOG.md");
    for row in catalog::all() {
        assert!(
            code_spans(&document).any(|s| s == row.id),
            "CHANGELOG.md does not name `{}`",
            row.id
        );
    }
}

#[test]
fn citation_has_the_version_of_the_packages() {
    let line = format!("version: {}", env!("CARGO_PKG_VERSION"));
    assert!(text("CITATION.cff").lines().any(|l| l == line), "no `{line}`");
}

#[test]
fn lists_of_scenarios_and_scenes_are_complete() {
    for (folder, least) in [("scenarios", 22), ("scenes", 12)] {
        let document = text(&format!("{folder}/README.md"));
        let files: Vec<String> =
            files_below(folder).into_iter().filter(|path| path.ends_with(".toml")).collect();
        assert!(files.len() >= least, "{folder} are missing: {files:?}");
        for path in files {
            let name = path.trim_start_matches(folder).trim_start_matches('/');
            assert!(
                document.contains(&format!("]({name})")),
                "{folder}/README.md does not list {name}"
            );
            assert!(text(&path).starts_with("# "), "{path} has no comment");
        }
    }
}

/// Compares the table with the catalogue; with `CAROM_REWRITE` set, writes it (`cargo xtask docs`).
#[test]
fn readme_shows_every_law() {
    const BEGIN: &str = "<!-- laws: written by `cargo xtask docs` -->\n";
    const END: &str = "<!-- /laws -->";
    let document = text("README.md");
    let (head, rest) = document.split_once(BEGIN).expect("the mark before the laws");
    let (shown, tail) = rest.split_once(END).expect("the mark after the laws");
    let table = law_table();
    if std::env::var_os("CAROM_REWRITE").is_some() {
        let written = [head, BEGIN, &table, END, tail].concat();
        std::fs::write(root().join("README.md"), written).expect("a writable README.md");
    } else {
        assert_eq!(shown, table, "the table of laws is out of date; run `cargo xtask docs`");
    }
}

/// The ids that type checkers of Python know are those of the catalogue; with `CAROM_REWRITE` set, they are written.
#[test]
fn python_knows_every_law() {
    const PATH: &str = "crates/carom-py/python/carom/_law_ids.py";
    let mut ids = String::from(
        "\"\"\"Ids of all laws, for type checkers and editors: written by `cargo xtask docs`.\"\"\"\n\n\
         from typing import Literal\n\nLawId = Literal[\n",
    );
    for row in catalog::all() {
        ids += &format!("    \"{}\",\n", row.id);
    }
    ids += "]\n";
    if std::env::var_os("CAROM_REWRITE").is_some() {
        std::fs::write(root().join(PATH), ids).expect("a writable file of ids");
    } else {
        assert_eq!(text(PATH), ids, "the ids are out of date; run `cargo xtask docs`");
    }
}

fn law_table() -> String {
    let mut table = String::from(
        "| law | what it does | contacts | rows | reads e as | energy | separates | cone | answers | source |\n\
         |---|---|---|---|---|:-:|:-:|:-:|:-:|---|\n",
    );
    for row in catalog::all() {
        table += &table_line(row);
    }
    table += "\nOf laws for several contacts, also:\n\n\
        | law | symmetric | cradle | ends | order-free | continuous |\n\
        |---|:-:|:-:|:-:|:-:|:-:|\n";
    for row in catalog::all().filter(|row| row.takes_several()) {
        table += &several_line(row);
    }
    table
}

fn tick(promised: bool) -> &'static str {
    if promised { "✓" } else { " " }
}

fn table_line(row: &LawInfo) -> String {
    let claims = row.claims;
    let (contacts, rows, cone) = match row.takes_several() {
        false => {
            let rows: Vec<String> = row.dimensions.iter().map(usize::to_string).collect();
            ("one", rows.join(" "), claims.cone)
        }
        // Without friction the cone is p_n ≥ 0.
        true => ("any", if row.friction { "1 2 3" } else { "normal" }.to_owned(), claims.pushes),
    };
    format!(
        "| `{}` | {}: {} | {contacts} | {rows} | {} | {} | {} | {} | {} | {} |\n",
        row.id,
        row.name,
        row.summary,
        row.reads_e.name(),
        tick(claims.energy),
        tick(claims.separation),
        tick(cone),
        tick(claims.total),
        row.references.join(", "),
    )
}

fn several_line(row: &LawInfo) -> String {
    let claims = row.claims;
    format!(
        "| `{}` | {} | {} | {} | {} | {} |\n",
        row.id,
        tick(claims.symmetry),
        tick(claims.cradle),
        tick(claims.terminates),
        tick(claims.order_free),
        tick(claims.continuous),
    )
}
