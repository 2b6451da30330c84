//! Laws for several contacts that give one contact the answer of another law: with one contact and no friction most of
//! them are Newton's law.

use carom_report::comparison::{Comparison, Entry};

/// Such laws, those with the same model together, and the model.
pub fn groups(comparison: &Comparison) -> Vec<(Vec<&'static str>, &'static str)> {
    let mut groups: Vec<(Vec<&'static str>, &'static str)> = Vec::new();
    for (i, entry) in comparison.answers.iter().enumerate() {
        if let Some(model) = model(comparison, i) {
            let model = model.resolution.law.id();
            match groups.iter_mut().find(|(_, other)| *other == model) {
                Some((laws, _)) => laws.push(entry.resolution.law.id()),
                None => groups.push((vec![entry.resolution.law.id()], model)),
            }
        }
    }
    groups
}

/// The places of all other answers.
pub fn differing(comparison: &Comparison) -> Vec<usize> {
    (0..comparison.answers.len()).filter(|i| model(comparison, *i).is_none()).collect()
}

/// The earlier law that answers like the law for several contacts at this place.
fn model(comparison: &Comparison, i: usize) -> Option<&Entry> {
    let entry = &comparison.answers[i];
    let several = entry.resolution.law.info().takes_several();
    several.then(|| comparison.answers[..i].iter().find(|other| other.is_like(entry))).flatten()
}
