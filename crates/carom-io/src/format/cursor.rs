//! Reading values out of a [`Node`], each failure with the path to the value, as in `contacts[0].mu`.

use super::keys::{Key, KeyTable};
use super::node::Node;
use carom::ImpactError;
use carom::catalog::nearest;
use std::fmt;

/// A value and the way to it.
#[derive(Clone, Copy)]
pub struct Cursor<'a> {
    /// The value.
    pub node: &'a Node,
    path: Path<'a>,
}

/// The way to a value. Links point towards the root, so that walking costs no allocation.
#[derive(Clone, Copy)]
enum Path<'a> {
    /// A document, by what it is called where it is at fault itself.
    Root(&'static str),
    Key(&'a Path<'a>, &'a str),
    Index(&'a Path<'a>, usize),
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Root(_) => Ok(()),
            Self::Key(Self::Root(_), key) => f.write_str(key),
            Self::Key(parent, key) => write!(f, "{parent}.{key}"),
            Self::Index(Self::Root(name), i) => write!(f, "{name}[{i}]"),
            Self::Index(parent, i) => write!(f, "{parent}[{i}]"),
        }
    }
}

impl<'a> Cursor<'a> {
    /// A cursor at the root of a document, which is called `name` where it is at fault itself.
    pub fn root(node: &'a Node, name: &'static str) -> Self {
        Self { node, path: Path::Root(name) }
    }

    /// The way to this value, as in `contacts[0].mu`.
    pub fn path(&self) -> String {
        match self.path {
            Path::Root(name) => name.to_owned(),
            path => path.to_string(),
        }
    }

    /// An error about this value.
    pub fn refuse(&self, reason: impl Into<String>) -> ImpactError {
        ImpactError::bad_problem(self.path(), self.node.brief(), reason)
    }

    /// An error about a key that is not there.
    pub fn missing(&self, key: &str, reason: impl Into<String>) -> ImpactError {
        let field = Path::Key(&self.path, key).to_string();
        ImpactError::bad_problem(field, "(absent)", reason)
    }

