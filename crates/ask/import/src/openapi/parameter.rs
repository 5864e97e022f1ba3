//! Parameters of an operation, and how their values are written (OpenAPI 3.1, 4.8.12).

use super::document::Document;
use super::sample::{Sample, explicit, sample};
use crate::form::encode;
use serde_json::Value;

/// Where a parameter stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Location {
    Path,
    Query,
    Header,
    Cookie,
}

/// A parameter with its value.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Parameter {
    pub name: String,
    pub location: Location,
    pub value: Sample,
    style: Style,
    explode: bool,
}

/// How lists and objects are written; single values are the same in all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Style {
    /// `a=1&a=2`, or `a=1,2`.
    Form,
    /// Values after commas: `1,2`.
    Simple,
    /// Values after escaped blanks: `a=1%202`.
    Space,
    /// Values after bars: `a=1|2`.
    Pipe,
    /// A field of an object in brackets: `a[b]=1`.
    DeepObject,
    /// Each value after a point: `.1.2`.
    Label,
    /// Each value with its name after a semicolon: `;a=1;a=2`.
    Matrix,
}

/// What became of the description of a parameter.
pub(super) enum Read {
    Used(Parameter),
    /// Optional, and nobody says which value makes sense.
    LeftOut(String),
    /// Not a parameter.
    Unknown(String),
}

/// Reads the description of one parameter.
pub(super) fn read(document: &Document, description: &Value) -> Read {
    let text = |name: &str| description.get(name).and_then(Value::as_str);
    let Some(name) = text("name") else {
        return Read::Unknown("a parameter without a name".to_owned());
    };
    let location = match text("in") {
        Some("path") => Location::Path,
        Some("query") => Location::Query,
        Some("header") => Location::Header,
        Some("cookie") => Location::Cookie,
        other => {
            let place = other.unwrap_or("nowhere");
            return Read::Unknown(format!("the parameter `{name}` in `{place}`"));
        }
    };
    let is_required =
        location == Location::Path || description.get("required") == Some(&Value::Bool(true));
    let media = description
        .get("content")
        .and_then(Value::as_object)
        .and_then(|content| content.iter().next());
    let holder = media.map_or(description, |(_, media)| media);
    let schema = document.member(holder, "schema");
    let given = explicit(document, holder)
        .or_else(|| explicit(document, schema?).filter(|_| is_required || has_example(schema)));
    let value = match given {
        Some(value) => Sample::given(value.clone()),
        None if !is_required => return Read::LeftOut(name.to_owned()),
        None => sample(document, holder.get("schema").unwrap_or(&Value::Null)),
    };
    let value = match media {
        // The value is a document of its own.
        Some((kind, _)) if kind.contains("json") => Sample {
            value: Value::String(value.value.to_string()),
            ..value
        },
        _ => value,
    };
    let style = style(text("style"), location);
    let explode = description.get("explode").and_then(Value::as_bool);
    Read::Used(Parameter {
        name: name.to_owned(),
        location,
        value,
        style,
        explode: explode.unwrap_or(style == Style::Form),
    })
}

/// Whether there is an example. A default does not count: the service uses it anyway, so there is
/// no reason to send an optional parameter.
fn has_example(schema: Option<&Value>) -> bool {
    schema.is_some_and(|schema| schema.get("example").is_some() || schema.get("examples").is_some())
}

fn style(text: Option<&str>, location: Location) -> Style {
    match text {
        Some("form") => Style::Form,
        Some("simple") => Style::Simple,
        Some("spaceDelimited") => Style::Space,
        Some("pipeDelimited") => Style::Pipe,
        Some("deepObject") => Style::DeepObject,
        Some("label") => Style::Label,
        Some("matrix") => Style::Matrix,
        _ => match location {
            Location::Query | Location::Cookie => Style::Form,
            Location::Path | Location::Header => Style::Simple,
        },
    }
}

impl Parameter {
    /// For a path: one segment.
    pub fn path_segment(&self) -> String {
        let name = encode(self.name.as_bytes());
        match self.style {
            Style::Label => format!(".{}", self.joined(".", encoded)),
            Style::Matrix if self.explode => self
                .values()
                .iter()
                .map(|value| format!(";{name}={}", encoded(&plain(value))))
                .collect(),
            Style::Matrix => format!(";{name}={}", self.joined(",", encoded)),
            _ => self.joined(",", encoded),
        }
    }

    /// For a query: `a=1`, or several of them.
    pub fn query(&self) -> String {
        let name = encode(self.name.as_bytes());
        match (&self.value.value, self.style) {
            (Value::Object(entries), Style::DeepObject) => {
                let fields = entries.iter().map(|(key, value)| {
                    format!("{name}%5B{}%5D={}", encoded(key), encoded(&plain(value)))
                });
                joined("&", fields)
            }
            (Value::Object(entries), Style::Form) if self.explode => fields(entries),
            (Value::Array(items), Style::Form) if self.explode => {
                let items = items.iter().map(|item| encoded(&plain(item)));
                joined("&", items.map(|item| format!("{name}={item}")))
            }
            (_, Style::Space) => format!("{name}={}", self.joined("%20", encoded)),
            (_, Style::Pipe) => format!("{name}={}", self.joined("|", encoded)),
            _ => format!("{name}={}", self.joined(",", encoded)),
        }
    }

