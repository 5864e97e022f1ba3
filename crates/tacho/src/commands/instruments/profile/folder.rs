//! Where the files of a profile go.

use crate::error::Error;
use std::path::{Path, PathBuf};

/// The recording beside the page.
const RECORDING: &str = "profile.jfr";

/// A folder that is there.
pub struct OutFolder(PathBuf);

/// The recording, where it stays.
pub struct Kept {
    /// Absent when the user does not want it.
    pub recording: Option<PathBuf>,
    /// Names of files in the folder.
    pub files: Vec<String>,
}

impl OutFolder {
    /// The one that was asked for, else a new one below `profiles`.
    pub fn make(wanted: Option<&Path>, pid: u32) -> Result<Self, Error> {
        let path = wanted.map_or_else(
            || {
                let now = jiff::Timestamp::now().strftime("%Y%m%d-%H%M%S");
                Path::new("profiles").join(format!("{pid}-{now}"))
            },
            Path::to_owned,
        );
        tacho_files::create_folder(&path).map_err(|source| Error::Write {
            path: path.clone(),
            source,
        })?;
        Ok(Self(path))
    }

    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Takes the recording over, before anything else can go wrong with it.
    pub fn keep(&self, recording: &Path, wanted: bool) -> Result<Kept, Error> {
        if !wanted || !recording.exists() {
            return Ok(Kept {
                recording: None,
                files: Vec::new(),
            });
        }
        let path = self.0.join(RECORDING);
        copy(recording, &path).map_err(|source| Error::Write {
            path: path.clone(),
            source,
        })?;
        Ok(Kept {
            recording: Some(path),
            files: vec![RECORDING.to_owned()],
        })
    }

    /// Nobody could do anything with it.
    pub fn discard(&self, kept: &Kept) {
        if let Some(recording) = &kept.recording {
            let _ = std::fs::remove_file(recording);
        }
        self.give_up();
    }

    /// Nothing came of it: an empty folder is not left behind.
    pub fn give_up(&self) {
        // One that holds anything stays.
        let _ = std::fs::remove_dir(&self.0);
    }

    /// Names are ours.
    pub fn write(&self, name: &str, content: &[u8]) -> Result<(), Error> {
        crate::output::write_as_it_is(&self.0.join(name), content)
    }
}

fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
    let mut from = tacho_files::open(from)?;
    tacho_files::replace_with(to, |to| std::io::copy(&mut from, to).map(|_| ()))
}
