//! Bytes on disk.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// Bytes of a file, or of all files below a folder. A link counts as what it is, not as what it
/// points to, so that nothing outside the folder is counted; a file with several names in the
/// folder counts once. The path itself may be a link.
///
/// # Errors
/// When something cannot be read.
pub fn bytes_of(path: &Path) -> io::Result<u64> {
    let mut seen = HashSet::new();
    let mut total = 0;
    let mut open = vec![path.canonicalize()?];
    while let Some(path) = open.pop() {
        let metadata = match fs::symlink_metadata(&path) {
            // Gone since its folder was read.
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            metadata => metadata?,
        };
        if metadata.is_dir() {
            for entry in fs::read_dir(&path)? {
                open.push(entry?.path());
            }
        } else if metadata.nlink() < 2 || seen.insert((metadata.dev(), metadata.ino())) {
            total += metadata.len();
        }
    }
    Ok(total)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn links_out_of_the_folder_are_not_followed_and_hard_links_count_once() {
        let dir = tempfile::tempdir().unwrap();
        let inside = dir.path().join("in");
        fs::create_dir_all(inside.join("deep")).unwrap();
        fs::write(dir.path().join("outside"), [0; 5000]).unwrap();
        fs::write(inside.join("a"), [0; 100]).unwrap();
        fs::write(inside.join("deep/b"), [0; 20]).unwrap();
        fs::hard_link(inside.join("a"), inside.join("deep/a")).unwrap();
        assert_eq!(bytes_of(&inside).unwrap(), 120);
        symlink("../outside", inside.join("link")).unwrap();
        assert_eq!(bytes_of(&inside).unwrap(), 120 + "../outside".len() as u64);
        symlink(&inside, dir.path().join("alias")).unwrap();
        assert_eq!(bytes_of(&dir.path().join("alias")).unwrap(), 130);
        assert!(bytes_of(&dir.path().join("none")).is_err());
    }
}
