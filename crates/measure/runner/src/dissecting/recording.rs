//! A flight recording of one window.

use crate::diagnosing::not_observed;
use std::path::Path;
use tacho_attach::Jvm;
use tacho_jfr::Recorder;
use tacho_run_folder::{LaunchDir, NotObserved};

/// Frames of a stack trace: frameworks put a hundred on top of the owner.
pub const DEPTH: u32 = 256;

/// What a window may leave on disk.
const MOST_MIB: u32 = 2_048;

/// A recording in the folder of a launch.
pub struct Recording {
    jvm: Jvm,
    recorder: Recorder,
}

impl Recording {
    /// Lays the settings into the launch's folder; nothing is recorded yet.
    pub fn new(jvm: Jvm, folder: &LaunchDir, settings: &str, name: &str) -> Result<Self, String> {
        let path = folder.instrument_path(&format!("{name}.jfc"));
        folder
            .write_answer(&path, settings)
            .map_err(|e| e.to_string())?;
        let recorder = Recorder {
            name: format!("tacho-{name}"),
            settings: path,
            file: folder.instrument_path(&format!("{name}.jfr")),
            depth: DEPTH,
            most_mib: MOST_MIB,
            ends: None,
        };
        Ok(Self { jvm, recorder })
    }

    pub fn start(&self) -> Result<(), String> {
        self.recorder.start(&self.jvm).map_err(|e| e.to_string())
    }

    pub fn stop(&self) -> Result<(), String> {
        self.recorder.stop(&self.jvm).map_err(|e| e.to_string())
    }

    /// Where it is after it was stopped.
    pub fn file(&self) -> &Path {
        &self.recorder.file
    }
}

/// What a reader of recordings could not make out.
pub fn not_understood(events: u64, recording: &Path) -> Vec<NotObserved> {
    if events == 0 {
        return Vec::new();
    }
    let recording = recording.display();
    let why = format!("{events} events of {recording} were not understood");
    vec![not_observed("events", why)]
}
