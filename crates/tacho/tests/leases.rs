//! Where leases lie, and what the next command says of them.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use std::path::Path;
use std::process::Command;
use support::{Lab, Told, groups_of, port};
use tempfile::TempDir;

/// A command in a mount namespace of its own, with an empty `/tmp` and `/run` that `prepare` has
/// filled.
fn with_tmp(prepare: &str, folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new("unshare");
    let script = format!(
        "mount -t tmpfs -o mode=1777 tmp /tmp && mount -t tmpfs -o mode=755 run /run && {prepare} && exec \"$@\""
    );
    command
        .args(["--mount", "sh", "-ec", &script, "sh"])
        .arg(assert_cmd::cargo::cargo_bin("tacho"))
        .args(arguments)
        .current_dir(folder)
        .env("NO_COLOR", "1")
        .env_remove("TMPDIR")
        .env_remove("XDG_RUNTIME_DIR");
    command
}

/// Below the target folder, which is seen from everywhere; `/tmp` is not.
fn lab_outside_tmp(experiment: &Lab) -> TempDir {
    let folder = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let from = experiment.path().join("experiment.yaml");
    std::fs::copy(from, folder.path().join("experiment.yaml")).unwrap();
    folder
}

#[test]
fn a_lease_folder_that_another_user_made_first_is_passed_over_and_that_is_said() {
    if !is_root() {
        return;
    }
    let lab = Lab::scripted(&[("a", &format!("--port {}", port()))], "");
    for prepare in [
        "mkdir -m 777 /tmp/tacho-0 && chown 65534 /tmp/tacho-0",
        "touch /tmp/tacho-0 && chown 65534 /tmp/tacho-0",
        "ln -s /etc /tmp/tacho-0 && chown -h 65534 /tmp/tacho-0",
    ] {
        let folder = lab_outside_tmp(&lab);
        let arguments = ["run", "experiment.yaml", "--launches", "1"];
        let output = with_tmp(prepare, folder.path(), &arguments).output();
        let told = Told::of(&output.unwrap());
        assert!(matches!(told.code, Some(0 | 3)), "{told:#?}");
        assert!(!told.err.contains("FAILED"), "{told:#?}");
        let told = told.says("leases are kept in /run/tacho/leases instead");
        assert_eq!(told.err.matches("leases are kept").count(), 1, "{told:#?}");
    }
}

#[test]
fn where_no_named_place_can_be_had_a_random_one_is_made_and_swept_by_the_next_command() {
    if !is_root() {
        return;
    }
    let lab = Lab::scripted(
        &[("stubborn", &format!("--port {} --ignore-term", port()))],
        "limits: {cpu: 1}\n",
    );
    let folder = lab_outside_tmp(&lab);
    // The run is killed in the middle of a launch, which is certain while it stands still; then the
    // next command of the same machine.
    let prepare = "in_a_launch() {
            ls runs/*/launches/*/launch.json && kill -STOP $run &&
            while grep -v '^State:.*[TZ]' /proc/$run/task/*/status | grep State: ; do sleep 0.01; done &&
            kill -0 `sed -n 's/.*leader.*\"pid\":\\([0-9]*\\).*/\\1/p' /tmp/tacho-0-*/leases/*.lease`; }
        touch /tmp/tacho-0 /run/tacho && chown 65534 /tmp/tacho-0 /run/tacho && export HOME=/tmp/tacho-0 && {
        \"$1\" run experiment.yaml --launches 50 & run=$!
        until in_a_launch || ! kill -0 $run; do kill -CONT $run; sleep 0.1; done
        ls -d /tmp/tacho-0-*/leases/*.lease >leases; kill -9 $run; echo $run >pid; }";
    let output = with_tmp(prepare, folder.path(), &["doctor"]).output();
    let told = Told::of(&output.unwrap()).says("leases are kept in /tmp/tacho-0-");
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    assert_eq!(read("leases").lines().count(), 1, "{told:#?}");
    let told = told.says("An earlier Tacho was killed");
    let mine = format!("scripted-{}-", read("pid").trim());
    assert_eq!(groups_of(&mine), Vec::<String>::new(), "{told:#?}");
}

#[test]
fn a_lease_with_nothing_to_end_is_not_worth_a_line() {
    if !is_root() {
        return;
    }
    let folder = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let prepare =
        "mkdir -p -m 700 /tmp/tacho-0/leases && echo '{\"lea' >/tmp/tacho-0/leases/1-0-0.lease";
    let output = with_tmp(prepare, folder.path(), &["schema", "run"]).output();
    let told = Told::of(&output.unwrap()).exits(0);
    assert_eq!(told.err, "");
}

/// Mount namespaces and files of other users take root, as CI has it.
fn is_root() -> bool {
    let root = rustix::process::geteuid().is_root();
    if !root {
        println!("not tried: this takes root");
    }
    root
}
