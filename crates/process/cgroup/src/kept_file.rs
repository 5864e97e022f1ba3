//! A file that is read again and again without looking up its path.

use crate::CgroupError;
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// Larger than any statistics file: `memory.stat` has some 2 KiB.
const ROOM: usize = 16 * 1024;

/// A file that is opened at its first reading, and then read by `pread(2)` from the start. The
/// kernel produces the content anew for each reading. Several threads may use it.
#[derive(Debug)]
pub(crate) struct KeptFile {
    path: PathBuf,
    file: OnceLock<File>,
}

impl KeptFile {
    pub(crate) fn new(dir: &Path, name: &str) -> Self {
        Self {
            path: dir.join(name),
            file: OnceLock::new(),
        }
    }

    /// Parses the content; what does not parse is an error that names `what`.
    pub(crate) fn read<T>(
        &self,
        what: &str,
        parse: impl FnOnce(&str) -> Option<T>,
    ) -> Result<T, CgroupError> {
        let mut room = [0; ROOM];
        let length = self.fill(&mut room).map_err(|source| CgroupError::Read {
            path: self.path.clone(),
            source,
        })?;
        let content = room.get(..length).unwrap_or(&[]);
        std::str::from_utf8(content)
            .ok()
            .and_then(parse)
            .ok_or_else(|| self.malformed(what))
    }

    /// As [`Self::read`], and `None` where this kernel has no such file.
    pub(crate) fn read_if_there<T>(
        &self,
        what: &str,
        parse: impl FnOnce(&str) -> Option<T>,
    ) -> Result<Option<T>, CgroupError> {
        match self.read(what, parse) {
            Err(CgroupError::Read { source, .. }) if source.kind() == io::ErrorKind::NotFound => {
                Ok(None)
            }
            other => other.map(Some),
        }
    }

    fn malformed(&self, what: &str) -> CgroupError {
        CgroupError::Malformed {
            path: self.path.clone(),
            what: what.to_owned(),
        }
    }

    fn fill(&self, room: &mut [u8]) -> io::Result<usize> {
        let file = match self.file.get() {
            Some(file) => file,
            None => {
                let opened = File::open(&self.path)?;
                self.file.get_or_init(|| opened)
            }
        };
        let mut length = 0;
        // These files come whole in one read. A second read would make the kernel produce the
        // content once more, so it is done only when the first one filled the buffer.
        while let Some(free) = room.get_mut(length..).filter(|free| !free.is_empty()) {
            let asked = free.len();
            let read = file.read_at(free, length as u64)?;
            length += read;
            if read < asked {
                break;
            }
        }
        Ok(length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::number;
    use std::fs;

    #[test]
    fn it_sees_new_content_without_opening_the_path_again() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("memory.current");
        fs::write(&path, "1\n").unwrap();
        let kept = KeptFile::new(dir.path(), "memory.current");
        assert_eq!(kept.read("usage", number).unwrap(), 1);
        fs::write(&path, "22\n").unwrap();
        assert_eq!(kept.read("usage", number).unwrap(), 22);
        fs::remove_file(&path).unwrap();
        assert_eq!(kept.read("usage", number).unwrap(), 22);
    }

    #[test]
    fn what_is_missing_or_malformed_is_named() {
        let dir = tempfile::tempdir().unwrap();
        let kept = KeptFile::new(dir.path(), "memory.peak");
        assert!(kept.read("peak", number).unwrap_err().is_gone());
        assert_eq!(kept.read_if_there("peak", number).unwrap(), None);
        fs::write(dir.path().join("memory.peak"), b"\xff\xfe").unwrap();
        let error = kept.read("peak", number).unwrap_err().to_string();
        assert!(
            error.contains("memory.peak") && error.contains("`peak`"),
            "{error}"
        );
    }
}
