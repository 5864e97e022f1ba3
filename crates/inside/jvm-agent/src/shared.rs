//! Files that a JVM and we both see, wherever it runs: in a container, or as another user.
//!
//! The folder of these files belongs to the JVM's user, who can rename, replace or link anything in
//! it. So everything is done through folder descriptors and as that user (`tacho-foreign`), and
//! only regular files of limited size are read.

use crate::error::AgentError;
use rustix::process::Pid;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use tacho_attach::Jvm;
use tacho_foreign::{Folder, Identity};
use tacho_launch::{Lease, Shared};

/// Characters that separate words of a diagnostic command or options of an agent.
const SEPARATORS: [char; 5] = [',', ' ', '"', '\'', '\n'];
/// A file in the folder that its creator keeps locked.
const LEASE: &str = "lease";
pub(crate) const TMP: &str = "/tmp";

/// A folder of mode 0700 that is the JVM's user's; removed with the files in it when dropped.
#[derive(Debug)]
pub struct SharedFolder {
    beside: Folder,
    folder: Folder,
    name: String,
    inside: PathBuf,
    owner: Identity,
    /// Locked as long as this lives. An agent leaves the JVM when the lock is free.
    _lease: File,
}

impl SharedFolder {
    /// Creates a folder: below `folder` if the JVM can see that, else below its `/tmp`. Its name
    /// consists of `kind`, the JVM's process id, ours, `more`, and an unguessable end. Removes
    /// folders of the same kind that a Tacho which is gone left for the same JVM. If a `lease` is
    /// given, the folder is entered there before it is created; without one, the caller's own guard
    /// has to remove it.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn make(
        jvm: &Jvm,
        folder: &Path,
        kind: &str,
        more: &str,
        lease: Option<&mut Lease>,
    ) -> Result<Self, AgentError> {
        let (above, place) = place_of(jvm, folder)?;
        let of_jvm = format!("{kind}-{}-", jvm.pid());
        let beginning = format!("{of_jvm}{}{more}-", std::process::id());
        let name = tacho_foreign::unique(&beginning);
        if let Some(lease) = lease {
            lease.add_shared(in_lease(jvm, &place, &name))?;
        }
        let made = jvm.as_its_user(|| {
            sweep(&above, &of_jvm, jvm.identity());
            let folder = above.make(&name)?;
            let lease = folder.create(LEASE).and_then(lock);
            if lease.is_err() {
                let _ = above.remove_folder(&name);
            }
            Ok((folder, lease?))
        })?;
        let (folder, lease) = made.map_err(AgentError::file(&place))?;
        Ok(Self {
            beside: above,
            inside: place.join(&name),
            folder,
            name,
            owner: jvm.identity(),
            _lease: lease,
        })
    }

    /// The path of a file in it, as the JVM sees it.
    #[must_use]
    pub fn inside(&self, name: &str) -> PathBuf {
        self.inside.join(name)
    }

    /// The path of the folder, as the JVM sees it.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.inside
    }

    /// The disk space that the JVM may still use there.
    ///
    /// # Errors
    /// When the system does not say.
    pub fn free_bytes(&self) -> io::Result<u64> {
        self.folder.free_bytes()
    }

    /// Puts a file into it, whole, that the JVM may read.
    ///
    /// # Errors
    /// When there is no room.
    pub fn write(&self, name: &str, content: &[u8]) -> Result<(), AgentError> {
        self.act(name, || self.folder.replace(name, content))
    }

    /// What the JVM has written; `None` when there is nothing of that name.
    ///
    /// # Errors
    /// When it is no regular file, or has more than `limit` bytes.
    pub fn read(&self, name: &str, limit: u64) -> Result<Option<Vec<u8>>, AgentError> {
        self.act(name, || self.read_here(name, limit))
    }

    /// Opens what the JVM has written; `None` when there is nothing of that name.
    ///
    /// # Errors
    /// When it is no regular file.
    pub fn open(&self, name: &str) -> Result<Option<File>, AgentError> {
        self.act(name, || found(self.folder.open(name)))
    }

    /// Removes a file; whether it was there.
    pub fn remove(&self, name: &str) -> bool {
        self.act(name, || self.folder.remove(name)).is_ok()
    }

    /// Runs something longer as the JVM's user, in one thread instead of one thread per access.
    pub(crate) fn as_its_user<T: Send>(&self, act: impl FnOnce() -> T + Send) -> io::Result<T> {
        self.owner.act(act)
    }

    /// Like [`SharedFolder::read`], for a caller that already acts as the JVM's user.
    pub(crate) fn read_here(&self, name: &str, limit: u64) -> io::Result<Option<Vec<u8>>> {
        found(self.folder.read(name, limit))
    }

    fn act<T: Send>(
        &self,
        name: &str,
        act: impl FnOnce() -> io::Result<T> + Send,
    ) -> Result<T, AgentError> {
        let done = self.owner.act(act).and_then(|done| done);
        done.map_err(AgentError::file(self.inside(name)))
    }
}

impl Drop for SharedFolder {
    fn drop(&mut self) {
        let _ = self.owner.act(|| self.beside.remove_folder(&self.name));
    }
}

/// The folder that another Tacho shares with a JVM. It is remembered so that it can be removed when
/// that Tacho is gone. Dropping this does nothing.
#[derive(Debug)]
pub struct OthersFolder {
    beside: Folder,
    name: String,
    owner: Identity,
}

