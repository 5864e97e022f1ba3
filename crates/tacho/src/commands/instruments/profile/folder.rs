//! Where the files of a profile go.

use crate::error::Error;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// The recording beside the page.
const RECORDING: &str = "profile.jfr";

/// Profiles lie below this, unless the user says where.
const PROFILES: &str = "profiles";
/// Other names that are tried where one is taken.
const TRIES: u32 = 100;

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
        match wanted {
            Some(path) => {
                made(path, tacho_files::create_folder)?;
                Ok(Self(path.to_owned()))
            }
            None => Self::new_below(Path::new(PROFILES), pid),
        }
    }

    /// One that nobody has made before us, who could read what is written into it.
    fn new_below(above: &Path, pid: u32) -> Result<Self, Error> {
        made(above, tacho_files::create_folder)?;
        let now = jiff::Timestamp::now().strftime("%Y%m%d-%H%M%S");
        let mut path = above.join(format!("{pid}-{now}"));
        for number in 2.. {
            match tacho_files::create_new_folder(&path) {
                Err(e) if e.kind() == ErrorKind::AlreadyExists && number <= TRIES => {
                    path = above.join(format!("{pid}-{now}-{number}"));
                }
                Err(source) => return Err(Error::Write { path, source }),
                Ok(()) => break,
            }
        }
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

fn made(path: &Path, make: impl Fn(&Path) -> io::Result<()>) -> Result<(), Error> {
    make(path).map_err(|source| Error::Write {
        path: path.to_owned(),
        source,
    })
}
