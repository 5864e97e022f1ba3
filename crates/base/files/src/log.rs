//! A log that a process writes by itself and that must not fill the disk.
//!
//! The writer has the file open to append. A pipe with a copying process would be worse: it would
//! make the writer wait when the copier is late, take processor time beside what is measured, and
//! break when Tacho is killed. Instead, the blocks in the middle of the file are given back to the
//! file system (FALLOC_FL_PUNCH_HOLE, fallocate(2)), which the writer does not notice. When the
//! writer has ended, both parts are joined, with a line between them that says how much was left
//! out.

use rustix::fs::{FallocateFlags, SeekFrom, fallocate};
use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::path::Path;

/// Bytes that are kept at the beginning, and the same at the end.
pub const KEPT_BYTES: u64 = 8 << 20;
/// Blocks are freed in multiples of this size, aligned to it: no file system has larger blocks.
const PIECE: u64 = 1 << 20;

/// A log that is kept within bounds, and where its hole is so far.
#[derive(Debug)]
pub struct Bounded {
    file: File,
    from: u64,
    to: u64,
}

impl Bounded {
    /// Keeps a log within bounds. The log begins at this byte of the file.
    #[must_use]
    pub fn new(file: File, begins: u64) -> Self {
        let from = (begins + KEPT_BYTES).next_multiple_of(PIECE);
        Self {
            file,
            from,
            to: from,
        }
    }

    /// Frees the blocks that have become part of the middle since the last call.
    ///
    /// # Errors
    /// When the file system cannot have holes.
    pub fn look(&mut self) -> io::Result<()> {
        let length = self.file.metadata()?.len();
        let to = length.saturating_sub(KEPT_BYTES) / PIECE * PIECE;
        if to > self.to {
            let mode = FallocateFlags::PUNCH_HOLE | FallocateFlags::KEEP_SIZE;
            fallocate(&self.file, mode, self.to, to - self.to)?;
            self.to = to;
        }
        Ok(())
    }

    /// Joins the beginning and the end of the log. To be called when nobody writes any more.
    /// Returns the number of bytes that were left out between them.
    ///
    /// # Errors
    /// When the folder cannot be written; then the hole stays.
    pub fn close(self, path: &Path) -> io::Result<u64> {
        let left_out = self.to - self.from;
        if left_out == 0 {
            return Ok(0);
        }
        let mut whole = crate::open(path)?;
        crate::replace_with(path, |to| {
            io::copy(&mut (&mut whole).take(self.from), to)?;
            to.write_all(said(left_out).as_bytes())?;
            whole.seek(io::SeekFrom::Start(self.to))?;
            io::copy(&mut whole, to).map(|_| ())
        })?;
        Ok(left_out)
    }
}

fn said(bytes: u64) -> String {
    format!("\n[Tacho: {bytes} bytes are left out here, so that the log does not fill the disk]\n")
}

/// Reads a log without the bytes that were given back, even where Tacho ended before the log did.
#[derive(Debug)]
pub struct WithoutHoles {
    file: File,
    at: u64,
    /// End of the present stretch of data.
    data_end: u64,
}

impl WithoutHoles {
    /// A plain file.
    ///
    /// # Errors
    /// As [`crate::open`].
    pub fn open(path: &Path) -> io::Result<Self> {
        Ok(Self::of(crate::open(path)?))
    }

    /// One that is open, from its beginning.
    #[must_use]
    pub fn of(file: File) -> Self {
        Self {
            file,
            at: 0,
            data_end: 0,
        }
    }
}

impl Read for WithoutHoles {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.at >= self.data_end {
            self.at = match after_hole(&self.file, self.at)? {
                Some(at) => at,
                None => return Ok(0),
            };
            self.data_end = rustix::fs::seek(&self.file, SeekFrom::Hole(self.at))?;
            self.file.seek(io::SeekFrom::Start(self.at))?;
        }
        let room = usize::try_from(self.data_end - self.at).unwrap_or(usize::MAX);
        let most = buffer.len().min(room);
        let read = self.file.read(&mut buffer[..most])?;
        self.at += read as u64;
        Ok(read)
    }
}

/// Where data begins at or after this byte; `None` when there is none.
///
/// # Errors
/// When the file cannot be asked.
pub fn after_hole(file: &File, at: u64) -> io::Result<Option<u64>> {
    match rustix::fs::seek(file, SeekFrom::Data(at)) {
        Ok(at) => Ok(Some(at)),
        Err(rustix::io::Errno::NXIO) => Ok(None),
        Err(error) => Err(error.into()),
    }
}
