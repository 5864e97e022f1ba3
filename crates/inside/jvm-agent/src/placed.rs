//! Files of ours that a JVM loads: one for each version and user. So a JVM that is inspected a
//! thousand times gets one entry on its class path, and one library, and not a thousand.
//!
//! On this machine's own file system the files stay. In a container nothing stays, because its
//! `/tmp` may be memory that counts against its limit. There, every user of a file holds a lock on
//! it (flock(2)), and the last one removes it. The JVM keeps open what it has loaded, and finds it
//! again by its path.

use crate::error::AgentError;
use crate::shared::TMP;
use rustix::fs::{FlockOperation, flock};
use std::fs::File;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tacho_attach::Jvm;
use tacho_foreign::{Folder, Identity};

/// After this time, a partly written file of some 100 KB is abandoned.
const HALF_WRITTEN: Duration = Duration::from_secs(600);
/// Number of tries while another Tacho removes the file and its folder.
const TRIES: u32 = 40;
const AGAIN: Duration = Duration::from_millis(5);

/// What becomes of the file when nobody uses it any more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Afterwards {
    /// It stays on this machine's own file system, and is removed from any other.
    GoesElsewhere,
    /// It stays everywhere, because the loader would take a new file for another library.
    Stays,
}

/// A file that the JVM may load, for as long as this lives.
#[derive(Debug)]
pub struct Placed {
    path: PathBuf,
    /// Absent for one that stays.
    _lent: Option<Lent>,
}

impl Placed {
    /// The path as the JVM sees it.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// Puts a file where the JVM can see it: below its `/tmp`, in a folder that only its user can
/// access.
///
/// # Errors
/// When it cannot be written.
pub fn place(
    jvm: &Jvm,
    name: &str,
    content: &[u8],
    afterwards: Afterwards,
) -> Result<Placed, AgentError> {
    let mut goes = !jvm.shares_files() && afterwards == Afterwards::GoesElsewhere;
    let usual = folder_name(jvm.identity());
    let failed = AgentError::file(Path::new(TMP).join(&usual).join(name));
    let mut tries = 0;
    let placed = jvm.as_its_user(|| {
        loop {
            let above = jvm.root().folder(Path::new(TMP))?;
            let goes_as = goes.then(|| jvm.identity());
            match place_in(above, &usual, name, content, goes_as) {
                Ok(Some(placed)) => return Ok(placed),
                // Some other program keeps it locked: leave the file there.
                Ok(None) if tries > TRIES => goes = false,
                Err(e) if e.kind() != io::ErrorKind::NotFound || tries > TRIES => return Err(e),
                Ok(None) | Err(_) => std::thread::sleep(AGAIN),
            }
            tries += 1;
        }
    })?;
    placed.map_err(failed)
}

/// Removes a file whose Tacho is gone, unless another Tacho uses the file. Does nothing for files
/// that stay.
pub fn remove_left(jvm: &Jvm, path: &Path) {
    if jvm.shares_files() {
        return;
    }
    let owner = jvm.identity();
    let left = || {
        let name = path.file_name()?.to_str()?.to_owned();
        let within = path.parent()?.strip_prefix(TMP).ok()?.to_str()?.to_owned();
        let above = jvm.root().folder(Path::new(TMP)).ok()?;
        let folder = above.folder(&within).ok()?;
        let file = folder.open(&name).ok()?;
        let is_ours = within.starts_with(&folder_name(owner)) && folder.is_private_of(owner.user);
        is_ours.then_some(Lent {
            above,
            within,
            folder,
            name,
            file,
            owner,
        })
    };
    // Dropping it removes the file.
    let _ = jvm.as_its_user(|| drop(left()));
}

fn folder_name(owner: Identity) -> String {
    format!(".tacho-agent-{}", owner.user)
}

/// `None` when another Tacho was just removing it.
fn place_in(
    above: Folder,
    usual: &str,
    name: &str,
    content: &[u8],
    goes_as: Option<Identity>,
) -> io::Result<Option<Placed>> {
    let (folder, within) = private_folder(&above, usual, Identity::own().user)?;
    sweep_half_written(&folder, name);
    let length = content.len() as u64;
    if !folder
        .read(name, length)
        .is_ok_and(|bytes| bytes == content)
    {
        folder.replace(name, content)?;
    }
    let path = Path::new(TMP).join(&within).join(name);
    let Some(owner) = goes_as else {
        return Ok(Some(Placed { path, _lent: None }));
    };
    let lent = Lent {
        file: folder.open(name)?,
        above,
        within,
        folder,
        name: name.to_owned(),
        owner,
    };
    let is_held = flock(&lent.file, FlockOperation::NonBlockingLockShared).is_ok();
    // The lock is on the opened file. Check that the name still refers to it.
    Ok((is_held && lent.is_in_place()).then_some(Placed {
        path,
        _lent: Some(lent),
    }))
}

/// A file that is removed by its last user.
#[derive(Debug)]
struct Lent {
    above: Folder,
    within: String,
    folder: Folder,
    name: String,
    /// Locked by all who use it.
    file: File,
    owner: Identity,
}

impl Lent {
    fn is_in_place(&self) -> bool {
        self.folder
            .open(&self.name)
            .is_ok_and(|now| is_same(&now, &self.file))
    }

