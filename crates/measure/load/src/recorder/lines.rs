//! A file of lines that is never left with half of one.

use super::RecorderError;
use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};

/// A file that can be cut off.
pub trait Truncate: Write {
    /// Cuts it off at this length, and writes on from there.
    fn truncate_to(&mut self, length: u64) -> io::Result<()>;
}

impl Truncate for File {
    fn truncate_to(&mut self, length: u64) -> io::Result<()> {
        self.set_len(length)?;
        self.seek(SeekFrom::Start(length)).map(drop)
    }
}

/// Writes whole lines. When the disk is full, what came only in part is cut off again (which
/// needs no space), so that the file stays readable and writing can go on when there is room.
#[derive(Debug)]
pub struct Lines<F> {
    name: &'static str,
    file: F,
    length: u64,
}

impl<F: Truncate> Lines<F> {
    /// An empty file; the name is for errors.
    pub fn new(name: &'static str, file: F) -> Self {
        Self {
            name,
            file,
            length: 0,
        }
    }

    /// Writes all of the lines, or none, and empties the buffer.
    pub fn write(&mut self, lines: &mut Vec<u8>) -> Result<(), RecorderError> {
        let result = self.file.write_all(lines).and_then(|()| self.file.flush());
        let length = lines.len() as u64;
        lines.clear();
        match result {
            Ok(()) => {
                self.length += length;
                Ok(())
            }
            Err(source) => {
                // A pipe or a device cannot be cut off, and has no reader who could be misled.
                let _ = self.file.truncate_to(self.length);
                Err(RecorderError::Write {
                    file: self.name,
                    source,
                })
            }
        }
    }
}
