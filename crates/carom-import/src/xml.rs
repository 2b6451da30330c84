//! XML as elements that know where they stand, and which of their attributes were asked for: what nobody asked for is what
//! was not taken over.

use crate::fault::{Fault, Notes, Place, Result};
use std::cell::Cell;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// No file may be longer than this \[bytes\].
pub const MOST_BYTES: u64 = 64 << 20;
/// Elements may stand in each other this deep: what reads them goes down by calling itself.
const DEEPEST: usize = 200;
/// All files together may have so many elements, attributes and texts.
const MOST_NODES: u32 = 2_000_000;

/// A file that was read.
#[derive(Debug)]
pub struct Text {
    pub name: String,
    pub path: PathBuf,
    pub text: String,
    /// Where each line begins.
    lines: Vec<usize>,
}

/// An element of a file.
#[derive(Debug)]
pub struct Element {
    pub tag: String,
    pub place: Place,
    pub attributes: Vec<Attribute>,
    pub children: Vec<Element>,
    pub used: Cell<bool>,
}

/// An attribute of an element.
#[derive(Debug)]
pub struct Attribute {
    pub name: String,
    pub value: String,
    pub place: Place,
    pub used: Cell<bool>,
}

impl Text {
    pub fn new(name: String, path: PathBuf, text: String) -> Self {
        let ends = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        let lines = std::iter::once(0).chain(ends.map(|(at, _)| at + 1)).collect();
        Self { name, path, text, lines }
    }

    fn place(&self, file: usize, span: std::ops::Range<usize>) -> Place {
        let line = self.lines.partition_point(|start| *start <= span.start).max(1);
        let before = self.text.get(self.lines[line - 1]..span.start).unwrap_or_default();
        // The first line of what it spans, which is what is shown.
        let shown = self.text.get(span.clone()).unwrap_or_default();
        let end = span.start + shown.find(['\n', '>']).map_or(shown.len(), |at| at + 1);
        Place {
            file,
            line: line as u32,
            column: before.chars().count() as u32 + 1,
            span: (span.start, end),
        }
    }
}

/// Reads a file as bytes, up to the limit.
pub fn bytes_of(path: &Path) -> std::result::Result<Vec<u8>, String> {
    let shown = path.display();
    let file = File::open(path).map_err(|error| format!("{shown}: {error}"))?;
    let found = file.metadata().map_err(|error| format!("{shown}: {error}"))?;
    if !found.is_file() {
        return Err(format!("{shown} is no file"));
    }
    if found.len() > MOST_BYTES {
        let size = found.len() >> 20;
        return Err(format!("{shown} has {size} MiB, more than {} MiB", MOST_BYTES >> 20));
    }
    let mut bytes = Vec::with_capacity(found.len() as usize);
    file.take(MOST_BYTES).read_to_end(&mut bytes).map_err(|error| format!("{shown}: {error}"))?;
    Ok(bytes)
}

/// The root of a text.
pub fn parse(text: &Text, file: usize) -> Result<Element> {
    let options = roxmltree::ParsingOptions {
        nodes_limit: MOST_NODES,
        ..roxmltree::ParsingOptions::default()
    };
    let start = text.place(file, 0..0);
    if deepest(&text.text) > DEEPEST {
        let message = format!("elements stand in each other more than {DEEPEST} deep");
        return Err(Fault::new(start, "", message));
    }
    let document =
        roxmltree::Document::parse_with_options(&text.text, options).map_err(|error| {
            let at = error.pos();
            let line = (at.row as usize).clamp(1, text.lines.len());
            let from = text.lines[line - 1];
            let to = text.lines.get(line).map_or(text.text.len(), |next| next - 1);
            let place = Place { column: at.col, ..text.place(file, from..to) };
            // The place is said already.
            let said = error.to_string();
            let said = said.rsplit_once(" at ").map_or(said.as_str(), |(message, _)| message);
            Fault::new(place, "", format!("this is no XML: {said}"))
        })?;
    Ok(element(document.root_element(), text, file))
}

