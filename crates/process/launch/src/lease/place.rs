//! Where leases are kept: a folder to which only its owner can write.

use super::LeaseError;
use std::fs::{self, DirBuilder};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};

/// A folder of leases.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeaseFolder {
    path: PathBuf,
}

impl LeaseFolder {
    /// Makes the first of the [places](Self::all) that is usable.
    pub(super) fn take() -> Result<Taken, LeaseError> {
        let mut refused = None;
        let with_random_name = |parent: PathBuf| {
            let name = format!("{}{}/leases", Self::prefix(), random());
            Self::at(&parent.join(name))
        };
        let others = Self::temporary_folders().into_iter();
        // A folder that is open to all may hold thousands of names. It is read only when no earlier
        // place is usable.
        let found = std::iter::once_with(Self::with_random_names).flatten();
        let places = Self::fixed().into_iter().chain(found);
        for folder in places.chain(others.map(with_random_name)) {
            match folder.make() {
                Ok(()) => return Ok(Taken { folder, refused }),
                Err(error) => {
                    refused.get_or_insert(error);
                }
            }
        }
        // There is always a place in `/tmp` to be tried.
        Err(refused.unwrap_or_else(|| LeaseError::NotOurs(std::env::temp_dir())))
    }

    /// Where leases may be, the best place first. A killed Tacho may have been started from another
    /// kind of session than the present one.
    ///
    /// 1. `$XDG_RUNTIME_DIR/tacho/leases`, which the system empties when the user logs out;
    /// 2. `/tmp/tacho-<uid>/leases`;
    /// 3. where somebody else has made that folder first: below `/run`, to which only root and the
    ///    session write, or below `$XDG_STATE_HOME`;
    /// 4. a folder with a random name, in a folder that is open to all. It is found again by its
    ///    owner.
    pub(super) fn all() -> Vec<Self> {
        let mut all = Self::fixed();
        for folder in Self::with_random_names() {
            if !all.contains(&folder) {
                all.push(folder);
            }
        }
        all
    }

    /// The places with fixed names.
    fn fixed() -> Vec<Self> {
        let uid = rustix::process::geteuid().as_raw();
        let mut all: Vec<Self> = Self::of_session().into_iter().collect();
        all.push(Self::temporary());
        if uid == 0 {
            all.push(Self::at(Path::new("/run/tacho/leases")));
        }
        let of_user = PathBuf::from(format!("/run/user/{uid}"));
        if of_user.is_dir() {
            all.push(Self::at(&of_user.join("tacho/leases")));
        }
        let state = variable("XDG_STATE_HOME")
            .or_else(|| variable("HOME").map(|home| home.join(".local/state")));
        all.extend(state.map(|state| Self::at(&state.join("tacho/leases"))));
        let mut seen = Vec::new();
        all.retain(|folder| {
            let new = !seen.contains(folder);
            seen.push(folder.clone());
            new
        });
        all
    }

    /// Places with a random name. Folders with such a name that belong to other users are skipped.
    fn with_random_names() -> Vec<Self> {
        let prefix = Self::prefix();
        Self::temporary_folders()
            .iter()
            .filter_map(|folder| fs::read_dir(folder).ok())
            .flat_map(|entries| entries.flatten())
            .filter(|entry| {
                let name = entry.file_name();
                name.to_str().is_some_and(|name| name.starts_with(&prefix))
            })
            .map(|entry| Self::at(&entry.path().join("leases")))
            .filter(|folder| folder.check().is_ok())
            .collect()
    }

    fn temporary_folders() -> Vec<PathBuf> {
        let mut folders = vec![PathBuf::from("/tmp"), std::env::temp_dir()];
        folders.dedup();
        folders
    }

    fn prefix() -> String {
        format!("tacho-{}-", rustix::process::geteuid().as_raw())
    }

    /// A folder of the caller's choice.
    #[must_use]
    pub fn at(path: &Path) -> Self {
        Self {
            path: path.to_owned(),
        }
    }

    fn of_session() -> Option<Self> {
        let runtime = variable("XDG_RUNTIME_DIR")?;
        runtime
            .is_dir()
            .then(|| Self::at(&runtime.join("tacho/leases")))
    }

