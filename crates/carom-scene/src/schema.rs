//! The scene format as JSON Schema, from the very tables that the readers check files against.

use crate::keys;
use carom_io::format::schema::{definitions, table};
use serde_json::{Value, json};

/// The schema, indented.
pub fn text() -> String {
    // Only maps with text keys: this cannot fail.
    serde_json::to_string_pretty(&schema()).unwrap_or_default() + "\n"
}

/// The schema.
pub fn schema() -> Value {
    let mut schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "carom scene",
        "$defs": definitions(),
    });
    if let (Value::Object(schema), Value::Object(scene)) = (&mut schema, table(&keys::SCENE)) {
        schema.extend(scene);
        schema.insert(
            "description".into(),
            "Bodies in motion, in the plane or in space: the dimension is the length of a body's `position`. SI units."
                .into(),
        );
    }
    schema
}
