//! Finds the program of a command before anything is started. So a missing program is named in the
//! error, and `execve` is called once instead of once for every folder of PATH.

use super::SpawnError;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// The absolute path of the program: as execvp(3) finds it, but relative to the directory of
/// the command.
pub(super) fn find(
    program: &str,
    directory: &Path,
    environment: &BTreeMap<String, String>,
) -> Result<PathBuf, SpawnError> {
    if program.contains('/') {
        let path = directory.join(program);
        return match look_at(&path) {
            Found::Executable => Ok(path),
            Found::NotExecutable => Err(SpawnError::NotExecutable { path }),
            Found::Nothing => Err(SpawnError::NotFound {
                program: program.to_owned(),
                looked_in: path.parent().unwrap_or(directory).display().to_string(),
            }),
        };
    }
    let folders = environment
        .get("PATH")
        .map(OsString::from)
        .or_else(|| std::env::var_os("PATH"))
        .unwrap_or_else(|| "/usr/local/bin:/usr/bin:/bin".into());
    let mut refused = None;
    for folder in std::env::split_paths(&folders) {
        let path = directory.join(folder).join(program);
        match look_at(&path) {
            Found::Executable => return Ok(path),
            Found::NotExecutable => refused = Some(path),
            Found::Nothing => {}
        }
    }
    Err(refused.map_or_else(
        || SpawnError::NotFound {
            program: program.to_owned(),
            looked_in: format!("PATH ({})", folders.to_string_lossy()),
        },
        |path| SpawnError::NotExecutable { path },
    ))
}

enum Found {
    Executable,
    NotExecutable,
    Nothing,
}

fn look_at(path: &Path) -> Found {
    match fs::metadata(path) {
        Ok(facts) if facts.is_file() && facts.permissions().mode() & 0o111 != 0 => {
            Found::Executable
        }
        Ok(_) => Found::NotExecutable,
        Err(e) if e.kind() == io::ErrorKind::PermissionDenied => Found::NotExecutable,
        Err(_) => Found::Nothing,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(folders: &str) -> BTreeMap<String, String> {
        BTreeMap::from([("PATH".to_owned(), folders.to_owned())])
    }

    #[test]
    fn a_bare_name_is_looked_for_in_path() {
        let found = find("sh", Path::new("/"), &path("/nowhere:/bin")).unwrap();
        assert_eq!(found, Path::new("/bin/sh"));
    }

    #[test]
    fn a_path_is_relative_to_the_directory_of_the_command() {
        let found = find("./sh", Path::new("/bin"), &BTreeMap::new()).unwrap();
        assert!(found.ends_with("sh") && found.is_absolute());
    }

    #[test]
    fn what_is_missing_is_named_with_the_folders_that_were_searched() {
        let error = find("jvaa", Path::new("/"), &path("/bin:/sbin")).unwrap_err();
        let text = error.to_string();
        assert!(
            text.contains("jvaa") && text.contains("/bin:/sbin"),
            "{text}"
        );
    }

    #[test]
    fn a_file_without_the_right_to_execute_is_told_apart_from_a_missing_one() {
        let scratch = tempfile::tempdir().unwrap();
        fs::write(scratch.path().join("tool"), "x").unwrap();
        let folder = scratch.path().display().to_string();
        for error in [
            find("./tool", scratch.path(), &BTreeMap::new()).unwrap_err(),
            find("tool", Path::new("/"), &path(&folder)).unwrap_err(),
        ] {
            assert!(matches!(error, SpawnError::NotExecutable { .. }), "{error}");
            assert!(error.to_string().contains("chmod +x"));
        }
    }
}
