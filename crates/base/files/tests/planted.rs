//! What somebody else put where Tacho writes and reads.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::sync::mpsc::channel;
use std::time::Duration;
use tacho_files::{
    append, can_be_written, create, create_folder, open, read, replace, write_where_asked,
};
use tempfile::TempDir;

/// A folder with a precious file, and every kind of thing that leads to it or stops who opens it.
fn planted() -> TempDir {
    let folder = TempDir::new().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("precious"), "precious").unwrap();
    symlink(at("precious"), at("link")).unwrap();
    symlink(at("absent"), at("dangling")).unwrap();
    fs::hard_link(at("precious"), at("hard")).unwrap();
    let made = std::process::Command::new("mkfifo")
        .arg(at("pipe"))
        .status();
    assert!(made.unwrap().success());
    folder
}

/// Guarded against a wait without an end.
fn in_time<T: Send + 'static>(what: impl FnOnce() -> T + Send + 'static) -> T {
    let (send, receive) = channel();
    std::thread::spawn(move || send.send(what()));
    receive.recv_timeout(Duration::from_secs(60)).unwrap()
}

fn content(path: &Path) -> String {
    fs::read_to_string(path).unwrap()
}

#[test]
fn a_result_replaces_what_is_planted_and_follows_nothing() {
    for name in ["link", "dangling", "hard", "pipe", "new"] {
        let folder = planted();
        let path = folder.path().join(name);
        let written = path.clone();
        in_time(move || replace(&written, b"result")).unwrap();
        assert_eq!(
            content(&folder.path().join("precious")),
            "precious",
            "{name}"
        );
        assert!(!folder.path().join("absent").exists(), "{name}");
        let metadata = fs::symlink_metadata(&path).unwrap();
        assert!(metadata.is_file(), "{name}");
        assert_eq!(metadata.permissions().mode() & 0o777, 0o600, "{name}");
        assert_eq!(content(&path), "result");
        assert_eq!(hidden(folder.path()), 0, "{name}");
    }
}

fn hidden(folder: &Path) -> usize {
    let names = fs::read_dir(folder)
        .unwrap()
        .map(|e| e.unwrap().file_name());
    names
        .filter(|name| name.to_string_lossy().starts_with('.'))
        .count()
}

#[test]
fn a_result_that_cannot_be_written_leaves_nothing() {
    let folder = planted();
    fs::create_dir(folder.path().join("folder")).unwrap();
    assert!(replace(&folder.path().join("folder"), b"result").is_err());
    assert!(replace(&folder.path().join("none/file"), b"result").is_err());
    let failed = tacho_files::replace_with(&folder.path().join("precious"), |_| {
        Err(std::io::ErrorKind::StorageFull.into())
    });
    assert!(failed.is_err());
    assert_eq!(content(&folder.path().join("precious")), "precious");
    assert_eq!(hidden(folder.path()), 0);
}

#[test]
fn a_file_that_grows_is_made_anew() {
    for name in ["link", "dangling", "hard", "pipe", "new"] {
        let folder = planted();
        let path = folder.path().join(name);
        let made = path.clone();
        in_time(move || create(&made))
            .unwrap()
            .write_all(b"row")
            .unwrap();
        assert_eq!(
            content(&folder.path().join("precious")),
            "precious",
            "{name}"
        );
        assert!(!folder.path().join("absent").exists(), "{name}");
        assert_eq!(content(&path), "row");
    }
}

#[test]
fn what_nobody_wants_goes_to_the_device_for_it() {
    let before = fs::metadata("/dev/null").unwrap();
    create(Path::new("/dev/null"))
        .unwrap()
        .write_all(b"row")
        .unwrap();
    let after = fs::metadata("/dev/null").unwrap();
    use std::os::unix::fs::MetadataExt;
    assert_eq!((before.ino(), before.rdev()), (after.ino(), after.rdev()));
}

