//! Logs as files: plain, compressed, several in an archive or in a directory, or those of a
//! rotation in their order.

mod order;
mod part;
mod text;

pub use part::Part;

use crate::event::Event;
use crate::lines::Lines;
use crate::reader::Reader;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// Bytes that are read at once.
const PIECE: usize = 256 * 1024;
/// Bytes of text that are turned round: viewers of logs export less.
const MOST_TURNED: u64 = 256 * 1024 * 1024;

/// Why a log could not be read.
#[derive(Debug, thiserror::Error)]
pub enum GcLogError {
    /// A file of the log could not be read.
    #[error(
        "cannot read {path}: {source}; give the file that -Xlog:gc*:file=... or -Xloggc:... names, its directory, or - for standard input"
    )]
    Read {
        /// Path of the file.
        path: PathBuf,
        /// Why the system could not read it.
        source: io::Error,
    },
}

/// A log that comes from files or from standard input.
#[derive(Debug, Default)]
pub struct Log {
    reader: Reader,
}

impl Log {
    /// Reads one input to its end: text, or what gzip has made of it.
    ///
    /// # Errors
    /// When the input cannot be read.
    pub fn read(&mut self, input: impl Read, tell: &mut impl FnMut(&Event<'_>)) -> io::Result<()> {
        let mut input = text::of(input)?;
        let mut piece = vec![0; PIECE];
        loop {
            match input.read(&mut piece) {
                Ok(0) => break,
                Ok(length) => self.reader.feed(&piece[..length], tell),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        self.reader.end_of_input(tell);
        Ok(())
    }

    /// Reads one part to its end.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn read_part(
        &mut self,
        part: &Part,
        tell: &mut impl FnMut(&Event<'_>),
    ) -> Result<(), GcLogError> {
        part.open()
            .and_then(|input| self.read(input, tell))
            .map_err(|source| unreadable(part.path(), source))
    }

    /// Reads one part from its last line to its first, as an export that has the newest line first
    /// wants it. Nothing is read, and `false` returned, when it is too long to be turned round in
    /// memory.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn read_part_backward(
        &mut self,
        part: &Part,
        tell: &mut impl FnMut(&Event<'_>),
    ) -> Result<bool, GcLogError> {
        let whole = || {
            let mut whole = Vec::new();
            let text = text::of(part.open()?)?;
            text.take(MOST_TURNED + 1).read_to_end(&mut whole)?;
            Ok(whole)
        };
        let whole = whole().map_err(|source| unreadable(part.path(), source))?;
        if whole.len() as u64 > MOST_TURNED {
            return Ok(false);
        }
        for line in whole
            .strip_suffix(b"\n")
            .unwrap_or(&whole)
            .rsplit(|b| *b == b'\n')
        {
            self.reader.feed(line, tell);
            self.reader.feed(b"\n", tell);
        }
        self.reader.end_of_input(tell);
        Ok(true)
    }

    /// Everything has been read.
    #[must_use]
    pub fn end(self, tell: &mut impl FnMut(&Event<'_>)) -> Lines {
        self.reader.end(tell)
    }
}

fn unreadable(path: &Path, source: io::Error) -> GcLogError {
    GcLogError::Read {
        path: path.to_owned(),
        source,
    }
}

/// What is read when a user names these paths, in the order in which it was written: files, the
/// files of directories, and what archives (ZIP) hold.
///
/// # Errors
/// When one of them cannot be read.
pub fn parts(paths: &[PathBuf]) -> Result<Vec<Part>, GcLogError> {
    let mut found = Vec::new();
    for path in paths {
        found.extend(Part::all_of(path).map_err(|source| unreadable(path, source))?);
    }
    if found.len() < 2 {
        return Ok(found);
    }
    let mut spans = Vec::with_capacity(found.len());
    for part in found {
        let span = order::Span::of(&part).map_err(|source| unreadable(part.path(), source))?;
        spans.push((part, span));
    }
    Ok(order::in_order(spans))
}
