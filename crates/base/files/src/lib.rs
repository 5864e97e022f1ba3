//! The files that Tacho makes, replaces and reads in places where somebody else may write, too.
//!
//! Tacho runs as root in folders of others: a run folder that was sent, the folder of a service,
//! `/tmp`. A link planted under a name that Tacho writes must not lead it to a file of the system,
//! and a pipe must not block it. So a result is written under a random name and then renamed, a
//! file that grows is always a new file, and Tacho reads only plain files.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

pub mod input;
pub mod log;
mod trusted;

pub use trusted::{Untrusted, others_can_run, trusted};

use rustix::fs::{Mode, OFlags, fcntl_getfl, fcntl_setfl};
use std::fs::{self, DirBuilder, File, Metadata, OpenOptions};
use std::io::{self, Read, Write};
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::fs::{DirBuilderExt, FileTypeExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// Mode of new files. Only the user may read them: they hold the output of a service, and its
/// configuration.
const FILE_MODE: u32 = 0o600;
/// Mode of new folders.
const FOLDER_MODE: u32 = 0o700;
/// When a name is taken, others are tried, up to this many names in all.
const MOST_NUMBERS: u32 = 1_000;
/// Mode of a file that the user asked for, before the umask.
const ASKED_MODE: u32 = 0o666;

/// Replaces a file, or makes it. A reader sees the old content or the new, never a part of it. A
/// link under this name is replaced, not followed.
///
/// # Errors
/// When the folder cannot be written. Nothing is left behind.
pub fn replace(path: &Path, content: &[u8]) -> io::Result<()> {
    replace_with(path, |file| file.write_all(content))
}

/// As [`replace`], for content that is not in memory.
///
/// # Errors
/// When the folder cannot be written, or `write` fails. Nothing is left behind.
pub fn replace_with(
    path: &Path,
    write: impl FnOnce(&mut File) -> io::Result<()>,
) -> io::Result<()> {
    replace_as(path, FILE_MODE, write)
}

fn replace_as(
    path: &Path,
    mode: u32,
    write: impl FnOnce(&mut File) -> io::Result<()>,
) -> io::Result<()> {
    let mut beside = make_beside(path, mode)?;
    write(beside.as_file_mut())?;
    // Otherwise a crash may leave an empty file under the new name (rename(2) orders no data).
    beside.as_file().sync_all()?;
    beside.persist(path).map_err(|error| error.error)?;
    Ok(())
}

/// Makes an empty file beside the one to be replaced. It has a random name and is opened with
/// O_EXCL; it is removed when anything fails. The umask of the process applies (open(2)).
fn make_beside(path: &Path, mode: u32) -> io::Result<NamedTempFile> {
    if path.is_dir() && !path.is_symlink() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    let mut refused = None;
    tempfile::Builder::new()
        .prefix(".tacho-")
        .make_in(folder_of(path), |path| {
            let made = OpenOptions::new()
                .read(true)
                .write(true)
                .create_new(true)
                .mode(mode)
                .open(path);
            refused = made.as_ref().err().and_then(io::Error::raw_os_error);
            made
        })
        // The library wraps the kernel's error in one that only prints it. The kernel's error says
        // which limit was met.
        .map_err(|error| refused.map_or(error, io::Error::from_raw_os_error))
}

/// Writes to the place that the user named. This may be a pipe or a device of this user
/// (`/dev/stdout`, `>(gzip)`). Any other place is written as by [`replace`], but with the usual
/// rights of the user's files, because others, such as a build server, are to read it.
///
/// # Errors
/// As [`replace`]; also for a pipe or a device of somebody else.
pub fn write_where_asked(path: &Path, content: &[u8]) -> io::Result<()> {
    write_where_asked_with(path, |file| file.write_all(content))
}

/// As [`write_where_asked`], for content that is not in memory.
///
/// # Errors
/// As [`write_where_asked`], or when `write` fails.
pub fn write_where_asked_with(
    path: &Path,
    write: impl FnOnce(&mut File) -> io::Result<()>,
) -> io::Result<()> {
    match stream_of_ours(path)? {
        // Write through the handle: the name may lead to another user's pipe by now.
        Some(stream) => {
            let name = format!("/proc/self/fd/{}", stream.as_raw_fd());
            write(&mut OpenOptions::new().write(true).open(name)?)
        }
        None => replace_as(path, ASKED_MODE, write),
    }
}

/// Checks whether [`write_where_asked`] could write there. Nothing is left behind, and existing
/// files are not changed.
///
/// # Errors
/// As [`write_where_asked`].
pub fn can_be_written(path: &Path) -> io::Result<()> {
    if stream_of_ours(path)?.is_none() {
        make_beside(path, ASKED_MODE)?;
    }
    Ok(())
}

/// A pipe or a device that the user named. It is not opened for writing yet, because opening a pipe
/// waits for its reader. `None` for anything else.
fn stream_of_ours(path: &Path) -> io::Result<Option<OwnedFd>> {
    let flags = OFlags::PATH | OFlags::CLOEXEC;
    let Ok(handle) = rustix::fs::open(path, flags, Mode::empty()) else {
        // Nothing is there, or a link that leads nowhere.
        return Ok(None);
    };
    let target = File::from(handle);
    if !is_stream(&target.metadata()?) {
        return Ok(None);
    }
    if !is_ours(&fs::symlink_metadata(path)?) || !is_ours(&target.metadata()?) {
        return Err(not_plain());
    }
    Ok(Some(target.into()))
}

/// Makes a new file that grows. A file, a link or a pipe of the same name is removed first. A
/// device is written to if it belongs to this user or to root: `/dev/null` discards unwanted
/// output.
///
/// # Errors
/// When the folder cannot be written, or somebody puts the name back again meanwhile.
pub fn create(path: &Path) -> io::Result<File> {
    match fs::symlink_metadata(path) {
        Ok(before) if before.file_type().is_char_device() => {
            if !is_ours(&before) {
                return Err(not_plain());
            }
            return OpenOptions::new().write(true).open(path);
        }
        Ok(before) if before.file_type().is_block_device() => return Err(not_plain()),
        Ok(_) => fs::remove_file(path)?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(error),
    }
    OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(FILE_MODE)
        .open(path)
}

/// A file to append to, made when it is not there.
///
/// # Errors
/// When it cannot be opened, or is a link, a pipe or a device.
pub fn append(path: &Path) -> io::Result<File> {
    open_plain(
        OpenOptions::new().append(true).create(true).mode(FILE_MODE),
        path,
    )
}

/// A file to read.
///
/// # Errors
/// When it cannot be opened, or is a link, a pipe or a device.
pub fn open(path: &Path) -> io::Result<File> {
    open_plain(OpenOptions::new().read(true), path)
}

/// Reads a whole file of at most [`input::WHOLE`].
///
/// # Errors
/// As [`open`]; also when it is larger.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    input::read_from(bounded(path)?, input::WHOLE)
}

