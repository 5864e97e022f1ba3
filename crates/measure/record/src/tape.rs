//! Targets and their instants, on their way into files.

use crate::error::RecordError;
use crate::target::Target;
use std::fs::{File, OpenOptions};
use std::io::{BufWriter, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// The files of a recording.
#[derive(Debug)]
pub struct Tape {
    targets: Out,
    instants: Option<Out>,
    began: Option<Instant>,
}

#[derive(Debug)]
struct Out {
    path: PathBuf,
    file: BufWriter<File>,
}

impl Out {
    /// A new file is for its owner alone: requests may hold what is nobody else's business, though
    /// no secret is known in them by its name.
    fn create(path: &Path) -> Result<Self, RecordError> {
        let file = OpenOptions::new()
            .write(true)
            .create(true)
            .truncate(true)
            .mode(0o600)
            .open(path);
        match file {
            Ok(file) => Ok(Self {
                path: path.to_owned(),
                file: BufWriter::new(file),
            }),
            Err(source) => Err(RecordError::Write {
                path: path.to_owned(),
                source,
            }),
        }
    }

    fn line(&mut self, line: &str) -> Result<(), RecordError> {
        let written = writeln!(self.file, "{line}").and_then(|()| self.file.flush());
        written.map_err(|source| RecordError::Write {
            path: self.path.clone(),
            source,
        })
    }
}

impl Tape {
    /// Targets into one file; and, where it is named, their instants into another: seconds since
    /// the first, for `tacho load --replay`.
    ///
    /// # Errors
    /// When one cannot be made.
    pub fn create(targets: &Path, instants: Option<&Path>) -> Result<Self, RecordError> {
        Ok(Self {
            targets: Out::create(targets)?,
            instants: instants.map(Out::create).transpose()?,
            began: None,
        })
    }

    /// Writes one down; its instant is now.
    ///
    /// # Errors
    /// When a file takes no more.
    pub fn write(&mut self, target: &Target) -> Result<(), RecordError> {
        let began = *self.began.get_or_insert_with(Instant::now);
        let line = serde_json::to_string(target).map_err(|error| RecordError::Write {
            path: self.targets.path.clone(),
            source: error.into(),
        })?;
        self.targets.line(&line)?;
        match &mut self.instants {
            Some(instants) => instants.line(&format!("{:.6}", began.elapsed().as_secs_f64())),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn what_is_recorded_is_for_its_owner_alone() {
        let folder = tempfile::tempdir().unwrap();
        let [targets, instants] = ["t.jsonl", "t.csv"].map(|name| folder.path().join(name));
        Tape::create(&targets, Some(&instants)).unwrap();
        for path in [targets, instants] {
            let mode = path.metadata().unwrap().permissions().mode();
            assert_eq!(mode & 0o077, 0, "{}", path.display());
        }
    }
}
