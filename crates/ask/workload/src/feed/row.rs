//! A row of a feed: the columns that templates want, and no others.

/// The most bytes of a row. A longer row is a mistake (a quote that is never closed, a file without
/// line ends), and would fill the memory.
pub const MAX_ROW_BYTES: usize = 1 << 20;

/// Values of the wanted columns, in the order in which they are wanted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row(Box<[Box<str>]>);

impl Row {
    #[cfg(test)]
    pub(crate) fn new<'a>(values: impl IntoIterator<Item = &'a str>) -> Self {
        Self(values.into_iter().map(Into::into).collect())
    }

    /// By its place among the wanted columns.
    #[must_use]
    pub fn get(&self, column: usize) -> Option<&str> {
        self.0.get(column).map(|value| &**value)
    }

    /// Bytes that it holds.
    pub(crate) fn size(&self) -> usize {
        self.0.iter().map(|value| value.len() + 16).sum()
    }
}

impl From<Vec<Box<str>>> for Row {
    fn from(values: Vec<Box<str>>) -> Self {
        Self(values.into())
    }
}

/// The columns that templates want, in the order of a [`Row`].
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Wanted {
    columns: Vec<Column>,
}

/// One of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Column {
    pub name: String,
    /// Where it stands in a CSV row.
    pub place: usize,
}

impl Wanted {
    /// All of these.
    #[must_use]
    pub fn all(names: &[String]) -> Self {
        let mut wanted = Self::default();
        for (place, name) in names.iter().enumerate() {
            wanted.want(name, place);
        }
        wanted
    }

    /// Adds one unless it is there. Returns its place in the row.
    pub(crate) fn want(&mut self, name: &str, place: usize) -> usize {
        let known = self.columns.iter().position(|column| column.name == name);
        known.unwrap_or_else(|| {
            self.columns.push(Column {
                name: name.to_owned(),
                place,
            });
            self.columns.len() - 1
        })
    }

    pub(crate) fn columns(&self) -> &[Column] {
        &self.columns
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.columns.is_empty()
    }
}

/// A row that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct BrokenRow {
    /// Line of the file on which it begins, from 1; 0 when it is not known.
    pub line: u64,
    /// What is wrong with it.
    pub problem: RowProblem,
}

/// What is wrong with a row.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RowProblem {
    /// Too few or too many columns.
    #[error("{found} columns instead of {expected}; quote values that hold the delimiter")]
    Width {
        /// As many as there are names.
        expected: usize,
        /// As many as there are values.
        found: usize,
    },
    /// Its bytes are not UTF-8.
    #[error("not UTF-8; convert the file")]
    NotUtf8,
    /// More bytes than [`MAX_ROW_BYTES`].
    #[error("longer than {} KiB; is a quote not closed?", MAX_ROW_BYTES / 1024)]
    TooLong,
    /// Not a JSON object.
    #[error("no JSON object: {0}")]
    NotAnObject(String),
    /// A wanted column is not there.
    #[error("`{0}` is missing")]
    Missing(String),
    /// The file could not be read any further.
    #[error("cannot be read: {0}")]
    Io(String),
}

impl RowProblem {
    pub(crate) fn shorter() -> Self {
        Self::Io("the file has become shorter".to_owned())
    }
}
