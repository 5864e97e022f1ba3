//! The page of all keys, `docs/experiment.md`, made from the schema.

use serde_json::{Map, Value};

const BEGINNING: &str = "# The experiment file

All keys. This page is made from the schema that editors use (`tacho schema experiment`). `tacho
init app.jar` writes a commented file to start from.

With a language server for YAML, this first line completes, explains and checks it:

```yaml
# yaml-language-server: $schema=experiment.schema.json
```

`tacho schema experiment > experiment.schema.json` writes that file; keep it beside the experiment.
Errors between keys, or in other files, are reported by Tacho itself, with line and column, before
anything is started (`tacho run experiment.yaml --dry-run`). [Quantities](quantities.md) such as
durations and rates are written as everywhere in Tacho.
";

/// The whole page.
pub fn page(document: &Value) -> String {
    let mut page = BEGINNING.to_owned();
    section(&mut page, "The experiment", document);
    page
}

/// Writes a mapping, and then the mappings in it, each under its path from the top.
fn section(page: &mut String, title: &str, mapping: &Value) {
    let nothing = Map::new();
    let keys = mapping["properties"].as_object().unwrap_or(&nothing);
    let required: Vec<&str> = mapping["required"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    page.push_str(&format!(
        "\n## {title}\n{}\n\n| key | value | |\n|---|---|---|\n",
        wrapped(said(mapping))
    ));
    for (key, value) in keys {
        let needed = if required.contains(&&**key) {
            ", needed"
        } else {
            ""
        };
        page.push_str(&format!(
            "| `{key}`{needed} | {} | {} |\n",
            kind(value).replace('|', "\\|"),
            said(value).replace('|', "\\|")
        ));
    }
    for (key, value) in keys {
        let way = match title {
            "The experiment" => format!("`{key}`"),
            above => format!("{above}, `{key}`"),
        };
        for inner in mappings(value) {
            section(page, &way, inner);
        }
    }
}

/// The mappings that a value may be or contain.
fn mappings(value: &Value) -> Vec<&Value> {
    let mut found: Vec<&Value> = Vec::new();
    if value.get("properties").is_some() {
        found.push(value);
    }
    for inner in value["anyOf"].as_array().into_iter().flatten() {
        found.extend(mappings(inner));
    }
    if let Some(items) = value.get("items") {
        found.extend(mappings(items));
    }
    // One set, or a list of them: the same mapping.
    let mut distinct: Vec<&Value> = Vec::new();
    for mapping in found {
        if !distinct.contains(&mapping) {
            distinct.push(mapping);
        }
    }
    distinct
}

/// What kind of value may be written there, in a few words.
fn kind(value: &Value) -> String {
    if let Some(name) = value["$ref"].as_str() {
        return name.rsplit('/').next().unwrap_or_default().to_owned();
    }
    if let Some(words) = value["enum"].as_array() {
        let words = words.iter().filter_map(Value::as_str);
        return words
            .map(|word| format!("`{word}`"))
            .collect::<Vec<_>>()
            .join(", ");
    }
    if let Some(shapes) = value["anyOf"].as_array() {
        let mut kinds: Vec<String> = Vec::new();
        for shape in shapes.iter().filter(|shape| shape["type"] != "null") {
            let kind = kind(shape);
            if !kind.is_empty() && !kinds.contains(&kind) {
                kinds.push(kind);
            }
        }
        return kinds.join("; ");
    }
    match &value["type"] {
        Value::String(kind) if kind == "array" => match kind_of_items(value) {
            items if items.is_empty() => "list".to_owned(),
            items => format!("list of: {items}"),
        },
        Value::String(kind) if kind == "object" => "mapping".to_owned(),
        Value::String(kind) if kind == "integer" || kind == "number" => "number".to_owned(),
        Value::Null => String::new(),
        _ => "word".to_owned(),
    }
}

fn kind_of_items(list: &Value) -> String {
    list.get("items").map_or_else(String::new, kind)
}

fn said(value: &Value) -> &str {
    value["description"].as_str().unwrap_or_default()
}

/// At 100 columns, as all prose here.
fn wrapped(text: &str) -> String {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let last = lines.last().map_or(0, |line| line.chars().count());
        if last > 0 && last + 1 + word.chars().count() > 100 {
            lines.push(String::new());
        }
        if let Some(line) = lines.last_mut() {
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
    }
    lines.join("\n")
}
