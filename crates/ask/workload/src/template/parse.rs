//! From text to parts.

use super::error::{Position, TemplateError};
use super::insert::{Unit, Value};
use super::{Part, Placeholder};

pub(super) fn parts(text: &str) -> Result<Vec<Part>, TemplateError> {
    let mut reader = Reader {
        rest: text,
        at: Position { line: 1, column: 1 },
    };
    let mut parts = Vec::new();
    while let Some(opening) = find_opening(reader.rest) {
        push_text(&mut parts, reader.take(opening));
        let at = reader.at;
        reader.take(2);
        if reader.rest.trim_start().starts_with('"') {
            let text = reader.quoted().ok_or(TemplateError::Quoted { at })?;
            push_text(&mut parts, text);
        } else {
            let inner = reader.inner().ok_or(TemplateError::Unclosed { at })?;
            parts.push(Part::Value(placeholder(inner, at)?));
        }
    }
    push_text(&mut parts, reader.rest);
    Ok(parts)
}

/// Of three or more braces in a row the last two open the placeholder.
fn find_opening(text: &str) -> Option<usize> {
    let first = text.find("{{")?;
    let more = text[first + 2..]
        .bytes()
        .take_while(|&byte| byte == b'{')
        .count();
    Some(first + more)
}

fn push_text(parts: &mut Vec<Part>, text: &str) {
    if text.is_empty() {
        return;
    }
    if let Some(Part::Text(before)) = parts.last_mut() {
        before.push_str(text);
    } else {
        parts.push(Part::Text(text.to_owned()));
    }
}

/// Reads through a text and keeps track of the position.
struct Reader<'a> {
    rest: &'a str,
    at: Position,
}

impl<'a> Reader<'a> {
    fn take(&mut self, bytes: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(bytes);
        for c in taken.chars() {
            if c == '\n' {
                self.at.line += 1;
                self.at.column = 1;
            } else {
                self.at.column += 1;
            }
        }
        self.rest = rest;
        taken
    }

    /// What stands between here and the closing braces.
    fn inner(&mut self) -> Option<&'a str> {
        let end = self.rest.find("}}")?;
        let inner = self.rest[..end].trim();
        // These closing braces belong to a later placeholder.
        if inner.contains("{{") {
            return None;
        }
        self.take(end + 2);
        Some(inner)
    }

    /// What stands between the quotes that make up all of the placeholder.
    fn quoted(&mut self) -> Option<&'a str> {
        let before = self.rest.len() - self.rest.trim_start().len();
        let text = &self.rest[before + 1..];
        let end = text.find('"')?;
        let tail = &text[end + 1..];
        let after = tail.len() - tail.trim_start().len();
        if !tail[after..].starts_with("}}") {
            return None;
        }
        self.take(before + 1 + end + 1 + after + 2);
        Some(&text[..end])
    }
}

fn placeholder(text: &str, at: Position) -> Result<Placeholder, TemplateError> {
    if text.is_empty() {
        return Err(TemplateError::Empty { at });
    }
    let (is_raw, inner) = match text.split_once(char::is_whitespace) {
        Some(("raw", rest)) => (true, rest.trim_start()),
        _ => (false, text),
    };
    let value = value(inner).map_err(|usage| TemplateError::Usage {
        text: text.to_owned(),
        at,
        usage,
    })?;
    Ok(Placeholder { value, is_raw, at })
}

fn value(text: &str) -> Result<Value, &'static str> {
    let words: Vec<&str> = text.split_whitespace().collect();
    match words.as_slice() {
        ["counter"] => Ok(Value::Counter),
        ["counter", ..] => Err("`{{counter}}` and nothing after it"),
        ["uuid"] => Ok(Value::Uuid),
        ["uuid", ..] => Err("`{{uuid}}` and nothing after it"),
        ["now"] | ["now", "ms"] => Ok(Value::Now(Unit::Milliseconds)),
        ["now", "s"] => Ok(Value::Now(Unit::Seconds)),
        ["now", "iso"] => Ok(Value::Now(Unit::Iso)),
        ["now", ..] => Err("`{{now}}` (milliseconds), `{{now s}}` or `{{now iso}}`"),
        ["random", low, high] => random(low, high).ok_or(RANDOM),
        ["random", ..] => Err(RANDOM),
        ["raw"] => Err("the name of a value after `raw`: `{{raw name}}`"),
        _ => Ok(Value::Named(text.to_owned())),
    }
}

const RANDOM: &str = "`{{random 1 100}}` with two whole numbers, the lower one first";

fn random(low: &str, high: &str) -> Option<Value> {
    let (low, high) = (low.parse().ok()?, high.parse().ok()?);
    (low <= high).then_some(Value::Random { low, high })
}
