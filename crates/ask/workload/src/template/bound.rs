//! A template whose names are resolved: how it is filled in for each request.

use super::error::{RenderFault, TemplateError};
use super::insert::{Insert, Unit, Unknown, Value};
use super::{Part, Placeholder, Template};
use crate::chance::Stream;
use crate::feed::Row;
use crate::rules::{breaks_line, breaks_path, excerpt};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use std::fmt::Write as _;

/// All but the unreserved characters (RFC 3986, 2.3), so that a value stays one segment, or one
/// value of a query.
const RESERVED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// What a template is part of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    Path,
    Header,
    JsonBody,
    FormBody,
    PlainBody,
}

/// What is known when a request is made.
pub(crate) struct Scope<'a> {
    pub counter: u64,
    pub stream: Stream,
    /// Nanoseconds since 1970.
    pub now: u64,
    /// The row in use of each feed, in the order of the feeds.
    pub rows: &'a [Option<Row>],
    pub captured: &'a [Option<String>],
}

/// A template, ready to be filled in without looking anything up.
#[derive(Debug, Clone)]
pub(crate) struct Bound {
    pieces: Box<[Piece]>,
    /// Bytes to reserve.
    size: usize,
}

#[derive(Debug, Clone)]
enum Piece {
    Text(Box<str>),
    Counter,
    Random { low: i64, high: i64 },
    Uuid,
    Now(Unit),
    Value(Variable),
}

/// A value that comes from outside.
#[derive(Debug, Clone)]
struct Variable {
    from: Insert,
    escape: Escape,
    /// Name in errors.
    name: Box<str>,
}

/// What is done to a value so that it does not break the text around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Escape {
    AsItIs,
    Percent,
    JsonString,
    /// Refused when it breaks a header line.
    HeaderLine,
    /// Refused when it breaks a path.
    RawPath {
        /// Whether the value begins the path, and so has to begin with `/`.
        is_first: bool,
    },
}

impl Bound {
    pub(crate) fn new(
        template: &Template,
        place: Place,
        mut look_up: impl FnMut(&str) -> Result<Insert, Unknown>,
    ) -> Result<Self, TemplateError> {
        let mut quotes = JsonQuotes::default();
        let mut pieces = Vec::with_capacity(template.parts.len());
        for (index, part) in template.parts.iter().enumerate() {
            pieces.push(match part {
                Part::Text(text) => {
                    quotes.pass(text);
                    Piece::Text(text.as_str().into())
                }
                Part::Value(Placeholder { value, is_raw, at }) => match value {
                    Value::Counter => Piece::Counter,
                    Value::Random { low, high } => Piece::Random {
                        low: *low,
                        high: *high,
                    },
                    Value::Uuid => Piece::Uuid,
                    Value::Now(unit) => Piece::Now(*unit),
                    Value::Named(name) => Piece::Value(Variable {
                        from: look_up(name).map_err(|unknown| unknown.at(name, *at))?,
                        escape: Escape::of(place, *is_raw, index == 0, quotes.inside),
                        name: name.as_str().into(),
                    }),
                },
            });
        }
        let size = pieces.iter().map(Piece::likely_size).sum();
        Ok(Self {
            pieces: pieces.into(),
            size,
        })
    }

    /// The text, when there is nothing to fill in.
    pub(crate) fn as_text(&self) -> Option<&str> {
        match &*self.pieces {
            [] => Some(""),
            [Piece::Text(text)] => Some(text),
            _ => None,
        }
    }

    pub(crate) fn render(&self, scope: &mut Scope<'_>) -> Result<String, RenderFault> {
        let mut text = String::with_capacity(self.size);
        for piece in &self.pieces {
            match piece {
                Piece::Text(literal) => text.push_str(literal),
                // Writing into a String does not fail.
                Piece::Counter => _ = write!(text, "{}", scope.counter),
                Piece::Random { low, high } => {
                    _ = write!(text, "{}", scope.stream.between(*low, *high));
                }
                Piece::Uuid => push_uuid(&mut text, &mut scope.stream),
                Piece::Now(unit) => unit.push(&mut text, scope.now),
                Piece::Value(variable) => variable.push(&mut text, scope)?,
            }
        }
        Ok(text)
    }
}

impl Piece {
    fn likely_size(&self) -> usize {
        match self {
            Self::Text(text) => text.len(),
            Self::Uuid => 36,
            Self::Now(Unit::Iso) => 24,
            _ => 16,
        }
    }
}

