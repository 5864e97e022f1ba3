//! What can be wrong with a file, and where.

use std::path::{Path, PathBuf};
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

/// The text of a file of at most the size that an experiment may have, and its folder, from which
/// relative paths in it count.
///
/// # Errors
/// When it cannot be read, or is larger than anybody writes.
pub fn read(path: &Path) -> Result<(String, PathBuf), FileError> {
    let text = tacho_files::input::read_text(path, tacho_files::input::EXPERIMENT);
    let text = text.map_err(|source| FileError::Unreadable {
        path: path.to_owned(),
        source,
    })?;
    let folder = path.parent().unwrap_or_else(|| Path::new(""));
    let folder = std::path::absolute(folder.join(".")).unwrap_or_else(|_| folder.to_owned());
    // Removes `.` components. `..` stays, because the path may contain links.
    Ok((text, folder.components().collect()))
}

fn render(path: &Path, problems: &[Problem]) -> String {
    let lines: Vec<String> = problems
        .iter()
        .map(|p| format!("{}:{}: {}", path.display(), p.place, p.message))
        .collect();
    lines.join("\n")
}
