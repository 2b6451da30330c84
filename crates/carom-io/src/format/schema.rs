//! The problem format as JSON Schema, from the very tables that the readers check files against.

use super::keys::{self, Key, KeyTable, Shape};
use carom::catalog;

use serde_json::{Map, Value, json};

/// The schema, indented.
pub fn text() -> String {
    // Only maps with text keys: this cannot fail.
    serde_json::to_string_pretty(&schema()).unwrap_or_default() + "\n"
}

/// The schema.
pub fn schema() -> Value {
    let forms: Vec<Value> = keys::FORMS.iter().map(|form| table(form)).collect();
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "carom problem",
        "description": "An impact: in contact space, in generalized coordinates, of rigid bodies, or of a chain. \
            SI units, normal first, the normal points from a to b, negative normal velocities approach.",
        "oneOf": forms,
        "$defs": definitions(),
    })
}

/// What the schemas of tables refer to, to stand under `$defs`.
pub fn definitions() -> Value {
    json!({
        "numbers": { "type": "array", "items": { "type": "number" } },
        "counts": { "type": "array", "items": { "type": "integer", "minimum": 0 } },
        "matrix": { "type": "array", "items": { "$ref": "#/$defs/numbers" } },
        "law": law(),
    })
}

/// The schema of one table.
pub fn table(table: &KeyTable) -> Value {
    let properties: Map<String, Value> =
        table.keys().map(|key| (key.name.to_owned(), property(key))).collect();
    let required: Vec<&str> = table.keys().filter(|k| k.required).map(|k| k.name).collect();
    json!({
        "description": table.what,
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    })
}

fn property(key: &Key) -> Value {
    let mut value = shape(key.shape);
    if let Value::Object(map) = &mut value {
        map.insert("description".into(), key.meaning.into());
    }
    value
}

fn shape(of: Shape) -> Value {
    let reference = |name: &str| json!({ "$ref": format!("#/$defs/{name}") });
    let number = || json!({ "type": "number" });
    match of {
        Shape::Number => number(),
        Shape::NumberOrInfinity => {
            json!({ "oneOf": [{ "type": "number", "minimum": 0 }, { "const": "inf" }] })
        }
        Shape::Rows => json!({ "type": "integer", "minimum": 1, "maximum": 3 }),
        Shape::Switch => json!({ "type": "boolean" }),
        Shape::Text => json!({ "type": "string" }),
        Shape::Choice(words) => json!({ "enum": words }),
        Shape::Numbers => reference("numbers"),
        Shape::NumberOrNumbers => json!({ "oneOf": [number(), reference("numbers")] }),
        Shape::Count => json!({ "type": "integer", "minimum": 0 }),
        Shape::Counts => reference("counts"),
        Shape::Limits => {
            let limit = json!({ "oneOf": [number(), { "enum": ["inf", "-inf"] }] });
            json!({ "type": "array", "items": limit, "minItems": 2, "maxItems": 2 })
        }
        Shape::Matrix => reference("matrix"),
        // An empty list is both, and no valid problem has one.
        Shape::MatrixOrDiagonal => json!({ "anyOf": [reference("numbers"), reference("matrix")] }),
        Shape::MatrixOrTriplets => {
            json!({ "oneOf": [reference("matrix"), table(&keys::TRIPLETS)] })
        }
        Shape::Inertia => {
            json!({ "anyOf": [number(), reference("numbers"), reference("matrix")] })
        }
        Shape::Restitution => {
            json!({ "oneOf": [{ "type": "number", "minimum": 0 }, table(&keys::CURVE)] })
        }
        Shape::ChainVelocity => {
            json!({ "oneOf": [reference("numbers"), table(&keys::CHAIN_VELOCITIES)] })
        }
        Shape::Law => reference("law"),
        Shape::Table(inner) => table(inner),
        Shape::Tables(inner) => json!({ "type": "array", "minItems": 1, "items": table(inner) }),
        Shape::Kinds(kinds) => {
            let one = kinds.iter().map(|(name, inner)| {
                let mut kind = table(inner);
                kind["properties"]["type"] = json!({ "const": name });
                kind
            });
            json!({ "type": "array", "items": { "oneOf": one.collect::<Vec<_>>() } })
        }
        Shape::ChoiceOrTable(words, inner) => {
            json!({ "oneOf": [{ "enum": words }, table(inner)] })
        }
    }
}

fn law() -> Value {
    let ids: Vec<&str> = catalog::all().map(|row| row.id).collect();
    json!({
        "oneOf": [
            { "enum": ids },
            {
                "type": "object",
                "description": "the law's id and settings; see `carom laws`",
                "properties": { "id": { "enum": ids } },
                "required": ["id"],
            },
        ],
    })
}
