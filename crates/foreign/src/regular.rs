//! Regular files, and nothing that looks like one.

use rustix::fs::{FileType, Mode, OFlags, fstat, open};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// Flags with which a file is opened that may be anything: a pipe does not block, a terminal does
/// not become ours, a link is not followed where it is the last part of the name.
pub(crate) const CAREFULLY: OFlags = OFlags::CLOEXEC
    .union(OFlags::NONBLOCK)
    .union(OFlags::NOCTTY)
    .union(OFlags::NOFOLLOW);

/// Opens a regular file for reading; links in the last part of the path are not followed.
///
/// # Errors
/// [`io::ErrorKind::InvalidInput`] for a pipe, a device, a folder or a socket; else as `open(2)`.
pub fn open_regular(path: &Path) -> io::Result<File> {
    checked(open(path, OFlags::RDONLY | CAREFULLY, Mode::empty())?.into())
}

/// Reads a regular file of at most `limit` bytes.
///
/// # Errors
/// As [`open_regular`]; [`io::ErrorKind::FileTooLarge`] when there is more.
pub fn read_regular(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    bounded(open_regular(path)?, limit)
}

pub(crate) fn checked(file: File) -> io::Result<File> {
    match FileType::from_raw_mode(fstat(&file)?.st_mode) {
        FileType::RegularFile => Ok(file),
        _ => Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            "it is no regular file",
        )),
    }
}

/// The length is not asked for before: it may grow meanwhile.
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn a_regular_file_is_read_up_to_its_bound() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        std::fs::write(&path, "12345").unwrap();
        assert_eq!(read_regular(&path, 5).unwrap(), b"12345");
        let error = read_regular(&path, 4).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::FileTooLarge);
    }

    #[test]
    fn pipes_links_devices_and_folders_are_refused_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        rustix::fs::mknodat(
            rustix::fs::CWD,
            &pipe,
            FileType::Fifo,
            Mode::RUSR | Mode::WUSR,
            0,
        )
        .unwrap();
        let link = folder.path().join("link");
        symlink("/etc/passwd", &link).unwrap();
        for path in [&pipe, &link, folder.path(), Path::new("/dev/zero")] {
            assert!(read_regular(path, 10).is_err(), "{}", path.display());
        }
    }
}
