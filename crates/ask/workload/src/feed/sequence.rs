//! Which row of a file comes next. The order of a feed is a state machine that gives one row after
//! another. It runs in the thread that reads ahead.

use super::row::{BrokenRow, Row, Wanted};
use super::rows::Rows;
use crate::chance::Stream;
use crate::spec::FeedFormat;
use std::fs::File;
use std::path::PathBuf;
use std::sync::Arc;

/// This many unusable rows one after another end a feed, whatever its order.
const HOPELESS: u32 = 1_000;

/// What comes next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Next {
    Row(Row),
    /// A row that cannot be used: it is passed over and counted.
    Broken(BrokenRow),
    /// From the front again.
    Rewound,
    /// No more rows.
    End,
    /// The file can no longer be used, for this reason.
    Failed(String),
}

/// A file and the columns that are wanted of it.
#[derive(Debug, Clone)]
pub(crate) struct Sheet {
    pub path: PathBuf,
    pub format: FeedFormat,
    pub wanted: Wanted,
}

impl Sheet {
    fn open(&self) -> Result<Rows<File>, BrokenRow> {
        Rows::open(&self.path, &self.format)
    }
}

/// The rows of a feed in its order.
pub(crate) enum Sequence {
    Once(Pass),
    Cycle(Pass),
    Random(AnyRow),
}

impl Sequence {
    pub(crate) fn next(&mut self) -> Next {
        match self {
            Self::Once(pass) => pass.next().unwrap_or(Next::End),
            Self::Cycle(pass) => pass.next().unwrap_or_else(|| pass.rewind()),
            Self::Random(any) => any.next(),
        }
    }
}

/// From the front of a file to its end.
pub(crate) struct Pass {
    sheet: Sheet,
    rows: Option<Rows<File>>,
    has_rows: bool,
}

impl Pass {
    pub(crate) fn new(sheet: Sheet) -> Self {
        Self {
            sheet,
            rows: None,
            has_rows: false,
        }
    }

    fn next(&mut self) -> Option<Next> {
        let rows = match &mut self.rows {
            Some(rows) => rows,
            None => match self.sheet.open() {
                Ok(rows) => self.rows.insert(rows),
                Err(broken) => return Some(Next::Failed(broken.to_string())),
            },
        };
        rows.next(&self.sheet.wanted).map(|row| match row {
            Ok(row) => {
                self.has_rows = true;
                Next::Row(row)
            }
            Err(broken) => Next::Broken(broken),
        })
    }

    /// The file is opened anew, so that one that was replaced in the meantime is seen.
    fn rewind(&mut self) -> Next {
        if !self.has_rows {
            return Next::Failed("not one of its rows can be used any more".to_owned());
        }
        self.rows = None;
        self.has_rows = false;
        Next::Rewound
    }
}

/// Rows by chance.
pub(crate) struct AnyRow {
    sheet: Sheet,
    rows: Option<Rows<File>>,
    /// Where each row begins.
    offsets: Arc<[u64]>,
    stream: Stream,
    broken: u32,
}

impl AnyRow {
    pub(crate) fn new(sheet: Sheet, offsets: Arc<[u64]>, stream: Stream) -> Self {
        Self {
            sheet,
            rows: None,
            offsets,
            stream,
            broken: 0,
        }
    }

    fn next(&mut self) -> Next {
        let rows = match &mut self.rows {
            Some(rows) => rows,
            None => match self.sheet.open() {
                Ok(rows) => self.rows.insert(rows),
                Err(broken) => return Next::Failed(broken.to_string()),
            },
        };
        let Some(last) = self.offsets.len().checked_sub(1) else {
            return Next::Failed("it has no rows".to_owned());
        };
        let chosen = self.stream.up_to(last as u64) as usize;
        match rows.at(self.offsets[chosen], &self.sheet.wanted) {
            Ok(row) => {
                self.broken = 0;
                Next::Row(row)
            }
            Err(_) if self.broken >= HOPELESS => {
                Next::Failed("its rows are no longer where they were; was it changed?".to_owned())
            }
            Err(broken) => {
                self.broken += 1;
                Next::Broken(broken)
            }
        }
    }
}
