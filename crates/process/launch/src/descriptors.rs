//! Whether Tacho itself has run out of file descriptors.
//!
//! What `/proc` and the kernel's sockets say is read with a descriptor each time. Without one, a
//! process that runs looks like one that is gone, and a port that listens like none. So that nobody
//! takes that for an answer, whoever meets the error writes it down here, and whoever waits for
//! something looks here. It is a fact of the whole process, and as the limit does not grow by
//! itself, it stays.

use rustix::io::Errno;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};

static EXHAUSTED: AtomicBool = AtomicBool::new(false);

/// There was no descriptor left.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "Tacho itself has no file descriptors left{}: raise the limit with `ulimit -n 4096` (as root `ulimit -Hn 4096` where that is refused), and start it again",
    .limit.map_or_else(String::new, |limit| format!(", it may have {limit} open"))
)]
pub struct NoDescriptors {
    /// How many the process may have open; unlimited, or the machine as a whole has none, when it
    /// is `None`.
    pub limit: Option<u64>,
}

/// Set once it was met.
#[must_use]
pub fn exhausted() -> Option<NoDescriptors> {
    EXHAUSTED.load(Ordering::Relaxed).then(|| NoDescriptors {
        limit: rustix::process::getrlimit(rustix::process::Resource::Nofile).current,
    })
}

/// How many files the process may have open when it raises its own limit as far as it goes.
#[must_use]
pub fn most() -> u64 {
    let limit = rustix::process::getrlimit(rustix::process::Resource::Nofile);
    limit.maximum.unwrap_or(u64::MAX)
}

/// Writes it down when that is what an error, or one of its causes, says. Gives whether it is.
pub fn note(error: &(dyn std::error::Error + 'static)) -> bool {
    let met = is_exhaustion(error);
    if met {
        EXHAUSTED.store(true, Ordering::Relaxed);
    }
    met
}

/// Whether an error, or one of its causes, is that no descriptor was left: to the process (EMFILE)
/// or to the machine (ENFILE); see open(2).
#[must_use]
pub fn is_exhaustion(error: &(dyn std::error::Error + 'static)) -> bool {
    let mut next = Some(error);
    while let Some(error) = next {
        let io = error.downcast_ref::<io::Error>();
        if io
            .and_then(Errno::from_io_error)
            .is_some_and(|errno| matches!(errno, Errno::MFILE | Errno::NFILE))
            || error.is::<NoDescriptors>()
        {
            return true;
        }
        // An error that was wrapped by `io::Error::other` is no source of it, but what it holds.
        next = match io.and_then(io::Error::get_ref) {
            Some(held) => Some(held),
            None => error.source(),
        };
    }
    false
}

/// What can be read; nothing where it cannot, which is written down when it is for want of a
/// descriptor.
pub(crate) fn noted<T>(result: io::Result<T>) -> Option<T> {
    result.map_err(|error| note(&error)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_found_below_other_errors() {
        let none = || io::Error::from(Errno::MFILE);
        let below = crate::sockets::SocketError::Unavailable(none());
        assert!(is_exhaustion(&below));
        assert!(is_exhaustion(&io::Error::other(below)));
        assert!(!is_exhaustion(&io::Error::from(Errno::NOENT)));
    }
}
