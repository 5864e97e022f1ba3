//! Inputs that a user names and that somebody else may have written.
//!
//! Opening a pipe would wait, a device may have no end, and a file may be larger than the memory.
//! So only regular files are read, up to a bound that the error names. Rows of a long file have a
//! bound, too.

use rustix::fs::{Mode, OFlags};
use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, Read};
use std::path::Path;

/// The most bytes that are read from an input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bound(u64);

/// Experiments and files of phases.
pub const EXPERIMENT: Bound = Bound::mib(16);
/// What becomes the body of a request.
pub const BODY: Bound = Bound::mib(64);
/// One row of a recording that is replayed, or a line of what another program wrote.
pub const ROW: Bound = Bound::mib(1);

/// A file of a run folder that is read as a whole. A day of samples, ten a second, takes a fifth of
/// this.
pub const WHOLE: Bound = Bound::mib(256);

/// The command line or the environment of a process. The kernel allows 6 MiB for both together
/// (execve(2)).
pub const WORDS: Bound = Bound::mib(8);

/// The list of a process's mappings. This is enough for half a million mappings of a JVM. A process
/// may have as many mappings with paths of 4 KiB each.
pub const MAPS: Bound = Bound::mib(64);

impl Bound {
    /// This many mebibytes.
    #[must_use]
    pub const fn mib(count: u64) -> Self {
        Self(count << 20)
    }

    /// The bound itself, in bytes.
    #[must_use]
    pub const fn bytes(self) -> u64 {
        self.0
    }
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} MiB", self.0 >> 20)
    }
}

/// Opens a regular file, or a link to one. Anything that would wait or has no end, such as a pipe
/// or a device, is refused.
///
/// # Errors
/// When it cannot be opened, or is no regular file.
pub fn open(path: &Path) -> io::Result<File> {
    // Opened without waiting and checked afterwards: between a check and the opening, the file
    // could be replaced.
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    let file = File::from(rustix::fs::open(path, flags, Mode::empty())?);
    let kind = file.metadata()?.file_type();
    if kind.is_file() {
        return Ok(file);
    }
    Err(io::Error::new(
        io::ErrorKind::InvalidInput,
        match kind.is_dir() {
            true => "it is no regular file",
            false => "it is no regular file; write what a pipe or a device gives to a file first",
        },
    ))
}

/// All of a regular file.
///
/// # Errors
/// When it cannot be read, is no regular file, or is larger than the bound.
pub fn read(path: &Path, bound: Bound) -> io::Result<Vec<u8>> {
    read_from(open(path)?, bound)
}

/// All of a regular file that is text.
///
/// # Errors
/// As [`read`]; also when it is no UTF-8.
pub fn read_text(path: &Path, bound: Bound) -> io::Result<String> {
    let bytes = read(path, bound)?;
    String::from_utf8(bytes)
        .map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "it is no text in UTF-8"))
}

/// All of an input.
///
/// # Errors
/// When it cannot be read, or is larger than the bound.
pub fn read_from(from: impl Read, bound: Bound) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(bound.0 + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > bound.0 {
        return Err(too_large(format!("larger than {bound}")));
    }
    Ok(bytes)
}

/// Reads the beginning of a file of `/proc` whose content its process controls: the process may
/// have made it endless (`PR_SET_MM_MAP` of prctl(2)). What follows the bound is not read.
///
/// # Errors
/// When it cannot be read.
pub fn read_beginning(path: &Path, bound: Bound) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open(path)?.take(bound.0).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// An input whose reader keeps one row at a time in memory. Reading fails before a row exceeds the
/// bound.
#[derive(Debug)]
pub struct Rows<R> {
    inner: R,
    bound: Bound,
    left: u64,
}

impl<R> Rows<R> {
    /// Starts at the beginning of a row.
    pub fn new(inner: R, bound: Bound) -> Self {
        Self {
            inner,
            bound,
            left: bound.0,
        }
    }

    /// Must be called whenever the reader has taken a row.
    pub fn row_was_taken(&mut self) {
        self.left = self.bound.0;
    }
}

