//! Where in a file a value stands. Errors carry a path such as `contacts[0].mu`; this finds its place again.

use std::ops::Range;
use toml::de::{DeTable, DeValue};

/// The language a problem is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// JavaScript Object Notation.
    Json,
    /// Tom's Obvious Minimal Language.
    Toml,
}

/// The bytes of `source` to show for the value at `path`: from its key to its end if that is one line, else its
/// key or first line. A path that leads nowhere is shortened until it leads somewhere; `None` if nothing is left.
pub fn locate(source: &str, language: Language, path: &str) -> Option<Range<usize>> {
    let steps = parse_path(path);
    let place = match language {
        Language::Json => place_in_json(source, &steps),
        Language::Toml => place_in_toml(source, &steps),
    }?;
    let whole = place.key.clone().unwrap_or(place.value.clone()).start..place.value.end;
    let shown = match (source.get(whole.clone())?.contains('\n'), place.key) {
        (false, _) => whole,
        (true, Some(key)) => key,
        (true, None) => {
            let first_line = source.get(whole.clone())?.lines().next().unwrap_or("");
            whole.start..whole.start + first_line.trim_end().len()
        }
    };
    Some(shown)
}

#[derive(Clone, Debug, PartialEq)]
enum Step {
    Key(String),
    Index(usize),
}

/// `contacts[0].mu` → contacts, 0, mu.
fn parse_path(path: &str) -> Vec<Step> {
    path.split('.')
        .flat_map(|part| {
            let mut pieces = part.split('[');
            let key = pieces.next().filter(|key| !key.is_empty());
            key.map(|key| Step::Key(key.to_owned()))
                .into_iter()
                .chain(pieces.filter_map(|i| i.strip_suffix(']')?.parse().ok().map(Step::Index)))
                .collect::<Vec<_>>()
        })
        .collect()
}

#[derive(Clone, Debug, PartialEq)]
struct Place {
    key: Option<Range<usize>>,
    value: Range<usize>,
}

fn place_in_json(source: &str, steps: &[Step]) -> Option<Place> {
    let place = Scanner { source, at: 0 }.place(steps)?;
    let root = source.len() - source.trim_start().len();
    (place.value.start > root).then_some(place)
}

fn place_in_toml(source: &str, steps: &[Step]) -> Option<Place> {
    let document = DeTable::parse(source).ok()?;
    let mut place = None;
    let mut table = Some(document.get_ref());
    let mut array = None;
    for step in steps {
        let (key, value) = match step {
            Step::Key(name) => {
                let Some((key, value)) = table.and_then(|t| t.get_key_value(name.as_str())) else {
                    break;
                };
                (Some(key.span()), value)
            }
            Step::Index(i) => {
                let Some(value) = array.and_then(|a: &toml::de::DeArray| a.get(*i)) else {
                    break;
                };
                (None, value)
            }
        };
        place = Some(Place { key, value: value.span() });
        table = match value.get_ref() {
            DeValue::Table(t) => Some(t),
            _ => None,
        };
        array = match value.get_ref() {
            DeValue::Array(a) => Some(a),
            _ => None,
        };
    }
    place
}

/// Walks valid JSON, value by value, without keeping any.
struct Scanner<'a> {
    source: &'a str,
    at: usize,
}