    /// Where it is usually.
    pub(super) fn temporary() -> Self {
        let uid = rustix::process::geteuid().as_raw();
        Self::at(Path::new(&format!("/tmp/tacho-{uid}/leases")))
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Makes it, for its owner alone.
    pub(super) fn make(&self) -> Result<(), LeaseError> {
        let make = |path: &Path| {
            DirBuilder::new()
                .recursive(true)
                .mode(0o700)
                .create(path)
                .map_err(|source| LeaseError::Io {
                    path: path.to_owned(),
                    source,
                })
        };
        if let Some(above) = self.path.parent() {
            if facts(above).is_err() {
                make(above)?;
            }
            check_above(above)?;
        }
        make(&self.path)?;
        self.check()
    }

    /// Checks the owner. `/tmp` is open to all: a folder that somebody else made there could name
    /// processes and groups that are not ours.
    pub(super) fn check(&self) -> Result<(), LeaseError> {
        let us = rustix::process::geteuid().as_raw();
        let folder = facts(&self.path)?;
        let ours = folder.is_dir() && folder.uid() == us && folder.mode() & 0o022 == 0;
        if !ours {
            return Err(LeaseError::NotOurs(self.path.clone()));
        }
        match self.path.parent() {
            Some(above) => check_above(above),
            None => Ok(()),
        }
    }

    /// Whether somebody else has put something in its place.
    pub(super) fn is_foreign(&self) -> bool {
        let above = self.path.parent().map(check_above);
        [above, Some(self.check())]
            .into_iter()
            .flatten()
            .any(|checked| matches!(checked, Err(LeaseError::NotOurs(_))))
    }

    /// The leases in it; none when there is no such folder.
    pub(super) fn leases(&self) -> io::Result<Vec<PathBuf>> {
        let entries = match fs::read_dir(&self.path) {
            Ok(entries) => entries,
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(e) => return Err(e),
        };
        Ok(entries
            .flatten()
            .map(|entry| entry.path())
            .filter(|path| path.extension().is_some_and(|e| e == "lease"))
            .collect())
    }
}

/// The folder for new leases.
pub(super) struct Taken {
    pub(super) folder: LeaseFolder,
    /// Why the best place could not be used; `None` when this is the best place.
    pub(super) refused: Option<LeaseError>,
}

/// Refuses a parent folder in which another user could replace ours: one that another user owns, or
/// that others may write to without a sticky bit.
fn check_above(above: &Path) -> Result<(), LeaseError> {
    const STICKY: u32 = 0o1000;
    let us = rustix::process::geteuid().as_raw();
    let facts = facts(above)?;
    let ours = facts.is_dir()
        && [0, us].contains(&facts.uid())
        && (facts.mode() & 0o022 == 0 || facts.mode() & STICKY != 0);
    match ours {
        true => Ok(()),
        false => Err(LeaseError::NotOurs(above.to_owned())),
    }
}

fn facts(path: &Path) -> Result<fs::Metadata, LeaseError> {
    fs::symlink_metadata(path).map_err(|source| LeaseError::Io {
        path: path.to_owned(),
        source,
    })
}

/// The folder that an environment variable names.
fn variable(name: &str) -> Option<PathBuf> {
    let path = PathBuf::from(std::env::var_os(name)?);
    path.is_absolute().then_some(path)
}

/// A name that nobody can have taken before, by the kernel's own generator (random(4)).
pub(super) fn random() -> String {
    fs::read_to_string("/proc/sys/kernel/random/uuid").map_or_else(
        |_| format!("{:x}", tacho_clock::monotonic_ns()),
        |uuid| uuid.trim().to_owned(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn only_the_owner_may_look_inside() {
        let scratch = tempfile::tempdir().unwrap();
        let folder = LeaseFolder::at(&scratch.path().join("a/leases"));
        folder.make().unwrap();
        let mode = fs::metadata(folder.path()).unwrap().mode();
        assert_eq!(mode & 0o777, 0o700);
    }

    #[test]
    fn a_folder_that_others_can_write_is_not_trusted() {
        let scratch = tempfile::tempdir().unwrap();
        let folder = LeaseFolder::at(scratch.path());
        fs::set_permissions(scratch.path(), fs::Permissions::from_mode(0o777)).unwrap();
        assert!(matches!(folder.make(), Err(LeaseError::NotOurs(_))));
    }

    #[test]
    fn a_link_to_a_folder_is_not_trusted() {
        let scratch = tempfile::tempdir().unwrap();
        let link = scratch.path().join("link");
        std::os::unix::fs::symlink(scratch.path(), &link).unwrap();
        assert!(LeaseFolder::at(&link).check().is_err());
    }
}
