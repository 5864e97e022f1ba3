//! Logs as files: one, or those of a rotation in their order.

use crate::decorations;
use crate::event::Event;
use crate::lines::Lines;
use crate::reader::Reader;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// Bytes that are read at once.
const PIECE: usize = 256 * 1024;
/// Bytes in which the first instant is looked for.
const HEAD: usize = 64 * 1024;

/// Why a log could not be read.
#[derive(Debug, thiserror::Error)]
pub enum GcLogError {
    /// A file of the log could not be read.
    #[error(
        "cannot read {path}: {source}; give the file that -Xlog:gc*:file=... names, or - for standard input"
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
    /// Reads one input to its end.
    ///
    /// # Errors
    /// When the input cannot be read.
    pub fn read(
        &mut self,
        mut input: impl Read,
        tell: &mut impl FnMut(&Event<'_>),
    ) -> io::Result<()> {
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

    /// Reads one file to its end.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn read_file(
        &mut self,
        path: &Path,
        tell: &mut impl FnMut(&Event<'_>),
    ) -> Result<(), GcLogError> {
        tacho_files::input::open(path)
            .and_then(|file| self.read(file, tell))
            .map_err(|source| unreadable(path, source))
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

/// The files in the order of their first instants, as a rotation leaves them (`gc.log.1`,
/// `gc.log.2`, `gc.log`): by the clock on the wall where all have it, else by uptime; those without
/// an instant stay where they are, after the others.
///
/// # Errors
/// When a file cannot be read.
pub fn in_order(paths: &[PathBuf]) -> Result<Vec<PathBuf>, GcLogError> {
    if paths.len() < 2 {
        return Ok(paths.to_vec());
    }
    let mut begins = Vec::with_capacity(paths.len());
    for path in paths {
        begins.push((first_instant(path)?, path.clone()));
    }
    if begins.iter().all(|(at, _)| at.wall.is_some()) {
        begins.sort_by_key(|(at, _)| at.wall);
    } else {
        begins.sort_by_key(|(at, _)| at.uptime.unwrap_or(u64::MAX));
    }
    Ok(begins.into_iter().map(|(_, path)| path).collect())
}

fn first_instant(path: &Path) -> Result<decorations::At, GcLogError> {
    let mut head = Vec::with_capacity(HEAD);
    tacho_files::input::open(path)
        .and_then(|file| file.take(HEAD as u64).read_to_end(&mut head))
        .map_err(|source| unreadable(path, source))?;
    let instant = head
        .split(|b| *b == b'\n')
        .filter_map(|line| decorations::split(line).0)
        .map(|decorations| decorations.at)
        .find(|at| at.wall.is_some() || at.uptime.is_some());
    Ok(instant.unwrap_or_default())
}
