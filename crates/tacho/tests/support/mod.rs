//! A run of the real program on scripted subjects, told as a story.
#![allow(dead_code)]

use rustix::process::{Pid, Signal, kill_process};
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, Command, Output, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU16, Ordering};
use tempfile::TempDir;

/// The `tacho` that was built for the tests.
pub fn tacho() -> Command {
    let mut command = hearing_hangups(assert_cmd::cargo::cargo_bin("tacho"));
    command
        .env("NO_COLOR", "1")
        .env("XDG_RUNTIME_DIR", leases_of_this_binary());
    command
}

/// Every command sweeps up what was killed, and says so: what a test of another binary has killed
/// is none of its business.
fn leases_of_this_binary() -> PathBuf {
    let binary = std::env::current_exe().unwrap();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("leases")
        .join(binary.file_name().unwrap());
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// Whoever runs the tests may ignore SIGHUP, as nohup(1) does, and children inherit that: here it
/// is as at a terminal. By its path: some tests take the `PATH` away.
pub fn hearing_hangups(program: impl AsRef<std::ffi::OsStr>) -> Command {
    let mut command = Command::new("/usr/bin/env");
    command.arg("--default-signal=HUP").arg(program);
    command
}

/// The subject with a scripted life; cargo builds examples before it runs tests.
pub fn subject() -> PathBuf {
    let path = assert_cmd::cargo::cargo_bin("tacho")
        .parent()
        .unwrap()
        .join("examples/scripted_subject");
    assert!(path.exists(), "{} is not built", path.display());
    path
}

/// Starts a command that listens until it is told to end, and says where on standard error; what it
/// says there later, and where it listens.
pub fn listening(arguments: &[&str]) -> (Child, BufReader<ChildStderr>, String) {
    let mut child = tacho()
        .args(arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut said = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    let address = loop {
        line.clear();
        assert!(said.read_line(&mut line).unwrap() > 0, "it says no address");
        if let Some((_, rest)) = line.split_once("http://") {
            break rest.split(['/', ' ']).next().unwrap().to_owned();
        }
    };
    (child, said, address)
}

/// Tells a child to end, or ends it.
pub fn signal(child: &Child, signal: Signal) {
    kill_process(Pid::from_child(child), signal).unwrap();
}

/// Ports of one test binary; below those that the kernel gives to whoever wants any.
const PORTS: std::ops::Range<u16> = 21_000..32_000;
const PORTS_OF_ONE: u16 = 200;

/// A port of this test's own. Tests of one binary run side by side, and so do binaries: each has
/// ports that no other has as long as it runs.
pub fn port() -> u16 {
    static OWN: OnceLock<(u16, File)> = OnceLock::new();
    static NEXT: AtomicU16 = AtomicU16::new(0);
    let (first, _) = OWN.get_or_init(own_ports);
    let next = NEXT.fetch_add(1, Ordering::SeqCst);
    assert!(next < PORTS_OF_ONE, "one binary wants more ports than that");
    first + next
}

/// The first ports that no other binary holds, and what keeps others from them.
fn own_ports() -> (u16, File) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("ports");
    std::fs::create_dir_all(&folder).unwrap();
    for first in PORTS.step_by(usize::from(PORTS_OF_ONE)) {
        let held = File::create(folder.join(first.to_string())).unwrap();
        if held.try_lock().is_ok() {
            return (first, held);
        }
    }
    panic!("other tests hold all ports");
}

/// Whether a run in this folder has begun a launch.
pub fn is_launching(folder: &Path) -> bool {
    let runs = std::fs::read_dir(folder.join("runs"));
    runs.into_iter().flatten().flatten().any(|run| {
        std::fs::read_dir(run.path().join("launches")).is_ok_and(|mut all| all.next().is_some())
    })
}

/// Whether requests of a run in this folder are on their way: they are written down one by one.
pub fn is_loaded(folder: &Path) -> bool {
    let entries = |folder: PathBuf| std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries(folder.join("runs"))
        .flat_map(|run| entries(run.path().join("launches")))
        .any(|launch| {
            std::fs::metadata(launch.path().join("requests.csv"))
                .is_ok_and(|file| file.len() > 1_000)
        })
}

/// A folder with an experiment.
pub struct Lab {
    pub dir: TempDir,
}

impl Lab {
    /// Writes the experiment file.
    pub fn new(experiment: &str) -> Self {
        let dir = TempDir::new().unwrap();
        std::fs::write(dir.path().join("experiment.yaml"), experiment).unwrap();
        Self { dir }
    }

    /// An experiment with the given variants, each line one `name: arguments of the subject`.
    pub fn scripted(variants: &[(&str, &str)], more: &str) -> Self {
        let mut text = "tacho: 1\nname: scripted\nvariants:\n".to_owned();
        for (name, arguments) in variants {
            text += &format!(
                "  - {{name: {name}, kind: exec, command: '{} {arguments}'}}\n",
                subject().display()
            );
        }
        text += "requests: [GET /ping]\nphases:\n  - cold: {requests: 3}\n  - closed: {requests: 200, connections: 4}\nlaunches: 2\nrest: 0ms\nseed: 1\n";
        text += more;
        Self::new(&text)
    }

    pub fn path(&self) -> &Path {
        self.dir.path()
    }

    /// `tacho run experiment.yaml` with more arguments.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = tacho();
        command
            .current_dir(self.path())
            .args(["run", "experiment.yaml"])
            .args(arguments);
        command
    }

    pub fn run(&self, arguments: &[&str]) -> Told {
        Told::of(&self.command(arguments).output().unwrap())
    }

    /// The one run folder that was made.
    pub fn run_folder(&self) -> PathBuf {
        let mut runs: Vec<PathBuf> = std::fs::read_dir(self.path().join("runs"))
            .unwrap()
            .map(|e| e.unwrap().path())
            .collect();
        assert_eq!(runs.len(), 1, "{runs:?}");
        runs.remove(0)
    }

    pub fn json(&self, file: &str) -> serde_json::Value {
        let path = self.run_folder().join(file);
        serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap()
    }

    /// Every launch.json, in order.
    pub fn launches(&self) -> Vec<serde_json::Value> {
        let mut dirs: Vec<PathBuf> = std::fs::read_dir(self.run_folder().join("launches"))
            .unwrap()
            .map(|e| e.unwrap().path())
            .collect();
        dirs.sort();
        dirs.iter()
            .map(|d| {
                serde_json::from_slice(&std::fs::read(d.join("launch.json")).unwrap()).unwrap()
            })
            .collect()
    }
}

/// What the program said.
#[derive(Debug)]
pub struct Told {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl Told {
    pub fn of(output: &Output) -> Self {
        Self {
            code: output.status.code(),
            out: String::from_utf8_lossy(&output.stdout).into_owned(),
            err: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }

    /// What is on standard output.
    #[track_caller]
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {self:#?}"))
    }

    #[track_caller]
    pub fn exits(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "{self:#?}");
        self
    }

    #[track_caller]
    pub fn says(self, text: &str) -> Self {
        assert!(
            self.out.contains(text) || self.err.contains(text),
            "`{text}` is not in\n{}\n{}",
            self.out,
            self.err
        );
        self
    }
}

/// Control groups of a run, in all hierarchies.
pub fn groups_of(run: &str) -> Vec<String> {
    let output = std::process::Command::new("find")
        .args([
            "/sys/fs/cgroup",
            "-type",
            "d",
            "-path",
            "*/tacho/*",
            "-name",
            &format!("*{run}*"),
        ])
        .output()
        .unwrap();
    String::from_utf8_lossy(&output.stdout)
        .lines()
        .map(str::to_owned)
        .collect()
}

/// Every file below a folder.
pub fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
        } else {
            found.push(path);
        }
    }
    found
}
