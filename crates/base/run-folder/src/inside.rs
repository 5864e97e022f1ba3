//! A place inside a run folder, which somebody may have sent: every name in it is resolved below
//! the handle of the run folder, and no part of it may be a link. `launches -> /root` leads
//! nowhere.

use std::fs::File;
use std::io::{self, ErrorKind};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use tacho_files::{input, not_plain, plainly};
use tacho_foreign::Folder;

/// A folder inside a run folder, or the run folder itself.
#[derive(Debug, Clone)]
pub(crate) struct Inside {
    run: Arc<Folder>,
    below: PathBuf,
    /// As the user named it, to be shown.
    shown: PathBuf,
}

impl Inside {
    /// A run folder that is there.
    pub fn open(root: &Path) -> io::Result<Self> {
        Ok(Self {
            run: Arc::new(Folder::named_by_user(root)?),
            below: PathBuf::new(),
            shown: root.to_owned(),
        })
    }

    /// Where it is, to be shown.
    pub fn path(&self) -> &Path {
        &self.shown
    }

    /// A folder in it, there or not.
    pub fn at(&self, name: &str) -> Self {
        Self {
            run: Arc::clone(&self.run),
            below: self.below.join(name),
            shown: self.shown.join(name),
        }
    }

    /// Makes a folder in it, if it is not there yet.
    pub fn make(&self, name: &str) -> io::Result<Self> {
        match self.folder()?.make(name) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            made => drop(made.map_err(plainly)?),
        }
        let made = self.at(name);
        made.folder()?;
        Ok(made)
    }

    /// Whether there is anything of this name, a link included.
    pub fn has(&self, name: &str) -> bool {
        self.folder()
            .is_ok_and(|folder| folder.owner_of(name).is_some())
    }

    /// Names of what is in it, in their order; none when it is not there.
    pub fn names(&self) -> io::Result<Vec<String>> {
        let mut names = match self.folder() {
            Ok(folder) => folder.names()?,
            Err(error) if error.kind() == ErrorKind::NotFound => Vec::new(),
            Err(error) => return Err(error),
        };
        names.sort();
        Ok(names)
    }

    /// Whether the name is that of a folder; a link is an error, whatever it leads to.
    pub fn is_folder(&self, name: &str) -> io::Result<bool> {
        let folder = self.folder()?;
        if folder.link(name).is_some() {
            return Err(not_plain());
        }
        Ok(folder.folder(name).is_ok())
    }

    /// A plain file; its name may have several parts.
    pub fn open_file(&self, name: &Path) -> io::Result<File> {
        let (folder, name) = self.parted(name)?;
        folder.open(&name).map_err(plainly)
    }

    /// The whole of one, of at most [`input::WHOLE`].
    pub fn read(&self, name: &Path) -> io::Result<Vec<u8>> {
        let file = tacho_files::bounded_file(self.open_file(name)?)?;
        input::read_from(file, input::WHOLE)
    }

    /// Replaces a file, or makes it: a reader sees the old content or the new, never half.
    pub fn replace(&self, name: &Path, content: &[u8]) -> io::Result<()> {
        let (folder, name) = self.parted(name)?;
        folder.replace_durably(&name, content).map_err(plainly)
    }

    fn folder(&self) -> io::Result<Folder> {
        self.run.below(&self.below).map_err(plainly)
    }

    /// The folder that holds it, and its last part.
    fn parted(&self, name: &Path) -> io::Result<(Folder, String)> {
        let is_within = name
            .components()
            .all(|part| matches!(part, Component::Normal(_)));
        let last = name.file_name().and_then(|name| name.to_str());
        let (Some(last), true) = (last, is_within) else {
            return Err(io::Error::new(
                ErrorKind::InvalidInput,
                "it is no name of a file inside the run folder; was launch.json edited?",
            ));
        };
        let above = name.parent().unwrap_or(Path::new(""));
        let folder = self.run.below(&self.below.join(above)).map_err(plainly)?;
        Ok((folder, last.to_owned()))
    }
}
