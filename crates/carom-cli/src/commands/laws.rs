//! `carom laws`: the catalogue.

use super::{Exit, Refusal, print, print_json};
use crate::cli::Laws;
use crate::table::{Cell, Table};
use anstyle::Style;
use carom::catalog::{self, Arity, LawInfo};
use carom_report::words::e_means;
use serde_json::{Value, json};

pub fn run(args: &Laws) -> Result<Exit, Refusal> {
    if args.json {
        let rows: Vec<Value> = catalog::all().map(as_json).collect();
        return print_json(&rows);
    }
    print(&as_text())
}

fn as_text() -> String {
    let bold = Style::new().bold();
    let mut table = Table::default();
    let heading = ["law", "year", "e is a ratio of", "contacts", "rows", "energy", "name"];
    table.push(heading.map(|h| Cell::left(h).styled(bold)).to_vec());
    for row in catalog::all() {
        let (contacts, rows) = match row.arity {
            Arity::One => {
                let rows: Vec<String> = row.dimensions.iter().map(usize::to_string).collect();
                ("1", rows.join(" "))
            }
            Arity::Any if row.friction => ("any", "1 2 3".to_owned()),
            Arity::Any => ("any", "normal".to_owned()),
        };
        table.push(vec![
            Cell::left(row.id),
            Cell::left(row.year.to_string()),
            Cell::left(e_means(row.reads_e)),
            Cell::left(contacts),
            Cell::left(rows),
            Cell::left(if row.claims.energy { "never grows" } else { "may grow" }),
            Cell::left(row.name),
        ]);
    }
    let mut text = table.lines(2).join("\n");
    text.push_str("\n\n");
    for row in catalog::all() {
        text.push_str(&format!("{bold}{}{bold:#}: {}\n", row.id, row.summary));
        for s in row.settings() {
            let line = format!("    {} = {} ({}): {}\n", s.name, s.default, s.range, s.meaning);
            text.push_str(&line);
        }
    }
    text
}

fn as_json(row: &'static LawInfo) -> Value {
    let settings: Vec<Value> = row
        .settings()
        .iter()
        .map(|s| {
            json!({
                "name": s.name,
                "default": s.default,
                "range": s.range,
                "meaning": s.meaning,
            })
        })
        .collect();
    let claims: serde_json::Map<String, Value> =
        row.claims().into_iter().map(|(name, made)| (name.to_owned(), json!(made))).collect();
    let mut json = json!({
        "id": row.id,
        "name": row.name,
        "year": row.year,
        "summary": row.summary,
        "references": row.references,
        "reads_e": row.reads_e.name(),
        "max_e": if row.max_e.is_finite() { json!(row.max_e) } else { json!("inf") },
        "contacts": if row.takes_several() { "any" } else { "one" },
        "settings": settings,
        "claims": claims,
    });
    match row.arity {
        Arity::One => {
            json["dimensions"] = json!(row.dimensions);
            json["incremental"] = json!(row.incremental);
        }
        Arity::Any => json["friction"] = json!(row.friction),
    }
    json
}
