//! A law as files and flags name it: an id, or a table with the id and settings.

use super::node::Node;
use carom::catalog::{SettingValue, Settings};
use carom::{ImpactError, Law};

/// Which law, with which settings.
#[derive(Clone, Debug, PartialEq)]
pub struct LawSpec {
    /// The law's id.
    pub id: String,
    /// The settings given; the others keep their defaults.
    pub settings: Settings,
}

impl LawSpec {
    /// The law with this id and default settings.
    pub fn new(id: impl Into<String>) -> Self {
        Self { id: id.into(), settings: Settings::new() }
    }

    /// Reads an id or a table with one.
    pub fn read(node: &Node) -> Result<Self, ImpactError> {
        let refuse = |setting: &str, reason: String| ImpactError::BadSetting {
            law: "(unnamed)".into(),
            setting: setting.into(),
            reason,
        };
        match node {
            Node::Text(id) => Ok(Self::new(id)),
            Node::Table(entries) => {
                let id = match node.get("id") {
                    Some(Node::Text(id)) => id.clone(),
                    Some(other) => {
                        let reason = format!("{} must be a text, the law's id", other.brief());
                        return Err(refuse("id", reason));
                    }
                    None => return Err(refuse("id", "required: the law's id".into())),
                };
                let settings = entries
                    .iter()
                    .filter(|(key, _)| key != "id")
                    .map(|(key, value)| match setting_value(value) {
                        Some(value) => Ok((key.clone(), value)),
                        None => Err(ImpactError::BadSetting {
                            law: id.clone(),
                            setting: key.clone(),
                            reason: "null is no value; leave the setting out for its default"
                                .into(),
                        }),
                    })
                    .collect::<Result<_, _>>()?;
                Ok(Self { id, settings })
            }
            other => {
                let reason = format!(
                    "{} must be an id, or a table with the `id` and settings",
                    other.brief()
                );
                Err(refuse("law", reason))
            }
        }
    }

    /// Adds a setting written as `name=value`: the value is read as JSON, or else as a word.
    pub fn set(&mut self, assignment: &str) -> Result<(), ImpactError> {
        let bad = |setting: &str, reason: &str| ImpactError::BadSetting {
            law: self.id.clone(),
            setting: setting.into(),
            reason: reason.into(),
        };
        let (name, text) = assignment
            .split_once('=')
            .map(|(name, text)| (name.trim(), text.trim()))
            .filter(|(name, _)| !name.is_empty())
            .ok_or_else(|| bad(assignment, "write it as name=value"))?;
        let node =
            serde_json::from_str::<Node>(text).unwrap_or_else(|_| Node::Text(text.to_owned()));
        let value = setting_value(&node).ok_or_else(|| bad(name, "null is no value"))?;
        self.settings.insert(name.to_owned(), value);
        Ok(())
    }

    /// The law itself.
    pub fn build(&self) -> Result<Law, ImpactError> {
        Law::with_settings(&self.id, &self.settings)
    }
}

fn setting_value(node: &Node) -> Option<SettingValue> {
    Some(match node {
        Node::Null => return None,
        Node::Switch(x) => SettingValue::Switch(*x),
        Node::Number(x) => SettingValue::Number(*x),
        Node::Text(text) => SettingValue::Text(text.clone()),
        Node::Numbers(items) => {
            SettingValue::List(items.iter().map(|x| SettingValue::Number(*x)).collect())
        }
        Node::List(items) => {
            SettingValue::List(items.iter().map(setting_value).collect::<Option<_>>()?)
        }
        Node::Table(entries) => SettingValue::Table(
            entries
                .iter()
                .map(|(key, value)| Some((key.clone(), setting_value(value)?)))
                .collect::<Option<_>>()?,
        ),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_on_the_command_line_are_json_or_words() {
        let mut law = LawSpec::new("composite");
        law.set("sigma=0.25").unwrap();
        law.set("incremental = routh-poisson").unwrap();
        law.set(r#"weights=[{"law": "smith", "weight": 1}]"#).unwrap();
        assert_eq!(law.settings["sigma"], SettingValue::Number(0.25));
        assert_eq!(law.settings["incremental"], SettingValue::Text("routh-poisson".into()));
        assert!(matches!(&law.settings["weights"], SettingValue::List(items) if items.len() == 1));
        assert!(law.set("sigma").is_err());
    }
}
