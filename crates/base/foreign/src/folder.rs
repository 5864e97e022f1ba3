//! A folder by its descriptor. Every operation takes a name of one part, and follows no links.

use crate::regular::{CAREFULLY, bounded, checked};
use crate::root::walk;
use rand::RngExt;
use rustix::fd::{AsFd, OwnedFd};
use rustix::fs::{
    AtFlags, Dir, FileType, Mode, OFlags, ResolveFlags, fstat, fstatvfs, mkdirat, openat, openat2,
    readlinkat, renameat, statat, unlinkat,
};
use rustix::io::Errno;
use rustix::process::{Flock, FlockOffsetType, FlockType, fcntl_getlk};
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::time::{Duration, SystemTime};

/// A folder that only its owner may enter.
const PRIVATE: Mode = Mode::RWXU;
/// A file that only its owner may read.
const PRIVATE_FILE: Mode = Mode::RUSR.union(Mode::WUSR);

/// An open folder.
#[derive(Debug)]
pub struct Folder {
    fd: OwnedFd,
}

impl Folder {
    pub(crate) fn of(fd: OwnedFd) -> Self {
        Self { fd }
    }

    /// Opens a folder by a trusted path. The last part must not be a link.
    ///
    /// # Errors
    /// When it is none.
    pub fn open_path(path: &Path) -> io::Result<Self> {
        let fd = rustix::fs::open(path, folder_flags(), Mode::empty())?;
        Ok(Self { fd })
    }

    /// Opens a folder that the user has named; a link to it is his own.
    ///
    /// # Errors
    /// When it is none.
    pub fn named_by_user(path: &Path) -> io::Result<Self> {
        let flags = folder_flags().difference(OFlags::NOFOLLOW);
        let fd = rustix::fs::open(path, flags, Mode::empty())?;
        Ok(Self { fd })
    }

    /// Opens a folder below this one, any number of parts deep. No part may be a link, and the path
    /// cannot lead out of this folder.
    ///
    /// # Errors
    /// When there is none; [`io::ErrorKind::FilesystemLoop`] or [`io::ErrorKind::NotADirectory`]
    /// when a part is a link.
    pub fn below(&self, path: &Path) -> io::Result<Self> {
        if path.as_os_str().is_empty() {
            return Ok(Self {
                fd: self.fd.try_clone()?,
            });
        }
        let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS;
        let fd = match openat2(&self.fd, path, folder_flags(), Mode::empty(), resolve) {
            // Linux before 5.6, or a seccomp filter that does not know the system call.
            Err(Errno::NOSYS | Errno::PERM) => walk(self.fd.as_fd(), path, folder_flags())?,
            opened => opened?,
        };
        Ok(Self { fd })
    }

    /// The folder as a path, for calls that take no descriptor (`/proc/self/fd/N`).
    #[must_use]
    pub fn as_path(&self) -> std::path::PathBuf {
        use std::os::fd::AsRawFd;
        std::path::PathBuf::from(format!("/proc/self/fd/{}", self.fd.as_raw_fd()))
    }

    /// A folder in it.
    ///
    /// # Errors
    /// When there is none of that name, or it is a link.
    pub fn folder(&self, name: &str) -> io::Result<Self> {
        let fd = openat(&self.fd, part(name)?, folder_flags(), Mode::empty())?;
        Ok(Self { fd })
    }

    /// Makes a folder of mode 0700 in it, and opens it.
    ///
    /// # Errors
    /// [`io::ErrorKind::AlreadyExists`] when there is anything of that name.
    pub fn make(&self, name: &str) -> io::Result<Self> {
        mkdirat(&self.fd, part(name)?, PRIVATE)?;
        let made = self.folder(name)?;
        // The umask of this process may have removed rights. It cannot have given any to others.
        rustix::fs::fchmod(&made.fd, PRIVATE)?;
        Ok(made)
    }

    /// Makes a folder with a [`unique`] name. Returns the name, too.
    ///
    /// # Errors
    /// As [`Folder::make`].
    pub fn make_unique(&self, beginning: &str) -> io::Result<(String, Self)> {
        let name = unique(beginning);
        self.make(&name).map(|folder| (name, folder))
    }

