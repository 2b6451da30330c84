//! The schema and the readers agree: on every scenario, and on what each refuses.

use crate::support::{carom, carom_with_input, repository};
use carom_io::input::Source;
use carom_scene::SceneFile;
use serde_json::{Value, json};

/// Whether `value` fits `schema`: the part of JSON Schema that `carom schema` uses.
fn fits(value: &Value, schema: &Value, root: &Value) -> bool {
    let all = schema.as_object().expect("a schema is a table");
    all.iter().all(|(keyword, argument)| match keyword.as_str() {
        "$schema" | "title" | "description" | "$defs" => true,
        "$ref" => {
            let path =
                argument.as_str().and_then(|p| p.strip_prefix('#')).expect("a local reference");
            fits(value, root.pointer(path).expect("it leads somewhere"), root)
        }
        "type" => match argument.as_str().expect("a type is a text") {
            "object" => value.is_object(),
            "array" => value.is_array(),
            "string" => value.is_string(),
            "boolean" => value.is_boolean(),
            "number" => value.is_number(),
            "integer" => value.as_f64().is_some_and(|x| x.fract() == 0.0),
            other => panic!("type {other}"),
        },
        "enum" => argument.as_array().expect("a list").contains(value),
        "const" => value == argument,
        "minimum" => value.as_f64().is_none_or(|x| Some(x) >= argument.as_f64()),
        "maximum" => value.as_f64().is_none_or(|x| Some(x) <= argument.as_f64()),
        "maxItems" => value.as_array().is_none_or(|a| Some(a.len() as u64) <= argument.as_u64()),
        "minItems" => value.as_array().is_none_or(|a| Some(a.len() as u64) >= argument.as_u64()),
        "items" => value.as_array().is_none_or(|a| a.iter().all(|x| fits(x, argument, root))),
        "required" => value.as_object().is_none_or(|table| {
            let names = argument.as_array().expect("a list");
            names.iter().all(|n| table.contains_key(n.as_str().expect("a text")))
        }),
        "properties" => value.as_object().is_none_or(|table| {
            table.iter().all(|(key, x)| argument.get(key).is_none_or(|s| fits(x, s, root)))
        }),
        "additionalProperties" => value.as_object().is_none_or(|table| {
            assert_eq!(argument, false);
            table.keys().all(|key| schema["properties"].get(key).is_some())
        }),
        "oneOf" => {
            let options = argument.as_array().expect("a list");
            options.iter().filter(|s| fits(value, s, root)).count() == 1
        }
        "anyOf" => argument.as_array().expect("a list").iter().any(|s| fits(value, s, root)),
        other => panic!("the test does not know the keyword {other}"),
    })
}

fn schema() -> Value {
    let run = carom(&["schema"]);
    assert_eq!(run.code, 0);
    run.json()
}

fn is_read(problem: &Value) -> bool {
    let line = json!({ "id": 1, "problem": problem, "impulse": [] }).to_string();
    let run = carom_with_input(&["certify", "--ndjson"], line.as_bytes());
    let message = run.lines()[0]["error"]["message"].as_str().unwrap_or("").to_owned();
    // The empty impulse is refused after the problem was read.
    message.starts_with("impulse")
}

#[test]
fn every_scenario_fits_the_schema() {
    let schema = schema();
    let mut seen = 0;
    for entry in std::fs::read_dir(repository().join("scenarios")).expect("there are scenarios") {
        let path = entry.expect("a file").path();
        let text = std::fs::read_to_string(&path).expect("it can be read");
        let value: Value = match path.extension().and_then(|e| e.to_str()) {
            Some("toml") => {
                // TOML's own infinity becomes the text that JSON uses.
                let value: toml::Value = toml::from_str(&text).expect("it is TOML");
                as_json(value)
            }
            Some("json") => serde_json::from_str(&text).expect("it is JSON"),
            _ => continue,
        };
        assert!(fits(&value, &schema, &schema), "{} does not fit", path.display());
        assert!(is_read(&value), "{} is not read", path.display());
        seen += 1;
    }
    assert!(seen > 0);
}

fn as_json(value: toml::Value) -> Value {
    match value {
        toml::Value::Float(x) if x.is_infinite() => json!("inf"),
        toml::Value::Float(x) => json!(x),
        toml::Value::Integer(x) => json!(x),
        toml::Value::String(x) => json!(x),
        toml::Value::Boolean(x) => json!(x),
        toml::Value::Array(items) => items.into_iter().map(as_json).collect(),
        toml::Value::Table(table) => {
            Value::Object(table.into_iter().map(|(k, v)| (k, as_json(v))).collect())
        }
        toml::Value::Datetime(_) => panic!("problems have no dates"),
    }
}

