//! A profile that is killed in the middle, and the next one of the same service.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use rustix::process::Signal;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use support::{Told, signal, tacho};
use tacho_attach::Jvm;
use tacho_test_jdks::{Jdk, extremes};

const SERVICE: &str = r#"public class Busy {
    public static void main(String[] arguments) throws Exception {
        System.out.println("up");
        for (long sum = 0;; sum++) {
            if (sum % 1_000_000 == 0) Thread.sleep(1);
        }
    }
}
"#;

/// A service that works, and what it writes.
struct Service {
    child: Child,
    folder: tempfile::TempDir,
}

impl Service {
    fn start(jdk: &Jdk) -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("Busy.java"), SERVICE).unwrap();
        std::fs::create_dir(folder.path().join("tmp")).unwrap();
        let log = std::fs::File::create(folder.path().join("log")).unwrap();
        let child = jdk
            .tool("java")
            // What the JVM itself keeps on disk lies below a folder that can be looked at.
            .arg(format!("-Djava.io.tmpdir={}", folder.path().display()))
            .arg("Busy.java")
            .current_dir(&folder)
            .stdout(log.try_clone().unwrap())
            .stderr(log)
            .spawn()
            .unwrap();
        let service = Self { child, folder };
        until("service", || service.log().contains("up"));
        service
    }

    fn log(&self) -> String {
        std::fs::read_to_string(self.folder.path().join("log")).unwrap()
    }

    fn jcmd(&self, command: &str) -> String {
        Jvm::attach(self.child.id()).unwrap().jcmd(command).unwrap()
    }

    fn profile(&self, duration: &str, more: &[&str]) -> Command {
        let mut command = tacho();
        command
            .arg("profile")
            .arg(self.child.id().to_string())
            .args(["-d", duration, "--formats", "pprof", "--json", "-"])
            .args(more)
            .arg("--out")
            .arg(self.folder.path().join("out"))
            .env("TMPDIR", self.temporary());
        command
    }

    fn temporary(&self) -> PathBuf {
        self.folder.path().join("tmp")
    }

    /// Folders and files of profiles, wherever they may lie.
    fn left(&self) -> Vec<PathBuf> {
        names_in(&self.temporary())
    }

    /// A file of a profile is open in the JVM.
    fn has_profile_open(&self) -> bool {
        let files = names_in(Path::new(&format!("/proc/{}/fd", self.child.id())));
        files
            .iter()
            .filter_map(|file| std::fs::read_link(file).ok())
            .any(|file| file.to_string_lossy().contains("tacho-profile"))
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn names_in(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().flatten();
    entries.map(|entry| entry.path()).collect()
}

fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let began = Instant::now();
    while !holds() {
        assert!(began.elapsed() < Duration::from_secs(120), "no {what}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

fn start_and_kill(mut profile: Command, is_on: impl FnMut() -> bool) {
    let mut child = profile
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    until("recording", is_on);
    signal(&child, Signal::KILL);
    child.wait().unwrap();
    let mut said = String::new();
    child
        .stderr
        .take()
        .unwrap()
        .read_to_string(&mut said)
        .unwrap();
    assert_eq!(said, "");
}

#[test]
fn the_recording_of_a_killed_profile_is_stopped_by_the_next_one() {
    for jdk in extremes() {
        let service = Service::start(jdk);
        // Somebody else's is none of ours to stop.
        service.jcmd("JFR.start name=theirs");
        let recorded = || service.jcmd("JFR.check").matches("tacho-profile").count();
        // Whoever samples then.
        for next in [&["--recorder"][..], &[]] {
            start_and_kill(service.profile("10m", &["--recorder"]), || recorded() == 1);
            let output = service.profile("2s", next).output().unwrap();
            Told::of(&output).exits(0);
            let check = service.jcmd("JFR.check");
            assert_eq!(recorded(), 0, "{check}");
            assert!(check.contains("theirs"), "{check}");
            assert_eq!(service.left(), Vec::<PathBuf>::new());
        }

        let log = service.log();
        assert!(!log.contains("rror") && !log.contains("tacho"), "{log}");
    }
}

#[test]
fn a_profiler_that_a_killed_profile_left_on_is_stopped_by_the_next_one() {
    let installed = tacho().args(["profiler", "which"]).output().unwrap();
    if !String::from_utf8_lossy(&installed.stdout).contains("libasyncProfiler") {
        println!("not tried: async-profiler is not installed");
        return;
    }
    for jdk in extremes() {
        let service = Service::start(jdk);
        start_and_kill(service.profile("10m", &[]), || service.has_profile_open());
        let output = service.profile("2s", &[]).output().unwrap();
        let told = Told::of(&output).exits(0);
        assert!(
            told.json()["instrument"]
                .to_string()
                .contains("async-profiler"),
            "{told:#?}"
        );
        assert!(!service.has_profile_open());
        assert_eq!(service.left(), Vec::<PathBuf>::new());
        let log = service.log();
        assert!(!log.contains("rror") && !log.contains("tacho"), "{log}");
    }
}