    /// Whether the folder belongs to this user, and nobody else may enter it.
    #[must_use]
    pub fn is_private_of(&self, user: u32) -> bool {
        fstat(&self.fd)
            .is_ok_and(|stat| stat.st_uid == user && Mode::from_raw_mode(stat.st_mode) == PRIVATE)
    }

    /// Free bytes of its file system, for users other than root.
    ///
    /// # Errors
    /// When the system does not say.
    pub fn free_bytes(&self) -> io::Result<u64> {
        let of = fstatvfs(&self.fd)?;
        Ok(of.f_bavail.saturating_mul(of.f_frsize))
    }

    /// The owner of what has this name; for a link, of the link itself. `None` when there is
    /// nothing.
    #[must_use]
    pub fn owner_of(&self, name: &str) -> Option<u32> {
        let stat = statat(&self.fd, part(name).ok()?, AtFlags::SYMLINK_NOFOLLOW).ok()?;
        Some(stat.st_uid)
    }

    /// Whether what has this name was last written at least this long ago. False when there is
    /// nothing of that name, and when its time is in the future.
    #[must_use]
    pub fn is_untouched_for(&self, name: &str, long: Duration) -> bool {
        let written = part(name)
            .and_then(|name| statat(&self.fd, name, AtFlags::SYMLINK_NOFOLLOW))
            .map(|stat| u64::try_from(stat.st_mtime).unwrap_or_default());
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        written.is_ok_and(|written| {
            now.is_ok_and(|now| now.as_secs().saturating_sub(written) >= long.as_secs())
        })
    }

    /// A new file of mode 0600, for writing.
    ///
    /// # Errors
    /// [`io::ErrorKind::AlreadyExists`] when there is anything of that name, a link included.
    pub fn create(&self, name: &str) -> io::Result<File> {
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | CAREFULLY;
        Ok(openat(&self.fd, part(name)?, flags, PRIVATE_FILE)?.into())
    }

    /// Replaces whatever has this name by a file, atomically. A process that is killed meanwhile
    /// leaves a file whose name begins with this one and a dot.
    ///
    /// # Errors
    /// When there is no room, or a folder of that name.
    pub fn replace(&self, name: &str, content: &[u8]) -> io::Result<()> {
        self.place(&format!("{name}.{}", random()), name, |file| {
            file.write_all(content)
        })
    }

    /// As [`Folder::replace`], but the content also survives a crash of the machine (rename(2)
    /// orders no data).
    ///
    /// # Errors
    /// As [`Folder::replace`].
    pub fn replace_durably(&self, name: &str, content: &[u8]) -> io::Result<()> {
        self.place(&format!(".tacho-{}", random()), name, |file| {
            file.write_all(content)?;
            file.sync_all()
        })
    }

    fn place(
        &self,
        half: &str,
        name: &str,
        write: impl FnOnce(&mut File) -> io::Result<()>,
    ) -> io::Result<()> {
        let mut file = self.create(half)?;
        let placed = write(&mut file).and_then(|()| self.rename(half, name));
        if placed.is_err() {
            let _ = self.remove(half);
        }
        placed
    }

