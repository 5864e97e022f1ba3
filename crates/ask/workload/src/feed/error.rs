//! Feeds that cannot be used.

use super::row::BrokenRow;
use std::io;
use std::path::PathBuf;

/// A feed that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum FeedError {
    /// Templates could not tell what is meant.
    #[error(
        "a feed is named `{name}`; give it a name of letters, digits, `-` and `_` that is not built in (counter, random, uuid, now, raw)"
    )]
    Name {
        /// As it was given.
        name: String,
    },
    /// Two of the same name.
    #[error("two feeds are named `{name}`; rename one of them")]
    Twice {
        /// The name that both have.
        name: String,
    },
    /// Not there, or not ours to read.
    #[error("feed `{feed}`: {} cannot be opened: {source}", path.display())]
    Open {
        /// Name of the feed.
        feed: String,
        /// Where it was looked for.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A pipe, a folder, a device.
    #[error(
        "feed `{feed}`: {} is no regular file; rows are read more than once, so write them to a file first",
        path.display()
    )]
    NotAFile {
        /// Name of the feed.
        feed: String,
        /// Where it is.
        path: PathBuf,
    },
    /// Nothing in it.
    #[error("feed `{feed}`: {} has no rows", path.display())]
    NoRows {
        /// Name of the feed.
        feed: String,
        /// Where it is.
        path: PathBuf,
    },
    /// More than can be held in memory for a random order.
    #[error(
        "feed `{feed}`: {} has more than {most} rows, too many for a random order; take them in the order of the file, or split it",
        path.display()
    )]
    TooManyRows {
        /// Name of the feed.
        feed: String,
        /// Where it is.
        path: PathBuf,
        /// The most that can be.
        most: usize,
    },
    /// A row that cannot be used.
    #[error("feed `{feed}`: {}, {row}", path.display())]
    Row {
        /// Name of the feed.
        feed: String,
        /// Where it is.
        path: PathBuf,
        /// Where the row stands, and what is wrong with it.
        row: BrokenRow,
    },
    /// Templates could not tell which of them is meant.
    #[error(
        "feed `{feed}`: two columns are named `{column}`; rename one of them, or give `columns`"
    )]
    ColumnTwice {
        /// Name of the feed.
        feed: String,
        /// The name that both columns have.
        column: String,
    },
    /// A delimiter that means something else.
    #[error("feed `{feed}`: a quote or a line end cannot be the delimiter; use `,`, `;` or a tab")]
    Delimiter {
        /// Name of the feed.
        feed: String,
    },
    /// No thread to be had.
    #[error("feed `{feed}`: the thread that reads it cannot be started: {source}")]
    Thread {
        /// Name of the feed.
        feed: String,
        /// What the system says.
        source: io::Error,
    },
}
