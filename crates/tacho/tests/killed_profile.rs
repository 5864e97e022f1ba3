//! A profile or a trace that is killed in the middle: what goes by itself, and what the next
//! profile of the same service stops.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use std::io::Read;
use std::os::unix::process::CommandExt;
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
            if (sum % 1_000_000 == 0) rest();
        }
    }

    static void rest() throws Exception {
        Thread.sleep(1);
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
            // The launcher compiles the source at every start.
            .arg("-XX:TieredStopAtLevel=1")
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
        let mut command = self.instrument("profile");
        command
            .args(["-d", duration, "--formats", "pprof", "--json", "-"])
            .args(more)
            .arg("--out")
            .arg(self.folder.path().join("out"));
        command
    }

    fn trace(&self, duration: &str) -> Command {
        let mut command = self.instrument("trace");
        command.args(["Busy.rest", "-d", duration, "--own", "Busy", "--json", "-"]);
        command
    }

    fn instrument(&self, name: &str) -> Command {
        let mut command = tacho();
        command
            .arg(name)
            .arg(self.child.id().to_string())
            .env("TMPDIR", self.temporary())
            // Leases of its own: what another test has killed is none of its business.
            .env("XDG_RUNTIME_DIR", self.folder.path());
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

    fn records(&self) -> bool {
        self.jcmd("JFR.check").contains("tacho-profile")
    }

    /// The agent of a trace is in.
    fn is_traced(&self) -> bool {
        self.jcmd("Thread.print").contains("\"tacho-agent\"")
    }

    /// It uses processor time from now on, as it did.
    fn goes_on(&self) {
        let used = || {
            let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id())).unwrap();
            let fields = stat.rsplit(") ").next().unwrap().to_owned();
            let ticks = fields.split(' ').nth(11).unwrap().parse::<u64>();
            ticks.unwrap()
        };
        let before = used();
        until("work of the service", || used() > before + 5);
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

fn has_async_profiler() -> bool {
    let installed = tacho().args(["profiler", "which"]).output().unwrap();
    let has = String::from_utf8_lossy(&installed.stdout).contains("libasyncProfiler");
    if !has {
        println!("not tried: async-profiler is not installed");
    }
    has
}

/// What is killed.
#[derive(Debug, Clone, Copy)]
enum Killed {
    /// Only Tacho is killed.
    Alone,
    /// All that a shell would have started with it (`kill -9 -- -GROUP`).
    WithItsGroup,
    /// All that it has started, as when its control group or container is ended.
    WithItsChildren,
}

fn start_and_kill(mut instrument: Command, killed: Killed, is_on: impl FnMut() -> bool) {
    let mut child = instrument
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .process_group(0)
        .spawn()
        .unwrap();
    until("recording", is_on);
    match killed {
        Killed::Alone => {}
        Killed::WithItsGroup => {
            kill_process_group(Pid::from_child(&child), Signal::KILL).unwrap();
        }
        Killed::WithItsChildren => {
            for pid in children(&child) {
                kill_process(pid, Signal::KILL).unwrap();
            }
        }
    }
    signal(&child, Signal::KILL);
    child.wait().unwrap();
    let mut said = String::new();
    child
        .stderr
        .take()
        .unwrap()
        .read_to_string(&mut said)
        .unwrap();
    // What another program's test has killed may be swept up meanwhile, and said.
    let own = said
        .lines()
        .filter(|line| !line.starts_with("An earlier Tacho"));
    assert_eq!(own.collect::<Vec<_>>(), Vec::<&str>::new());
}

/// Of all its threads.
fn children(of: &Child) -> Vec<Pid> {
    let threads = names_in(Path::new(&format!("/proc/{}/task", of.id())));
    let lists = threads
        .iter()
        .filter_map(|thread| std::fs::read_to_string(thread.join("children")).ok());
    let numbers: Vec<String> = lists
        .flat_map(|list| {
            list.split_whitespace()
                .map(str::to_owned)
                .collect::<Vec<_>>()
        })
        .collect();
    let pids = numbers.iter().map(|number| number.parse().unwrap());
    pids.map(|pid| Pid::from_raw(pid).unwrap()).collect()
}

#[test]
fn a_recording_ends_by_itself_when_its_profile_is_killed() {
    for jdk in extremes() {
        let service = Service::start(jdk);
        service.jcmd("JFR.start name=theirs");
        let before = service.log();
        for killed in [Killed::Alone, Killed::WithItsGroup] {
            start_and_kill(service.profile("10m", &["--recorder"]), killed, || {
                service.records()
            });
            // No other command of Tacho comes.
            until("end of the recording", || !service.records());
            until("end of its folder", || service.left().is_empty());
        }
        // Somebody else's goes on.
        let check = service.jcmd("JFR.check");
        assert!(check.contains("theirs"), "{check}");
        assert_eq!(service.log(), before);
        service.goes_on();
    }
}