    /// Gives a file another name.
    ///
    /// # Errors
    /// As `rename(2)`.
    pub fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        Ok(renameat(&self.fd, part(from)?, &self.fd, part(to)?)?)
    }

    /// Opens a regular file for reading.
    ///
    /// # Errors
    /// When there is none, or it is a link, a pipe or anything else.
    pub fn open(&self, name: &str) -> io::Result<File> {
        let flags = OFlags::RDONLY | CAREFULLY;
        checked(openat(&self.fd, part(name)?, flags, Mode::empty())?.into())
    }

    /// Reads a regular file of at most `limit` bytes.
    ///
    /// # Errors
    /// As [`Folder::open`]; [`io::ErrorKind::FileTooLarge`] when there is more.
    pub fn read(&self, name: &str, limit: u64) -> io::Result<Vec<u8>> {
        bounded(self.open(name)?, limit)
    }

    /// A socket in this folder, and the user id of its owner. The descriptor opens nothing
    /// (O_PATH): connecting to its path in `/proc/self/fd` reaches this very socket. `None` when it
    /// is no socket.
    ///
    /// # Errors
    /// When there is nothing of that name.
    pub fn socket(&self, name: &str) -> io::Result<Option<(OwnedFd, u32)>> {
        let flags = OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let fd = openat(&self.fd, part(name)?, flags, Mode::empty())?;
        let stat = fstat(&fd)?;
        let is_socket = FileType::from_raw_mode(stat.st_mode) == FileType::Socket;
        Ok(is_socket.then_some((fd, stat.st_uid)))
    }

    /// The target of a link; `None` when it is no link.
    #[must_use]
    pub fn link(&self, name: &str) -> Option<std::path::PathBuf> {
        use std::os::unix::ffi::OsStringExt;
        let target = readlinkat(&self.fd, part(name).ok()?, Vec::new()).ok()?;
        Some(std::ffi::OsString::from_vec(target.into_bytes()).into())
    }

    /// Removes a file or a link.
    ///
    /// # Errors
    /// As `unlink(2)`.
    pub fn remove(&self, name: &str) -> io::Result<()> {
        Ok(unlinkat(&self.fd, part(name)?, AtFlags::empty())?)
    }

    /// Removes a folder and the files in it. Folders inside are not entered: Tacho makes none, and
    /// where there is one, the folder stays.
    ///
    /// # Errors
    /// When something stays.
    pub fn remove_folder(&self, name: &str) -> io::Result<()> {
        let folder = self.folder(name)?;
        for file in folder.names()? {
            let _ = folder.remove(&file);
        }
        self.remove_empty_folder(name)
    }

    /// Removes a folder that is empty.
    ///
    /// # Errors
    /// When anything is in it.
    pub fn remove_empty_folder(&self, name: &str) -> io::Result<()> {
        Ok(unlinkat(&self.fd, part(name)?, AtFlags::REMOVEDIR)?)
    }

    /// Whether a process holds an fcntl(2) lock on a file in this folder. A missing file is not
    /// locked. A file whose state is unknown counts as locked.
    #[must_use]
    pub fn is_locked(&self, name: &str) -> bool {
        let wanted = Flock {
            start: 0,
            length: 0,
            pid: None,
            typ: FlockType::ReadLock,
            offset_type: FlockOffsetType::Set,
        };
        self.open(name)
            .is_ok_and(|file| !matches!(fcntl_getlk(&file, &wanted), Ok(None)))
    }

    /// Names of the entries of this folder that are valid UTF-8.
    ///
    /// # Errors
    /// When it may not be read.
    pub fn names(&self) -> io::Result<Vec<String>> {
        let entries = Dir::read_from(&self.fd)?;
        let mut names = Vec::new();
        for entry in entries {
            let entry = entry?;
            match entry.file_name().to_str() {
                Ok("." | "..") | Err(_) => {}
                Ok(name) => names.push(name.to_owned()),
            }
        }
        Ok(names)
    }
}

fn folder_flags() -> OFlags {
    OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC
}

/// Checks that a name has one part. With more parts, those before the last could be links.
fn part(name: &str) -> Result<&str, Errno> {
    match name {
        "" | "." | ".." => Err(Errno::INVAL),
        name if name.contains(['/', '\0']) => Err(Errno::INVAL),
        name => Ok(name),
    }
}

/// A name with this beginning and a random end, which nobody can guess or has taken.
#[must_use]
pub fn unique(beginning: &str) -> String {
    format!("{beginning}{}", random())
}

