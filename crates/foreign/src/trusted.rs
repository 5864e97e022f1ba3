//! What root may execute.

use crate::identity::Identity;
use std::fs::Metadata;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// Whether a program is one that nobody else could have put there or could change: it, what it is
/// a link to, and every folder above belong to root or to us, and only their owner may write.
/// Others than root have nothing to lose but what is theirs: they may run what they find.
#[must_use]
pub fn is_trusted(program: &Path) -> bool {
    let own = Identity::own().user;
    own != 0 || is_only_writable_by(program, &[0])
}

fn is_only_writable_by(path: &Path, owners: &[u32]) -> bool {
    let safe = |path: &Path| {
        std::fs::symlink_metadata(path).is_ok_and(|metadata| is_safe(&metadata, owners))
    };
    let all = |path: &Path| {
        path.ancestors()
            .filter(|p| !p.as_os_str().is_empty())
            .all(safe)
    };
    let Ok(given) = std::path::absolute(path) else {
        return false;
    };
    // As it is named, without following links, and where it really lies.
    path.canonicalize().is_ok_and(|real| all(&real))
        && given
            .parent()
            .is_none_or(|folder| folder.canonicalize().is_ok_and(|folder| all(&folder)))
}

fn is_safe(metadata: &Metadata, owners: &[u32]) -> bool {
    let others_write = metadata.mode() & 0o022 != 0 && !metadata.file_type().is_symlink();
    owners.contains(&metadata.uid()) && !others_write
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::{PermissionsExt, chown, symlink};

    #[test]
    fn what_others_may_change_is_not_run() {
        let own = Identity::own().user;
        // Not below /tmp, where everybody may write.
        let home = std::env::current_dir().unwrap();
        let scratch = tempfile::tempdir_in(&home).unwrap();
        let owners = [0, own];
        if !is_only_writable_by(&home, &owners) {
            println!("skipped: others may write above {}", home.display());
            return;
        }
        let program = scratch.path().join("java");
        std::fs::write(&program, "").unwrap();
        let mode = |path: &Path, mode| {
            std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
        };
        mode(scratch.path(), 0o755);
        mode(&program, 0o755);
        assert!(is_only_writable_by(&program, &owners));
        mode(&program, 0o775);
        assert!(!is_only_writable_by(&program, &owners), "its group may");
        mode(&program, 0o755);
        mode(scratch.path(), 0o777);
        assert!(!is_only_writable_by(&program, &owners), "its folder");
        mode(scratch.path(), 0o755);
        let link = scratch.path().join("link");
        let theirs = tempfile::tempdir().unwrap();
        std::fs::write(theirs.path().join("java"), "").unwrap();
        symlink(theirs.path().join("java"), &link).unwrap();
        assert!(!is_only_writable_by(&link, &owners), "a link into /tmp");
        assert!(!is_only_writable_by(Path::new("/no/such"), &owners));
        if own == 0 {
            chown(&program, Some(65_534), None).unwrap();
            assert!(!is_only_writable_by(&program, &owners), "another's");
        }
    }
}
