//! The few shapes that an experiment is made of.

use serde_json::{Map, Value, json};

/// A mapping with these keys and no others.
pub fn mapping(description: &str, keys: &[(&str, Value)]) -> Value {
    let properties: Map<String, Value> = keys
        .iter()
        .map(|(key, shape)| ((*key).to_owned(), or_nothing(shape)))
        .collect();
    json!({
        "description": description,
        "type": "object",
        "additionalProperties": false,
        "properties": properties,
    })
}

/// A key without a value counts as absent, as the reader has it.
pub fn or_nothing(shape: &Value) -> Value {
    let mut either = json!({"anyOf": [shape, {"type": "null"}]});
    if let Some(description) = shape.get("description") {
        either["description"] = description.clone();
    }
    either
}

/// Marks the keys that a mapping must have.
pub fn required(mapping: &mut Value, keys: &[&str]) {
    mapping["required"] = json!(keys);
}

/// One of several shapes.
pub fn any(description: &str, shapes: &[Value]) -> Value {
    json!({"description": description, "anyOf": shapes})
}

/// A list.
pub fn list(description: &str, items: Value) -> Value {
    json!({"description": description, "type": "array", "items": items})
}

/// Text. YAML reads some words as numbers or booleans, so these are allowed, too.
pub fn text(description: &str) -> Value {
    json!({"description": description, "type": SCALAR})
}

/// Words; a single one is a list of one.
pub fn texts(description: &str) -> Value {
    json!({
        "description": description,
        "anyOf": [{"type": SCALAR}, {"type": "array", "items": {"type": SCALAR}}],
    })
}

/// A mapping of words to words.
pub fn words(description: &str) -> Value {
    json!({
        "description": description,
        "type": "object",
        "additionalProperties": {"type": ["string", "number", "boolean", "null"]},
    })
}

/// Yes or no.
pub fn truth(description: &str) -> Value {
    json!({"description": description, "enum": [true, false, "true", "false"]})
}

/// One of some words.
pub fn one_of(description: &str, words: &[&str]) -> Value {
    let mut all: Vec<Value> = words.iter().map(|word| json!(word)).collect();
    for (word, truth) in [("true", true), ("false", false)] {
        if words.contains(&word) {
            all.push(json!(truth));
        }
    }
    json!({"description": description, "enum": all})
}

/// A quantity of `docs/quantities.md`.
pub fn quantity(kind: &str, description: &str) -> Value {
    json!({"description": description, "$ref": format!("#/$defs/{kind}")})
}

const SCALAR: [&str; 3] = ["string", "number", "boolean"];

/// The quantities. tacho-quantity checks their numbers; the schema only says which texts may be a
/// quantity at all.
pub fn definitions() -> Value {
    const NUMBER: &str = "[0-9][0-9_,]*(\\.[0-9]+)?(e[0-9]+)?|\\.[0-9]+";
    let of = |units: &str, bare: bool, examples: Value| {
        let worded = json!({
            "type": "string",
            "pattern": format!("^\\s*({NUMBER})\\s*({units})\\s*$"),
            "examples": examples,
        });
        match bare {
            true => json!({"anyOf": [{"type": "number", "minimum": 0}, worded]}),
            false => json!({"anyOf": [worded, {"enum": [0, "0"]}]}),
        }
    };
    json!({
        "duration": of("us|µs|ms|s|m|min|h", false, json!(["500ms", "10s", "2m"])),
        "size": of("[A-Za-z]*", true, json!(["256MiB", "1GiB"])),
        "rate": of("|/s|rps|/m|/min", true, json!(["500/s", "30/min"])),
        "share": of("|%", true, json!(["5%"])),
        "cpus": of("|m", true, json!([0.5, "250m"])),
        "count": of("|k", true, json!([1000, "10k"])),
        "factor": of("|x", true, json!(["2x"])),
    })
}
