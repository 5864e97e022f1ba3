//! Rows of a file with one JSON object a line (JSON lines). Empty lines are no rows.

use super::row::{BrokenRow, MAX_ROW_BYTES, Row, RowProblem, Wanted};
use serde::Deserializer as _;
use serde::de::{MapAccess, Visitor};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::fmt;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};

const BOM: &[u8] = b"\xef\xbb\xbf";

/// Reads one row after another.
pub(crate) struct JsonRows<R> {
    reader: BufReader<R>,
    line: Vec<u8>,
    /// Of the line that was read last, from 1.
    number: u64,
    /// Where it begins.
    offset: u64,
    /// Where the next one begins.
    next: u64,
    is_over: bool,
}

impl<R: Read> JsonRows<R> {
    pub(crate) fn new(source: R) -> Self {
        Self {
            reader: BufReader::new(source),
            line: Vec::new(),
            number: 0,
            offset: 0,
            next: 0,
            is_over: false,
        }
    }

    /// Where the row begins that was read last.
    pub(crate) fn offset(&self) -> u64 {
        self.offset
    }

    pub(crate) fn next(&mut self, wanted: &Wanted) -> Option<Result<Row, BrokenRow>> {
        self.next_as(|text| row(text, wanted))
    }

    /// Adds the names of the next object that are not yet among these.
    pub(crate) fn next_names(&mut self, names: &mut Vec<String>) -> Option<Result<(), BrokenRow>> {
        self.next_as(|text| {
            read_object(text, |key, _| {
                if !names.iter().any(|name| *name == key) {
                    names.push(key.into_owned());
                }
            })
        })
    }

    /// What is read of the text of the next line that is not empty.
    fn next_as<T>(
        &mut self,
        read: impl FnOnce(&[u8]) -> Result<T, RowProblem>,
    ) -> Option<Result<T, BrokenRow>> {
        let found = self.next_line()?.and_then(|()| read(self.text()));
        Some(found.map_err(|problem| BrokenRow {
            line: self.number,
            problem,
        }))
    }

    fn text(&self) -> &[u8] {
        let line = self.line.trim_ascii();
        line.strip_prefix(BOM).unwrap_or(line)
    }

    /// Moves to the next line that is not empty.
    fn next_line(&mut self) -> Option<Result<(), RowProblem>> {
        while !self.is_over {
            match self.read_line() {
                Ok(0) => self.is_over = true,
                Ok(_) if self.line.len() > MAX_ROW_BYTES => return Some(Err(RowProblem::TooLong)),
                Ok(_) if self.text().is_empty() => {}
                Ok(_) => return Some(Ok(())),
                Err(error) => {
                    self.is_over = true;
                    return Some(Err(RowProblem::Io(error.to_string())));
                }
            }
        }
        None
    }

    /// Reads to the next line end, and keeps no more than a row may have.
    fn read_line(&mut self) -> io::Result<usize> {
        self.line.clear();
        self.offset = self.next;
        let mut total = 0;
        loop {
            let chunk = match self.reader.fill_buf() {
                Ok(chunk) => chunk,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            let end = chunk.iter().position(|&byte| byte == b'\n');
            let length = end.map_or(chunk.len(), |end| end + 1);
            let room = (MAX_ROW_BYTES + 1).saturating_sub(self.line.len());
            self.line.extend_from_slice(&chunk[..length.min(room)]);
            self.reader.consume(length);
            total += length;
            self.next += length as u64;
            if end.is_some() || length == 0 {
                self.number += u64::from(total > 0);
                return Ok(total);
            }
        }
    }
}

impl<R: Read + Seek> JsonRows<R> {
    /// Reads the row that begins there.
    pub(crate) fn at(&mut self, offset: u64, wanted: &Wanted) -> Result<Row, BrokenRow> {
        let broken = |problem| BrokenRow { line: 0, problem };
        self.is_over = false;
        self.reader
            .seek(SeekFrom::Start(offset))
            .map_err(|error| broken(RowProblem::Io(error.to_string())))?;
        let row = self.next(wanted);
        row.unwrap_or_else(|| Err(broken(RowProblem::shorter())))
            .map_err(|found| broken(found.problem))
    }
}

fn row(text: &[u8], wanted: &Wanted) -> Result<Row, RowProblem> {
    let columns = wanted.columns();
    let mut values = vec![None; columns.len()];
    read_object(text, |key, value| {
        if let Some(place) = columns.iter().position(|column| column.name == key) {
            values[place] = Some(text_of(value));
        }
    })?;
    let values: Result<Vec<Box<str>>, RowProblem> = values
        .into_iter()
        .zip(columns)
        .map(|(value, column)| value.ok_or_else(|| RowProblem::Missing(column.name.clone())))
        .collect();
    values.map(Row::from)
}

/// Gives each name of an object with its value, as that is written, to `take`.
fn read_object(text: &[u8], take: impl FnMut(Cow<'_, str>, &RawValue)) -> Result<(), RowProblem> {
    let text = str::from_utf8(text).map_err(|_| RowProblem::NotUtf8)?;
    let mut reader = serde_json::Deserializer::from_str(text);
    reader
        .deserialize_map(Entries(take))
        .and_then(|()| reader.end())
        .map_err(|error| RowProblem::NotAnObject(error.to_string()))
}

struct Entries<F>(F);

impl<'de, F: FnMut(Cow<'de, str>, &'de RawValue)> Visitor<'de> for Entries<F> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON object")
    }

    fn visit_map<M: MapAccess<'de>>(mut self, mut map: M) -> Result<(), M::Error> {
        while let Some((Text(key), value)) = map.next_entry()? {
            (self.0)(key, value);
        }
        Ok(())
    }
}

/// A string without its quotes; anything else as it is written, so that no digit of a number is
/// lost.
fn text_of(value: &RawValue) -> Box<str> {
    match serde_json::from_str::<Text<'_>>(value.get()) {
        Ok(Text(text)) => text.into(),
        Err(_) => value.get().into(),
    }
}

/// A string that is copied only when it holds escapes.
#[derive(serde::Deserialize)]
struct Text<'a>(#[serde(borrow)] Cow<'a, str>);