fn random() -> String {
    let number: u64 = rand::rng().random();
    format!("{number:016x}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::{MetadataExt, symlink};

    fn scratch() -> (tempfile::TempDir, Folder) {
        let scratch = tempfile::tempdir().unwrap();
        let folder = Folder::open_path(scratch.path()).unwrap();
        (scratch, folder)
    }

    #[test]
    fn a_folder_is_made_for_its_user_alone() {
        let (scratch, folder) = scratch();
        let (name, made) = folder.make_unique("tacho-").unwrap();
        let own = rustix::process::geteuid().as_raw();
        assert!(made.is_private_of(own));
        assert!(!made.is_private_of(own + 1));
        let mode = fs::metadata(scratch.path().join(&name)).unwrap().mode();
        assert_eq!(mode & 0o7777, 0o700);
        assert!(folder.make(&name).is_err());
        made.create("a").unwrap();
        folder.remove_folder(&name).unwrap();
        assert!(folder.names().unwrap().is_empty());
    }

    #[test]
    fn what_was_planted_under_a_name_is_neither_followed_nor_overwritten() {
        let (scratch, folder) = scratch();
        let victim = scratch.path().join("victim");
        fs::write(&victim, "root's").unwrap();
        symlink(&victim, scratch.path().join("lease")).unwrap();
        assert_eq!(
            folder.create("lease").unwrap_err().kind(),
            io::ErrorKind::AlreadyExists
        );
        assert!(folder.read("lease", 10).is_err());
        folder.replace("lease", b"ours").unwrap();
        assert_eq!(fs::read(&victim).unwrap(), b"root's");
        assert_eq!(folder.read("lease", 10).unwrap(), b"ours");
        // A folder that is a link is not entered.
        symlink("/etc", scratch.path().join("etc")).unwrap();
        assert!(folder.folder("etc").is_err());
        assert!(folder.remove_folder("etc").is_err());
    }

    #[test]
    fn pipes_folders_and_what_is_too_large_are_refused_at_once() {
        let (scratch, folder) = scratch();
        let pipe = scratch.path().join("pipe");
        let rights = Mode::RUSR | Mode::WUSR;
        rustix::fs::mknodat(rustix::fs::CWD, &pipe, FileType::Fifo, rights, 0).unwrap();
        fs::create_dir(scratch.path().join("folder")).unwrap();
        fs::write(scratch.path().join("large"), "12345").unwrap();
        assert!(folder.read("pipe", 9).is_err());
        assert!(folder.read("folder", 9).is_err());
        let error = folder.read("large", 4).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::FileTooLarge);
        assert_eq!(folder.read("large", 5).unwrap(), b"12345");
    }

    #[test]
    fn no_part_of_a_way_below_is_a_link_with_openat2_and_without() {
        let (scratch, folder) = scratch();
        fs::create_dir_all(scratch.path().join("a/b/c")).unwrap();
        symlink("b", scratch.path().join("a/inside")).unwrap();
        symlink("/etc", scratch.path().join("a/outside")).unwrap();
        symlink("/", scratch.path().join("root")).unwrap();
        let without = |path: &str| walk(folder.fd.as_fd(), Path::new(path), folder_flags());
        for path in ["a", "a/b", "a/b/c"] {
            assert!(folder.below(Path::new(path)).is_ok(), "{path}");
            assert!(without(path).is_ok(), "{path}");
        }
        assert!(folder.below(Path::new("")).is_ok());
        for path in [
            "a/inside",
            "a/inside/c",
            "a/outside",
            "root/etc",
            "..",
            "a/../..",
            "/etc",
        ] {
            assert!(folder.below(Path::new(path)).is_err(), "{path}");
            let walked = without(path);
            assert!(walked.is_err() || path == "/etc", "{path}");
        }
    }

    #[test]
    fn names_have_one_part() {
        let (_scratch, folder) = scratch();
        for name in ["../x", "a/b", "", ".", "..", "a\0b"] {
            assert!(folder.create(name).is_err(), "{name:?}");
            assert!(folder.remove(name).is_err(), "{name:?}");
        }
    }

    #[test]
    fn a_folder_in_the_folder_is_not_entered_when_it_is_removed() {
        let (scratch, folder) = scratch();
        fs::create_dir_all(scratch.path().join("ours/theirs")).unwrap();
        fs::write(scratch.path().join("ours/theirs/file"), "kept").unwrap();
        assert!(folder.remove_folder("ours").is_err());
        assert!(scratch.path().join("ours/theirs/file").exists());
    }
}
