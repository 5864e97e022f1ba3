//! One launch of a JVM, and its log.

use crate::{BenchError, io};
use std::path::Path;
use std::process::{Command, Stdio};
use tacho_subject::{Host, Jdk, Jdks};
use tempfile::TempDir;

/// The program of the reader's tests (crates/understand/gc-log/tests/recorder), compiled.
pub struct Recorder {
    jdk: Jdk,
    classes: TempDir,
}

const SOURCE: &str = "crates/understand/gc-log/tests/recorder/Recorder.java";
/// The release whose logs gctoolkit knows best.
const RELEASE: &str = "17";

impl Recorder {
    pub fn compile() -> Result<Self, BenchError> {
        let jdks = Jdks::discover(&Host::here());
        let jdk = match jdks.by_spec(RELEASE) {
            Ok(jdk) => jdk,
            Err(_) => jdks.newest_that_suits(Some(17))?.clone(),
        };
        let classes = TempDir::new().map_err(io("a folder for classes"))?;
        let compiled = Command::new(jdk.tool("javac"))
            .args(["--release", RELEASE, "-d"])
            .arg(classes.path())
            .arg(SOURCE)
            .status()
            .map_err(io("javac"))?;
        if !compiled.success() {
            return Err(BenchError::Unexpected(format!(
                "{SOURCE} does not compile; run this from the repository's root"
            )));
        }
        Ok(Self { jdk, classes })
    }

    pub fn jdk(&self) -> &Jdk {
        &self.jdk
    }

    /// The log of a launch under a collector.
    pub fn record(&self, collector: &str) -> Result<Vec<u8>, BenchError> {
        let folder = TempDir::new().map_err(io("a folder for a log"))?;
        let log = folder.path().join("gc.log");
        let run = Command::new(self.jdk.tool("java"))
            .args(["-Xmx64m", "-Xms64m"])
            .arg(format!("-XX:+Use{collector}GC"))
            .arg(format!("-Xlog:gc*:file={}", log.display()))
            .arg("-cp")
            .arg(self.classes.path())
            .args(["Recorder", "600"])
            .arg(folder.path())
            .stdout(Stdio::null())
            .status()
            .map_err(io("java"))?;
        if !run.success() {
            return Err(BenchError::Unexpected(format!(
                "the recorder failed under {collector}"
            )));
        }
        read(&log)
    }
}

fn read(path: &Path) -> Result<Vec<u8>, BenchError> {
    std::fs::read(path).map_err(io(path.display().to_string()))
}
