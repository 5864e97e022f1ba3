//! Whether a value is what a schema says, as far as the schemas of our types go: references,
//! alternatives, types, properties, items.

use serde_json::{Map, Value};

/// Everything that is not as the schema says, each with its place. A key that the schema does not
/// name is wrong, too.
pub fn faults(schema: &Value, value: &Value) -> Vec<String> {
    let mut faults = Vec::new();
    check(schema, schema, value, "$", &mut faults);
    faults
}

fn check(root: &Value, schema: &Value, value: &Value, place: &str, faults: &mut Vec<String>) {
    if let Some(reference) = schema["$ref"].as_str() {
        let target = root.pointer(reference.trim_start_matches('#'));
        match target {
            Some(target) => check(root, target, value, place, faults),
            None => faults.push(format!("{place}: {reference} leads nowhere")),
        }
        return;
    }
    if let Some(alternatives) = schema["anyOf"].as_array() {
        let fits = |one: &Value| {
            let mut faults = Vec::new();
            check(root, one, value, place, &mut faults);
            faults.is_empty()
        };
        if !alternatives.iter().any(fits) {
            faults.push(format!("{place}: {value} is none of the alternatives"));
        }
        return;
    }
    let types: Vec<&str> = match &schema["type"] {
        Value::String(one) => vec![one],
        Value::Array(several) => several.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    if !types.iter().any(|kind| is(kind, value)) {
        faults.push(format!("{place}: {value} is not of {types:?}"));
    }
    match value {
        Value::Object(object) => check_object(root, schema, object, place, faults),
        Value::Array(items) => {
            for (i, item) in items.iter().enumerate() {
                check(
                    root,
                    &schema["items"],
                    item,
                    &format!("{place}[{i}]"),
                    faults,
                );
            }
        }
        _ => {}
    }
}

fn check_object(
    root: &Value,
    schema: &Value,
    object: &Map<String, Value>,
    place: &str,
    faults: &mut Vec<String>,
) {
    let required = schema["required"].as_array().into_iter().flatten();
    for key in required.filter_map(Value::as_str) {
        if !object.contains_key(key) {
            faults.push(format!("{place}: `{key}` is missing"));
        }
    }
    for (key, value) in object {
        match schema["properties"].get(key) {
            Some(schema) => check(root, schema, value, &format!("{place}.{key}"), faults),
            None => faults.push(format!("{place}: the schema does not know `{key}`")),
        }
    }
}

fn is(kind: &str, value: &Value) -> bool {
    match kind {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        _ => false,
    }
}
