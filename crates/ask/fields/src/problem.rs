//! What can be wrong with a file, and where.

use std::path::PathBuf;
use tacho_yaml::Place;

/// One thing that is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Line and column in the file.
    pub place: Place,
    /// What, and the way out.
    pub message: String,
}

impl Problem {
    pub(crate) fn syntax(place: Place, what: &str) -> Self {
        Self {
            place,
            message: what.to_owned(),
        }
    }
}

/// A file that cannot be used; nothing was started.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// The file could not be read.
    #[error("{path}: {source}")]
    Unreadable {
        /// Path of the file as it was given.
        path: PathBuf,
        /// Why the system could not read it.
        source: std::io::Error,
    },
    /// It says something that is not understood.
    #[error("{}", render(path, problems))]
    Problems {
        /// Path of the file as it was given.
        path: PathBuf,
        /// Everything that was found, in the order of the text; at least one.
        problems: Vec<Problem>,
    },
}

fn render(path: &std::path::Path, problems: &[Problem]) -> String {
    let lines: Vec<String> = problems
        .iter()
        .map(|p| format!("{}:{}: {}", path.display(), p.place, p.message))
        .collect();
    lines.join("\n")
}
