//! Whether a Tomcat is the released one: its archive is checked before it is unpacked, and the
//! unpacked files before they are run.

use crate::sum::{add_all, hexadecimal};
use crate::variant::PrepareError;
use sha2::{Digest, Sha256};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// No release has a tenth of this.
const MOST_FILES: usize = 10_000;

/// SHA-256 of a file.
pub(super) fn of_file(path: &Path) -> Result<String, PrepareError> {
    let mut sum = Sha256::new();
    tacho_files::input::open(path)
        .and_then(|file| add_all(&mut sum, file))
        .map_err(|e| PrepareError::io(path, e))?;
    Ok(hexadecimal(sum))
}

/// SHA-256 over all files of a folder, as `sha256sum` lists them in the order of their paths: `find
/// . -type f -printf '%P\n' | LC_ALL=C sort | xargs sha256sum | sha256sum`. A link or a device is
/// an error: no release has one.
pub(super) fn of_folder(folder: &Path) -> Result<String, PrepareError> {
    let mut files = Vec::new();
    collect(folder, &mut files)?;
    let mut named: Vec<(String, PathBuf)> = files
        .into_iter()
        .map(|file| {
            let name = file.strip_prefix(folder).unwrap_or(&file);
            (name.to_string_lossy().into_owned(), file)
        })
        .collect();
    named.sort();
    let mut sum = Sha256::new();
    for (name, file) in named {
        sum.update(format!("{}  {name}\n", of_file(&file)?));
    }
    Ok(hexadecimal(sum))
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), PrepareError> {
    let failed = |e| PrepareError::io(folder, e);
    for entry in fs::read_dir(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        // Not followed.
        let kind = entry.file_type().map_err(failed)?;
        let path = entry.path();
        match () {
            () if kind.is_dir() => collect(&path, files)?,
            () if kind.is_file() && files.len() < MOST_FILES => files.push(path),
            () => {
                let why = "it does not belong to Apache Tomcat; remove the folder";
                return Err(PrepareError::io(&path, io::Error::other(why)));
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sum_of_a_folder_is_that_of_sha256sum_and_knows_every_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path();
        fs::create_dir(path.join("lib")).unwrap();
        fs::write(path.join("lib/a.jar"), "a").unwrap();
        fs::write(path.join("lib.txt"), "b").unwrap();
        let by_tools = std::process::Command::new("sh")
            .current_dir(path)
            .args([
                "-c",
                "find . -type f -printf '%P\\n' | LC_ALL=C sort | xargs sha256sum | sha256sum",
            ])
            .output()
            .unwrap();
        let before = of_folder(path).unwrap();
        assert!(
            String::from_utf8(by_tools.stdout)
                .unwrap()
                .starts_with(&before)
        );
        fs::write(path.join("lib/b.jar"), "").unwrap();
        assert_ne!(of_folder(path).unwrap(), before);
        std::os::unix::fs::symlink("/etc/passwd", path.join("link")).unwrap();
        assert!(of_folder(path).is_err());
    }
}
