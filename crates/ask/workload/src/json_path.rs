//! JSON paths (RFC 9535), evaluated by a maintained library. Paths that it cannot handle safely are
//! refused here.

use jsonpath_rust::parser::model::JpQuery;
use jsonpath_rust::parser::parse_json_path;
use jsonpath_rust::query::js_path_process;
use serde_json::Value;

/// A longer path is a mistake; the parser's time grows faster than the length of what it reads.
const MAX_LENGTH: usize = 1_000;
/// Deeper nesting is a mistake. When nested function calls do not end properly, the parser tries
/// three alternatives at each level.
const MAX_DEPTH: usize = 8;

/// A path that was understood.
#[derive(Debug, Clone)]
pub struct JsonPath {
    text: String,
    query: JpQuery,
}

/// A path that was not understood.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum JsonPathError {
    /// Not RFC 9535.
    #[error("`{text}` is no JSON path (RFC 9535), as `$.items[0].id` is one: {reason}")]
    Syntax {
        /// As it was given.
        text: String,
        /// What the parser says.
        reason: String,
    },
    /// Too long or too deep.
    #[error(
        "the JSON path beginning with `{text}` is longer than {MAX_LENGTH} characters or nested deeper than {MAX_DEPTH}; write it shorter"
    )]
    TooLarge {
        /// First characters of the path.
        text: String,
    },
}

impl JsonPath {
    /// Understands a path. Whatever the text is, it ends and does not panic.
    ///
    /// # Errors
    /// When it is not written as RFC 9535 has it, or is beyond all bounds.
    pub fn parse(text: &str) -> Result<Self, JsonPathError> {
        if text.len() > MAX_LENGTH || depth(text) > MAX_DEPTH {
            return Err(JsonPathError::TooLarge {
                text: text.chars().take(40).collect(),
            });
        }
        let syntax = |reason: &str| JsonPathError::Syntax {
            text: text.to_owned(),
            reason: one_line(reason),
        };
        if has_space_in_name(text) {
            return Err(syntax(
                "a name with a space in it is written in brackets: `$['a b']`",
            ));
        }
        let query = parse_json_path(text).map_err(|error| syntax(&error.to_string()))?;
        Ok(Self {
            text: text.to_owned(),
            query,
        })
    }

    /// As it was given.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// What it selects, in order.
    #[must_use]
    pub fn select<'a>(&self, value: &'a Value) -> Vec<&'a Value> {
        // The only errors there are come from functions that the parser does not let through.
        js_path_process(&self.query, value)
            .map(|found| found.into_iter().map(|found| found.val()).collect())
            .unwrap_or_default()
    }
}

