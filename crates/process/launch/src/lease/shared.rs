//! Folders that Tacho shares with a process that it looks into: below the files of that process,
//! and its user's.

use crate::processes::Process;
use serde::{Deserialize, Serialize};
use std::io;
use std::path::{Path, PathBuf};
use tacho_foreign::{Identity, Root};

/// Locked by the Tacho that made the folder, and then by the agent, which removes it.
const LOCKED: &str = "lease";
/// What says that there is nothing of ours.
const NONE: [io::ErrorKind; 4] = [
    io::ErrorKind::DirectoryNotEmpty,
    io::ErrorKind::NotFound,
    io::ErrorKind::NotADirectory,
    io::ErrorKind::PermissionDenied,
];

/// Everything that is needed to find it again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shared {
    /// Process id of the one that is looked into, in our own PID namespace.
    pub pid: u32,
    /// What tells it from a later one of that number; see [`Process::start_time`].
    pub start_time: u64,
    /// Its user, as whom the folder is removed.
    pub user: u32,
    /// Its group, for the same.
    pub group: u32,
    /// Where the folder is, as the process names it.
    pub above: PathBuf,
    /// The folder's own name.
    pub name: String,
    /// Whether that path means the same to us, so that it is found without the process.
    pub same_files: bool,
}

impl Shared {
    /// Removes it; whether it was there. What the same user may have put in its place, open to
    /// others, is left alone.
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
            // Nothing, no folder, or one that its user may not enter: none of ours. One that is
            // written to at this instant has its agent, who looks whether we are gone.
            Err(e) if NONE.contains(&e.kind()) => Ok(false),
            done => done,
        }
    }

    /// As it is reached now; `None` when its files went with the process.
    fn root(&self, since_boot: bool) -> Option<Root> {
        let lives = || {
            since_boot
                && Process::read(self.pid)
                    .is_some_and(|now| now.start_time == self.start_time && !now.zombie)
        };
        let of_process = lives().then(|| Root::of_process(self.pid).ok()).flatten();
        // It may have ended, and its number be another's, since it was looked at.
        match of_process.filter(|_| lives()) {
            Some(root) => Some(root),
            None if self.same_files => Root::at(Path::new("/")).ok(),
            None => None,
        }
    }

    /// As the user is told it.
    pub(super) fn path(&self) -> PathBuf {
        self.above.join(&self.name)
    }
}

#[cfg(test)]
#[path = "shared_tests.rs"]
mod tests;