/// How deep elements may stand in each other, at most: tags that open less those that close, comments counted, too.
fn deepest(text: &str) -> usize {
    let bytes = text.as_bytes();
    let (mut depth, mut most) = (0usize, 0usize);
    for (i, byte) in bytes.iter().enumerate() {
        match byte {
            b'<' => match bytes.get(i + 1) {
                Some(b'/') => depth = depth.saturating_sub(1),
                Some(b'!' | b'?') | None => {}
                Some(_) => {
                    depth += 1;
                    most = most.max(depth);
                }
            },
            b'>' if i > 0 && bytes[i - 1] == b'/' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    most
}

fn element(node: roxmltree::Node, text: &Text, file: usize) -> Element {
    let attributes = (node.attributes())
        .map(|attribute| Attribute {
            name: attribute.name().to_owned(),
            value: attribute.value().to_owned(),
            place: text.place(file, attribute.range()),
            used: Cell::new(false),
        })
        .collect();
    let children = node.children().filter(roxmltree::Node::is_element);
    Element {
        tag: node.tag_name().name().to_owned(),
        place: text.place(file, node.range()),
        attributes,
        children: children.map(|child| element(child, text, file)).collect(),
        used: Cell::new(false),
    }
}

impl Element {
    /// What messages call it.
    pub fn label(&self) -> String {
        match self.plain("name") {
            Some(name) => format!("{} \"{name}\"", self.tag),
            None => self.tag.clone(),
        }
    }

    /// An attribute that is only looked at.
    pub fn plain(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|a| a.name == name).map(|a| a.value.as_str())
    }

    /// It was taken over, as far as its attributes and children were.
    pub fn take(&self) -> View<'_> {
        self.used.set(true);
        View { element: self, defaults: Vec::new() }
    }

    pub fn children<'a>(&'a self, tag: &'a str) -> impl Iterator<Item = &'a Self> + 'a {
        self.children.iter().filter(move |child| child.tag == tag)
    }

    pub fn child<'a>(&'a self, tag: &'a str) -> Option<&'a Self> {
        self.children.iter().find(|child| child.tag == tag)
    }

    pub fn fault(&self, message: impl Into<String>) -> Fault {
        Fault::new(self.place, self.label(), message)
    }

    /// All of it is known, whatever it says.
    pub fn take_whole(&self) {
        self.used.set(true);
        self.attributes.iter().for_each(|attribute| attribute.used.set(true));
        self.children.iter().for_each(Self::take_whole);
    }

    /// Notes what nobody asked for: `reason` says of an element or of its attribute why, `None` if it only says how
    /// something looks.
    pub fn leftovers(
        &self,
        notes: &mut Notes,
        reason: &dyn Fn(&Self, Option<&Attribute>) -> Option<String>,
    ) {
        self.left(&self.label(), notes, reason);
    }

    fn left(
        &self,
        label: &str,
        notes: &mut Notes,
        reason: &dyn Fn(&Self, Option<&Attribute>) -> Option<String>,
    ) {
        if !self.used.get() {
            match reason(self, None) {
                Some(reason) => notes.add(self.place, label, reason),
                None => notes.looks += 1,
            }
            return;
        }
        for attribute in self.attributes.iter().filter(|attribute| !attribute.used.get()) {
            match reason(self, Some(attribute)) {
                Some(reason) => notes.add(attribute.place, label, reason),
                None => notes.looks += 1,
            }
        }
        for child in &self.children {
            // What has no name is called by what it stands in, if that has one.
            let own = match (child.plain("name"), self.plain("name")) {
                (None, Some(_)) => format!("{} of {label}", child.tag),
                _ => child.label(),
            };
            child.left(&own, notes, reason);
        }
    }
}

