//! The file system tree that a process sees, held by a descriptor of its root folder.

use crate::folder::Folder;
use crate::regular::{CAREFULLY, checked};
use rustix::fd::{AsFd, OwnedFd};
use rustix::fs::{Mode, OFlags, ResolveFlags, fstat, open, openat, openat2};
use rustix::io::Errno;
use std::fs::File;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

/// A root folder.
#[derive(Debug, Clone)]
pub struct Root {
    folder: Arc<OwnedFd>,
}

impl Root {
    /// The root of a process, through `/proc/PID/root`. This leads into its mount namespace
    /// whatever the process does to its names (proc_pid_root(5)).
    ///
    /// # Errors
    /// When the process has ended, or we may not look into it.
    pub fn of_process(pid: u32) -> io::Result<Self> {
        Self::at(&PathBuf::from(format!("/proc/{pid}/root")))
    }

    /// Any folder as a root.
    ///
    /// # Errors
    /// When it is none.
    pub fn at(path: &Path) -> io::Result<Self> {
        let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
        Ok(Self {
            folder: Arc::new(open(path, flags, Mode::empty())?),
        })
    }

    /// Whether this is the root folder of Tacho's own process: the same device and inode.
    #[must_use]
    pub fn is_ours(&self) -> bool {
        let id = |fd: &OwnedFd| fstat(fd).ok().map(|stat| (stat.st_dev, stat.st_ino));
        Self::at(Path::new("/")).is_ok_and(|own| {
            let (ours, theirs) = (id(&own.folder), id(&self.folder));
            ours.is_some() && ours == theirs
        })
    }

    /// Opens a folder in this tree. Links are followed as the process itself would follow them, so
    /// they never lead out of the tree.
    ///
    /// # Errors
    /// When there is none, or a link goes through `/proc` (magic links).
    pub fn folder(&self, path: &Path) -> io::Result<Folder> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        Ok(Folder::of(self.open_in_root(path, flags)?))
    }

    /// A regular file in it, for reading. Links are followed inside its tree.
    ///
    /// # Errors
    /// When there is none, or it is anything else.
    pub fn open_regular(&self, path: &Path) -> io::Result<File> {
        let flags = (OFlags::RDONLY | CAREFULLY).difference(OFlags::NOFOLLOW);
        checked(self.open_in_root(path, flags)?.into())
    }

    fn open_in_root(&self, path: &Path, flags: OFlags) -> io::Result<OwnedFd> {
        let path = relative(path);
        let resolve = ResolveFlags::IN_ROOT | ResolveFlags::NO_MAGICLINKS;
        match openat2(&*self.folder, &path, flags, Mode::empty(), resolve) {
            Ok(fd) => Ok(fd),
            // Linux before 5.6, or a filter of system calls that does not know the number.
            Err(Errno::NOSYS | Errno::PERM) => walk(self.folder.as_fd(), &path, flags),
            Err(error) => Err(error.into()),
        }
    }
}

/// A name below a folder; `..` at the top stays there, as in a root (path_resolution(7)).
fn relative(path: &Path) -> PathBuf {
    let path = path.strip_prefix("/").unwrap_or(path);
    match path.as_os_str().is_empty() {
        true => PathBuf::from("."),
        false => path.to_owned(),
    }
}

/// Opens a path part by part, without following any link. This is stricter than the process itself
/// would be, and safe without openat2.
pub(crate) fn walk(
    root: rustix::fd::BorrowedFd<'_>,
    path: &Path,
    flags: OFlags,
) -> io::Result<OwnedFd> {
    let mut parts = path
        .components()
        .filter(|part| !matches!(part, Component::CurDir | Component::RootDir))
        .peekable();
    let on_the_way = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC | OFlags::NOFOLLOW;
    let mut at = openat(root, ".", on_the_way, Mode::empty())?;
    if parts.peek().is_none() {
        return Ok(openat(root, ".", flags, Mode::empty())?);
    }
    while let Some(part) = parts.next() {
        let Component::Normal(name) = part else {
            return Err(io::ErrorKind::InvalidInput.into());
        };
        let flags = match parts.peek() {
            Some(_) => on_the_way,
            None => flags | OFlags::NOFOLLOW,
        };
        at = openat(&at, name.as_bytes(), flags, Mode::empty())?;
    }
    Ok(at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::symlink;

    /// A tree with links that lead out of it, and what they lead to.
    fn tree() -> (tempfile::TempDir, tempfile::TempDir, Root) {
        let outside = tempfile::tempdir().unwrap();
        fs::write(outside.path().join("secret"), "root's").unwrap();
        let inside = tempfile::tempdir().unwrap();
        symlink(outside.path(), inside.path().join("tmp")).unwrap();
        symlink("../../../../../../etc", inside.path().join("up")).unwrap();
        fs::create_dir(inside.path().join("real")).unwrap();
        fs::write(inside.path().join("real/file"), "theirs").unwrap();
        symlink("/real", inside.path().join("link")).unwrap();
        let root = Root::at(inside.path()).unwrap();
        (outside, inside, root)
    }

    #[test]
    fn no_link_leads_out_of_the_tree() {
        let (_outside, _inside, root) = tree();
        for path in ["/tmp/secret", "up/passwd", "/../etc/passwd", "/tmp"] {
            assert!(root.open_regular(Path::new(path)).is_err(), "{path}");
            assert!(root.folder(Path::new(path)).is_err(), "{path}");
        }
    }

    #[test]
    fn links_inside_the_tree_lead_where_the_process_would_go() {
        let (_outside, _inside, root) = tree();
        let file = root.open_regular(Path::new("/link/file")).unwrap();
        assert_eq!(io::read_to_string(file).unwrap(), "theirs");
        assert!(root.folder(Path::new("/link")).is_ok());
    }

    #[test]
    fn without_openat2_no_link_is_followed_at_all() {
        let (_outside, _inside, root) = tree();
        let flags = OFlags::RDONLY | OFlags::CLOEXEC;
        let go = |path: &str| walk(root.folder.as_fd(), &relative(Path::new(path)), flags);
        assert!(go("/real/file").is_ok());
        assert!(go("/").is_ok());
        for path in ["/tmp/secret", "link/file", "/real/../../x", "up/passwd"] {
            assert!(go(path).is_err(), "{path}");
        }
    }

    #[test]
    fn a_way_through_proc_is_none() {
        let inside = tempfile::tempdir().unwrap();
        let root = Root::at(Path::new("/")).unwrap();
        symlink("/proc/self/root/etc", inside.path().join("magic")).unwrap();
        let through = inside.path().join("magic/passwd");
        assert!(root.open_regular(&through).is_err());
    }

    #[test]
    fn our_own_root_is_told_from_another() {
        assert!(Root::of_process(std::process::id()).unwrap().is_ours());
        assert!(!Root::at(&std::env::temp_dir()).unwrap().is_ours());
    }
}