/// One problem per form, using every key there is.
fn complete_problems() -> Vec<Value> {
    let material = json!({"mu": "inf", "e": {"minimum": 0.5, "capture_speed": 0.0, "plastic_speed": 1.0},
        "e_t": 0.5, "rows": 2, "kind": "unilateral", "gap": 0.0, "stiffness": 2.0, "coupling": 0.5,
        "impulse_ratio": [0.1]});
    let with = |extra: Value| {
        let mut table = material.clone();
        let extra = extra.as_object().expect("a table").clone();
        table.as_object_mut().expect("a table").extend(extra);
        table
    };
    let common = json!({"title": "t", "description": "d", "law": {"id": "composite", "sigma": 0.1},
        "separating": "observe"});
    let problem = |form: Value| {
        let mut table = form;
        let common = common.as_object().expect("a table").clone();
        table.as_object_mut().expect("a table").extend(common);
        table
    };
    vec![
        problem(
            json!({"delassus": [[1, 0], [0, 1]], "contact_velocity": [-1, 0], "contacts": [material]}),
        ),
        problem(
            json!({"mass": [[1, 0], [0, 1]], "jacobian": {"rows": [0, 1], "cols": [0, 1], "values": [1, 1]},
            "velocity": [-1, 0], "bilateral": [[0, 1]], "bilateral_groups": [1], "drive": [0, 0],
            "contacts": [material]}),
        ),
        problem(json!({"bodies": [
                {"name": "a", "fixed": true, "position": [0, 0], "velocity": [0, 1], "angular_velocity": 0},
                {"name": "b", "mass": 1, "inertia": 1, "position": [0, 1], "orientation": 0.5},
                {"name": "c", "mass": 1, "inertia": 1, "position": [0, 3]}],
            "joints": [{"type": "slider", "a": "b", "b": "c", "point": [0, 2], "axis": [0, 1]}],
            "contacts": [with(json!({"a": "a", "b": "b", "point": [0, 0], "normal": [0, 1], "tangent": [1, 0]}))]})),
        problem(json!({"chain": {"mass": [1, 1, 1], "velocity": [1, 0, 0], "e": [1, 1]}})),
        problem(json!({"chain": {"count": 3, "mass": [1, 1, 1], "e": 1,
            "velocity": {"first": 1, "others": 0, "last": -1}}})),
    ]
}

#[test]
fn the_schema_and_the_readers_know_the_same_keys() {
    let schema = schema();
    for problem in complete_problems() {
        assert!(fits(&problem, &schema, &schema), "{problem}");
        assert!(is_read(&problem), "{problem}");
        // Whatever key is misspelt, both refuse it.
        for path in tables(&problem, String::new()) {
            let mut broken = problem.clone();
            let table = broken.pointer_mut(&path).and_then(Value::as_object_mut).expect("a table");
            table.insert("mistake".into(), json!(1));
            let is_law = path == "/law";
            assert_eq!(fits(&broken, &schema, &schema), is_law, "{path} of {problem}");
            assert_eq!(is_read(&broken), is_law, "{path} of {problem}");
        }
    }
}

#[test]
fn the_schema_and_the_readers_require_the_same_keys() {
    let schema = schema();
    for problem in complete_problems() {
        for path in tables(&problem, String::new()).iter().filter(|p| *p != "/law") {
            let table = problem.pointer(path).and_then(Value::as_object).expect("a table");
            for key in table.keys() {
                let mut without = problem.clone();
                without
                    .pointer_mut(path)
                    .and_then(Value::as_object_mut)
                    .expect("a table")
                    .remove(key);
                // What one key says about another is beyond the schema: a body that is not fixed needs a mass.
                let conditional = match path.as_str() {
                    "" => &["drive", "bilateral"][..],
                    p if p.starts_with("/bodies") => &["fixed", "position", "mass", "inertia"],
                    p if p.starts_with("/joints") => &["axis"],
                    _ => &[],
                };
                if conditional.contains(&key.as_str()) {
                    continue;
                }
                assert_eq!(
                    fits(&without, &schema, &schema),
                    is_read(&without),
                    "{path}/{key} of {problem}"
                );
            }
        }
    }
}

fn scene_schema() -> Value {
    let run = carom(&["schema", "--scene"]);
    assert_eq!(run.code, 0);
    run.json()
}

fn scene_is_read(scene: &Value) -> bool {
    let source = Source::read("scene.json", scene.to_string().as_bytes()).expect("text");
    SceneFile::of(&source).is_ok()
}

#[test]
fn every_scene_fits_the_schema_of_scenes() {
    let schema = scene_schema();
    let mut seen = 0;
    for entry in std::fs::read_dir(repository().join("scenes")).expect("there are scenes") {
        let path = entry.expect("a file").path();
        if path.extension().and_then(|e| e.to_str()) == Some("toml") {
            let text = std::fs::read_to_string(&path).expect("it can be read");
            let value: toml::Value = toml::from_str(&text).expect("it is TOML");
            assert!(fits(&as_json(value), &schema, &schema), "{} does not fit", path.display());
            seen += 1;
        }
    }
    assert!(seen > 0);
}

