//! Looking into a process that shows itself to its own user alone.

use super::Status;
use std::io;
use tacho_foreign::Identity;

/// Looks into a process. Root in a container with few capabilities may not look into processes of
/// other users. It may act as their user, so a look that is denied is tried again as that user. For
/// anyone else, and for root with all its rights, there is one look.
///
/// # Errors
/// As the first look has them.
pub fn looking<T: Send>(pid: u32, look: impl Fn() -> io::Result<T> + Sync) -> io::Result<T> {
    match look() {
        Err(denied) if denied.kind() == io::ErrorKind::PermissionDenied => {
            as_its_user(pid, &look).ok_or(denied)
        }
        seen => seen,
    }
}

/// `None` when that is no other user than ours, when we cannot act as that user, or when that user
/// may not look either.
fn as_its_user<T: Send>(pid: u32, look: &(impl Fn() -> io::Result<T> + Sync)) -> Option<T> {
    if Identity::own().user != 0 {
        return None;
    }
    let owner = Status::of(pid).ok()?.owner;
    if owner.user == 0 {
        return None;
    }
    owner.act(look).ok()?.ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::process::CommandExt;
    use std::process::Command;
    use std::sync::atomic::{AtomicU32, Ordering};

    fn denied<T>() -> io::Result<T> {
        Err(io::ErrorKind::PermissionDenied.into())
    }

    #[test]
    fn what_its_own_user_is_denied_is_tried_once() {
        let looks = AtomicU32::new(0);
        let seen = looking(std::process::id(), || {
            looks.fetch_add(1, Ordering::Relaxed);
            denied::<()>()
        });
        assert_eq!(seen.unwrap_err().kind(), io::ErrorKind::PermissionDenied);
        assert_eq!(looks.into_inner(), 1);
    }

    #[test]
    fn root_without_the_right_looks_as_the_user_of_the_process() {
        const NOBODY: u32 = 65_534;
        if Identity::own().user != 0 {
            println!("skipped: only root can act for others");
            return;
        }
        let mut sleeping = Command::new("sleep")
            .arg("600")
            .uid(NOBODY)
            .gid(NOBODY)
            .spawn()
            .unwrap();
        let seen = looking(sleeping.id(), || match Identity::own().user {
            0 => denied(),
            user => Ok(user),
        });
        let never = looking(sleeping.id(), denied::<()>);
        sleeping.kill().unwrap();
        sleeping.wait().unwrap();
        assert_eq!(seen.unwrap(), NOBODY);
        assert_eq!(never.unwrap_err().kind(), io::ErrorKind::PermissionDenied);
    }
}
