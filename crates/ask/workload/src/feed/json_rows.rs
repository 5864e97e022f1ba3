//! Rows of a file with one JSON object a line (JSON lines). Empty lines are no rows.

use super::row::{BrokenRow, MAX_ROW_BYTES, Row, RowProblem, Wanted};
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, Visitor};
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
        self.next_line().map(|read| {
            read.and_then(|()| row(self.text(), wanted))
                .map_err(|problem| BrokenRow {
                    line: self.number,
                    problem,
                })
        })
    }

    /// Adds the names of the next object that are not yet among these.
    pub(crate) fn next_names(&mut self, names: &mut Vec<String>) -> Option<Result<(), BrokenRow>> {
        self.next_line().map(|read| {
            read.and_then(|()| add_names(self.text(), names))
                .map_err(|problem| BrokenRow {
                    line: self.number,
                    problem,
                })
        })
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
    let mut values = vec![None; wanted.columns().len()];
    read_object(
        text,
        Object {
            wanted,
            values: &mut values,
        },
    )?;
    let values: Result<Vec<Box<str>>, RowProblem> = values
        .into_iter()
        .zip(wanted.columns())
        .map(|(value, column)| value.ok_or_else(|| RowProblem::Missing(column.name.clone())))
        .collect();
    values.map(Row::from)
}

fn add_names(text: &[u8], names: &mut Vec<String>) -> Result<(), RowProblem> {
    read_object(text, Names(names))
}

fn read_object<'de, S>(text: &'de [u8], seed: S) -> Result<(), RowProblem>
where
    S: DeserializeSeed<'de, Value = ()>,
{
    let text = str::from_utf8(text).map_err(|_| RowProblem::NotUtf8)?;
    let mut reader = serde_json::Deserializer::from_str(text);
    seed.deserialize(&mut reader)
        .and_then(|()| reader.end())
        .map_err(|error| RowProblem::NotAnObject(error.to_string()))
}

/// Takes the wanted values out of an object and passes over the others.
struct Object<'a> {
    wanted: &'a Wanted,
    values: &'a mut [Option<Box<str>>],
}

impl<'de> DeserializeSeed<'de> for Object<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Object<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON object")
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<(), M::Error> {
        while let Some(Text(key)) = map.next_key()? {
            let columns = self.wanted.columns();
            match columns.iter().position(|column| column.name == key) {
                Some(place) => self.values[place] = Some(text_of(map.next_value()?)),
                None => _ = map.next_value::<IgnoredAny>()?,
            }
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

/// Collects the names of an object.
struct Names<'a>(&'a mut Vec<String>);

impl<'de> DeserializeSeed<'de> for Names<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Names<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON object")
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<(), M::Error> {
        while let Some((Text(key), IgnoredAny)) = map.next_entry()? {
            if !self.0.iter().any(|name| *name == key) {
                self.0.push(key.into_owned());
            }
        }
        Ok(())
    }
}
