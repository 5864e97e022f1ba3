//! A flight recording of one window.

use std::path::{Path, PathBuf};
use tacho_attach::Jvm;
use tacho_run_folder::{LaunchDir, NotObserved};

/// Frames of a stack trace: frameworks put a hundred on top of the owner.
pub const DEPTH: u32 = 256;

/// What a window may leave on disk; of more than that the oldest would be forgotten (the JVM's own limit is 250 MB).
const MOST_MIB: u32 = 2_048;

/// Is started and stopped through the JVM's attach socket: this needs no agent, so that also a JVM that lets none in (JEP 451) can be recorded.
pub struct Recording {
    jvm: Jvm,
    name: &'static str,
    settings: PathBuf,
    file: PathBuf,
}

impl Recording {
    /// Lays the settings into the launch's folder; nothing is recorded yet.
    pub fn new(
        jvm: Jvm,
        folder: &LaunchDir,
        settings: &str,
        name: &'static str,
    ) -> Result<Self, String> {
        let path = folder.instrument_path(&format!("{name}.jfc"));
        folder
            .write_answer(&path, settings)
            .map_err(|e| e.to_string())?;
        // Only before the recorder is used for the first time; then it says no, and the depth is what it was.
        let _ = jvm.jcmd(&format!("JFR.configure stackdepth={DEPTH}"));
        Ok(Self {
            settings: path,
            file: folder.instrument_path(&format!("{name}.jfr")),
            jvm,
            name,
        })
    }

    pub fn start(&self) -> Result<(), String> {
        let command = format!(
            "JFR.start name=tacho-{} settings={} maxsize={MOST_MIB}m",
            self.name,
            self.settings.display()
        );
        self.ask(&command, "Started recording")
    }

    pub fn stop(&self) -> Result<(), String> {
        let command = format!(
            "JFR.stop name=tacho-{} filename={}",
            self.name,
            self.file.display()
        );
        self.ask(&command, "Stopped recording")
    }

    /// Where it is after it was stopped.
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// The JVM's answer to a command; what it could not do it says in words.
    fn ask(&self, command: &str, done: &str) -> Result<(), String> {
        let said = self.jvm.jcmd(command).map_err(|e| e.to_string())?;
        if said.contains(done) {
            Ok(())
        } else {
            Err(format!("the JVM's flight recorder said: {}", said.trim()))
        }
    }
}

/// What a reader of recordings could not make out.
pub fn not_understood(events: u64, recording: &Path) -> Vec<NotObserved> {
    if events == 0 {
        return Vec::new();
    }
    vec![NotObserved {
        what: "events".to_owned(),
        why: format!(
            "{events} events of {} were not understood",
            recording.display()
        ),
    }]
}
