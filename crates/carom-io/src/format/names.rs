//! Bodies by their names.

use super::cursor::Cursor;
use carom::ImpactError;
use carom::catalog::nearest;
use std::collections::HashMap;

/// Where the body of a name stands.
#[derive(Clone, Debug, Default)]
pub struct Names(HashMap<String, usize>);

impl Names {
    /// The body that stands at `index` has this name. Refuses one that another body has.
    pub fn insert(&mut self, name: &Cursor, index: usize) -> Result<(), ImpactError> {
        match self.0.insert(name.text()?.to_owned(), index) {
            None => Ok(()),
            Some(_) => Err(name.refuse("another body has this name")),
        }
    }

    /// Where the body of this name stands.
    pub fn index(&self, name: &Cursor) -> Result<usize, ImpactError> {
        let wanted = name.text()?;
        self.0.get(wanted).copied().ok_or_else(|| {
            let mut known: Vec<&str> = self.0.keys().map(String::as_str).collect();
            known.sort_unstable();
            let hint = match nearest(wanted, known.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None if known.len() <= 12 => format!("there are: {}", known.join(", ")),
                None => format!("{} bodies have others", known.len()),
            };
            name.refuse(format!("no body has this name; {hint}"))
        })
    }
}