impl Variable {
    fn push(&self, text: &mut String, scope: &Scope<'_>) -> Result<(), RenderFault> {
        let value = self.from.value(scope).ok_or_else(|| RenderFault::Missing {
            name: self.name.to_string(),
        })?;
        match self.escape {
            Escape::AsItIs => text.push_str(value),
            Escape::Percent => text.extend(utf8_percent_encode(value, RESERVED)),
            Escape::JsonString => push_json_string_content(text, value),
            Escape::HeaderLine => {
                if value.contains(breaks_line) {
                    return Err(RenderFault::BreaksHeader {
                        name: self.name.to_string(),
                        value: excerpt(value.as_bytes(), 40),
                    });
                }
                text.push_str(value);
            }
            Escape::RawPath { is_first } => {
                if value.contains(breaks_path) || is_first && !value.starts_with('/') {
                    return Err(RenderFault::BreaksPath {
                        name: self.name.to_string(),
                        value: excerpt(value.as_bytes(), 40),
                    });
                }
                text.push_str(value);
            }
        }
        Ok(())
    }
}

impl Insert {
    fn value<'a>(self, scope: &Scope<'a>) -> Option<&'a str> {
        match self {
            Self::Column { feed, column } => scope.rows.get(feed)?.as_ref()?.get(column),
            Self::Captured(slot) => scope.captured.get(slot)?.as_deref(),
        }
    }
}

impl Escape {
    fn of(place: Place, is_raw: bool, is_first: bool, is_quoted: bool) -> Self {
        match place {
            Place::Path if is_raw => Self::RawPath { is_first },
            Place::Header => Self::HeaderLine,
            _ if is_raw => Self::AsItIs,
            Place::Path | Place::FormBody => Self::Percent,
            Place::JsonBody if is_quoted => Self::JsonString,
            Place::JsonBody | Place::PlainBody => Self::AsItIs,
        }
    }
}

impl Unit {
    fn push(self, text: &mut String, now: u64) {
        _ = match self {
            Self::Milliseconds => write!(text, "{}", now / 1_000_000),
            Self::Seconds => write!(text, "{}", now / 1_000_000_000),
            Self::Iso => match jiff::Timestamp::from_nanosecond(i128::from(now)) {
                Ok(time) => write!(text, "{time:.3}"),
                // 2554, the last instant of a u64, is far from the end of jiff's years.
                Err(_) => Ok(()),
            },
        };
    }
}

fn push_uuid(text: &mut String, stream: &mut Stream) {
    let bytes = (u128::from(stream.next()) << 64 | u128::from(stream.next())).to_be_bytes();
    let uuid = uuid::Builder::from_random_bytes(bytes).into_uuid();
    let mut buffer = uuid::Uuid::encode_buffer();
    text.push_str(uuid.hyphenated().encode_lower(&mut buffer));
}

/// The content of a JSON string (RFC 8259, 7), without the quotes around it.
fn push_json_string_content(text: &mut String, value: &str) {
    for c in value.chars() {
        match c {
            '"' => text.push_str("\\\""),
            '\\' => text.push_str("\\\\"),
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            '\t' => text.push_str("\\t"),
            c if c < ' ' => _ = write!(text, "\\u{:04x}", u32::from(c)),
            c => text.push(c),
        }
    }
}

/// Tracks whether a position in a JSON text is inside a string.
#[derive(Debug, Default)]
struct JsonQuotes {
    inside: bool,
    escaped: bool,
}

impl JsonQuotes {
    fn pass(&mut self, text: &str) {
        // A backslash before a placeholder escapes the first character of the placeholder.
        self.escaped = false;
        for byte in text.bytes() {
            match byte {
                _ if self.escaped => self.escaped = false,
                b'\\' if self.inside => self.escaped = true,
                b'"' => self.inside = !self.inside,
                _ => {}
            }
        }
    }
}

impl Unknown {
    fn at(self, name: &str, at: super::Position) -> TemplateError {
        let name = name.to_owned();
        match self {
            Self::Name { nearest } => TemplateError::Unknown { name, at, nearest },
            Self::Column {
                feed,
                columns,
                nearest,
            } => TemplateError::Column {
                name,
                at,
                feed,
                columns,
                nearest,
            },
            Self::Later { step } => TemplateError::Later { name, at, step },
        }
    }
}
