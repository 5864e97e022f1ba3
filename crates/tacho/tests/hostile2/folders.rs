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
