//! Where leases lie: a folder that only their owner can write.

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
    /// `$XDG_RUNTIME_DIR/tacho/leases`, which the system empties when the user logs out, or else
    /// `/tmp/tacho-<uid>/leases`.
    #[must_use]
    pub fn usual() -> Self {
        Self::of_session().unwrap_or_else(Self::temporary)
    }

    /// Both: the Tacho that was killed may have been started from another kind of session.
    pub(super) fn all() -> Vec<Self> {
        Self::of_session()
            .into_iter()
            .chain([Self::temporary()])
            .collect()
    }

    /// A folder of the caller's choice.
    #[must_use]
    pub fn at(path: &Path) -> Self {
        Self {
            path: path.to_owned(),
        }
    }

    fn of_session() -> Option<Self> {
        let runtime = PathBuf::from(std::env::var_os("XDG_RUNTIME_DIR")?);
        runtime
            .is_dir()
            .then(|| Self::at(&runtime.join("tacho/leases")))
    }

    fn temporary() -> Self {
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
        DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(&self.path)
            .map_err(|source| LeaseError::Io {
                path: self.path.clone(),
                source,
            })?;
        self.check()
    }

    /// `/tmp` is open to all: a folder that somebody else made there could name processes and
    /// groups that are not ours.
    pub(super) fn check(&self) -> Result<(), LeaseError> {
        let facts = |path: &Path| {
            fs::symlink_metadata(path).map_err(|source| LeaseError::Io {
                path: path.to_owned(),
                source,
            })
        };
        let us = rustix::process::geteuid().as_raw();
        let folder = facts(&self.path)?;
        let ours = folder.is_dir() && folder.uid() == us && folder.mode() & 0o022 == 0;
        // Who owns the folder above could put another in its place.
        let above = match self.path.parent() {
            Some(above) => [0, us].contains(&facts(above)?.uid()),
            None => true,
        };
        if ours && above {
            Ok(())
        } else {
            Err(LeaseError::NotOurs(self.path.clone()))
        }
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
