//! Acting as another user, in one thread.

use rustix::process::{getegid, geteuid};
use rustix::thread::{set_thread_groups, set_thread_res_gid, set_thread_res_uid};
use std::io;
use std::thread::Builder;

/// A user and a group by number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Identity {
    /// The effective user.
    pub user: u32,
    /// The effective group.
    pub group: u32,
}

impl Identity {
    /// The user for whom this thread acts.
    #[must_use]
    pub fn own() -> Self {
        Self {
            user: geteuid().as_raw(),
            group: getegid().as_raw(),
        }
    }

    /// Runs `act` as this user. For another user, root does this in a thread of its own, since
    /// identities belong to threads (credentials(7)). The thread has this user and group, no
    /// supplementary groups, and so no capabilities (capabilities(7), "Effect of user ID changes").
    /// The real and the saved user stay root, so that the other user can neither signal nor trace
    /// the thread. In all other cases `act` runs directly: a process that is not root has only its
    /// own user.
    ///
    /// # Errors
    /// When the kernel refuses the identity (one that is not mapped in this user namespace), or
    /// when `act` panics.
    pub fn act<T: Send>(self, act: impl FnOnce() -> T + Send) -> io::Result<T> {
        if Self::own().user != 0 || self.user == 0 {
            return Ok(act());
        }
        std::thread::scope(|scope| {
            // `Scope::spawn` panics where the kernel refuses a thread.
            let acting = Builder::new().spawn_scoped(scope, || {
                self.assume()?;
                Ok(act())
            })?;
            acting
                .join()
                .unwrap_or_else(|_| Err(io::Error::other("the thread for another user has ended")))
        })
    }

    fn assume(self) -> io::Result<()> {
        let group = rustix::process::Gid::from_raw(self.group);
        let user = rustix::process::Uid::from_raw(self.user);
        // In this order: only root may change groups.
        set_thread_groups(&[])?;
        set_thread_res_gid(None, Some(group), None)?;
        set_thread_res_uid(None, Some(user), None)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOBODY: Identity = Identity {
        user: 65534,
        group: 65534,
    };

    fn status(field: &str) -> String {
        let status = std::fs::read_to_string("/proc/thread-self/status").unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix(field));
        line.unwrap().trim().to_owned()
    }

    #[test]
    fn who_acts_for_another_has_nothing_of_ours() {
        if Identity::own().user != 0 {
            println!("skipped: only root can act for others");
            return;
        }
        let seen = NOBODY
            .act(|| ["Uid:", "Gid:", "Groups:", "CapEff:"].map(status))
            .unwrap();
        assert_eq!(seen[0].split_whitespace().nth(1), Some("65534"));
        assert_eq!(seen[1].split_whitespace().nth(1), Some("65534"));
        assert_eq!(seen[2], "", "supplementary groups");
        assert_eq!(seen[3].trim_start_matches('0'), "", "capabilities");
        // And this thread is what it was.
        assert_eq!(Identity::own().user, 0);
    }

    #[test]
    fn what_the_other_may_not_read_is_not_read_for_him() {
        if Identity::own().user != 0 {
            println!("skipped: only root can act for others");
            return;
        }
        let folder = tempfile::tempdir().unwrap();
        let secret = folder.path().join("secret");
        std::fs::write(&secret, "root's").unwrap();
        use std::os::unix::fs::PermissionsExt;
        std::fs::set_permissions(&secret, std::fs::Permissions::from_mode(0o600)).unwrap();
        let read = NOBODY.act(|| std::fs::read(&secret)).unwrap();
        assert_eq!(read.unwrap_err().kind(), io::ErrorKind::PermissionDenied);
    }
}
