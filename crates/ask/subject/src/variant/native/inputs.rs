//! What goes into an image, as one checksum: the same checksum means the same image.

use super::super::PrepareError;
use super::way::Way;
use crate::artifact::JvmFacts;
use crate::sum::{add_all, hexadecimal};
use crate::{Artifact, BuildTool, ImageBuilder};
use sha2::{Digest, Sha256};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

/// To be raised whenever the same files give another image.
const WAY_OF_MAKING: &str = "2";

/// Folders that are made by building a project or by an editor, where they lie beside its build
/// file. Elsewhere they may be packages of its sources.
const MADE_BESIDE_BUILD_FILES: [&str; 4] = ["target", "build", "out", "bin"];

/// How many parent folders of a project count: a parent may hold versions and profiles.
const PARENTS: usize = 3;

/// SHA-256 over the builder, its options in the environment, the way of building, and the bytes of
/// all files, in hexadecimal. It does not notice a dependency whose content changes under the same
/// version (SNAPSHOT).
pub fn key(
    artifact: &Artifact,
    facts: &JvmFacts,
    way: &Way,
    builder: &ImageBuilder,
    options: Option<&str>,
) -> Result<String, PrepareError> {
    let mut sum = Sha256::new();
    field(&mut sum, WAY_OF_MAKING);
    field(&mut sum, builder.title());
    field(&mut sum, &builder.program().display().to_string());
    field(&mut sum, &modified(builder.program()));
    field(&mut sum, options.unwrap_or_default());
    field(&mut sum, &format!("{way:?}"));
    match way {
        Way::Jar | Way::UnpackedBootJar => {
            let files = std::iter::once(&artifact.file).chain(&facts.beside);
            for path in files {
                add(&mut sum, path)?;
            }
        }
        Way::Maven(project, _) => {
            for folder in project.ancestors().skip(1).take(PARENTS) {
                let pom = folder.join("pom.xml");
                if pom.is_file() {
                    add_file(&mut sum, &pom)?;
                }
            }
            add(&mut sum, project)?;
        }
    }
    Ok(hexadecimal(sum))
}

/// With its length in front, so that two fields are never taken for one.
fn field(sum: &mut Sha256, text: &str) {
    sum.update((text.len() as u64).to_le_bytes());
    sum.update(text);
}

/// Time of the builder's file: a builder that was installed again may be another one.
fn modified(program: &Path) -> String {
    let modified = program.metadata().and_then(|m| m.modified()).ok();
    let since = modified.and_then(|at| at.duration_since(UNIX_EPOCH).ok());
    since.map_or_else(String::new, |since| since.as_nanos().to_string())
}

/// A file, or all files below a folder in the order of their names.
fn add(sum: &mut Sha256, path: &Path) -> Result<(), PrepareError> {
    if path.is_file() {
        return add_file(sum, path);
    }
    let entries = fs::read_dir(path).map_err(|e| PrepareError::io(path, e))?;
    let mut paths: Vec<PathBuf> = entries
        .collect::<Result<Vec<_>, _>>()
        .map_err(|e| PrepareError::io(path, e))?
        .into_iter()
        .map(|entry| entry.path())
        .filter(|path| counts(path))
        .collect();
    paths.sort();
    for path in paths {
        add(sum, &path)?;
    }
    Ok(())
}

fn counts(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let hidden = name.starts_with('.') && name != ".mvn";
    // A link to nowhere, a socket.
    let exists = path.is_file() || path.is_dir();
    let is_left_out =
        || name == "node_modules" || is_output(path, &name) || is_of_a_run(path, &name);
    exists && !hidden && !(path.is_dir() && is_left_out())
}

fn is_output(folder: &Path, name: &str) -> bool {
    let project = folder.parent();
    MADE_BESIDE_BUILD_FILES.contains(&name) && project.and_then(BuildTool::of).is_some()
}

/// Whether a folder holds what Tacho tells of a run, such as the one that asks now. It often lies
/// in the project, is no part of it, and is another one each time.
fn is_of_a_run(folder: &Path, name: &str) -> bool {
    const TOLD: [&str; 3] = ["run.json", "fit.json", "diagnose.json"];
    begins_with_an_instant(name) && TOLD.iter().any(|file| folder.join(file).is_file())
}

/// As the names of run folders do: `20261121-211327-shop`.
fn begins_with_an_instant(name: &str) -> bool {
    let is_number = |text: &str, digits: usize| {
        text.len() == digits && text.bytes().all(|byte| byte.is_ascii_digit())
    };
    let mut parts = name.splitn(3, '-');
    match (parts.next(), parts.next(), parts.next()) {
        (Some(day), Some(time), Some(_)) => is_number(day, 8) && is_number(time, 6),
        _ => false,
    }
}

fn add_file(sum: &mut Sha256, path: &Path) -> Result<(), PrepareError> {
    let failed = |e| PrepareError::io(path, e);
    field(sum, &path.display().to_string());
    let file = tacho_files::input::open(path).map_err(failed)?;
    let length = file.metadata().map_err(failed)?.len();
    sum.update(length.to_le_bytes());
    add_all(sum, file).map_err(failed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_output_lies_beside_a_build_file_and_a_package_of_that_name_does_not() {
        let project = tempfile::tempdir().unwrap();
        let made = |path: &str| {
            let path = project.path().join(path);
            fs::create_dir_all(&path).unwrap();
            path
        };
        fs::write(made("module").join("pom.xml"), "").unwrap();
        fs::write(project.path().join("pom.xml"), "").unwrap();
        for output in ["target", "module/target", "bin", "web/node_modules"] {
            assert!(!counts(&made(output)), "{output}");
        }
        for package in ["src/main/java/a/build", "module/src/main/java/target"] {
            assert!(counts(&made(package)), "{package}");
        }
    }

    #[test]
    fn what_is_told_of_runs_is_no_part_of_a_project() {
        let project = tempfile::tempdir().unwrap();
        let counted = |folder: &str, file: &str| {
            let folder = project.path().join(folder);
            fs::create_dir_all(&folder).unwrap();
            fs::write(folder.join(file), "{}").unwrap();
            counts(&folder)
        };
        for (folder, file) in [
            ("runs/20261121-211327-shop", "run.json"),
            ("runs/20261121-211327-fit-shop", "fit.json"),
            ("20261121-211328-diagnose-a", "diagnose.json"),
        ] {
            assert!(!counted(folder, file), "{folder}");
        }
        for (folder, file) in [
            ("src/main/resources", "run.json"),
            ("src/20261121-211327-shop", "V1.sql"),
            ("2026-11-21-notes", "run.json"),
        ] {
            assert!(counted(folder, file), "{folder}");
        }
    }
}
