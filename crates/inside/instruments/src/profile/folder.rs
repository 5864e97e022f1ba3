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

impl OutFolder {
    /// The one that was asked for, else a new one below `profiles`.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn make(wanted: Option<&Path>, pid: u32) -> Result<Self, InstrumentError> {
        match wanted {
            Some(path) => made(path).map(|()| Self(path.to_owned())),
            None => Self::new_below(Path::new(PROFILES), pid),
        }
    }

    /// A new folder. Nobody else may have created it, because they could read what is written into
    /// it.
    fn new_below(above: &Path, pid: u32) -> Result<Self, InstrumentError> {
        made(above)?;
        let now = jiff::Timestamp::now().strftime("%Y%m%d-%H%M%S");
        let name = format!("{pid}-{now}");
        let folder = tacho_files::create_numbered_folder(above, &name);
        folder
            .map(Self)
            .map_err(InstrumentError::write(above.join(name)))
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Copies the recording before anything else can go wrong. Returns its new path.
    pub(super) fn keep(&self, recording: &Path) -> Result<PathBuf, InstrumentError> {
        let path = self.0.join(RECORDING);
        let mut from = tacho_files::open(recording).map_err(InstrumentError::write(&path))?;
        tacho_files::replace_with(&path, |to| io::copy(&mut from, to).map(|_| ()))
            .map_err(InstrumentError::write(&path))?;
        Ok(path)
    }

    /// Removes the recording, since it is of no use.
    pub(super) fn discard(&self, kept: Option<&Path>) {
        let _ = kept.map(std::fs::remove_file);
        self.give_up();
    }

    /// Removes the folder if it is empty.
    pub(super) fn give_up(&self) {
        // One that holds anything stays.
        let _ = std::fs::remove_dir(&self.0);
    }

    /// Writes a file under a fixed name.
    ///
    /// # Errors
    /// When there is no room.
    pub fn write(&self, name: &str, content: &[u8]) -> Result<(), InstrumentError> {
        let path = self.0.join(name);
        tacho_files::write_where_asked(&path, content).map_err(InstrumentError::write(path))
    }
}

fn made(path: &Path) -> Result<(), InstrumentError> {
    tacho_files::create_folder(path).map_err(InstrumentError::write(path))
}
