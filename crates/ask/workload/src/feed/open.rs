//! Opening a feed before the clock starts: what its columns are, whether its rows can be read, and,
//! for a random order, where they begin.

use super::error::FeedError;
use super::json_rows::JsonRows;
use super::row::{BrokenRow, Wanted};
use super::rows::Rows;
use super::sequence::Sheet;
use crate::spec;
use crate::template::{BUILT_IN, Insert, Unknown};
use std::collections::HashSet;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Rows that are checked when a feed is opened. So a mistake in the format is reported at once, and
/// a file of any size opens quickly.
const LOOKED_AT: usize = 1_000;
/// For a random order where every row begins is kept: 400 MB.
const MOST_OFFSETS: usize = 50_000_000;

/// A feed whose columns are known, and of which templates say what they want.
#[derive(Debug)]
pub(crate) struct Opened {
    pub name: String,
    pub order: spec::FeedOrder,
    pub sheet: Sheet,
    pub offsets: Option<Arc<[u64]>>,
    columns: Vec<String>,
}

impl Opened {
    pub(crate) fn new(feed: &spec::Feed, base_dir: &Path) -> Result<Self, FeedError> {
        Opening {
            feed,
            path: base_dir.join(&feed.path),
        }
        .open()
    }

    /// Where a column stands in the rows, which have it from now on.
    pub(crate) fn want(&mut self, index: usize, column: &str) -> Result<Insert, Unknown> {
        match self.columns.iter().position(|name| name == column) {
            Some(place) => Ok(Insert::Column {
                feed: index,
                column: self.sheet.wanted.want(column, place),
            }),
            None => Err(Unknown::Column {
                feed: self.name.clone(),
                columns: self.columns.clone(),
                nearest: crate::rules::nearest(column, self.columns.iter().map(String::as_str)),
            }),
        }
    }

    /// `feed.column` for each column.
    pub(crate) fn full_names(&self) -> impl Iterator<Item = String> {
        self.columns
            .iter()
            .map(|column| format!("{}.{column}", self.name))
    }

    /// Looks at the first rows with the columns that templates want; for a random order at all
    /// rows, and keeps where they begin.
    pub(crate) fn survey(&mut self) -> Result<(), FeedError> {
        if self.sheet.wanted.is_empty() {
            return Ok(());
        }
        if self.order == spec::FeedOrder::Random {
            self.offsets = Some(self.offsets_up_to(MOST_OFFSETS)?.into());
            return Ok(());
        }
        self.each_row(LOOKED_AT, |_| {})
    }

    fn offsets_up_to(&self, most: usize) -> Result<Vec<u64>, FeedError> {
        let mut offsets = Vec::new();
        self.each_row(most + 1, |offset| offsets.push(offset))?;
        if offsets.len() > most {
            return Err(FeedError::TooManyRows {
                feed: self.name.clone(),
                path: self.sheet.path.clone(),
                most,
            });
        }
        Ok(offsets)
    }

    fn each_row(&self, limit: usize, mut visit: impl FnMut(u64)) -> Result<(), FeedError> {
        let broken = |row| FeedError::Row {
            feed: self.name.clone(),
            path: self.sheet.path.clone(),
            row,
        };
        let mut rows = Rows::open(&self.sheet.path, &self.sheet.format).map_err(broken)?;
        for _ in 0..limit {
            match rows.next(&self.sheet.wanted) {
                Some(Ok(_)) => visit(rows.offset()),
                Some(Err(row)) => return Err(broken(row)),
                None => break,
            }
        }
        Ok(())
    }
}

struct Opening<'a> {
    feed: &'a spec::Feed,
    path: PathBuf,
}

impl Opening<'_> {
    fn open(self) -> Result<Opened, FeedError> {
        self.check_name()?;
        self.check_delimiter()?;
        let source = self.open_file()?;
        let columns = self.columns(source)?;
        self.check_columns(&columns)?;
        Ok(Opened {
            name: self.feed.name.clone(),
            order: self.feed.order,
            sheet: Sheet {
                path: self.path,
                format: self.feed.format.clone(),
                wanted: Wanted::default(),
            },
            offsets: None,
            columns,
        })
    }

    fn name(&self) -> String {
        self.feed.name.clone()
    }

    fn check_name(&self) -> Result<(), FeedError> {
        let name = self.feed.name.as_str();
        let is_word = name
            .chars()
            .all(|c| c.is_alphanumeric() || c == '-' || c == '_');
        if name.is_empty() || !is_word || BUILT_IN.contains(&name) {
            return Err(FeedError::Name { name: self.name() });
        }
        Ok(())
    }

    fn check_delimiter(&self) -> Result<(), FeedError> {
        match self.feed.format {
            spec::FeedFormat::Csv {
                delimiter: b'"' | b'\r' | b'\n',
                ..
            } => Err(FeedError::Delimiter { feed: self.name() }),
            _ => Ok(()),
        }
    }

    fn open_file(&self) -> Result<File, FeedError> {
        let cannot = |source| FeedError::Open {
            feed: self.name(),
            path: self.path.clone(),
            source,
        };
        // Without waiting: a pipe would wait for its writer.
        let about = std::fs::metadata(&self.path).map_err(cannot)?;
        if !about.is_file() {
            return Err(FeedError::NotAFile {
                feed: self.name(),
                path: self.path.clone(),
            });
        }
        tacho_files::input::open(&self.path).map_err(cannot)
    }

    /// Names of the columns; of JSON objects all that the first rows have.
    fn columns(&self, source: File) -> Result<Vec<String>, FeedError> {
        let broken = |row: BrokenRow| FeedError::Row {
            feed: self.name(),
            path: self.path.clone(),
            row,
        };
        let mut names = Vec::new();
        let mut has_rows = false;
        if let spec::FeedFormat::JsonLines = self.feed.format {
            let mut rows = JsonRows::new(source);
            for _ in 0..LOOKED_AT {
                match rows.next_names(&mut names) {
                    Some(row) => row.map_err(broken)?,
                    None => break,
                }
                has_rows = true;
            }
        } else {
            let mut rows = Rows::new(source, &self.feed.format).map_err(broken)?;
            if let Some(row) = rows.next(&Wanted::default()) {
                row.map_err(broken)?;
                has_rows = true;
            }
            if let Rows::Csv(rows) = rows {
                names = rows.columns().to_vec();
            }
        }
        if !has_rows {
            return Err(FeedError::NoRows {
                feed: self.name(),
                path: self.path.clone(),
            });
        }
        Ok(names)
    }

    fn check_columns(&self, columns: &[String]) -> Result<(), FeedError> {
        let mut seen = HashSet::new();
        // Columns without a name cannot be referred to, so they may be as many as they like.
        let twice = columns
            .iter()
            .find(|name| !name.is_empty() && !seen.insert(name.as_str()));
        match twice {
            Some(column) => Err(FeedError::ColumnTwice {
                feed: self.name(),
                column: column.clone(),
            }),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_random_order_keeps_no_more_rows_than_its_bound() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a.csv"), "a\n1\n2\n3\n").unwrap();
        let feed = spec::Feed {
            name: "rows".to_owned(),
            path: "a.csv".into(),
            format: spec::FeedFormat::Csv {
                delimiter: b',',
                columns: None,
            },
            order: spec::FeedOrder::Random,
        };
        let mut opened = Opened::new(&feed, folder.path()).unwrap();
        opened.want(0, "a").unwrap();
        assert_eq!(opened.offsets_up_to(3).unwrap().len(), 3);
        let error = opened.offsets_up_to(2).unwrap_err().to_string();
        assert!(error.contains("more than 2 rows"), "{error}");
    }
}
