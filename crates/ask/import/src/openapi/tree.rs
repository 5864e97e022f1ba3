//! JSON or YAML as one tree of bounded size.

use crate::error::ImportError;
use saphyr::Scalar;
use saphyr_parser::{Event, Parser, Span};
use serde_json::{Map, Number, Value};
use std::collections::HashMap;

/// serde_json's own bound, for both.
const DEEPEST: usize = 120;
/// Bytes that anchors may add to the tree, roughly: those that refer to others double with each line.
const MOST_REPEATED: usize = 32 << 20;

/// Reads a document.
pub(super) fn parse(text: &str) -> Result<Value, ImportError> {
    let start = text.trim_start();
    if start.starts_with(['{', '[']) {
        match serde_json::from_str(text) {
            Ok(value) => return Ok(value),
            // YAML in braces is possible, but JSON with a slip is what it nearly always is.
            Err(error) if start.contains('"') => {
                return Err(ImportError::Syntax {
                    line: error.line() as u64,
                    format: "JSON",
                    problem: error.to_string(),
                });
            }
            Err(_) => {}
        }
    }
    yaml(text)
}

fn yaml(text: &str) -> Result<Value, ImportError> {
    let mut tree = Tree::default();
    for event in Parser::new_from_str(text) {
        let (event, span) = event.map_err(|error| ImportError::Syntax {
            line: error.marker().line() as u64,
            format: "YAML",
            problem: error.info().to_owned(),
        })?;
        if matches!(event, Event::DocumentEnd) {
            break;
        }
        tree.take(event, span)?;
    }
    Ok(tree.root.unwrap_or(Value::Null))
}

/// A list or mapping that is not closed yet.
enum Open {
    List {
        anchor: usize,
        items: Vec<Value>,
    },
    Map {
        anchor: usize,
        entries: Map<String, Value>,
        /// Read, and waiting for its value.
        key: Option<String>,
    },
}

/// What an alias can repeat.
struct Anchored {
    value: Value,
    bytes: usize,
    depth: usize,
}

#[derive(Default)]
struct Tree {
    root: Option<Value>,
    open: Vec<Open>,
    anchors: HashMap<usize, Anchored>,
    /// Bytes that were copied for anchors.
    repeated: usize,
}

impl Tree {
    fn take(&mut self, event: Event<'_>, span: Span) -> Result<(), ImportError> {
        let line = span.start.line() as u64;
        match event {
            Event::Scalar(text, style, anchor, tag) => {
                let scalar = Scalar::parse_from_cow_and_metadata(text.clone(), style, tag.as_ref());
                let value = match scalar {
                    // A key is a word whatever it looks like: `200:`, `on:`, `null:`.
                    _ if self.wants_key() => Value::String(text.into_owned()),
                    Some(scalar) => to_json(scalar, &text),
                    None => Value::String(text.into_owned()),
                };
                self.put(value, anchor, line)
            }
            Event::SequenceStart(anchor, _) => self.begin(
                Open::List {
                    anchor,
                    items: Vec::new(),
                },
                line,
            ),
            Event::MappingStart(anchor, _) => self.begin(
                Open::Map {
                    anchor,
                    entries: Map::new(),
                    key: None,
                },
                line,
            ),
            Event::SequenceEnd | Event::MappingEnd => match self.open.pop() {
                Some(Open::List { anchor, items }) => self.put(Value::Array(items), anchor, line),
                Some(Open::Map {
                    anchor, entries, ..
                }) => self.put(Value::Object(entries), anchor, line),
                None => Ok(()),
            },
            Event::Alias(anchor) => self.repeat(anchor, line),
            _ => Ok(()),
        }
    }

    fn wants_key(&self) -> bool {
        matches!(self.open.last(), Some(Open::Map { key: None, .. }))
    }

    fn begin(&mut self, open: Open, line: u64) -> Result<(), ImportError> {
        if self.wants_key() {
            return Err(wrong(line, "a key must be a word"));
        }
        if self.open.len() == DEEPEST {
            return Err(ImportError::TooDeep {
                line,
                limit: DEEPEST,
            });
        }
        self.open.push(open);
        Ok(())
    }

    /// What an anchor names, once more.
    fn repeat(&mut self, anchor: usize, line: u64) -> Result<(), ImportError> {
        let Some(anchored) = self.anchors.get(&anchor) else {
            return Err(wrong(line, "it refers to something that contains it"));
        };
        if self.open.len() + anchored.depth > DEEPEST {
            return Err(ImportError::TooDeep {
                line,
                limit: DEEPEST,
            });
        }
        let bytes = anchored.bytes;
        self.take_bytes(bytes, line)?;
        match self.anchors.get(&anchor) {
            Some(anchored) => self.attach(anchored.value.clone(), line),
            None => Ok(()),
        }
    }

    fn put(&mut self, value: Value, anchor: usize, line: u64) -> Result<(), ImportError> {
        if anchor != 0 {
            let (bytes, depth) = measure(&value);
            self.take_bytes(bytes, line)?;
            let value = value.clone();
            self.anchors.insert(
                anchor,
                Anchored {
                    value,
                    bytes,
                    depth,
                },
            );
        }
        self.attach(value, line)
    }