/// Opens a file to read, no larger than [`read`] accepts. A file that grows meanwhile seems to end
/// at that bound.
///
/// # Errors
/// As [`read`].
pub fn bounded(path: &Path) -> io::Result<io::Take<File>> {
    bounded_file(open(path)?)
}

/// As [`bounded`], for a file that is already open.
///
/// # Errors
/// When it is larger.
pub fn bounded_file(file: File) -> io::Result<io::Take<File>> {
    match file.metadata()?.len() > input::WHOLE.bytes() {
        true => Err(io::Error::new(
            io::ErrorKind::FileTooLarge,
            format!("larger than {}", input::WHOLE),
        )),
        false => Ok(file.take(input::WHOLE.bytes())),
    }
}

/// Makes a folder and the missing folders above it. Only the user may enter them, whatever the
/// umask.
///
/// # Errors
/// When one cannot be made.
pub fn create_folder(path: &Path) -> io::Result<()> {
    builder().recursive(true).create(path)
}

/// Makes a folder that must not exist yet.
///
/// # Errors
/// When it cannot be made, or is there.
pub fn create_new_folder(path: &Path) -> io::Result<()> {
    builder().create(path)
}

fn builder() -> DirBuilder {
    let mut builder = DirBuilder::new();
    builder.mode(FOLDER_MODE);
    builder
}

/// Makes a new folder under the first name that is free: `name`, `name-2`, `name-3` and so on.
///
/// # Errors
/// When none can be made.
pub fn create_numbered_folder(above: &Path, name: &str) -> io::Result<PathBuf> {
    let others = (2..=MOST_NUMBERS).map(|number| format!("{name}-{number}"));
    for name in std::iter::once(name.to_owned()).chain(others) {
        let path = above.join(name);
        match create_new_folder(&path) {
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {}
            made => return made.map(|()| path),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

/// Opens a file without following a link (O_NOFOLLOW) and without waiting for the other end of a
/// pipe (O_NONBLOCK).
fn open_plain(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY;
    let opened = options.custom_flags(flags.bits().cast_signed()).open(path);
    let file = opened.map_err(plainly)?;
    if !file.metadata()?.is_file() {
        return Err(not_plain());
    }
    // A program that inherits the file does not expect O_NONBLOCK.
    fcntl_setfl(&file, fcntl_getfl(&file)? - OFlags::NONBLOCK)?;
    Ok(file)
}

/// Replaces the error when opening failed because the path is no plain file or folder; any other
/// error stays as it is.
#[must_use]
pub fn plainly(error: io::Error) -> io::Error {
    match rustix::io::Errno::from_io_error(&error) {
        // A link; one among the folders on the way; a pipe without a reader, or a socket.
        Some(rustix::io::Errno::LOOP | rustix::io::Errno::NOTDIR | rustix::io::Errno::NXIO) => {
            not_plain()
        }
        // This error comes from our own check, not from the kernel.
        None if error.kind() == io::ErrorKind::InvalidInput => not_plain(),
        _ => error,
    }
}

/// The error for a link, a pipe or a device in a place where Tacho has only plain files and
/// folders.
#[must_use]
pub fn not_plain() -> io::Error {
    io::Error::new(
        io::ErrorKind::InvalidInput,
        "it is a link, a pipe or a device, where Tacho has only plain files and folders; see who put it there (`ls -l`), and remove it",
    )
}

fn is_stream(metadata: &Metadata) -> bool {
    let kind = metadata.file_type();
    kind.is_fifo() || kind.is_char_device() || kind.is_socket()
}

/// Whether the file belongs to this user or to root, so that no other user has put it there.
fn is_ours(metadata: &Metadata) -> bool {
    let user = rustix::process::geteuid().as_raw();
    metadata.uid() == user || metadata.uid() == 0
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}
