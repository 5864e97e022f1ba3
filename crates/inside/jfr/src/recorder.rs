//! Starts and stops a JVM's own recorder through the JVM's attach socket. This also works for a JVM
//! that accepts no agent (JEP 451).

use crate::room::most_mib;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tacho_attach::{AttachError, Jvm};

/// Why it does not record.
#[derive(Debug, thiserror::Error)]
pub enum RecorderError {
    /// The JVM does not answer.
    #[error(transparent)]
    Attach(#[from] AttachError),
    /// What it could not do stands in its answer.
    #[error("the JVM's flight recorder said: {0}")]
    Said(String),
    /// It is not switched on: a JVM whose recorder runs out of room ends itself.
    #[error(
        "the JVM's flight recorder writes to {}, where {free_mib} MiB are free, and needs {least_mib}: if the recorder finds the disk full, the JVM exits, and the service with it. Make room there (in a container: a larger volume at /tmp)",
        folder.display()
    )]
    NoRoom {
        /// As the JVM names it.
        folder: PathBuf,
        /// What its user may still write there.
        free_mib: u64,
        /// What should be free.
        least_mib: u64,
    },
}

/// A recording, by what the JVM is told of it.
#[derive(Debug, Clone)]
pub struct Recorder {
    /// Letters, digits and hyphens.
    pub name: String,
    /// A file of settings, as the JVM names it.
    pub settings: PathBuf,
    /// What it writes, as the JVM names it.
    pub file: PathBuf,
    /// Frames of a stack.
    pub depth: u32,
    /// Disk space that it may use; less if there is little room. Beyond that, the oldest data is
    /// dropped (the JVM's default is 250 MB).
    pub most_mib: u32,
    /// It ends by itself after this time. Its file is also written if the JVM ends.
    pub ends: Option<Duration>,
}

impl Recorder {
    /// Switches it on.
    ///
    /// # Errors
    /// When the JVM does not answer, has too little room on disk, or does not record.
    pub fn start(&self, jvm: &Jvm) -> Result<(), RecorderError> {
        // Fails if the recorder has been used before; then the depth stays as it was.
        let _ = jvm.jcmd(&format!("JFR.configure stackdepth={}", self.depth));
        let said = jvm.jcmd("JFR.configure")?;
        let most_mib = most_mib(jvm, &said, &self.file, self.most_mib)?;
        ask(jvm, &self.started(most_mib), "Started recording")
    }

    /// Switches it off. Its file is complete after that.
    ///
    /// # Errors
    /// When the JVM does not answer, or has no such recording.
    pub fn stop(&self, jvm: &Jvm) -> Result<(), RecorderError> {
        stop(jvm, &self.name, &self.file)
    }

    fn started(&self, most_mib: u32) -> String {
        let settings = self.settings.display();
        let mut command = format!("JFR.start name={} settings={settings}", self.name);
        if let Some(ends) = self.ends {
            let file = self.file.display();
            let ends = ends.as_secs();
            let _ = write!(command, " filename={file} duration={ends}s dumponexit=true");
        }
        command + &format!(" maxsize={most_mib}m")
    }
}

/// Stops a recording by its name; what it holds is written to `file`.
///
/// # Errors
/// As [`Recorder::stop`].
pub fn stop(jvm: &Jvm, name: &str, file: &Path) -> Result<(), RecorderError> {
    let command = format!("JFR.stop name={name} filename={}", file.display());
    ask(jvm, &command, "Stopped recording")
}

fn ask(jvm: &Jvm, command: &str, done: &str) -> Result<(), RecorderError> {
    let said = jvm.jcmd(command)?;
    match said.contains(done) {
        true => Ok(()),
        false => Err(RecorderError::Said(said.trim().to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_that_ends_by_itself_knows_where_to_write() {
        let recorder = Recorder {
            name: "tacho-events".to_owned(),
            settings: "/run/events.jfc".into(),
            file: "/run/events.jfr".into(),
            depth: 256,
            most_mib: 2_048,
            ends: None,
        };
        assert_eq!(
            recorder.started(2_048),
            "JFR.start name=tacho-events settings=/run/events.jfc maxsize=2048m"
        );
        let limited = Recorder {
            ends: Some(Duration::from_secs(30)),
            ..recorder
        };
        assert_eq!(
            limited.started(70),
            "JFR.start name=tacho-events settings=/run/events.jfc filename=/run/events.jfr duration=30s dumponexit=true maxsize=70m"
        );
    }
}
