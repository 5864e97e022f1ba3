//! Whether Tacho itself has run out of file descriptors.
//!
//! Reading `/proc` and the kernel's socket tables needs a descriptor each time. Without one, a
//! running process looks as if it were gone, and an open port as if it were closed. So that nobody
//! takes this for an answer, code that meets the error records it here, and code that waits for
//! something checks here. The record holds for the whole process. It is never cleared, because the
//! limit does not grow by itself.

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
    /// The most files that the process may have open. `None` when this is unlimited, or when the
    /// machine as a whole has no descriptors left.
    pub limit: Option<u64>,
}

/// Set once it was met.
#[must_use]
pub fn exhausted() -> Option<NoDescriptors> {
    EXHAUSTED.load(Ordering::Relaxed).then(|| NoDescriptors {
        limit: rustix::process::getrlimit(rustix::process::Resource::Nofile).current,
    })
}

/// The most files that the process may have open after raising its own limit as far as allowed.
#[must_use]
pub fn most() -> u64 {
    let limit = rustix::process::getrlimit(rustix::process::Resource::Nofile);
    limit.maximum.unwrap_or(u64::MAX)
}

/// Records the error when it, or one of its causes, says that no descriptor was left. Returns
/// whether it does.
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
        // `io::Error::other` holds the error that it wraps; `source` does not return it.
        next = match io.and_then(io::Error::get_ref) {
            Some(held) => Some(held),
            None => error.source(),
        };
    }
    false
}

/// The value, or `None` on an error. An error for want of a descriptor is recorded.
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
