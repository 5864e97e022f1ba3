//! Values for the variables of a collection, in a file of their own.

use super::bounds;
use super::entries::{Entries, Entry};
use super::lenient::Text;
use crate::error::{self, ImportError};
use serde::Deserialize;
use serde::de::IgnoredAny;
use std::collections::BTreeMap;
use std::fmt;

/// More than anybody keeps values in.
const LARGEST: usize = 16 << 20;

/// Values for the variables of a collection: an environment or the globals as Postman exports them,
/// or a JSON object of names and values that somebody wrote.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct Environment {
    /// The values of the collection win against these.
    pub(super) is_global: bool,
    pub(super) values: Vec<Given>,
}

#[derive(Clone, PartialEq, Eq)]
pub(super) struct Given {
    pub name: String,
    /// None where the file leaves it empty.
    pub value: Option<String>,
    /// Marked as one.
    pub is_secret: bool,
}

/// Values are often secrets, so they are not shown.
impl fmt::Debug for Environment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.values.iter().map(|g| g.name.as_str()).collect();
        f.debug_struct("Environment")
            .field("is_global", &self.is_global)
            .field("names", &names)
            .finish()
    }
}

/// As Postman exports it, or what is taken for that.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Exported {
    values: Option<Entries>,
    #[serde(rename = "_postman_variable_scope")]
    scope: Text,
    /// As Postman's own interface answers.
    environment: Option<Box<Exported>>,
    /// Of a collection.
    item: Option<Vec<IgnoredAny>>,
}

impl Environment {
    /// Reads a file.
    ///
    /// # Errors
    /// When it is no JSON object of values.
    pub fn read(input: &[u8]) -> Result<Self, ImportError> {
        let text = error::text(input, LARGEST)?;
        bounds::check(text)?;
        // An object that somebody wrote may have any name, with any value.
        let mut exported: Exported = serde_json::from_str(text).unwrap_or_default();
        if let Some(inner) = exported.environment.take() {
            exported = *inner;
        }
        if exported.item.is_some() {
            return Err(ImportError::Unsupported {
                what: "this is a collection, and not the values of an environment",
                way_out: "give it as --targets, and an environment as --environment",
            });
        }
        if let Some(values) = &exported.values {
            return Ok(Self {
                is_global: exported.scope.as_str() == "globals",
                values: exported_values(values),
            });
        }
        let written = serde_json::from_str(text).map_err(|error| ImportError::Syntax {
            line: error.line() as u64,
            format: "an exported environment of Postman, nor as an object such as {\"token\": \"abc\"}",
            problem: error.to_string(),
        })?;
        Ok(Self {
            is_global: false,
            values: written_values(written),
        })
    }
}

/// Postman leaves values empty in an export that only their user may see.
fn exported_values(values: &Entries) -> Vec<Given> {
    let given = |entry: &Entry| Given {
        name: entry.name().to_owned(),
        value: entry
            .value
            .given()
            .filter(|v| !v.is_empty())
            .map(str::to_owned),
        is_secret: entry.is_secret(),
    };
    values.on().map(given).collect()
}

/// Values of a plain JSON object. Here an empty text is an intended value.
fn written_values(values: BTreeMap<String, Text>) -> Vec<Given> {
    let given = |(name, value): (String, Text)| Given {
        name,
        value: value.given().map(str::to_owned),
        is_secret: false,
    };
    values.into_iter().map(given).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Environment, String> {
        Environment::read(text.as_bytes()).map_err(|error| error.to_string())
    }

    fn values(environment: &Environment) -> Vec<(&str, Option<&str>)> {
        let values = environment.values.iter();
        let pairs = values.map(|given| (given.name.as_str(), given.value.as_deref()));
        pairs.collect()
    }

    #[test]
    fn an_export_and_an_object_are_read() {
        let exported = read(
            r#"{"name": "QA", "values": [{"key": "a", "value": "1", "enabled": true},
            {"key": "b", "value": "", "type": "secret"}, {"key": "c", "value": "x",
            "enabled": false}], "_postman_variable_scope": "environment"}"#,
        )
        .unwrap();
        assert_eq!(values(&exported), [("a", Some("1")), ("b", None)]);
        assert!(exported.values[1].is_secret && !exported.is_global);
        let globals = read(r#"{"values": [], "_postman_variable_scope": "globals"}"#).unwrap();
        assert!(globals.is_global);
        let answered = read(r#"{"environment": {"values": [{"key": "a", "value": 1}]}}"#).unwrap();
        assert_eq!(values(&answered), [("a", Some("1"))]);
        let written = read(r#"{"a": 1, "b": "", "environment": "qa"}"#).unwrap();
        assert_eq!(
            values(&written),
            [
                ("a", Some("1")),
                ("b", Some("")),
                ("environment", Some("qa"))
            ]
        );
    }

    #[test]
    fn what_is_none_says_so() {
        assert!(read("[]").unwrap_err().contains("line 1"));
        assert!(
            read("token=abc")
                .unwrap_err()
                .contains("{\"token\": \"abc\"}")
        );
        let collection = read(r#"{"info": {}, "item": []}"#).unwrap_err();
        assert!(collection.contains("--targets"), "{collection}");
    }

    #[test]
    fn values_are_not_shown() {
        let environment = read(r#"{"password": "hunter22"}"#).unwrap();
        let shown = format!("{environment:?}");
        assert!(
            shown.contains("password") && !shown.contains("hunter22"),
            "{shown}"
        );
    }
}
