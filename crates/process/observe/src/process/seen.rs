//! The files that a process sees.

use super::Status;
use std::fs;
use std::io;
use std::path::Path;
use tacho_foreign::Root;

/// What a process sees of the file system.
#[derive(Debug, Clone)]
pub struct Seen {
    /// Its root.
    pub root: Root,
    /// Whether a path means the same file to it and to us.
    pub is_shared: bool,
}

impl Seen {
    /// Through `/proc/PID/root`. Its own user may look there without any right, so that root in a
    /// container of few capabilities asks as that user. A program with capabilities of its own
    /// shows it to nobody else: then it is taken to see what we see, as the JDK's tools do; but not
    /// where its process numbers are its own, and so it is surely in a container.
    ///
    /// # Errors
    /// When it has ended; [`io::ErrorKind::PermissionDenied`] when it is in a container that we may
    /// not look into.
    pub fn by(pid: u32, status: &Status) -> io::Result<Self> {
        let look = || {
            let root = Root::of_process(pid)?;
            let is_shared = root.is_ours() && is_in_our_namespace(pid);
            Ok(Self { root, is_shared })
        };
        let as_its_user = |_| status.owner.act(look).and_then(|seen| seen);
        match look().or_else(as_its_user) {
            Err(error) if status.inner_pid.is_some_and(|inner| inner != pid) => Err(error),
            Err(_) => Ok(Self {
                root: Root::at(Path::new("/"))?,
                is_shared: true,
            }),
            seen => seen,
        }
    }
}

fn is_in_our_namespace(pid: u32) -> bool {
    let namespace = |pid: &str| fs::read_link(format!("/proc/{pid}/ns/mnt")).ok();
    namespace("self") == namespace(&pid.to_string())
}
