//! Reading jars and WARs with bounds: their bytes come from outside.

use super::ArtifactError;
use std::fs::File;
use std::io::{self, BufReader, Cursor, Read, Seek};
use std::path::{Path, PathBuf};
use zip::ZipArchive;
use zip::result::ZipError;

/// A nested jar that is compressed has to be read whole; larger ones are passed over.
const NESTED_LIMIT: u64 = 32 << 20;

/// A jar or WAR, or a jar within one.
pub(crate) struct Archive<R> {
    path: PathBuf,
    zip: ZipArchive<R>,
    names: Vec<String>,
}

impl Archive<BufReader<File>> {
    /// Opens a file. Only its directory of entries is read.
    pub(crate) fn open(path: &Path) -> Result<Self, ArtifactError> {
        let file = File::open(path).map_err(|e| ArtifactError::io(path, e))?;
        Self::new(path, BufReader::new(file))
    }
}

impl<R: Read + Seek> Archive<R> {
    /// Reads the directory of entries; `path` is for messages.
    pub(crate) fn new(path: &Path, from: R) -> Result<Self, ArtifactError> {
        let zip = ZipArchive::new(from).map_err(|e| explain(path, e))?;
        let names = zip
            .file_names_raw()
            .map(|raw| String::from_utf8_lossy(raw).into_owned())
            .collect();
        Ok(Self {
            path: path.to_owned(),
            zip,
            names,
        })
    }

    /// Names of all entries, in the order of the file.
    pub(crate) fn names(&self) -> &[String] {
        &self.names
    }

    /// True when there is an entry of exactly this name.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.names.iter().any(|n| n == name)
    }

    /// Indices of the entries whose name is accepted.
    pub(crate) fn select(&self, accept: impl Fn(&str) -> bool) -> Vec<usize> {
        let accepted = self.names.iter().enumerate().filter(|(_, n)| accept(n));
        accepted.map(|(index, _)| index).collect()
    }

    /// The first `limit` bytes of an entry, by index.
    pub(crate) fn head(&mut self, index: usize, limit: u64) -> Result<Vec<u8>, ArtifactError> {
        let path = self.path.clone();
        let entry = self.zip.by_index(index).map_err(|e| explain(&path, e))?;
        let mut bytes = Vec::new();
        entry
            .take(limit)
            .read_to_end(&mut bytes)
            .map_err(|e| explain(&path, ZipError::Io(e)))?;
        Ok(bytes)
    }

    /// The first `limit` bytes of an entry, by name; `None` when there is no such entry.
    pub(crate) fn read(
        &mut self,
        name: &str,
        limit: u64,
    ) -> Result<Option<Vec<u8>>, ArtifactError> {
        match self.names.iter().position(|n| n == name) {
            Some(index) => self.head(index, limit).map(Some),
            None => Ok(None),
        }
    }

    /// Hands a nested jar to `visit`. A stored one (as Spring Boot packs them) is read in place;
    /// a compressed one is inflated into memory. One that is too large or damaged is passed over:
    /// it can spoil a guess, but must not stop the user.
    pub(crate) fn nested(&mut self, index: usize, visit: &mut dyn FnMut(&mut dyn ClassSource)) {
        let path = self.path.clone();
        if let Ok(stored) = self.zip.by_index_seek(index) {
            if let Ok(mut inner) = Archive::new(&path, stored) {
                visit(&mut inner);
            }
            return;
        }
        let Ok(bytes) = self.head(index, NESTED_LIMIT + 1) else {
            return;
        };
        if bytes.len() as u64 <= NESTED_LIMIT
            && let Ok(mut inner) = Archive::new(&path, Cursor::new(bytes))
        {
            visit(&mut inner);
        }
    }
}

/// Where class files come from, whatever the archive is read from.
pub(crate) trait ClassSource {
    /// Indices of the entries whose name is accepted.
    fn entries(&self, accept: &dyn Fn(&str) -> bool) -> Vec<usize>;
    /// The first `limit` bytes of an entry; empty when it cannot be read.
    fn bytes(&mut self, index: usize, limit: u64) -> Vec<u8>;
}

impl<R: Read + Seek> ClassSource for Archive<R> {
    fn entries(&self, accept: &dyn Fn(&str) -> bool) -> Vec<usize> {
        self.select(accept)
    }

    fn bytes(&mut self, index: usize, limit: u64) -> Vec<u8> {
        self.head(index, limit).unwrap_or_default()
    }
}

fn explain(path: &Path, error: ZipError) -> ArtifactError {
    match error {
        ZipError::UnsupportedArchive(ZipError::PASSWORD_REQUIRED) | ZipError::InvalidPassword => {
            ArtifactError::Encrypted(path.to_owned())
        }
        ZipError::Io(source) if source.kind() == io::ErrorKind::PermissionDenied => {
            ArtifactError::io(path, source)
        }
        other => ArtifactError::Corrupt {
            path: path.to_owned(),
            why: other.to_string(),
        },
    }
}
