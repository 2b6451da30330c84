//! Places of numbers in a problem: `mu`, `contacts[0].e`, `bodies[1].velocity[2]`.

use super::Node;
use super::keys::numbers_of_contacts;
use crate::failure::Failure;

/// Where a number stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    name: String,
    steps: Vec<Step>,
}

/// A step on the way to a value of a file.
#[derive(Clone, Debug, PartialEq)]
enum Step {
    Key(String),
    Index(usize),
}

impl Place {
    /// Reads a place. Whether the problem has it is found out when a number is put there.
    pub fn parse(name: &str) -> Result<Self, Failure> {
        let name = name.trim();
        match path(name) {
            Some(steps) => Ok(Self { name: name.to_owned(), steps }),
            None => Err(missing(name)),
        }
    }

    /// As it was written.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The number of all contacts that it stands for, if it is such a name.
    pub fn of_contacts(&self) -> Option<&str> {
        match &self.steps[..] {
            [Step::Key(key)] if numbers_of_contacts().any(|name| name == key) => Some(key),
            _ => None,
        }
    }

    /// Puts a number there.
    pub fn put(&self, file: &mut Node, value: f64) -> Result<(), Failure> {
        let done = match self.of_contacts() {
            Some(key) => put_in_contacts(file, key, value),
            None => put_at(file, &self.steps, value),
        };
        if done { Ok(()) } else { Err(missing(&self.name)) }
    }
}

fn missing(name: &str) -> Failure {
    let contacts: Vec<&str> = numbers_of_contacts().collect();
    Failure::Usage(format!(
        "the problem has no number `{name}`; contacts have {}, other numbers have a place, as in \
         velocity[1] or bodies[0].mass",
        contacts.join(", ")
    ))
}

/// Reads `contacts[0].mu`.
fn path(name: &str) -> Option<Vec<Step>> {
    let mut steps = Vec::new();
    for part in name.split('.') {
        let (key, mut rest) = part.split_at(part.find('[').unwrap_or(part.len()));
        if key.is_empty() {
            return None;
        }
        steps.push(Step::Key(key.to_owned()));
        while let Some(inside) = rest.strip_prefix('[') {
            let (index, after) = inside.split_once(']')?;
            steps.push(Step::Index(index.parse().ok()?));
            rest = after;
        }
        if !rest.is_empty() {
            return None;
        }
    }
    Some(steps)
}

/// Puts a number in the place of another. False where there is none.
fn put_at(node: &mut Node, steps: &[Step], value: f64) -> bool {
    let Some((step, rest)) = steps.split_first() else {
        let number = matches!(node, Node::Number(_));
        if number {
            *node = Node::Number(value);
        }
        return number;
    };
    match (node, step) {
        (Node::Table(entries), Step::Key(key)) => {
            let found = entries.iter_mut().find(|(k, _)| k == key);
            found.is_some_and(|(_, inner)| put_at(inner, rest, value))
        }
        (Node::List(items), Step::Index(i)) => {
            items.get_mut(*i).is_some_and(|inner| put_at(inner, rest, value))
        }
        (Node::Numbers(items), Step::Index(i)) if rest.is_empty() => {
            items.get_mut(*i).is_some_and(|x| {
                *x = value;
                true
            })
        }
        _ => false,
    }
}

/// Gives every contact, or the chain or the pairs of a scene that have them, this number. False where there are none.
fn put_in_contacts(file: &mut Node, key: &str, value: f64) -> bool {
    let Node::Table(entries) = file else { return false };
    let mut done = false;
    for (name, node) in entries {
        match (name.as_str(), node) {
            ("contacts" | "pairs", Node::List(contacts)) => {
                for contact in contacts {
                    done |= put_key(contact, key, value);
                }
            }
            ("chain", chain) => done |= put_key(chain, key, value),
            _ => {}
        }
    }
    done
}

fn put_key(table: &mut Node, key: &str, value: f64) -> bool {
    let Node::Table(entries) = table else { return false };
    match entries.iter_mut().find(|(k, _)| k == key) {
        Some((_, node)) => *node = Node::Number(value),
        None => entries.push((key.to_owned(), Node::Number(value))),
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_read() {
        let key = |k: &str| Step::Key(k.to_owned());
        let expected = vec![key("contacts"), Step::Index(0), key("mu")];
        assert_eq!(path("contacts[0].mu"), Some(expected));
        assert_eq!(path("jacobian[1][2]").map(|p| p.len()), Some(3));
        assert_eq!([path("a..b"), path("a[x]"), path("a[0]b")], [None, None, None]);
    }

    #[test]
    fn numbers_of_contacts_are_those_of_all_pairs_of_a_scene() {
        let mut scene: Node =
            serde_json::from_str(r#"{"pairs": [{"e": 0.1}, {"mu": 0.2}]}"#).expect("a table");
        Place::parse("e").expect("a place").put(&mut scene, 0.5).expect("pairs");
        let wanted: Node =
            serde_json::from_str(r#"{"pairs": [{"e": 0.5}, {"mu": 0.2, "e": 0.5}]}"#).expect("it");
        assert_eq!(scene, wanted);
    }
}
