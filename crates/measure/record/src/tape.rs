//! Targets and their instants, on their way into files.

use crate::error::RecordError;
use crate::target::Target;
use std::fs::File;
use std::io::{BufWriter, Write};
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
    fn create(path: &Path) -> Result<Self, RecordError> {
        match File::create(path) {
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
