//! Opening and reading regular files, and nothing that looks like one.

use rustix::fs::{FileType, OFlags, fstat};
use std::fs::File;
use std::io::{self, Read};

/// Flags for opening a file of unknown kind. A pipe does not block, a terminal does not become the
/// controlling one, and a link is not followed where it is the last part of the name.
pub(crate) const CAREFULLY: OFlags = OFlags::CLOEXEC
    .union(OFlags::NONBLOCK)
    .union(OFlags::NOCTTY)
    .union(OFlags::NOFOLLOW);

pub(crate) fn checked(file: File) -> io::Result<File> {
    match FileType::from_raw_mode(fstat(&file)?.st_mode) {
        FileType::RegularFile => Ok(file),
        _ => Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            "it is no regular file",
        )),
    }
}

/// The length is not checked first, because the file may grow meanwhile.
pub(crate) fn bounded(file: File, limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit {
        return Err(io::Error::new(
            io::ErrorKind::FileTooLarge,
            format!("it has more than {limit} bytes"),
        ));
    }
    Ok(bytes)
}
