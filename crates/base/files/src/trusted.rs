//! Whether other users could have changed a file. This is checked before a file is loaded into a
//! JVM or run.

use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// Another user could change it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Untrusted {
    /// It belongs to another user.
    Owner {
        /// The file or one of the folders above it.
        path: PathBuf,
        /// User id of the owner.
        owner: u32,
    },
    /// Others may write it.
    Writable {
        /// The file or one of the folders above it.
        path: PathBuf,
    },
}

impl std::fmt::Display for Untrusted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Owner { path, owner } => write!(
                f,
                "{} belongs to user {owner}, who could put something else there",
                path.display()
            ),
            Self::Writable { path } => write!(
                f,
                "{} may be written by other users; take the right from them (chmod go-w)",
                path.display()
            ),
        }
    }
}

/// Checks a file and all folders above it, with links resolved. Each must belong to this user or to
/// root, and nobody else may write to it. A folder with the sticky bit, such as `/tmp`, is
/// accepted, too, because others cannot rename files of this user in it.
///
/// # Errors
/// When something is not there. The inner error says who could change it.
pub fn trusted(path: &Path) -> io::Result<Result<(), Untrusted>> {
    let path = fs::canonicalize(path)?;
    let ours = rustix::process::geteuid().as_raw();
    let group = rustix::process::getegid().as_raw();
    for place in path.ancestors() {
        let about = fs::symlink_metadata(place)?;
        if about.uid() != 0 && about.uid() != ours {
            return Ok(Err(Untrusted::Owner {
                path: place.to_owned(),
                owner: about.uid(),
            }));
        }
        // A group of one's own is the default of many systems, with a umask of 002.
        let by_group = about.mode() & 0o020 != 0 && about.gid() != group;
        let by_all = about.mode() & 0o002 != 0;
        let is_sticky = about.is_dir() && about.mode() & 0o1000 != 0;
        if (by_group || by_all) && !is_sticky {
            return Ok(Err(Untrusted::Writable {
                path: place.to_owned(),
            }));
        }
    }
    Ok(Ok(()))
}

/// Whether a user without any rights can run a program: it and all folders above it, with links
/// resolved, let others through. A JDK below `/root`, where version managers put it, does not.
#[must_use]
pub fn others_can_run(program: &Path) -> bool {
    let lets_through =
        |place: &Path| fs::metadata(place).is_ok_and(|about| about.mode() & 0o001 != 0);
    let real = fs::canonicalize(program);
    real.is_ok_and(|real| real.ancestors().all(lets_through))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::Permissions;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn others_run_a_program_only_where_every_folder_lets_them_through() {
        let home = tempfile::tempdir().unwrap();
        let java = home.path().join("java");
        fs::write(&java, "").unwrap();
        fs::set_permissions(&java, Permissions::from_mode(0o755)).unwrap();
        // As /root, and as a folder of programs.
        fs::set_permissions(home.path(), Permissions::from_mode(0o700)).unwrap();
        assert!(!others_can_run(&java));
        assert!(others_can_run(Path::new("/bin/sh")));
        assert!(!others_can_run(&home.path().join("none")));
    }

    #[test]
    fn what_others_may_write_is_not_trusted_nor_what_lies_below() {
        let folder = tempfile::tempdir().unwrap();
        let below = folder.path().join("a");
        fs::create_dir(&below).unwrap();
        let file = below.join("library.so");
        fs::write(&file, "").unwrap();
        assert_eq!(trusted(&file).unwrap(), Ok(()));
        for place in [&file, &below] {
            let before = fs::metadata(place).unwrap().permissions();
            fs::set_permissions(place, Permissions::from_mode(0o777)).unwrap();
            let path = fs::canonicalize(place).unwrap();
            assert_eq!(trusted(&file).unwrap(), Err(Untrusted::Writable { path }));
            fs::set_permissions(place, before).unwrap();
        }
        assert!(trusted(&below.join("nothing")).is_err());
    }

    #[test]
    fn what_belongs_to_another_is_not_trusted() {
        if !rustix::process::geteuid().is_root() {
            eprintln!("skipped: only root can give a file to nobody");
            return;
        }
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("library.so");
        fs::write(&file, "").unwrap();
        std::os::unix::fs::chown(&file, Some(65534), None).unwrap();
        assert!(matches!(
            trusted(&file).unwrap(),
            Err(Untrusted::Owner { owner: 65534, .. })
        ));
    }
}
