//! Bodies of requests, from the examples and schemas of an operation.

use super::document::Document;
use super::parameter::{fields, plain};
use super::sample::{Sample, explicit, sample};
use crate::form::{self, Part};
use serde_json::{Map, Value};
use tacho_workload::Body;

/// A body with its content type.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ReadBody {
    pub body: Body,
    pub content_type: String,
    /// What it was written from.
    pub sample: Sample,
}

/// Makes a body of the kind that is easiest to make right.
pub(super) fn read(document: &Document, request_body: &Value) -> Option<ReadBody> {
    let content = request_body.get("content")?.as_object()?;
    let (kind, media) = content.iter().min_by_key(|(kind, _)| preference(kind))?;
    let example = explicit(document, media).cloned();
    let schema = media.get("schema").unwrap_or(&Value::Null);
    let mut sample = match example {
        Some(value) => Sample::given(value),
        None => sample(document, schema),
    };
    let (body, content_type) = written(document, kind, schema, &mut sample);
    Some(ReadBody {
        body,
        content_type,
        sample,
    })
}

fn preference(kind: &str) -> u8 {
    let kind = kind.to_ascii_lowercase();
    if kind.contains("json") {
        0
    } else if kind.starts_with(form::URLENCODED) {
        1
    } else if kind.starts_with("multipart/form-data") {
        2
    } else if kind.starts_with("text/") {
        3
    } else {
        4
    }
}

fn written(document: &Document, kind: &str, schema: &Value, sample: &mut Sample) -> (Body, String) {
    // `*/*` and `application/*` leave the choice to the client.
    let kind = if kind.contains('*') {
        "application/json"
    } else {
        kind
    };
    match (preference(kind), &sample.value) {
        (0, value) => (Body::Bytes(json(value)), kind.to_owned()),
        (1, Value::Object(entries)) => (Body::Bytes(fields(entries).into_bytes()), kind.to_owned()),
        (2, Value::Object(entries)) => {
            let parts = parts(document, schema, entries);
            let (content_type, body) = form::multipart(&parts);
            (Body::Bytes(body), content_type)
        }
        (_, value @ (Value::String(_) | Value::Number(_) | Value::Bool(_))) => {
            (Body::Bytes(plain(value).into_bytes()), kind.to_owned())
        }
        _ => {
            sample.gaps.push(format!(
                "no body of the type `{}` can be made from it; give an example as text",
                crate::note::shorten(kind, 60)
            ));
            (Body::None, kind.to_owned())
        }
    }
}

/// Many examples of JSON are written as a text that holds it.
fn json(value: &Value) -> Vec<u8> {
    match value {
        Value::String(text) if is_json_text(text) => text.clone().into_bytes(),
        other => other.to_string().into_bytes(),
    }
}

fn is_json_text(text: &str) -> bool {
    text.trim_start().starts_with(['{', '[']) && serde_json::from_str::<Value>(text).is_ok()
}

fn parts(document: &Document, schema: &Value, entries: &Map<String, Value>) -> Vec<Part> {
    let properties = document
        .resolve(schema)
        .ok()
        .and_then(|schema| document.member(schema, "properties"));
    entries
        .iter()
        .map(|(name, value)| {
            let property = properties.and_then(|properties| document.member(properties, name));
            let format = property.and_then(|property| property.get("format"));
            let is_file = format.and_then(Value::as_str) == Some("binary");
            let is_nested = value.is_object() || value.is_array();
            let content_type = match (is_file, is_nested) {
                (true, _) => Some("application/octet-stream".to_owned()),
                (_, true) => Some("application/json".to_owned()),
                _ => None,
            };
            Part {
                name: name.clone(),
                file_name: is_file.then(|| "file".to_owned()),
                content_type,
                content: plain(value).into_bytes(),
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn body(content: Value) -> (String, String) {
        let document = Document { root: json!({}) };
        let read = read(&document, &json!({"content": content})).unwrap();
        let text = match read.body {
            Body::Bytes(bytes) => String::from_utf8(bytes).unwrap(),
            _ => String::new(),
        };
        (read.content_type, text)
    }

    #[test]
    fn bodies_are_written_as_their_type_says() {
        for (content, kind, text) in [
            (
                json!({"application/json": {"example": {"a": 1}}}),
                "application/json",
                "{\"a\":1}",
            ),
            (
                json!({"application/json": {"example": "{\"a\": 1}"}}),
                "application/json",
                "{\"a\": 1}",
            ),
            (
                json!({"application/json": {"example": "a"}}),
                "application/json",
                "\"a\"",
            ),
            (json!({"*/*": {"example": [1]}}), "application/json", "[1]"),
            (
                json!({"application/xml": {"example": "<a/>"}, "application/problem+json": {"example": 1}}),
                "application/problem+json",
                "1",
            ),
            (
                json!({"application/x-www-form-urlencoded": {"example": {"a": "b c", "d": 1}}}),
                "application/x-www-form-urlencoded",
                "a=b%20c&d=1",
            ),
            (
                json!({"application/xml": {"example": "<a/>"}}),
                "application/xml",
                "<a/>",
            ),
            (
                json!({"application/xml": {"example": {"a": 1}}}),
                "application/xml",
                "",
            ),
            (
                json!({"text/plain": {"schema": {"type": "string"}}}),
                "text/plain",
                "text",
            ),
        ] {
            assert_eq!(
                body(content.clone()),
                (kind.to_owned(), text.to_owned()),
                "{content}"
            );
        }
    }

    #[test]
    fn a_form_with_a_file_has_parts() {
        let (kind, text) = body(json!({"multipart/form-data": {"schema": {"properties": {
            "file": {"type": "string", "format": "binary"},
            "about": {"example": {"a": 1}},
        }}}}));
        assert!(kind.starts_with("multipart/form-data; boundary="));
        assert!(text.contains("name=\"file\"; filename=\"file\"\r\nContent-Type: application/octet-stream\r\n\r\ntext\r\n"));
        assert!(
            text.contains("name=\"about\"\r\nContent-Type: application/json\r\n\r\n{\"a\":1}\r\n")
        );
    }
}
