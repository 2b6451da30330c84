//! A law's settings as data: what a problem file says, before and after the law has read it.

use crate::ImpactError;
use std::collections::BTreeMap;

/// One value of a setting.
#[derive(Clone, Debug, PartialEq)]
pub enum SettingValue {
    /// A number.
    Number(f64),
    /// A word.
    Text(String),
    /// A switch.
    Switch(bool),
    /// Several values.
    List(Vec<SettingValue>),
    /// Named values, as in a nested law.
    Table(Settings),
}

/// Settings by name. A nested law is a table with its `id` and its own settings.
pub type Settings = BTreeMap<String, SettingValue>;

/// One setting as the catalogue describes it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Setting {
    /// Its name in files.
    pub name: &'static str,
    /// Its default, or "required".
    pub default: &'static str,
    /// Which values it takes.
    pub range: &'static str,
    /// What it means, in a few words.
    pub meaning: &'static str,
}

/// Reads the settings of one law and refuses what it does not know.
pub(crate) struct Reader<'a> {
    law: &'static str,
    settings: &'a Settings,
}

impl<'a> Reader<'a> {
    /// A reader that has checked every name against those the law declares.
    pub(crate) fn new(
        law: &'static str,
        declared: &[Setting],
        settings: &'a Settings,
    ) -> Result<Self, ImpactError> {
        let reader = Self { law, settings };
        for name in settings.keys().filter(|n| *n != "id") {
            if !declared.iter().any(|s| s.name == name) {
                let names = declared.iter().map(|s| s.name);
                let reason = match (nearest(name, names), declared.is_empty()) {
                    (Some(near), _) => format!("unknown; did you mean `{near}`?"),
                    (None, true) => "unknown; this law has no settings".into(),
                    (None, false) => {
                        let all: Vec<_> = declared.iter().map(|s| s.name).collect();
                        format!("unknown; this law has: {}", all.join(", "))
                    }
                };
                return Err(reader.refuse(name, reason));
            }
        }
        Ok(reader)
    }

    pub(crate) fn refuse(&self, setting: &str, reason: impl Into<String>) -> ImpactError {
        ImpactError::BadSetting {
            law: self.law.into(),
            setting: setting.into(),
            reason: reason.into(),
        }
    }

    pub(crate) fn get(&self, name: &str) -> Option<&'a SettingValue> {
        self.settings.get(name)
    }

    /// A number between `low` and `high`.
    pub(crate) fn number(
        &self,
        name: &str,
        default: f64,
        [low, high]: [f64; 2],
    ) -> Result<f64, ImpactError> {
        match self.get(name) {
            None => Ok(default),
            Some(SettingValue::Number(x)) if (low..=high).contains(x) => Ok(*x),
            Some(SettingValue::Number(x)) => {
                Err(self.refuse(name, format!("{x} must lie between {low} and {high}")))
            }
            Some(_) => Err(self.refuse(name, "must be a number")),
        }
    }

    /// A whole number between `low` and `high`.
    pub(crate) fn whole(
        &self,
        name: &str,
        default: u64,
        range: [f64; 2],
    ) -> Result<u64, ImpactError> {
        let number = self.number(name, default as f64, range)?;
        match libm::floor(number) == number {
            true => Ok(number as u64),
            false => Err(self.refuse(name, format!("{number} must be a whole number"))),
        }
    }

    /// One of several words.
    pub(crate) fn choice<T: Copy>(
        &self,
        name: &str,
        default: T,
        choices: &[(&str, T)],
    ) -> Result<T, ImpactError> {
        let words =
            || choices.iter().map(|(w, _)| format!("\"{w}\"")).collect::<Vec<_>>().join(" or ");
        match self.get(name) {
            None => Ok(default),
            Some(SettingValue::Text(word)) => choices
                .iter()
                .find(|(w, _)| w == word)
                .map(|(_, value)| *value)
                .ok_or_else(|| self.refuse(name, format!("\"{word}\" must be {}", words()))),
            Some(_) => Err(self.refuse(name, format!("must be {}", words()))),
        }
    }

    /// A list of finite numbers; absent, `None`.
    pub(crate) fn numbers(&self, name: &str) -> Result<Option<Vec<f64>>, ImpactError> {
        let Some(value) = self.get(name) else {
            return Ok(None);
        };
        let SettingValue::List(items) = value else {
            return Err(self.refuse(name, "must be a list of numbers"));
        };
        items
            .iter()
            .enumerate()
            .map(|(i, item)| match item {
                SettingValue::Number(x) if x.is_finite() => Ok(*x),
                _ => Err(self.refuse(name, format!("entry {i} must be a finite number"))),
            })
            .collect::<Result<Vec<_>, _>>()
            .map(Some)
    }
}

/// The candidate that a typist most likely meant: at most a third of its letters differ.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    candidates
        .into_iter()
        .map(|c| (edit_distance(word, c), c))
        .filter(|(distance, c)| *distance <= 1 + c.chars().count() / 3)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, c)| c)
}

/// Levenshtein's distance, case ignored.
fn edit_distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.to_lowercase().chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.to_lowercase().chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}