    /// The value under `key`, if there is one.
    pub fn get(&'a self, key: &'a str) -> Option<Cursor<'a>> {
        let node = self.node.get(key)?;
        Some(Cursor { node, path: Path::Key(&self.path, key) })
    }

    /// The value under `key`, which must be there.
    pub fn require(&'a self, key: &'a Key) -> Result<Cursor<'a>, ImpactError> {
        self.get(key.name)
            .ok_or_else(|| self.missing(key.name, format!("required: {}", key.meaning)))
    }

    /// Refuses anything but a table whose keys all stand in `table`.
    pub fn check_keys(&self, table: &KeyTable) -> Result<(), ImpactError> {
        let Node::Table(entries) = self.node else {
            return Err(self.refuse(format!("must be a table: {}", table.what)));
        };
        for (key, node) in entries {
            if table.keys().any(|k| k.name == key) {
                continue;
            }
            let stray = Cursor { node, path: Path::Key(&self.path, key) };
            let reason = match nearest(key, table.keys().map(|k| k.name)) {
                Some(near) => format!("unknown key; did you mean `{near}`?"),
                None => {
                    let all: Vec<&str> = table.keys().map(|k| k.name).collect();
                    format!("unknown key; {} has: {}", table.what, all.join(", "))
                }
            };
            return Err(stray.refuse(reason));
        }
        Ok(())
    }

    /// A finite number.
    pub fn number(&self) -> Result<f64, ImpactError> {
        match self.node {
            Node::Number(x) if x.is_finite() => Ok(*x),
            Node::Number(_) => Err(self.refuse("must be a finite number")),
            _ => Err(self.refuse("must be a number")),
        }
    }

    /// A number that may be infinite: in JSON the text `"inf"`, in TOML also `inf`.
    pub fn number_or_infinity(&self) -> Result<f64, ImpactError> {
        match self.node {
            Node::Number(x) if !x.is_nan() => Ok(*x),
            Node::Text(text) if text == "inf" => Ok(f64::INFINITY),
            _ => Err(self.refuse("must be a number or \"inf\"")),
        }
    }

    /// A number that may be infinite either way: in JSON also the texts `"inf"` and `"-inf"`.
    pub fn number_or_infinities(&self) -> Result<f64, ImpactError> {
        match self.node {
            Node::Number(x) if !x.is_nan() => Ok(*x),
            Node::Text(text) if text == "inf" => Ok(f64::INFINITY),
            Node::Text(text) if text == "-inf" => Ok(f64::NEG_INFINITY),
            _ => Err(self.refuse("must be a number, \"inf\" or \"-inf\"")),
        }
    }

    /// A whole number, at least zero.
    pub fn count(&self) -> Result<usize, ImpactError> {
        // Beyond 2⁵³ a float no longer tells neighbours apart, and nothing here is that long.
        const LARGEST: f64 = 9_007_199_254_740_992.0;
        match self.number() {
            Ok(x) if (0.0..=LARGEST).contains(&x) && x.fract() == 0.0 => Ok(x as usize),
            _ => Err(self.refuse("must be a whole number, at least 0")),
        }
    }

    /// A list of whole numbers, each at least zero.
    pub fn counts(&self) -> Result<Vec<usize>, ImpactError> {
        let mut counts = Vec::with_capacity(self.length()?);
        self.each(|_, item| {
            counts.push(item.count()?);
            Ok(())
        })?;
        Ok(counts)
    }

    /// A text.
    pub fn text(&self) -> Result<&'a str, ImpactError> {
        match self.node {
            Node::Text(text) => Ok(text),
            _ => Err(self.refuse("must be a text")),
        }
    }

    /// A switch.
    pub fn switch(&self) -> Result<bool, ImpactError> {
        match self.node {
            Node::Switch(x) => Ok(*x),
            _ => Err(self.refuse("must be true or false")),
        }
    }

    /// One of several words.
    pub fn choice<T: Copy>(&self, choices: &[(&str, T)]) -> Result<T, ImpactError> {
        let word = self.text()?;
        if let Some((_, value)) = choices.iter().find(|(w, _)| *w == word) {
            return Ok(*value);
        }
        let words: Vec<String> = choices.iter().map(|(w, _)| format!("\"{w}\"")).collect();
        let hint = nearest(word, choices.iter().map(|(w, _)| *w))
            .map_or_else(String::new, |w| format!("; did you mean \"{w}\"?"));
        Err(self.refuse(format!("must be {}{hint}", words.join(" or "))))
    }

    /// A list of finite numbers.
    pub fn numbers(&self) -> Result<&'a [f64], ImpactError> {
        match self.node {
            Node::Numbers(items) if items.iter().all(|x| x.is_finite()) => Ok(items),
            Node::Numbers(_) | Node::List(_) => {
                // Some entry is not a finite number; the walk finds out which.
                self.each(|_, item| item.number().map(drop))?;
                Err(self.refuse("must be a list of numbers"))
            }
            _ => Err(self.refuse("must be a list of numbers")),
        }
    }

    /// A list of finite numbers, one for each of `length` things.
    pub fn numbers_of(&self, length: usize, per: &str) -> Result<&'a [f64], ImpactError> {
        let items = self.numbers()?;
        if items.len() != length {
            let reason = format!("must have {length} numbers, {per}");
            return Err(self.refuse_length(items.len(), reason));
        }
        Ok(items)
    }

    /// A list of equally long lists of numbers: its entries row by row, and how many columns it has.
    pub fn matrix(&self) -> Result<Matrix, ImpactError> {
        let mut matrix = Matrix::default();
        if !matches!(self.node, Node::List(_) | Node::Numbers(_)) {
            return Err(self.refuse("must be a list of rows, each a list of numbers"));
        }
        self.each(|i, row| {
            let items = row.numbers()?;
            if i == 0 {
                matrix.columns = items.len();
            } else if items.len() != matrix.columns {
                let reason = format!("must have {} numbers like row 0", matrix.columns);
                return Err(row.refuse_length(items.len(), reason));
            }
            matrix.rows += 1;
            matrix.entries.extend_from_slice(items);
            Ok(())
        })?;
        Ok(matrix)
    }

    /// How many entries a list has.
    pub fn length(&self) -> Result<usize, ImpactError> {
        match self.node {
            Node::Numbers(items) => Ok(items.len()),
            Node::List(items) => Ok(items.len()),
            _ => Err(self.refuse("must be a list")),
        }
    }

    /// Visits every entry of a list.
    pub fn each(
        &self,
        mut visit: impl FnMut(usize, Cursor) -> Result<(), ImpactError>,
    ) -> Result<(), ImpactError> {
        fn at<'b>(list: &'b Path<'b>, i: usize, node: &'b Node) -> Cursor<'b> {
            let path = Path::Index(list, i);
            Cursor { node, path }
        }
        match self.node {
            Node::Numbers(items) => items
                .iter()
                .enumerate()
                .try_for_each(|(i, x)| visit(i, at(&self.path, i, &Node::Number(*x)))),
            Node::List(items) => {
                items.iter().enumerate().try_for_each(|(i, item)| visit(i, at(&self.path, i, item)))
            }
            _ => Err(self.refuse("must be a list")),
        }
    }

    /// An error about how many numbers a list has.
    pub fn refuse_length(&self, got: usize, reason: String) -> ImpactError {
        let field = self.path.to_string();
        ImpactError::bad_problem(field, format!("{got} numbers"), reason)
    }
}

/// Numbers in rows and columns.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Matrix {
    /// The entries, row by row.
    pub entries: Vec<f64>,
    /// How many rows there are.
    pub rows: usize,
    /// How many columns there are.
    pub columns: usize,
}
