//! Files that an input names and whose contents are needed while it is read.

use crate::error::ImportError;
use std::fmt::Display;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

/// Largest file that becomes part of a request.
const LARGEST: u64 = 64 << 20;

/// Contents of a regular file.
pub(crate) fn read(base: &Path, name: &str, place: impl Display) -> Result<Vec<u8>, ImportError> {
    let path = base.join(name);
    read_up_to(&path, LARGEST).map_err(|error| ImportError::File {
        place: place.to_string(),
        path: path.display().to_string(),
        problem: error.to_string(),
    })
}

/// The first line of a regular file, if there is one of sane length.
pub(crate) fn first_line(path: &Path) -> Option<String> {
    let mut start = Vec::new();
    open(path)
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

fn read_up_to(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut contents = Vec::new();
    open(path)?.take(most + 1).read_to_end(&mut contents)?;
    if contents.len() as u64 > most {
        return Err(io::Error::other(format!(
            "it has more than {most} bytes; use a smaller one"
        )));
    }
    Ok(contents)
}

/// Looked at before it is opened: opening a pipe would wait for its other end.
fn open(path: &Path) -> io::Result<File> {
    if fs::metadata(path)?.is_file() {
        File::open(path)
    } else {
        Err(io::Error::other("it is not a regular file"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let path = folder.path().join("body");
        fs::write(&path, [0; 11]).unwrap();
        assert_eq!(read_up_to(&path, 11).unwrap().len(), 11);
        assert!(read_up_to(&path, 10).is_err());
    }

    #[test]
    fn the_first_line_comes_without_its_end() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rows.csv");
        fs::write(&path, "\u{feff}id,name\r\n1,a\r\n").unwrap();
        assert_eq!(first_line(&path).unwrap(), "id,name");
    }
}
