//! Diagnosis launches: launches like the others, with instruments that cost something, and so
//! recorded apart and counted in no figure.
//!
//! ```text
//! Instruments::of         which flags this JVM takes; what its runtime lacks is said
//!            ::switch_on  Native Memory Tracking, a flight recording from the start
//!            ::look       when the phases are over: native memory, then the recording ends, then the live set, by a full collection
//!            ::conclude   when the process is gone: reads the recording, writes diagnosis.json
//! ```

use crate::reader::Reader;
use crate::session::Subject;
use crate::stop::Stop;
use std::path::Path;
use tacho_jfr::RECORDING_NAME;
use tacho_memory::{Memory, Observed};
use tacho_run_folder::{
    Diagnosis, FolderError, LaunchDir, LaunchOutcome, LaunchRecord, LiveSet, MemoryPart,
    NotObserved, ResidentMemory,
};
use tacho_subject::{Jdk, Prepared};

/// Classes of the live set that are kept; the whole histogram is in a file of its own.
const CLASSES: usize = 50;
const NATIVE_MEMORY: &str = "native memory";
const LIVE_SET: &str = "live set";
const RECORDING: &str = "flight recording";
/// With addresses: `summary` knows categories alone, which cannot be laid over the mappings.
const TRACKING: &str = "-XX:NativeMemoryTracking=detail";

/// What a JVM is looked at with.
#[derive(Debug)]
pub struct Instruments {
    flags: Vec<String>,
    /// Who reads the recording, where there is one.
    recording: Option<Reader>,
    missing: Vec<NotObserved>,
}

/// What was seen while the subject was still there.
#[derive(Debug, Default)]
pub struct Seen {
    diagnosis: Diagnosis,
    native_memory: Option<String>,
    histogram: Option<String>,
}

impl Instruments {
    /// Chooses what this runtime can take, and writes the settings of the recording to the launch's
    /// folder.
    pub fn of(prepared: &Prepared, folder: &LaunchDir) -> Result<Self, FolderError> {
        // The runtime whose `bin/java` this is.
        let java = prepared.record.command.first().map(Path::new);
        let home = java.and_then(|java| java.parent()?.parent());
        let own = home.and_then(Jdk::in_folder);
        let mut instruments = Self {
            flags: vec![TRACKING.to_owned()],
            recording: None,
            missing: Vec::new(),
        };
        // A JVM without Flight Recorder does not even start when it is told to record.
        let lacks_recorder = own
            .as_ref()
            .is_some_and(|jdk| !jdk.modules.is_empty() && !jdk.modules.contains(&"jdk.jfr".into()));
        let flags = tacho_jfr::flags(&folder.recording_settings_path(), &folder.recording_path());
        match (Reader::of(prepared), flags) {
            _ if lacks_recorder => instruments.lacks(
                RECORDING,
                "this runtime has no module jdk.jfr; a variant on a whole JDK (`jar`, `extracted`) has it".to_owned(),
            ),
            (Err(none), _) => instruments.lacks(RECORDING, none.to_string()),
            (_, None) => instruments.lacks(
                RECORDING,
                format!(
                    "a comma or a quote in {} cannot stand in -XX:StartFlightRecording; give another place with --runs",
                    folder.path().display()
                ),
            ),
            (Ok(reader), Some(flags)) => {
                folder.write_answer(&folder.recording_settings_path(), tacho_jfr::MEMORY)?;
                instruments.flags.extend(flags);
                instruments.recording = Some(reader);
            }
        }
        Ok(instruments)
    }

    fn lacks(&mut self, what: &str, why: String) {
        self.missing.push(not_observed(what, why));
    }

    /// The JVM makes a flight recording, and may write it only when it ends.
    pub fn has_recording(&self) -> bool {
        self.recording.is_some()
    }

    /// Lays the flags into the command, before those of the experiment.
    pub fn switch_on(&self, command: &mut Vec<String>) {
        let place = command.len().min(1);
        command.splice(place..place, self.flags.iter().cloned());
    }