impl Scanner<'_> {
    /// The place of the value that `steps` lead to from the value ahead, or of the last one on the way.
    fn place(&mut self, steps: &[Step]) -> Option<Place> {
        self.skip_space();
        let start = self.at;
        let found = match steps.split_first() {
            Some((Step::Key(name), rest)) if self.peek() == Some(b'{') => {
                self.find(|key, _| key == Some(name.as_str()), rest)
            }
            Some((Step::Index(i), rest)) if self.peek() == Some(b'[') => {
                self.find(|_, index| index == *i, rest)
            }
            _ => None,
        };
        if found.is_some() {
            return found;
        }
        self.at = start;
        self.skip_value()?;
        Some(Place { key: None, value: start..self.at })
    }

    /// Descends into the first member of the object or array ahead that `wanted` accepts.
    fn find(
        &mut self,
        wanted: impl Fn(Option<&str>, usize) -> bool,
        rest: &[Step],
    ) -> Option<Place> {
        let is_object = self.peek()? == b'{';
        self.at += 1;
        for index in 0.. {
            self.skip_space();
            if matches!(self.peek()?, b'}' | b']') {
                return None;
            }
            let mut key_span = None;
            let mut key: Option<String> = None;
            if is_object {
                let start = self.at;
                self.skip_value()?;
                key_span = Some(start..self.at);
                key = serde_json::from_str(self.source.get(start..self.at)?).ok();
                self.skip_space();
                self.at += 1; // the colon
                self.skip_space();
            }
            if wanted(key.as_deref(), index) {
                let value_start = self.at;
                let mut place = self.place(rest)?;
                if place.value.start == value_start {
                    place.key = key_span;
                }
                return Some(place);
            }
            self.skip_value()?;
            self.skip_space();
            if self.peek()? == b',' {
                self.at += 1;
            }
        }
        None
    }

    fn peek(&self) -> Option<u8> {
        self.source.as_bytes().get(self.at).copied()
    }

    fn skip_space(&mut self) {
        while self.peek().is_some_and(|b| b.is_ascii_whitespace()) {
            self.at += 1;
        }
    }

    /// Moves past the value ahead: a string, or everything up to the bracket that closes it or the next delimiter.
    fn skip_value(&mut self) -> Option<()> {
        let mut depth = 0usize;
        loop {
            match self.peek()? {
                b'"' => {
                    self.at += 1;
                    while self.peek()? != b'"' {
                        self.at += if self.peek()? == b'\\' { 2 } else { 1 };
                    }
                    self.at += 1;
                }
                b'{' | b'[' => {
                    depth += 1;
                    self.at += 1;
                }
                b'}' | b']' => {
                    depth = depth.checked_sub(1)?;
                    self.at += 1;
                }
                b',' | b':' => self.at += 1,
                b if b.is_ascii_whitespace() => self.at += 1,
                _ => {
                    while self
                        .peek()
                        .is_some_and(|b| !b.is_ascii_whitespace() && !b",:]}".contains(&b))
                    {
                        self.at += 1;
                    }
                }
            }
            if depth == 0 {
                return Some(());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const JSON: &str = r#"{ "title": "a \"b\" {", "delassus": [[1, 0.5],
                 [-0.5, 2]],
  "contacts": [{"mu": 0.5, "e": [1, {"minimum": 2}]}, {"kind": "bilateral"}] }"#;

    fn shown(path: &str) -> &'static str {
        locate(JSON, Language::Json, path).map_or("", |range| &JSON[range])
    }

    #[test]
    fn json_values_are_found_by_their_path() {
        assert_eq!(shown("delassus[1][0]"), "-0.5");
        assert_eq!(shown("contacts[0].mu"), r#""mu": 0.5"#);
        assert_eq!(shown("contacts[0].e[1].minimum"), r#""minimum": 2"#);
        assert_eq!(shown("contacts[1].kind"), r#""kind": "bilateral""#);
    }

    #[test]
    fn values_of_several_lines_are_shown_by_their_key() {
        assert_eq!(shown("delassus"), r#""delassus""#);
    }

    #[test]
    fn what_is_absent_is_shown_by_what_should_hold_it() {
        assert_eq!(shown("contacts[1].e"), r#"{"kind": "bilateral"}"#);
        assert_eq!(shown("delassus[1][7]"), "[-0.5, 2]");
        assert_eq!(shown("velocity"), "");
    }

    #[test]
    fn toml_values_are_found_by_their_path() {
        let toml = "delassus = [\n  [1, 2],\n  [2, 1],\n]\n\n[[contacts]]\nmu = -1\n[contacts.e]\nminimum = 2\n";
        let shown = |path| locate(toml, Language::Toml, path).map_or("", |range| &toml[range]);
        assert_eq!(shown("delassus[1][0]"), "2");
        assert_eq!(shown("delassus"), "delassus");
        assert_eq!(shown("contacts[0].mu"), "mu = -1");
        assert_eq!(shown("contacts[0].e.minimum"), "minimum = 2");
        assert_eq!(shown("contacts[0].kind"), "[[contacts]]");
    }

    #[test]
    fn broken_text_is_no_reason_to_panic() {
        for end in 0..JSON.len() {
            if let Some(start) = JSON.get(..end) {
                locate(start, Language::Json, "contacts[0].e[1].minimum");
            }
        }
    }
}
