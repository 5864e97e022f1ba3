//! Stops what a killed `tacho profile` left running in a JVM. It is recognised by its name, and
//! stopped by the guard or before another profile begins.

use std::fmt;
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use tacho_attach::Jvm;
use tacho_launch::processes::Process;
use tacho_observe::process::open_files;

/// Prefix of the names of recordings, and of folders shared with a JVM.
pub const KIND: &str = "tacho-profile";
const NAMESPACE: &str = "/proc/self/ns/pid";

/// `tacho-profile-JVM-TACHO-START-NAMESPACE`: the numbers of both processes, the start time of
/// Tacho, which identifies it for good, and its namespace of process numbers. The namespace is
/// needed because a Tacho in a container beside the JVM has a number that means another process
/// here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Name {
    jvm: u32,
    tacho: u32,
    start: u64,
    namespace: u64,
}

impl Name {
    /// Of a recording of this process.
    pub fn ours(jvm: &Jvm) -> Self {
        let tacho = std::process::id();
        Self {
            jvm: jvm.pid(),
            tacho,
            start: Process::read(tacho).map_or(0, |process| process.start_time),
            namespace: namespace(),
        }
    }

    /// Accepts only numbers, so that the name is safe in a command to the JVM.
    pub fn parse(name: &str) -> Option<Self> {
        let mut numbers = name.strip_prefix(KIND)?.strip_prefix('-')?.split('-');
        let mut next = || {
            numbers
                .next()
                .filter(|number| number.bytes().all(|byte| byte.is_ascii_digit()))
        };
        let parsed = Self {
            jvm: next()?.parse().ok()?,
            tacho: next()?.parse().ok()?,
            start: next()?.parse().ok()?,
            namespace: next()?.parse().ok()?,
        };
        Some(parsed)
    }

    /// What identifies this process together with its number.
    pub fn since(&self) -> String {
        format!("-{}-{}", self.start, self.namespace)
    }

    /// Whether the named Tacho has ended. False if it is in another namespace, since it cannot be
    /// seen.
    pub fn is_left(&self) -> bool {
        self.namespace == namespace()
            && Process::read(self.tacho)
                .is_none_or(|process| process.zombie || process.start_time != self.start)
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{KIND}-{}-{}{}", self.jvm, self.tacho, self.since())
    }
}

fn namespace() -> u64 {
    fs::metadata(NAMESPACE).map_or(0, |facts| facts.ino())
}

/// Stops those of our flight recordings that are `wanted` to end, and returns how many there were.
/// The JVM then writes their contents to `discarded`. Their original folder may be gone, and the
/// JVM would log a complaint in the service's log.
///
/// Lists the recordings only if a recording file is open, that is, if the recorder is on. Asking
/// would switch it on.
pub fn stop_recordings(
    jvm: &Jvm,
    discarded: &Path,
    wanted: impl Fn(&Name) -> bool,
) -> io::Result<usize> {
    let is_recording = |file: &PathBuf| file.extension().is_some_and(|kind| kind == "jfr");
    if !open_files(jvm.pid())?.iter().any(is_recording) {
        return Ok(0);
    }
    let said = jvm.jcmd("JFR.check").map_err(io::Error::other)?;
    let mut found = 0;
    for name in recordings(&said).filter(wanted) {
        found += 1;
        // If it has ended meanwhile, that is what was wanted.
        let _ = tacho_jfr::stop(jvm, &name.to_string(), discarded);
    }
    Ok(found)
}

/// `Recording 1: name=tacho-profile-7-8-9-10 duration=30s maxsize=1.0GB (running)`
fn recordings(said: &str) -> impl Iterator<Item = Name> {
    said.split_whitespace()
        .filter_map(|word| word.strip_prefix("name="))
        .filter_map(Name::parse)
}

/// Stops async-profiler if it runs for a profile that is `wanted` to end. The open output file
/// tells whose it is; others go on. Returns how many such files there were.
pub fn stop_profiler(
    jvm: &Jvm,
    library: &Path,
    discarded: &Path,
    wanted: impl Fn(&Name) -> bool,
) -> io::Result<usize> {
    let found = open_files(jvm.pid())?
        .into_iter()
        .filter_map(|file| {
            let folder = file.parent()?.file_name()?.to_str()?;
            Name::parse(folder)
        })
        .filter(|name| name.jvm == jvm.pid() && wanted(name))
        .count();
    if found > 0 {
        // If it has ended meanwhile, the agent reports an error, which does no harm.
        let _ = tacho_profiler::stop(jvm, library, discarded);
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_this_process() -> Name {
        let tacho = std::process::id();
        Name {
            jvm: 4711,
            tacho,
            start: Process::read(tacho).unwrap().start_time,
            namespace: namespace(),
        }
    }

    #[test]
    fn only_a_tacho_that_has_ended_here_has_left_anything() {
        let ours = of_this_process();
        assert!(!ours.is_left());
        let other_start = Name {
            start: ours.start + 1,
            ..ours.clone()
        };
        assert!(other_start.is_left(), "the number was given away since");
        let elsewhere = Name {
            namespace: 1,
            ..other_start
        };
        assert!(!elsewhere.is_left());
    }

    #[test]
    fn names_that_are_not_ours_are_no_words_of_a_command() {
        let ours = of_this_process();
        assert_eq!(Name::parse(&ours.to_string()), Some(ours));
        for other in [
            "tacho-profile-7",
            "tacho-profile-7-8-9-+1",
            "mine",
            "tacho-profile-a-8-9-1",
        ] {
            assert_eq!(Name::parse(other), None, "{other}");
        }
    }

    #[test]
    fn recordings_are_found_among_those_of_others() {
        let said = "4711:\nRecording 1: name=app maxage=1d (running)\nRecording 2: name=tacho-profile-7-8-9-10 duration=30s maxsize=1.0GB (running)\n";
        let names: Vec<String> = recordings(said).map(|name| name.to_string()).collect();
        assert_eq!(names, ["tacho-profile-7-8-9-10"]);
    }
}
