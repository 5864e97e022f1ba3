//! A file that goes over a connection: its name and its length, then its bytes.

use serde::{Deserialize, Serialize};
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};

/// A file that is needed on the other side.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GivenFile {
    /// Its path below a folder of the other side's.
    pub name: String,
    /// Its length.
    pub bytes: u64,
}

/// Keeps a file below the folder, wherever its name leads. Gives where.
///
/// # Errors
/// When its name leads elsewhere, fewer bytes come, or it cannot be written.
pub fn keep(file: &GivenFile, from: &mut impl Read, folder: &Path) -> io::Result<PathBuf> {
    let name = Path::new(&file.name);
    let is_below = name
        .components()
        .all(|part| matches!(part, Component::Normal(_)));
    if !is_below || file.name.is_empty() {
        return Err(io::Error::other("its name leads elsewhere"));
    }
    let path = folder.join(name);
    if let Some(folder) = path.parent() {
        tacho_files::create_folder(folder)?;
    }
    let copied = io::copy(&mut from.take(file.bytes), &mut tacho_files::create(&path)?)?;
    match copied == file.bytes {
        true => Ok(path),
        false => Err(io::ErrorKind::UnexpectedEof.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_kept_below_the_folder_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let kept = |name: &str, bytes: u64| {
            let file = GivenFile {
                name: name.to_owned(),
                bytes,
            };
            keep(&file, &mut &b"12345"[..], folder.path())
        };
        let path = kept("given-0/a.csv", 5).unwrap();
        assert_eq!(path, folder.path().join("given-0/a.csv"));
        assert_eq!(std::fs::read(path).unwrap(), b"12345");
        for elsewhere in ["../a", "/a", "a/../../b", ""] {
            assert!(kept(elsewhere, 1).is_err(), "{elsewhere}");
        }
        assert!(kept("short", 6).is_err());
    }
}
