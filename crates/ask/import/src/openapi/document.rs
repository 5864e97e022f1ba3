//! The document, and what its references refer to.

use percent_encoding::percent_decode_str;
use serde_json::Value;
use std::collections::HashSet;

/// References that refer to references.
const MOST_HOPS: usize = 32;

/// An OpenAPI document.
#[derive(Debug)]
pub(super) struct Document {
    pub root: Value,
}

/// A reference that leads nowhere.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum BrokenReference {
    #[error("the reference `{0}` leads to another document; put both into one file")]
    Elsewhere(String),
    #[error("the reference `{0}` leads to nothing in this document")]
    Nowhere(String),
    #[error("the reference `{0}` leads back to itself")]
    Circle(String),
}

impl Document {
    /// What stands there, or what its `$ref` refers to.
    pub fn resolve<'a>(&'a self, value: &'a Value) -> Result<&'a Value, BrokenReference> {
        let mut value = value;
        let mut seen = HashSet::new();
        while let Some(reference) = reference(value) {
            if !seen.insert(reference) || seen.len() > MOST_HOPS {
                return Err(BrokenReference::Circle(short(reference)));
            }
            value = self.find(reference)?;
        }
        Ok(value)
    }

    fn find(&self, reference: &str) -> Result<&Value, BrokenReference> {
        let Some(pointer) = reference.strip_prefix('#') else {
            return Err(BrokenReference::Elsewhere(short(reference)));
        };
        // A fragment of a URI is percent-encoded (RFC 6901, 6).
        let pointer = percent_decode_str(pointer).decode_utf8_lossy();
        self.root
            .pointer(&pointer)
            .ok_or_else(|| BrokenReference::Nowhere(short(reference)))
    }

    /// A member of an object, with its reference resolved.
    pub fn member<'a>(&'a self, value: &'a Value, name: &str) -> Option<&'a Value> {
        value.get(name).and_then(|value| self.resolve(value).ok())
    }
}

/// Where a value refers to.
pub(super) fn reference(value: &Value) -> Option<&str> {
    value.get("$ref").and_then(Value::as_str)
}

fn short(reference: &str) -> String {
    crate::note::shorten(reference, 100)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn references_are_followed() {
        let document = Document {
            root: json!({
                "a": {"$ref": "#/b~1c/d%20e"},
                "b/c": {"d e": 7},
                "x": {"$ref": "#/y"}, "y": {"$ref": "#/x"},
            }),
        };
        assert_eq!(document.resolve(&document.root["a"]).unwrap(), &json!(7));
        for (reference, error) in [
            ("#/x", BrokenReference::Circle("#/x".to_owned())),
            ("#/z", BrokenReference::Nowhere("#/z".to_owned())),
            (
                "other.yaml#/a",
                BrokenReference::Elsewhere("other.yaml#/a".to_owned()),
            ),
        ] {
            let value = json!({"$ref": reference});
            assert_eq!(document.resolve(&value).unwrap_err(), error);
        }
    }
}
