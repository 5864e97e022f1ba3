//! Every seed of the fuzzers is read by its reader: the good ones without an error, the bad ones
//! (named so) with one that says something.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::path::{Path, PathBuf};
use tacho_import::{Format, read};

fn seeds(format: Format) -> Vec<(PathBuf, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../../fuzz/seeds")
        .join(format.name());
    let mut seeds: Vec<PathBuf> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    seeds.sort();
    seeds
        .into_iter()
        .map(|path| {
            let bytes = std::fs::read(&path).unwrap();
            (path, bytes)
        })
        .collect()
}

#[test]
fn every_seed_is_read() {
    for format in Format::ALL {
        let seeds = seeds(format);
        assert!(seeds.len() >= 3, "{format} has too few seeds");
        for (path, bytes) in seeds {
            let is_bad = path
                .file_name()
                .unwrap()
                .to_string_lossy()
                .starts_with("bad-");
            match read(format, &bytes, path.parent().unwrap()) {
                Ok(imported) => {
                    assert!(!is_bad, "{} was read", path.display());
                    assert!(
                        !imported.workload.scenarios.is_empty(),
                        "{}",
                        path.display()
                    );
                }
                Err(error) => {
                    assert!(is_bad, "{}: {error}", path.display());
                    assert!(error.to_string().len() > 20, "{}: {error}", path.display());
                }
            }
        }
    }
}

/// A reader that is given the seed of another must say so as well as it can.
#[test]
fn no_seed_crashes_a_reader() {
    for format in Format::ALL {
        for (path, bytes) in seeds(format) {
            for other in Format::ALL {
                let _ = read(other, &bytes, path.parent().unwrap());
                let half = &bytes[..bytes.len() / 2];
                let _ = read(other, half, path.parent().unwrap());
            }
        }
    }
}