impl<R: Read> Read for Rows<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.left == 0 && !into.is_empty() {
            return Err(too_large(format!(
                "a row is larger than {}; is a quotation mark not closed?",
                self.bound
            )));
        }
        let most = usize::try_from(self.left).unwrap_or(usize::MAX);
        let room = into.len().min(most);
        let read = self.inner.read(into.get_mut(..room).unwrap_or_default())?;
        self.left -= read as u64;
        Ok(read)
    }
}

/// Lines of an input that is read as a whole. Both each line and the whole have a bound.
#[derive(Debug)]
pub struct Lines<R> {
    inner: R,
    line: Bound,
    whole: Bound,
    taken: u64,
}

impl<R: BufRead> Lines<R> {
    /// Starts at the current position of the reader.
    pub fn new(inner: R, line: Bound, whole: Bound) -> Self {
        Self {
            inner,
            line,
            whole,
            taken: 0,
        }
    }

    /// Reads the next line with its line feed, which the last line may lack. Returns false at the
    /// end.
    ///
    /// # Errors
    /// When it cannot be read, is no UTF-8, or a bound is passed.
    pub fn next_into(&mut self, text: &mut String) -> io::Result<bool> {
        text.clear();
        let read = (&mut self.inner).take(self.line.0 + 1).read_line(text)? as u64;
        self.taken += read;
        if read > self.line.0 {
            return Err(too_large(format!("a line is larger than {}", self.line)));
        }
        if self.taken > self.whole.0 {
            return Err(too_large(format!("larger than {}", self.whole)));
        }
        Ok(read > 0)
    }
}

fn too_large(why: String) -> io::Error {
    io::Error::new(io::ErrorKind::FileTooLarge, why)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::fs::{CWD, FileType, mknodat};

    #[test]
    fn a_pipe_that_nobody_writes_and_a_device_are_refused_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        mknodat(CWD, &pipe, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
        for path in [pipe.as_path(), Path::new("/dev/zero")] {
            let error = read(path, EXPERIMENT).unwrap_err().to_string();
            assert!(error.contains("no regular file"), "{error}");
        }
        let error = read(folder.path(), EXPERIMENT).unwrap_err().to_string();
        assert_eq!(error, "it is no regular file");
    }

    #[test]
    fn what_is_larger_is_refused_with_its_bound() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("large");
        // A hole.
        File::create(&path).unwrap().set_len(17 << 20).unwrap();
        let error = read(&path, EXPERIMENT).unwrap_err().to_string();
        assert_eq!(error, "larger than 16 MiB");
        let whole = read(&path, Bound::mib(17)).unwrap();
        assert_eq!(whole.len(), 17 << 20);
    }

    /// Counts what is asked of it, and has no end.
    struct Endless(u64);

    impl Read for Endless {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            into.fill(b'1');
            self.0 += into.len() as u64;
            Ok(into.len())
        }
    }

    #[test]
    fn lines_have_a_bound_each_and_all_of_them_one() {
        let bounds = |text: &'static str| Lines::new(text.as_bytes(), Bound(4), Bound(8));
        let mut text = String::new();
        let mut short = bounds("abc\nde");
        assert!(short.next_into(&mut text).unwrap());
        assert_eq!(text, "abc\n");
        assert!(short.next_into(&mut text).unwrap());
        assert_eq!(text, "de");
        assert!(!short.next_into(&mut text).unwrap());
        let long = bounds("abcdefg").next_into(&mut text).unwrap_err();
        assert!(long.to_string().starts_with("a line is larger"), "{long}");
        let mut many = bounds("abc\nabc\nabc\n");
        assert!(many.next_into(&mut text).unwrap() && many.next_into(&mut text).unwrap());
        assert!(many.next_into(&mut text).is_err());
    }

    #[test]
    fn no_more_is_taken_than_the_bound() {
        let mut endless = Endless(0);
        assert!(read_from(&mut endless, ROW).is_err());
        assert_eq!(endless.0, ROW.bytes() + 1);
        let mut rows = Rows::new(Endless(0), ROW);
        let mut kept = Vec::new();
        let error = rows.read_to_end(&mut kept).unwrap_err().to_string();
        assert!(error.starts_with("a row is larger than 1 MiB"), "{error}");
        assert_eq!(rows.inner.0, ROW.bytes());
        rows.row_was_taken();
        assert!(rows.read(&mut [0; 8]).is_ok());
    }
}