    /// For a header or a cookie.
    pub fn header(&self) -> String {
        self.joined(",", str::to_owned)
    }

    fn values(&self) -> &[Value] {
        match &self.value.value {
            Value::Array(items) => items,
            single => std::slice::from_ref(single),
        }
    }

    /// Items of a list, or names and values of an object, one after another.
    fn joined(&self, separator: &str, change: impl Fn(&str) -> String) -> String {
        match &self.value.value {
            Value::Object(entries) if self.explode => {
                let pairs = entries.iter();
                joined(
                    separator,
                    pairs.map(|(key, value)| pair(key, value, &change)),
                )
            }
            Value::Object(entries) => {
                let pairs = entries.iter();
                let words = pairs.flat_map(|(key, value)| [change(key), change(&plain(value))]);
                joined(separator, words)
            }
            _ => joined(separator, self.values().iter().map(|v| change(&plain(v)))),
        }
    }
}

/// The body of a form, `a=1&b=2`, percent-encoded.
pub(super) fn fields(entries: &serde_json::Map<String, Value>) -> String {
    let fields = entries.iter();
    joined("&", fields.map(|(key, value)| pair(key, value, encoded)))
}

fn joined(separator: &str, parts: impl Iterator<Item = String>) -> String {
    parts.collect::<Vec<_>>().join(separator)
}

fn pair(key: &str, value: &Value, change: impl Fn(&str) -> String) -> String {
    format!("{}={}", change(key), change(&plain(value)))
}

fn encoded(text: &str) -> String {
    encode(text.as_bytes())
}

/// A value as text: strings without their quotes.
pub(super) fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn parameter(description: Value) -> Parameter {
        match read(&Document { root: json!({}) }, &description) {
            Read::Used(parameter) => parameter,
            _ => panic!("{description}"),
        }
    }

    #[test]
    fn values_are_written_in_their_style() {
        for (more, example, written) in [
            (json!({}), json!("a b"), "n=a%20b"),
            (json!({}), json!([1, 2]), "n=1&n=2"),
            (json!({"explode": false}), json!([1, 2]), "n=1,2"),
            (json!({"style": "pipeDelimited"}), json!([1, 2]), "n=1|2"),
            (json!({"style": "spaceDelimited"}), json!([1, 2]), "n=1%202"),
            (json!({}), json!({"a": 1, "b": true}), "a=1&b=true"),
            (json!({"explode": false}), json!({"a": 1}), "n=a,1"),
            (
                json!({"style": "deepObject"}),
                json!({"a": 1}),
                "n%5Ba%5D=1",
            ),
        ] {
            let mut description = json!({"name": "n", "in": "query", "example": example});
            description
                .as_object_mut()
                .unwrap()
                .extend(more.as_object().unwrap().clone());
            assert_eq!(
                parameter(description.clone()).query(),
                written,
                "{description}"
            );
        }
        for (style, explode, written) in [
            ("simple", false, "1,2"),
            ("label", false, ".1.2"),
            ("matrix", false, ";n=1,2"),
            ("matrix", true, ";n=1;n=2"),
        ] {
            let parameter = parameter(json!({
                "name": "n", "in": "path", "style": style, "explode": explode, "example": [1, 2],
            }));
            assert_eq!(parameter.path_segment(), written);
        }
        let header = parameter(json!({"name": "n", "in": "header", "example": ["a b", 2]}));
        assert_eq!(header.header(), "a b,2");
        let content = parameter(json!({
            "name": "n", "in": "query", "content": {"application/json": {"example": {"a": 1}}},
        }));
        assert_eq!(content.query(), "n=%7B%22a%22%3A1%7D");
    }

    #[test]
    fn only_what_is_needed_or_has_an_example_is_sent() {
        let document = Document { root: json!({}) };
        let read = |description: Value| match super::read(&document, &description) {
            Read::Used(parameter) => Some(parameter.value.is_made_up),
            _ => None,
        };
        let schema = json!({"type": "string"});
        assert_eq!(
            read(json!({"name": "n", "in": "query", "schema": schema})),
            None
        );
        assert_eq!(
            read(json!({"name": "n", "in": "query", "schema": {"default": 1}})),
            None
        );
        assert_eq!(
            read(json!({"name": "n", "in": "query", "required": true, "schema": schema})),
            Some(true)
        );
        assert_eq!(
            read(json!({"name": "n", "in": "query", "schema": {"example": 1}})),
            Some(false)
        );
        assert_eq!(
            read(json!({"name": "n", "in": "path", "schema": schema})),
            Some(true)
        );
        assert_eq!(read(json!({"name": "n", "in": "body"})), None);
    }
}
