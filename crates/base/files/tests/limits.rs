//! A limit of the process that is met while a result is written. Alone in its process: the limit is
//! for all of it.
#![allow(clippy::unwrap_used)]

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use std::fs::{self, File};
use tempfile::TempDir;

#[test]
fn the_error_says_what_the_kernel_said() {
    let folder = TempDir::new().unwrap();
    let before = getrlimit(Resource::Nofile);
    setrlimit(
        Resource::Nofile,
        Rlimit {
            current: Some(16),
            ..before
        },
    )
    .unwrap();
    let mut held = Vec::new();
    while let Ok(file) = File::open("/dev/null") {
        held.push(file);
    }
    let error = tacho_files::replace(&folder.path().join("result"), b"content").unwrap_err();
    drop(held);
    setrlimit(Resource::Nofile, before).unwrap();
    // Callers choose the advice by errno; a message alone does not carry it.
    assert_eq!(
        error.raw_os_error(),
        Some(rustix::io::Errno::MFILE.raw_os_error())
    );
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}
