//! JSON or YAML as one tree of bounded size.

use crate::error::ImportError;
use saphyr::Scalar;
use serde_json::{Map, Number, Value};
use tacho_yaml::{Limits, Node, YamlError};

/// serde_json's own depth, for both. A document that needs more memory is no description of an
/// interface.
const LIMITS: Limits = Limits {
    depth: 120,
    mib: 512,
};

/// Reads a document.
pub(super) fn parse(text: &str) -> Result<Value, ImportError> {
    let start = text.trim_start();
    if start.starts_with(['{', '[']) {
        match serde_json::from_str(text) {
            Ok(value) => return Ok(value),
            // YAML may begin with a brace, but such a text is nearly always JSON with a mistake.
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
    let document = tacho_yaml::read(text, &LIMITS).map_err(refused)?;
    Ok(document.root.map_or(Value::Null, to_json))
}

fn refused(error: YamlError) -> ImportError {
    match error {
        YamlError::Syntax { place, problem } => ImportError::Syntax {
            line: place.line as u64,
            format: "YAML",
            problem,
        },
        YamlError::TooDeep { place, depth } => ImportError::TooDeep {
            line: place.line as u64,
            limit: depth,
        },
        YamlError::TooLarge { place, .. } => ImportError::TooMuch {
            place: format!("line {}", place.line),
            limit: "512 MiB after its anchors were replaced",
        },
    }
}

fn to_json(node: Node) -> Value {
    match node.value {
        tacho_yaml::Value::Null => Value::Null,
        tacho_yaml::Value::Text(text) if node.is_plain => plain(text),
        tacho_yaml::Value::Text(text) => Value::String(text),
        tacho_yaml::Value::List(items) => items.into_iter().map(to_json).collect(),
        tacho_yaml::Value::Map(entries) => {
            let mut object = Map::new();
            for (key, value) in entries {
                insert(&mut object, key.name, to_json(value));
            }
            Value::Object(object)
        }
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

/// What YAML makes of a scalar without quotes.
fn plain(text: String) -> Value {
    match Scalar::parse_from_cow(text.as_str().into()) {
        Scalar::Null => Value::Null,
        Scalar::Boolean(value) => Value::Bool(value),
        Scalar::Integer(value) => Value::Number(value.into()),
        Scalar::FloatingPoint(value) => {
            Number::from_f64(value.into_inner()).map_or(Value::String(text), Value::Number)
        }
        Scalar::String(_) => Value::String(text),
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
