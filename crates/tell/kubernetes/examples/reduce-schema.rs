//! Cuts the schema of a Deployment out of the OpenAPI document of the Kubernetes API: standard
//! input to standard output.
//!
//! `scripts/kubernetes-schema VERSION` feeds it. Prose is left out (four fifths of it), and each
//! definition stands in a line of its own.

use serde_json::{Map, Value};
use std::collections::BTreeSet;
use std::error::Error;

const ROOT: &str = "io.k8s.api.apps.v1.Deployment";

fn main() -> Result<(), Box<dyn Error>> {
    let document: Value = serde_json::from_reader(std::io::stdin().lock())?;
    let schemas = document
        .pointer("/components/schemas")
        .and_then(Value::as_object)
        .ok_or("no components/schemas: is this an OpenAPI 3 document?")?;
    let mut wanted = BTreeSet::new();
    collect(ROOT, schemas, &mut wanted)?;
    println!("{{\"components\":{{\"schemas\":{{");
    for (i, name) in wanted.iter().enumerate() {
        let comma = if i + 1 < wanted.len() { "," } else { "" };
        println!(
            "{}:{}{comma}",
            Value::from(name.as_str()),
            without_prose(&schemas[name])
        );
    }
    println!("}}}}}}");
    Ok(())
}

fn collect(
    name: &str,
    schemas: &Map<String, Value>,
    wanted: &mut BTreeSet<String>,
) -> Result<(), Box<dyn Error>> {
    if !wanted.insert(name.to_owned()) {
        return Ok(());
    }
    let schema = schemas
        .get(name)
        .ok_or_else(|| format!("{name} is missing"))?;
    let mut references = Vec::new();
    referred(schema, &mut references);
    references
        .into_iter()
        .try_for_each(|name| collect(name, schemas, wanted))
}

fn referred<'a>(value: &'a Value, names: &mut Vec<&'a str>) {
    match value {
        Value::Object(object) => {
            let reference = object.get("$ref").and_then(Value::as_str);
            names.extend(reference.and_then(|reference| reference.rsplit('/').next()));
            object.values().for_each(|value| referred(value, names));
        }
        Value::Array(values) => values.iter().for_each(|value| referred(value, names)),
        _ => {}
    }
}

/// A `description` that is a text is prose; one that is an object is a property of that name.
fn without_prose(value: &Value) -> Value {
    match value {
        Value::Object(object) => {
            let kept = object
                .iter()
                .filter(|(key, value)| !(*key == "description" && value.is_string()));
            kept.map(|(key, value)| (key.clone(), without_prose(value)))
                .collect::<Map<_, _>>()
                .into()
        }
        Value::Array(values) => values.iter().map(without_prose).collect(),
        other => other.clone(),
    }
}
