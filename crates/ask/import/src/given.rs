//! A file, a pipe or standard input with what is to be sent.

use crate::{
    Format, HarOptions, ImportError, Imported, MAX_INPUT_BYTES, Origin, TargetSyntax, read,
    read_har,
};
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// So much of the beginning is looked at to guess.
const LOOKED_AT: u64 = 64 * 1024;

/// Why it is of no use.
#[derive(Debug, thiserror::Error)]
pub enum GivenError {
    /// It cannot be read.
    #[error("cannot read {path}: {source}")]
    Read {
        /// Path of the file.
        path: PathBuf,
        /// Why the system refused.
        source: io::Error,
    },
    /// It is in no format that is known.
    #[error(
        "{path} looks like nothing that is known; say what it is with --format vegeta, vegeta-json, curl, jmx, openapi or har"
    )]
    UnknownFormat {
        /// Path of the file.
        path: PathBuf,
    },
    /// Standard input cannot be looked at to guess.
    #[error(
        "targets from standard input need --format vegeta, vegeta-json, curl, jmx, openapi or har"
    )]
    FormatOfStandardInput,
    /// It is not what it is said to be.
    #[error(transparent)]
    Import(#[from] ImportError),
}

/// What was given.
#[derive(Debug)]
pub enum Given {
    /// A description that was read whole, and the folder that paths in it count from.
    Whole(Box<Imported>, PathBuf),
    /// One target after another, which are read as they are sent.
    Listed(PathBuf, TargetSyntax),
}

impl Given {
    /// Reads a file, or standard input (`-`), unless it is a list that is read as it is sent.
    /// Guessed is a format that was not said. `base` is where the user wants them to go: what is
    /// only for another host is left out then.
    ///
    /// # Errors
    /// When it is of no use.
    pub fn read(
        path: &Path,
        format: Option<Format>,
        base: Option<&Origin>,
    ) -> Result<Self, GivenError> {
        let is_stdin = path.as_os_str() == "-";
        let format =
            match format {
                Some(format) => format,
                None if is_stdin => return Err(GivenError::FormatOfStandardInput),
                None => Format::guess(&beginning(path, false, LOOKED_AT)?, Some(path)).ok_or_else(
                    || GivenError::UnknownFormat {
                        path: path.to_owned(),
                    },
                )?,
            };
        match format {
            Format::Vegeta => return Ok(Self::Listed(path.to_owned(), TargetSyntax::Text)),
            Format::VegetaJson => return Ok(Self::Listed(path.to_owned(), TargetSyntax::Json)),
            Format::Curl | Format::Jmx | Format::OpenApi | Format::Har => {}
        }
        // One byte more than is allowed, so that the reader can refuse it.
        let input = beginning(path, is_stdin, MAX_INPUT_BYTES as u64 + 1)?;
        if format == Format::Curl {
            tacho_masking::teach(|masking| masking.learn_text(&String::from_utf8_lossy(&input)));
        }
        let folder = base_of(path);
        let mut imported = match format {
            Format::Har => {
                let base = base.cloned();
                read_har(&input, &folder, &HarOptions { base })?
            }
            _ => read(format, &input, &folder)?,
        };
        imported.workload.mask();
        Ok(Self::Whole(Box::new(imported), folder))
    }

    /// Whether it is read while it is sent from what is gone then: standard input, a pipe.
    #[must_use]
    pub fn is_gone_once_sent(&self) -> bool {
        let Self::Listed(path, _) = self else {
            return false;
        };
        path.as_os_str() == "-" || path.metadata().is_ok_and(|file| !file.is_file())
    }

    /// What was read whole.
    #[must_use]
    pub fn imported(&self) -> Option<&Imported> {
        match self {
            Self::Whole(imported, _) => Some(imported),
            Self::Listed(..) => None,
        }
    }
}

fn beginning(path: &Path, is_stdin: bool, most: u64) -> Result<Vec<u8>, GivenError> {
    let mut input = Vec::new();
    let read = if is_stdin {
        io::stdin().lock().take(most).read_to_end(&mut input)
    } else {
        File::open(path).and_then(|file| file.take(most).read_to_end(&mut input))
    };
    read.map_err(|source| GivenError::Read {
        path: path.to_owned(),
        source,
    })?;
    Ok(input)
}

/// Files that an input names count from its own folder.
#[must_use]
pub fn base_of(path: &Path) -> PathBuf {
    let folder = match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    // Absolute, so that it does not matter who joins it to what.
    std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_said_is_guessed_and_lists_are_not_read_yet() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("targets");
        std::fs::write(&path, "GET http://localhost/\n").unwrap();
        let list = Given::read(&path, None, None).unwrap();
        assert!(matches!(&list, Given::Listed(_, TargetSyntax::Text)));
        assert!(!list.is_gone_once_sent() && list.imported().is_none());
        std::fs::write(&path, "curl http://localhost:8080/ping").unwrap();
        let Given::Whole(imported, base) = Given::read(&path, None, None).unwrap() else {
            panic!("a command is read whole");
        };
        assert_eq!(imported.workload.scenarios.len(), 1);
        assert_eq!(base, folder.path());
        std::fs::write(&path, "Dear diary").unwrap();
        let refused = Given::read(&path, None, None).unwrap_err().to_string();
        assert!(refused.contains("--format"), "{refused}");
    }

    #[test]
    fn standard_input_has_to_be_said_what_it_is_and_is_gone_once_sent() {
        let refused = Given::read(Path::new("-"), None, None);
        assert!(matches!(refused, Err(GivenError::FormatOfStandardInput)));
        let list = Given::read(Path::new("-"), Some(Format::VegetaJson), None).unwrap();
        assert!(list.is_gone_once_sent());
    }
}
