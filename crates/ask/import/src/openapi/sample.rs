//! A value that fits a schema: its example where there is one, made up where there is none.

use super::document::{Document, reference};
use serde_json::{Map, Value, json};

/// Below this depth optional properties are left out; below twice this depth everything is.
const DEEP: usize = 6;
/// Values in one request, roughly.
pub(super) const MOST_VALUES: usize = 2_000;
/// Longest text that is made up.
const LONGEST: usize = 4_096;
/// Most items of a list that are made up.
const MOST_ITEMS: usize = 16;

/// A value for a request.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Sample {
    pub value: Value,
    /// Nothing in the document suggests that this value makes sense.
    pub is_made_up: bool,
    /// What could not be satisfied: patterns, references that lead nowhere, circular references.
    pub gaps: Vec<String>,
}

impl Sample {
    /// A value of the document itself.
    pub fn given(value: Value) -> Self {
        Self {
            value,
            is_made_up: false,
            gaps: Vec::new(),
        }
    }
}

/// A value for a schema.
pub(super) fn sample(document: &Document, schema: &Value) -> Sample {
    let mut maker = Maker {
        document,
        values_left: MOST_VALUES,
        trail: Vec::new(),
        is_made_up: false,
        gaps: Vec::new(),
    };
    let value = maker.make(schema, 0).unwrap_or(Value::Null);
    if maker.values_left == 0 {
        let text = "it is too large; optional parts are left out";
        maker.gaps.push(text.to_owned());
    }
    Sample {
        value,
        is_made_up: maker.is_made_up,
        gaps: maker.gaps,
    }
}

/// The example beside a schema, or in it: `example`, the first of `examples`, `default`, `const`.
pub(super) fn explicit<'a>(document: &'a Document, holder: &'a Value) -> Option<&'a Value> {
    if let Some(example) = holder.get("example") {
        return Some(example);
    }
    match holder.get("examples") {
        // In schemas a list (JSON Schema), elsewhere named examples, which may be references.
        Some(Value::Array(examples)) if !examples.is_empty() => return examples.first(),
        Some(Value::Object(examples)) => {
            let mut values = examples.values();
            let value = values.find_map(|example| document.resolve(example).ok()?.get("value"));
            if value.is_some() {
                return value;
            }
        }
        _ => {}
    }
    holder.get("default").or_else(|| holder.get("const"))
}

struct Maker<'a> {
    document: &'a Document,
    values_left: usize,
    /// References that are being followed.
    trail: Vec<&'a str>,
    is_made_up: bool,
    gaps: Vec<String>,
}

impl<'a> Maker<'a> {
    /// `None` when no value can be made: a circular reference, or the bound of values is reached.
    fn make(&mut self, schema: &'a Value, depth: usize) -> Option<Value> {
        if depth > DEEP * 2 || self.values_left == 0 {
            return None;
        }
        self.values_left -= 1;
        let Some(reference) = reference(schema) else {
            return self.make_resolved(schema, depth);
        };
        if self.trail.contains(&reference) {
            return None;
        }
        match self.document.resolve(schema) {
            Ok(resolved) => {
                self.trail.push(reference);
                let value = self.make_resolved(resolved, depth);
                self.trail.pop();
                value
            }
            Err(error) => {
                self.gap(error.to_string());
                None
            }
        }
    }

    fn make_resolved(&mut self, schema: &'a Value, depth: usize) -> Option<Value> {
        if let Some(example) = explicit(self.document, schema) {
            self.values_left = self.values_left.saturating_sub(size(example));
            return Some(example.clone());
        }
        if let Some(first) = list(schema, "enum").first() {
            return Some(first.clone());
        }
        if !list(schema, "allOf").is_empty() {
            return self.all_of(schema, depth);
        }
        for choice in ["oneOf", "anyOf"] {
            let made = list(schema, choice)
                .iter()
                .filter(|schema| !is_null(schema))
                .find_map(|schema| self.make(schema, depth + 1));
            if let Some(made) = made {
                return Some(made);
            }
        }
        match kind(schema) {
            "object" => self.object(schema, depth),
            "array" => self.array(schema, depth),
            kind => {
                self.is_made_up = true;
                Some(self.scalar(kind, schema))
            }
        }
    }