#[test]
fn async_profiler_ends_by_itself_when_its_profile_is_killed() {
    if !has_async_profiler() {
        return;
    }
    for jdk in extremes() {
        let service = Service::start(jdk);
        let before = service.log();
        for killed in [Killed::Alone, Killed::WithItsGroup] {
            start_and_kill(service.profile("10m", &[]), killed, || {
                service.has_profile_open()
            });
            until("end of the sampling", || !service.has_profile_open());
            until("end of its folder", || service.left().is_empty());
        }
        assert_eq!(service.log(), before);
        service.goes_on();
    }
}

#[test]
fn the_folder_of_a_killed_trace_goes_with_its_agent() {
    for jdk in extremes() {
        let service = Service::start(jdk);
        let mut said = String::new();
        start_and_kill(service.trace("10m"), Killed::Alone, || {
            let is_in = service.is_traced();
            said = service.log();
            is_in
        });
        until("end of the agent", || !service.is_traced());
        until("end of its folder", || service.left().is_empty());
        // A newer JVM warns of every agent that is loaded while it runs, before ours has begun.
        assert_eq!(service.log(), said);
        service.goes_on();
    }
}

#[test]
fn of_the_folder_of_a_killed_trace_only_its_own_files_go() {
    let jdk = extremes().last().unwrap();
    let service = Service::start(jdk);
    let elsewhere = service.folder.path().join("precious");
    std::fs::create_dir(&elsewhere).unwrap();
    std::fs::write(elsewhere.join("file"), "precious").unwrap();
    let mut folder = PathBuf::new();
    start_and_kill(service.trace("10m"), Killed::Alone, || {
        let is_in = service.is_traced();
        if is_in {
            folder = service.left().remove(0);
            let link = folder.join("link");
            // Looked at again and again: it may be there.
            let _ = std::os::unix::fs::symlink(&elsewhere, link);
            let _ = std::os::unix::fs::symlink(elsewhere.join("file"), folder.join("file"));
            let _ = std::fs::create_dir(folder.join("below"));
            let _ = std::fs::write(folder.join("below/file"), "");
        }
        is_in
    });
    until("end of the lease", || !folder.join("lease").exists());
    until("end of the agent", || !service.is_traced());
    assert!(folder.join("below/file").exists());
    let file = std::fs::read_to_string(elsewhere.join("file"));
    assert_eq!(file.unwrap(), "precious");
}

#[test]
fn beside_a_profile_a_trace_works_and_an_orderly_end_leaves_nothing() {
    let jdk = extremes().last().unwrap();
    let service = Service::start(jdk);
    let mut profile = service.profile("10m", &["--recorder"]);
    let profile = profile
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    until("recording", || service.records());
    let guards = children(&profile);
    assert_eq!(guards.len(), 1, "{guards:?}");

    Told::of(&service.trace("1s").output().unwrap()).exits(0);
    assert!(service.records());

    signal(&profile, Signal::INT);
    let told = Told::of(&profile.wait_with_output().unwrap()).exits(130);
    let report = told.json();
    assert!(
        !report["notes"].to_string().contains("planned end"),
        "{told:#?}"
    );
    assert!(!report["costs"].to_string().contains("dev.tacho.agent"));
    assert!(!service.records());
    assert_eq!(service.left(), Vec::<PathBuf>::new());
    let guard = PathBuf::from(format!("/proc/{}", guards[0].as_raw_nonzero()));
    assert!(!guard.exists(), "the guard is still there");
}

#[test]
fn the_recording_of_a_profile_that_was_killed_with_its_guard_is_stopped_by_the_next_one() {
    for jdk in extremes() {
        let service = Service::start(jdk);
        // Somebody else's is none of ours to stop.
        service.jcmd("JFR.start name=theirs");
        let recorded = || service.jcmd("JFR.check").matches("tacho-profile").count();
        // Whoever samples then.
        for next in [&["--recorder"][..], &[]] {
            start_and_kill(
                service.profile("10m", &["--recorder"]),
                Killed::WithItsChildren,
                || recorded() == 1,
            );
            assert_eq!(recorded(), 1);
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
fn a_profiler_that_a_profile_killed_with_its_guard_left_on_is_stopped_by_the_next_one() {
    if !has_async_profiler() {
        return;
    }
    for jdk in extremes() {
        let service = Service::start(jdk);
        start_and_kill(service.profile("10m", &[]), Killed::WithItsChildren, || {
            service.has_profile_open()
        });
        assert!(service.has_profile_open());
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