#[test]
fn nothing_but_a_plain_file_is_appended_to_or_read() {
    let folder = planted();
    for name in ["link", "dangling", "pipe"] {
        let path = folder.path().join(name);
        let (appended, opened) = (path.clone(), path.clone());
        let error = in_time(move || append(&appended)).unwrap_err();
        assert!(error.to_string().contains("plain files"), "{name}: {error}");
        let error = in_time(move || open(&opened)).unwrap_err();
        assert!(error.to_string().contains("plain files"), "{name}: {error}");
    }
    assert!(open(Path::new("/dev/zero")).is_err());
    assert!(open(folder.path()).is_err());
    append(&folder.path().join("new"))
        .unwrap()
        .write_all(b"a")
        .unwrap();
    append(&folder.path().join("new"))
        .unwrap()
        .write_all(b"b")
        .unwrap();
    assert_eq!(read(&folder.path().join("new")).unwrap(), b"ab");
}

#[test]
fn what_the_user_names_may_be_a_pipe_or_a_device_of_his() {
    let folder = planted();
    let pipe = folder.path().join("pipe");
    let reader = pipe.clone();
    let read = std::thread::spawn(move || content(&reader));
    let written = pipe.clone();
    in_time(move || write_where_asked(&written, b"result")).unwrap();
    assert_eq!(read.join().unwrap(), "result");
    write_where_asked(Path::new("/dev/null"), b"result").unwrap();
    write_where_asked(&folder.path().join("link"), b"result").unwrap();
    assert_eq!(content(&folder.path().join("precious")), "precious");
    assert_eq!(content(&folder.path().join("link")), "result");
}

/// An empty file was made where a link of nobody's led.
#[test]
fn to_ask_whether_a_file_can_be_written_changes_nothing() {
    for name in ["link", "dangling", "hard", "pipe", "new"] {
        let folder = planted();
        let names = || -> BTreeSet<_> {
            let entries = fs::read_dir(folder.path()).unwrap();
            entries.map(|entry| entry.unwrap().file_name()).collect()
        };
        let (path, before) = (folder.path().join(name), names());
        in_time(move || can_be_written(&path)).unwrap();
        assert_eq!(names(), before, "{name}");
        assert_eq!(content(&folder.path().join("precious")), "precious");
    }
    let folder = planted();
    let absent = folder.path().join("absent/result");
    assert!(can_be_written(&absent).is_err());
    assert!(can_be_written(folder.path()).is_err());
}

#[test]
fn a_pipe_that_another_user_put_there_is_not_written_to() {
    if !rustix::process::geteuid().is_root() {
        println!("skipped: needs root, to be somebody else too");
        return;
    }
    let folder = planted();
    let pipe = folder.path().join("pipe");
    std::os::unix::fs::chown(&pipe, Some(65534), None).unwrap();
    assert!(can_be_written(&pipe).is_err());
    assert!(in_time(move || write_where_asked(&pipe, b"result")).is_err());
    // A link of another user to a device.
    let link = folder.path().join("null");
    symlink("/dev/null", &link).unwrap();
    std::os::unix::fs::lchown(&link, Some(65534), None).unwrap();
    assert!(write_where_asked(&link, b"result").is_err());
}

#[test]
fn folders_are_for_the_user_alone() {
    let folder = TempDir::new().unwrap();
    let inner = folder.path().join("runs/a");
    create_folder(&inner).unwrap();
    create_folder(&inner).unwrap();
    for made in [&inner, inner.parent().unwrap()] {
        let mode = fs::metadata(made).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o700);
    }
    assert!(tacho_files::create_new_folder(&inner).is_err());
}

#[test]
fn what_the_user_asked_for_may_be_read_by_whom_his_mask_lets() {
    let folder = tempfile::tempdir().unwrap();
    let asked = folder.path().join("asked");
    write_where_asked(&asked, b"result").unwrap();
    let plain = folder.path().join("plain");
    fs::write(&plain, "").unwrap();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode();
    assert_eq!(mode(&asked), mode(&plain));
}

#[test]
fn a_folder_under_a_name_that_is_taken_has_a_number() {
    let above = TempDir::new().unwrap();
    let names = [(); 3].map(|()| {
        let made = tacho_files::create_numbered_folder(above.path(), "run").unwrap();
        made.file_name().unwrap().to_owned()
    });
    assert_eq!(names, ["run", "run-2", "run-3"]);
    let nowhere = tacho_files::create_numbered_folder(&above.path().join("none"), "run");
    assert_eq!(nowhere.unwrap_err().kind(), std::io::ErrorKind::NotFound);
}