    /// Asks the JVM, in the order in which one question does not change the answer to the next: a
    /// full collection comes last.
    pub fn look(&self, subject: &dyn Subject, outcome: &LaunchOutcome) -> Seen {
        let mut seen = Seen::default();
        seen.diagnosis.missing.clone_from(&self.missing);
        if !matches!(
            outcome,
            LaunchOutcome::Completed | LaunchOutcome::Invalid { .. }
        ) {
            seen.lacks(NATIVE_MEMORY, "the launch did not come to its end".into());
            seen.lacks(LIVE_SET, "the launch did not come to its end".into());
            return seen;
        }
        let mut pids = subject.pids().into_iter();
        let Some(pid) = pids.find(|pid| tacho_memory::is_jvm(*pid)) else {
            let why = "none of its processes is a JVM any more";
            seen.lacks(NATIVE_MEMORY, why.to_owned());
            return seen;
        };
        let anchor = subject.anchor();
        let since = tacho_clock::monotonic_ns().saturating_sub(anchor.monotonic_ns);
        seen.diagnosis.at_ms = since as f64 / 1e6;
        match Observed::of(pid) {
            Ok(observed) => self.ask(observed, &mut seen),
            Err(error) => seen.lacks(NATIVE_MEMORY, error.to_string()),
        }
        seen
    }

    fn ask(&self, mut observed: Observed, seen: &mut Seen) {
        for note in std::mem::take(&mut observed.memory.notes) {
            seen.lacks(NATIVE_MEMORY, note);
        }
        if let Some((report, text)) = observed.native.take() {
            seen.diagnosis.native = Some(report);
            seen.native_memory = Some(text);
        }
        // A JVM that cannot be asked writes its recording when it ends.
        if self.recording.is_some() {
            let _ = observed.ask(&format!("JFR.stop name={RECORDING_NAME}"));
        }
        match observed.count_live() {
            Ok((live, text)) => {
                seen.diagnosis.live = Some(largest(live));
                seen.histogram = Some(text);
            }
            Err(why) => seen.lacks(LIVE_SET, why),
        }
        seen.diagnosis.resident = Some(resident(&observed.memory));
    }

    /// Reads what the JVM has left and writes everything down.
    pub fn conclude(&self, seen: Seen, folder: &LaunchDir, stop: &Stop) -> Result<(), FolderError> {
        let Seen {
            mut diagnosis,
            native_memory,
            histogram,
        } = seen;
        if let Some(text) = native_memory {
            folder.write_answer(&folder.native_memory_path(), &text)?;
        }
        if let Some(text) = histogram {
            folder.write_answer(&folder.class_histogram_path(), &text)?;
        }
        if let Some(reader) = &self.recording {
            match tacho_jfr::summarise(&reader.reading(&folder.recording_path(), stop.flag())) {
                Ok(recording) => diagnosis.recording = Some(recording),
                Err(error) => diagnosis
                    .missing
                    .push(not_observed(RECORDING, error.to_string())),
            }
        }
        folder.write_diagnosis(&diagnosis)
    }
}

impl Seen {
    fn lacks(&mut self, what: &str, why: String) {
        self.diagnosis.missing.push(not_observed(what, why));
    }
}

/// What a diagnosis launch did not show, for people; nothing when all is there.
pub fn shortcomings(
    cell: &str,
    record: &LaunchRecord,
    diagnosis: Option<&Diagnosis>,
) -> Vec<String> {
    let failed = match &record.outcome {
        LaunchOutcome::Failed { message, .. } => Some(format!(
            "the diagnosis launch of `{cell}` failed: {message}"
        )),
        LaunchOutcome::Invalid { reason } => Some(format!(
            "the diagnosis launch of `{cell}` is not what it claims to be: {reason}"
        )),
        _ => None,
    };
    let missing = diagnosis.into_iter().flat_map(|d| &d.missing).map(|m| {
        format!(
            "the diagnosis launch of `{cell}` has no {}: {}",
            m.what, m.why
        )
    });
    failed.into_iter().chain(missing).collect()
}

