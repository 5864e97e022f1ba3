//! Files that an input names and whose contents are needed while it is read.

use crate::error::ImportError;
use std::fmt::Display;
use std::io::Read;
use std::path::{Component, Path, PathBuf};

/// Contents of a regular file.
pub(crate) fn read(base: &Path, name: &str, place: impl Display) -> Result<Vec<u8>, ImportError> {
    let path = base.join(name);
    tacho_files::input::read(&path, tacho_files::input::BODY).map_err(|error| ImportError::File {
        place: place.to_string(),
        path: path.display().to_string(),
        problem: error.to_string(),
    })
}

/// Why a file that an input names is not used. It has to be below the folder of the input.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum NotBelow {
    #[error("is not below the folder of the input; put it there, and name it from there")]
    Elsewhere,
    #[error("is not there, or is no file; names count from the folder of the input")]
    NotThere,
}

/// Path of a file below a folder, reached without a link: its name comes from outside.
pub(crate) fn below(base: &Path, name: &str) -> Result<PathBuf, NotBelow> {
    let mut path = base.to_owned();
    let mut is_file = false;
    for part in Path::new(name).components() {
        match part {
            Component::CurDir => continue,
            Component::Normal(part) => path.push(part),
            _ => return Err(NotBelow::Elsewhere),
        }
        let found = path.symlink_metadata().map_err(|_| NotBelow::NotThere)?;
        if found.is_symlink() {
            return Err(NotBelow::Elsewhere);
        }
        is_file = found.is_file();
    }
    if is_file {
        Ok(path)
    } else {
        Err(NotBelow::NotThere)
    }
}

/// The first line of a regular file, if there is one of sane length.
pub(crate) fn first_line(path: &Path) -> Option<String> {
    let mut start = Vec::new();
    tacho_files::input::open(path)
        .ok()?
        .take(64 << 10)
        .read_to_end(&mut start)
        .ok()?;
    let line = start.split(|&b| b == b'\n').next()?;
    let text = std::str::from_utf8(line).ok()?;
    Some(
        text.trim_start_matches('\u{feff}')
            .trim_end_matches('\r')
            .to_owned(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_folder_or_a_device_is_refused() {
        for name in ["/", "/dev/zero", "/nowhere/at/all"] {
            let error = read(Path::new("."), name, "line 4").unwrap_err();
            assert!(
                error
                    .to_string()
                    .starts_with(&format!("line 4: the file `{name}` cannot be used: "))
            );
        }
    }

    #[test]
    fn a_file_that_is_too_large_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        // A hole.
        let file = fs::File::create(folder.path().join("body")).unwrap();
        file.set_len(tacho_files::input::BODY.bytes() + 1).unwrap();
        let error = read(folder.path(), "body", "line 4").unwrap_err();
        assert!(error.to_string().contains("larger than 64 MiB"), "{error}");
    }

    #[test]
    fn a_file_is_below_its_folder_or_not_taken() {
        let folder = tempfile::tempdir().unwrap();
        let base = folder.path().join("base");
        fs::create_dir_all(base.join("files")).unwrap();
        fs::write(base.join("files/a"), "a").unwrap();
        fs::write(folder.path().join("b"), "b").unwrap();
        std::os::unix::fs::symlink("..", base.join("up")).unwrap();
        assert_eq!(below(&base, "files/a"), Ok(base.join("files/a")));
        assert_eq!(below(&base, "./files/a"), Ok(base.join("files/a")));
        for name in ["../b", "up/b", "/etc/passwd", "files/../../b"] {
            assert_eq!(below(&base, name), Err(NotBelow::Elsewhere), "{name}");
        }
        for name in ["", ".", "files", "files/c", "files/a/b"] {
            assert_eq!(below(&base, name), Err(NotBelow::NotThere), "{name}");
        }
    }

    #[test]
    fn the_first_line_comes_without_its_end() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rows.csv");
        fs::write(&path, "\u{feff}id,name\r\n1,a\r\n").unwrap();
        assert_eq!(first_line(&path).unwrap(), "id,name");
    }
}