/// An element together with the defaults of its class.
#[derive(Clone, Debug)]
pub struct View<'a> {
    pub element: &'a Element,
    /// The nearest first.
    pub defaults: Vec<&'a Element>,
}

impl<'a> View<'a> {
    /// The attribute, its own or that of a default.
    pub fn attribute(&self, name: &str) -> Option<&'a Attribute> {
        let mut found = None;
        for element in std::iter::once(self.element).chain(self.defaults.iter().copied()) {
            if let Some(attribute) = element.attributes.iter().find(|a| a.name == name) {
                attribute.used.set(true);
                found = found.or(Some(attribute));
            }
        }
        found
    }

    pub fn has(&self, name: &str) -> bool {
        self.attribute(name).is_some()
    }

    pub fn text(&self, name: &str) -> Option<&'a str> {
        self.attribute(name).map(|attribute| attribute.value.as_str())
    }

    pub fn require(&self, name: &str) -> Result<&'a str> {
        self.text(name)
            .ok_or_else(|| self.element.fault(format!("has no attribute `{name}`, which it needs")))
    }

    /// An error about an attribute.
    pub fn refuse(&self, name: &str, message: impl std::fmt::Display) -> Fault {
        match self.attribute(name) {
            Some(attribute) => {
                let value: String = attribute.value.chars().take(80).collect();
                let message = format!("{name}=\"{value}\": {message}");
                Fault::new(attribute.place, self.element.label(), message)
            }
            None => self.element.fault(format!("{name}: {message}")),
        }
    }

    /// Any amount of finite numbers.
    pub fn numbers(&self, name: &str) -> Result<Option<Vec<f64>>> {
        let Some(text) = self.text(name) else { return Ok(None) };
        text.split_ascii_whitespace()
            .map(|word| match word.parse::<f64>() {
                Ok(number) if number.is_finite() => Ok(number),
                Ok(_) => Err(self.refuse(name, "must be finite")),
                Err(_) => Err(self.refuse(name, format!("`{word}` is no number"))),
            })
            .collect::<Result<Vec<f64>>>()
            .map(Some)
    }

    /// Exactly so many.
    pub fn array<const N: usize>(&self, name: &str) -> Result<Option<[f64; N]>> {
        let Some(numbers) = self.numbers(name)? else { return Ok(None) };
        let count = numbers.len();
        <[f64; N]>::try_from(numbers)
            .map(Some)
            .map_err(|_| self.refuse(name, format!("must be {N} numbers, and has {count}")))
    }

    pub fn number(&self, name: &str) -> Result<Option<f64>> {
        Ok(self.array::<1>(name)?.map(|[x]| x))
    }

    pub fn number_or(&self, name: &str, default: f64) -> Result<f64> {
        Ok(self.number(name)?.unwrap_or(default))
    }

    /// A number that is zero or more.
    pub fn amount_or(&self, name: &str, default: f64) -> Result<f64> {
        match self.number_or(name, default)? {
            x if x >= 0.0 => Ok(x),
            _ => Err(self.refuse(name, "must be at least 0")),
        }
    }

    /// A number above zero that must be there.
    pub fn positive(&self, name: &str) -> Result<f64> {
        self.require(name)?;
        match self.number_or(name, 0.0)? {
            x if x > 0.0 => Ok(x),
            _ => Err(self.refuse(name, "must be above 0")),
        }
    }

    /// `true` or `false`.
    pub fn switch(&self, name: &str) -> Result<Option<bool>> {
        match self.text(name) {
            None => Ok(None),
            Some("true") => Ok(Some(true)),
            Some("false") => Ok(Some(false)),
            Some(_) => Err(self.refuse(name, "must be `true` or `false`")),
        }
    }

    /// A whole number.
    pub fn integer_or(&self, name: &str, default: i64) -> Result<i64> {
        match self.text(name) {
            None => Ok(default),
            Some(text) => {
                text.trim().parse().map_err(|_| self.refuse(name, "must be a whole number"))
            }
        }
    }
}
