use super::*;
use std::os::unix::fs::symlink;

fn launch() -> PlannedLaunch {
    PlannedLaunch {
        number: 1,
        cell: "it".to_owned(),
        replicate: 1,
        again: None,
    }
}

/// A run folder, and one outside of it that could be read in its place.
fn folders() -> (tempfile::TempDir, RunFolder, PathBuf) {
    let scratch = tempfile::tempdir().unwrap();
    let outside = scratch.path().join("outside");
    std::fs::create_dir_all(outside.join("001-it")).unwrap();
    std::fs::write(outside.join("001-it/launch.json"), "{}").unwrap();
    std::fs::write(outside.join("it.json"), "{}").unwrap();
    std::fs::write(outside.join("samples.csv"), "").unwrap();
    let folder = RunFolder::create(&scratch.path().join("run")).unwrap();
    (scratch, folder, outside)
}

/// Puts a link where there is an empty folder, or nothing.
fn plant(folder: &RunFolder, name: &str, target: &Path) {
    let place = folder.path().join(name);
    let _ = std::fs::remove_dir(&place);
    symlink(target, place).unwrap();
}

#[track_caller]
fn is_refused<T: std::fmt::Debug>(result: Result<T, FolderError>, name: &str) {
    let told = result.unwrap_err().to_string();
    assert!(told.contains(name) && told.contains("a link"), "{told}");
}

#[test]
fn nothing_is_read_through_a_folder_that_is_a_link() {
    let (_scratch, folder, outside) = folders();
    for name in ["launches", "diagnosis", "variants"] {
        plant(&folder, name, &outside);
    }
    is_refused(folder.launches(), "run/launches");
    is_refused(folder.diagnoses(), "run/diagnosis");
    is_refused(folder.variants(), "run/variants");

    let (_scratch, folder, outside) = folders();
    plant(&folder, "launches/001-it", &outside.join("001-it"));
    is_refused(folder.launches(), "run/launches/001-it");
    plant(&folder, "variants/it.json", &outside.join("it.json"));
    is_refused(folder.variants(), "variants/it.json");
}

#[test]
fn nothing_is_written_through_a_folder_that_is_a_link() {
    let (_scratch, folder, outside) = folders();
    plant(&folder, "launches", &outside);
    is_refused(folder.create_launch(&launch()), "run/launches");
    assert_eq!(std::fs::read_dir(&outside).unwrap().count(), 3);

    let (_scratch, folder, outside) = folders();
    plant(&folder, "launches/001-it", &outside);
    is_refused(folder.create_launch(&launch()), "run/launches/001-it");

    // After it was opened: a folder that turns into a link.
    let (_scratch, folder, outside) = folders();
    let made = folder.create_launch(&launch()).unwrap();
    plant(&folder, "launches/001-it", &outside);
    is_refused(made.create_pod(2), "001-it/pod-2");
    is_refused(made.write_answer(&made.native_memory_path(), "x"), "native");
    is_refused(made.samples(), "samples.csv");
    assert_eq!(std::fs::read_dir(&outside).unwrap().count(), 3);
}

#[test]
fn the_handle_stays_where_it_was_when_the_folder_is_put_elsewhere() {
    let (scratch, folder, outside) = folders();
    std::fs::rename(folder.path(), scratch.path().join("moved")).unwrap();
    symlink(&outside, folder.path()).unwrap();
    folder.write_page("report.html", "page").unwrap();
    assert!(!outside.join("report.html").exists());
    let page = std::fs::read(scratch.path().join("moved/report.html")).unwrap();
    assert_eq!(page, b"page");
}

#[test]
fn a_name_that_leads_out_is_no_name() {
    let (scratch, folder, _outside) = folders();
    let made = folder.create_launch(&launch()).unwrap();
    std::fs::write(made.path().join("gc.log"), "x").unwrap();
    std::fs::write(scratch.path().join("run/launches/other"), "x").unwrap();
    assert!(made.open(Path::new("gc.log")).unwrap().is_some());
    assert!(made.open(Path::new("none.log")).unwrap().is_none());
    for name in ["/etc/passwd", "../other", "../../launches/other", "..", ""] {
        assert!(made.open(Path::new(name)).is_err(), "{name}");
    }
}

#[test]
fn a_run_that_was_killed_before_its_header_is_told_from_what_is_none() {
    let scratch = tempfile::tempdir().unwrap();
    let root = scratch.path().join("run");
    let is = |wanted: fn(&FolderError) -> bool| {
        let error = RunFolder::open(&root).unwrap_err();
        assert!(wanted(&error), "{error}");
    };
    is(|e| matches!(e, FolderError::NotARun(_)));
    RunFolder::create(&root).unwrap();
    is(|e| matches!(e, FolderError::EndedAtOnce(_)));
    std::fs::write(root.join(".tacho-x"), "{").unwrap();
    is(|e| matches!(e, FolderError::EndedAtOnce(_)));
    std::fs::write(root.join("notes.txt"), "mine").unwrap();
    is(|e| matches!(e, FolderError::NotARun(_)));
}
