//! What is recorded.

use std::path::Path;

/// The settings for questions about memory, each event with its reason.
pub const MEMORY: &str = include_str!("../../../../jvm/jfr-reader/memory.jfc");

/// By which `jcmd PID JFR.stop name=...` finds the recording.
pub const RECORDING_NAME: &str = "tacho";

/// Flags of a JVM (17 or newer) that record from the start. The file is written when the recording
/// is stopped, at the latest when the JVM ends. `None` when a path has a character in it that such
/// a flag cannot hold.
#[must_use]
pub fn flags(settings: &Path, recording: &Path) -> Option<Vec<String>> {
    let (settings, recording) = (settings.to_str()?, recording.to_str()?);
    // The JVM splits the flag at commas, and a quote begins a quoted value.
    let odd = |path: &str| path.contains([',', '"', '\'', '\n']);
    if odd(settings) || odd(recording) {
        return None;
    }
    Some(vec![
        format!(
            "-XX:StartFlightRecording=name={RECORDING_NAME},settings={settings},filename={recording},dumponexit=true"
        ),
        // Three lines on the subject's output that a readiness condition could be confused by.
        "-Xlog:jfr+startup=error".to_owned(),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::summary::KINDS;

    #[test]
    fn every_event_that_is_recorded_is_read_and_the_other_way_round() {
        let recorded: Vec<&str> = MEMORY
            .split("<event name=\"")
            .skip(1)
            .map(|rest| rest.split('"').next().unwrap())
            .collect();
        let read: Vec<&str> = KINDS.iter().map(|(name, _)| *name).collect();
        assert_eq!(recorded, read);
    }

    #[test]
    fn every_event_has_its_reason() {
        for piece in MEMORY.split("-->").skip(1) {
            let events = piece.matches("<event ").count();
            assert!(events <= 2, "{piece}");
        }
    }

    #[test]
    fn a_path_that_the_flag_cannot_hold_is_refused() {
        let flags = flags(Path::new("/a/memory.jfc"), Path::new("/b/recording.jfr")).unwrap();
        assert!(flags[0].ends_with(
            "name=tacho,settings=/a/memory.jfc,filename=/b/recording.jfr,dumponexit=true"
        ));
        let odd = super::flags(Path::new("/a,b/memory.jfc"), Path::new("/b/r.jfr"));
        assert_eq!(odd, None);
    }
}
