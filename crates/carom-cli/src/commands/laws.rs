//! `carom laws`: the catalogue.

use super::{Exit, Refusal, print, print_json};
use crate::cli::Laws;
use crate::table::{Cell, Table};
use crate::words::e_means;
use anstyle::Style;
use carom::law::{CATALOG, LawRow};
use serde_json::{Value, json};

pub fn run(args: &Laws) -> Result<Exit, Refusal> {
    if args.json {
        let rows: Vec<Value> = CATALOG.iter().map(|row| as_json(row)).collect();
        return print_json(&rows);
    }
    print(&as_text())
}

fn as_text() -> String {
    let bold = Style::new().bold();
    let mut table = Table::default();
    let heading = ["law", "year", "e is a ratio of", "rows", "energy", "settings"];
    table.push(heading.map(|h| Cell::left(h).styled(bold)).to_vec());
    for row in CATALOG {
        let rows: Vec<String> = row.dimensions.iter().map(usize::to_string).collect();
        table.push(vec![
            Cell::left(row.id),
            Cell::left(row.year.to_string()),
            Cell::left(e_means(row.reads_e)),
            Cell::left(rows.join(" ")),
            Cell::left(if row.claims.energy { "never grows" } else { "may grow" }),
            Cell::left(row.name),
        ]);
    }
    let mut text = table.lines(2).join("\n");
    text.push_str("\n\n");
    for row in CATALOG {
        text.push_str(&format!("{bold}{}{bold:#}: {}\n", row.id, row.summary));
        for s in row.settings {
            let line = format!("    {} = {} ({}): {}\n", s.name, s.default, s.range, s.meaning);
            text.push_str(&line);
        }
    }
    text
}

fn as_json(row: &LawRow) -> Value {
    let settings: Vec<Value> = row
        .settings
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
    json!({
        "id": row.id,
        "name": row.name,
        "year": row.year,
        "summary": row.summary,
        "references": row.references,
        "reads_e": row.reads_e.name(),
        "max_e": row.max_e,
        "dimensions": row.dimensions,
        "incremental": row.incremental,
        "settings": settings,
        "claims": {
            "energy": row.claims.energy,
            "separation": row.claims.separation,
            "cone": row.claims.cone,
            "restitution": row.claims.restitution,
            "scale": row.claims.scale,
            "frame": row.claims.frame,
            "total": row.claims.total,
        },
    })
}
