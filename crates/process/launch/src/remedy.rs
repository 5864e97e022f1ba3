//! What to do about a limit of the machine that Tacho itself has hit.

use crate::descriptors;
use rustix::io::Errno;
use rustix::process::{Resource, getrlimit};
use std::error::Error;
use std::io;

/// A limit, recognised by the kernel's error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Remedy {
    /// Open files, of the process or of the machine: EMFILE, ENFILE.
    Descriptors,
    /// Size of a file: EFBIG.
    FileSize,
}

impl Remedy {
    /// The limit that an error is about.
    #[must_use]
    pub fn of(error: &(dyn Error + 'static)) -> Option<Self> {
        if descriptors::is_exhaustion(error) {
            return Some(Self::Descriptors);
        }
        let causes = std::iter::successors(Some(error), |error: &&(dyn Error + 'static)| {
            (*error).source()
        });
        let mut errnos = causes
            .filter_map(|cause| cause.downcast_ref::<io::Error>())
            .filter_map(Errno::from_io_error);
        errnos
            .any(|errno| errno == Errno::FBIG)
            .then_some(Self::FileSize)
    }

    /// What to do.
    #[must_use]
    pub fn text(self) -> String {
        match self {
            Self::Descriptors => descriptors::NoDescriptors {
                limit: getrlimit(Resource::Nofile).current,
            }
            .to_string(),
            Self::FileSize => format!(
                "no file that Tacho writes may grow beyond {} here: raise the limit with `ulimit -f unlimited`, and start it again",
                getrlimit(Resource::Fsize).current.map_or_else(
                    || "what the file system allows".to_owned(),
                    |limit| format!("{limit} bytes")
                ),
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_is_found_below_other_errors_and_told_with_what_lifts_it() {
        let below = |errno: Errno| crate::sockets::SocketError::Unavailable(errno.into());
        assert_eq!(Remedy::of(&below(Errno::MFILE)), Some(Remedy::Descriptors));
        assert_eq!(Remedy::of(&below(Errno::FBIG)), Some(Remedy::FileSize));
        assert_eq!(Remedy::of(&below(Errno::NOENT)), None);
        assert!(Remedy::FileSize.text().contains("ulimit -f unlimited"));
    }
}
