//! Where the files of a profile go.

use crate::error::InstrumentError;
use std::io;
use std::path::{Path, PathBuf};

/// The recording beside the page.
const RECORDING: &str = "profile.jfr";

/// Profiles lie below this, unless the user says where.
const PROFILES: &str = "profiles";

/// A folder that is there.
#[derive(Debug)]
pub struct OutFolder(PathBuf);

/// The recording, where it stays.
#[derive(Debug)]
pub struct Kept {
    /// Absent when the user does not want it.
    pub recording: Option<PathBuf>,
    /// Names of files in the folder.
    pub files: Vec<String>,
}

impl OutFolder {
    /// The one that was asked for, else a new one below `profiles`.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn make(wanted: Option<&Path>, pid: u32) -> Result<Self, InstrumentError> {
        match wanted {
            Some(path) => {
                made(path, tacho_files::create_folder)?;
                Ok(Self(path.to_owned()))
            }
            None => Self::new_below(Path::new(PROFILES), pid),
        }
    }

    /// One that nobody has made before us, who could read what is written into it.
    fn new_below(above: &Path, pid: u32) -> Result<Self, InstrumentError> {
        made(above, tacho_files::create_folder)?;
        let now = jiff::Timestamp::now().strftime("%Y%m%d-%H%M%S");
        let name = format!("{pid}-{now}");
        let folder = tacho_files::create_numbered_folder(above, &name);
        Ok(Self(
            folder.map_err(InstrumentError::write(above.join(name)))?,
        ))
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Takes the recording over, before anything else can go wrong with it.
    pub(super) fn keep(&self, recording: &Path, wanted: bool) -> Result<Kept, InstrumentError> {
        if !wanted || !recording.exists() {
            return Ok(Kept {
                recording: None,
                files: Vec::new(),
            });
        }
        let path = self.0.join(RECORDING);
        copy(recording, &path).map_err(InstrumentError::write(&path))?;
        Ok(Kept {
            recording: Some(path),
            files: vec![RECORDING.to_owned()],
        })
    }

    /// Nobody could do anything with it.
    pub(super) fn discard(&self, kept: &Kept) {
        if let Some(recording) = &kept.recording {
            let _ = std::fs::remove_file(recording);
        }
        self.give_up();
    }

    /// Nothing came of it: an empty folder is not left.
    pub(super) fn give_up(&self) {
        // One that holds anything stays.
        let _ = std::fs::remove_dir(&self.0);
    }

    /// Writes a file whose name is ours.
    ///
    /// # Errors
    /// When there is no room.
    pub fn write(&self, name: &str, content: &[u8]) -> Result<(), InstrumentError> {
        let path = self.0.join(name);
        tacho_files::write_where_asked(&path, content).map_err(InstrumentError::write(path))
    }
}

fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
    let mut from = tacho_files::open(from)?;
    tacho_files::replace_with(to, |to| std::io::copy(&mut from, to).map(|_| ()))
}

fn made(path: &Path, make: impl Fn(&Path) -> io::Result<()>) -> Result<(), InstrumentError> {
    make(path).map_err(InstrumentError::write(path))
}
