//! A real JVM with a small service that does what it is told.
#![allow(dead_code)]

pub mod beside;
pub mod starting;

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::OnceLock;
use std::time::Duration;
use tacho_attach::Jvm;
use tacho_test_jdks::{extremes, oldest};

/// Only a hang is longer.
pub const PATIENCE: Duration = Duration::from_secs(120);

/// On the oldest and the newest JVM.
pub fn each_jvm(test: impl Fn(&Path)) {
    extremes().for_each(|jvm| test(&jvm.home));
}

/// Has a JVM listen, however long that takes: whoever attaches to it next is let in at once.
pub fn wake(pid: u32) -> Jvm {
    Jvm::attach_within(pid, PATIENCE).unwrap()
}

/// The service, compiled once.
fn classes() -> &'static Path {
    static CLASSES: OnceLock<tempfile::TempDir> = OnceLock::new();
    CLASSES
        .get_or_init(|| {
            let folder = tempfile::tempdir().unwrap();
            let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/Shop.java");
            let mut javac = oldest().tool("javac");
            javac
                .args(["--release", "8", "-Xlint:-options", "-g", "-d"])
                .arg(folder.path())
                .arg(source);
            assert!(javac.status().unwrap().success());
            folder
        })
        .path()
}

pub struct Shop {
    seen: Vec<String>,
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    folder: tempfile::TempDir,
}

impl Shop {
    pub fn start(jdk: &Path, flags: &[&str]) -> Self {
        let mut child = Command::new(jdk.join("bin/java"))
            .args(["-Xmx128m", "-XX:TieredStopAtLevel=1", "-Xverify:all", "-cp"])
            .arg(classes())
            .args(flags)
            .arg("com.acme.Shop")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(if std::env::var_os("SHOW").is_some() {
                Stdio::inherit()
            } else {
                Stdio::null()
            })
            .spawn()
            .unwrap();
        let mut shop = Self {
            seen: Vec::new(),
            to: child.stdin.take().unwrap(),
            from: BufReader::new(child.stdout.take().unwrap()),
            child,
            folder: tempfile::tempdir().unwrap(),
        };
        shop.until("up");
        shop
    }

    fn until(&mut self, wanted: &str) {
        let mut line = String::new();
        loop {
            line.clear();
            assert_ne!(
                self.from.read_line(&mut line).unwrap(),
                0,
                "the service has ended"
            );
            if line.trim() == wanted {
                return;
            }
            self.seen.push(line.trim().to_owned());
        }
    }

    /// `WHAT TIMES [THREADS]`; returns when it is done.
    pub fn act(&mut self, work: &str) {
        writeln!(self.to, "{work}").unwrap();
        self.until("done");
    }

    /// It has printed this, among what it was not asked for.
    pub fn has_said(&self, line: &str) -> bool {
        self.seen.iter().any(|seen| seen == line)
    }

    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    pub fn folder(&self) -> &Path {
        self.folder.path()
    }
}

impl Drop for Shop {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
