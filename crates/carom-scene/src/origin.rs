//! What a motion came of, as files of motions carry it: the scene's own text and the law that was asked for, so that the
//! motion can be followed again.

use carom_io::answer::SettingAnswer;
use carom_io::failure::Failure;
use carom_io::format::{Language, LawSpec, Node};
use carom_io::input::{SIZE_LIMIT, Source};
use serde_json::{Value, json};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// The key under which files carry it.
pub const KEY: &str = "carom.origin";
/// What the first line of a CSV file begins with; readers take lines with `#` as comments where they are told so.
pub const CSV: &str = "# carom.origin ";
const GLTF: &[u8] = b"glTF";

/// A scene's text and what was asked of it.
#[derive(Debug)]
pub struct Origin {
    /// The scene's file.
    pub source: Source,
    /// The law that was asked for besides.
    pub law: Option<LawSpec>,
}

impl Origin {
    /// As one line of JSON.
    pub fn text(source: &Source, law: Option<&LawSpec>) -> String {
        let language = match source.language {
            Language::Json => "json",
            Language::Toml => "toml",
        };
        json!({
            "carom": env!("CARGO_PKG_VERSION"),
            "file": source.name,
            "language": language,
            "scene": source.text,
            "law": law.map(law_json),
        })
        .to_string()
    }

    /// Reads that line. `name` is the file that it stands in.
    pub fn read(name: &str, text: &str) -> Result<Self, Failure> {
        let wrong = |what: &str| Failure::Parse {
            message: format!("{name}: what carom wrote about its scene was changed: {what}"),
            span: None,
        };
        let value: Value = serde_json::from_str(text).map_err(|error| wrong(&error.to_string()))?;
        let scene = value["scene"].as_str().ok_or_else(|| wrong("there is no scene"))?;
        let language = match value["language"].as_str() {
            Some("json") => Language::Json,
            Some("toml") => Language::Toml,
            _ => return Err(wrong("its language is neither json nor toml")),
        };
        let law = match &value["law"] {
            Value::Null => None,
            law => {
                let node: Node = serde_json::from_value(law.clone())
                    .map_err(|error| wrong(&error.to_string()))?;
                Some(LawSpec::read(&node)?)
            }
        };
        let source = Source { name: name.to_owned(), text: scene.to_owned(), language };
        Ok(Self { source, law })
    }
}

/// Its id and the settings that were given.
fn law_json(law: &LawSpec) -> Value {
    let mut table = serde_json::Map::new();
    table.insert("id".to_owned(), json!(law.id));
    for (name, value) in &law.settings {
        table.insert(name.clone(), json!(SettingAnswer(value)));
    }
    Value::Object(table)
}

/// The origin in a CSV or glTF file that carom wrote, if it is one.
pub fn in_file(path: &Path) -> Result<Option<Origin>, Failure> {
    let name = path.display().to_string();
    let failed = |error: io::Error| Failure::Io { name: name.clone(), error };
    let file = File::open(path).map_err(failed)?;
    let mut start = Vec::new();
    file.take(SIZE_LIMIT).read_to_end(&mut start).map_err(failed)?;
    let text = match (start.strip_prefix(GLTF), start.strip_prefix(CSV.as_bytes())) {
        (Some(_), _) => gltf_origin(&start),
        (_, Some(rest)) => {
            let line = rest.split(|byte| *byte == b'\n').next().unwrap_or_default();
            Some(String::from_utf8_lossy(line).into_owned())
        }
        _ => return Ok(None),
    };
    let absent = || Failure::Parse {
        message: format!("{name}: carom wrote nothing about its scene into it"),
        span: None,
    };
    Origin::read(&name, &text.ok_or_else(absent)?).map(Some)
}

fn gltf_origin(bytes: &[u8]) -> Option<String> {
    let length = u32::from_le_bytes(bytes.get(12..16)?.try_into().ok()?) as usize;
    let chunk = bytes.get(20..20usize.checked_add(length)?)?;
    let json: Value = serde_json::from_slice(chunk).ok()?;
    json["asset"]["extras"][KEY].as_str().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let source = Source {
            name: "a \"scene\".toml".to_owned(),
            text: "title = \"ä\"\n".to_owned(),
            language: Language::Toml,
        };
        let mut law = LawSpec::new("composite");
        law.set("sigma=0.25").expect("a setting");
        let text = Origin::text(&source, Some(&law));
        assert!(!text.contains('\n'));
        let back = Origin::read("file", &text).expect("an origin");
        assert_eq!(back.source.text, source.text);
        assert_eq!(back.source.language, Language::Toml);
        assert_eq!(back.law, Some(law));
        assert!(Origin::read("file", "{}").is_err());
    }
}
