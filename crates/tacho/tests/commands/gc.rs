//! `tacho gc` as a command: its exit codes, its inputs, its outputs.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use assert_cmd::Command;
use std::path::{Path, PathBuf};

fn log(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../understand/gc-log/tests/logs")
        .join(name)
}

fn tacho() -> Command {
    let mut tacho = Command::cargo_bin("tacho").unwrap();
    tacho.arg("gc");
    tacho
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn a_summary_a_page_and_json() {
    let folder = tempfile::tempdir().unwrap();
    let (page, json) = (folder.path().join("gc.html"), folder.path().join("gc.json"));
    let done = tacho()
        .arg(log("hotspot-25-g1.log"))
        .arg("--html")
        .arg(&page)
        .arg("--json")
        .arg(&json)
        .assert()
        .code(0);
    let told = text(&done.get_output().stdout);
    assert!(
        told.contains("G1 of JDK 25") && told.contains("Pauses by cause"),
        "{told}"
    );
    assert!(std::fs::read_to_string(page).unwrap().contains("gc-heap"));
    let json: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(json).unwrap()).unwrap();
    assert_eq!(json["settings"]["collector"], "G1");
}

#[test]
fn standard_input_gives_what_the_file_gives() {
    let file = tacho()
        .arg(log("hotspot-17-serial.log"))
        .arg("--json")
        .arg("-")
        .assert()
        .code(0);
    let stdin = tacho()
        .args(["-", "--json", "-"])
        .write_stdin(std::fs::read(log("hotspot-17-serial.log")).unwrap())
        .assert()
        .code(0);
    let read = |bytes: &[u8]| -> serde_json::Value {
        let mut json: serde_json::Value = serde_json::from_slice(bytes).unwrap();
        json["files"] = serde_json::Value::Null;
        json
    };
    assert_eq!(
        read(&file.get_output().stdout),
        read(&stdin.get_output().stdout)
    );
}

#[test]
fn what_cannot_be_read_or_is_no_log_has_a_code_of_its_own() {
    let missing = tacho().arg("/nonexistent/gc.log").assert().code(2);
    assert!(text(&missing.get_output().stderr).contains("-Xlog:gc*:file="));
    tacho().assert().code(2);
    let folder = tempfile::tempdir().unwrap();
    let empty = folder.path().join("gc.log");
    std::fs::write(&empty, "").unwrap();
    let empty = tacho().arg(empty).assert().code(3);
    let told = text(&empty.get_output().stdout);
    let told = told.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        told.contains("The input is empty: a JVM writes its log there with -Xlog:gc*:file=gc.log"),
        "{told}"
    );
    let readme = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../README.md");
    let other = tacho().arg(readme).assert().code(3);
    assert!(text(&other.get_output().stdout).contains("No line of this input"));
}
