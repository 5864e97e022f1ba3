//! Why a path is not something that can be launched.

use std::io;
use std::path::{Path, PathBuf};

/// Why a path is not something that can be launched.
#[derive(Debug, thiserror::Error)]
pub enum ArtifactError {
    /// Nothing is there.
    #[error("{0} does not exist; build the service first, or check the path")]
    Missing(PathBuf),
    /// It could not be read.
    #[error("{path} cannot be read: {source}")]
    Io {
        /// Path of what could not be read.
        path: PathBuf,
        /// Why the system could not read it.
        source: io::Error,
    },
    /// A jar or WAR that is no zip file, or one that was cut off.
    #[error(
        "{path} is not a readable jar or WAR ({why}); was the build or the copy interrupted? Build it again"
    )]
    Corrupt {
        /// Path of the jar or WAR.
        path: PathBuf,
        /// What the reader said.
        why: String,
    },
    /// A zip file with a password.
    #[error(
        "{0} is encrypted; neither a JVM nor Tacho can read it. Give the jar or WAR as the build makes it"
    )]
    Encrypted(PathBuf),
    /// Neither jar nor WAR nor executable.
    #[error(
        "{0} is neither a jar, a WAR nor an executable. Name a .jar or .war file, an executable, or a folder with a jar or WAR"
    )]
    Unknown(PathBuf),
    /// A name that would become another one in a command.
    #[error("the path {0} is not UTF-8, and commands are kept as text; rename it")]
    NotUtf8(PathBuf),
    /// A program without the right to be executed.
    #[error("{0} may not be executed; run `chmod +x {0}`")]
    NotExecutable(PathBuf),
    /// A project that was not built.
    #[error(
        "{directory} is a project without a built jar or WAR in {looked_in}; run `{build}` in it first. If it is the root of several modules, name the folder of the one that is run"
    )]
    NotBuilt {
        /// Folder of the project, in which its build runs.
        directory: PathBuf,
        /// Where the build puts it.
        looked_in: String,
        /// The command that builds it.
        build: &'static str,
    },
    /// A folder with nothing in it that could be launched.
    #[error(
        "{0} has no jar and no WAR; name the file itself or the folder of the project or module that is run"
    )]
    NothingInside(PathBuf),
    /// A folder that is no project and contains a program. Nobody knows whether that program is the
    /// service or deletes files.
    #[error(
        "{directory} has no jar and no WAR; if {program} is the service, name it itself: nothing is started because it happens to lie there"
    )]
    ProgramInFolder {
        /// The folder that was given.
        directory: PathBuf,
        /// The one that could be started.
        program: PathBuf,
    },
    /// A folder with more than one candidate.
    #[error("{directory} has several candidates: {}; name the one that is meant", list(.candidates))]
    Ambiguous {
        /// Folder in which they were found.
        directory: PathBuf,
        /// All of them.
        candidates: Vec<PathBuf>,
    },
}

impl ArtifactError {
    pub(crate) fn io(path: &Path, source: io::Error) -> Self {
        match source.kind() {
            io::ErrorKind::NotFound => Self::Missing(path.to_owned()),
            _ => Self::Io {
                path: path.to_owned(),
                source,
            },
        }
    }
}

fn list(paths: &[PathBuf]) -> String {
    let names: Vec<_> = paths.iter().map(|p| p.display().to_string()).collect();
    names.join(", ")
}