    /// Objects are merged. Of other types, the first value that can be made is used.
    fn all_of(&mut self, schema: &'a Value, depth: usize) -> Option<Value> {
        let mut merged = Map::new();
        let mut other = None;
        for part in list(schema, "allOf") {
            match self.make(part, depth + 1) {
                Some(Value::Object(entries)) => merged.extend(entries),
                Some(value) => other = other.or(Some(value)),
                None => {}
            }
        }
        if schema.get("properties").is_some()
            && let Some(Value::Object(entries)) = self.object(schema, depth)
        {
            merged.extend(entries);
        }
        if merged.is_empty() && other.is_some() {
            return other;
        }
        Some(Value::Object(merged))
    }

    fn object(&mut self, schema: &'a Value, depth: usize) -> Option<Value> {
        let required: Vec<&str> = list(schema, "required")
            .iter()
            .filter_map(Value::as_str)
            .collect();
        let mut entries = Map::new();
        let properties = schema.get("properties").and_then(Value::as_object);
        for (name, property) in properties.into_iter().flatten() {
            let is_required = required.contains(&name.as_str());
            let is_answer_only = self
                .document
                .resolve(property)
                .is_ok_and(|property| property.get("readOnly") == Some(&Value::Bool(true)));
            if is_answer_only || (depth >= DEEP && !is_required) {
                continue;
            }
            match self.make(property, depth + 1) {
                Some(value) => {
                    entries.insert(name.clone(), value);
                }
                None if is_required => {
                    self.gap(format!(
                        "no value could be made for the required property `{name}`"
                    ));
                }
                None => {}
            }
        }
        Some(Value::Object(entries))
    }

    fn array(&mut self, schema: &'a Value, depth: usize) -> Option<Value> {
        let least = schema.get("minItems").and_then(Value::as_u64).unwrap_or(1);
        let most = schema
            .get("maxItems")
            .and_then(Value::as_u64)
            .unwrap_or(u64::MAX);
        let wanted = usize::try_from(least.max(1).min(most)).unwrap_or(MOST_ITEMS);
        if wanted > MOST_ITEMS {
            self.gap(format!(
                "a list of {wanted} items is made up with {MOST_ITEMS}"
            ));
        }
        let Some(items) = schema.get("items") else {
            return Some(json!([]));
        };
        let made = (0..wanted.min(MOST_ITEMS)).map_while(|_| self.make(items, depth + 1));
        Some(Value::Array(made.collect()))
    }

    fn scalar(&mut self, kind: &str, schema: &Value) -> Value {
        match kind {
            "integer" => json!(whole(schema)),
            "number" => number(schema),
            "boolean" => json!(true),
            "null" => Value::Null,
            "string" => {
                if let Some(pattern) = schema.get("pattern").and_then(Value::as_str) {
                    self.gap(format!(
                        "a text that matches `{}` is not made up; give an example",
                        crate::note::shorten(pattern, 60)
                    ));
                }
                Value::String(text(schema))
            }
            // Anything will do.
            _ => json!("text"),
        }
    }

    fn gap(&mut self, gap: String) {
        if self.gaps.len() < MOST_ITEMS && !self.gaps.contains(&gap) {
            self.gaps.push(gap);
        }
    }
}

fn list<'a>(schema: &'a Value, name: &str) -> &'a [Value] {
    schema
        .get(name)
        .and_then(Value::as_array)
        .map_or(&[], Vec::as_slice)
}

fn is_null(schema: &Value) -> bool {
    kind(schema) == "null"
}

