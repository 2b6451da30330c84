//! A table: rows and columns of words and numbers, with a caption.

use crate::draw::quoted;
use std::fmt::Write;

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
}

impl Field {
    /// The field with every digit it has.
    fn full(&self) -> String {
        match self {
            Self::Word(word) => quoted(word),
            Self::Number(x) => format!("{}", x + 0.0),
            Self::Empty => String::new(),
        }
    }
}
