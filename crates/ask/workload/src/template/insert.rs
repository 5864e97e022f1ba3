//! What a placeholder stands for.

/// A placeholder as it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Value {
    Counter,
    Random { low: i64, high: i64 },
    Uuid,
    Now(Unit),
    Named(String),
}

/// How a time is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unit {
    Milliseconds,
    Seconds,
    Iso,
}

/// Where the value of a name comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Insert {
    /// The row of a feed, by its place in the list, and the place of the column in the row.
    Column { feed: usize, column: usize },
    /// A captured value, by its place in the scenario.
    Captured(usize),
}

/// A name that stands for nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Unknown {
    /// Neither built in, nor a column, nor captured.
    Name { nearest: Option<String> },
    /// The feed is there, the column is not.
    Column {
        feed: String,
        columns: Vec<String>,
        nearest: Option<String>,
    },
    /// Captured, but not yet when this step is sent.
    Later { step: String },
}

/// Words that a captured value or a feed cannot have as its name.
pub(crate) const BUILT_IN: [&str; 5] = ["counter", "random", "uuid", "now", "raw"];
