//! Why an image could not be made or read.

use crate::path::PathProblem;
use std::io;
use std::path::{Path, PathBuf};

/// Why an image could not be made or read.
#[derive(Debug, thiserror::Error)]
pub enum OciError {
    /// A file of the machine could not be read.
    #[error("{path} cannot be read: {source}")]
    Read {
        /// The file or folder.
        path: PathBuf,
        /// Why the system refused.
        source: io::Error,
    },
    /// A file of the image could not be written.
    #[error("{path} cannot be written: {source}; give a folder with room for the image")]
    Write {
        /// The file or folder.
        path: PathBuf,
        /// Why the system refused.
        source: io::Error,
    },
    /// A file had another size when it was packed.
    #[error(
        "{path} changed while it was packed ({before} bytes, then {after}); build it to its end, then make the image"
    )]
    Changed {
        /// The file.
        path: PathBuf,
        /// Its size when it was found; bytes.
        before: u64,
        /// What was read of it; bytes.
        after: u64,
    },
    /// A name that no path of an image can have.
    #[error("{path} cannot be in an image: {problem}")]
    Path {
        /// As it was given.
        path: String,
        /// What is wrong with it.
        problem: PathProblem,
    },
    /// Two things at one path.
    #[error("{path} is in the image twice, once as {was} and once as {is}; leave one of them out")]
    Twice {
        /// Path inside the image.
        path: String,
        /// `a file`, `a folder`, `a link`.
        was: &'static str,
        /// The same.
        is: &'static str,
    },
    /// Links that lead into each other.
    #[error("{path} lies more than {most} folders deep: do its links lead in a circle?")]
    TooDeep {
        /// The file or folder.
        path: PathBuf,
        /// So many are followed.
        most: usize,
    },
    /// A base that is no image.
    #[error(
        "{path} is no image that can be built upon: {why}. A base is an OCI layout, as a folder or a tar: `skopeo copy docker://NAME oci-archive:base.tar` makes one"
    )]
    NotABase {
        /// The base.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// What cannot be said as JSON.
    #[error("the image's description cannot be written: {0}")]
    Description(#[from] serde_json::Error),
}

impl OciError {
    pub(crate) fn read(path: &Path, source: io::Error) -> Self {
        let path = path.to_owned();
        Self::Read { path, source }
    }

    pub(crate) fn write(path: &Path, source: io::Error) -> Self {
        let path = path.to_owned();
        Self::Write { path, source }
    }

    pub(crate) fn no_base(path: &Path, why: impl Into<String>) -> Self {
        let (path, why) = (path.to_owned(), why.into());
        Self::NotABase { path, why }
    }
}
