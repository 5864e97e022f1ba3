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
    /// Whether a path means the same file to the process and to Tacho.
    pub is_shared: bool,
}

impl Seen {
    /// Looks through `/proc/PID/root`. The process's own user may do so without further rights, so
    /// root in a container with few capabilities looks as that user. A program that has
    /// capabilities shows its root to nobody else. Then it is assumed to see the same files as
    /// Tacho, as the JDK's tools assume. The exception is a process in another PID namespace, which
    /// is certainly in a container.
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
