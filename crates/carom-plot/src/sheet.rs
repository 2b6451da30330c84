//! A table: rows and columns of words and numbers, with a caption.

use crate::draw::{escape, html, quoted};
use std::fmt::Write;

/// Digits of a number where people read it \[1\].
const DIGITS: usize = 8;

/// A field of a table.
#[derive(Clone, Debug, PartialEq)]
pub enum Field {
    /// Words.
    Word(String),
    /// A number, in the unit of its column.
    Number(f64),
    /// Nothing.
    Empty,
}

/// Rows and columns with a title and a caption.
#[derive(Clone, Debug, PartialEq)]
pub struct Sheet {
    /// Stands above all.
    pub title: String,
    /// Says what is seen and with which parameters.
    pub caption: String,
    /// What the columns show, with units in brackets.
    pub head: Vec<String>,
    /// The rows, each as long as the head.
    pub rows: Vec<Vec<Field>>,
}

impl Sheet {
    /// A table without rows.
    pub fn new(title: &str, caption: &str, head: &[&str]) -> Self {
        Self {
            title: title.to_owned(),
            caption: caption.to_owned(),
            head: head.iter().map(|&h| h.to_owned()).collect(),
            rows: Vec::new(),
        }
    }

    /// Adds a row.
    pub fn row(&mut self, fields: Vec<Field>) {
        self.rows.push(fields);
    }

    /// The table as comma-separated values, numbers in full.
    pub fn csv(&self) -> String {
        let mut out = self.head.iter().map(|h| quoted(h)).collect::<Vec<_>>().join(",");
        out.push('\n');
        for row in &self.rows {
            let fields: Vec<String> = row.iter().map(Field::full).collect();
            let _ = writeln!(out, "{}", fields.join(","));
        }
        out
    }

    /// The table as an HTML `table`, numbers shortened.
    pub fn html(&self) -> String {
        let mut out = String::from("<table><thead><tr>");
        for head in &self.head {
            let _ = write!(out, "<th>{}</th>", html(head));
        }
        out.push_str("</tr></thead><tbody>");
        for row in &self.rows {
            out.push_str("<tr>");
            for field in row {
                let class =
                    if matches!(field, Field::Number(_)) { r#" class="number""# } else { "" };
                let _ = write!(out, "<td{class}>{}</td>", escape(&field.short()));
            }
            out.push_str("</tr>");
        }
        out.push_str("</tbody></table>");
        out
    }
}

impl Field {
    /// The field as people read it.
    fn short(&self) -> String {
        match self {
            Self::Word(word) => word.clone(),
            Self::Number(x) => {
                // As many digits after the point as make `DIGITS` in all, then without trailing zeros.
                let before = if *x == 0.0 { 1.0 } else { libm::floor(libm::log10(x.abs())) + 1.0 };
                let after = (DIGITS as f64 - before.max(1.0)).max(0.0) as usize;
                let text = format!("{:.after$}", x + 0.0);
                let text = match text.contains('.') {
                    true => text.trim_end_matches('0').trim_end_matches('.'),
                    false => &text,
                };
                text.replace('-', "−")
            }
            Self::Empty => String::new(),
        }
    }

    /// The field with every digit it has.
    fn full(&self) -> String {
        match self {
            Self::Word(word) => quoted(word),
            Self::Number(x) => format!("{}", x + 0.0),
            Self::Empty => String::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_full_in_the_file_and_short_on_the_page() {
        let mut sheet = Sheet::new("t", "c", &["a, b", "x [m]"]);
        sheet.row(vec![Field::Word("{1} & {2}".into()), Field::Number(-1.0 / 3.0)]);
        sheet.row(vec![Field::Empty, Field::Number(1000.0)]);
        assert_eq!(sheet.csv(), "\"a, b\",x [m]\n{1} & {2},-0.3333333333333333\n,1000\n");
        let html = sheet.html();
        assert!(
            html.contains("<td>{1} &amp; {2}</td><td class=\"number\">−0.3333333</td>"),
            "{html}"
        );
        assert!(html.contains("<td></td><td class=\"number\">1000</td>"), "{html}");
    }
}
