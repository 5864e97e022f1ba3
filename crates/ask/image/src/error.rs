//! Why a variant cannot be put into an image.

use std::path::PathBuf;
use tacho_oci::OciError;
use tacho_subject::StepError;

/// Why a variant cannot be put into an image.
#[derive(Debug, thiserror::Error)]
pub enum ImageError {
    /// A file cannot be read, or has no place in an image.
    #[error(transparent)]
    Oci(#[from] OciError),
    /// Variants whose files are bound to this machine.
    #[error("`{kind}` cannot be put into an image: {why}")]
    Kind {
        /// `aot`, `crac`.
        kind: String,
        /// What stands against it, and what to take instead.
        why: &'static str,
    },
    /// A file of this machine that is none of the variant's.
    #[error(
        "`{word}` names {path}, which is on this machine but not part of the variant, so a container would not have it. Package it into the artifact; or leave it out here, and give it when the container starts: the file by a volume, its path by an argument or a variable"
    )]
    LeftOver {
        /// The word of the command, or the variable.
        word: String,
        /// The path in it.
        path: String,
    },
    /// The dynamic loader of this machine could not be asked.
    #[error("cannot find out which libraries the program needs: {0}")]
    Libraries(#[from] StepError),
    /// A training launch in the layers of the image failed.
    #[error(
        "the archive could not be trained in the layers of the image: {0}\nThis needs the right to mount and to change the root directory: run as root, or on a kernel that allows user namespaces."
    )]
    Archive(#[source] StepError),
    /// The training launch ended, and what it should have written is not there.
    #[error(
        "the training launch in the layers of the image did not write {what}; check that the service shuts down cleanly on SIGTERM"
    )]
    NotTrained {
        /// `the AOT cache`.
        what: &'static str,
    },
    /// The archive is there, and the JVM does not use it.
    #[error(
        "it does not hold that {claim}: {percent:.0} % of them are, of a launch in the layers of the image. No image was written. Does the service load other classes at each start (an agent, generated classes)? An image without an archive needs no training: --variant extracted"
    )]
    NotUsed {
        /// What was claimed.
        claim: &'static str,
        /// What was seen.
        percent: f64,
    },
    /// What the program is linked with is not on this machine.
    #[error(
        "{file} needs {library}, which is not on this machine; install it, or build upon an image that has it (--base)"
    )]
    NoLibrary {
        /// The program.
        file: PathBuf,
        /// `libz.so.1`.
        library: String,
    },
    /// A program for other processors, of whose libraries this machine has none.
    #[error(
        "{file} is for {architecture} and not statically linked, and the libraries of this machine are for other processors; link it statically, or build upon an image that has its libraries (--base)"
    )]
    OtherProcessors {
        /// The program.
        file: PathBuf,
        /// `arm64`.
        architecture: String,
    },
    /// A variant without a file.
    #[error(
        "`{variant}` has no file that could be put into an image; name one by `artifact:`, or choose another variant (--variant)"
    )]
    Nothing {
        /// Its name.
        variant: String,
    },
}

impl ImageError {
    /// Another choice of the user's would help; nothing of the machine is missing.
    #[must_use]
    pub fn is_usage(&self) -> bool {
        match self {
            Self::Kind { .. } | Self::LeftOver { .. } | Self::OtherProcessors { .. } => true,
            Self::Oci(error) => !matches!(error, OciError::Write { .. }),
            Self::Libraries(_)
            | Self::Archive(_)
            | Self::NotTrained { .. }
            | Self::NotUsed { .. }
            | Self::NoLibrary { .. }
            | Self::Nothing { .. } => false,
        }
    }
}