impl OthersFolder {
    /// Finds it by its path as the JVM sees it ([`SharedFolder::path`]).
    ///
    /// # Errors
    /// When there is none that is the JVM's user's alone.
    pub fn find(jvm: &Jvm, path: &Path) -> Result<Self, AgentError> {
        let none = || AgentError::file(path)(io::ErrorKind::NotFound.into());
        let (above, name) = path.parent().zip(path.file_name()).ok_or_else(none)?;
        let name = name.to_str().ok_or_else(none)?.to_owned();
        let owner = jvm.identity();
        let (beside, _) = place_of(jvm, above)?;
        let is_private = jvm.as_its_user(|| {
            let folder = beside.folder(&name)?;
            Ok(folder.is_private_of(owner.user))
        })?;
        match is_private.map_err(AgentError::file(path))? {
            true => Ok(Self {
                beside,
                name,
                owner,
            }),
            false => Err(none()),
        }
    }

    /// Removes it with the files in it.
    pub fn remove(self) {
        // If this fails, the next Tacho tries again.
        let _ = self.owner.act(|| self.beside.remove_folder(&self.name));
    }
}

/// Where folders shared with a JVM are: in the wished folder if the JVM runs as our user and sees
/// the same files; else in its `/tmp`, because another user or a container may not reach our
/// folders.
fn place_of(jvm: &Jvm, wished: &Path) -> Result<(Folder, PathBuf), AgentError> {
    let ours = jvm.shares_files() && jvm.identity() == Identity::own();
    let plain = |path: &Path| path.to_str().is_some_and(|path| !path.contains(SEPARATORS));
    let wished = wished.canonicalize().ok();
    match wished.filter(|path| ours && plain(path)) {
        Some(path) => {
            let folder = Folder::open_path(&path).map_err(AgentError::file(&path))?;
            Ok((folder, path))
        }
        None => Ok((tmp(jvm)?, PathBuf::from(TMP))),
    }
}

fn in_lease(jvm: &Jvm, place: &Path, name: &str) -> Shared {
    Shared {
        pid: jvm.pid(),
        start_time: jvm.start_ticks(),
        user: jvm.identity().user,
        group: jvm.identity().group,
        above: place.to_owned(),
        name: name.to_owned(),
        same_files: jvm.shares_files(),
    }
}

fn tmp(jvm: &Jvm) -> Result<Folder, AgentError> {
    let path = Path::new(TMP);
    let opened = jvm.as_its_user(|| jvm.root().folder(path))?;
    opened.map_err(AgentError::file(path))
}

fn lock(lease: File) -> io::Result<File> {
    use rustix::fs::{FlockOperation, fcntl_lock};
    fcntl_lock(&lease, FlockOperation::NonBlockingLockExclusive)?;
    Ok(lease)
}

/// Removes folders left by a Tacho that is gone: no process has its number, and nobody holds the
/// lease. (The number may belong to another process by now, or to another PID namespace.)
fn sweep(above: &Folder, of_jvm: &str, owner: Identity) {
    for name in above.names().unwrap_or_default() {
        let left = left_by(&name, of_jvm).is_some_and(|tacho| !exists(tacho));
        if left && above.folder(&name).is_ok_and(|f| is_abandoned(&f, owner)) {
            let _ = above.remove_folder(&name);
        }
    }
}

/// The Tacho whose folder has this name.
fn left_by(name: &str, of_jvm: &str) -> Option<u32> {
    let (tacho, _) = name.strip_prefix(of_jvm)?.split_once('-')?;
    tacho.parse().ok()
}

fn exists(pid: u32) -> bool {
    let pid = i32::try_from(pid).ok().and_then(Pid::from_raw);
    pid.is_some_and(|pid| rustix::process::test_kill_process(pid) != Err(rustix::io::Errno::SRCH))
}

fn is_abandoned(folder: &Folder, owner: Identity) -> bool {
    folder.is_private_of(owner.user) && !folder.is_locked(LEASE)
}

fn found<T>(read: io::Result<T>) -> io::Result<Option<T>> {
    match read {
        Ok(read) => Ok(Some(read)),
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(e) => Err(e),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_says_whose_it_was() {
        assert_eq!(left_by("tacho-4711-12-0af", "tacho-4711-"), Some(12));
        for other in ["tacho-471-12-0", "tacho-4711-x-0", "tacho-4711-12", "a"] {
            assert_eq!(left_by(other, "tacho-4711-"), None, "{other}");
        }
    }

    #[test]
    fn what_the_dead_have_left_is_removed_and_what_the_living_hold_is_not() {
        let scratch = tempfile::tempdir().unwrap();
        let above = Folder::open_path(scratch.path()).unwrap();
        let own = Identity::own();
        // No process has this number: it is above the greatest that the kernel gives.
        let dead = "tacho-1-4194305-a";
        above.make(dead).unwrap().create(LEASE).unwrap();
        let ours = format!("tacho-1-{}-b", std::process::id());
        above.make(&ours).unwrap();
        let of_other = "tacho-2-4194305-c";
        above.make(of_other).unwrap();
        sweep(&above, "tacho-1-", own);
        let mut left = above.names().unwrap();
        left.sort();
        assert_eq!(left, [ours, of_other.to_owned()]);
    }
}