/// The type; of several (OpenAPI 3.1) the first that is not null; guessed where it is missing.
fn kind(schema: &Value) -> &str {
    match schema.get("type") {
        Some(Value::String(kind)) => kind,
        Some(Value::Array(kinds)) => kinds
            .iter()
            .filter_map(Value::as_str)
            .find(|kind| *kind != "null")
            .unwrap_or("null"),
        _ if schema.get("properties").is_some() => "object",
        _ if schema.get("items").is_some() => "array",
        _ if schema.get("format").is_some() || schema.get("pattern").is_some() => "string",
        _ => "",
    }
}

/// The bounds of a number. `exclusive...` is a flag in OpenAPI 3.0 and a number in 3.1.
fn bounds(schema: &Value) -> (Option<f64>, Option<f64>, bool) {
    let number = |name: &str| schema.get(name).and_then(Value::as_f64);
    let is_set = |name: &str| schema.get(name) == Some(&Value::Bool(true));
    let exclusive_low = number("exclusiveMinimum");
    let low = exclusive_low.or(number("minimum"));
    let high = number("exclusiveMaximum").or(number("maximum"));
    let is_above = exclusive_low.is_some() || is_set("exclusiveMinimum");
    (low, high, is_above)
}

fn whole(schema: &Value) -> i64 {
    let (low, high, is_above) = bounds(schema);
    let low = low.map(|low| {
        if is_above {
            (low + 1.0).floor()
        } else {
            low.ceil()
        }
    });
    let value = match (low, high) {
        (Some(low), _) => low,
        (None, Some(high)) if high < 1.0 => high.floor() - 1.0,
        _ => 1.0,
    };
    multiple(value, schema) as i64
}

fn number(schema: &Value) -> Value {
    let (low, high, is_above) = bounds(schema);
    let value = match (low, high) {
        (Some(low), Some(high)) if is_above => low + (high - low) / 2.0,
        (Some(low), _) if is_above => low + 1.0,
        (Some(low), _) => low,
        (None, Some(high)) if high < 1.0 => high - 1.0,
        _ => 1.0,
    };
    json!(multiple(value, schema))
}

/// The next multiple of `multipleOf`.
fn multiple(value: f64, schema: &Value) -> f64 {
    match schema.get("multipleOf").and_then(Value::as_f64) {
        Some(step) if step > 0.0 => (value / step).ceil() * step,
        _ => value,
    }
}

fn text(schema: &Value) -> String {
    let format = schema
        .get("format")
        .and_then(Value::as_str)
        .unwrap_or_default();
    let known = match format {
        "date-time" => "2026-01-01T00:00:00Z",
        "date" => "2026-01-01",
        "time" => "12:00:00Z",
        "duration" => "PT1S",
        "uuid" => "00000000-0000-4000-8000-000000000000",
        "email" | "idn-email" => "user@example.com",
        "hostname" | "idn-hostname" => "example.com",
        "uri" | "url" | "iri" => "http://example.com/",
        "uri-reference" => "/",
        "ipv4" => "127.0.0.1",
        "ipv6" => "::1",
        "byte" => "dGFjaG8=",
        _ => return made_up_text(schema),
    };
    known.to_owned()
}

fn made_up_text(schema: &Value) -> String {
    let length = |name: &str, otherwise: usize| match schema.get(name).and_then(Value::as_u64) {
        Some(length) => length.min(LONGEST as u64) as usize,
        None => otherwise,
    };
    let length = 4
        .max(length("minLength", 0))
        .min(length("maxLength", LONGEST));
    "text".chars().cycle().take(length).collect()
}

/// Values in a value; a long text counts as several.
pub(super) fn size(value: &Value) -> usize {
    match value {
        Value::Array(items) => 1 + items.iter().map(size).sum::<usize>(),
        Value::Object(entries) => 1 + entries.values().map(size).sum::<usize>(),
        Value::String(text) => 1 + text.len() / 64,
        _ => 1,
    }
}
