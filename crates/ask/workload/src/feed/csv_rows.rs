//! Rows of a CSV file (RFC 4180), read by `csv-core`, the parser below the `csv` crate. Used
//! directly, it lets us bound the memory, and tells the exact line on which a row begins.

use super::row::{BrokenRow, MAX_ROW_BYTES, Row, RowProblem, Wanted};
use csv_core::ReadRecordResult;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};

/// Reads one row after another. After a row without an end, no more rows follow.
pub(crate) struct CsvRows<R> {
    source: BufReader<R>,
    parser: csv_core::Reader,
    columns: Vec<String>,
    record: Record,
    here: Place,
    is_over: bool,
}

/// The values of the row that was read last, one after the other.
#[derive(Default)]
struct Record {
    text: Vec<u8>,
    /// Where each value ends.
    ends: Vec<usize>,
    /// How many values there are.
    width: usize,
    begin: Place,
}

/// A place in the file.
#[derive(Debug, Clone, Copy)]
struct Place {
    offset: u64,
    /// Counted from 1.
    line: u64,
}

impl Default for Place {
    fn default() -> Self {
        Self { offset: 0, line: 1 }
    }
}

impl<R: Read> CsvRows<R> {
    /// Begins to read; the names come from the first line unless they are given.
    pub(crate) fn new(
        source: R,
        delimiter: u8,
        columns: Option<&[String]>,
    ) -> Result<Self, BrokenRow> {
        let mut rows = Self {
            source: BufReader::new(source),
            parser: csv_core::ReaderBuilder::new().delimiter(delimiter).build(),
            columns: Vec::new(),
            record: Record::default(),
            here: Place::default(),
            is_over: false,
        };
        rows.columns = match columns {
            Some(columns) => columns.to_vec(),
            None => rows.names()?,
        };
        Ok(rows)
    }

    fn names(&mut self) -> Result<Vec<String>, BrokenRow> {
        if !self.read_record()? {
            return Ok(Vec::new());
        }
        let names = self.record.values().map(|name| {
            let name = str::from_utf8(name).map_err(|_| self.broken(RowProblem::NotUtf8))?;
            Ok(name.trim().to_owned())
        });
        names.collect()
    }

    pub(crate) fn columns(&self) -> &[String] {
        &self.columns
    }

    /// Where the row begins that was read last.
    pub(crate) fn offset(&self) -> u64 {
        self.record.begin.offset
    }

    pub(crate) fn next(&mut self, wanted: &Wanted) -> Option<Result<Row, BrokenRow>> {
        match self.read_record() {
            Ok(false) => None,
            Ok(true) => Some(self.row(wanted).map_err(|problem| self.broken(problem))),
            Err(broken) => Some(Err(broken)),
        }
    }

    fn row(&self, wanted: &Wanted) -> Result<Row, RowProblem> {
        if self.record.width != self.columns.len() {
            return Err(RowProblem::Width {
                expected: self.columns.len(),
                found: self.record.width,
            });
        }
        let values = wanted.columns().iter().map(|column| {
            let value = self.record.value(column.place).unwrap_or_default();
            str::from_utf8(value)
                .map(Into::into)
                .map_err(|_| RowProblem::NotUtf8)
        });
        values.collect::<Result<Vec<Box<str>>, _>>().map(Row::from)
    }

    fn read_record(&mut self) -> Result<bool, BrokenRow> {
        if self.is_over {
            return Ok(false);
        }
        let read = self.try_read_record();
        self.is_over = !matches!(read, Ok(true));
        read.map_err(|problem| self.broken(problem))
    }

    fn try_read_record(&mut self) -> Result<bool, RowProblem> {
        self.record.begin = self.here;
        self.skip_line_ends()?;
        self.record.begin = self.here;
        let (mut length, mut width) = (0, 0);
        loop {
            let input = fill(&mut self.source)?;
            let (result, read, written, ended) = self.parser.read_record(
                input,
                &mut self.record.text[length..],
                &mut self.record.ends[width..],
            );
            self.here.pass(&input[..read]);
            self.source.consume(read);
            length += written;
            width += ended;
            match result {
                ReadRecordResult::InputEmpty => {}
                // A quote that is never closed would bring the whole file into memory.
                ReadRecordResult::OutputFull if length >= MAX_ROW_BYTES => {
                    return Err(RowProblem::TooLong);
                }
                ReadRecordResult::OutputFull => grow(&mut self.record.text, 1024),
                ReadRecordResult::OutputEndsFull if width >= MAX_ROW_BYTES => {
                    return Err(RowProblem::TooLong);
                }
                ReadRecordResult::OutputEndsFull => grow(&mut self.record.ends, 16),
                ReadRecordResult::Record => {
                    self.record.width = width;
                    return Ok(true);
                }
                ReadRecordResult::End => return Ok(false),
            }
        }
    }

    /// Empty lines are no rows, and the parser may have left the second half of a CR LF.
    fn skip_line_ends(&mut self) -> Result<(), RowProblem> {
        loop {
            let input = fill(&mut self.source)?;
            let ends = input.iter().take_while(|&&byte| is_line_end(byte)).count();
            let is_last = ends < input.len() || input.is_empty();
            self.here.pass(&input[..ends]);
            self.source.consume(ends);
            if is_last {
                return Ok(());
            }
        }
    }

    fn broken(&self, problem: RowProblem) -> BrokenRow {
        BrokenRow {
            line: self.record.begin.line,
            problem,
        }
    }
}

impl<R: Read + Seek> CsvRows<R> {
    /// Reads the row that begins there.
    pub(crate) fn at(&mut self, offset: u64, wanted: &Wanted) -> Result<Row, BrokenRow> {
        let broken = |problem| BrokenRow { line: 0, problem };
        self.source
            .seek(SeekFrom::Start(offset))
            .map_err(|error| broken(RowProblem::Io(error.to_string())))?;
        self.parser.reset();
        self.is_over = false;
        let row = self.next(wanted);
        row.unwrap_or_else(|| Err(broken(RowProblem::shorter())))
            .map_err(|found| broken(found.problem))
    }
}

impl Record {
    fn value(&self, index: usize) -> Option<&[u8]> {
        let end = *self.ends[..self.width].get(index)?;
        let begin = match index {
            0 => 0,
            _ => self.ends[index - 1],
        };
        self.text.get(begin..end)
    }

    fn values(&self) -> impl Iterator<Item = &[u8]> {
        (0..self.width).filter_map(|index| self.value(index))
    }
}

impl Place {
    fn pass(&mut self, bytes: &[u8]) {
        self.offset += bytes.len() as u64;
        self.line += memchr::memchr_iter(b'\n', bytes).count() as u64;
    }
}

fn is_line_end(byte: u8) -> bool {
    matches!(byte, b'\r' | b'\n')
}

/// What is in the buffer; empty at the end.
fn fill<R: Read>(source: &mut BufReader<R>) -> Result<&[u8], RowProblem> {
    loop {
        match source.fill_buf() {
            Ok(_) => break,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(RowProblem::Io(error.to_string())),
        }
    }
    Ok(source.buffer())
}

fn grow<T: Clone + Default>(space: &mut Vec<T>, least: usize) {
    space.resize((space.len() * 2).max(least), T::default());
}
