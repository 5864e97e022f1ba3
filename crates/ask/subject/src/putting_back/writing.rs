//! Writes the candidate with some of its parts put back.

use super::{Edit, Hunk, Part, Unit, with};
use crate::artifact::{Archive, Artifact, ArtifactError};
use crate::changes::listing::Listing;
use crate::changes::{LIBRARY_LIMIT, SAME_FOLDER, settings};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufReader, Cursor};
use std::path::{Path, PathBuf};

/// Largest jar that is put back as a whole.
const JAR_LIMIT: u64 = 256 << 20;

/// Why a change could not be put back.
#[derive(Debug, thiserror::Error)]
pub enum PutBackError {
    /// One of the builds.
    #[error(transparent)]
    Artifact(#[from] ArtifactError),
    /// An archive that cannot be written anew.
    #[error("{0} cannot be written anew: {1}")]
    Archive(String, zip::result::ZipError),
    /// A file.
    #[error("{}: {source}", path.display())]
    File {
        /// That was written.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// A jar beside the artifact that only the older build has.
    #[error("{0} is not in the newer build: putting it back needs its class path, too")]
    NoPlace(String),
}

/// New contents of entries by name; `None` removes the entry.
type Changed = BTreeMap<String, Option<Vec<u8>>>;

/// Writes the candidate with these parts put back into a folder, and says what is to be launched.
///
/// # Errors
/// When that cannot be read or written.
pub fn with_put_back(
    before: &Artifact,
    after: &Artifact,
    parts: &[&Part],
    to: &Path,
) -> Result<PathBuf, PutBackError> {
    fs::create_dir_all(to).map_err(|source| file_error(to, source))?;
    let name = after.file.file_name().unwrap_or_default();
    let folder = after.file.parent().unwrap_or(Path::new("."));
    let is_alone = after
        .jvm
        .as_ref()
        .is_some_and(|facts| facts.beside.is_empty());
    if is_alone {
        let edits: Vec<&Edit> = parts.iter().flat_map(|part| &part.edits).collect();
        for (_, bytes) in of_jar(before, after, &edits)? {
            fs::write(to.join(name), bytes).map_err(|e| file_error(to, e))?;
        }
        return Ok(to.join(name));
    }
    let mut written = Files::new();
    let (within, own): (Vec<&Part>, Vec<&Part>) = parts.iter().partition(|part| part.jar.is_some());
    let edits: Vec<&Edit> = own.iter().flat_map(|part| &part.edits).collect();
    match after.script() {
        Some(text) => {
            let hunks: Vec<&Hunk> = edits.iter().filter_map(hunk).collect();
            written.insert(
                after.file.clone(),
                with(&text, &hunks, Unit::Word).into_bytes(),
            );
        }
        None => written.extend(of_jar(before, after, &edits)?),
    }
    let mut jars: BTreeMap<&(PathBuf, PathBuf), Vec<&Edit>> = BTreeMap::new();
    for part in within {
        if let Some(jar) = &part.jar {
            jars.entry(jar).or_default().extend(&part.edits);
        }
    }
    for ((was, is), edits) in jars {
        let (was, is) = (Artifact::read(was)?, Artifact::read(is)?);
        if !is.file.starts_with(folder) {
            return Err(PutBackError::NoPlace(is.file.display().to_string()));
        }
        written.extend(of_jar(&was, &is, &edits)?);
    }
    mirror(folder, to, &written)?;
    Ok(to.join(name))
}

/// New contents of files, by their paths.
type Files = BTreeMap<PathBuf, Vec<u8>>;

/// A jar and what lies beside it, where that is another.
fn of_jar(before: &Artifact, after: &Artifact, edits: &[&Edit]) -> Result<Files, PutBackError> {
    let (mut older, mut newer) = (Listing::of(before)?, Listing::of(after)?);
    let (mut files, mut within) = (Files::new(), Changed::new());
    for (name, bytes) in changed(edits, &mut older, &mut newer)? {
        match (name.strip_prefix(SAME_FOLDER), newer.beside(&name)) {
            (None, _) => {
                within.insert(name, bytes);
            }
            (Some(_), Some(path)) => {
                files.insert(path.to_owned(), bytes.unwrap_or_default());
            }
            (Some(name), None) => return Err(PutBackError::NoPlace(name.to_owned())),
        }
    }
    let mut archive = Archive::open(&after.file)?;
    let written = archive.with(&within, Cursor::new(Vec::new()));
    let written =
        written.map_err(|e| PutBackError::Archive(after.file.display().to_string(), e))?;
    files.insert(after.file.clone(), written.into_inner());
    Ok(files)
}

fn file_error(path: &Path, source: io::Error) -> PutBackError {
    PutBackError::File {
        path: path.to_owned(),
        source,
    }
}

fn hunk<'e>(edit: &&'e Edit) -> Option<&'e Hunk> {
    match edit {
        Edit::Lines(_, hunk) => Some(hunk),
        Edit::Whole(_) => None,
    }
}

