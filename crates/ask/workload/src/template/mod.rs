//! Text with placeholders.
//!
//! | placeholder | value |
//! |---|---|
//! | `{{counter}}` | number of the scenario run within the phase, from 1; the same in all its steps |
//! | `{{random 1 100}}` | a whole number between the two, both included |
//! | `{{uuid}}` | a version 4 UUID (RFC 9562) |
//! | `{{now}}`, `{{now ms}}` | milliseconds since 1970 |
//! | `{{now s}}`, `{{now iso}}` | seconds since 1970; `2026-11-22T10:00:00.000Z` |
//! | `{{feed.column}}` | from the row that the scenario run took of the feed |
//! | `{{name}}` | captured by an earlier step of the scenario |
//! | `{{raw name}}` | the same, inserted as it is |
//! | `{{"{{"}}` | what stands between the quotes, here two braces |
//!
//! Random values and UUIDs come from the seed: the same run of a scenario has the same ones each
//! time.
//!
//! A value never breaks what it stands in. In a path it is percent-encoded; in a header a value
//! with a line break is refused; in the body of a step whose `Content-Type` is JSON it is escaped
//! where it stands inside the quotes of a string, and inserted as it is outside of them (a number,
//! an object); in a form (`application/x-www-form-urlencoded`) it is percent-encoded; in any other
//! body it is inserted as it is. `raw` inserts it as it is everywhere, with one exception: what
//! would end the line of a path or header is refused all the same.
//!
//! Of three or more braces in a row the last two open the placeholder, so that the meaning of
//! `{"n":{{{n}}}}` is clear.

mod bound;
mod error;
mod insert;
mod parse;

pub(crate) use bound::{Bound, Place, Scope};
pub use error::{Position, RenderFault, TemplateError};
pub(crate) use insert::{BUILT_IN, Insert, Unknown};

use crate::rules::breaks_path;
use insert::Value;

/// A text that was taken apart, once, into what stays and what is filled in.
#[derive(Debug, Clone, PartialEq)]
pub struct Template {
    parts: Vec<Part>,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Part {
    Text(String),
    Value(Placeholder),
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Placeholder {
    value: Value,
    is_raw: bool,
    at: Position,
}

impl Template {
    /// Takes a text apart. Which names there are is not known here.
    ///
    /// # Errors
    /// When a placeholder is not closed, or a built-in one is written wrongly.
    pub fn parse(text: &str) -> Result<Self, TemplateError> {
        Ok(Self {
            parts: parse::parts(text)?,
        })
    }

    /// Escapes a text so that a template yields it unchanged.
    #[must_use]
    pub fn quote(text: &str) -> String {
        text.replace("{{", r#"{{"{{"}}"#)
    }

    /// The text, when there is nothing to fill in.
    #[must_use]
    pub fn as_text(&self) -> Option<&str> {
        match self.parts.as_slice() {
            [] => Some(""),
            [Part::Text(text)] => Some(text),
            _ => None,
        }
    }

    /// The names of columns and captured values that it wants, in order, with repetitions.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.parts.iter().filter_map(|part| match part {
            Part::Value(Placeholder {
                value: Value::Named(name),
                ..
            }) => Some(name.as_str()),
            _ => None,
        })
    }

    /// The texts between the placeholders.
    pub(crate) fn literals(&self) -> impl Iterator<Item = &str> {
        self.parts.iter().filter_map(|part| match part {
            Part::Text(text) => Some(text.as_str()),
            Part::Value(_) => None,
        })
    }

    /// Whether it may be the path of a request: it begins with `/`, or with a raw value that may,
    /// and the text between its placeholders contains nothing that would end the path.
    pub(crate) fn is_path(&self) -> bool {
        let begins_well = match self.parts.first() {
            None => false,
            Some(Part::Text(text)) => text.starts_with('/'),
            Some(Part::Value(placeholder)) => placeholder.is_raw,
        };
        begins_well && !self.literals().any(|text| text.contains(breaks_path))
    }
}

#[cfg(test)]
mod tests;
