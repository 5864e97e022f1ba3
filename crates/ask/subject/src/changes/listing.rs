//! The files of a build, each with a checksum that shows at once whether two are the same.

use super::SAME_FOLDER;
use crate::artifact::{Archive, Artifact, ArtifactError, jars_below};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufReader, Cursor, Read, Seek};
use std::path::PathBuf;

/// A larger jar beside the artifact is compared by its size alone.
const BESIDE_LIMIT: u64 = 256 << 20;

/// Where the bytes of a file are.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Place {
    /// In the archive, by index.
    Within(usize),
    /// Beside it.
    Beside(PathBuf),
}

/// A file of a build.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Entry {
    /// CRC-32 and size: as in the archive's directory.
    sum: (u32, u64),
    place: Place,
}

/// All files of an archive, and of an artifact the jars beside it.
pub(crate) struct Listing<R> {
    archive: Archive<R>,
    entries: BTreeMap<String, Entry>,
}

impl Listing<BufReader<File>> {
    /// Of an artifact; nothing but the directories of its archives is read, and jars beside it.
    pub fn of(artifact: &Artifact) -> Result<Self, ArtifactError> {
        let mut listing = Listing::within(Archive::open(&artifact.file)?);
        let facts = artifact.jvm.as_ref();
        let beside = facts.map_or(&[][..], |facts| &facts.beside);
        for path in beside {
            let jars = match path.is_dir() {
                true => jars_below(path),
                false => vec![path.clone()],
            };
            for jar in jars {
                listing.add_beside(jar);
            }
        }
        Ok(listing)
    }
}

impl<R: Read + Seek> Listing<R> {
    /// Of an archive alone.
    pub fn within(mut archive: Archive<R>) -> Self {
        let mut entries = BTreeMap::new();
        for index in 0..archive.names().len() {
            let name = archive.names()[index].clone();
            if !name.ends_with('/')
                && let Some(sum) = archive.sum(index)
            {
                let place = Place::Within(index);
                entries.insert(name, Entry { sum, place });
            }
        }
        Self { archive, entries }
    }

    fn add_beside(&mut self, jar: PathBuf) {
        let Some(name) = jar.file_name().and_then(|name| name.to_str()) else {
            return;
        };
        let name = format!("{SAME_FOLDER}{name}");
        let Ok(file) = tacho_files::input::open(&jar) else {
            return;
        };
        let size = file.metadata().map_or(0, |facts| facts.len());
        let mut crc = crc32fast::Hasher::new();
        let mut bytes = Vec::new();
        if file.take(BESIDE_LIMIT).read_to_end(&mut bytes).is_ok() {
            crc.update(&bytes);
        }
        let sum = (crc.finalize(), size);
        let place = Place::Beside(jar);
        self.entries.insert(name, Entry { sum, place });
    }

    /// Names of all files, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.entries.keys().map(String::as_str)
    }

    /// There is such a file.
    pub fn has(&self, name: &str) -> bool {
        self.entries.contains_key(name)
    }

    /// The same bytes, by their sums, under these names.
    pub fn is_same<S>(&self, name: &str, other: &Listing<S>, as_name: &str) -> bool {
        match (self.entries.get(name), other.entries.get(as_name)) {
            (Some(one), Some(other)) => one.sum == other.sum,
            _ => false,
        }
    }

    /// The first `limit` bytes of a file; empty when it cannot be read.
    pub fn bytes(&mut self, name: &str, limit: u64) -> Vec<u8> {
        match self.entries.get(name).map(|entry| entry.place.clone()) {
            Some(Place::Within(index)) => self.archive.head(index, limit).unwrap_or_default(),
            Some(Place::Beside(path)) => {
                let mut bytes = Vec::new();
                let read = tacho_files::input::open(&path)
                    .and_then(|file| file.take(limit).read_to_end(&mut bytes));
                read.map_or_else(|_| Vec::new(), |_| bytes)
            }
            None => Vec::new(),
        }
    }

    /// The file of a jar beside the artifact.
    pub fn beside(&self, name: &str) -> Option<&std::path::Path> {
        match &self.entries.get(name)?.place {
            Place::Beside(path) => Some(path),
            Place::Within(_) => None,
        }
    }

    /// A jar among the files, whole in memory; `None` where it is larger or damaged.
    pub fn nested(&mut self, name: &str, limit: u64) -> Option<Listing<Cursor<Vec<u8>>>> {
        let bytes = self.bytes(name, limit + 1);
        if bytes.len() as u64 > limit {
            return None;
        }
        let path = PathBuf::from(name);
        let archive = Archive::new(&path, Cursor::new(bytes)).ok()?;
        Some(Listing::within(archive))
    }
}