    /// Call this as the file's owner.
    fn remove_if_last(&self) {
        let is_last = flock(&self.file, FlockOperation::NonBlockingLockExclusive).is_ok();
        if is_last && self.is_in_place() {
            let _ = self.folder.remove(&self.name);
            // Fails if the folder holds anything else, which is fine.
            let _ = self.above.remove_empty_folder(&self.within);
        }
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        let _ = self.owner.act(|| self.remove_if_last());
    }
}

fn is_same(one: &File, other: &File) -> bool {
    let id = |file: &File| file.metadata().ok().map(|facts| (facts.dev(), facts.ino()));
    id(one).is_some() && id(one) == id(other)
}

/// Removes files that a killed Tacho left half written.
fn sweep_half_written(folder: &Folder, name: &str) {
    for left in folder.names().unwrap_or_default() {
        let is_half = left
            .strip_prefix(name)
            .is_some_and(|rest| rest.starts_with('.'));
        if is_half && folder.is_untouched_for(&left, HALF_WRITTEN) {
            let _ = folder.remove(&left);
        }
    }
}

/// The folder of this name. If another user has created it first, a folder with an unguessable
/// name, which stays as well.
fn private_folder(above: &Folder, name: &str, user: u32) -> io::Result<(Folder, String)> {
    let folder = match above.make(name) {
        Err(e) if e.kind() == io::ErrorKind::AlreadyExists => above.folder(name),
        made => made,
    };
    match folder {
        Ok(folder) if folder.is_private_of(user) => Ok((folder, name.to_owned())),
        // It was removed just now.
        Err(e) if e.kind() == io::ErrorKind::NotFound => Err(e),
        _ => above
            .make_unique(&format!("{name}-"))
            .map(|(name, folder)| (folder, name)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAME: &str = "agent.jar";

    fn placed(scratch: &tempfile::TempDir, goes: bool) -> Placed {
        let above = Folder::open_path(scratch.path()).unwrap();
        let goes_as = goes.then(Identity::own);
        let placed = place_in(above, "ours", NAME, b"PK", goes_as).unwrap();
        placed.expect("nobody removes it")
    }

    #[test]
    fn the_last_one_who_uses_a_file_removes_it_and_its_folder() {
        let scratch = tempfile::tempdir().unwrap();
        let ours = scratch.path().join("ours");
        let first = placed(&scratch, true);
        assert_eq!(first.path(), Path::new("/tmp/ours/agent.jar"));
        let second = placed(&scratch, true);
        drop(first);
        assert_eq!(std::fs::read(ours.join(NAME)).unwrap(), b"PK");
        drop(second);
        assert!(!ours.exists());
    }

    #[test]
    fn a_file_that_is_to_stay_stays_and_so_does_what_lies_beside_one_that_goes() {
        let scratch = tempfile::tempdir().unwrap();
        drop(placed(&scratch, false));
        assert!(scratch.path().join("ours").join(NAME).exists());
        let beside = scratch.path().join("ours/other.so");
        std::fs::write(&beside, "").unwrap();
        drop(placed(&scratch, true));
        assert!(!scratch.path().join("ours").join(NAME).exists());
        assert!(beside.exists());
    }

    #[test]
    fn what_has_come_in_its_place_is_not_removed() {
        let scratch = tempfile::tempdir().unwrap();
        let file = scratch.path().join("ours").join(NAME);
        let first = placed(&scratch, true);
        std::fs::remove_file(&file).unwrap();
        std::fs::write(&file, "another").unwrap();
        drop(first);
        assert_eq!(std::fs::read(&file).unwrap(), b"another");
    }

    #[test]
    fn a_file_that_is_being_removed_is_not_used() {
        let scratch = tempfile::tempdir().unwrap();
        drop(placed(&scratch, false));
        let removing = File::open(scratch.path().join("ours").join(NAME)).unwrap();
        flock(&removing, FlockOperation::NonBlockingLockExclusive).unwrap();
        let above = Folder::open_path(scratch.path()).unwrap();
        let used = place_in(above, "ours", NAME, b"PK", Some(Identity::own())).unwrap();
        assert!(used.is_none());
    }

    #[test]
    fn what_was_half_written_long_ago_is_removed() {
        let scratch = tempfile::tempdir().unwrap();
        let folder = Folder::open_path(scratch.path()).unwrap();
        let long_ago = std::time::SystemTime::now() - 2 * HALF_WRITTEN;
        for (name, is_old) in [
            ("agent.jar", true),
            ("agent.jar.0af", true),
            ("agent.jar.1b2", false),
            ("other.jar.3c4", true),
        ] {
            let file = folder.create(name).unwrap();
            if is_old {
                file.set_modified(long_ago).unwrap();
            }
        }
        sweep_half_written(&folder, "agent.jar");
        let mut left = folder.names().unwrap();
        left.sort();
        assert_eq!(left, ["agent.jar", "agent.jar.1b2", "other.jar.3c4"]);
    }

    #[test]
    fn where_another_was_first_a_name_is_taken_that_he_could_not_guess() {
        let scratch = tempfile::tempdir().unwrap();
        let above = Folder::open_path(scratch.path()).unwrap();
        let user = Identity::own().user;
        let (_, name) = private_folder(&above, "usual", user).unwrap();
        assert_eq!(name, "usual");
        assert_eq!(private_folder(&above, "usual", user).unwrap().1, "usual");
        std::fs::create_dir(scratch.path().join("taken")).unwrap();
        let (_, name) = private_folder(&above, "taken", user).unwrap();
        assert!(name.starts_with("taken-") && name.len() > 12, "{name}");
    }
}
