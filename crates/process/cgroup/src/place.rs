//! Where in a hierarchy groups may be made, and making them.

use crate::ending::is_gone;
use crate::{CgroupError, PARENT};
use rustix::fs::{Access, AtFlags, CWD, accessat};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The two directories of one hierarchy in which the parent `tacho` may lie.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Place {
    /// The mount point.
    pub top: PathBuf,
    /// The group that we are in ourselves; absent when it is not visible.
    pub own: Option<PathBuf>,
}

impl Place {
    /// The directory in which Tacho may make `tacho`: the top when it is writable, otherwise its
    /// own group when that was delegated to it.
    pub(crate) fn base(&self) -> Option<&Path> {
        [Some(&self.top), self.own.as_ref()]
            .into_iter()
            .flatten()
            .find(|base| may_make_groups_in(base))
            .map(PathBuf::as_path)
    }
}

fn may_make_groups_in(base: &Path) -> bool {
    let parent = base.join(PARENT);
    let make = Access::WRITE_OK | Access::EXEC_OK;
    // An administrator may have made the parent and given it to this user. This is checked by one
    // call, because another Tacho may make the parent, or remove it with its last group, at any
    // instant.
    match accessat(CWD, &parent, make, AtFlags::EACCESS) {
        Err(e) if is_gone(&e.into()) => may(base, make),
        looked => looked.is_ok(),
    }
}

/// Whether the effective user has a right. This detects a read-only mount, too.
pub(crate) fn may(path: &Path, access: Access) -> bool {
    accessat(CWD, path, access, AtFlags::EACCESS).is_ok()
}

/// Makes `base/tacho` if it is not there.
pub(crate) fn make_parent(base: &Path) -> Result<PathBuf, CgroupError> {
    let parent = base.join(PARENT);
    match fs::create_dir(&parent) {
        Err(e) if e.kind() != io::ErrorKind::AlreadyExists => Err(not_made(&parent, e)),
        _ => Ok(parent),
    }
}

/// Makes `base/tacho/<name>`, which must not exist.
pub(crate) fn make_group(base: &Path, name: &str) -> Result<PathBuf, CgroupError> {
    let mut tries = 0;
    loop {
        let dir = make_parent(base)?.join(name);
        match fs::create_dir(&dir) {
            Ok(()) => return Ok(dir),
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {
                return Err(CgroupError::Exists(dir));
            }
            // Another Tacho removes the parent with its last group, perhaps just now.
            Err(e) if is_gone(&e) && tries < 100 => tries += 1,
            Err(e) => return Err(not_made(&dir, e)),
        }
    }
}

/// Takes back a group that could not be finished.
pub(crate) fn unmake_group(dir: &Path) {
    let _ = fs::remove_dir(dir);
    if let Some(base) = dir.parent().and_then(Path::parent) {
        remove_parent_if_empty(base);
    }
}

/// Removes `base/tacho`; the kernel refuses while there are groups in it.
pub(crate) fn remove_parent_if_empty(base: &Path) {
    let _ = fs::remove_dir(base.join(PARENT));
}

fn not_made(dir: &Path, source: io::Error) -> CgroupError {
    CgroupError::NoRights {
        dir: dir.to_owned(),
        remedy: format!("{source}; {}", AS_ROOT),
    }
}

/// The remedy that always works.
pub(crate) const AS_ROOT: &str = "run Tacho as root, or without limits";

/// Checks that a name stays inside its parent and collides with none of the kernel's files. Their
/// names begin with that of their controller and a dot.
pub(crate) fn check_name(name: &str) -> Result<(), CgroupError> {
    let allowed = |c: char| c.is_ascii_alphanumeric() || "-_.+@".contains(c);
    let begins_well = name.starts_with(|c: char| c.is_ascii_alphanumeric());
    let of_the_kernel = ["cgroup.", "cpu.", "cpuacct.", "memory.", "io.", "pids."]
        .iter()
        .any(|prefix| name.starts_with(prefix));
    if begins_well && name.len() <= 200 && name.chars().all(allowed) && !of_the_kernel {
        Ok(())
    } else {
        Err(CgroupError::BadName(name.to_owned()))
    }
}

/// Writes a value into a file of the kernel.
pub(crate) fn write_value(path: &Path, value: &str) -> Result<(), CgroupError> {
    // Never `fs::write`: it would ask to create the file, and the error would hide that the
    // kernel has no such file.
    fs::OpenOptions::new()
        .write(true)
        .open(path)
        .and_then(|mut file| io::Write::write_all(&mut file, value.as_bytes()))
        .map_err(|source| CgroupError::Write {
            path: path.to_owned(),
            value: value.to_owned(),
            source,
        })
}

/// Reads a small file of the kernel.
pub(crate) fn read_text(path: &Path) -> Result<String, CgroupError> {
    fs::read(path)
        .map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
        .map_err(|source| CgroupError::Read {
            path: path.to_owned(),
            source,
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_group_lies_at_the_top_or_in_our_own() {
        let dir = tempfile::tempdir().unwrap();
        let own = dir.path().join("own");
        fs::create_dir(&own).unwrap();
        let at_top = Place {
            top: dir.path().to_owned(),
            own: Some(own.clone()),
        };
        assert_eq!(at_top.base(), Some(dir.path()));
        let delegated = Place {
            top: dir.path().join("missing"),
            own: Some(own.clone()),
        };
        assert_eq!(delegated.base(), Some(own.as_path()));
        let nowhere = Place {
            top: dir.path().join("missing"),
            own: None,
        };
        assert_eq!(nowhere.base(), None);
    }

    #[test]
    fn a_second_group_of_the_same_name_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let made = make_group(dir.path(), "001-jar@1cpu").unwrap();
        assert_eq!(made, dir.path().join("tacho/001-jar@1cpu"));
        assert!(matches!(
            make_group(dir.path(), "001-jar@1cpu"),
            Err(CgroupError::Exists(_))
        ));
    }

    #[test]
    fn names_cannot_climb_or_collide() {
        for good in [
            "001-jar@1cpu-256MiB",
            "a",
            "x_1.5+b",
            "run-_bench-7-001",
            "run-memory.test-7-001",
        ] {
            check_name(good).unwrap();
        }
        check_name(&"x".repeat(200)).unwrap();
        for bad in [
            "",
            ".",
            "..",
            "a/b",
            "../x",
            "cgroup.procs",
            "memory.max",
            "-a",
            "ä",
            "a b",
        ] {
            assert!(check_name(bad).is_err(), "{bad}");
        }
        assert!(check_name(&"x".repeat(201)).is_err());
    }
}
