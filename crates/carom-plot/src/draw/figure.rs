//! A figure: panels side by side, a legend, a caption, and named numbers.

use super::layout::Layout;
use super::mark::Shape;
use super::panel::Panel;
use super::svg;
use super::theme::{Theme, Tone};
use std::fmt::Write;

/// A number that the figure shows, with its name.
#[derive(Clone, Debug, PartialEq)]
pub struct Fact {
    /// Its name.
    pub name: String,
    /// The number, in its unit.
    pub value: f64,
    /// Its unit; `1` for none.
    pub unit: String,
}

/// What a sign with a number stands for.
#[derive(Clone, Debug, PartialEq)]
pub struct Key {
    /// The number, or letter, at the sign.
    pub sign: String,
    /// The sign's colour.
    pub tone: Tone,
    /// The sign.
    pub shape: Shape,
    /// What it stands for.
    pub text: String,
}

/// Panels with a title, a caption and named numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// Stands above all.
    pub title: String,
    /// Says what is seen and with which parameters.
    pub caption: String,
    /// The panels, row after row.
    pub panels: Vec<Panel>,
    /// Panels in a row.
    pub columns: usize,
    /// Numbers worth a name: intersections, parameters, angles.
    pub facts: Vec<Fact>,
    /// What numbers at signs stand for, listed below the legend.
    pub key: Vec<Key>,
}

impl Figure {
    /// A figure without panels.
    pub fn new(title: &str, caption: &str) -> Self {
        Self {
            title: title.to_owned(),
            caption: caption.to_owned(),
            panels: Vec::new(),
            columns: 2,
            facts: Vec::new(),
            key: Vec::new(),
        }
    }

    /// Adds a panel.
    pub fn with(mut self, panel: Panel) -> Self {
        self.panels.push(panel);
        self
    }

    /// Sets how many panels stand in a row.
    pub fn in_columns(mut self, columns: usize) -> Self {
        self.columns = columns.max(1);
        self
    }

    /// Adds a named number.
    pub fn fact(&mut self, name: &str, value: f64, unit: &str) {
        self.facts.push(Fact { name: name.to_owned(), value, unit: unit.to_owned() });
    }

    /// Says what the number at a sign stands for.
    pub fn explain(&mut self, sign: &str, tone: Tone, shape: Shape, text: &str) {
        let (sign, text) = (sign.to_owned(), text.to_owned());
        self.key.push(Key { sign, tone, shape, text });
    }

    /// The figure as SVG.
    pub fn svg(&self, theme: Theme) -> String {
        svg::draw(self, theme).0
    }

    /// Where the figure's words stand.
    pub fn layout(&self) -> Layout {
        svg::draw(self, Theme::Light).1
    }

    /// The figure as SVG for a page that holds several: names inside it begin with `prefix`.
    pub fn svg_among(&self, theme: Theme, prefix: &str) -> String {
        // Only clipping paths have names; quotes in text are escaped, so nothing else looks like one.
        self.svg(theme)
            .replace("id=\"c", &format!("id=\"{prefix}c"))
            .replace("url(#c", &format!("url(#{prefix}c"))
    }

    /// The points of all named series, as `panel,series,x,y`. Panels count from 1.
    pub fn csv(&self) -> String {
        let mut out = String::from("panel,series,x,y\n");
        for (k, panel) in self.panels.iter().enumerate() {
            for series in panel.series.iter().filter(|s| !s.name.is_empty()) {
                let name = quoted(&series.name);
                for [x, y] in series.points.iter().filter(|p| p.iter().all(|x| x.is_finite())) {
                    // Adding zero turns −0 into 0.
                    let _ = writeln!(out, "{},{name},{},{}", k + 1, x + 0.0, y + 0.0);
                }
            }
        }
        out
    }

    /// The named numbers, as `name,value,unit`.
    pub fn facts_csv(&self) -> String {
        let mut out = String::from("name,value,unit\n");
        for fact in &self.facts {
            let _ =
                writeln!(out, "{},{},{}", quoted(&fact.name), fact.value + 0.0, quoted(&fact.unit));
        }
        out
    }
}

/// A field of a table, quoted where it must be.
pub(crate) fn quoted(field: &str) -> String {
    if field.contains([',', '"', '\n']) {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field.to_owned()
    }
}