/// One scene in the plane and one in space, using every key there is between them.
fn complete_scenes() -> Vec<Value> {
    let material = json!({"mu": "inf", "e": {"minimum": 0.5, "capture_speed": 0.0, "plastic_speed": 1.0},
        "e_t": 0.5, "stiffness": 2.0, "coupling": 0.5, "impulse_ratio": [0.1]});
    let pair = |a: &str, b: &str| {
        let mut pair = material.clone();
        pair["a"] = json!(a);
        pair["b"] = json!(b);
        pair
    };
    vec![
        json!({"title": "t", "description": "d", "gravity": [0, -9.81], "duration": 1, "max_events": 10,
            "law": {"id": "composite", "sigma": 0.1}, "mode": {"stepping": {"h": 0.01, "theta": 0.5}},
            "accuracy": {"state": 1e-8, "time": 1e-9},
            "bodies": [
                {"name": "a", "fixed": true, "position": [0, 0], "surface_velocity": [1, 0],
                    "motion": {"sine": {"amplitude": [0, 1], "frequency": 1, "phase": 0}},
                    "shapes": [{"type": "half-plane", "normal": [0, 1], "offset": 0}]},
                {"name": "b", "mass": 1, "inertia": 1, "position": [0, 1], "orientation": 0.5,
                    "velocity": [0, 1], "angular_velocity": 1,
                    "shapes": [{"type": "disk", "radius": 1, "center": [0, 1]},
                        {"type": "polygon", "points": [[0, 0], [1, 0], [0, 1]]}]}],
            "joints": [{"name": "j", "type": "slider", "a": "a", "b": "b", "point": [0, 0], "axis": [1, 0],
                "limits": [-1, "inf"], "e": 0.5, "stiffness": 1, "damping": 1, "rest": 0, "torque": 1}],
            "springs": [{"a": "a", "b": "b", "point_a": [0, 0], "point_b": [0, 1], "stiffness": 1,
                "damping": 1, "length": 1}],
            "forces": [{"body": "b", "force": [1, 0], "point": [0, 0], "torque": 1}],
            "pairs": [pair("a", "b"), pair("*", "*")]}),
        json!({"mode": "events", "law": "newton",
            "bodies": [
                {"name": "a", "fixed": true, "position": [0, 0, 0], "motion": {"velocity": [1, 0, 0]},
                    "shapes": [{"type": "half-space", "normal": [0, 0, 1], "offset": 0}]},
                {"name": "b", "mass": 1, "inertia": [1, 1, 1], "position": [0, 0, 1],
                    "orientation": [1, 0, 0, 0], "angular_velocity": [0, 0, 1],
                    "shapes": [{"type": "sphere", "radius": 1, "center": [0, 0, 0]},
                        {"type": "capsule", "radius": 1, "from": [0, 0, 0], "to": [0, 0, 1]},
                        {"type": "box", "half": [1, 1, 1], "center": [0, 0, 0], "orientation": [1, 0, 0, 0]},
                        {"type": "cylinder", "radius": 1, "half_height": 1, "axis": [0, 0, 1], "center": [0, 0, 0]},
                        {"type": "convex", "points": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]},
                        {"type": "points", "points": [[0, 0, 0]]}]}],
            "forces": [{"body": "b", "torque": [0, 0, 1]}]}),
    ]
}

#[test]
fn the_schema_and_the_readers_of_scenes_know_the_same_keys() {
    let schema = scene_schema();
    for scene in complete_scenes() {
        assert!(fits(&scene, &schema, &schema), "{scene}");
        assert!(scene_is_read(&scene), "{scene}");
        for path in tables(&scene, String::new()) {
            let mut broken = scene.clone();
            let table = broken.pointer_mut(&path).and_then(Value::as_object_mut).expect("a table");
            table.insert("mistake".into(), json!(1));
            let is_law = path == "/law";
            assert_eq!(fits(&broken, &schema, &schema), is_law, "{path} of {scene}");
            // A law's settings are its own.
            assert!(!scene_is_read(&broken), "{path} of {scene}");
            let table = scene.pointer(&path).and_then(Value::as_object).expect("a table");
            for key in table.keys().filter(|_| !is_law) {
                let mut without = scene.clone();
                let inner = without.pointer_mut(&path).and_then(Value::as_object_mut);
                inner.expect("a table").remove(key);
                // What one key says about another is beyond the schema.
                let conditional = match path.as_str() {
                    p if p.ends_with("/motion") => &["sine", "velocity"][..],
                    p if p.starts_with("/bodies") => &["fixed", "position", "mass"],
                    p if p.starts_with("/joints") => &["axis"],
                    p if p.starts_with("/forces") => &["force", "torque"],
                    _ => &[],
                };
                if conditional.contains(&key.as_str()) {
                    continue;
                }
                let (fits, read) = (fits(&without, &schema, &schema), scene_is_read(&without));
                assert_eq!(fits, read, "{path}/{key} of {scene}");
            }
        }
    }
}

/// JSON pointers to every table of a value.
fn tables(value: &Value, path: String) -> Vec<String> {
    match value {
        Value::Object(table) => {
            let inner = table.iter().flat_map(|(key, x)| tables(x, format!("{path}/{key}")));
            let inner: Vec<String> = inner.collect();
            std::iter::once(path).chain(inner).collect()
        }
        Value::Array(items) => {
            items.iter().enumerate().flat_map(|(i, x)| tables(x, format!("{path}/{i}"))).collect()
        }
        _ => Vec::new(),
    }
}