/// New contents of the candidate's entries and of the jars beside it.
fn changed(
    edits: &[&Edit],
    older: &mut Listing<BufReader<File>>,
    newer: &mut Listing<BufReader<File>>,
) -> Result<Changed, PutBackError> {
    let mut all = Changed::new();
    let mut texts: BTreeMap<&String, Vec<&Hunk>> = BTreeMap::new();
    let mut jars: BTreeMap<(&String, &String), Changed> = BTreeMap::new();
    let mut opened = BTreeMap::new();
    for edit in edits {
        match edit {
            Edit::Lines(name, hunk) => texts.entry(name).or_default().push(hunk),
            Edit::Whole(place) => {
                let entry = place.after.as_ref().or(place.before.as_ref());
                let Some(entry) = entry.cloned() else {
                    continue;
                };
                match &place.container {
                    None => {
                        let was = place.before.as_ref();
                        let bytes = was.map(|was| older.bytes(was, JAR_LIMIT));
                        all.insert(entry, bytes);
                    }
                    Some(container) => {
                        let was = place.before.as_ref();
                        let jar = opened
                            .entry(&container.before)
                            .or_insert_with(|| older.nested(&container.before, LIBRARY_LIMIT));
                        let bytes = was.zip(jar.as_mut());
                        let bytes = bytes.map(|(was, jar)| jar.bytes(was, JAR_LIMIT));
                        let jar = jars.entry((&container.before, &container.after));
                        jar.or_default().insert(entry, bytes);
                    }
                }
            }
        }
    }
    for (name, hunks) in texts {
        let newer = newer.bytes(name, settings::LIMIT);
        let text = with(&String::from_utf8_lossy(&newer), &hunks, Unit::Line);
        all.insert(name.clone(), Some(text.into_bytes()));
    }
    for ((_, name), changed) in jars {
        let bytes = newer.bytes(name, LIBRARY_LIMIT);
        let path = PathBuf::from(name);
        let mut archive = Archive::new(&path, Cursor::new(bytes))?;
        let written = archive.with(&changed, Cursor::new(Vec::new()));
        let written = written.map_err(|e| PutBackError::Archive(name.clone(), e))?;
        all.insert(name.clone(), Some(written.into_inner()));
    }
    Ok(all)
}

/// A copy of a folder made of links, except for the files that are written anew, so that scripts
/// and jars still find what lies beside them.
fn mirror(
    from: &Path,
    to: &Path,
    written: &BTreeMap<PathBuf, Vec<u8>>,
) -> Result<(), PutBackError> {
    fs::create_dir_all(to).map_err(|e| file_error(to, e))?;
    let entries = fs::read_dir(from).map_err(|e| file_error(from, e))?;
    for entry in entries.flatten() {
        let (path, target) = (entry.path(), to.join(entry.file_name()));
        // The folder of runs may lie in it.
        if to.starts_with(&path) {
            continue;
        }
        if let Some(bytes) = written.get(&path) {
            let permissions = fs::metadata(&path).map(|facts| facts.permissions());
            fs::write(&target, bytes).map_err(|e| file_error(&target, e))?;
            if let Ok(permissions) = permissions {
                fs::set_permissions(&target, permissions).map_err(|e| file_error(&target, e))?;
            }
        } else if written.keys().any(|file| file.starts_with(&path)) {
            mirror(&path, &target, written)?;
        } else {
            std::os::unix::fs::symlink(&path, &target).map_err(|e| file_error(&target, e))?;
        }
    }
    Ok(())
}
