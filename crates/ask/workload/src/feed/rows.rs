//! Rows of a feed, however they are written.

use super::csv_rows::CsvRows;
use super::json_rows::JsonRows;
use super::row::{BrokenRow, Row, Wanted};
use crate::spec::FeedFormat;
use std::fs::File;
use std::io::{self, Read, Seek};
use std::path::Path;

/// Reads rows one after another, or any row whose beginning is known.
pub(crate) enum Rows<R> {
    /// Its parser has tables of its own.
    Csv(Box<CsvRows<R>>),
    JsonLines(JsonRows<R>),
}

impl Rows<File> {
    /// From the front of a file.
    pub(crate) fn open(path: &Path, format: &FeedFormat) -> Result<Self, BrokenRow> {
        let source = tacho_files::input::open(path).map_err(|error| BrokenRow::io(&error))?;
        Self::new(source, format)
    }
}

impl<R: Read> Rows<R> {
    /// From the front.
    pub(crate) fn new(source: R, format: &FeedFormat) -> Result<Self, BrokenRow> {
        Ok(match format {
            FeedFormat::Csv { delimiter, columns } => Self::Csv(Box::new(CsvRows::new(
                source,
                *delimiter,
                columns.as_deref(),
            )?)),
            FeedFormat::JsonLines => Self::JsonLines(JsonRows::new(source)),
        })
    }

    pub(crate) fn next(&mut self, wanted: &Wanted) -> Option<Result<Row, BrokenRow>> {
        match self {
            Self::Csv(rows) => rows.next(wanted),
            Self::JsonLines(rows) => rows.next(wanted),
        }
    }

    /// Where the row begins that was read last.
    pub(crate) fn offset(&self) -> u64 {
        match self {
            Self::Csv(rows) => rows.offset(),
            Self::JsonLines(rows) => rows.offset(),
        }
    }
}

impl<R: Read + Seek> Rows<R> {
    /// Reads the row that begins there.
    pub(crate) fn at(&mut self, offset: u64, wanted: &Wanted) -> Result<Row, BrokenRow> {
        match self {
            Self::Csv(rows) => rows.at(offset, wanted),
            Self::JsonLines(rows) => rows.at(offset, wanted),
        }
    }
}

impl BrokenRow {
    pub(crate) fn io(error: &io::Error) -> Self {
        Self {
            line: 0,
            problem: super::row::RowProblem::Io(error.to_string()),
        }
    }
}

/// The rows in `bytes`, and those that are broken. For tests and fuzzers: whatever the bytes are,
/// it ends and does not panic.
#[must_use]
pub fn read_rows(
    bytes: &[u8],
    format: &FeedFormat,
    columns: &[String],
) -> (Vec<Row>, Vec<BrokenRow>) {
    let mut good = Vec::new();
    let mut broken = Vec::new();
    let wanted = Wanted::all(columns);
    match Rows::new(bytes, format) {
        Ok(mut rows) => {
            while let Some(row) = rows.next(&wanted) {
                match row {
                    Ok(row) => good.push(row),
                    Err(row) => broken.push(row),
                }
            }
        }
        Err(row) => broken.push(row),
    }
    (good, broken)
}
