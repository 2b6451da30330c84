//! A file as data, whichever language it was written in.

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use std::fmt;

/// A value of a JSON or TOML document. It remembers no places: [`super::locate`] finds them again for the one
/// value that an error is about.
#[derive(Clone, Debug, PartialEq)]
pub enum Node {
    /// JSON's `null`.
    Null,
    /// A switch.
    Switch(bool),
    /// A number.
    Number(f64),
    /// A word or sentence.
    Text(String),
    /// A list of nothing but numbers (an empty one, too): the bulk of every problem, kept flat.
    Numbers(Vec<f64>),
    /// Any other list.
    List(Vec<Node>),
    /// Named values, in the order of the file.
    Table(Vec<(String, Node)>),
}

impl Node {
    /// What it is, in words.
    pub fn describe(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Switch(_) => "true or false",
            Self::Number(_) => "a number",
            Self::Text(_) => "a text",
            Self::Numbers(_) | Self::List(_) => "a list",
            Self::Table(_) => "a table",
        }
    }

    /// The value as messages show it: short, and never a whole matrix.
    pub fn brief(&self) -> String {
        const LONGEST: usize = 40;
        match self {
            Self::Null => "null".into(),
            Self::Switch(x) => x.to_string(),
            Self::Number(x) => x.to_string(),
            Self::Text(text) if text.chars().count() <= LONGEST => format!("{text:?}"),
            Self::Text(text) => {
                let start: String = text.chars().take(LONGEST).collect();
                format!("{:?}", start + "…")
            }
            Self::Numbers(items) => brief_list(items.len()),
            Self::List(items) => brief_list(items.len()),
            Self::Table(_) => "a table".into(),
        }
    }

    /// The value under this key, if this is a table that has it.
    pub fn get(&self, key: &str) -> Option<&Node> {
        match self {
            Self::Table(entries) => entries.iter().find(|(k, _)| k == key).map(|(_, v)| v),
            _ => None,
        }
    }
}

fn brief_list(length: usize) -> String {
    match length {
        0 => "[]".into(),
        1 => "a list of 1 entry".into(),
        n => format!("a list of {n} entries"),
    }
}

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(NodeVisitor)
    }
}

/// No table of the format has nearly as many keys \[1\]; the search for those that come twice stays short.
const KEY_LIMIT: usize = 1000;

struct NodeVisitor;

impl<'de> Visitor<'de> for NodeVisitor {
    type Value = Node;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a value")
    }
    fn visit_unit<E>(self) -> Result<Node, E> {
        Ok(Node::Null)
    }
    fn visit_bool<E>(self, x: bool) -> Result<Node, E> {
        Ok(Node::Switch(x))
    }
    fn visit_i64<E>(self, x: i64) -> Result<Node, E> {
        Ok(Node::Number(x as f64))
    }
    fn visit_u64<E>(self, x: u64) -> Result<Node, E> {
        Ok(Node::Number(x as f64))
    }
    fn visit_f64<E>(self, x: f64) -> Result<Node, E> {
        Ok(Node::Number(x))
    }
    fn visit_str<E>(self, x: &str) -> Result<Node, E> {
        Ok(Node::Text(x.into()))
    }
    fn visit_string<E>(self, x: String) -> Result<Node, E> {
        Ok(Node::Text(x))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Node, A::Error> {
        let mut numbers = Vec::new();
        while let Some(item) = seq.next_element::<Node>()? {
            match item {
                Node::Number(x) => numbers.push(x),
                other => {
                    let mut items: Vec<Node> = numbers.into_iter().map(Node::Number).collect();
                    items.push(other);
                    while let Some(item) = seq.next_element()? {
                        items.push(item);
                    }
                    return Ok(Node::List(items));
                }
            }
        }
        Ok(Node::Numbers(numbers))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Node, A::Error> {
        let mut entries: Vec<(String, Node)> = Vec::new();
        while let Some(key) = map.next_key::<String>()? {
            // JSON lets a key come twice and most readers keep the last one: a typing error would pass interrupt.
            if entries.iter().any(|(k, _)| *k == key) {
                return Err(A::Error::custom(format!("the key `{key}` comes twice")));
            }
            if entries.len() == KEY_LIMIT {
                let message = format!("a table has more than {KEY_LIMIT} keys");
                return Err(A::Error::custom(message));
            }
            entries.push((key, map.next_value()?));
        }
        Ok(Node::Table(entries))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_and_toml_are_the_same_data() {
        let json: Node = serde_json::from_str(r#"{"a": [1, 2.5], "b": [[1], "x"]}"#).unwrap();
        let toml: Node = toml::from_str("a = [1, 2.5]\nb = [[1], \"x\"]").unwrap();
        assert_eq!(json, toml);
        assert_eq!(json.get("a"), Some(&Node::Numbers(vec![1.0, 2.5])));
    }

    #[test]
    fn a_key_that_comes_twice_is_refused() {
        let error = serde_json::from_str::<Node>(r#"{"mu": 1, "mu": 2}"#).unwrap_err();
        assert!(error.to_string().contains("`mu` comes twice"));
    }
}