    fn take_bytes(&mut self, bytes: usize, line: u64) -> Result<(), ImportError> {
        self.repeated = self.repeated.saturating_add(bytes);
        if self.repeated > MOST_REPEATED {
            return Err(ImportError::TooMuch {
                place: format!("line {line}"),
                limit: "32 MiB after its anchors were replaced",
            });
        }
        Ok(())
    }

    fn attach(&mut self, value: Value, line: u64) -> Result<(), ImportError> {
        match self.open.last_mut() {
            None => self.root = Some(value),
            Some(Open::List { items, .. }) => items.push(value),
            Some(Open::Map { entries, key, .. }) => match key.take() {
                None => match value {
                    Value::String(name) => *key = Some(name),
                    _ => return Err(wrong(line, "a key must be a word")),
                },
                Some(name) => insert(entries, name, value),
            },
        }
        Ok(())
    }
}

/// `<<: *anchor` takes over what is not there already.
fn insert(entries: &mut Map<String, Value>, name: String, value: Value) {
    match value {
        Value::Object(merged) if name == "<<" => {
            for (name, value) in merged {
                entries.entry(name).or_insert(value);
            }
        }
        value => {
            entries.insert(name, value);
        }
    }
}

fn to_json(scalar: Scalar<'_>, text: &str) -> Value {
    match scalar {
        Scalar::Null => Value::Null,
        Scalar::Boolean(value) => Value::Bool(value),
        Scalar::Integer(value) => Value::Number(value.into()),
        Scalar::FloatingPoint(value) => Number::from_f64(value.into_inner())
            .map_or_else(|| Value::String(text.to_owned()), Value::Number),
        Scalar::String(value) => Value::String(value.into_owned()),
    }
}

/// Bytes of memory, roughly, and depth.
fn measure(value: &Value) -> (usize, usize) {
    match value {
        Value::Array(items) => items.iter().map(measure).fold((32, 1), deeper),
        Value::Object(entries) => entries
            .iter()
            .map(|(name, value)| {
                let (bytes, depth) = measure(value);
                (bytes + name.len() + 64, depth)
            })
            .fold((32, 1), deeper),
        Value::String(text) => (text.len() + 32, 0),
        _ => (32, 0),
    }
}

fn deeper((bytes, depth): (usize, usize), (more, below): (usize, usize)) -> (usize, usize) {
    (bytes + more, depth.max(below + 1))
}

fn wrong(line: u64, problem: &str) -> ImportError {
    ImportError::Syntax {
        line,
        format: "YAML",
        problem: problem.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    #[test]
    fn yaml_becomes_what_json_would_be() {
        let text = "a: 1\nb: [x, 'y', 2.5, true, null]\n200: {c: '3'}\nd: |\n  two\n  lines\n";
        assert_eq!(
            parse(text).unwrap(),
            json!({"a": 1, "b": ["x", "y", 2.5, true, null], "200": {"c": "3"}, "d": "two\nlines\n"})
        );
        assert_eq!(parse("{\"a\": 1}").unwrap(), json!({"a": 1}));
        assert_eq!(parse("{a: 1}").unwrap(), json!({"a": 1}));
        assert_eq!(parse("").unwrap(), Value::Null);
    }

    #[test]
    fn anchors_are_replaced() {
        let text = "a: &x {b: 1}\nc: *x\nd:\n  <<: *x\n  e: 2\n";
        assert_eq!(
            parse(text).unwrap(),
            json!({"a": {"b": 1}, "c": {"b": 1}, "d": {"b": 1, "e": 2}})
        );
    }

    #[test]
    fn what_cannot_be_read_is_named_with_its_line() {
        for (text, line) in [
            ("a: ]", 1),
            ("a: 1\nb: 'c", 2),
            ("a: 1\n[b]: 2\n", 2),
            ("a: &x\n  b: *x\n", 2),
            ("{\n\"a\": 1,}", 2),
        ] {
            match parse(text).unwrap_err() {
                ImportError::Syntax { line: found, .. } => assert_eq!(found, line, "{text}"),
                other => panic!("{text}: {other}"),
            }
        }
    }

    #[test]
    fn anchors_of_anchors_do_not_fill_the_memory() {
        let mut text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
        for n in 1..30 {
            let before = vec![format!("*a{}", n - 1); 10].join(", ");
            text.push_str(&format!("a{n}: &a{n} [{before}]\n"));
        }
        assert!(matches!(parse(&text), Err(ImportError::TooMuch { .. })));
    }

    #[test]
    fn nesting_is_bounded() {
        assert!(matches!(
            parse(&"- ".repeat(1000)),
            Err(ImportError::TooDeep { .. })
        ));
        assert!(parse(&"[".repeat(100_000)).is_err());
        let mut text = "a0: &a0 [x]\n".to_owned();
        for n in 1..200 {
            text.push_str(&format!("a{n}: &a{n} [*a{}]\n", n - 1));
        }
        assert!(matches!(parse(&text), Err(ImportError::TooDeep { .. })));
    }

    proptest! {
        #[test]
        fn no_text_panics(text in "\\PC{0,200}") {
            let _ = parse(&text);
        }

        #[test]
        fn no_yaml_like_text_panics(text in "[ \\-:\\[\\]{},&*!|>'\"#%@a1\\n?<~.]{0,80}") {
            let _ = parse(&text);
        }
    }
}
