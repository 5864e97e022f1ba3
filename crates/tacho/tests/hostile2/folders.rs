//! Run folders that others have sent.

use crate::support::{Lab, Told, port};
use std::fs::{self, File};
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// A folder of a run that went well, whatever the neighbours make of its certificate.
pub fn run_folder() -> (Lab, PathBuf) {
    let lab = Lab::scripted(&[("a", &format!("--port {}", port()))], "");
    let told = lab.run(&[]);
    let went_well = matches!(told.code, Some(0 | 3)) && !told.err.contains("FAILED");
    assert!(went_well, "{told:#?}");
    let folder = lab.run_folder();
    (lab, folder)
}

/// `tacho report` with this many KiB of memory to have (`RLIMIT_DATA`), and 60 s to live.
fn report_within(kib: u32, folder: &std::path::Path) -> Told {
    let script = format!("ulimit -d {kib}; exec timeout -s KILL 60 \"$0\" report \"$1\"");
    let output = Command::new("sh")
        .args(["-c", &script])
        .arg(assert_cmd::cargo::cargo_bin("tacho"))
        .arg(folder)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    Told::of(&output)
}

#[test]
fn a_file_without_an_end_is_refused_and_not_read_into_memory() {
    let (_lab, folder) = run_folder();
    for (name, refusal) in [
        ("run.json", "larger than 256 MiB"),
        ("plan.json", "larger than 256 MiB"),
        ("variants/a.json", "larger than 256 MiB"),
        ("launches/001-a/launch.json", "larger than 256 MiB"),
        ("launches/001-a/samples.csv", "larger than 256 MiB"),
        ("launches/001-a/requests.csv", "larger than 256 MiB"),
        ("launches/001-a/phases.hlog", "Tacho · scripted"),
        ("diagnose.json", "larger than 256 MiB"),
    ] {
        let path = folder.join(name);
        let before = fs::read(&path).ok();
        // Sparse: it takes no room on the disk.
        File::create(&path).unwrap().set_len(20 << 30).unwrap();
        let told = report_within(512 << 10, &folder).says(refusal);
        assert!([Some(0), Some(4)].contains(&told.code), "{name}: {told:#?}");
        match before {
            Some(before) => fs::write(&path, before).unwrap(),
            None => fs::remove_file(&path).unwrap(),
        }
    }
}

/// It was waited for without end.
#[test]
fn a_pipe_is_no_jar() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("app.jar");
    let made = Command::new("mkfifo").arg(&pipe).status();
    assert!(made.unwrap().success());
    let run = |arguments: &[&str]| {
        let mut command = crate::support::tacho();
        command.current_dir(folder.path()).args(arguments);
        Told::of(&command.output().unwrap()).says("no regular file")
    };
    run(&["run", "app.jar"]).exits(2);
    run(&[
        "diagnose",
        "--baseline",
        "app.jar",
        "--candidate",
        "app.jar",
    ]);
}

/// An empty file of root's was made where the link leads, and the link was removed.
#[test]
fn where_a_link_leads_nothing_is_made() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    std::os::unix::fs::symlink(path("made"), path("link")).unwrap();
    let nobody = format!("http://127.0.0.1:{}/", port());
    let output = crate::support::tacho()
        .args(["load", "-n", "1", "--json"])
        .args([path("link").as_os_str(), nobody.as_ref()])
        .output();
    Told::of(&output.unwrap()).exits(3);
    assert!(!path("made").exists());
    assert!(fs::symlink_metadata(path("link")).unwrap().is_file());
}

#[test]
fn a_place_for_runs_that_others_may_change_is_said() {
    use std::os::unix::fs::PermissionsExt;
    let lab = Lab::scripted(&[("a", &format!("--port {}", port()))], "");
    fs::create_dir(lab.path().join("runs")).unwrap();
    let everybody = fs::Permissions::from_mode(0o777);
    fs::set_permissions(lab.path().join("runs"), everybody).unwrap();
    lab.run(&["--launches", "1"])
        .says("keep runs where nobody else can");
}

#[test]
fn a_launch_with_a_line_without_an_end_is_left_out_and_the_line_is_not_shown() {
    let (_lab, folder) = run_folder();
    let path = folder.join("launches/001-a/samples.csv");
    let mut rows = fs::read(&path).unwrap();
    rows.extend(std::iter::repeat_n(b'9', 100 << 20));
    rows.push(b'\n');
    fs::write(&path, rows).unwrap();
    let told = report_within(512 << 10, &folder)
        .says("001-a cannot be read and is left out")
        .says("samples.csv");
    assert!(told.out.len() + told.err.len() < 16 << 10, "{told:#?}");
}
