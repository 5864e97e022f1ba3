//! Builds compiled on the spot.

use crate::artifact::Artifact;
use std::fs;
use std::io::{Cursor, Write};
use std::path::Path;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// Class files of sources, by their names in a jar.
pub(crate) fn compiled(sources: &[(&str, &str)]) -> Vec<(String, Vec<u8>)> {
    let folder = tempfile::tempdir().unwrap();
    let mut javac = tacho_test_jdks::jdks()[0].tool("javac");
    javac.arg("-d").arg(folder.path().join("out"));
    for (name, text) in sources {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        javac.arg(path);
    }
    assert!(javac.status().unwrap().success());
    let mut classes = Vec::new();
    let mut folders = vec![folder.path().join("out")];
    while let Some(folder_within) = folders.pop() {
        for entry in fs::read_dir(folder_within).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder.path().join("out")).unwrap();
                let name = name.to_str().unwrap().to_owned();
                classes.push((name, fs::read(&path).unwrap()));
            }
        }
    }
    classes
}

pub(crate) fn zip(entries: &[(String, Vec<u8>)]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in entries {
        zip.start_file(name, SimpleFileOptions::default()).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

pub(crate) fn entry(name: &str, bytes: impl Into<Vec<u8>>) -> (String, Vec<u8>) {
    (name.to_owned(), bytes.into())
}

/// A fat jar of Spring Boot with these classes and these other entries.
pub(crate) fn boot(
    classes: &[(String, Vec<u8>)],
    others: &[(String, Vec<u8>)],
) -> Vec<(String, Vec<u8>)> {
    let own = classes.iter();
    let own = own.map(|(name, bytes)| (format!("BOOT-INF/classes/{name}"), bytes.clone()));
    own.chain(others.iter().cloned()).collect()
}

/// A jar of these entries.
pub(crate) fn artifact(folder: &Path, name: &str, entries: &[(String, Vec<u8>)]) -> Artifact {
    let path = folder.join(name);
    fs::write(&path, zip(entries)).unwrap();
    Artifact::read(&path).unwrap()
}