/// The number of brackets open at once. Those within quotes count, too: an upper bound is enough.
fn depth(text: &str) -> usize {
    let mut open = 0usize;
    let mut deepest = 0;
    for byte in text.bytes() {
        match byte {
            b'(' | b'[' => open += 1,
            b')' | b']' => open = open.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(open);
    }
    deepest
}

/// Whether there is a space within a name or after its dot, outside of quotes. The standard does
/// not allow it; the parser would skip it and look for another name.
fn has_space_in_name(text: &str) -> bool {
    let is_name = |c: char| c.is_alphanumeric() || c == '_' || !c.is_ascii();
    let mut quote = None;
    let mut is_escaped = false;
    let mut before_space = None;
    let mut last = ' ';
    for c in text.chars() {
        match quote {
            Some(_) if is_escaped => is_escaped = false,
            Some(_) if c == '\\' => is_escaped = true,
            Some(open) if c == open => quote = None,
            Some(_) => {}
            None if c.is_ascii_whitespace() => before_space = before_space.or(Some(last)),
            None => {
                let before = before_space.take();
                if before.is_some_and(|b| b == '.' || is_name(b) && is_name(c)) {
                    return true;
                }
                quote = matches!(c, '"' | '\'').then_some(c);
            }
        }
        last = c;
    }
    false
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The selected value is what was meant: a string by its content, anything else as JSON, and
/// numbers by their value (`1` is `1.0`).
pub(crate) fn equals(value: &Value, meant: &Meant) -> bool {
    match (value, &meant.json) {
        (Value::String(text), _) if *text == meant.text => true,
        (Value::Number(a), Some(Value::Number(b))) => a == b || a.as_f64() == b.as_f64(),
        (value, Some(json)) => value == json,
        (_, None) => false,
    }
}

/// A value as it was given for comparison.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Meant {
    pub text: String,
    json: Option<Value>,
}

impl Meant {
    pub(crate) fn new(text: &str) -> Self {
        Self {
            text: text.to_owned(),
            json: serde_json::from_str(text).ok(),
        }
    }
}

/// A string without its quotes, anything else as JSON.
pub(crate) fn text_of(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    fn select(path: &str, value: &Value) -> Vec<Value> {
        JsonPath::parse(path)
            .unwrap()
            .select(value)
            .into_iter()
            .cloned()
            .collect()
    }

    #[test]
    fn the_examples_of_the_standard() {
        // RFC 9535, 1.5.
        let store = json!({"store": {
            "book": [
                {"category": "reference", "author": "Nigel Rees", "title": "Sayings of the Century", "price": 8.95},
                {"category": "fiction", "author": "Evelyn Waugh", "title": "Sword of Honour", "price": 12.99},
                {"category": "fiction", "author": "Herman Melville", "title": "Moby Dick", "isbn": "0-553-21311-3", "price": 8.99},
                {"category": "fiction", "author": "J. R. R. Tolkien", "title": "The Lord of the Rings", "isbn": "0-395-19395-8", "price": 22.99}
            ],
            "bicycle": {"color": "red", "price": 399}
        }});
        assert_eq!(
            select("$.store.book[*].author", &store),
            [
                json!("Nigel Rees"),
                json!("Evelyn Waugh"),
                json!("Herman Melville"),
                json!("J. R. R. Tolkien")
            ]
        );
        assert_eq!(
            select("$..book[2].author", &store),
            [json!("Herman Melville")]
        );
        assert_eq!(
            select("$..book[-1].title", &store),
            [json!("The Lord of the Rings")]
        );
        assert_eq!(
            select("$..book[?@.isbn].title", &store),
            [json!("Moby Dick"), json!("The Lord of the Rings")]
        );
        assert_eq!(
            select("$..book[?@.price<10].title", &store),
            [json!("Sayings of the Century"), json!("Moby Dick")]
        );
        assert_eq!(
            select("$['store']['bicycle']['color']", &store),
            [json!("red")]
        );
        assert_eq!(
            select("$..book[:2].price", &store),
            [json!(8.95), json!(12.99)]
        );
        assert!(select("$.nothing", &store).is_empty());
        // Spaces where the standard has them.
        assert_eq!(
            select("$ ['store'] .bicycle [ 'color' ]", &store),
            [json!("red")]
        );
        assert_eq!(
            select(
                "$..book[?@.price < 10 && @.category == 'fiction'].title",
                &store
            ),
            [json!("Moby Dick")]
        );
        assert_eq!(
            select("$['a b', \"c' d\"]", &json!({"a b": 1, "c' d": 2})),
            [json!(1), json!(2)]
        );
    }

    #[test]
    fn a_path_that_is_none_is_refused() {
        for text in [
            "",
            "store",
            "$.",
            "$[",
            "$.a b",
            "$. a",
            "$[?",
            "$['a",
            " $.a",
            "$[?@.a b==1]",
        ] {
            assert!(
                matches!(JsonPath::parse(text), Err(JsonPathError::Syntax { .. })),
                "{text:?}"
            );
        }
        let deep = format!("$[?{}@.a{}]", "(".repeat(400), ")".repeat(400));
        assert!(matches!(
            JsonPath::parse(&deep),
            Err(JsonPathError::TooLarge { .. })
        ));
        // As deep as is let through, and broken inside.
        let broken = format!("$[?{}", "length(".repeat(MAX_DEPTH - 1));
        assert!(matches!(
            JsonPath::parse(&broken),
            Err(JsonPathError::Syntax { .. })
        ));
        let long = format!("${}", ".a".repeat(10_000));
        assert!(matches!(
            JsonPath::parse(&long),
            Err(JsonPathError::TooLarge { .. })
        ));
    }

    #[test]
    fn values_are_compared_as_they_are_meant() {
        for (value, meant, expected) in [
            (json!("abc"), "abc", true),
            (json!("abc"), "\"abc\"", true),
            (json!("42"), "42", true),
            (json!(42), "42", true),
            (json!(42), "42.0", true),
            (json!(42), "43", false),
            (json!(true), "true", true),
            (json!(null), "null", true),
            (json!({"a": [1]}), "{ \"a\" : [1] }", true),
            (json!([1]), "[2]", false),
            (json!(1), "one", false),
        ] {
            assert_eq!(
                equals(&value, &Meant::new(meant)),
                expected,
                "{value} {meant}"
            );
        }
    }

    proptest! {
        #[test]
        fn no_path_is_too_strange(
            text in "\\$([.\\[\\]*?@$:,'\"()!<>=&| -]|[0-9]|length|count|match|[a-z]|\\PC){0,24}"
        ) {
            if let Ok(path) = JsonPath::parse(&text) {
                let value = json!({"a": [1, {"b": "c"}, [2, 3]], "b": {"a": null}});
                _ = path.select(&value);
            }
        }

        #[test]
        fn numbers_in_a_path_are_bounded_or_refused(a: i64, b: i64, c: i64) {
            let value = json!([1, 2, 3]);
            for text in [format!("$[{a}]"), format!("$[{a}:{b}:{c}]")] {
                if let Ok(path) = JsonPath::parse(&text) {
                    prop_assert!(path.select(&value).len() <= 3);
                }
            }
        }
    }
}
