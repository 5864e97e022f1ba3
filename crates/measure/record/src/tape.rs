//! Targets and their instants, on their way into files.

use crate::error::RecordError;
use crate::target::Target;
use std::fs::{File, Metadata, OpenOptions};
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

/// What is done with files that hold something, such as an earlier recording.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Earlier {
    /// They are left as they are, and nothing is recorded.
    Kept,
    /// They are overwritten.
    Overwritten,
}

impl Tape {
    /// Targets into one file; and, where it is named, their instants into another: seconds since
    /// the first, for `tacho load --replay`.
    ///
    /// # Errors
    /// When one cannot be made; and before any is touched, when both are the same, or one holds
    /// something that is to be kept.
    pub fn create(
        targets: &Path,
        instants: Option<&Path>,
        earlier: Earlier,
    ) -> Result<Self, RecordError> {
        if instants.is_some_and(|instants| place(instants) == place(targets)) {
            return Err(RecordError::OneFile(targets.to_owned()));
        }
        if earlier == Earlier::Kept {
            is_free(targets, "-o")?;
            instants.map_or(Ok(()), |path| is_free(path, "--times"))?;
        }
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

/// A pipe or a device holds nothing that would be gone.
fn is_free(path: &Path, option: &'static str) -> Result<(), RecordError> {
    let holds_something = |file: Metadata| file.is_file() && file.len() > 0;
    match path.metadata().is_ok_and(holds_something) {
        true => Err(RecordError::Exists {
            path: path.to_owned(),
            option,
        }),
        false => Ok(()),
    }
}

/// One name for a file by whatever path it is named, also if it does not exist yet.
fn place(path: &Path) -> PathBuf {
    let in_its_folder = || {
        let folder = path.parent()?;
        let folder = match folder.as_os_str().is_empty() {
            true => Path::new("."),
            false => folder,
        };
        Some(folder.canonicalize().ok()?.join(path.file_name()?))
    };
    let found = path.canonicalize().ok().or_else(in_its_folder);
    found.unwrap_or_else(|| path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn what_is_recorded_is_for_its_owner_alone() {
        let folder = tempfile::tempdir().unwrap();
        let [targets, instants] = ["t.jsonl", "t.csv"].map(|name| folder.path().join(name));
        Tape::create(&targets, Some(&instants), Earlier::Kept).unwrap();
        for path in [targets, instants] {
            let mode = path.metadata().unwrap().permissions().mode();
            assert_eq!(mode & 0o077, 0, "{}", path.display());
        }
    }

    #[test]
    fn an_earlier_recording_is_overwritten_only_where_that_is_asked_for() {
        let folder = tempfile::tempdir().unwrap();
        let [targets, instants] = ["t.jsonl", "t.csv"].map(|name| folder.path().join(name));
        let create = |earlier| Tape::create(&targets, Some(&instants), earlier);
        std::fs::write(&instants, "0.1\n").unwrap();
        let said = create(Earlier::Kept).unwrap_err().to_string();
        assert!(said.contains("t.csv exists already"), "{said}");
        assert!(said.contains("with --times"), "{said}");
        // Neither file was touched.
        assert!(!targets.exists());
        assert_eq!(std::fs::read_to_string(&instants).unwrap(), "0.1\n");
        create(Earlier::Overwritten).unwrap();
        assert_eq!(std::fs::read_to_string(&instants).unwrap(), "");
        // Nothing is lost of what is empty.
        create(Earlier::Kept).unwrap();
        Tape::create(Path::new("/dev/null"), None, Earlier::Kept).unwrap();
    }

    #[test]
    fn targets_and_instants_are_not_written_into_one_file() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("t.jsonl");
        let again = folder.path().join("./t.jsonl");
        let link = folder.path().join("link");
        std::os::unix::fs::symlink(folder.path(), &link).unwrap();
        for instants in [file.clone(), again, link.join("t.jsonl")] {
            let one = Tape::create(&file, Some(&instants), Earlier::Overwritten);
            assert!(
                matches!(one, Err(RecordError::OneFile(_))),
                "{}",
                instants.display()
            );
            assert!(!file.exists());
        }
    }
}
