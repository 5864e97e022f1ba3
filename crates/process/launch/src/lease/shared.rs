//! Folders that Tacho shares with a process that it examines. They lie in the file system that the
//! process sees, and belong to its user.

use crate::processes::Process;
use serde::{Deserialize, Serialize};
use std::io;
use std::path::{Path, PathBuf};
use tacho_foreign::{Identity, Root};

/// Locked by the Tacho that made the folder, and later by the agent, which removes the folder.
const LOCKED: &str = "lease";
/// Errors which say that there is nothing of ours in that place.
const NONE: [io::ErrorKind; 4] = [
    io::ErrorKind::DirectoryNotEmpty,
    io::ErrorKind::NotFound,
    io::ErrorKind::NotADirectory,
    io::ErrorKind::PermissionDenied,
];

/// Everything that is needed to find the folder again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shared {
    /// Process id of the examined process, in our own PID namespace.
    pub pid: u32,
    /// Tells it from a later process with the same id; see [`Process::start_time`].
    pub start_time: u64,
    /// Its user. The folder is removed as this user.
    pub user: u32,
    /// Its group, for the same.
    pub group: u32,
    /// Where the folder is, as the process names it.
    pub above: PathBuf,
    /// The folder's own name.
    pub name: String,
    /// Whether this path means the same folder to Tacho, so that it is found without the process.
    pub same_files: bool,
}

impl Shared {
    /// Removes the folder, and returns whether it was there. Anything that the same user may have
    /// put in its place and that is open to others stays.
    pub(super) fn remove(&self, since_boot: bool) -> io::Result<bool> {
        let Some(root) = self.root(since_boot) else {
            return Ok(false);
        };
        let owner = Identity {
            user: self.user,
            group: self.group,
        };
        let removed = owner.act(|| {
            let above = root.folder(&self.above)?;
            let folder = above.folder(&self.name)?;
            match folder.is_private_of(self.user) && !folder.is_locked(LOCKED) {
                true => above.remove_folder(&self.name).map(|()| true),
                false => Ok(false),
            }
        });
        match removed.and_then(|removed| removed) {
            // Nothing is there, or no folder, or one that its user may not enter: none of them is
            // ours. A folder to which somebody writes at this instant still has its agent, which
            // notices when Tacho is gone.
            Err(e) if NONE.contains(&e.kind()) => Ok(false),
            done => done,
        }
    }

    /// The root below which the folder is found now; `None` when its files are gone with the
    /// process.
    fn root(&self, since_boot: bool) -> Option<Root> {
        let lives = || {
            since_boot
                && Process::read(self.pid)
                    .is_some_and(|now| now.start_time == self.start_time && !now.zombie)
        };
        let of_process = lives().then(|| Root::of_process(self.pid).ok()).flatten();
        // The process may have ended since it was checked, and its id may belong to another one.
        match of_process.filter(|_| lives()) {
            Some(root) => Some(root),
            None if self.same_files => Root::at(Path::new("/")).ok(),
            None => None,
        }
    }

    /// The path that is shown to the user.
    pub(super) fn path(&self) -> PathBuf {
        self.above.join(&self.name)
    }
}

#[cfg(test)]
#[path = "shared_tests.rs"]
mod tests;
