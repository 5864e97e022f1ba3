//! The kit's files inside the program.

use crate::NativeKitError;
use rust_embed::RustEmbed;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// What the installer needs, and nothing that only tests need.
#[derive(RustEmbed)]
#[folder = "../../../native-kit/"]
#[include = "install"]
#[include = "find-jdk-25"]
#[include = "README.md"]
#[include = "builder/*"]
#[include = "src/main/*"]
#[include = "c/*"]
#[exclude = "*/target/*"]
#[exclude = "c/test/*"]
struct Kit;

/// The script that installs the kit, within the unpacked folder.
pub const INSTALLER: &str = "install";

/// Writes all files below the folder.
pub fn unpack(folder: &Path) -> Result<(), NativeKitError> {
    for name in Kit::iter() {
        let Some(file) = Kit::get(&name) else {
            continue;
        };
        let path = folder.join(name.as_ref());
        let failed = |source| NativeKitError::Unpack {
            path: path.clone(),
            source,
        };
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(failed)?;
        }
        fs::write(&path, &file.data).map_err(failed)?;
        let is_text_only = fs::Permissions::from_mode(0o644);
        let may_run = fs::Permissions::from_mode(0o755);
        let is_script = file.data.starts_with(b"#!");
        fs::set_permissions(&path, if is_script { may_run } else { is_text_only })
            .map_err(failed)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    /// All files below, as paths from there.
    fn files_below(folder: &Path, name: &Path, found: &mut Vec<std::path::PathBuf>) {
        for entry in fs::read_dir(folder.join(name)).unwrap() {
            let entry = entry.unwrap();
            let name = name.join(entry.file_name());
            if entry.path().is_dir() {
                files_below(folder, &name, found);
            } else {
                found.push(name);
            }
        }
    }

    #[test]
    fn what_is_unpacked_is_what_the_folder_holds() {
        let folder = tempfile::tempdir().unwrap();
        unpack(folder.path()).unwrap();
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../native-kit");
        let mut names = vec!["install".into(), "find-jdk-25".into()];
        for part in ["builder", "c", "src/main"] {
            files_below(&source, Path::new(part), &mut names);
        }
        names.retain(|name| !name.starts_with("c/test"));
        assert!(names.len() > 50, "{names:?}");
        for name in names {
            let (here, there) = (folder.path().join(&name), source.join(&name));
            let unpacked = fs::read(here).unwrap_or_else(|e| panic!("{}: {e}", name.display()));
            assert_eq!(unpacked, fs::read(there).unwrap(), "{}", name.display());
        }
        assert!(!folder.path().join("checks").exists(), "tests stay at home");
    }

    #[test]
    fn its_installer_is_a_script_that_runs() {
        let folder = tempfile::tempdir().unwrap();
        unpack(folder.path()).unwrap();
        // Without a JDK it says that it needs one; with a wrong one, which.
        let nowhere = folder.path().join("nowhere");
        let output = Command::new(folder.path().join(INSTALLER))
            .arg("--jdk")
            .arg(&nowhere)
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(2));
        assert!(String::from_utf8_lossy(&output.stderr).contains("is no JDK"));
    }
}
