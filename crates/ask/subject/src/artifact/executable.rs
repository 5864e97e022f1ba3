//! Programs: ELF files and scripts that may be executed.

use super::ArtifactError;
use std::fs;
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// The file begins as a program does, and may be executed.
pub(super) fn is_program(path: &Path) -> bool {
    check(path).is_ok()
}

/// Says why a file is no program.
pub(super) fn check(path: &Path) -> Result<(), ArtifactError> {
    let mut head = Vec::new();
    let file = tacho_files::input::open(path).map_err(|e| ArtifactError::io(path, e))?;
    file.take(4)
        .read_to_end(&mut head)
        .map_err(|e| ArtifactError::io(path, e))?;
    if !head.starts_with(b"\x7fELF") && !head.starts_with(b"#!") {
        return Err(ArtifactError::Unknown(path.to_owned()));
    }
    let metadata = fs::metadata(path).map_err(|e| ArtifactError::io(path, e))?;
    if metadata.permissions().mode() & 0o111 == 0 {
        return Err(ArtifactError::NotExecutable(path.to_owned()));
    }
    Ok(())
}
