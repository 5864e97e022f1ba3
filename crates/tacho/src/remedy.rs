//! What to do about a limit of the machine that Tacho itself has met, wherever it was met.

use crate::exit::Exit;
use rustix::io::Errno;
use rustix::process::{Resource, getrlimit};
use std::error::Error;
use std::io;
use tacho_launch::descriptors;

/// A limit, by what the kernel said when it was met.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Remedy {
    /// EMFILE, ENFILE.
    Descriptors,
    /// EFBIG.
    FileSize,
}

impl Remedy {
    /// The limit that an error is about.
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

    /// The machine lacks it.
    pub fn exit() -> Exit {
        Exit::Machine
    }

    /// What to do.
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
