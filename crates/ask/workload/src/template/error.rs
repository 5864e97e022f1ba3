//! What is wrong with a template, and what can go wrong when it is filled in.

use crate::protobuf::Number;
use crate::rules::did_you_mean;
use std::fmt;

/// A place in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position {
    /// Line of the text, counted from 1.
    pub line: usize,
    /// In characters, from 1.
    pub column: usize,
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

/// A template that means nothing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TemplateError {
    /// Opened and not closed.
    #[error(
        "the placeholder at {at} is not closed; close it with `}}}}`, or write `{{{{\"{{{{\"}}}}` where two braces are meant as they stand"
    )]
    Unclosed {
        /// Where it opens.
        at: Position,
    },
    /// Nothing between the braces.
    #[error(
        "the placeholder at {at} is empty; give a name, or write `{{{{\"{{{{\"}}}}` where two braces are meant as they stand"
    )]
    Empty {
        /// Where it opens.
        at: Position,
    },
    /// A quoted text that does not end, or with something after it.
    #[error(
        "the placeholder at {at} begins with a quote, so it has to be one quoted text: `{{{{\"text\"}}}}`"
    )]
    Quoted {
        /// Where it opens.
        at: Position,
    },
    /// A built-in value with something that it does not take.
    #[error("`{text}` at {at} is not understood; write {usage}")]
    Usage {
        /// As it was written.
        text: String,
        /// Where it opens.
        at: Position,
        /// How it is written.
        usage: &'static str,
    },
    /// A name that stands for nothing.
    #[error(
        "`{name}` at {at} is neither built in (counter, random, uuid, now), nor a column of a feed (`feed.column`), nor captured by an earlier step{}; write `{{{{\"{{{{\"}}}}` where two braces are meant as they stand",
        did_you_mean(nearest.as_deref())
    )]
    Unknown {
        /// As it was written.
        name: String,
        /// Where it opens.
        at: Position,
        /// The most similar name that there is.
        nearest: Option<String>,
    },
    /// The feed is there, the column is not.
    #[error(
        "`{name}` at {at}: the feed `{feed}` has no such column{}; it has {}",
        did_you_mean(nearest.as_deref()),
        columns.join(", ")
    )]
    Column {
        /// As it was written.
        name: String,
        /// Where it opens.
        at: Position,
        /// Name of the feed.
        feed: String,
        /// The columns that there are.
        columns: Vec<String>,
        /// The most similar of them.
        nearest: Option<String>,
    },
    /// Captured, but not yet when this step is sent.
    #[error(
        "`{name}` at {at} is captured only by the step `{step}`, whose answer comes after this request is sent; put that step first"
    )]
    Later {
        /// As it was written.
        name: String,
        /// Where it opens.
        at: Position,
        /// The step that captures it.
        step: String,
    },
}

/// A request that could not be made because of a value that was only known at run time. It is
/// counted under [`RenderFault::KIND`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RenderFault {
    /// Not captured, or no row was taken.
    #[error("`{name}` has no value in this scenario run; an earlier step did not capture it")]
    Missing {
        /// Name of the placeholder.
        name: String,
    },
    /// Holds a line break or another control character.
    #[error(
        "the value of `{name}` would break the header line in which it stands: `{value}`; take another value, or put it into the path or body"
    )]
    BreaksHeader {
        /// Name of the placeholder.
        name: String,
        /// The beginning of its value.
        value: String,
    },
    /// Not a number, or one that is too large.
    #[error(
        "`{value}` is filled in where the message has a number ({kind}); take a placeholder that gives one"
    )]
    NoNumber {
        /// What was filled in.
        value: String,
        /// What there has to be.
        kind: Number,
    },
    /// A raw value with white space, a control character, a fragment, or without its `/` at the
    /// beginning.
    #[error(
        "the value of `{name}` cannot stand in a path as it is: `{value}`; leave out `raw`, and it is percent-encoded"
    )]
    BreaksPath {
        /// Name of the placeholder.
        name: String,
        /// The beginning of its value.
        value: String,
    },
}

impl RenderFault {
    /// The name under which a request that could not be made is counted.
    pub const KIND: &str = "template";
}