pub fn not_observed(what: &str, why: String) -> NotObserved {
    NotObserved {
        what: what.to_owned(),
        why,
    }
}

fn largest(mut live: LiveSet) -> LiveSet {
    live.classes.truncate(CLASSES);
    live
}

fn resident(memory: &Memory) -> ResidentMemory {
    ResidentMemory {
        rss_bytes: memory.rss_bytes as f64,
        sum_bytes: memory.sum_bytes as f64,
        parts: memory
            .parts
            .iter()
            .map(|part| MemoryPart {
                name: part.name.clone(),
                bytes: part.bytes as f64,
                meaning: part.meaning.clone(),
            })
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testkit;
    use std::path::PathBuf;
    use tacho_run_folder::{PlannedLaunch, RunFolder};

    fn folder(at: &Path) -> LaunchDir {
        let planned = PlannedLaunch {
            number: 7,
            cell: "jar".into(),
            replicate: 1,
            again: None,
        };
        let run = RunFolder::create(at).unwrap();
        run.create_diagnosis(&planned).unwrap()
    }

    fn prepared(java: &Path) -> Prepared {
        Prepared {
            jdk_home: Some("/opt/jdk".into()),
            ..testkit::prepared("jar", &[&java.display().to_string(), "-jar", "a.jar"])
        }
    }

    /// A runtime with these modules, as far as its files tell.
    fn runtime(at: &Path, modules: &str) -> PathBuf {
        use std::os::unix::fs::PermissionsExt;
        let java = at.join("bin/java");
        std::fs::create_dir_all(at.join("bin")).unwrap();
        std::fs::write(&java, "#!/bin/sh\n").unwrap();
        std::fs::set_permissions(&java, std::fs::Permissions::from_mode(0o755)).unwrap();
        let release = format!("JAVA_VERSION=\"25.0.1\"\nMODULES=\"{modules}\"\n");
        std::fs::write(at.join("release"), release).unwrap();
        java
    }

    #[test]
    fn the_flags_come_before_those_of_the_experiment() {
        let scratch = tempfile::tempdir().unwrap();
        let folder = folder(&scratch.path().join("run"));
        let java = runtime(&scratch.path().join("jdk"), "java.base jdk.jfr");
        let prepared = prepared(&java);
        let instruments = Instruments::of(&prepared, &folder).unwrap();
        let mut command = prepared.record.command.clone();
        instruments.switch_on(&mut command);
        assert_eq!(command[1], TRACKING);
        assert!(command[2].starts_with("-XX:StartFlightRecording=name=tacho,settings="));
        assert_eq!(command[4..], ["-jar", "a.jar"]);
        assert!(folder.recording_settings_path().exists());
        assert_eq!(instruments.recording, Reader::of(&prepared).ok());
        assert_eq!(instruments.missing, []);
    }

    #[test]
    fn a_runtime_without_a_recorder_is_not_asked_to_record_and_that_is_said() {
        let scratch = tempfile::tempdir().unwrap();
        let folder = folder(&scratch.path().join("run"));
        let java = runtime(&scratch.path().join("image"), "java.base java.logging");
        let instruments = Instruments::of(&prepared(&java), &folder).unwrap();
        assert_eq!(instruments.flags, [TRACKING]);
        assert_eq!(instruments.missing[0].what, RECORDING);
        assert!(instruments.missing[0].why.contains("jdk.jfr"));
    }

    #[test]
    fn a_folder_that_the_flag_cannot_hold_is_said_to_be_one() {
        let scratch = tempfile::tempdir().unwrap();
        let folder = folder(&scratch.path().join("a,b"));
        let java = runtime(&scratch.path().join("jdk"), "java.base jdk.jfr");
        let instruments = Instruments::of(&prepared(&java), &folder).unwrap();
        assert!(
            instruments.missing[0].why.contains("--runs"),
            "{instruments:?}"
        );
    }
}
